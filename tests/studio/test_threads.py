"""Games that run in several threads of one process are the games that run alone."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.stacks import packs, stacks
from ziggurat import Advised, Search, Trial, answer_of, load_program, start, why_not
from ziggurat.studio.simulation.bundle import Bundle, play_bundle

PACKS = Path(__file__).parents[1] / "packs"
SMALL = {"race": 3, "marches": 2}
STACKS = [stack for stack, _ in stacks()]
THREADS = 8


@contextmanager
def frequent_switches() -> Iterator[None]:
    """Let threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def record_of(bundle: Bundle, seed: int) -> dict[str, Any]:
    record = play_bundle(bundle, seed)
    del record["seconds"]
    return record


def assert_equal_in_threads(trial: Trial, games: int) -> None:
    bundle = Bundle.of(trial)
    alone = [record_of(bundle, seed) for seed in range(1, games + 1)]
    assert {record["outcome"] for record in alone} <= {"finished", "unfinished"}
    with frequent_switches(), ThreadPoolExecutor(THREADS) as threads:
        together = list(threads.map(partial(record_of, bundle), range(1, games + 1)))
    different = [one["seed"] for one, other in zip(alone, together, strict=True) if one != other]
    assert not different


def trial_of(stack: str) -> Trial:
    ruleset = packs()[stack.partition("+")[0]]
    return Trial(stack, (), min(ruleset.players or (3,)), "advised", (), 3_000)


@pytest.mark.parametrize("stack", SMALL)
def test_threads_play_the_same_games_as_one(stack: str) -> None:
    trial = Trial(stack, (str(PACKS),), SMALL[stack], "advised", (), 300)
    assert_equal_in_threads(trial, 100)


@pytest.mark.parametrize("policy", ["random", "mixed", "one_search"])
def test_threads_play_the_same_games_by_every_policy(policy: str) -> None:
    assert_equal_in_threads(Trial("race", (str(PACKS),), 3, policy, (), 60), 16)


def test_tables_that_share_a_program_do_not_share_a_game() -> None:
    """A server plays many games of one program: its threads look at views and reasons meanwhile."""
    program, _ = load_program("race", Search((PACKS,)))
    assert program is not None

    def table(seed: int) -> list[Any]:
        game, bot, seen = start(program, 3, seed=seed), Advised(seed), []
        while game.decision is not None and game.answered < 60:
            decision = game.decision
            seen.append([game.view(seat) for seat in game.seats])
            seen.append(
                [str(why_not(game, decision.decider, name)) for name in program.ruleset.actions]
            )
            game.answer(answer_of(bot, game, decision), decision.decider)
            if game.answered % 7 == 0:
                game.undo()
                game.redo()
            seen.append(game.digest)
        return seen

    alone = [table(seed) for seed in range(8)]
    with frequent_switches(), ThreadPoolExecutor(THREADS) as threads:
        assert list(threads.map(table, range(8))) == alone


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_threads_play_the_same_games_of_every_stack(stack: str) -> None:
    assert_equal_in_threads(trial_of(stack), 8)


@pytest.mark.soak
@pytest.mark.parametrize("stack", STACKS)
def test_threads_play_many_games_of_every_stack(stack: str) -> None:
    assert_equal_in_threads(attrs.evolve(trial_of(stack), limit=100_000), 200)
