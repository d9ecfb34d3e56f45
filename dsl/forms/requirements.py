"""What must hold before something may be done or must be true of data: `needs n > 0 "Why."`."""

from collections.abc import Iterable
from typing import Any

from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import condition
from ziggurat.dsl.linking.model import unquoted
from ziggurat.dsl.linking.statements import no_step
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel.forms.requirements import Requirement

SHOULD, SOMETIMES = "should", "should sometimes"
WORDS = {"needs": "", "should": SHOULD, "should_sometimes": SOMETIMES}
KIND_DEMANDS = frozenset(WORDS)

no_step("A requirement", *WORDS)


def requirement(cx: Context, node: Any) -> Requirement:
    test, reason, metas = node.parts
    told, word = unquoted(reason), WORDS[node.rule]
    return Requirement(condition(cx, test), told, cx.meta(metas.parts), at=cx.at(node), word=word)


def requirement_text(printer: Printer, need: Requirement) -> str:
    """`needs …`, with its reason when wording is printed."""
    reason = f" {quoted(need.reason)}" if need.reason and printer.wording else ""
    return f"{need.word or 'needs'} {printer.text(need.condition)}{reason}"


def requirement_lines(page: "Declarations", needs: Iterable[Requirement], depth: int) -> list[Line]:
    """Requirements as items of a block, with their citations."""
    return [
        Line(depth, requirement_text(page.printer, need) + page.meta_inline(need.meta), need.at)
        for need in needs
    ]
