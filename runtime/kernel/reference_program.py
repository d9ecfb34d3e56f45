"""A program for the reference evaluator, with the face of a compiled one.

A game runs on `ReferenceProgram(ruleset)` as it does on `compile_ruleset(ruleset)`, only slower and
without being compiled first: that is what differential tests and content mutation want.
"""

from collections.abc import Iterator

import attrs

from ziggurat.runtime.compiler.program import Bound, Program
from ziggurat.runtime.kernel.bodies import bodies
from ziggurat.runtime.kernel.description import described
from ziggurat.runtime.kernel.nodes import NO_META, Stmt
from ziggurat.runtime.kernel.reference import Steps
from ziggurat.runtime.kernel.ruleset import Ruleset
from ziggurat.runtime.kernel.signatures import Site, need_level
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walker import Walker
from ziggurat.runtime.kernel.walking import walk


@attrs.frozen(eq=False)
class ReferenceProgram(Program):
    """A ruleset to be walked: no code, no step known to be silent, no clauses counted."""

    def bind(self, table: Table) -> Bound:
        return ReferenceBound(self, table)


def reference_program(ruleset: Ruleset, sites: tuple[Site, ...] | None = None) -> ReferenceProgram:
    """The rules as they stand, ready for `bind`. With the `sites` of a compiled program, games on
    both number their decisions alike."""
    levels = {
        action.id: tuple(need_level(action, need) for need in action.needs)
        for action in ruleset.actions.values()
    }
    told = tuple(_sites(ruleset)) if sites is None else sites
    return ReferenceProgram(ruleset, (), {}, {}, told, (), frozenset(), levels)


def _sites(ruleset: Ruleset) -> Iterator[Site]:
    """The decisions, sentences and loops of all rules."""
    for one in bodies(ruleset):
        for node in walk(one.node):
            about = described(node)
            if isinstance(node, Stmt) and (about.asks or about.loops or about.shown):
                own = getattr(node, "meta", NO_META)
                path = getattr(node, "path", one.path)
                yield Site(node, one.path, path, node.at, own if own != NO_META else one.meta)


class ReferenceBound(Bound):
    """The functions of a program at one table, all of them walked."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.counts: list[int] = []
        self.steps = Steps(table, program.sites)
        self._functions = dict(Walker(self.steps).everything())
