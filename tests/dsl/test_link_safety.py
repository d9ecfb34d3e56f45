"""Whatever a pack says, linking gives findings, never an exception."""

import random
import re
from functools import cache

import attrs
import pytest

from tests.dsl.linked import BASE, link_text
from tests.dsl.regold import cases
from tests.dsl.test_link_hashing import GAME
from ziggurat.dsl import nearest
from ziggurat.dsl.codes import page
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.packs import Search, Stack, read_sources, resolve_stack

WORDS = re.compile(r"\w+|[^\w\s]|\s+")
TEXTS = [case.read_text(encoding="utf-8") for case in cases()]
PIECES = WORDS.findall(BASE + GAME)


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few words changed, lost, added, swapped or cut out."""
    words = WORDS.findall(text)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        at = chance.randrange(len(words) + 1)
        match chance.randrange(4):
            case 0:
                words[at : at + 1] = [chance.choice(PIECES)]
            case 1:
                del words[at : at + chance.choice((1, 1, 20))]
            case 2:
                words.insert(at, chance.choice(PIECES))
            case _:
                chance_at = chance.randrange(len(words) + 1)
                words[at : at + 1], words[chance_at : chance_at + 1] = (
                    words[chance_at : chance_at + 1],
                    words[at : at + 1],
                )
    return "".join(words)


def survive(seeds: range) -> None:
    for seed in seeds:
        chance = random.Random(seed)
        case = chance.choice((GAME, GAME, chance.choice(TEXTS)))
        if chance.random() < 0.5:
            link_text(mutated(case, chance))
        else:
            link_text(case, mutated(BASE, chance))


def test_mutated_packs_give_findings() -> None:
    survive(range(200))


@pytest.mark.soak
def test_many_mutated_packs_give_findings() -> None:
    survive(range(200, 100_000))


# ---- real packs ---------------------------------------------------------------------------------


@cache
def real(name: str) -> tuple[Stack, tuple[Source, ...]]:
    stack, _ = resolve_stack(name, Search.default())
    assert stack is not None
    sources, _ = read_sources(stack)
    return stack, tuple(sources)


def survive_real(seeds: range) -> None:
    """Slips in one file of a whole game: findings with known codes, and an error or a ruleset."""
    for seed in seeds:
        chance = random.Random(seed)
        stack, sources = real(chance.choice(("west+expert", "east")))
        at = chance.randrange(len(sources))
        slipped = attrs.evolve(sources[at], text=mutated(sources[at].text, chance))
        result = load_sources([*sources[:at], slipped, *sources[at + 1 :]], stack)
        assert all(page(found.code) is not None for found in result.diagnostics)
        wrong = any(found.is_error for found in result.diagnostics)
        assert (result.ruleset is None) is wrong


def test_mutated_real_packs_give_findings() -> None:
    survive_real(range(4))


@pytest.mark.soak
def test_many_mutated_real_packs_give_findings() -> None:
    survive_real(range(4, 3_000))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "value x: int = " + "1 + " * 5_000 + "1",
        "value x: int = " + "-" * 2_000 + "1",
        "value x: bool = " + "not " * 2_000 + "yes",
        "procedure x() " + "{ if yes " * 60 + "{ stop }" + "}" * 60,
        "".join(f"value v{n}: int = v{n + 1}()\n" for n in range(2_000)) + "value v2000: int = 1",
        "".join(f"value v{n}: int = v{(n + 1) % 2_000}()\n" for n in range(2_000)),
    ],
    ids=["empty", "sum", "signs", "nots", "blocks", "chain", "ring"],
)
def test_long_and_deep_texts(text: str) -> None:
    assert link_text(text, "") is not None


def test_many_unknown_names_are_not_all_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first hundred keep their suggestion; the effort does not grow with the square."""
    compared = 0
    score = nearest._score

    def count_comparison(word: str, candidate: str, limit: int) -> int:
        nonlocal compared
        compared += 1
        return score(word, candidate, limit)

    monkeypatch.setattr(nearest, "_score", count_comparison)
    number = 2_000
    text = "".join(
        f"procedure gain_{n:05}(p: player) {{ gian_{n:05}(p) }}\n" for n in range(number)
    )
    findings = link_text(text).diagnostics
    suggestions = [finding.suggestion for finding in findings[:100]]
    assert suggestions == [f"Did you mean `gain_{n:05}`?" for n in range(100)]
    assert compared < nearest.MOST_COMPARISONS + 2 * number
