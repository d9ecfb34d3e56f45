"""Which citations hold for what has none of its own: those of the block, or of the line above.

A pack cites for itself. What one pack cites does not tell of what another adds to its blocks, so
only what stands in the same file counts.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from ziggurat.dsl.diagnostics import Diagnostic
from ziggurat.dsl.linking.model import Decl, Item, is_meta
from ziggurat.dsl.syntax import Declaration, File, Node


def metas_of(node: Declaration | Node) -> list[Node]:
    """What a declaration or an amendment cites, and its tags."""
    if isinstance(node, Declaration):
        return [*node.metas, *_metas_among(node.items or ())]
    if node.rule == "amend":
        *_, metas, block = node.parts
        return [*metas.parts, *_metas_among(block.parts)]
    return _metas_among(node.parts)


def _metas_among(nodes: Sequence[Any]) -> list[Node]:
    return [node for node in nodes if is_meta(node)]


def cited_around(home: Decl, file: File) -> list[Item]:
    """The citations of a declaration, for what stands in its block."""
    return [item for item in home.metas if item.node.rule == "cites" and item.file is file]


def cited_above(metas: Sequence[Node], start: int, file: File) -> list[Item]:
    """A rule with tags and without a citation stands where the file said last; whatever has no tags
    is not told by a rulebook at all."""
    if not file.cites or not _wants_citation(metas):
        return []
    above = bisect_left(file.cites, start, key=lambda one: one.start)
    return [Item(one, file) for one in file.cites[max(above - 1, 0) : above]]


def _wants_citation(metas: Sequence[Node]) -> bool:
    rules = {one.rule for one in metas}
    return "tags" in rules and "cites" not in rules


def idle_citations(file: File) -> Iterator[Diagnostic]:
    """Citations of a file that hold for nothing below them."""
    if not file.cites:
        return
    rules = [top.start for top in file.tops if _wants_citation(metas_of(_written(top)))]
    ends = [*(one.start for one in file.cites[1:]), file.tops[-1].end if file.tops else 0]
    for cites, end in zip(file.cites, ends, strict=False):
        if bisect_left(rules, cites.start) == bisect_left(rules, end):
            message = "This holds for nothing: no rule below it has tags and no citation."
            advice = "Give the rules it is for their tags, or take it away."
            span = file.span(cites)
            yield Diagnostic("Z226", message, span, advice, severity="warning")


def _written(top: Any) -> Declaration | Node:
    """What is declared, also behind `open` or `replace`, or the amendment."""
    inner = top if isinstance(top, Declaration) or top.rule == "amend" else top.parts[0]
    return inner if isinstance(inner, Declaration | Node) else top
