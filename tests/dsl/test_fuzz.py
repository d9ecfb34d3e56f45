"""Random texts: nothing but findings comes of them, and soon; what is right survives the formatter.

2,000 inputs run each time, 100,000 with `-m soak`.
"""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lark.grammar import NonTerminal

from tests.effort import for_text, within
from ziggurat.dsl.codes import all_codes
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.format import format_checked
from ziggurat.dsl.format_spacing import same
from ziggurat.dsl.grammar import lark_parser
from ziggurat.dsl.lexer import tokenize
from ziggurat.dsl.parse import parse_expression, read
from ziggurat.dsl.report_text import human_text
from ziggurat.dsl.tables import literals

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "content").rglob("*.rules"), *(ROOT / "docs").rglob("*.rules")])
LONGEST_SENTENCE = 120
Check = Callable[[str], None]


@cache
def texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in FILES]


@cache
def vocabulary() -> list[str]:
    """Words of real files, of the language, and some that belong nowhere."""
    words = tokenize(Source("", texts()[0]))
    real = {words.text(at) for at in range(len(words.kinds))}
    odd = {
        "“",
        "”",
        "≤",
        "&&",
        "!",
        "é",
        "\0",
        "'",
        '"',
        ";",
        "1.5",
        "//",
        "/*",
        "\t",
        "\r",
        "camelCase",
    }
    return sorted({*real, *literals(), *odd, "\n", "\n\n", "\n  ", "# note\n"})


@pytest.fixture(autouse=True, scope="module")
def warm() -> None:
    """What is worked out once and kept is no effort of the first text that needs it."""
    for seed in range(20):
        read(Source("warm.rules", soup(random.Random(seed))))


def check_text(text: str) -> None:
    reading = within(for_text(text), lambda: read(Source("fuzz.rules", text)))
    for finding in reading.findings:
        assert finding.code in all_codes()
        assert finding.span is not None
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
    assert all(word not in human_text(reading.findings[:3]) for word in ("_NL", "ANON", "LBRACE"))
    if len(text) < 200:
        parse_expression(text)


def check_promises(text: str) -> None:
    found = format_checked(Source("fuzz.rules", text))
    assert "Z130" not in [finding.code for finding in found.findings], text


def check_both(text: str) -> None:
    check_text(text)
    check_promises(text)


# ---- where the texts come from ------------------------------------------------------------------


def soup(chance: random.Random) -> str:
    """Words in no order."""
    words = vocabulary()
    return " ".join(chance.choice(words) for _ in range(chance.randrange(120)))


def mutated(chance: random.Random) -> str:
    """A piece of a real file with a few slips."""
    text = chance.choice(texts())
    start = chance.randrange(len(text))
    text = text[start : start + chance.randrange(1, 2_500)]
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(text) + 1)
        upto = min(len(text), at + chance.choice([0, 0, 1, 1, 2, 8]))
        slip = chance.choice(["", "", "{", "}", "(", ")", '"', "\n", chance.choice(vocabulary())])
        text = text[:at] + slip + text[upto:]
    return text


def derived(chance: random.Random) -> str:
    """A sentence of the grammar, in a layout nobody would choose."""
    words = sentence(chance)
    depth = 0
    pieces: list[str] = []
    for word in words:
        depth += (word in ("(", "[")) - (word in (")", "]"))
        room = chance.choice([" ", " ", " ", "   ", "\t"])
        inside = depth > 0 and word != "\n"
        pieces += [word, chance.choice([room, room, "\n", "  # note\n"]) if inside else room]
    return "".join(pieces)


@cache
def grammar() -> tuple[dict[str, list[Any]], dict[str, int]]:
    """The rules by name, and how deep the shallowest sentence of each is."""
    rules: dict[str, list[Any]] = {}
    for rule in lark_parser().rules:
        rules.setdefault(str(rule.origin.name), []).append(rule.expansion)
    depths: dict[str, int] = {}
    while len(depths) < len(rules):
        for name, expansions in rules.items():
            known = [d for d in (depth_of(e, depths) for e in expansions) if d is not None]
            if known:
                depths[name] = min(known) + 1
    return rules, depths


def depth_of(expansion: Any, depths: dict[str, int]) -> int | None:
    inner = [depths.get(str(s.name)) for s in expansion if isinstance(s, NonTerminal)]
    return None if None in inner else max((d for d in inner if d is not None), default=0)


