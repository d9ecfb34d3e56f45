"""Several answers in one line: `march a b 2; c d 1`, `sail 2 lycia ionia`, `spear rome 5`.

The words are read against copies of the game, one answer after the other, and nothing is answered
unless the whole line can be. The rules say what goes together: an action that a bundle must be
there for is preceded by one that begins it, words without an action belong to the actions about
that bundle, and at the end comes the action that clears it. A line that fits two ways is refused.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ziggurat import END, Decision, Game, Refused, Ruleset, ir, member_type, walk
from ziggurat.studio.language import tr
from ziggurat.studio.play.choices import NONE, Question
from ziggurat.studio.play.naming import (
    Choice,
    Names,
    WrongInput,
    action_choices,
    action_usage,
    listed,
    match,
    misread,
    normal,
    parameter_word,
    refusal,
    take,
)
from ziggurat.studio.play.unfinished import begun_by, cleared_by

THEN, EACH = ";", "each"
MOST_READINGS = 2000


class NotOneLine(WrongInput):
    """A line cannot be read as several answers; `steps` of them could."""

    def __init__(self, error: WrongInput, steps: int) -> None:
        super().__init__(error.text, error.source)
        self.steps = steps


@attrs.frozen
class Step:
    """An answer of a line, and the game and the decision that it is given to."""

    game: Game
    decision: Decision
    answer: Any


@attrs.frozen
class Reading:
    """A line that has been read so far: the game after its steps, and the words that are left."""

    game: Game
    words: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    action: str = ""  # the last one; words without an action may repeat it
    bundle: str = ""  # what the line has begun
    is_implied: bool = False  # the line has begun it without saying so, and ends it
    closing: str = ""  # the action that is to end it, if the line names one


def words_of(line: str) -> tuple[str, ...]:
    """Return the words of a line, with `;` as words of their own."""
    parts = ",".join(part.strip() for part in line.split(","))
    return tuple(parts.replace(THEN, f" {THEN} ").split())


def says_several(line: str) -> bool:
    """Return whether a line says in so many words that it means several answers."""
    words = words_of(line)
    return THEN in words or EACH in map(normal, words)


def read_series(question: Question, line: str) -> list[Step]:
    """Return the answers that a line means. Raises `NotOneLine` if it means none, or fits two
    ways."""
    reader = _Reader(question)
    found: dict[str, tuple[Step, ...]] = {}
    for steps in reader.read(Reading(question.game.copy(), words_of(line))):
        found[repr([step.answer for step in steps])] = steps
        if len(found) > 1:
            raise NotOneLine(reader.ambiguous(*found.values()), len(steps))
    for steps in found.values():
        return list(steps)
    raise NotOneLine(reader.explain_mistake(words_of(line)), reader.steps)


class _Reader:
    """Reads a line in every way that the rules allow."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._rules: Ruleset = question.game.ruleset
        self._seat = question.decision.decider
        self._first = question.decision
        self._place = _place(question.game)
        self._readings = 0
        self._least = float("inf")  # the words that were left at the mistake that came last
        self.error = WrongInput(tr("That cannot be understood."))
        self.steps = 0  # that could be read before the mistake

    def read(self, at: Reading) -> Iterator[tuple[Step, ...]]:
        """Yield the answers of each way to read what is left."""
        self._readings += 1
        if self._readings > MOST_READINGS:
            return
        if not at.words or at.words[0] == THEN:
            yield from self._end_part(at)
            return
        try:
            decision = self._decision(at)
            follow = self._act if decision.kind == "act" else self._choose
            for further in follow(at, decision):
                yield from self.read(further)
        except WrongInput as error:
            self._note(at, at.words, error)

    def ambiguous(self, one: Sequence[Step], other: Sequence[Step]) -> WrongInput:
        """Return what to say of a line that fits two ways: where they part."""
        pairs = zip(one, other, strict=False)
        parted = next((pair for pair in pairs if pair[0].answer != pair[1].answer), None)
        told = tr("That fits two ways: {one}, or {other}. Say which with `;` and the action.")
        if parted is None:
            longer = max(one, other, key=len)[min(len(one), len(other))]
            return WrongInput(told.format(one=tr("to end there"), other=_words(longer)))
        return WrongInput(told.format(one=_words(parted[0]), other=_words(parted[1])))

    def explain_mistake(self, words: Sequence[str]) -> WrongInput:
        """Return the mistake of the reading that came furthest, with the part of a line in which it
        is if there are several."""
        error, count = self.error, len(words)
        if THEN not in words or not 0 < self._least <= count:
            return error
        at = count - int(self._least)
        if words[at] == THEN and at:
            at -= 1
        first = next((n + 1 for n in range(at, -1, -1) if words[n] == THEN), 0)
        part = " ".join(_until_then(words[first:]))
        text = tr("In `{part}`: {mistake}").format(part=part, mistake=error.text)
        return WrongInput(text, error.source)

    def _note(self, at: Reading, left: Sequence[str], error: WrongInput) -> None:
        """Keep the mistake of the reading that came furthest."""
        if len(left) < self._least:
            self._least = len(left)
            self.error, self.steps = error, len(at.steps)

    def _decision(self, at: Reading) -> Decision:
        """Return what is asked in the same act. Raise `WrongInput` if something else is."""
        found = next((one for one in at.game.decisions if one.decider == self._seat), None)
        rest = " ".join(at.words)
        if found is None or _place(at.game) != self._place:
            told = tr("Nothing can follow here, so `{rest}` is too much.")
            raise WrongInput(told.format(rest=rest))
        is_begun = bool(at.game.position.doing) or _root(found) == _root(self._first)
        if not at.steps or found.kind == "act" or is_begun:
            return found
        raise WrongInput(tr("Another question comes before `{rest}`.").format(rest=rest))

    # ---- acts

    def _act(self, at: Reading, decision: Decision) -> Iterator[Reading]:
        word = normal(at.words[0])
        if word in END or word == "0":
            yield self._answered(at, decision, decision.end, at.words[1:])
            return
        offered = decision.actions()
        here = [one.id for one in self._rules.actions.values() if one.phase == decision.phase]
        named, used = self._named(at.words, offered)
        closed, size = self._named(at.words, [one for one in here if one not in offered])
        if closed and self._is_name(closed, at.words[:size]):
            yield from self._open(at, decision, offered, closed, size)
            return
        if named:
            yield from self._begin(at, decision, named, used)
            if self._is_name(named, at.words[:used]):
                return
        is_further = at.steps and at.steps[-1].decision.kind == "act"
        about = [one for one in offered if at.bundle in _about(self._rules, one)]
        members = about if at.bundle else [one for one in offered if one == at.action]
        if is_further and at.bundle and members:
            usages = [f"`{action_usage(self._rules.actions[one])}`" for one in members]
            told = tr("`{word}` fits nothing that can follow: {actions}.")
            told = told.format(word=at.words[0], actions=listed(usages, "or"))
            self._note(at, at.words, WrongInput(told))
        for action in members if is_further else ():
            for further in self._unnamed(at, decision, action) if action != named else ():
                if len(further.words) < len(at.words):
                    yield further
        if closed:
            yield from self._open(at, decision, offered, closed, size)
        elif not named:
            match(at.words[0], action_choices(self._rules, offered), "action")

    def _named(self, words: Sequence[str], actions: Sequence[str]) -> tuple[str, int]:
        """Return the action that the next words name, and how many they are; "" if none."""
        try:
            found, used = take(_until_then(words), action_choices(self._rules, actions))
        except WrongInput:
            return "", 0
        return str(found.value), used

    def _is_name(self, action: str, words: Sequence[str]) -> bool:
        """Return whether words are the whole name of an action, not just its beginning."""
        (known,) = action_choices(self._rules, [action])
        return normal(" ".join(words)) in known.spellings

    def _begin(self, at: Reading, decision: Decision, action: str, used: int) -> Iterator[Reading]:
        """Read on after the name of an action that can be done now."""
        rule, left = self._rules.actions[action], at.words[used:]
        cleared = sorted(cleared_by(self._rules, action))
        if not rule.params and left and left[0] != THEN and cleared:
            yield attrs.evolve(
                at, words=left, bundle=cleared[0], is_implied=True, closing=action, action=""
            )
        else:
            yield from self._arguments(at, decision, action, left, ())

    def _open(
        self, at: Reading, decision: Decision, offered: Sequence[str], action: str, used: int
    ) -> Iterator[Reading]:
        """Begin the bundle that an action needs which cannot be done now."""
        moment = at.game.seen_by(self._seat)
        cleared = cleared_by(self._rules, action)
        is_open = False
        for bundle in sorted(_about(self._rules, action) | cleared):
            if moment.attribute(bundle, self._seat):
                continue
            closing = action if bundle in cleared else ""
            rest = attrs.evolve(
                at, words=at.words[used:], bundle=bundle, is_implied=True, closing=closing
            )
            for opener in offered:
                if bundle in begun_by(self._rules, opener):
                    is_open = True
                    yield from self._unnamed(rest, decision, opener)
                    yield from self._unnamed_after_number(rest, decision, opener)
        if not is_open:
            raise self._refusal(at.game, action)

    def _refusal(
        self, game: Game, action: str, args: Sequence[Any] = (), last: str = ""
    ) -> WrongInput:
        return refusal(game, self._seat, self._rules.actions[action], args, last)

    def _unnamed(self, at: Reading, decision: Decision, action: str) -> Iterator[Reading]:
        """Read the next words as arguments of an action that the line does not name."""
        try:
            yield from self._arguments(at, decision, action, at.words, ())
        except WrongInput as error:
            self._note(at, at.words, error)

    def _unnamed_after_number(
        self, at: Reading, decision: Decision, action: str
    ) -> Iterator[Reading]:
        """Read the arguments of an action behind a number that belongs to what follows it."""
        if not at.words or not at.words[0].isdigit():
            return
        number, *others = at.words
        for further in self._unnamed(attrs.evolve(at, words=tuple(others)), decision, action):
            if len(further.words) < len(others):
                yield attrs.evolve(further, words=(number, *further.words))

    def _arguments(
        self,
        at: Reading,
        decision: Decision,
        action: str,
        left: tuple[str, ...],
        args: tuple[Any, ...],
    ) -> Iterator[Reading]:
        """Read the arguments of an action; one that has only one option need not be named."""
        rule = self._rules.actions[action]
        if len(args) == len(rule.params):
            answer = {"action": action, "args": list(args)}
            begun = sorted(begun_by(self._rules, action)) if left and left[0] != THEN else []
            bundle = at.bundle or next(iter(begun), "")
            further = attrs.evolve(at, action=action, bundle=bundle)
            yield self._answered(further, decision, answer, left)
            return
        param = rule.params[len(args)]
        found = decision.parameter_options(action, args)
        options = Names(at.game.seen_by(self._seat)).choices(found, member_type(param))
        if not (param.single or options):
            yield from self._arguments(at, decision, action, left, (*args, []))
            return
        if left and left[0] != THEN:
            yield from self._named_argument(at, decision, action, left, args, options)
        if param.single and len(options) == 1:
            yield from self._arguments(at, decision, action, left, (*args, options[0].value))
        elif not left or left[0] == THEN:
            prompt = param.prompt or f"{parameter_word(param).capitalize()}?"
            done = " ".join(at.words[: len(at.words) - len(left)]) or rule.title or rule.id
            told = tr("After `{done}` an answer is missing: {prompt}")
            raise WrongInput(told.format(done=done, prompt=prompt))

    def _named_argument(
        self,
        at: Reading,
        decision: Decision,
        action: str,
        left: tuple[str, ...],
        args: tuple[Any, ...],
        options: Sequence[Choice],
    ) -> Iterator[Reading]:
        """Read on with the argument that the next words mean."""
        is_each = self._rules.actions[action].params[len(args)].single and normal(left[0]) == EACH
        try:
            if is_each:
                yield from self._each(at, decision, action, args, options, left)
                return
            value, used = self._value(decision, action, args, options, left)
        except WrongInput as error:
            self._note(at, left, self._impossible(at, action, args, left) or error)
            return
        yield from self._arguments(at, decision, action, left[used:], (*args, value))

    def _value(
        self,
        decision: Decision,
        action: str,
        args: Sequence[Any],
        options: Sequence[Choice],
        left: Sequence[str],
    ) -> tuple[Any, int]:
        """Return the argument that the next words mean, and how many they are."""
        param = self._rules.actions[action].params[len(args)]
        type_ = member_type(param)
        if not param.single:
            low, high = decision.parameter_bounds(action, args)
            return self._question.several(left[0], options, type_, low, high), 1
        if type_.name == "int":
            return self._question.one(left[0], options, type_).value, 1
        found, used = take(_until_then(left), options)
        return found.value, used

    def _impossible(
        self, at: Reading, action: str, args: Sequence[Any], left: Sequence[str]
    ) -> WrongInput | None:
        """Return the reason of the rules if the next words mean something that exists."""
        names = Names(at.game.seen_by(self._seat))
        known = names.universe(member_type(self._rules.actions[action].params[len(args)]))
        try:
            found, used = take(_until_then(left), known)
        except WrongInput:
            return None
        error = self._refusal(at.game, action, [*args, found.value], found.label)
        return misread(error, " ".join(left[:used]), found)

    def _each(
        self,
        at: Reading,
        decision: Decision,
        action: str,
        args: Sequence[Any],
        options: Sequence[Choice],
        left: tuple[str, ...],
    ) -> Iterator[Reading]:
        """Do an action for each option, with the words that follow."""
        said = tuple(_until_then(left))
        after = left[len(said) :]
        readings = [(at, decision)]
        for one in options:
            done = [
                found
                for before, asked in readings
                for found in self._arguments(before, asked, action, said[1:], (*args, one.value))
                if not found.words
            ]
            readings = [(found, self._decision(found)) for found in done]
        for found, _ in readings:
            yield attrs.evolve(found, words=after)

    # ---- other questions on the way

    def _choose(self, at: Reading, decision: Decision) -> Iterator[Reading]:
        """Read what is asked on the way: one or several of some options."""
        names = Names(at.game.seen_by(self._seat))
        word = normal(at.words[0])
        if decision.kind not in ("choose", "may"):
            told = tr("Another question comes before `{rest}`.")
            raise WrongInput(told.format(rest=" ".join(at.words)))
        options = names.choices(decision.options(), decision.item)
        if decision.several:
            low, high = decision.least or 0, decision.most or 0
            value = self._question.several(at.words[0], options, decision.item, low, high)
            yield self._answered(at, decision, value, at.words[1:])
            return
        if decision.optional and word in (NONE, "no", *END):
            yield self._answered(at, decision, None, at.words[1:])
            return
        real = [one for one in options if one.value is not None]
        if decision.item.name == "int":
            value, used = self._question.one(at.words[0], real, decision.item).value, 1
        else:
            found, used = take(_until_then(at.words), real)
            value = found.value
        yield self._answered(at, decision, value, at.words[used:])

    # ---- the end of a part

    def _end_part(self, at: Reading) -> Iterator[tuple[Step, ...]]:
        """End what the line has begun, and read the next part, if there is one."""
        try:
            ended = attrs.evolve(self._closed(at), bundle="", is_implied=False, closing="")
        except WrongInput as error:
            self._note(at, at.words, error)
            return
        rest = at.words
        while rest and rest[0] == THEN:
            rest = rest[1:]
        if rest:
            yield from self.read(attrs.evolve(ended, words=rest))
        elif ended.steps:
            yield ended.steps

    def _closed(self, at: Reading) -> Reading:
        """End the bundle that the line has begun, by the action named or the only one there is."""
        moment = at.game.seen_by(self._seat)
        if not at.is_implied or not moment.attribute(at.bundle, self._seat):
            return at
        decision = self._decision(attrs.evolve(at, words=at.words or ("",)))
        closing = at.closing
        if not closing:
            rules = self._rules.actions.values()
            ends = [
                one.id
                for one in rules
                if one.phase == decision.phase
                and not one.params
                and at.bundle in cleared_by(self._rules, one.id)
            ]
            if len(ends) != 1:
                return at
            (closing,) = ends
        if closing not in decision.actions():
            raise self._refusal(at.game, closing)
        return self._answered(at, decision, {"action": closing, "args": []}, at.words)

    def _answered(
        self, at: Reading, decision: Decision, answer: Any, left: tuple[str, ...]
    ) -> Reading:
        """Return the reading after an answer. Raise `WrongInput` if it is refused."""
        game = at.game.copy()
        try:
            game.answer(answer, self._seat)
        except Refused as refused:
            raise WrongInput(refused.reason) from refused
        steps = (*at.steps, Step(at.game, decision, answer))
        return attrs.evolve(at, game=game, words=left, steps=steps)


