"""Whatever a pack says, linking gives findings, never an exception."""

import random
import re

import pytest

from tests.dsl.linked import BASE, link_text
from tests.dsl.regold import cases
from tests.dsl.test_link_hashing import GAME

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


@pytest.mark.slow
def test_many_mutated_packs_give_findings() -> None:
    survive(range(200, 10_000))


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
