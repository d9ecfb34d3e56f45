"""The printer: forms back as text of the rules language, with no more brackets than it needs.

Each form is printed by the function its family registers. An expression has a rank, the level of
the grammar that makes it; one of a lower rank than its place asks for is put in brackets.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Any

import attrs

from ziggurat.dsl.printing.layout import Line
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.runtime.kernel.forms.core import Op, OrderRef
from ziggurat.runtime.kernel.nodes import NO_META, Body, Expr
from ziggurat.runtime.kernel.registry import Registry

# The levels of the grammar, loosest first.
ANY, OR, AND, NOT, COMPARED, SPAN, SUM, PRODUCT, UNARY, HAVING, POSTFIX = range(11)

Printed = tuple[str, int]
# Expressions and parts of something, with their rank; statements at a depth; operations, those that
# are not here look like calls of functions.
TEXTS = Registry[type, Printed]()
LINES = Registry[type, Iterable[Line]]()
OPERATIONS = Registry[str, Printed]()
prints, prints_lines, operation = TEXTS.add, LINES.add, OPERATIONS.add
_LIKE_A_LOOP = re.compile(r"\w+ in ")


def prints_line(cls: type) -> Callable[[Callable[["Printer", Any], str]], Any]:
    """Register how a statement of one line is printed."""

    def register(function: Callable[[Printer, Any], str]) -> Any:
        @prints_lines(cls)
        def _lines(printer: Printer, stmt: Any, depth: int) -> Iterable[Line]:
            yield Line(depth, function(printer, stmt), stmt.at, getattr(stmt, "meta", NO_META))

        return function

    return register


def between(op: str, rank: int, left: int, right: int, sign: str = "") -> None:
    """Register an operation that is written between its operands, and the ranks these need."""

    @operation(op)
    def _print(printer: Printer, expr: Op) -> Printed:
        a, b = expr.args
        return f"{printer.text(a, left)} {sign or op} {printer.text(b, right)}", rank


class Printer:
    """Prints in the words of a lexicon.

    `wording` says whether titles, prompts and reasons are printed too, which never change what a
    rule means. `aliases` gives locals other names: `holder` for the parameter a clause is about.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        wording: bool = True,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.lexicon = lexicon
        self.wording = wording
        self.aliases = aliases or {}

    def called(self, aliases: Mapping[str, str]) -> "Printer":
        """The same printer with other names for some locals."""
        return type(self)(self.lexicon, self.wording, {**self.aliases, **aliases})

    def naming(self, names: Mapping[tuple[str, str], str]) -> "Printer":
        """The same printer with other names for some of what is declared."""
        other = copy(self)
        other.lexicon = attrs.evolve(self.lexicon, renames={**self.lexicon.renames, **names})
        return other

    def local(self, name: str) -> str:
        return self.aliases.get(name, name)

    def text(self, node: Any, rank: int = ANY) -> str:
        """An expression where the grammar wants at least this rank; a part of something."""
        text, found = TEXTS[type(node)](self, node)
        return text if found >= rank else f"({text})"

    def ranked(self, node: Any) -> Printed:
        """An expression with its rank."""
        return TEXTS[type(node)](self, node)

    def block(self, body: Body, depth: int = 0) -> list[Line]:
        """The lines of a block. Without wording, what is only said to everybody is left out."""
        return [line for stmt in body for line in LINES[type(stmt)](self, stmt, depth)]

    def listed(self, args: Iterable[Expr]) -> str:
        """Arguments of a call; one that begins with `x in S` would be read as a loop."""
        texts = (self.text(arg) for arg in args)
        return ", ".join(f"({one})" if _LIKE_A_LOOP.match(one) else one for one in texts)

    def order(self, order: OrderRef | None) -> str:
        """` by removal(a)`, or nothing."""
        if order is None:
            return ""
        args = f"({self.listed(order.args)})" if order.args else ""
        return f" by {self.lexicon.name('order', order.order)}{args}"

    def where(self, condition: Expr | None, word: str = "where") -> str:
        """` where …`, ` when …`, or nothing."""
        return "" if condition is None else f" {word} {self.text(condition)}"


@prints(Op)
def _print_operation(printer: Printer, expr: Op) -> Printed:
    if expr.op in OPERATIONS:
        return OPERATIONS[expr.op](printer, expr)
    return f"{expr.op}({printer.listed(expr.args)})", POSTFIX
