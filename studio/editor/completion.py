"""Completion, and help with what a call takes."""

from collections.abc import Iterable

from lsprotocol import types as lsp

from ziggurat import (
    MANIFEST,
    Candidate,
    Names,
    Search,
    Source,
    Span,
    call_around,
    completions,
    described,
    find_packs,
    manifest_completions,
)
from ziggurat.studio.editor.places import position, word_start

_SORTS = lsp.CompletionItemKind
_KINDS = {
    "word": _SORTS.Keyword, "function": _SORTS.Function, "name": _SORTS.Variable,
    "value": _SORTS.Function, "order": _SORTS.Function, "procedure": _SORTS.Method,
    "action": _SORTS.Method, "phase": _SORTS.Event, "kind": _SORTS.Class, "cards": _SORTS.Class,
    "field": _SORTS.Field, "attribute": _SORTS.Property, "body": _SORTS.Method,
    "option": _SORTS.Constant, "decision": _SORTS.Event, "piece": _SORTS.Struct,
    "place": _SORTS.Struct, "pack": _SORTS.Module, "key": _SORTS.Property,
}  # fmt: skip
_CALLED = frozenset({"value", "procedure", "action", "body"})
MOST = 250
_FIRST = ("name", "field", "key", "pack")


def complete(
    names: Names | None, search: Search, source: Source, offset: int, snippets: bool
) -> lsp.CompletionList:
    """What may stand where the word begins that ends at a place."""
    start = word_start(source, offset)
    if source.path.endswith(MANIFEST):
        found = manifest_completions(source.text, start, find_packs(search))
    else:
        found = completions(names, source, start)
    span = source.span(start, offset)
    fitting = sorted((one for one in found if _begun(one.text, span.text)), key=_order)
    items = [_item(names, one, span, snippets) for one in fitting[:MOST]]
    return lsp.CompletionList(is_incomplete=len(fitting) > MOST, items=items)


def _begun(text: str, letters: str) -> bool:
    """Whether the letters stand in a text in this order: what editors call a match."""
    rest = iter(text.casefold())
    return all(letter in rest for letter in letters.casefold())


def _order(one: Candidate) -> tuple[int, str]:
    return _rank(one), one.text


def _item(names: Names | None, one: Candidate, span: Span, snippets: bool) -> lsp.CompletionItem:
    where = lsp.Range(position(span.source, span.start), position(span.source, span.end))
    params = names.parameters(one.word, one.path) if names is not None else None
    takes = f"({', '.join(name for name, _ in params)})" if params is not None else ""
    text, snippet = one.text, False
    follows = span.source.text[span.end : span.end + 1]
    if one.word in _CALLED and params is not None and follows != "(":
        text, snippet = _call(one.text, [name for name, _ in params], snippets)
    return lsp.CompletionItem(
        label=one.text,
        label_details=lsp.CompletionItemLabelDetails(takes, one.word),
        kind=_KINDS.get(one.word, _SORTS.Value),
        detail=one.word if not takes else f"{one.word} {one.path}{takes}",
        text_edit=lsp.TextEdit(where, text),
        insert_text_format=lsp.InsertTextFormat.Snippet if snippet else None,
        sort_text=f"{_rank(one)}{one.text}",
        filter_text=one.text,
        data={"word": one.word, "path": one.path or one.text},
    )


def _call(name: str, params: Iterable[str], snippets: bool) -> tuple[str, bool]:
    """A call with a place to go to for each argument."""
    named = list(params)
    if not snippets:
        return f"{name}({', '.join(named)})", False
    holes = ", ".join(f"${{{number}:{one}}}" for number, one in enumerate(named, 1))
    return f"{name}({holes})", True


def _rank(one: Candidate) -> int:
    if one.word in _FIRST:
        return 0
    return 3 if one.word == "word" else 1 if one.fits else 2


def resolve(names: Names | None, item: lsp.CompletionItem) -> lsp.CompletionItem:
    """What there is to say about the one somebody looks at."""
    data = item.data if isinstance(item.data, dict) else {}
    told = described(names, data.get("word", ""), data.get("path", "")) if names else None
    if told is not None:
        parts = (told.title, told.comment, told.value, told.cites)
        text = "\n\n".join(part for part in parts if part)
        item.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
        item.detail = told.head
    return item


def signature_help(names: Names | None, source: Source, offset: int) -> lsp.SignatureHelp | None:
    """The parameters of the call that is being written."""
    around = call_around(source, offset)
    if around is None or names is None:
        return None
    called, number = around
    found = names.callable(called.text)
    if found is None:
        return None
    word, path = found
    params = names.parameters(word, path) or []
    written = [f"{name}: {type_}" for name, type_ in params]
    told = described(names, word, path)
    label = f"{called.text}({', '.join(written)})"
    return lsp.SignatureHelp(
        signatures=[
            lsp.SignatureInformation(
                label=label,
                documentation=told.title if told is not None else None,
                parameters=[lsp.ParameterInformation(one) for one in written],
            )
        ],
        active_signature=0,
        active_parameter=min(number, max(len(written) - 1, 0)),
    )
