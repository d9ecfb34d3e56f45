"""What templates make is fair: bots play with it and without it, and the games are compared.

A new civilization keeps up with the others and takes nothing from them, a new advance is bought
like others of its price, a new calamity strikes like others of its stack, and nobody on a new board
is left behind. The shares are those of the games; what chance can do to them is allowed for.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

import ziggurat
from ziggurat import Arena, GameRecord, Ruleset, Trial
from ziggurat.studio.cli import main

SMALLEST, LARGEST = "smallest", "largest"
STACKS = ("west", "east", "mega", "expansion_project")
CASES = [(stack, size) for stack in STACKS for size in (SMALLEST, LARGEST)]
GAMES = [
    pytest.param(60, marks=pytest.mark.slow),
    pytest.param(200, marks=pytest.mark.soak),
]
LIMIT = 60_000
DEVIATIONS = 2.0  # what chance may do to a mean


def arena(stack: str, size: str, packs: tuple[str, ...] = ()) -> Arena:
    program, _ = ziggurat.load_program(stack, ziggurat.Search.default(packs))
    assert program is not None
    numbers = program.ruleset.players
    players = min(numbers) if size == SMALLEST else max(numbers)
    return Arena(program, Trial(stack, packs, players, "advised", (), LIMIT))


def played(place: Arena, games: int) -> list[GameRecord]:
    records = [place.play(seed) for seed in range(1, games + 1)]
    assert {record["outcome"] for record in records} == {ziggurat.FINISHED}
    return records


@cache
def played_before(stack: str, size: str, games: int) -> list[GameRecord]:
    """Return the games without anything new."""
    return played(arena(stack, size), games)


def made(kind: str, stack: str, size: str, games: int) -> tuple[Ruleset, list[GameRecord]]:
    assert main(["new", kind, "fresh", "--on", stack, "--yes"]) == 0
    place = arena("./fresh", size)
    return place.program.ruleset, played(place, games)


def points(records: Iterable[GameRecord]) -> Mapping[str, list[float]]:
    found = defaultdict(list)
    for record in records:
        for player in record["players"]:
            found[player["plays"]].append(float(player["score"]))
    return found


def error_of(values: Sequence[float]) -> float:
    """Return what chance may do to a mean."""
    return DEVIATIONS * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def assert_keeps_up(mine: Sequence[float], others: Sequence[float], share: float) -> None:
    """Fail if a mean is less than a share of another one, beyond what chance does."""
    allowed = error_of(mine) + share * error_of(others)
    assert mean(mine) + allowed >= share * mean(others)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(("stack", "size"), CASES)
def test_new_civilization_keeps_up_and_takes_nothing(stack: str, size: str, games: int) -> None:
    before = points(played_before(stack, size, games))
    after = points(made("civilization", stack, size, games)[1])
    mine = after.pop("fresh")
    assert_keeps_up(mine, [score for scores in after.values() for score in scores], 0.8)
    for name, scores in after.items():
        if name in before:
            assert_keeps_up(scores, before[name], 0.9)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(("stack", "size"), CASES)
def test_new_advance_is_bought_like_others(stack: str, size: str, games: int) -> None:
    ruleset, records = made("advance", stack, size, games)
    prices = {id_: _number(thing, "cost") for id_, thing in ruleset.things["advance"].items()}
    bought = Counter(
        thing for one in records for _, kind, thing, *_ in one["held"] if kind == "advance"
    )
    alike = [id_ for id_, cost in prices.items() if abs(cost - prices["fresh"]) <= 20]
    seats = sum(len(one["players"]) for one in records)
    usual = mean(bought[id_] for id_ in alike if id_ != "fresh")
    chance = DEVIATIONS * math.sqrt(usual * (1 - min(1, usual / seats)))
    assert usual / 2 - chance <= bought["fresh"] <= 2 * usual + chance


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(("stack", "size"), CASES)
def test_new_calamity_strikes_like_others(stack: str, size: str, games: int) -> None:
    ruleset, records = made("calamity", stack, size, games)
    things = ruleset.things["calamity"]
    stacks = {id_: _field(thing, "stack") for id_, thing in things.items()}
    minor = {id_ for id_, thing in things.items() if _field(thing, "minor")}
    struck: Counter[str] = Counter()
    for record in records:
        number = [n for n, (rule, _) in enumerate(record["sentences"]) if rule == "strike"]
        struck.update({thing for _, n, _, thing, *_ in record["events"] if n in number})
    others = [id_ for id_ in stacks if stacks[id_] == stacks["fresh"] and id_ != "fresh"]
    usual = mean(struck[id_] for id_ in others if id_ not in minor)
    chance = DEVIATIONS * math.sqrt(usual * (1 - usual / games))
    assert struck["fresh"] >= usual / 2 - chance


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("stack", ["west", "east"])
def test_nobody_on_new_board_is_left_behind(stack: str, games: int) -> None:
    scores = points(made("board", stack, LARGEST, games)[1])
    best = max(scores.values(), key=mean)
    for mine in scores.values():
        assert_keeps_up(mine, best, 0.8)


def _field(thing: Any, name: str) -> object:
    return next((one.value for one in thing.values if one.field == name), None)


def _number(thing: Any, name: str) -> int:
    value = _field(thing, name)
    assert isinstance(value, int)
    return value
