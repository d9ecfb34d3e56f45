"""What a ruleset declares, as documents for the workshop: an outline, and one declaration.

Sentences are lists of pieces (text, sort, id), so that the page can make links of them and never
has to read markup.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ziggurat import (
    Card,
    CardEntry,
    Declared,
    Description,
    Names,
    Ruleset,
    Sentences,
    Told,
    Workspace,
    cites,
    declarations,
    declaring_words,
    described,
    pieces,
    players_text,
    resolved,
    where,
)
from ziggurat.studio.titles import title_of

Document = dict[str, Any]
APART = ("scenario",)  # has a page of its own
MOST_PLACES = 60
MANY = {"cards": "cards", "advice": "advice", "open": "open places", "kind": "kinds of things"}


def outline(ruleset: Ruleset) -> Document:
    """All declarations by the words that declare them."""
    told = Sentences(ruleset)
    words = [word for word in declaring_words(ruleset) if word not in APART]
    sections = [(word, list(declarations(ruleset, word))) for word in words]
    return {
        "stack": ruleset.stack,
        "title": title_of(ruleset),
        "players": players_text(ruleset.players),
        "packs": [
            {"id": pack.id, "title": pack.title, "version": str(pack.version)}
            for pack in ruleset.packs
        ],
        "sections": [
            {
                "word": word,
                "title": _section(told, ruleset, word),
                "thing": word in ruleset.kinds,
                "items": [_item(told, one) for one in found],
            }
            for word, found in sections
            if found
        ],
    }


def _section(told: Sentences, ruleset: Ruleset, word: str) -> str:
    name = told.several(word) if word in ruleset.kinds else MANY.get(word, f"{word}s")
    return name[:1].upper() + name[1:]


def _item(told: Sentences, one: Declared) -> Document:
    title = one.title or told.label(one.id)
    return {"path": one.id, "title": title, "cites": _cited(one.meta), "where": where(one.at)}


def _cited(meta: Any) -> str:
    return cites(meta).partition(" · ")[0]


def declaration(workspace: Workspace, ruleset: Ruleset, word: str, path: str) -> Document | None:
    """Everything about one declaration; none if there is no such thing."""
    names = workspace.names
    found = described(names, word, path) if names is not None else None
    if names is None or found is None:
        return None
    told = Sentences(ruleset)
    shown = resolved(ruleset, f"{word} {path}") or resolved(ruleset, path)
    node = next((one for one in _of_word(ruleset, word) if one.id == path), None)
    return {
        "word": word,
        "path": path,
        "title": found.title or told.label(path),
        "head": found.head,
        "cites": found.cites,
        "tags": list(node.meta.tags) if node is not None else [],
        "comment": found.comment,
        "where": where(found.at) if found.at is not None else "",
        "text": [{"line": line, "origin": origin} for part in shown[:1] for line, origin in part],
        "changes": _changes(found),
        "said": list(_said(told, ruleset, word, path)),
        "card": card(told, ruleset, word, path),
        "places": _places(names, word, path),
    }


def _of_word(ruleset: Ruleset, word: str) -> Iterator[Declared]:
    return declarations(ruleset, word) if word in declaring_words(ruleset) else iter(())


def _changes(found: Description) -> list[Document]:
    return [{"by": one.by, "text": one.text, "where": where(one.at)} for one in found.changes]


def _places(names: Names, word: str, path: str) -> list[Document]:
    """Where a name stands, with the line that has it."""
    places = sorted(names.of((word, path)), key=lambda one: (one.span.source.path, one.span.start))
    rows = {f"{one.span.source.path}:{one.span.line}": one.span.excerpt().strip() for one in places}
    return [{"where": at, "line": line} for at, line in list(rows.items())[:MOST_PLACES]]


# ---- in words


def _said(told: Sentences, ruleset: Ruleset, word: str, path: str) -> Iterator[Document]:
    """What a rule says in English, as steps."""
    if word == "phase" and path in ruleset.phases:
        yield from steps(told.phase(ruleset.phases[path]))
    elif word in ("value", "order", "procedure", "action"):
        node = getattr(ruleset, f"{word}s").get(path)
        if node is not None:
            yield entry(told.entry(word, node))
            for clause in getattr(node, "contributions", ()):
                yield {"pieces": said(told.clause(node, clause)), "inner": []}


def card(told: Sentences, ruleset: Ruleset, kind: str, id_: str) -> Document | None:
    """The card of a thing; none if it is no thing."""
    thing = ruleset.things.get(kind, {}).get(id_)
    return card_document(told.card(thing)) if thing is not None else None


def card_document(one: Card) -> Document:
    """A card as the page shows it."""
    return {
        "kind": one.kind,
        "id": one.id,
        "title": one.title,
        "cites": _cited(one.meta),
        "fields": [{"label": field.label, "pieces": said(field.text)} for field in one.fields],
        "entries": [entry(found) for found in one.entries],
    }


def entry(one: CardEntry) -> Document:
    """Something a card says."""
    needs = [{"pieces": said(need), "inner": []} for need in one.needs]
    choices = [{"pieces": said(choice), "inner": []} for choice in one.choices]
    return {
        "label": one.label,
        "pieces": said(one.text),
        "inner": [*needs, *choices, *steps(one.steps)],
    }


def steps(told: Iterable[Told]) -> list[Document]:
    """Steps with the steps inside them."""
    return [{"pieces": said(one.said), "inner": steps(one.inner)} for one in told]


def said(text: str) -> list[list[str]]:
    """A sentence in pieces."""
    return [[one.text, one.sort, one.id] for one in pieces(text)]
