"""The card of a thing in a few lines: its fields, and what it changes, allows and brings."""

from collections.abc import Iterator

from ziggurat import CardEntry, Sentences, Told, ir, plain


def entry_text(entry: CardEntry) -> str:
    """Return all that one entry of a card says."""
    return " ".join(map(plain, filter(None, _entry(entry))))


def does(sentences: Sentences, thing: ir.Thing) -> str:
    """Return what a thing does, in one line."""
    return " ".join(filter(None, map(entry_text, sentences.card(thing).entries)))


def card_lines(sentences: Sentences, thing: ir.Thing) -> Iterator[str]:
    """Yield the fields of a thing, then what it does."""
    card = sentences.card(thing)
    fields = [f"{plain(one.label)}: {plain(one.text)}" for one in card.fields]
    if fields:
        yield " · ".join(fields)
    for entry in card.entries:
        yield from filter(None, [entry_text(entry)])


def _entry(entry: CardEntry) -> Iterator[str]:
    yield entry.text
    yield from entry.needs
    yield from entry.choices
    yield from (text for step in entry.steps for text in _steps(step))


def _steps(step: Told) -> Iterator[str]:
    yield step.said
    for inner in step.inner:
        yield from _steps(inner)
