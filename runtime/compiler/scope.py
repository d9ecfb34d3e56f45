"""What the lowering of one function needs to know: its names, its file, the tables it refers to."""

import ast
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.kernel.signatures import Site, Spec

T = TypeVar("T")


@attrs.define
class Unit:
    """What is lowered of the declarations of one file: functions by the file they come from, the
    globals they use, and for each declaration the sites it names and the clauses it counts, with
    the globals that stand for their numbers. `pure` are the functions that only work something out,
    `values` those of them that rules can ask for, `walked` the declarations left to the kernel."""

    declarations: tuple[Any, ...]
    home: str = ""
    files: dict[str, list[ast.FunctionDef]] = attrs.field(factory=dict)
    specs: dict[Spec, str] = attrs.field(factory=dict)
    functions: dict[Spec, str] = attrs.field(factory=dict)
    pure: set[str] = attrs.field(factory=set)
    values: set[str] = attrs.field(factory=set)
    sites: list[list[tuple[str, Site]]] = attrs.field(factory=list)
    clauses: list[list[tuple[str, str]]] = attrs.field(factory=list)
    walked: list[Any] = attrs.field(factory=list)

    def begin(self) -> None:
        """From now on sites and clauses are those of the next declaration."""
        self.sites.append([])
        self.clauses.append([])

    def numbered(self, found: list[list[tuple[str, T]]], letter: str, one: T) -> ast.expr:
        """A global for the number that something gets when the whole program is known."""
        name = global_name(letter, self.home, sum(map(len, found)))
        found[-1].append((name, one))
        return py.name(name)


@attrs.define
class Shared:
    """What all functions of a program share: facts about the whole ruleset, and the unit in work.

    `ruleset` has only the heads of declarations. A global is bound for each table; its spec says
    what it is, such as ("row", "token", "spent").
    """

    ruleset: ir.Ruleset
    trace: bool = False
    memo: Any = None
    nullability: Any = None
    unit: Unit = attrs.field(factory=lambda: Unit(()))

    def constant(self, *spec: Any) -> ast.expr:
        return py.name(self.unit.specs.setdefault(spec, global_name("g", *spec)))

    def function(self, *key: Any) -> str:
        """The name of the generated function for a rule, which may not be lowered yet."""
        return self.unit.functions.setdefault(key, global_name("f", *key))

    def is_board(self, kind: str) -> bool:
        """Is it the only kind of areas, so that all of them are the whole board?"""
        return [k.id for k in self.ruleset.kinds.values() if "place" in k.roles] == [kind]


def global_name(letter: str, *what: Any) -> str:
    """The name of a global, which depends on nothing but what it stands for."""
    text = repr(what).encode("utf-8", "surrogatepass")
    return letter + hashlib.blake2b(text, digest_size=10).hexdigest()


@attrs.define
class Scope:
    """One function being lowered."""

    shared: Shared
    rule: str
    file: str
    meta: ir.Meta = ir.NO_META
    env: dict[str, str] = attrs.field(factory=dict)
    uses: set[str] = attrs.field(factory=set)
    early: set[str] = attrs.field(factory=set)
    lacking: set[str] = attrs.field(factory=set)
    gives: ir.Type | None = None
    names: int = 0
    depth: int = 0

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def bind(self, name: str) -> str:
        """The Python name of a local; binding it again assigns to the same one."""
        if name not in self.env:
            self.env[name] = self.fresh()
        return self.env[name]

    @contextmanager
    def local(self, name: str) -> Iterator[str]:
        """A name that lives inside one expression only."""
        outer = self.env.get(name)
        self.env[name] = self.fresh()
        try:
            yield self.env[name]
        finally:
            if outer is None:
                del self.env[name]
            else:
                self.env[name] = outer

    def part(self, letter: str) -> ast.expr:
        """An array of the state, loaded once at the top of the function."""
        self.uses.add(letter)
        return py.name(letter)

    def forget(self, node: ir.Stmt) -> list[ast.stmt]:
        memo = self.shared.memo
        return [] if memo is None else memo.forget(node)

    def constant(self, *spec: Any) -> ast.expr:
        return self.shared.constant(*spec)

    def site(self, node: Any, path: str = "", meta: ir.Meta | None = None) -> ast.expr:
        at = getattr(node, "at", ir.NOWHERE)
        own = meta if meta is not None and meta != ir.NO_META else self.meta
        unit = self.shared.unit
        return unit.numbered(unit.sites, "s", Site(node, self.rule, path or self.rule, at, own))

    def traced(self, path: str) -> list[ast.stmt]:
        """Counts that a clause ran; no code at all unless the program is traced."""
        if not self.shared.trace:
            return []
        unit = self.shared.unit
        index = unit.numbered(unit.clauses, "t", path)
        return [py.augment(py.item(py.name("T"), index), "+", py.const(1))]

    def may_be_none(self, node: ir.Expr) -> bool:
        return bool(self.shared.nullability.may_be(node, self.lacking))

    def is_card(self, type_: ir.Type) -> bool:
        return type_.name in self.shared.ruleset.cards

    def finish(self, name: str, params: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
        """The function, with the arrays it uses loaded first. Variables that inner functions share
        exist from the start."""
        early = [py.assign(var, py.const(None)) for var in sorted(self.early - set(params))]
        loads = [py.assign(part, py.attribute("S", PARTS[part])) for part in sorted(self.uses)]
        return py.define(name, ["S", *params], [*early, *loads, *body])


PARTS = {"P": "pieces", "N": "sums", "A": "attrs", "H": "held", "C": "piles"}
