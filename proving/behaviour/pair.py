"""Two rulesets side by side: their scenarios, their games, their traces."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any

import attrs

from ziggurat.dsl.comparing.entries import Entry
from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.renames import find_renames
from ziggurat.dsl.diff import diff
from ziggurat.proving.behaviour.alignment import Alignment, Renames
from ziggurat.proving.behaviour.data import ChangedData
from ziggurat.proving.behaviour.findings import Divergence, FirstDifference, Outcome, Seen
from ziggurat.proving.behaviour.lockstep import Lockstep
from ziggurat.proving.behaviour.recorded import Recorded, recorded, recorder_of
from ziggurat.proving.course import unwatched
from ziggurat.proving.scenarios import Performance
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.bots.policies import Advised, Policy
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.walking import walk

Together = Callable[[str], object]
Title = tuple[str, int]
LIMIT = 20_000  # answers of one game
DATA = "data"  # the cause when no clause ran at all


class Pair:
    """Two rulesets made ready to run side by side."""

    def __init__(self, old: ir.Ruleset, new: ir.Ruleset) -> None:
        self.rules = old, new
        self.programs = recorded(old), recorded(new)
        a, b = Reading(old), Reading(new)
        self.renames: Renames = find_renames(a, b)
        told = diff(old, new).entries
        self.data = ChangedData(old, new, told)
        self.changed = _changed([one for one in told if not self.data.has(one.path)], a, b)
        self._whole = _whole(old) | _whole(new)
        self._steps = tuple(
            {site.path for site in program.sites} | set(rules.actions)
            for program, rules in zip(self.programs, self.rules, strict=True)
        )

    # ---- scenarios

    def scenarios(
        self, step: Together = lambda _: None, done: Container[Title] = ()
    ) -> tuple[list[Title], list[Outcome]]:
        """The scenarios both can run that are not done yet, and those that end differently."""
        old, new = (_by_title(rules.scenarios) for rules in self.rules)
        ran: list[Title] = []
        found: list[Outcome] = []
        for key in {**old, **new}:
            if key in done:
                continue
            versions = [page[key] for page in (old, new) if key in page]
            able = [one for one in versions if all(self._can(side, one) for side in (0, 1))]
            if not able:
                continue
            ran.append(key)
            step(able[0].title)
            outcomes = (self.compare(one) for one in able)
            outcome = next((one for one in outcomes if one is not None), None)
            if outcome is not None:
                found.append(outcome)
        return ran, found

    def compare(self, scenario: ir.Scenario) -> Outcome | None:
        """Run a scenario on both sides; None if it ends the same way."""
        runs = [_Watched(program, unwatched(scenario)) for program in self.programs]
        ends = [run.play() for run in runs]
        a, b = runs
        aligned = Alignment(a.bound.table, b.bound.table, self.renames)
        seen: list[Seen] = []
        traces = [self.paths(side, run.recorder.order) for side, run in enumerate(runs)]
        for one, two in zip(a.states, b.states, strict=False):
            seen += [each for each in aligned.differences(one, two) if each not in seen]
        parting = self.parting(traces[0], traces[1], seen)
        for mine, theirs in zip(a.verdicts, b.verdicts, strict=False):
            if mine.told == theirs.told and mine.actual != theirs.actual:
                what = (mine.told, mine.actual, theirs.actual)
                if not seen:
                    parts = [self.paths(n, v.trace) for n, v in enumerate((mine, theirs))]
                    parting = self.parting(parts[0], parts[1], [what])
                seen.append(what)
        failed = [end and f"expected {end.expected}; {end.actual}" for end in ends]
        if failed[0] != failed[1]:
            seen.append(("the run", failed[0] or "as written", failed[1] or "as written"))
        return Outcome(scenario, tuple(seen), parting) if seen else None

    def _can(self, side: int, scenario: ir.Scenario) -> bool:
        """Whether everything a scenario speaks of is there."""
        rules = self.rules[side]
        if any(name not in rules.options for name, _ in scenario.options):
            return False
        if not _seats(rules, scenario) >= _seats(self.rules[1 - side], scenario):
            return False
        return all(self._knows(side, node, scenario) for node in walk(scenario))

    def _knows(self, side: int, node: Any, scenario: ir.Scenario) -> bool:
        rules = self.rules[side]
        match node:
            case ir.ThingRef(kind=kind, id=id_):
                return _is_thing(rules, scenario, kind, id_)
            case ir.Deal(faces=faces):
                named = (face.partition(".") for face, _ in faces)
                return all(_is_thing(rules, scenario, kind, id_) for kind, _, id_ in named)
            case ir.Thing(kind=kind, values=values):
                fields = rules.kinds[kind].fields if kind in rules.kinds else ()
                return {one.field for one in values} <= {field.name for field in fields}
            case ir.ValueCall(value=value):
                return value in rules.values
            case ir.OptionRef(id=id_):
                return id_ in rules.options
            case ir.AttrOf(attr=attr):
                known = attr in rules.attributes or f"player.{attr}" in rules.attributes
                return known or attr.rpartition(".")[2] in rules.kinds
            case ir.Begin(attributes=kept) | ir.Clear(attributes=kept):
                return rules.attributes.keys() >= {*kept}
            case ir.Do(procedure=procedure) | ir.Result(procedure=procedure):
                return procedure in rules.procedures
            case ir.DoBody(kind=kind) | ir.BodyResult(kind=kind):
                return kind in rules.kinds
            case ir.PileRef(place=place):
                return place == "box" or place in rules.places
            case ir.OrderRef(order=order):
                return order in rules.orders
            case ir.Run(kind="phase", phase=phase, to=to):
                return phase in rules.phases and (not to or to in rules.phases)
            case ir.Scripted(path=path) | ir.Cannot(action=path):
                return not path or path in self._steps[side]
        return True

    # ---- games

    def play(
        self,
        seed: int,
        players: int,
        policy: Callable[[int], Policy] = Advised,
        limit: int = LIMIT,
    ) -> Divergence | None:
        """Play on both sides with the same answers, by the policy on one of them: the old rules
        for even seeds, the new ones for odd seeds. None if they never part."""
        games = [start(program, players, seed=seed) for program in self.programs]
        return Lockstep(self, games, policy(seed), seed % 2, seed).play(limit)

    # ---- traces

    def paths(self, side: int, order: Iterable[int]) -> list[str]:
        clauses = self.programs[side].clauses
        return [clauses[index] for index in order]

    def parting(
        self, old: Sequence[str], new: Sequence[str], seen: Sequence[Seen] = ()
    ) -> FirstDifference:
        """The first clause at which two traces are not the same, and what is to blame: a clause
        that is told otherwise, or data that a clause looked at."""
        pairs = zip(old, new, strict=False)
        shorter = min(len(old), len(new))
        at = next((i for i, (x, y) in enumerate(pairs) if x != y), shorter)
        here = [trace[at] if at < len(trace) else "" for trace in (old, new)]
        blamed = next((path for path in here if self._is_changed(path)), "")
        before = (path for path in reversed(old[:at]) if self._is_changed(path))
        cause = blamed or next(before, "")
        if not cause:
            field = self.data.blamed((*old[:at], *here), seen)
            if field is not None:
                return FirstDifference(field.path, field.places, here[0], here[1])
        last = old[at - 1] if at else ""
        cause = cause or here[1] or here[0] or last or DATA
        return FirstDifference(cause, self.places(cause), here[0], here[1])

    def explains(self, parting: FirstDifference) -> bool:
        """Whether what is blamed is told otherwise."""
        return self._is_changed(parting.cause) or self.data.has(parting.cause)

    def places(self, clause: str) -> tuple[str, str]:
        """Where each side tells a clause."""
        old, new = (_place(rules, clause) for rules in self.rules)
        return old, new

    def _is_changed(self, clause: str) -> bool:
        """Whether both sides tell it differently: it, or what it is a part of."""
        head = clause.split(" / ")[0]
        part = head not in self._whole and head.rpartition(".")[0] in self.changed
        return part or head in self.changed


def _is_thing(rules: ir.Ruleset, scenario: ir.Scenario, kind: str, id_: str) -> bool:
    own = any((one.kind, one.id) == (kind, id_) for one in scenario.things)
    return own or id_ in rules.things.get(kind, {})


def _by_title(scenarios: Iterable[ir.Scenario]) -> dict[Title, ir.Scenario]:
    """Scenarios by title; a second one with the same title has the number 2."""
    found: dict[Title, ir.Scenario] = {}
    for one in scenarios:
        number = 1
        while (one.title, number) in found:
            number += 1
        found[one.title, number] = one
    return found


def _place(rules: ir.Ruleset, clause: str) -> str:
    """File and line of what a clause belongs to."""
    head = clause.split(" / ")[0]
    pages: list[Mapping[str, Any]] = [rules.values, rules.procedures, rules.actions]
    pages += [rules.phases, rules.orders, *rules.things.values()]
    for name in (head, head.rpartition(".")[0]):
        for page in pages:
            if name in page:
                at = page[name].at
                return f"{at.file}:{at.line}"
    return ""


def _seats(rules: ir.Ruleset, scenario: ir.Scenario) -> set[str]:
    """The players of a scenario that are things of a ruleset; little maps bring their own."""
    kinds = {kind.id for kind in rules.kinds.values() if "seat" in kind.roles}
    kinds -= {thing.kind for thing in scenario.things}
    known = {id_ for kind in kinds for id_ in rules.things.get(kind, {})}
    return known & set(scenario.players)


def _changed(entries: Iterable[Entry], a: Reading, b: Reading) -> frozenset[str]:
    """The ids of declarations and of blocks of things that are not the same on both sides."""
    ids = {one.path: one.id for side in (a, b) for one in side.subjects.values()}
    found: set[str] = set()
    for entry in entries:
        for side in (entry.old, entry.new):
            words = side.path.split(" / ") if side else []
            for n in range(len(words), 0, -1):
                if id_ := ids.get(" / ".join(words[:n])):
                    found.add(id_)
                    found.update(f"{id_}.{part}" for part in words[n : n + 1])
    return frozenset(found)


def _whole(rules: ir.Ruleset) -> set[str]:
    """What is told by itself, although its path begins with a thing's."""
    things = [thing for page in rules.things.values() for thing in page.values()]
    blocks = {f"{thing.id}.{body.name}" for thing in things for body in thing.bodies}
    return blocks | {*rules.values, *rules.procedures, *rules.actions}


@attrs.frozen
class _Verdict:
    """What came of a check, and what ran to find out."""

    told: str
    actual: str
    trace: tuple[int, ...]


class _Watched(Performance):
    """A scenario that keeps the position after each run, and goes on when a check fails."""

    def __init__(self, program: Recorded, scenario: ir.Scenario) -> None:
        super().__init__(program, scenario)
        self.recorder = recorder_of(self.bound)
        self.states: list[Any] = []
        self.verdicts: list[_Verdict] = []

    def _run(self, item: ir.Run) -> None:
        super()._run(item)
        self.states.append(self.game.state)

    def expect(self, item: ir.Expect) -> None:
        for check in item.checks:
            begun = len(self.recorder.order)
            try:
                holds = self.steps.evaluate(self.game.state.copy(), check, {})
                actual = "yes" if holds else "no"
            except (RulesError, KeyError) as wrong:
                actual = str(wrong)
            trace = tuple(self.recorder.cut(begun))
            self.verdicts.append(_Verdict(self.tell(check), actual, trace))
