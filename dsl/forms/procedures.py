"""Procedures: steps under a name."""

from ziggurat.dsl.forms.flow import check_gives
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import params, read_type, refuse_heads
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.sight import finish, idle, in_sight
from ziggurat.dsl.linking.statements import step_items
from ziggurat.dsl.linking.types import NOTHING
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line
from ziggurat.runtime.kernel.forms.procedures import Procedure
from ziggurat.runtime.kernel.nodes import Type


def procedure(world: World, signature: Signature) -> Procedure:
    decl = signature.decl
    cx = Context(world, decl, f"procedure {decl.path}")
    in_sight(cx, signature.params, decl)
    type_ = None if signature.type is NOTHING else signature.type
    cx.gives = type_
    body = step_items(cx, decl.items)
    if type_ is not None and not _left_open(world, decl):
        check_gives(world, body, type_, decl.path, decl.name_span)
    finish(cx)
    idle(cx, "procedure")
    cx.enter(decl.file)
    return Procedure(
        decl.path, decl.title, signature.params, body, (), type_,
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _left_open(world: World, decl: Decl) -> bool:
    """Whether others are to say what it does."""
    return not decl.items and ("procedure", decl.path) in world.book.open_places


def procedure_signatures(world: World) -> None:
    """What calls of procedures must look like."""
    for decl in world.book.of("procedure").values():
        cx = Context(world, decl, f"procedure {decl.path}")
        refuse_heads(cx, decl, ())
        world.procedures[decl.path] = Signature(decl.path, params(cx, decl), gives(cx, decl), decl)


def gives(cx: Context, decl: Decl) -> Type:
    """The type of what a procedure gives."""
    return NOTHING if decl.node.type is None else read_type(cx, decl.node.type)


@declares(Procedure)
def _print_procedure(page: Declarations, one: Procedure, depth: int) -> list[Line]:
    gives = f": {page.printer.lexicon.type(one.type)}" if one.type else ""
    head = page.head("procedure", one, depth, f"({page.params(one.params)})") + gives
    return page.block(head, one, page.printer.block(one.body, depth + 1), depth)
