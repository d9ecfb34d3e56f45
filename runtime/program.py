"""A compiled ruleset, and its binding to a table.

One program serves every map and number of players: generated code refers to global names, and
`bind` gives them the numbers of one table. Code is plain code objects, so it can be kept on disk.
"""

import ast
import marshal
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.runtime import forms, step_decisions, support  # noqa: F401 - forms add themselves
from ziggurat.runtime.lowering.call_graph import silent
from ziggurat.runtime.lowering.constants import CONSTANTS
from ziggurat.runtime.lowering.declarations import Lowering
from ziggurat.runtime.signatures import Site, Spec, need_level
from ziggurat.runtime.table import Table

Function = Callable[..., Any]


@attrs.frozen(eq=False)
class Program:
    """Compiled rules. `functions` maps keys such as ("value", "hand_limit") to generated names,
    `silent` holds the keys of steps that can never ask for a decision."""

    ruleset: ir.Ruleset
    code: tuple[bytes, ...]
    specs: dict[Spec, str]
    functions: dict[Spec, str]
    sites: tuple[Site, ...]
    clauses: tuple[str, ...]
    silent: frozenset[Spec]
    need_levels: dict[str, tuple[int, ...]]

    def bind(self, table: Table) -> "Bound":
        return Bound(self, table)


def compile_ruleset(ruleset: ir.Ruleset, trace: bool = False, memo: bool = True) -> Program:
    """Lower and compile. With `trace`, the program counts how often each clause ran. Without
    `memo`, it remembers no values, so that a clause runs whenever somebody asks for its value."""
    lowered = Lowering(ruleset, trace, memo)
    lowered.lower()
    code = []
    for file, functions in lowered.files.items():
        module = ast.fix_missing_locations(ast.Module(functions, []))
        code.append(marshal.dumps(compile(module, file or "<rules>", "exec", dont_inherit=True)))
    shared = lowered.shared
    levels = {
        action.id: tuple(need_level(action, need) for need in action.needs)
        for action in ruleset.actions.values()
    }
    return Program(
        ruleset,
        tuple(code),
        shared.specs,
        shared.functions,
        tuple(shared.sites),
        tuple(shared.clauses),
        frozenset(silent(ruleset)),
        levels,
    )


@lru_cache(maxsize=512)
def _loaded(data: bytes) -> CodeType:
    """The code of a rules file, read once: many small tables, as scenarios have, bind the same."""
    code: CodeType = marshal.loads(data)
    return code


class Bound:
    """A program with the numbers of one table: generated functions ready to be called."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.counts = [0] * len(program.clauses)
        space: dict[str, Any] = {"__builtins__": {}, **support.NAMES, **step_decisions.NAMES}
        space["T"] = self.counts
        for data in program.code:
            exec(_loaded(data), space)
        for spec, name in program.specs.items():
            space[name] = self._constant(space, *spec)
        self._space = space
        self._functions: dict[Spec, Function] = {
            key: space[name] for key, name in program.functions.items() if name in space
        }

    def _constant(self, space: dict[str, Any], what: str, *args: Any) -> Any:
        """What a global of generated code stands for at this table."""
        if what != "bodies":
            return CONSTANTS[what](self.table, *args)
        kind, body = args
        return {
            self.table.thing_ids[key[1], key[2]]: space[name]
            for key, name in self.program.functions.items()
            if key[0] == "body" and key[1] == kind and key[3] == body
            if (key[1], key[2]) in self.table.thing_ids
        }

    def get(self, *key: Any) -> Function | None:
        """A generated function by its key, None if the rules have no such part."""
        return self._functions.get(key)

    def __getitem__(self, key: Spec) -> Function:
        return self._functions[key]
