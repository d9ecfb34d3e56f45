"""Back from the places kept in the ruleset to places in the text, for findings about meaning."""

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.nodes import At


def span_of(world: World, at: At) -> Span | None:
    source = world.texts.get(at.file)
    if source is None:
        return None
    return source.span(source.offset(at.line, at.column), source.offset(at.end_line, at.end_column))


def source_text(world: "World", at: At) -> str:
    """Return what is written at a location, on one line."""
    span = span_of(world, at)
    return " ".join(span.source.text[span.start : span.end].split()) if span else ""
