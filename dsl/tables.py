"""The parser's tables: worked out by Lark from `grammar.lark`, kept as plain data.

Working them out takes Lark longer than reading a whole pack, so they are kept in the user's cache
folder under a key made of the grammar and Lark's version. They are JSON with a checksum: a damaged
file, or one from a stranger, can do no worse than be worked out again, and a new one replaces the
old in one move, so that processes never see half of it. This module, `files` and the loader
are the only ones of `dsl` that touch files.
"""

import contextlib
import hashlib
import json
import tomllib
from functools import cache
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import platformdirs

from ziggurat.dsl.files import replace_file

if TYPE_CHECKING:
    from lark import Lark

FORMAT = "2"
STARTS = ("start", "expr")
END = "$END"


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

    @property
    def keywords(self) -> dict[str, str]:
        return {text: kind for text, kind in self.literals.items() if text.isalpha()}


@cache
def tables() -> Tables:
    """The tables of the grammar, from the cache if they are there and whole."""
    grammar = grammar_text()
    key = hashlib.sha256(f"{FORMAT} {version('lark')} {grammar}".encode()).hexdigest()[:20]
    place = _folder() / f"tables-{key}.json"
    kept = _load(place)
    if kept is None:
        kept = _work_out()
        _save(place, kept)
    return _unpack(kept)


@cache
def vocabulary() -> dict[str, Any]:
    """`words.toml`: how the tools call the parts of the language when they speak to people."""
    return tomllib.loads(
        resources.files("ziggurat.dsl").joinpath("words.toml").read_text(encoding="utf-8")
    )


def grammar_text() -> str:
    return resources.files("ziggurat.dsl").joinpath("grammar.lark").read_text(encoding="utf-8")


def lark_parser(**options: Any) -> "Lark":
    """Lark's own parser of the grammar: where the tables come from, and what they are tested by."""
    from lark import Lark

    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        maybe_placeholders=True,
        **options,
    )


def _folder() -> Path:
    return Path(platformdirs.user_cache_dir("ziggurat", appauthor=False))


def _load(place: Path) -> dict[str, Any] | None:
    try:
        checksum, body = place.read_bytes().split(b"\n", 1)
        if checksum != _checksum(body):
            return None
        loaded: dict[str, Any] = json.loads(body)
    except (OSError, ValueError):
        return None
    return loaded


def _save(place: Path, packed: dict[str, Any]) -> None:
    """Keep the tables for next time; without a place to write, next time simply takes longer."""
    body = json.dumps(packed, separators=(",", ":"), sort_keys=True).encode()
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, _checksum(body) + b"\n" + body)


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _work_out() -> dict[str, Any]:
    from lark.parsers.lalr_analysis import Shift

    lark = lark_parser()
    table = lark.parser.parser._parse_table
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    order = _reading_order(table, Shift)
    states = [
        {
            str(symbol): order[arg] if act is Shift else ~rules[arg]
            for symbol, (act, arg) in sorted(table.states[state].items())
        }
        for state in order
    ]
    terminals = {terminal.name for terminal in lark.terminals} | {END}
    return {
        "actions": [{s: a for s, a in row.items() if s in terminals} for row in states],
        "gotos": [{s: a for s, a in row.items() if s not in terminals} for row in states],
        "rules": [_recipe(rule) for rule in lark.rules],
        "starts": {start: order[state] for start, state in table.start_states.items()},
        "ends": {start: order[state] for start, state in table.end_states.items()},
        "literals": {
            terminal.pattern.value: terminal.name
            for terminal in lark.terminals
            if terminal.pattern.type == "str"
        },
    }


def _reading_order(table: Any, shift: Any) -> dict[int, int]:
    """New numbers for Lark's states, as they are reached; its own differ from run to run."""
    order: dict[int, int] = {}
    waiting = [table.start_states[start] for start in STARTS]
    for state in waiting:
        if state not in order:
            order[state] = len(order)
            row = sorted(table.states[state].items())
            waiting += [arg for _, (act, arg) in row if act is shift]
    return order


def _recipe(rule: Any) -> list[Any]:
    """Lark's wishes for the shape of the tree, as `Rule` has them."""
    absent = rule.options.empty_indices or (False,) * len(rule.expansion)
    symbols = iter(enumerate(rule.expansion))
    steps: list[int | None] = []
    for is_absent in absent:
        if is_absent:
            steps.append(None)
            continue
        number, symbol = next(symbols)
        if not (symbol.is_term and symbol.filter_out):
            is_list = not symbol.is_term and symbol.name.startswith("_")
            steps.append(~number if is_list else number)
    origin = str(rule.origin.name)
    name = str(rule.alias or origin)
    expands = rule.options.expand1 and not rule.alias
    passes = expands and len(rule.expansion) == 1 and steps == [0]
    return [
        origin,
        name,
        len(rule.expansion),
        steps,
        expands,
        passes,
        origin.startswith("_"),
    ]


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
