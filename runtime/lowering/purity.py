"""What can be worked out ahead of time without anybody noticing.

Values are pure, so a call inside a loop that does not depend on the loop's variable needs to be
made only once, and a value that looks only at the fixed data of things can be remembered for the
whole game. A call that cannot fail is made before the loop; one that could (inside `n > 0 and
f(n)`, which divides by n) waits until it is first needed.
"""

from collections.abc import Callable
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.runtime.lowering.scope import FIELDS, walk

_STATEFUL = ir.AttrOf | ir.Count | ir.Having | ir.PileRef
_BY_VALUE = ("int", "text", "range", "set", "list", "map", "bool")
_LONG = ("range", "set", "list", "map")
PIECES, PILES, HELD = "pieces", "piles", "held"


def free(node: Any) -> frozenset[str]:
    """The locals an expression takes from outside."""
    if isinstance(node, tuple):
        return frozenset().union(*(free(member) for member in node)) if node else frozenset()
    if isinstance(node, ir.Local):
        return frozenset((node.name,))
    if isinstance(node, ir.Loop):
        inner = free(node.where) | free(node.body)
        args = free(node.order.args) if node.order is not None else frozenset()
        return free(node.source) | args | (inner - {node.var})
    fields = FIELDS.get(type(node))
    if fields is None:
        return frozenset()
    return frozenset().union(*(free(getattr(node, field)) for field in fields))


class Purity:
    """Answers questions about the values of one ruleset, each once."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._values = ruleset.values
        self._orders = ruleset.orders
        self._total: dict[str, bool] = {}
        self._fixed: dict[str, bool] = {}
        self._reads: dict[str, tuple[set[str], set[str]]] = {}
        self._worth: dict[str, bool] = {}

    def _parts(self, value: ir.Value) -> tuple[Any, ...]:
        return (value.base, *[part for c in value.contributions for part in (c.when, c.amount)])

    # ---- fixed: looks at nothing that can change

    def is_fixed(self, value: str) -> bool:
        """Does the value depend on its arguments and the data of things alone?"""
        if value not in self._fixed:
            self._fixed[value] = False
            self._fixed[value] = self._looks_at_nothing(self._parts(self._values[value]))
        return self._fixed[value]

    def _looks_at_nothing(self, node: Any) -> bool:
        for part in walk(node):
            if isinstance(part, _STATEFUL):
                return False
            if isinstance(part, ir.Op) and part.op == "holds":
                return False
            if isinstance(part, ir.FieldOf) and part.of.type.name in ("player", "owner"):
                return False
            if isinstance(part, ir.ValueCall) and not self.is_fixed(part.value):
                return False
            if isinstance(part, ir.OrderRef) and not all(
                self.is_fixed(key) for key in self._orders[part.order].keys
            ):
                return False
        return True

    def is_worth_remembering(self, value: ir.Value) -> bool:
        """Fixed, more than a step or two, and with few possible arguments."""
        if value.id not in self._worth:
            self._worth[value.id] = self._is_worth_remembering(value)
        return self._worth[value.id]

    def _is_worth_remembering(self, value: ir.Value) -> bool:
        few = all(p.type.name not in _BY_VALUE and not p.type.maybe for p in value.params)
        work = any(_takes_time(node) for node in walk(self._parts(value)))
        return few and work and self.is_fixed(value.id)

    # ---- what a value reads, which is all that can change it

    def reads(self, value: str) -> frozenset[str]:
        """The parts of a position a value looks at, by itself or through others."""
        seen, todo = {value}, [value]
        found: set[str] = set()
        while todo:
            own, called = self._own(todo.pop())
            found |= own
            todo.extend(called - seen)
            seen |= called
        return frozenset(found)

    def _own(self, value: str) -> tuple[set[str], set[str]]:
        """What a value reads itself, and the values it calls."""
        if value not in self._reads:
            nodes = list(walk(self._parts(self._values[value])))
            read = {part for node in nodes for part in _read(node)}
            self._reads[value] = read, {other for node in nodes for other in self._called(node)}
        return self._reads[value]

    def _called(self, node: Any) -> tuple[str, ...]:
        if isinstance(node, ir.ValueCall):
            return (node.value,)
        return self._orders[node.order].keys if isinstance(node, ir.OrderRef) else ()

    def is_worth_noting(self, value: ir.Value) -> bool:
        """Does it go through a loop of its own, for arguments that can be looked up?"""
        plain = all(p.type.name not in _LONG for p in value.params)
        return plain and any(isinstance(n, ir.Loop) for n in walk(self._parts(value)))

    # ---- total: cannot fail

    def is_total(self, node: Any) -> bool:
        return all(self._cannot_fail(part) for part in walk(node))

    def _cannot_fail(self, node: Any) -> bool:
        match node:
            case ir.Op(op="/" | "/up" | "mod", args=(_, divisor)):
                return isinstance(divisor, ir.Lit) and bool(divisor.value)
            case ir.OrderRef(order=order):
                return all(self._total_value(key) for key in self._orders[order].keys)
            case ir.ValueCall(value=value):
                return self._total_value(value)
        return True

    def _total_value(self, value: str) -> bool:
        if value not in self._total:
            self._total[value] = False
            self._total[value] = self.is_total(self._parts(self._values[value]))
        return self._total[value]

    # ---- moving calls out of loops

    def hoist(
        self, var: str, parts: tuple[Any, ...], names: Callable[[], str]
    ) -> tuple[tuple[Any, ...], dict[Any, str]]:
        """The parts of a loop over `var` with what does not depend on it replaced by locals, and
        what those locals stand for."""
        found: dict[Any, str] = {}
        bound = frozenset((var,))
        return tuple(self._replace(part, bound, found, names) for part in parts), found

    def _replace(
        self, node: Any, bound: frozenset[str], found: dict[Any, str], names: Callable[[], str]
    ) -> Any:
        if isinstance(node, tuple):
            return tuple([self._replace(member, bound, found, names) for member in node])
        fields = FIELDS.get(type(node))
        if fields is None or isinstance(node, ir.Lit | ir.Local | ir.ThingRef):
            return node
        if _is_work(node) and not free(node) & bound:
            if node not in found:
                found[node] = names()
            return ir.Local(found[node], node.type, at=node.at)
        inside = bound | {node.var} if isinstance(node, ir.Loop) else bound
        changes = {}
        for field in fields:
            old = getattr(node, field)
            new = self._replace(old, bound if field == "source" else inside, found, names)
            if new is not old and new != old:
                changes[field] = new
        return attrs.evolve(node, **changes) if changes else node


def _read(node: Any) -> tuple[str, ...]:
    """The part of a position a node looks at; an attribute is known by its id."""
    match node:
        case ir.AttrOf(attr=attr):
            return (attr,)
        case ir.FieldOf(owner_kind=kind, of=of) if of.type.name in ("player", "owner"):
            return (f"player.{kind}",)
        case ir.Count() | ir.Having():
            return (PIECES,)
        case ir.PileRef():
            return (PILES,)
        case ir.Op(op="holds"):
            return (HELD,)
    return ()


def _takes_time(node: Any) -> bool:
    sets = isinstance(node, ir.Op) and node.op in ("union", "minus", "common")
    return sets or isinstance(node, ir.Loop | ir.ValueCall)


def _is_work(node: Any) -> bool:
    """Is it worth a variable?"""
    if isinstance(node, ir.Count):
        return node.units.many or node.where.kind in ("board", "areas", "everywhere")
    return isinstance(node, ir.ValueCall | ir.Loop | ir.Having)
