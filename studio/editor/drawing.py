"""How a text looks: colours by meaning, folds, and the names of parameters before arguments."""

from collections.abc import Iterable

from lsprotocol import types as lsp

from ziggurat import NamePlace, Names, Source, calls, colours, folds
from ziggurat.studio.editor.places import offset, position

TYPES = (
    "keyword", "comment", "string", "number", "variable", "function", "method", "class",
    "property", "enumMember", "event", "struct", "macro", "label",
)  # fmt: skip
MODIFIERS = ("declaration", "modification")
LEGEND = lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
_PLAIN = {"word": "keyword", "comment": "comment", "text": "string", "number": "number",
          "tag": "macro"}  # fmt: skip
_NAMED = {
    "local": "variable", "value": "function", "order": "function", "procedure": "method",
    "action": "method", "body": "method", "kind": "class", "cards": "class", "field": "property",
    "attribute": "property", "bundle": "property", "option": "property", "decision": "event",
    "phase": "event", "turn": "event", "piece": "struct", "place": "struct", "step": "label",
    "source": "macro", "tag": "macro",
}  # fmt: skip
_CALLED = frozenset({"value", "order", "procedure", "action", "body"})
MOST_HINTS = 500


def semantic_tokens(names: Names | None, source: Source) -> lsp.SemanticTokens:
    """Every word by what it is; of several meanings the last and most telling counts."""
    found: dict[int, tuple[int, str, int]] = {
        one.start: (one.end, _PLAIN[one.sort], 0) for one in colours(source)
    }
    current = names is not None and names.source(source.path) == source
    if names is None or not current:
        return lsp.SemanticTokens(_encoded(source, found))
    for place in names.in_file(source.path):
        if place.span.text.startswith('"'):
            continue
        start = place.span.start
        old = found.get(start)
        if old is None or old[1] in ("keyword", "variable"):
            sort = _NAMED.get(place.word, "enumMember")
            found[start] = (place.span.end, sort, int(_is_made(names, place)))
    return lsp.SemanticTokens(_encoded(source, found))


def _is_made(names: Names, place: NamePlace) -> bool:
    """Whether something is declared here; names that are made on the way are not worth a search."""
    return place.word != "local" and place.span in names.declared(place.word, place.path)


def _encoded(source: Source, found: dict[int, tuple[int, str, int]]) -> list[int]:
    data: list[int] = []
    line = character = 0
    for start in sorted(found):
        end, sort, modifiers = found[start]
        at, last = position(source, start), position(source, end)
        if at.line != last.line or last.character <= at.character:
            continue
        if at.line != line:
            character = 0
        data += (at.line - line, at.character - character, last.character - at.character,
                 TYPES.index(sort), modifiers)  # fmt: skip
        line, character = at.line, at.character
    return data


def folding(source: Source) -> list[lsp.FoldingRange]:
    """Blocks, and comments of several lines."""
    blocks = [lsp.FoldingRange(first - 1, last - 1) for first, last in folds(source)]
    return [*blocks, *_comments(source)]


def _comments(source: Source) -> Iterable[lsp.FoldingRange]:
    first = 0
    for number in range(1, source.line_count + 2):
        if source.line(number).startswith("#"):
            first = first or number
            continue
        if first and number - first > 1:
            yield lsp.FoldingRange(first - 1, number - 2, kind=lsp.FoldingRangeKind.Comment)
        first = 0


def hints(names: Names | None, source: Source, within: lsp.Range) -> list[lsp.InlayHint]:
    """The names of parameters, where an argument does not say it itself."""
    if names is None or names.source(source.path) != source:
        return []
    first, last = offset(source, within.start), offset(source, within.end)
    meanings: dict[int, NamePlace] = {
        one.span.start: one for one in names.in_file(source.path) if one.word in _CALLED
    }
    found: list[lsp.InlayHint] = []
    for call in calls(source):
        place = meanings.get(call.name.start)
        if place is None or not first <= call.name.start <= last:
            continue
        params = names.parameters(place.word, place.path) or []
        for (name, _), argument in zip(params, call.arguments, strict=False):
            if argument.text != name and argument.text != "holder":
                where = position(source, argument.start)
                kind = lsp.InlayHintKind.Parameter
                found.append(lsp.InlayHint(where, f"{name}:", kind, padding_right=True))
    return found[:MOST_HINTS]
