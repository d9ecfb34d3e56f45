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
from ziggurat.runtime.compiler.scope import Unit
from ziggurat.runtime.kernel import requests as step_decisions
from ziggurat.runtime.kernel.garbage import pause_garbage_collection
from ziggurat.runtime.kernel.signatures import Function, Site, Spec, need_level
from ziggurat.runtime.kernel.table import Table


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
class Program:
    """Compiled rules. `functions` maps keys such as ("value", "hand_limit") to generated names,
    `silent` holds the keys of steps that can never ask for a decision, `numbers` the globals that
    stand for sites and clauses, `voids` for attributes that end the groups of notes about them. If
    it is `straight`, values are put in where they are called."""

    ruleset: ir.Ruleset
    code: tuple[bytes, ...]
    specs: dict[Spec, str]
    functions: dict[Spec, str]
    sites: tuple[Site, ...]
    clauses: tuple[str, ...]
    silent: frozenset[Spec]
    need_levels: dict[str, tuple[int, ...]]
    numbers: dict[str, int] = attrs.field(factory=dict)
    voids: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    straight: bool = False
    made: Made | None = None

    def bind(self, table: Table) -> "Bound":
        return Bound(self, table)


@pause_garbage_collection()
def compile_ruleset(
    ruleset: ir.Ruleset,
    trace: bool = False,
    memo: bool = True,
    straight: bool = True,
    earlier: Program | None = None,
) -> Program:
    """Lower and compile. With `trace`, the program counts how often each clause ran. Without
    `memo`, it remembers no values, so that a clause runs whenever somebody asks for its value.
    Without `straight`, and with `trace`, every value is a function that is called. What can be used
    of an `earlier` program is not made again."""
    straight = straight and not trace
    lowering = Lowering(ruleset, trace, memo, straight)
    before: dict[str, Compiled] = {}
    if earlier is not None and earlier.made is not None and earlier.made.facts == lowering.facts:
        before = earlier.made.files
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


def _joined(ruleset: ir.Ruleset, made: Made, voids: dict[str, tuple[int, ...]]) -> Program:
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
    return Program(
        ruleset,
        tuple(code for one in made.files.values() for code in one.code),
        {spec: name for one in made.files.values() for spec, name in one.unit.specs.items()},
        {key: name for one in made.files.values() for key, name in one.unit.functions.items()},
        tuple(sites),
        tuple(clauses),
        frozenset(silent(ruleset)),
        {
            action.id: tuple(need_level(action, need) for need in action.needs)
            for action in ruleset.actions.values()
        },
        numbers,
        voids,
        made.facts.straight,
        made,
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


class Bound:
    """A program with the numbers of one table: generated functions ready to be called."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.counts = [0] * len(program.clauses)
        space: dict[str, Any] = {"__builtins__": {}, **support.NAMES, **step_decisions.NAMES}
        space["T"] = self.counts
        space.update(program.numbers)
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
