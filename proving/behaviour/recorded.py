"""Traced programs that remember the order in which their clauses run, every time somebody asks."""

from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler.program import Bound, Program, compile_ruleset
from ziggurat.runtime.kernel.table import Table


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


class RecordedBound(Bound):
    def __init__(self, program: Program, table: Table) -> None:
        super().__init__(program, table)
        self.recorder = Recorder(len(program.clauses))
        self.counts = self.recorder
        self._space["T"] = self.recorder


class Recorded(Program):
    """A traced program that remembers the order in which its clauses run."""

    def bind(self, table: Table) -> RecordedBound:
        return RecordedBound(self, table)


def recorded(ruleset: ir.Ruleset) -> Recorded:
    program = compile_ruleset(ruleset, trace=True, memo=False)
    return Recorded(*(getattr(program, field.name) for field in attrs.fields(Program)))
