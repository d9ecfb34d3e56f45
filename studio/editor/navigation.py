"""From a word to what it means and back: declarations, references, other names, symbols."""

import re
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp

from ziggurat import NamedDeclaration, NamePlace, Names, Span, changes_of
from ziggurat.studio.editor.desk import Bench
from ziggurat.studio.editor.places import range_at, span_range

NAME = re.compile(r"[a-z_][a-z0-9_]*")
TAG = re.compile(r"[A-Z]+(-[A-Za-z0-9]+)+")
MOST_SYMBOLS = 400
_SYMBOLS = lsp.SymbolKind
_KINDS = {
    "kind": _SYMBOLS.Class, "cards": _SYMBOLS.Class, "value": _SYMBOLS.Function,
    "order": _SYMBOLS.Function, "procedure": _SYMBOLS.Method, "action": _SYMBOLS.Method,
    "phase": _SYMBOLS.Event, "turn": _SYMBOLS.Event, "rule": _SYMBOLS.Interface,
    "scenario": _SYMBOLS.Operator, "option": _SYMBOLS.Constant, "attribute": _SYMBOLS.Property,
    "bundle": _SYMBOLS.Struct, "piece": _SYMBOLS.Struct, "place": _SYMBOLS.Struct,
    "question": _SYMBOLS.String, "clarification": _SYMBOLS.String,
}  # fmt: skip


class CannotRenameError(Exception):
    """Why something cannot have another name, for people."""


def location(bench: Bench, span: Span) -> lsp.Location | None:
    path = bench.path_of(span.source.path)
    return lsp.Location(bench.uri_of(path), span_range(span)) if path is not None else None


def _locations(bench: Bench, spans: Iterable[Span]) -> list[lsp.Location]:
    found = (location(bench, span) for span in dict.fromkeys(spans))
    return [one for one in found if one is not None]


def declared(bench: Bench, names: Names, places: Iterable[NamePlace]) -> list[lsp.Location]:
    """Where it is declared; what packs leave open, also who answers it."""
    spans = [span for place in places for span in names.declared(place.word, place.path)]
    return _locations(bench, spans)


def amended(bench: Bench, names: Names, places: Iterable[NamePlace]) -> list[lsp.Location]:
    """What later packs do to it, and the clauses and triggers that change it."""
    found: list[lsp.Location] = []
    for place in places:
        spans = [span for _, span in names.amending(place.word, place.path)]
        found += _locations(bench, spans)
        for change in changes_of(names, place.word, place.path):
            source, path = names.source(change.at.file), bench.path_of(change.at.file)
            if source is not None and path is not None:
                found.append(lsp.Location(bench.uri_of(path), range_at(source, change.at)))
    return found


def references(
    bench: Bench, names: Names, places: list[NamePlace], declaration: bool
) -> list[lsp.Location]:
    """All places that speak of it."""
    spans = [one.span for one in names.of(*names.same(places))]
    if not declaration:
        homes = {span for one in places for span in names.declared(one.word, one.path)}
        spans = [span for span in spans if span not in homes]
    return _locations(bench, spans)


def places_elsewhere(
    home: Bench, names: Names, places: Iterable[NamePlace], other: Bench
) -> list[NamePlace]:
    """Return what places of one stack mean in another that contains the declaration."""
    assert other.names is not None
    found: list[NamePlace] = []
    for place in places:
        for span in names.declared(place.word, place.path):
            path = home.path_of(span.source.path)
            file = other.file_of(path) if path is not None else ""
            found += [
                one for one in other.names.at(file, span.start)
                if one.word == place.word and one.span.start == span.start
            ]  # fmt: skip
    return found


def highlights(names: Names, places: list[NamePlace], file: str) -> list[lsp.DocumentHighlight]:
    spans = {one.span for one in names.of(*names.same(places)) if one.span.source.path == file}
    ordered = sorted(spans, key=lambda span: span.start)
    return [lsp.DocumentHighlight(span_range(span)) for span in ordered]


# ---- another name ---------------------------------------------------------------------------


def renamable(names: Names, places: list[NamePlace]) -> NamePlace:
    """The name that would be changed, or why none can be."""
    for place in places:
        if names.declared(place.word, place.path):
            if place.word == "scenario":
                raise CannotRenameError("A title is changed where it stands.")
            return place
    raise CannotRenameError("There is no name here that is declared in this stack.")


def renamed(
    bench: Bench, names: Names, places: list[NamePlace], new: str
) -> dict[Path, list[tuple[Span, str]]]:
    """The places to change, by file, and what to write there. Whatever is not written as the old
    name stays (what an earlier pack calls something that a later one renamed), but for the plural
    of a kind that declares none."""
    place = renamable(names, places)
    old = names.declared(place.word, place.path)[0].text
    shape, told = (TAG, "R-4-09") if TAG.fullmatch(old) else (NAME, "snake_case")
    if not shape.fullmatch(new):
        raise CannotRenameError(f"`{new}` is no such name; write it as in `{told}`.")
    words = {old: new, f"{old}s": f"{new}s"} if place.word == "kind" else {old: new}
    found: dict[Path, list[tuple[Span, str]]] = {}
    for one in names.of(*names.same(places)):
        path = bench.path_of(one.span.source.path)
        if one.span.text in words and path is not None:
            edit = (one.span, words[one.span.text])
            edits = found.setdefault(path, [])
            edits += [edit] if edit not in edits else []
    return found


# ---- symbols --------------------------------------------------------------------------------


def symbol_kind(names: Names, word: str) -> lsp.SymbolKind:
    return _KINDS.get(word, _SYMBOLS.Object)


def document_symbols(names: Names, file: str) -> list[lsp.DocumentSymbol]:
    """What a file declares, with what stands inside of it."""
    inner: dict[str, list[lsp.DocumentSymbol]] = {}
    tops: list[lsp.DocumentSymbol] = []
    for one in sorted(names.declarations(file), key=lambda each: each.whole.start):
        own: list[lsp.DocumentSymbol] = []
        inner.get(one.home, tops).append(_document_symbol(names, one, own))
        inner.setdefault(one.path, own)
    return tops


def _document_symbol(
    names: Names, one: NamedDeclaration, inner: list[lsp.DocumentSymbol]
) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=one.title if one.word == "scenario" else one.path.rpartition(".")[2],
        detail=one.word if one.word == "scenario" else f"{one.word} {one.title}".strip(),
        kind=symbol_kind(names, one.word),
        range=span_range(one.whole),
        selection_range=span_range(one.name),
        children=inner,
    )


def workspace_symbols(bench: Bench, names: Names, query: str) -> list[lsp.WorkspaceSymbol]:
    """Everything in the stack in whose name or title the letters of the query stand in order."""
    wanted = re.compile(".*?".join(map(re.escape, query.casefold())))
    found: list[lsp.WorkspaceSymbol] = []
    for one in names.declarations():
        if not wanted.search(f"{one.path} {one.title}".casefold()):
            continue
        place = location(bench, one.name)
        if place is not None:
            name = one.title if one.word == "scenario" else one.path
            kind = symbol_kind(names, one.word)
            found.append(lsp.WorkspaceSymbol(place, name, kind, container_name=one.word))
        if len(found) >= MOST_SYMBOLS:
            break
    return found
