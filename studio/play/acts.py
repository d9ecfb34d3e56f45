"""Actions: `march latium etruria 2` in one line, or the action and then what is missing."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ziggurat import END, Game, ir, member_type, why_not
from ziggurat.studio.language import tr
from ziggurat.studio.play.choices import (
    ALL,
    BACK,
    CANCEL,
    NONE,
    Cancelled,
    Question,
    amount,
    span,
    tokens,
)
from ziggurat.studio.play.naming import (
    Choice,
    WrongInput,
    choice,
    match,
    normal,
    placed,
    source,
    take,
)


class Acts(Question):
    """Reads what somebody does in a phase where people act."""

    def read(self, line: str) -> Any:
        said = tokens(line)
        if said[0] == "0" or normal(line) in END:
            return self.decision.end
        action, used = self._action(said)
        args = self._arguments(self.game.ruleset.actions[action], said[used:])
        return {"action": action, "args": args}

    def usage(self, action: str) -> str:
        """How an action is typed: `march origin target n`."""
        rule = self.game.ruleset.actions[action]
        return " ".join([action.rpartition(".")[2], *(param.name for param in rule.params)])

    def completions(self, said: Sequence[str]) -> list[str]:
        known = self._known()
        if not said:
            return [*self.offered_words(known), self.decision.end]
        try:
            action, used = self._action(said)
            rule = self.game.ruleset.actions[action]
            args: list[Any] = []
            rest = list(said[used:])
            while rest and len(args) < len(rule.params):
                args.append(self._next(rule, args, rest))
            if len(args) == len(rule.params):
                return []
            param = rule.params[len(args)]
            more = () if param.single else (ALL, NONE)
            return self.offered_words(self._options(rule, args), *more)
        except WrongInput:
            return []

    # ---- the action

    def _known(self) -> list[Choice]:
        return action_choices(self.game, self.decision.actions())

    def _action(self, said: Sequence[str]) -> tuple[str, int]:
        known = self._known()
        if said[0].isdigit():
            return self.one(said[0], known, ir.Type("action")).value, 1
        try:
            found, used = take(said, known)
        except WrongInput as wrong:
            self._closed(said)
            ends = choice(self.decision.end, self.decision.end)
            try:
                found = match(said[0], [*known, ends], "action")
            except WrongInput as better:
                raise better from None
            if found.value == self.decision.end:
                told = tr("Type `{end}` in full to end this.").format(end=self.decision.end)
                raise WrongInput(told) from wrong
            raise
        return found.value, used

    def _closed(self, said: Sequence[str]) -> None:
        """Say why an action of this phase is not open now, if it is one."""
        phase = self.decision.phase
        actions = self.game.ruleset.actions.values()
        here = [action.id for action in actions if action.phase == phase]
        try:
            found, _ = take(said, action_choices(self.game, here))
        except WrongInput:
            return
        raise self._refusal(self.game.ruleset.actions[found.value], ())

    def _refusal(self, rule: ir.Action, args: Sequence[Any]) -> WrongInput:
        """The reason why this much of an action is not allowed, with its rule."""
        found = why_not(self.game, self.decision.decider, rule.id, args)
        if found is None:
            return WrongInput(
                tr("That cannot be completed now."), source(rule.meta, rule.at, rule.id)
            )
        return WrongInput(found.reason, placed(found.rule, found.cites, found.where))

    # ---- its arguments

    def _arguments(self, rule: ir.Action, said: list[str]) -> list[Any]:
        args: list[Any] = []
        asked = 0
        while len(args) < len(rule.params):
            if said:
                args.append(self._next(rule, args, said))
                continue
            try:
                args.append(self._ask(rule, args))
                asked += 1
            except Cancelled as back:
                if str(back) != BACK or not asked:
                    raise
                args.pop()
                asked -= 1
        if said:
            extra = " ".join(said)
            told = tr("`{extra}` is too much: `{usage}` is all it takes.")
            raise WrongInput(told.format(extra=extra, usage=self.usage(rule.id)))
        return args

    def _options(self, rule: ir.Action, args: Sequence[Any]) -> list[Choice]:
        found = self.decision.parameter_options(rule.id, args)
        return self.names.choices(found, member_type(rule.params[len(args)]))

    def _bounds(self, rule: ir.Action, args: Sequence[Any]) -> tuple[int, int]:
        return self.decision.parameter_bounds(rule.id, args)

    def _next(self, rule: ir.Action, args: Sequence[Any], said: list[str]) -> Any:
        """The next argument from the words typed, which are used up."""
        param = rule.params[len(args)]
        type_ = member_type(param)
        options = self._options(rule, args)
        if not param.single:
            return self.several(said.pop(0), options, type_, *self._bounds(rule, args))
        if type_.name == "int" or said[0].isdigit():
            return self.one(said.pop(0), options, type_).value
        try:
            found, used = take(said, options)
        except WrongInput:
            self._impossible(rule, args, said)
            raise
        del said[:used]
        return found.value

    def _impossible(self, rule: ir.Action, args: Sequence[Any], said: Sequence[str]) -> None:
        """Something that exists but cannot be chosen gets the reason of the rules."""
        param = rule.params[len(args)]
        try:
            found, _ = take(said, self.names.universe(param.type))
        except WrongInput:
            return
        raise self._refusal(rule, [*args, found.value])

    def _ask(self, rule: ir.Action, args: Sequence[Any]) -> Any:
        """Ask for the next argument. What has one answer only is told; none of nothing is not."""
        param = rule.params[len(args)]
        type_ = member_type(param)
        options = self._options(rule, args)
        if not (param.single or options):
            return []
        prompt = param.prompt or f"{param.name.capitalize()}?"
        if param.single and len(options) == 1:
            told = tr("{prompt} {only}, there is no other.")
            self.talk.show(f"  {told.format(prompt=prompt, only=options[0].label)}")
            return options[0].value
        hint = tr("a number or a name; `back`, `cancel`")
        if type_.name == "int":
            hint = f"{span([one.value for one in options])}; `back`, `cancel`"
        if not param.single:
            low, high = self._bounds(rule, args)
            told = tr("{amount} of them, such as `1 3`, `all` or `none`; `back`, `cancel`")
            hint = told.format(amount=amount(low, high))

        def ask() -> None:
            self.talk.show(Text.assemble((prompt, "bold"), (f"  ({hint})", "dim")))
            if type_.name != "int":
                self.offer(options, type_)

        ask()
        while True:
            line = self.talk.line(param.name, self.offered_words(options, BACK, CANCEL), ask)
            if normal(line) in (BACK, CANCEL):
                raise Cancelled(normal(line))
            try:
                if not param.single:
                    return self.several(line, options, type_, *self._bounds(rule, args))
                return self._next(rule, args, tokens(line))
            except WrongInput as wrong:
                self.talk.wrong(wrong)


def action_choices(game: Game, ids: Sequence[str]) -> list[Choice]:
    """Actions by their ids and titles. One inside a thing has a short name, too."""
    rules = game.ruleset.actions
    return [
        choice(id_, id_.rpartition(".")[2], id_.rpartition(".")[2], id_, rules[id_].title)
        for id_ in ids
    ]
