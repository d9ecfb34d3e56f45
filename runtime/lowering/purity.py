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
from ziggurat.dsl.forms.description import ATTRIBUTES, FORMS, described, fields_of
from ziggurat.dsl.forms.walking import free, walk

_BY_VALUE = ("int", "text", "range", "set", "list", "map", "bool")
_LONG = ("range", "set", "list", "map")


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
            if any(True for _ in described(part).reads(part)):
                return False
            if not all(self.is_fixed(value) for value in self._called(part)):
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
        if type(node) not in FORMS:
            return node
        if _is_work(node) and not free(node) & bound:
            if node not in found:
                found[node] = names()
            return ir.Local(found[node], node.type, at=node.at)
        inside = bound | {node.var} if isinstance(node, ir.Loop) else bound
        changes = {}
        for field in fields_of(type(node)):
            old = getattr(node, field)
            new = self._replace(old, bound if field == "source" else inside, found, names)
            if new is not old and new != old:
                changes[field] = new
        return attrs.evolve(node, **changes) if changes else node


def _read(node: Any) -> tuple[str, ...]:
    """The parts of a position a node looks at; an attribute is known by its id."""
    return tuple(
        touch.id if touch.part == ATTRIBUTES else touch.part
        for touch in described(node).reads(node)
    )


def _takes_time(node: Any) -> bool:
    sets = isinstance(node, ir.Op) and node.op in ("union", "minus", "common")
    return sets or isinstance(node, ir.Loop | ir.ValueCall)


def _is_work(node: Any) -> bool:
    """Is it worth a variable?"""
    if isinstance(node, ir.Count):
        return node.units.many or node.where.kind in ("board", "areas", "everywhere")
    return isinstance(node, ir.ValueCall | ir.Loop | ir.Having)
