"""The course of the game: who may act again, and its end."""

from typing import Any

from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import want
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.printing.printer import POSTFIX, Printer, prints_line
from ziggurat.runtime.kernel.forms.endings import EndGame, Recall
from ziggurat.runtime.kernel.nodes import PLAYER, Stmt


@statement("recall")
def _link_recall(cx: Context, node: Any) -> Stmt:
    return Recall(want(cx, node.parts[0], PLAYER), at=cx.at(node))


@statement("end_game")
def _link_end_game(cx: Context, node: Any) -> Stmt:
    return EndGame(at=cx.at(node))


@prints_line(Recall)
def _print_recall(printer: Printer, stmt: Recall) -> str:
    return f"recall {printer.text(stmt.player, POSTFIX)}"


@prints_line(EndGame)
def _print_end_game(printer: Printer, stmt: EndGame) -> str:
    return "end game"
