"""Every head and every item in every declaration: linking gives findings with places, no exception.

The texts are made from the grammar: the shortest form of each alternative of `head` and `item`. A
sample runs each time, all of them with `-m soak`.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from lark.grammar import NonTerminal

from tests.dsl.linked import BASE
from tests.dsl.test_fuzz import depth_of, grammar
from ziggurat.dsl.codes import all_codes
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.model import BUILT_IN
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.tables import literals

SPELLED = {"INT": "3", "STRING": '"T"', "TAG": "R-1", "COMPARE": "<", "_NL": "\n"}
NAMES = ("a", "a.b", 'a "T"', '"T"', 'R-1 "T"')
TYPES = (": int", ": set of int", ": list of int", ": int -> int", ": bool or none", "= 1", "= x")
MORE_HEADS = ("of set of int", "by p(q: int)", "by p(q from 1..2)", "(q: int)", '(q from "F")')


@cache
def shortest(rule: str, name: str) -> tuple[str, ...]:
    """Return the shortest text of each alternative of a rule of the grammar."""
    rules, _ = grammar()
    texts: list[str] = []
    for expansion in rules[rule]:
        if len(expansion) == 1 and isinstance(expansion[0], NonTerminal) and rule != "head":
            texts += shortest(str(expansion[0].name), name)
        else:
            texts.append(" ".join(word for part in expansion for word in _words(part, name)))
    return tuple(dict.fromkeys(texts))


def _words(symbol: Any, name: str) -> Iterator[str]:
    rules, depths = grammar()
    text_of = {kind: text for text, kind in literals().items()} | SPELLED | {"NAME": name}
    if not isinstance(symbol, NonTerminal):
        yield text_of[str(symbol.name)]
        return
    for part in min(rules[str(symbol.name)], key=lambda one: depth_of(one, depths) or 0):
        yield from _words(part, name)


def grid() -> Iterator[str]:
    for name in ("alpha", "reds", "man"):
        for word in BUILT_IN:
            for head in (*shortest("head", name), *MORE_HEADS, *TYPES):
                yield from (f"{word} {title} {head}" for title in NAMES)
                yield f'{word} a {head} {{ needs "x" }}'
            for item in shortest("item", name):
                yield f'{word} a "T" {{\n  {item}\n  {item}\n}}'
                yield f"{word} a in play by p {{\n  leave\n  {item}\n}}"
                yield f'{word} a "T" {{\n  given {{ {item} }}\n  expect {{ {item} }}\n}}'


def link_beside_other_packs(text: str) -> list[Any]:
    """Link a text on the small game, in a library that has another pack."""
    manifests = [_manifest("base"), _manifest("game", 'extends = ["base"]\n')]
    sources = [Source("base/base.rules", BASE, "base"), Source("game/game.rules", text, "game")]
    stack = Stack(tuple(manifests), ("base", "game"), lambda: ("base", "game", "other"))
    return list(load_sources(sources, stack).diagnostics)


def _manifest(name: str, rest: str = "") -> Any:
    text = f'id = "{name}"\ntitle = "T"\nversion = "1"\n{rest}'
    return parse_manifest(Source(f"{name}/pack.toml", text, name), name)


def check_text(text: str) -> None:
    for finding in link_beside_other_packs(text):
        assert finding.code in all_codes(), text
        assert finding.span is not None, (text, finding)
        assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.source.text), text


@pytest.mark.parametrize(
    "text",
    [
        "scenario a of int",
        "action by{leave\n   board as",
        'action p(source from "F") { needs "x" }',
    ],
)
def test_text_that_once_failed(text: str) -> None:
    check_text(text)


def test_sample_of_grid_has_findings_with_places() -> None:
    for text in random.Random(26).sample(list(grid()), 300):
        check_text(text)


@pytest.mark.soak
def test_whole_grid_has_findings_with_places() -> None:
    for text in grid():
        check_text(text)
