"""A scenario step by step: what it does or asks for, and the position that each step leads to.

Runs it as a test does, and keeps what a test throws away, for whoever wants to look. The last step
of one that fails says what was expected and what happened.
"""

import attrs

from ziggurat.proving import phrasing
from ziggurat.proving.past import answer_text
from ziggurat.proving.scenarios import Failure, Performance
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.log import Event
from ziggurat.runtime.game.moment import Moment
from ziggurat.runtime.kernel.program import Program

GIVEN, RUN, ANSWER, EXPECT, FAILED = "given", "run", "answer", "expect", "failed"


@attrs.frozen(eq=False)
class WalkStep:
    """One step: its sort (given, run, answer, expect or failed), what it says, where it is written,
    the position after it, and what happened on the way. `asked` is the prompt that an answer
    answers, with the path of its decision."""

    sort: str
    text: str
    at: ir.At
    moment: Moment
    events: tuple[Event, ...] = ()
    asked: str = ""
    path: str = ""
    failure: Failure | None = None


def walk_through(program: Program, scenario: ir.Scenario) -> list[WalkStep]:
    """All steps of a scenario, up to the first one that fails."""
    walk = _Walk(program, scenario)
    failure = walk.play()
    if failure is not None:
        walk.note(FAILED, f"{failure.expected}: {failure.actual}", failure.at, failure=failure)
    return walk.taken


class _Walk(Performance):
    """A performance that notes its steps."""

    def __init__(self, program: Program, scenario: ir.Scenario) -> None:
        super().__init__(program, scenario)
        self.taken: list[WalkStep] = []
        self._seen = 0

    def note(
        self,
        sort: str,
        text: str,
        at: ir.At,
        asked: str = "",
        path: str = "",
        failure: Failure | None = None,
    ) -> None:
        moment = Moment(self.game.run, self.game.state)
        events = tuple(moment.events(since=self._seen))
        self._seen = moment.event_count
        self.taken.append(WalkStep(sort, text, at, moment, events, asked, path, failure))

    def perform(self, item: ir.ScenarioItem, later: tuple[ir.ScenarioItem, ...] = ()) -> None:
        super().perform(item, later)
        if isinstance(item, ir.Given):
            self.note(GIVEN, "", item.at)
        elif isinstance(item, ir.Expect):
            self.note(EXPECT, "; ".join(map(self.tell, item.checks)), item.at)

    def begin(self, item: ir.Run) -> None:
        super().begin(item)
        self.note(RUN, self._run_text(item), item.at)

    def _run_text(self, item: ir.Run) -> str:
        if item.call is None:
            return f"phase {item.phase}" + (f" to {item.to}" if item.to else "")
        lines = phrasing.printer(self.bound.program.ruleset).block((item.call,))
        return " ".join(line.text for line in lines)

    def answer(self) -> None:
        before = self.game.copy()
        super().answer()
        step = self.game.answers()[-1]
        decision = before.decisions[step[0]]
        told = answer_text(before, step, None)
        self.note(ANSWER, told, decision.at, decision.prompt, decision.path)
