"""Actions: `march latium etruria 2` in one line, or the action and then what is missing."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ziggurat import END, ir, member_type
from ziggurat.studio.language import tr
from ziggurat.studio.play.board import indented
from ziggurat.studio.play.choices import (
    ALL,
    BACK,
    CANCEL,
    NO,
    NONE,
    YES,
    Cancelled,
    Question,
    amount,
    span,
    tokens,
)
from ziggurat.studio.play.naming import (
    Choice,
    WrongInput,
    action_choices,
    action_usage,
    choice,
    match,
    misread,
    normal,
    parameter_word,
    refusal,
    take,
)
from ziggurat.studio.play.series import NotOneLine, read_series, says_several
from ziggurat.studio.play.terms import terms
from ziggurat.studio.play.unfinished import unfinished


class Acts(Question):
    """Reads what somebody does in a phase where people act."""

    def read(self, line: str) -> list[Any]:
        """Return the answers that a line means. Raises `WrongInput` or `Cancelled`."""
        said = tokens(line)
        if said[0] == "0" or normal(line) in END:
            return [self._end()]
        if says_several(line):
            return self._series(line)
        try:
            return [self._act(said)]
        except WrongInput as error:
            if len(said) == 1:
                raise
            return self._series(line, error)

    def _series(self, line: str, error: WrongInput | None = None) -> list[Any]:
        """Read a line as several answers. If not even its first words can be, raise `error`."""
        try:
            steps = read_series(self, line)
        except NotOneLine as found:
            raise error if error is not None and not found.steps else found from None
        for step in steps:
            acts = Acts(step.game, step.decision, self.board, self.talk)
            if isinstance(step.answer, dict) and "action" in step.answer:
                acts.confirm(step.answer["action"], step.answer["args"])
            elif step.answer == step.decision.end:
                acts.leave_nothing()
        return [step.answer for step in steps]

    def leave_nothing(self) -> None:
        """Raise `WrongInput` if the end of the act gives up what was begun."""
        for begun in unfinished(self.game, self.decision):
            told = tr("`{end}` would give up what is begun. {what}")
            raise WrongInput(told.format(end=self.decision.end, what=begun.text))

    def _act(self, said: Sequence[str]) -> Any:
        action, used = self._action(said)
        args = self._arguments(self.game.ruleset.actions[action], list(said[used:]))
        self.confirm(action, args)
        return {"action": action, "args": args}

    def confirm(self, action: str, args: Sequence[Any]) -> None:
        """Show the terms of what gives something away, and go on only if they are agreed to. Raises
        `Cancelled`."""
        sides = terms(self.game, self.decision, action, args)
        if not sides:
            return
        title = self.game.ruleset.actions[action].title or action

        def ask() -> None:
            head = tr("{title}? These are the terms.").format(title=title)
            hint = tr("`yes` or `no`")
            self.talk.show(Text.assemble((head, "bold"), (f"  ({hint})", "dim")))
            self.talk.show(*(indented(side.text) for side in sides))

        ask()
        choices = [choice(True, *YES), choice(False, *NO)]
        while True:
            line = self.talk.line(tr("yes or no"), [YES[0], NO[0]], ask)
            try:
                if match(line, choices, "answer").value:
                    return
                raise Cancelled(NO[0])
            except WrongInput as wrong:
                self.talk.wrong(wrong)

    def _end(self) -> Any:
        """End the act. If that gives up what somebody has begun, ask before."""
        begun = unfinished(self.game, self.decision)
        if not begun:
            return self.decision.end
        end, rules = self.decision.end, self.game.ruleset.actions
        rows = [
            (action_usage(rules[id_]), rules[id_].title) for one in begun for id_ in one.actions
        ]
        rows += [(BACK, tr("go on here")), (end, tr("leave it: what is begun is given up"))]
        size = max(len(usage) for usage, _ in rows)

        def ask() -> None:
            head = tr("You have begun something, and `{end}` gives it up.").format(end=end)
            told = [f"{number:>2}  {usage:<{size}}  {title}"
                    for number, (usage, title) in enumerate(rows, 1)]  # fmt: skip
            self.talk.show(Text(head, style="bold"), *(Text(f"  {one.text}") for one in begun))
            self.talk.show(*map(Text, told))

        ask()
        words = [usage.partition(" ")[0] for usage, _ in rows]
        while True:
            line = self.talk.line(end, words, ask).strip()
            word = normal(
                words[int(line) - 1] if line.isdigit() and 0 < int(line) <= len(rows) else line
            )
            if word in END:
                return end
            if word in (BACK, CANCEL):
                raise Cancelled(word)
            try:
                return self._act(tokens(word if line.isdigit() else line))
            except WrongInput as wrong:
                self.talk.wrong(wrong)

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
        return action_choices(self.game.ruleset, self.decision.actions())

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
            found, _ = take(said, action_choices(self.game.ruleset, here))
        except WrongInput:
            return
        raise self._refusal(self.game.ruleset.actions[found.value], ())

    def _refusal(self, rule: ir.Action, args: Sequence[Any], last: str = "") -> WrongInput:
        """Return the reason why this much of an action, with `last`, is not allowed."""
        return refusal(self.game, self.decision.decider, rule, args, last)

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
            raise WrongInput(told.format(extra=extra, usage=action_usage(rule)))
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
            found, used = take(said, self.names.universe(param.type))
        except WrongInput:
            return
        error = self._refusal(rule, [*args, found.value], found.label)
        raise misread(error, " ".join(said[:used]), found)

    def _ask(self, rule: ir.Action, args: Sequence[Any]) -> Any:
        """Ask for the next argument. What has one answer only is told; none of nothing is not."""
        param = rule.params[len(args)]
        type_ = member_type(param)
        options = self._options(rule, args)
        if not (param.single or options):
            return []
        prompt = param.prompt or f"{parameter_word(param).capitalize()}?"
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
            words = self.offered_words(options, BACK, CANCEL)
            line = self.talk.line(parameter_word(param), words, ask)
            if normal(line) in (BACK, CANCEL):
                raise Cancelled(normal(line))
            try:
                if not param.single:
                    return self.several(line, options, type_, *self._bounds(rule, args))
                return self._next(rule, args, tokens(line))
            except WrongInput as wrong:
                self.talk.wrong(wrong)
