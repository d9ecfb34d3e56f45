"""What packs did to declarations of others, kept with the ruleset so that it can be told later."""

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.linking.model import Book
from ziggurat.dsl.linking.removals import quoted_from
from ziggurat.runtime.kernel.forms.amendments import Amendment
from ziggurat.runtime.kernel.nodes import At


def amendments(book: Book) -> tuple[Amendment, ...]:
    """All of them, in the order of packs and lines."""
    gone: dict[object, list[str]] = {}
    for name, removal in book.gone_names.items():
        gone.setdefault(removal.span, []).append(name)
    found = []
    for does, decl, span, field in book.amendments:
        at = At(span.source.path, span.line, span.column, span.end_line, span.end_column)
        names = tuple(gone.get(span, ()))
        words = _words_of(span) if does == "changes" else ""
        found.append(Amendment(does, decl.word, decl.path, field, words, names, at=at))
    return tuple(found)


def _words_of(span: Span) -> str:
    """Return what a line says, in short; tags are all there, since they are counted."""
    is_tags = span.text.startswith("tags ")
    return " ".join(span.text.split()) if is_tags else quoted_from(span)
