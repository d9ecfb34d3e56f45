"""Procedures: steps under a name."""

import attrs

from ziggurat.dsl.forms.base import NO_META, At, Body, Meta, at_field
from ziggurat.dsl.forms.clauses import Trigger
from ziggurat.dsl.forms.core import Param
from ziggurat.dsl.forms.description import form
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import params, refuse_heads
from ziggurat.dsl.linking.sight import finish, idle, in_sight
from ziggurat.dsl.linking.statements import step_items
from ziggurat.dsl.linking.types import ERROR_TYPE
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line


@form("declaration")
@attrs.frozen
class Procedure:
    id: str
    title: str
    params: tuple[Param, ...]
    body: Body
    triggers: tuple[Trigger, ...] = ()
    meta: Meta = NO_META
    at: At = at_field()


def procedure(world: World, signature: Signature) -> Procedure:
    decl = signature.decl
    cx = Context(world, decl, f"procedure {decl.path}")
    in_sight(cx, signature.params, decl)
    body = step_items(cx, decl.items)
    finish(cx)
    idle(cx, "procedure")
    cx.enter(decl.file)
    return Procedure(
        decl.path, decl.title, signature.params, body, (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def procedure_signatures(world: World) -> None:
    """What calls of procedures must look like."""
    for decl in world.book.of("procedure").values():
        cx = Context(world, decl, f"procedure {decl.path}")
        refuse_heads(cx, decl, ())
        world.procedures[decl.path] = Signature(decl.path, params(cx, decl), ERROR_TYPE, decl)


@declares(Procedure)
def _print_procedure(page: Declarations, one: Procedure, depth: int) -> list[Line]:
    head = page.head("procedure", one, depth, f"({page.params(one.params)})")
    return page.block(head, one, page.printer.block(one.body, depth + 1), depth)
