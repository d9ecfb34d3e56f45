"""Traced programs that remember the order in which their clauses run, every time somebody asks."""

from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.program import Bound, Program
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.programs import compile_ruleset


class Recorder(list[int]):
    """The counters of a traced program, which also remember the order in which clauses ran."""

    def __init__(self, size: int) -> None:
        super().__init__([0] * size)
        self.order: list[int] = []

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)
        self.order.append(index)

    def cut(self, start: int = 0) -> list[int]:
        """What ran since, which is forgotten."""
        found = self.order[start:]
        del self.order[start:]
        return found


@attrs.frozen(eq=False)
class Recorded(Program):
    """A traced program that remembers the order in which its clauses run."""

    played: Program = attrs.field(kw_only=True)

    def bind(self, table: Table) -> Bound:
        bound = self.played.bind(table)
        bound.program = self
        bound.count_with(Recorder(len(self.clauses)))
        return bound


def recorder_of(bound: Bound) -> Recorder:
    """Return the recorder of a program that was bound by `Recorded`."""
    assert isinstance(bound.counts, Recorder)
    return bound.counts


def recorded(ruleset: ir.Ruleset) -> Recorded:
    """Return a traced program of the rules that caches no values."""
    program = compile_ruleset(ruleset, trace=True, memo=False)
    parts = [getattr(program, field.name) for field in attrs.fields(Program)]
    return Recorded(*parts, played=program)
