"""What may be written at a place of a text that is not finished.

The parser is run up to the place and says which words of the language may follow. Where a name may,
a probe is written there, the item is finished in the shortest way the grammar knows, and the
declaration is linked beside the last good world (`linking.probing`): whatever that compares the
probe with may be written.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.item_words import may_begin
from ziggurat.dsl.lexer import NEW_LINE, TokenList, tokenize
from ziggurat.dsl.linking.expressions import FUNCTIONS
from ziggurat.dsl.linking.mentions import BODY, FIELD
from ziggurat.dsl.linking.model import BUILT_IN, NESTABLE
from ziggurat.dsl.linking.named import Names
from ziggurat.dsl.linking.probing import probe
from ziggurat.dsl.nearest import PROBE, Heard
from ziggurat.dsl.parse import parse_source, parser_of
from ziggurat.dsl.parser_base import Frame, Parser
from ziggurat.dsl.recovery import Recovery
from ziggurat.dsl.syntax import Declaration, Node, Token
from ziggurat.dsl.table_parser import Program, TableParser
from ziggurat.dsl.tables import keywords

CURSOR = "CURSOR"
MOST_TRIED = 2_000
LONGEST_END = 9
# What ends something that was begun comes first, then what is short.
_CLOSING = ("RPAR", "RSQB", "RBRACE", "NAME", "INT", "STRING", "LBRACE", "COLON")
_SPELLED = {
    "NAME": "zz_other", "INT": "1", "STRING": '"…"', "TAG": "Z-1", "COMPARE": "==", "LPAR": "(",
    "RPAR": ")", "LSQB": "[", "RSQB": "]", "LBRACE": "{", "RBRACE": "}", "COLON": ":", "COMMA": ",",
    "EQUAL": "=", "PLUS": "+", "MINUS": "-", "STAR": "*", "SLASH": "/", "DOT": ".",
}  # fmt: skip
_GOING_ON = frozenset(
    ("PLUS", "MINUS", "STAR", "SLASH", "MOD", "DOT", "COMMA", "LSQB", "LPAR", "AND", "OR", "IF",
     "COMPARE", "HOLDS", "WITH")
)  # fmt: skip
_ATOMS = frozenset({"INT", "STRING", "YES", "NO", "NONE", "NOT", "LPAR", "LSQB", "MINUS", "PLUS"})
# How a name at the beginning of an item, and one anywhere else, may go on.
_ITEM_FORMS = ("", ": zz_other", "()", " {}", " is done")
_OTHER_FORMS = ("", "()")
FUNCTION, WORD, NAME = "function", "word", "name"


@attrs.frozen
class Candidate:
    """Something that may be written. `word` is what it is: a word of the language (`word`), a
    function of it, a name in sight, or what declares it; `fits` whether it has the type that is
    wanted, where one is."""

    text: str
    word: str
    path: str = ""
    fits: bool = True


@attrs.frozen(eq=False)
class _Reached:
    """A parser that has come to the cursor, where the declaration around it begins, and the first
    words of the items around it."""

    parser: Parser
    start: int
    heads: tuple[str, ...]
    at_item: bool
    after_dot: bool


class _CursorReached(Exception):  # noqa: N818 - nothing went wrong
    pass


def completions(names: Names | None, source: Source, offset: int) -> list[Candidate]:
    """All that may stand where a word begins, in no order that matters."""
    reached = _reach(source, offset)
    if reached is None:
        return []
    expected = reached.parser.expected()
    spelled = {kind: word for word, kind in keywords().items()}
    words = [spelled[kind] for kind in sorted(expected) if kind in spelled]
    if reached.at_item:
        words = [word for word in words if may_begin(word, reached.heads)]
    found = [Candidate(word, WORD) for word in words]
    if names is None:
        return found
    if "NAME" in expected and isinstance(reached.parser, TableParser):
        found += _named(names, source, offset, reached)
    if "TAG" in expected:
        pages = (names.world.book.of(word) for word in ("question", "clarification"))
        found += [Candidate(path, "tag", path) for page in pages for path in page]
    return list(dict.fromkeys(found))


def _reach(source: Source, offset: int) -> _Reached | None:
    """Read everything before the cursor, mistakes and all."""
    before = source.text[:offset]
    tokens = tokenize(Source(source.path, before + PROBE, source.pack))
    last = len(tokens.kinds) - 2
    if last < 0 or tokens.kinds[last] != "NAME" or tokens.text(last) != PROBE:
        return None  # within a comment, a text or a word
    tokens.kinds[last] = CURSOR
    recovery = Recovery(tokens, [])

    def stop_or_mend(parser: Parser, at: int) -> int:
        if at >= last:
            raise _CursorReached
        return min(recovery(parser, at), last)

    parser = parser_of(tokens, stop_or_mend)
    try:
        parser.run()
    except _CursorReached:
        top = parser.frames[0]
        assert top is not None
        line = top.line + (tokens.kinds[top.line] == NEW_LINE)
        inner = parser.frames[-1]
        at_item = inner is not None and inner.line + (tokens.kinds[inner.line] == NEW_LINE) >= last
        heads = tuple(_head(tokens, frame) for frame in parser.frames[:-1] if frame is not None)
        after_dot = last > 0 and tokens.kinds[last - 1] == "DOT"
        start = tokens.starts[min(line, last)]
        return _Reached(parser, start, heads, at_item, after_dot)
    return None


def _head(tokens: TokenList, frame: Frame) -> str:
    """The first word of the item that a block belongs to; `open` and `replace` stand before it."""
    at = frame.line + (tokens.kinds[frame.line] == NEW_LINE)
    word = tokens.text(at)
    return tokens.text(at + 1) if word in ("open", "replace") else word


def _named(names: Names, source: Source, offset: int, reached: _Reached) -> Iterator[Candidate]:
    parser = reached.parser
    assert isinstance(parser, TableParser)
    for form in _ITEM_FORMS if reached.at_item else _OTHER_FORMS:
        states: list[int] | None = parser.states
        for kind in ("NAME", *_kinds(form)):
            states = parser.program.after(states, kind) if states else None
        ending = _ending(parser, states) if states else None
        if ending is None:
            continue
        rest = " ".join(_spelled(kind) for kind in ending)
        closing = "\n}" * sum(frame is not None for frame in parser.frames[1:])
        text = f"{source.text[reached.start : offset]}{PROBE}{form} {rest}{closing}\n"
        found = _in_text(names, Source(source.path, text, source.pack))
        yield from _members(names, found, form) if reached.after_dot else found


def _members(names: Names, found: Iterable[Candidate], form: str) -> Iterator[Candidate]:
    """After a dot stands what something has: fields and attributes, or what a path goes on with."""
    blocks = {name for info in names.world.kinds.values() for name in info.bodies}
    for one in found:
        if one.path != one.text:
            yield one
        elif not form:
            yield Candidate(one.text, FIELD)
        elif one.text in blocks:
            yield Candidate(one.text, BODY)


@cache
def _kinds(form: str) -> tuple[str, ...]:
    return tuple(kind for kind in tokenize(Source("", form)).kinds[:-1])


@cache
def _spelled(kind: str) -> str:
    spelled = {one: word for word, one in keywords().items()}
    return _SPELLED.get(kind) or spelled.get(kind, "zz_other")


def _ending(parser: TableParser, states: list[int]) -> tuple[str, ...] | None:
    """The shortest way to finish an item, found by trying; None if it is too long."""
    return _shortest(parser.program, tuple(states))


@lru_cache(4096)
def _shortest(program: Program, states: tuple[int, ...]) -> tuple[str, ...] | None:
    waiting: deque[tuple[list[int], tuple[str, ...]]] = deque([([*states], ())])
    tried = 0
    while waiting and tried < MOST_TRIED:
        now, so_far = waiting.popleft()
        if program.after(now, NEW_LINE) is not None:
            return so_far
        if len(so_far) >= LONGEST_END:
            continue
        for kind in _continuations(program, now):
            tried += 1
            then = program.after(now, kind)
            if then is not None:
                waiting.append((then, (*so_far, kind)))
    return None


def _continuations(program: Program, states: list[int]) -> list[str]:
    row = [kind for kind in program.tables.actions[states[-1]] if kind not in _GOING_ON]
    if "NAME" in row:
        row = [kind for kind in row if kind not in _ATOMS]
    first = [kind for kind in _CLOSING if kind in row]
    return [*first, *(kind for kind in row if kind not in first and kind.isupper())]


def _in_text(names: Names, source: Source) -> Iterator[Candidate]:
    file, _ = parse_source(source)
    for top in file.tops:
        if not _holds_probe(top):
            continue
        yield from _by_syntax(names, top)
        heard = probe(names.world, file, top)
        yield from _heard(names, heard)


def _holds_probe(part: Any) -> bool:
    return any(PROBE in token for token in _tokens(part))


def _tokens(part: Any) -> Iterator[Token]:
    if isinstance(part, Token):
        yield part
    elif isinstance(part, Node):
        for one in part.parts:
            yield from _tokens(one)
    elif isinstance(part, Declaration):
        yield part.word
        yield from part.path
        rest = (*(part.params or ()), *part.heads, part.type, part.default, *part.metas)
        for one in (*rest, *(part.items or ())):
            yield from _tokens(one)


def _heard(names: Names, heard: Heard) -> Iterator[Candidate]:
    wanted = {type_.name for type_ in heard.wanted} | {
        type_.item.name for type_ in heard.wanted if type_.item
    }
    for written, known in heard.known:
        stem = written.partition(PROBE)[0]
        for one in known:
            rest = one[len(stem) :]
            if one.startswith(stem) and rest and PROBE not in rest and not rest.startswith("zz_"):
                yield _candidate(names, one, rest, wanted)


def _candidate(names: Names, path: str, text: str, wanted: set[str]) -> Candidate:
    world = names.world
    kinds = world.kinds_of_name.get(path, ())
    for kind in sorted(kinds, key=lambda one: one not in wanted):
        return Candidate(text, kind, path, not wanted or kind in wanted)
    pages: tuple[tuple[str, Any], ...] = (
        ("value", world.values), ("procedure", world.procedures), ("order", world.orders),
        ("action", world.actions), ("decision", world.decisions), ("kind", world.kinds),
        ("piece", world.pieces), ("piece", world.groups), ("place", world.places),
        ("phase", world.phases), ("option", world.options), ("cards", world.families),
        ("neutral", world.neutrals), ("step", world.steps), (FUNCTION, FUNCTIONS),
        ("given", world.book.of("given")),
    )  # fmt: skip
    for word, page in pages:
        if path in page:
            return Candidate(text, word, path)
    if f"table.{path}" in world.attributes:
        return Candidate(text, "attribute", f"table.{path}")
    return Candidate(text, NAME, path)


def _by_syntax(names: Names, top: Any) -> Iterator[Candidate]:
    """What the place alone says, before anything is linked."""
    book = names.world.book
    if isinstance(top, Declaration):
        yield from _words(names, top.word, (*BUILT_IN, *names.world.kinds))
        for item in top.items or ():
            if isinstance(item, Declaration):
                yield from _words(names, item.word, _inside(names, top))
        yield from _packs(names, top.heads)
        return
    parts = top.parts
    if top.rule in ("amend", "remove_decl", "rename_decl", "expects") and parts:
        yield from _words(names, parts[0], (*BUILT_IN, *names.world.kinds))
        for path in parts[1:]:
            if getattr(path, "rule", "") == "path" and _holds_probe(path):
                yield from _ids(book.of(str(parts[0])), str(parts[0]), path)
    elif top.rule in ("open_decl", "replace_decl"):
        inner = parts[0]
        if isinstance(inner, Declaration):
            yield from _words(names, inner.word, (*BUILT_IN, *names.world.kinds))
            if top.rule == "replace_decl" and any(PROBE in token for token in inner.path):
                path = Node("path", inner.path, inner.start, inner.end)
                yield from _ids(book.of(str(inner.word)), str(inner.word), path)
    elif top.rule == "only_for":
        yield from _pack_names(names)


def _words(names: Names, token: Any, known: Iterable[str]) -> Iterator[Candidate]:
    if PROBE in str(token):
        for one in known:
            yield Candidate(one, "kind" if one in names.world.kinds else WORD, one)


def _inside(names: Names, top: Declaration) -> Iterable[str]:
    if top.word == "scenario":
        return names.world.kinds
    return ("relation", "body") if top.word == "kind" else sorted(NESTABLE)


def _ids(page: Iterable[str], word: str, path: Node) -> Iterator[Candidate]:
    stem = ".".join(path.parts).partition(PROBE)[0]
    for one in page:
        if one.startswith(stem):
            yield Candidate(one[len(stem) :], word, one)


def _packs(names: Names, heads: Iterable[Node]) -> Iterator[Candidate]:
    if any(head.rule == "head_for" and _holds_probe(head) for head in heads):
        yield from _pack_names(names)


def _pack_names(names: Names) -> Iterator[Candidate]:
    for one in names.world.stack.known() or names.world.stack.ids:
        yield Candidate(one, "pack", one)
