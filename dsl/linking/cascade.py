"""Declarations and clauses that are about nothing else than what was removed go with it.

This needs no names but those of declarations, so it happens before linking. What speaks of removed
things inside is found by whoever links it (`dsl.linking.removals`).
"""

from typing import Any

from ziggurat.dsl.linking.model import Book, Decl, Item, written_of
from ziggurat.dsl.linking.removals import Loss, Removal, may_not_know, removal_of
from ziggurat.dsl.packs import Stack

_HAVING = ("kind", "piece", "neutral")
_OF_SOMETHING = ("mark", "map", "cover", "place", "attribute", "bundle")
_TARGETED = frozenset({"modify", "allow", "forbid", "before", "after", "instead"})


def cascade(book: Book, stack: Stack) -> None:
    """Take along things of removed kinds, actions in removed phases, what is of something removed,
    and clauses about what is gone."""
    if not book.gone_names:
        return
    kinds = {path: removal for (word, path), removal in book.gone.items() if word == "kind"}
    for kind, removal in kinds.items():
        for decl in list(book.of(kind).values()):
            _take_along(book, stack, decl, removal, "thing")
    for decl in list(book.of("action").values()):
        gone = _phase_removed(book, decl)
        if gone is not None:
            _take_along(book, stack, decl, gone, "action")
    for word in _OF_SOMETHING:
        for decl in list(book.of(word).values()):
            gone = _whose_removed(book, decl)
            if gone is not None:
                _take_along(book, stack, decl, gone, word)
    for decl in book.everything():
        if decl.word != "scenario":
            kept = [one for one in decl.items if not _about_removed(book, stack, decl, one)]
            decl.items = kept


def _take_along(book: Book, stack: Stack, decl: Decl, removal: Removal, what: str) -> None:
    if may_not_know(stack, decl.pack, removal):
        book.forget(decl, removal)
        told = f"`{decl.spoken}` goes, too."
        book.losses.append(Loss(removal, what, told, decl.name_span))


def _phase_removed(book: Book, decl: Decl) -> Removal | None:
    for head in decl.node.heads:
        if head.rule == "head_in":
            return book.gone.get(("phase", str(head.parts[0])))
    return None


def _whose_removed(book: Book, decl: Decl) -> Removal | None:
    """The removal of what something is of: a mark of a piece, a place of a kind."""
    whose = written_of(decl.node)
    if any(whose in book.of(word) for word in _HAVING):
        return None
    return next((book.gone[word, whose] for word in _HAVING if (word, whose) in book.gone), None)


def _about_removed(book: Book, stack: Stack, decl: Decl, item: Item) -> bool:
    """Whether a clause changes or watches something that is gone; then it is listed."""
    node = item.node
    if getattr(node, "rule", "") not in _TARGETED:
        return False
    name = ".".join(node.parts[0].parts[0].parts)
    removal = _removed(book, decl, name)
    if removal is None or not may_not_know(stack, item.pack, removal):
        return False
    told = f"`{_head(item)}` of `{decl.spoken}` goes, too."
    book.losses.append(Loss(removal, "clause", told, item.span))
    book.unsaid([node], removal)
    return True


def _removed(book: Book, decl: Decl, name: str) -> Removal | None:
    short = f"{(decl.home or decl).path}.{name}"
    if any(one in book.of(word) for one in (name, short) for word in ("value", "procedure")):
        return None
    if name in book.of("phase") or _is_key(book, name):
        return None
    return book.gone_names.get(short) or removal_of(book.gone_names, name)


def _is_key(book: Book, name: str) -> bool:
    """Whether it is a key of an order, which no page lists."""
    order, _, key = name.rpartition(".")
    found = book.of("order").get(order)
    return found is not None and any(_field(one.node) == key for one in found.items)


def _field(node: Any) -> str:
    return str(node.parts[0]) if getattr(node, "rule", "") == "field" else ""


def _head(item: Item) -> str:
    """How a clause begins: `modify reach(holder)`."""
    target = item.file.span(item.node.parts[0]).text
    word = "instead of" if item.node.rule == "instead" else item.node.rule
    return f"{word} {' '.join(target.split())}"
