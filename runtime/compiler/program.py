"""A compiled ruleset, and its binding to a table.

One program serves every map and number of players: generated code refers to global names, and
`bind` gives them the numbers of one table. Code is plain code objects, so it can be kept on disk.
"""

import ast
import marshal
from functools import lru_cache
from types import CodeType
from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import forms, support  # noqa: F401 - forms add themselves
from ziggurat.runtime.compiler.call_graph import silent
from ziggurat.runtime.compiler.constants import CONSTANTS
from ziggurat.runtime.compiler.declarations import Facts, Lowering, declarations
from ziggurat.runtime.compiler.inliner import Small, alike, offered, straightened
from ziggurat.runtime.compiler.scope import Unit, global_name
from ziggurat.runtime.garbage import pause_garbage_collection
from ziggurat.runtime.kernel import requests as step_decisions
from ziggurat.runtime.kernel.program import Bound, Program, WalkedBeside, need_levels
from ziggurat.runtime.kernel.signatures import Function, Site, Spec
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walker import Walker


@attrs.frozen(eq=False)
class Compiled:
    """The declarations of one file, compiled: with values of others put in, as far as those it
    `asked` for are small, and the small ones that it `offers` to others."""

    unit: Unit
    code: tuple[bytes, ...]
    offers: dict[str, Small]
    asked: dict[str, Small | None]

    @classmethod
    def of(
        cls, unit: Unit, own: dict[str, Small], offers: dict[str, Small], straight: bool
    ) -> "Compiled":
        """`offers` are those of all files, its own among them."""
        code = []
        asked: dict[str, Small | None] = {}
        for file, functions in unit.files.items():
            if straight:
                functions = [
                    straightened(one, offers, asked) if one.name in unit.pure else one
                    for one in functions
                ]
            module = ast.fix_missing_locations(ast.Module([*functions], []))
            made = compile(module, file or "<rules>", "exec", dont_inherit=True)
            code.append(marshal.dumps(made))
        unit.files.clear()
        return cls(unit, tuple(code), own, asked)

    def holds(self, offers: dict[str, Small]) -> bool:
        """Whether what it asked for is what is offered now."""
        return all(alike(found, offers.get(name)) for name, found in self.asked.items())


@attrs.frozen(eq=False)
class Made:
    """How a program came about, for one that is to be made of nearly the same rules."""

    facts: Facts
    files: dict[str, Compiled]


@attrs.frozen(eq=False)
class CompiledProgram(Program):
    """Compiled rules.

    `functions` maps keys such as ("value", "hand_limit") to generated names, `numbers` holds the
    globals that stand for sites and clauses, `walked` the declarations that are left to the kernel
    because one of their forms is not lowered.
    """

    code: tuple[bytes, ...] = attrs.field(kw_only=True)
    specs: dict[Spec, str] = attrs.field(kw_only=True)
    functions: dict[Spec, str] = attrs.field(kw_only=True)
    numbers: dict[str, int] = attrs.field(kw_only=True)
    walked: tuple[Any, ...] = attrs.field(kw_only=True)
    made: Made | None = attrs.field(kw_only=True)

    def bind(self, table: Table) -> "CompiledBound":
        return CompiledBound(self, table)

    def without_sources(self) -> "CompiledProgram":
        return attrs.evolve(self, made=None)


@pause_garbage_collection()
def compile_ruleset(
    ruleset: ir.Ruleset,
    trace: bool = False,
    memo: bool = True,
    straight: bool = True,
    earlier: Program | None = None,
) -> CompiledProgram:
    """Lower and compile. With `trace`, the program counts how often each clause ran. Without
    `memo`, it remembers no values, so that a clause runs whenever somebody asks for its value.
    Without `straight`, and with `trace`, every value is a function that is called. What can be used
    of an `earlier` program is not made again."""
    straight = straight and not trace
    lowering = Lowering(ruleset, trace, memo, straight)
    before: dict[str, Compiled] = {}
    made_before = earlier.made if isinstance(earlier, CompiledProgram) else None
    if made_before is not None and made_before.facts == lowering.facts:
        before = made_before.files
    homes: dict[str, list[Any]] = {}
    for one in declarations(ruleset):
        homes.setdefault(one.at.file, []).append(one)
    kept = {
        home: before[home]
        for home, found in homes.items()
        if home in before and identical(before[home].unit.declarations, tuple(found))
    }
    units = {home: lowering.unit(home, homes[home]) for home in homes if home not in kept}
    own = {home: kept[home].offers if home in kept else offered(units[home]) for home in homes}
    offers = {name: small for some in own.values() for name, small in some.items()}
    made = {}
    for home, found in homes.items():
        if home in kept and kept[home].holds(offers):
            made[home] = kept[home]
        else:
            unit = units.get(home) or lowering.unit(home, found)
            made[home] = Compiled.of(unit, own[home], offers, straight)
    return _joined(ruleset, Made(lowering.facts, made), lowering.voids)