def sentence(chance: random.Random) -> list[str]:
    rules, depths = grammar()
    spelling = {kind: text for text, kind in literals().items()}
    made = {
        "NAME": lambda: chance.choice(["alpha", "beta_2", "gamma", "delta", "W"]),
        "INT": lambda: str(chance.randrange(200)),
        "STRING": lambda: chance.choice(['"Title"', '"{alpha} loses 2."', '""']),
        "TAG": lambda: chance.choice(["R-4-03", "A-b-1"]),
        "COMPARE": lambda: chance.choice(["==", "!=", "<", ">="]),
        "_NL": lambda: "\n",
    }
    words: list[str] = []
    waiting: list[tuple[Any, int]] = [(NonTerminal("start"), 22)]
    while waiting:
        symbol, room = waiting.pop()
        name = str(symbol.name)
        if not isinstance(symbol, NonTerminal):
            words.append(made[name]() if name in made else spelling[name])
            continue
        long = len(words) + len(waiting) > LONGEST_SENTENCE
        fitting = [e for e in rules[name] if (depth_of(e, depths) or 0) < room and not long]
        fitting = fitting or [min(rules[name], key=lambda e: depth_of(e, depths) or 0)]
        waiting += [(part, room - 1) for part in reversed(chance.choice(fitting))]
    return words


SOURCES: dict[str, tuple[Callable[[random.Random], str], Check]] = {
    "soup": (soup, check_both),
    "mutated": (mutated, check_both),
    "derived": (derived, check_both),
}


@pytest.mark.parametrize("name", SOURCES)
@settings(max_examples=500)
@example(seed=261797413)
@given(seed=st.integers(0, 2**32))
def test_random_texts(name: str, seed: int) -> None:
    make, check = SOURCES[name]
    check(make(random.Random(seed)))


TOKENS = [*sorted(literals()), "alpha", "beta", "R-1", "7", '"T"', "\n", "\n", "\n  ", "\n    "]


def token_strings() -> st.SearchStrategy[str]:
    """Few tokens in any order and layout: each may stand next to each."""
    return st.lists(st.sampled_from(TOKENS), max_size=30).map(" ".join)


@settings(max_examples=500)
@given(text=token_strings())
def test_token_strings(text: str) -> None:
    check_both(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{a,\nb", "Z104"),
        ('glen n "N" { path south,\neast }', "Z119"),
        ("scenario s {\n  markers == 1\n      and a )= 0\n", "Z104"),
    ],
)
def test_recovery_ends_where_nothing_fits(text: str, code: str) -> None:
    reading = within(for_text(text), lambda: read(Source("fuzz.rules", text)))
    assert [finding.code for finding in reading.findings][:1] == [code]


def test_citations_of_something_inserted_stay_before_its_place() -> None:
    metas = f'tags A-1 cites "{"12, " * 20}" tags B-2'
    check_promises(f"amend gamma g {{ insert gamma h: gamma {metas} before beta\n gamma i }}\n")


def test_long_places_are_shown_soon() -> None:
    text = f"value v(): bool = {'not ' * 1500}yes\n"
    findings = read(Source("a.rules", text)).findings
    assert within(for_text(text), lambda: human_text(findings)).count("\n") < 8


def test_mistakes_in_sets_cause_no_others() -> None:
    reading = read(Source("a.rules", "scenario a {\n  check {a b} == 1\n  check c\n}\n"))
    assert [finding.code for finding in reading.findings] == ["Z119"]


@settings(max_examples=500)
@given(data=st.binary(max_size=400))
def test_random_bytes(data: bytes) -> None:
    check_text(data.decode("utf-8", "replace"))
    check_text(data.decode("latin-1"))


@settings(max_examples=100)
@given(text=st.text(max_size=200))
def test_random_letters(text: str) -> None:
    check_both(text)


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_what_the_grammar_makes_is_read_whatever_its_layout(seed: int) -> None:
    """The same words in two layouts give the same tree."""
    words = sentence(random.Random(seed))
    plain = read(Source("a.rules", " ".join(words)))
    other = read(Source("b.rules", derived(random.Random(seed))))
    if not plain.findings:
        assert other.findings == []
        assert same(plain.file.tops, other.file.tops)


@pytest.mark.soak
@settings(max_examples=100_000)
@given(text=token_strings())
def test_a_hundred_thousand_token_strings(text: str) -> None:
    check_both(text)


@pytest.mark.soak
def test_a_hundred_thousand_texts() -> None:
    chance = random.Random(2019)
    for number in range(100_000):
        make, check = chance.choice([*SOURCES.values()])
        check(make(random.Random(number)))
