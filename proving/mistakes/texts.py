"""Mistakes in what people read: prompts, reasons, sentences, and what is told in their holes."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.proving.mistakes.sight import Change, Sight
from ziggurat.runtime import kernel as ir

_TEXTS = ("prompt", "text", "reason")
_LOST = "…"
_INT = ir.Type("int")


def another_text(node: Any, sight: Sight) -> Iterator[Change]:
    """The words lost, or something else of the same type in a hole."""
    at = getattr(node, "at", ir.NOWHERE)
    for field in _TEXTS:
        match getattr(node, field, None):
            case str(words) if words:
                what = f"the text `{words}` lost"
                yield Change(attrs.evolve(node, **{field: _LOST}), what, at, "text")
            case ir.Text(parts=parts) as text if parts:
                for new, what in _changed(text, sight):
                    yield Change(attrs.evolve(node, **{field: new}), what, at, "text")


def _changed(text: ir.Text, sight: Sight) -> Iterator[tuple[ir.Text, str]]:
    told = f"`{sight.tell(text)[1:-1]}`"
    if any(isinstance(part, str) for part in text.parts):
        lost = tuple(_LOST if isinstance(part, str) else part for part in text.parts)
        yield ir.Text(lost), f"the words of {told} lost"
    for i, part in enumerate(text.parts):
        if isinstance(part, str):
            continue
        other = next(sight.others(part), None) or _one_more(part)
        if other is not None:
            new = ir.Text((*text.parts[:i], other, *text.parts[i + 1 :]))
            yield new, f"{{{sight.tell(part)}}} made {{{sight.tell(other)}}} in {told}"


def _one_more(part: ir.Expr) -> ir.Expr | None:
    """There is always another number."""
    if part.type != _INT:
        return None
    return ir.Op("+", (part, ir.Lit(1, _INT)), _INT, at=part.at)