def _joined(ruleset: ir.Ruleset, made: Made, voids: dict[str, tuple[int, ...]]) -> CompiledProgram:
    """The program of all files; sites and clauses are numbered in the order of declarations."""
    sites: list[Site] = []
    clauses: list[str] = []
    numbers: dict[str, int] = {}
    parts = {
        home: zip(one.unit.sites, one.unit.clauses, strict=True) for home, one in made.files.items()
    }
    for declaration in declarations(ruleset):
        own_sites, own_clauses = next(parts[declaration.at.file])
        for name, site in own_sites:
            numbers[name] = len(sites)
            sites.append(site)
        for name, clause in own_clauses:
            numbers[name] = len(clauses)
            clauses.append(clause)
    units = [one.unit for one in made.files.values()]
    return CompiledProgram(
        ruleset,
        tuple(sites),
        need_levels(ruleset),
        tuple(clauses),
        frozenset(silent(ruleset)),
        voids,
        made.facts.straight,
        code=tuple(code for one in made.files.values() for code in one.code),
        specs={spec: name for unit in units for spec, name in unit.specs.items()},
        functions={key: name for unit in units for key, name in unit.functions.items()},
        numbers=numbers,
        walked=tuple(declared for unit in units for declared in unit.walked),
        made=made,
    )


def identical(one: Any, other: Any) -> bool:
    """Whether two parts of rulesets are equal in everything, places included."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(identical, one, other))
    if attrs.has(type(one)):
        names = [field.name for field in attrs.fields(type(one))]
        return all(identical(getattr(one, name), getattr(other, name)) for name in names)
    return bool(one == other)


@lru_cache(maxsize=512)
def _loaded(data: bytes) -> CodeType:
    """The code of a rules file, read once: many small tables, as scenarios have, bind the same."""
    code: CodeType = marshal.loads(data)
    return code


class CompiledBound(Bound):
    """A program with the numbers of one table: generated functions ready to be called."""

    def __init__(self, program: CompiledProgram, table: Table) -> None:
        self.program = program
        self._names, self._specs = program.functions, program.specs
        self.table = table
        self.counts = [0] * len(program.clauses)
        space: dict[str, Any] = {"__builtins__": {}, **support.NAMES, **step_decisions.NAMES}
        space["T"] = self.counts
        space.update(program.numbers)
        for data in program.code:
            exec(_loaded(data), space)
        for key, function in self._walked_functions(program).items():
            self._names = {**self._names, key: global_name("f", *key)}
            space[self._names[key]] = function
        for spec, name in program.specs.items():
            space[name] = self._constant(space, *spec)
        self._space = space
        self._functions: dict[Spec, Function] = {
            key: space[name] for key, name in self._names.items() if name in space
        }

    def _walked_functions(self, program: CompiledProgram) -> dict[Spec, Function]:
        """Return the functions of declarations that are not compiled."""
        if not program.walked:
            return {}
        own = {(type(one).__name__.lower(), getattr(one, "id", "")) for one in program.walked}
        walker = Walker(WalkedBeside(self, own))
        return {key: one for walked in program.walked for key, one in walker.functions(walked)}

    def _constant(self, space: dict[str, Any], what: str, *args: Any) -> Any:
        """What a global of generated code stands for at this table."""
        if what != "bodies":
            return CONSTANTS[what](self.table, *args)
        kind, body = args
        return {
            self.table.thing_ids[key[1], key[2]]: space[name]
            for key, name in self._names.items()
            if key[0] == "body" and key[1] == kind and key[3] == body
            if (key[1], key[2]) in self.table.thing_ids
        }

    def replace(self, key: Spec, function: Function) -> None:
        super().replace(key, function)
        if key in self._names:
            self._space[self._names[key]] = function
        if key[0] == "body":  # blocks of things are also found through a table for each block
            _, kind, thing, body = key
            name = self._specs.get(("bodies", kind, body))
            number = self.table.thing_ids.get((kind, thing))
            if name is not None and number is not None:
                self._space[name][number] = function

    def count_with(self, counts: list[int]) -> None:
        super().count_with(counts)
        self._space["T"] = counts

    def _line_of(self, error: Exception) -> ir.At | None:
        found = None
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_globals.get("T") is self.counts:
                line = trace.tb_lineno
                found = ir.At(trace.tb_frame.f_code.co_filename, line, 1, line, 1)
            trace = trace.tb_next
        return found
