"""What chance decides."""

from typing import Any

from ziggurat.dsl.forms.decisions import register
from ziggurat.dsl.forms.pieces import quantity
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import collection
from ziggurat.dsl.linking.statements import candidates, name_local, statement
from ziggurat.dsl.linking.types import list_of, optional, set_of
from ziggurat.dsl.printing.printer import SPAN, SUM, Printer, prints_line
from ziggurat.runtime.kernel.forms.chance import Pick
from ziggurat.runtime.kernel.nodes import Stmt


@statement("pick")
def _link_pick(cx: Context, node: Any) -> Stmt:
    how_many, name, source, filter_ = node.parts
    number = quantity(cx, how_many) if how_many is not None else None
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    type_ = optional(item) if how_many is None else list_of(item)
    answer = item if how_many is None else set_of(item)
    path = register(cx, name, item, answer, by_chance=True)
    local = name_local(cx, name, type_, "pick")
    return Pick(local, number, found, test, path=path, at=cx.at(node))


@prints_line(Pick)
def _print_pick(printer: Printer, stmt: Pick) -> str:
    number = f"{printer.text(stmt.quantity, SUM)} " if stmt.quantity else ""
    source = f"{printer.text(stmt.source, SPAN)}{printer.where(stmt.where)}"
    return f"pick {number}{printer.local(stmt.name)} at random from {source}"
