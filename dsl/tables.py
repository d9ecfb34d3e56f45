"""The parser's tables: worked out by Lark from `grammar.lark` (`dsl.lark_tables`), kept as data.

Working them out takes Lark longer than reading a whole pack, so they are kept in the user's cache
folder under a key made of the grammar; Lark need not even be loaded then. They are JSON with a
checksum: a damaged file is worked out again, and a new one replaces the old in one move, so that
processes never see half of it.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from ziggurat.dsl.files import cache_folder, read_cached, write_cached
from ziggurat.dsl.grammar import (
    grammar_text,
    item_starts_by_lark,
    lark_version,
    spelled_by_lark,
)
from ziggurat.dsl.lark_tables import work_out

FORMAT = "4"
_NONE_FOR = "none for Lark"


@attrs.frozen
class Rule:
    """What to do when the right side of a grammar rule has been read.

    `steps` says which of its symbols stay: None for an optional part that is absent, `n` for the
    n-th symbol, `~n` for the members of the n-th, which is a list. `passes` marks rules that are
    only a step of precedence and hand on their one symbol.
    """

    origin: str
    name: str
    size: int
    steps: tuple[int | None, ...]
    expands: bool
    passes: bool
    is_list: bool


@attrs.frozen(eq=False)
class Tables:
    """`actions[state][terminal]`: a state to go to, or `~rule` to reduce by; `gotos` likewise."""

    actions: tuple[dict[str, int], ...]
    gotos: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    starts: dict[str, int]
    ends: dict[str, int]
    literals: dict[str, str]


@cache
def tables() -> Tables | None:
    """The tables of the grammar, from the cache if they are there and whole.

    None when the Lark that is installed has none whose trees are those of Lark's own parser. That
    is asked once for each release of Lark, before tables are kept, and then kept as well.
    """
    packed, is_kept = _found()
    if is_kept:
        return _unpack(packed) if packed else None
    from ziggurat.dsl.lark_fallback import agrees_with_lark

    usable = _unpack(packed) if packed else None
    if usable is not None and not agrees_with_lark(usable):
        usable = None
    _save(_place(), packed if usable else {_NONE_FOR: lark_version()})
    return usable


@cache
def _found() -> tuple[dict[str, Any], bool]:
    """The tables as they are kept or worked out, empty if there are none, and whether kept."""
    kept = _load(_place())
    if kept is not None and _NONE_FOR not in kept:
        return kept, True
    if kept is not None and kept[_NONE_FOR] == lark_version():
        return {}, True
    return work_out() or {}, False


@cache
def literals() -> dict[str, str]:
    """Every fixed word and symbol of the grammar, and its kind."""
    packed, _ = _found()
    return packed["literals"] if packed else spelled_by_lark()


@cache
def keywords() -> dict[str, str]:
    return {text: kind for text, kind in literals().items() if text.isalpha()}


@cache
def item_starts(is_top: bool) -> frozenset[str]:
    """The kinds of tokens that can begin an item of a file or of a block."""
    found = tables()
    if found is None:
        return item_starts_by_lark(is_top)
    if is_top:
        return frozenset(found.actions[found.starts["start"]])
    return frozenset(next(row for row in found.actions if "LET" in row and "RBRACE" in row))


def _place() -> Path:
    key = hashlib.sha256(f"{FORMAT} {grammar_text()}".encode()).hexdigest()[:20]
    return cache_folder() / f"tables-{key}.json"


def _load(place: Path) -> dict[str, Any] | None:
    try:
        checksum, body = (read_cached(place) or b"").split(b"\n", 1)
        if checksum != _checksum(body):
            return None
        loaded: dict[str, Any] = json.loads(body)
    except ValueError:
        return None
    return loaded


def _save(place: Path, packed: dict[str, Any]) -> None:
    """Keep the tables for next time; without a place to write, next time simply takes longer."""
    body = json.dumps(packed, separators=(",", ":"), sort_keys=True).encode()
    write_cached(place, _checksum(body) + b"\n" + body)


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _unpack(packed: dict[str, Any]) -> Tables:
    return Tables(
        actions=tuple(packed["actions"]),
        gotos=tuple(packed["gotos"]),
        rules=tuple(
            Rule(origin, name, size, tuple(steps), expands, passes, is_list)
            for origin, name, size, steps, expands, passes, is_list in packed["rules"]
        ),
        starts=packed["starts"],
        ends=packed["ends"],
        literals=packed["literals"],
    )
