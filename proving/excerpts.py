"""A scenario up to a step of it, to look around there: `title@step`.

A step is `given` (before anything runs), a number (after so many answers), a decision (when it is
asked first) or a rule with a name (when it begins first). What a scenario expects is left out, so
one that fails can be looked at as well.
"""

from collections.abc import Iterable
from typing import Any

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.nearest import did_you_mean
from ziggurat.dsl.parse import parse_source
from ziggurat.dsl.syntax import Declaration
from ziggurat.proving.scenarios import Performance
from ziggurat.proving.scripts import Mismatch
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.program import Program, WalkedBound, walked_program
from ziggurat.runtime.kernel.state import State

GIVEN = "given"


class NoSuchPlace(Exception):  # noqa: N818 - what it is
    """There is no such scenario, or it does not come to that step."""


class Reached(Exception):  # noqa: N818 - what happened
    """The step was reached, in this position."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state


def meant_scenario(ruleset: ir.Ruleset, written: str) -> tuple[ir.Scenario, str]:
    """The scenario of a title and the step of it, if one is named."""
    named = {one.title: one for one in ruleset.scenarios}
    if written in named:
        return named[written], ""
    title, _, step = written.rpartition("@")
    if title in named:
        return named[title], step
    wanted = (title or written).casefold()
    like = [one for one in named if wanted in one.casefold()]
    if len(like) == 1:
        return named[like[0]], step if title else ""
    if like:
        listed = "; ".join(like[:5])
        raise NoSuchPlace(f"`{title or written}` is in the titles of {len(like)}: {listed}.")
    near = did_you_mean(title or written, list(named))
    raise NoSuchPlace(f"there is no scenario `{title or written}`. {near or ''}".strip())


def with_lines(source: Source, scenario: ir.Scenario, lines: Iterable[str]) -> Source:
    """The text of a file with lines more at the end of one of its scenarios."""
    file, _ = parse_source(source)
    for top in file.tops:
        if isinstance(top, Declaration):
            first, last = source.position(top.start)[0], source.position(top.end)[0]
            if first <= scenario.at.line <= last:
                end = source.text.rindex("}", top.start, top.end)
                added = "".join(f"\n{line}" for line in lines)
                text = f"{source.text[:end].rstrip()}{added}\n{source.text[end:]}"
                return Source(source.path, text, source.pack)
    raise NoSuchPlace(f"`{scenario.title}` is not in {source.path} any more.")


class Excerpt(Performance):
    """A scenario that is performed up to a step. `position` is where it has come to."""

    def __init__(
        self, rules: ir.Ruleset | Program, scenario: ir.Scenario, step: str = "", seed: int = 0
    ) -> None:
        program = rules if isinstance(rules, Program) else walked_program(rules)
        super().__init__(program, scenario, seed)
        self.step = step
        self.position = self.game.state
        self._answers = 0
        if isinstance(self.bound, WalkedBound):
            self.bound.steps.watcher = self._begins

    def come_to(self, items: Iterable[ir.ScenarioItem]) -> None:
        """Perform what is given, done and run. Raises `NoSuchPlace` if the step does not come."""
        try:
            for item in items:
                if isinstance(item, ir.Run) and self.step == GIVEN:
                    raise Reached(self.game.state)
                if isinstance(item, ir.Given | ir.Scripted | ir.Run):
                    self.perform(item)
            self._reached(str(self._answers), GIVEN)
        except Reached as reached:
            self.position = reached.state
            return
        except Mismatch as wrong:
            told = f"the scenario cannot be run so far: {wrong.expected}: {wrong.actual}"
            raise NoSuchPlace(told) from wrong
        except RulesError as wrong:
            raise NoSuchPlace(f"the scenario cannot be run so far: {wrong.message}") from wrong
        if self.step:
            raise NoSuchPlace(
                f"`{self.scenario.title}` does not come to `{self.step}`; it has"
                f" {self._answers} answers. A step is `{GIVEN}`, a number of answers, a decision or"
                " a rule that begins."
            )
        self.position = self.game.state

    def answer(self) -> None:
        for face in self.game.decisions:
            self._reached(str(self._answers), face.path)
        super().answer()
        self._answers += 1

    def _reached(self, *names: str) -> None:
        if self.step in names:
            raise Reached(self.game.now)

    def _begins(self, state: State, path: str) -> None:
        if path == self.step:
            raise Reached(state.copy())

    def evaluated(self, args: Iterable[ir.Expr]) -> tuple[Any, ...]:
        """Arguments in the table's numbers."""
        return tuple(self.steps.evaluate(self.position, arg, {}) for arg in args)
