"""The forms that the machinery of linking itself makes: data, names, operations, loops over sets.

How they are linked and printed stands in the families that write them.
"""

import attrs

from ziggurat.dsl.forms.base import Expr, Type
from ziggurat.dsl.forms.description import HOLDINGS, form


@form()
@attrs.frozen
class Lit(Expr):
    """int, bool, text, or None for `none`; a range literal is an Op."""

    value: int | bool | str | None
    type: Type


@form(uses="name")
@attrs.frozen
class Local(Expr):
    """A parameter, a `let`, a loop variable, `it`."""

    name: str
    type: Type


@form()
@attrs.frozen
class ThingRef(Expr):
    """A declared thing: `kind` is its kind's id, `id` its id (unique in the ruleset within its
    kind)."""

    kind: str
    id: str
    type: Type


@form(
    reads=lambda one: (HOLDINGS,) if one.op == "holds" else (),
    variants={"op": {"+": "-", "-": "+", "union": "minus", "minus": "union"}},
)
@attrs.frozen
class Op(Expr):
    """A built-in operation.

    Arithmetic `+ - * / /up mod neg`; comparison `== != < <= > >=`; logic `and or not if` (if:
    condition, then, else); `range` (low, high); sets `set` (members), `list`, `map` (k1, v1, k2, v2
    …), `union`, `minus`, `common`, `in`, `size`, `one_of`; `index` (map, key); `min`, `max` (two or
    more numbers), `abs`; `holds` (player, thing); `is_kind` (card, Lit kind id) and `face` (card,
    Lit kind id: the face as a thing, none if of another kind); `cards`, `top` (pile); `others`,
    `left_of` (player); `is_player` (owner).
    """

    op: str
    args: tuple[Expr, ...]
    type: Type


@form(calls=lambda one: (("order", one.order),))
@attrs.frozen
class OrderRef:
    """An order with its leading arguments: `removal(a)`; the last parameter is the thing sorted."""

    order: str
    args: tuple[Expr, ...] = ()


@form(binds={"var": ("where", "body")}, loops=True)
@attrs.frozen
class Loop(Expr):
    """Something over a set. fn: set, list (body or the variable itself), count, any, every, sum,
    max, min, first. `where` filters; `every` tests `body`. max/min of nothing is 0; first of
    nothing is none."""

    fn: str
    var: str
    source: Expr
    where: Expr | None
    order: OrderRef | None
    body: Expr | None
    type: Type


@form()
@attrs.frozen
class Param:
    name: str
    type: Type
