"""What the lowering of one function needs to know: its names, its file, the tables it refers to."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.signatures import Site, Spec


@attrs.define
class Shared:
    """What all functions of a program share: the globals they use and the sites they name.

    A global is bound for each table; its spec says what it is, such as ("row", "token", "spent").
    """

    ruleset: ir.Ruleset
    trace: bool = False
    specs: dict[Spec, str] = attrs.field(factory=dict)
    sites: list[Site] = attrs.field(factory=list)
    functions: dict[Spec, str] = attrs.field(factory=dict)
    clauses: list[str] = attrs.field(factory=list)
    memo: Any = None
    nullability: Any = None

    def constant(self, *spec: Any) -> ast.expr:
        if spec not in self.specs:
            self.specs[spec] = f"g{len(self.specs)}"
        return py.name(self.specs[spec])

    def function(self, *key: Any) -> str:
        """The name of the generated function for a rule, which may not be lowered yet."""
        return self.functions.setdefault(key, f"f{len(self.functions)}")

    def is_board(self, kind: str) -> bool:
        """Is it the only kind of areas, so that all of them are the whole board?"""
        return [k.id for k in self.ruleset.kinds.values() if "place" in k.roles] == [kind]


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
        self.shared.sites.append(Site(node, self.rule, path or self.rule, at, own))
        return py.const(len(self.shared.sites) - 1)

    def traced(self, path: str) -> list[ast.stmt]:
        """Counts that a clause ran; no code at all unless the program is traced."""
        if not self.shared.trace:
            return []
        self.shared.clauses.append(path)
        index = py.const(len(self.shared.clauses) - 1)
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
