"""One or more functions for every declaration: values, orders, procedures, stages, actions, advice.

Each function takes the state first and is known by a key, such as ("value", "hand_limit") or
("action", "march", "options", 1). What is made of a declaration stands in its family,
`runtime/compiler/forms`, which registers it here.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.call_graph import weights
from ziggurat.runtime.compiler.expressions import EXPRESSIONS, OPERATIONS, empty, lower, test
from ziggurat.runtime.compiler.memo import Memo
from ziggurat.runtime.compiler.nullability import Nullability
from ziggurat.runtime.compiler.scope import Scope, Shared, Unit
from ziggurat.runtime.compiler.statements import STATEMENTS, block
from ziggurat.runtime.kernel.bodies import passages_of
from ziggurat.runtime.kernel.program import sites_of
from ziggurat.runtime.kernel.registry import Registry
from ziggurat.runtime.kernel.signatures import Spec
from ziggurat.runtime.kernel.walking import walk

HEAVY = 1_000  # what calls so many others, directly or not, is charged when it is called
DECLARATIONS = Registry[type, None]()
declaration = DECLARATIONS.add


@attrs.frozen
class Facts:
    """All that the code of a declaration depends on beside the declaration itself: the heads of
    the others, and what is only known when all of them are. As long as these are equal, code of
    one ruleset can be used in another."""

    heads: ir.Ruleset
    trace: bool
    straight: bool
    memo: Any
    nullable: dict[str, bool]
    heavy: dict[Spec, int]


def heads(ruleset: ir.Ruleset) -> ir.Ruleset:
    """A ruleset without what stands inside its rules: nothing can be lowered from it, and what is
    lowered with its help knows no more of other rules than how they are called."""
    none = ir.Lit(None, ir.Type("nothing"))
    return attrs.evolve(
        ruleset,
        stack="", packs=(), things={}, phases={}, turns={}, scenarios=(), harmless=(), maps={},
        marks={}, open_places={}, phrases={}, chapters={},
        values={
            path: attrs.evolve(one, title="", base=none, contributions=(), meta=ir.NO_META)
            for path, one in ruleset.values.items()
        },
        procedures={
            path: attrs.evolve(one, title="", body=(), triggers=(), meta=ir.NO_META)
            for path, one in ruleset.procedures.items()
        },
        actions={
            path: attrs.evolve(
                one, title="", needs=(), body=(), meta=ir.NO_META, params=tuple(
                    attrs.evolve(param, source=none, where=None, least=None, most=None, prompt="")
                    for param in one.params
                ),
            )
            for path, one in ruleset.actions.items()
        },
        advice=tuple(ir.Advice(one.target, ()) for one in ruleset.advice),
    )  # fmt: skip


def declarations(ruleset: ir.Ruleset) -> Iterator[Any]:
    """Everything that functions are made of, in the order in which sites are numbered."""
    yield from ruleset.values.values()
    yield from ruleset.orders.values()
    yield from ruleset.procedures.values()
    for kind in ruleset.kinds:
        yield from ruleset.things.get(kind, {}).values()
    yield from ruleset.phases.values()
    yield from ruleset.actions.values()
    yield from ruleset.advice


def is_lowered(declared: Any) -> bool:
    """Return whether every form in a declaration can be lowered. The kernel walks all others."""
    for node in walk(declared):
        cls = type(node)
        if cls is ir.Op:
            if node.op not in OPERATIONS:
                return False
        elif issubclass(cls, ir.Expr | ir.Stmt) and not (cls in EXPRESSIONS or cls in STATEMENTS):
            return False
    return True


class Lowering:
    """Lowers a ruleset, the declarations of one file after the other."""

    def __init__(
        self, ruleset: ir.Ruleset, trace: bool = False, memo: bool = True, straight: bool = True
    ) -> None:
        self._whole = ruleset
        self.ruleset = heads(ruleset)
        known = Memo(ruleset) if memo else None
        nullability = Nullability(ruleset)
        self.shared = Shared(self.ruleset, trace, known, nullability)
        self._weights = weights(ruleset)
        self.facts = Facts(
            self.ruleset,
            trace,
            straight,
            known and known.facts,
            {value: nullability.value(value) for value in ruleset.values},
            {key: weight for key, weight in self._weights.items() if weight > HEAVY},
        )

    @property
    def voids(self) -> dict[str, tuple[int, ...]]:
        """For attributes that end with a phase or turn, the groups of notes about them."""
        memo, attributes = self.shared.memo, self.ruleset.attributes.values()
        ending = [one.id for one in attributes if one.lasts != "game"]
        return {} if memo is None else {id_: memo.about(id_) for id_ in ending}

    def unit(self, home: str, declarations: Iterable[Any]) -> Unit:
        """The functions of the declarations of one file."""
        self.shared.unit = unit = Unit(tuple(declarations), home)
        for one in unit.declarations:
            unit.begin()
            if is_lowered(one):
                DECLARATIONS[type(one)](self, one)
            else:
                unit.walked.append(one)
                for site in sites_of(passages_of(one)):
                    unit.numbered(unit.sites, "s", site)
        return unit

    def advice_number(self, advice: ir.Advice) -> int:
        return next(n for n, one in enumerate(self._whole.advice) if one is advice)

    def scope(self, rule: str, at: ir.At, params: Iterable[str], meta: ir.Meta) -> Scope:
        scope = Scope(self.shared, rule, at.file, meta)
        for param in params:
            scope.bind(param)
        return scope

    def add(self, key: Sequence[Any], scope: Scope, params: Iterable[str], at: ir.At,
            body: list[ast.stmt], pure: bool = False) -> None:  # fmt: skip
        """A function; a `pure` one changes nothing, and looks nothing up in the notes itself."""
        name = self.shared.function(*key)
        if pure:
            self.shared.unit.pure.add(name)
        made = scope.finish(name, [scope.env[param] for param in params], body)
        line = max(at.line, 1)
        made.lineno = made.end_lineno = line
        made.col_offset = made.end_col_offset = 0
        self.shared.unit.files.setdefault(at.file, []).append(made)

    def expression(self, key: Sequence[Any], rule: str, at: ir.At, params: Sequence[str],
                   expr: ir.Expr, meta: ir.Meta = ir.NO_META,
                   condition: bool = False) -> None:  # fmt: skip
        """A function that returns one expression."""
        scope = self.scope(rule, at, params, meta)
        made = test(scope, expr) if condition else lower(scope, expr)
        self.add(key, scope, params, at, [ast.Return(made)], pure=True)

    def procedure(self, key: Sequence[Any], rule: str, at: ir.At, params: Sequence[str],
                  body: ir.Body, meta: ir.Meta = ir.NO_META,
                  gives: ir.Type | None = None) -> None:  # fmt: skip
        """A function that runs statements; one that gives something does so at its end, too."""
        scope = self.scope(rule, at, params, meta)
        scope.gives = gives
        scope.lacking = self.shared.nullability.locals_of(body)
        made = [*scope.traced(rule), *self.charge(scope, key), *block(scope, body)]
        if gives is not None:
            made.append(ast.Return(empty(gives)))
        self.add(key, scope, params, at, made)

    def charge(self, scope: Scope, key: Sequence[Any]) -> list[ast.stmt]:
        """What leads to very many calls is charged for them; loops are charged by themselves."""
        what = "procedure" if key[0] == "main" else key[0]
        weight = self._weights.get((what, *key[1:]), 0)
        if weight <= HEAVY:
            return []
        node = (self._whole.values if what == "value" else self._whole.procedures)[key[1]]
        amount = py.const(weight // 100)
        return [ast.Expr(py.method(py.name("S"), "spend", amount, scope.site(node)))]
