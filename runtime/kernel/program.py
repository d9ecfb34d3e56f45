"""A program: rules made ready to be played, and bound to the numbers of one table.

The kernel's own program walks the rules as they stand. The compiler has another one, which the
scheduler cannot tell from this: it only asks for functions by their keys.
"""

from collections.abc import Container, Iterable, Iterator
from typing import Any

import attrs

from ziggurat.runtime.kernel.arithmetic import CannotCompute
from ziggurat.runtime.kernel.bodies import Passage, bodies
from ziggurat.runtime.kernel.description import described
from ziggurat.runtime.kernel.errors import OF_RULES, BudgetExceeded, InternalError, RulesError
from ziggurat.runtime.kernel.forms.procedures import Procedure
from ziggurat.runtime.kernel.nodes import NO_META, NOWHERE, At, Body, Stmt
from ziggurat.runtime.kernel.ruleset import Ruleset
from ziggurat.runtime.kernel.signatures import Function, Site, Spec, need_level
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walker import Walker
from ziggurat.runtime.kernel.walking import walk


@attrs.frozen(eq=False)
class Program:
    """Rules to be walked.

    `clauses` are counted while they run if the program is traced, `silent` are the keys of steps
    that can never ask for a decision, `voids` tells which groups of cached values are invalid once
    an attribute has ended. If it is `straight`, values are inlined where they are called.
    """

    ruleset: Ruleset
    sites: tuple[Site, ...]
    need_levels: dict[str, tuple[int, ...]]
    clauses: tuple[str, ...] = ()
    silent: frozenset[Spec] = frozenset()
    voids: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    straight: bool = False

    def bind(self, table: Table) -> "Bound":
        return WalkedBound(self, table)

    def without_sources(self) -> "Program":
        """Return the program without what only compiling a later version of it needs."""
        return self


class Bound:
    """The functions of a program at one table."""

    program: Program
    table: Table
    counts: list[int]
    _functions: dict[Spec, Function]

    def get(self, *key: Any) -> Function | None:
        """Return a function by its key, None if the rules have no such part."""
        return self._functions.get(key)

    def __getitem__(self, key: Spec) -> Function:
        return self._functions[key]

    def replace(self, key: Spec, function: Function) -> None:
        """Let another function run wherever the one with this key would."""
        self._functions[key] = function

    def remove(self, kind: str, id_: str) -> None:
        """Forget all functions of a declaration, as if it had no parts."""
        for key in [key for key in self._functions if key[:2] == (kind, id_)]:
            del self._functions[key]

    def count_with(self, counts: list[int]) -> None:
        """Let a traced program count in `counts` how often each clause runs."""
        self.counts = counts

    def as_rules_error(self, error: Exception, rule: str) -> RulesError | InternalError:
        """Convert an exception from running rules into an error that names the rule and line.

        What no rule can bring about is a bug in Ziggurat, and is never reported as a rules error.
        """
        if isinstance(error, BudgetExceeded):
            site = self.program.sites[error.site]
            return RulesError(error.message, site.at, site.rule)
        at = self._line_of(error) or self._start_of(rule)
        if isinstance(error, RulesError):
            return RulesError(
                error.message, at if error.at == NOWHERE else error.at, error.rule or rule
            )
        if isinstance(error, CannotCompute):
            return RulesError(str(error), at, rule)
        for kind, message in OF_RULES.items():
            if isinstance(error, kind):
                return RulesError(message, at, rule)
        return InternalError(error, at, rule)

    def _start_of(self, rule: str) -> At:
        rules = self.program.ruleset
        phase = rules.phases.get(rule) or rules.turns.get(rule)
        return phase.at if phase is not None else NOWHERE

    def _line_of(self, error: Exception) -> At | None:
        """Return the line of the rules at which an exception was raised, if it is known."""
        return None


class WalkedBound(Bound):
    """The functions of a program at one table, all of them walked."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.counts = []
        self.steps = Steps(table, program.sites)
        self._functions = dict(Walker(self.steps).everything())


class WalkedBeside(Steps):
    """Walks some rules while the functions of a program run all others.

    `own` are the keys of the values and procedures that are walked. Compiled statements invalidate
    the cached values that read what they change; walked ones do not know them, so after each of
    them nothing that is cached counts.
    """

    def __init__(self, bound: Bound, own: Container[Spec] = ()) -> None:
        super().__init__(bound.table, bound.program.sites)
        self._bound = bound
        self._own = own

    def block(self, state: State, body: Body, env: Locals) -> None:
        for node in body:
            super().block(state, (node,), env)
            state.forget()

    def value(self, state: State, value: str, args: Iterable[Any]) -> Any:
        if ("value", value) in self._own:
            return super().value(state, value, args)
        return self._bound["value", value](state, *args)

    def call(self, state: State, procedure: Procedure, args: Iterable[Any]) -> Any:
        if ("procedure", procedure.id) in self._own:
            return super().call(state, procedure, args)
        return self._bound["procedure", procedure.id](state, *args)


def walked_program(ruleset: Ruleset, sites: tuple[Site, ...] | None = None) -> Program:
    """Return the program of the kernel.

    With the `sites` of a compiled program, games on both number their decisions alike.
    """
    known = tuple(sites_of(bodies(ruleset))) if sites is None else sites
    return Program(ruleset, known, need_levels(ruleset))


def need_levels(ruleset: Ruleset) -> dict[str, tuple[int, ...]]:
    """Return how many parameters each requirement of each action speaks of."""
    return {
        action.id: tuple(need_level(action, need) for need in action.needs)
        for action in ruleset.actions.values()
    }


def sites_of(passages: Iterable[Passage]) -> Iterator[Site]:
    """Yield the decisions, sentences and loops of some blocks of rules."""
    for one in passages:
        for node in walk(one.node) if one.is_block else ():
            about = described(node)
            if isinstance(node, Stmt) and (about.asks or about.loops or about.shown):
                own = getattr(node, "meta", NO_META)
                path = getattr(node, "path", one.path)
                yield Site(node, one.path, path, node.at, own if own != NO_META else one.meta)
