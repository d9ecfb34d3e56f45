"""Which rules ran in a run of a scenario, in order, and what held when they began.

What runs is noted in the log of the position: a step that begins anew, as it does after every
answer, forgets it with everything else. Only rules that are walked can be watched, so a scenario
that speaks of this runs on the reference evaluator.
"""

from collections.abc import Iterable

import attrs

from ziggurat.proving.blame import sides
from ziggurat.proving.script_words import Tell
from ziggurat.proving.scripts import Mismatch
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.state import State

RAN = "ran"


def is_watched(scenario: ir.Scenario) -> bool:
    """Whether a scenario speaks of the rules that run."""
    return any(isinstance(item, ir.Ran | ir.AtRule) for item in scenario.items)


def unwatched(scenario: ir.Scenario) -> ir.Scenario:
    """A scenario without what it says of the rules that run; compiled programs can run it."""
    items = tuple(item for item in scenario.items if not isinstance(item, ir.Ran | ir.AtRule))
    return attrs.evolve(scenario, items=items)


class Course:
    """What runs. `expected` is what holds when rules begin in the run that comes next."""

    def __init__(self, run: Evaluator, tell: Tell) -> None:
        self.run = run
        self.tell = tell
        self.expected: list[ir.AtRule] = []
        self._since = 0
        self._wrong: list[Mismatch] = []

    def start(self, state: State) -> None:
        """A run begins."""
        self._since = len(state.events())

    def begins(self, state: State, path: str) -> None:
        """A rule begins, in a step that may begin anew."""
        state.news.append((RAN, None, path, self._look(state, path)))

    def _look(self, state: State, path: str) -> tuple[int, ...]:
        """Where among all that was wrong it is, if something expected does not hold now."""
        expected = [one for one in self.expected if one.path == path]
        times = self._ran([*state.events()[self._since :], *state.news]).count(path)
        for check in expected[times].checks if times < len(expected) else ():
            moment = state.copy()
            if not self.run.evaluate(moment, check, {}):
                actual = ", ".join(sides(self.run, moment, check, self.tell))
                told = f"at {path}: {self.tell(check)}"
                self._wrong.append(Mismatch(told, actual, check.at, moment))
                return (len(self._wrong) - 1,)
        return ()

    def finish(self, state: State) -> None:
        """A run has ended: all that was expected at rules was so, and each of them began."""
        events = state.events()[self._since :]
        for event in events:
            if event[0] == RAN and event[3]:
                raise self._wrong[event[3][0]]
        ran = self._ran(events)
        for entry in self.expected:
            times = ran.count(entry.path)
            if times < sum(one.path == entry.path for one in self.expected):
                often = {0: "it did not run", 1: "it began once"}
                actual = often.get(times, f"it began {times} times")
                raise Mismatch(f"at {entry.path}: it begins", actual, entry.at)
        self.expected.clear()

    def check(self, item: ir.Ran, state: State) -> None:
        """What a scenario says of the last run."""
        ran = self._ran(state.events()[self._since :])
        told = ", ".join(item.paths)
        if item.never:
            found = [path for path in item.paths if path in ran]
            if found:
                raise Mismatch(f"{told} not to run", f"{', '.join(found)} ran", item.at)
            return
        following = iter(ran)
        if not all(path in following for path in item.paths):
            of_them = [path for path in ran if path in item.paths]
            actual = f"this ran: {', '.join(of_them)}" if of_them else "none of this ran"
            raise Mismatch(f"{told} to run", actual, item.at)

    def _ran(self, events: Iterable[tuple[object, ...]]) -> list[str]:
        return [str(event[2]) for event in events if event[0] == RAN]
