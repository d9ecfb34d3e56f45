"""A compiled ruleset, and its binding to a table.

One program serves every map and number of players: generated code refers to global names, and
`bind` gives them the numbers of one table. Code is plain code objects, so it can be kept on disk.
"""

import ast
import marshal
from collections.abc import Callable
from types import CodeType
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.walking import asks
from ziggurat.runtime import step_decisions, support
from ziggurat.runtime.lowering.declarations import Declarations, need_level, step_bodies, step_calls
from ziggurat.runtime.lowering.scope import Site, Spec
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
    lowered = Declarations(ruleset, trace, memo)
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
        frozenset(_silent(ruleset)),
        levels,
    )


def _silent(ruleset: ir.Ruleset) -> list[Spec]:
    """Steps that can never ask, found by following their calls."""
    bodies = step_bodies(ruleset)
    calls = {key: step_calls(body) for key, body in bodies.items()}
    loud = {key for key, body in bodies.items() if asks(body)}
    while more := {key for key in calls if key not in loud and not loud.isdisjoint(calls[key])}:
        loud |= more

    steps: list[tuple[Spec, ir.Body]] = [
        (("action", action.id, "body"), action.body) for action in ruleset.actions.values()
    ]
    for phase in ruleset.phases.values():
        for number, stage in enumerate(phase.stages):
            steps.append((("stage", phase.id, number, "body"), stage.body))
        for number, trigger in enumerate(phase.triggers):
            steps.append((("phase", phase.id, "trigger", number), trigger.body))
    return [key for key, body in steps if not asks(body) and loud.isdisjoint(step_calls(body))]


class Bound:
    """A program with the numbers of one table: generated functions ready to be called."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.counts = [0] * len(program.clauses)
        space: dict[str, Any] = {"__builtins__": {}, **support.NAMES, **step_decisions.NAMES}
        space["T"] = self.counts
        for data in program.code:
            code: CodeType = marshal.loads(data)
            exec(code, space)
        for spec, name in program.specs.items():
            space[name] = _constant(self, space, *spec)
        self._space = space
        self._functions: dict[Spec, Function] = {
            key: space[name] for key, name in program.functions.items() if name in space
        }

    def get(self, *key: Any) -> Function | None:
        """A generated function by its key, None if the rules have no such part."""
        return self._functions.get(key)

    def __getitem__(self, key: Spec) -> Function:
        return self._functions[key]


def _constant(bound: Bound, space: dict[str, Any], what: str, *args: Any) -> Any:
    """What a global of generated code stands for at this table."""
    table = bound.table
    first = args[0] if args else None
    match what:
        case "text":
            return first
        case "thing":
            return table.thing_ids.get((args[0], args[1]))
        case "owner":
            return table.owner_ids.get(args[0])
        case "all":
            return tuple(table.everything(args[0]))
        case "option":
            return table.options[args[0]]
        case "field":
            return table.fields[args[0], args[1]]
        case "blank":
            kind = table.ruleset.kinds[args[0]]
            return table.field_default(next(f for f in kind.fields if f.name == args[1]))
        case "attr" | "width" | "keys":
            slots = table.attributes[args[0]]
            if what == "width":
                return slots.width
            if what == "keys":
                return slots.keys
            return slots.base - slots.first * slots.width - (slots.keys[0] if slots.keys else 0)
        case "faces":
            return table.face
        case "faces_of":
            kind_ids = table.kind_range[args[0]]
            return [face if face in kind_ids else None for face in table.face]
        case "kind":
            return table.kind_range[args[0]]
        case "bit":
            return table.bit.get(table.thing_ids.get((args[0], args[1]), -1), 0)
        case "bits":
            return table.bit
        case "row" | "slices" | "whole" | "cells":
            return _rows(table, what, *args)
        case "sums" | "sums_cell" | "sums_slices" | "sums_whole":
            return _sums(table, what, *args)
        case "range":
            return range(args[0], args[1] + 1)
        case "pieces":
            return table.rows[args[0]]
        case "place":
            return table.place_ids[args[0]]
        case "board":
            return tuple(range(table.A))
        case "everywhere":
            return tuple(range(table.Q))
        case "others":
            return [tuple(p for p in table.players if p != owner) for owner in table.owners]
        case "left_of":
            return [(owner + 1) % len(table.players) for owner in table.owners]
        case "players":
            return len(table.players)
        case "pile":
            return table.pile_base[args[0]]
        case "bodies":
            kind, body = args
            return {
                table.thing_ids[key[1], key[2]]: space[name]
                for key, name in bound.program.functions.items()
                if key[0] == "body" and key[1] == kind and key[3] == body
                if (key[1], key[2]) in table.thing_ids
            }
    raise NotImplementedError(what)


def _sums(table: Table, what: str, piece: str, state: str | None, place: str = "") -> Any:
    """The same of all owners together."""
    rows = table.rows[piece]
    start = rows.sums if state is None else rows.state_sums[state]
    if what == "sums":
        return start
    if what == "sums_cell":
        return start + table.place_ids[place]
    return _part(table, what.removeprefix("sums_"), start)


def _rows(table: Table, what: str, piece: str, state: str | None, place: str = "") -> list[Any]:
    rows = table.rows[piece]
    base = rows.total if state is None else rows.states[state]
    starts = [base + owner * table.Q for owner in table.owners]
    if what == "row":
        return starts
    if what == "cells":
        return [start + table.place_ids[place] for start in starts]
    return [_part(table, what, start) for start in starts]


def _part(table: Table, what: str, start: int) -> slice:
    """The board, or all places."""
    return slice(start, start + (table.A if what == "slices" else table.Q))