def _place(game: Game) -> tuple[int, str, int | None, str]:
    position = game.position
    return game.turn_number, position.phase, position.stage, position.acting


def _root(decision: Decision) -> str:
    return decision.path.rpartition(".")[0]


def _until_then(words: Sequence[str]) -> list[str]:
    """Return the words up to the next `;`."""
    words = list(words)
    return words[: words.index(THEN)] if THEN in words else words


def _words(step: Step) -> str:
    """An answer as it could be typed."""
    if not isinstance(step.answer, dict):
        return f"`{step.answer}`"
    names = Names(step.game.seen_by(step.decision.decider))
    rule = step.game.ruleset.actions[step.answer["action"]]
    pairs = zip(rule.params, step.answer["args"], strict=True)
    told = [
        ",".join(
            names.choice(one, member_type(param)).spellings[0]
            for one in ([arg] if param.single else arg)
        )
        for param, arg in pairs
    ]
    return f"`{' '.join([rule.id.rpartition('.')[2], *told])}`"


# ---- what the rules say about bundles


def _about(rules: Ruleset, action: str) -> frozenset[str]:
    """Return the bundles of its player whose fields an action reads or writes."""
    rule = rules.actions[action]
    fields = {
        node.attr
        for node in walk(rule)
        if isinstance(node, ir.AttrOf)
        and isinstance(node.of, ir.Local)
        and node.of.name == rule.actor
    }
    homes = {field.rpartition(".")[0] for field in fields}
    return frozenset(home for home in homes & rules.bundles.keys()
                     if rules.bundles[home].of == "player")  # fmt: skip
