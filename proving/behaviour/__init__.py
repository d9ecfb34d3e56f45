"""How two rulesets behave: the same scenarios and the same answers, and where the runs part.

Both sides run traced, so that the first clause is known at which two runs are not the same. What
is to blame is that clause if the rulesets tell it differently, else the last clause before it that
they do: a value that differs is asked by both, and only what follows shows it. If the rules are the
same, the data that they looked at is. Editions with different boards are run on that of each.
"""

from collections.abc import Sequence

import attrs

from ziggurat.proving.behaviour.boards import Board, boards
from ziggurat.proving.behaviour.findings import (
    Behaviour,
    Divergence,
    FirstDifference,
    Outcome,
    Seen,
)
from ziggurat.proving.behaviour.pair import Pair, Title, Together
from ziggurat.runtime import kernel as ir

__all__ = ["Behaviour", "Divergence", "FirstDifference", "Outcome", "Pair", "Seen", "compare"]


def compare(
    old: ir.Ruleset,
    new: ir.Ruleset,
    games: int = 0,
    players: Sequence[int] = (),
    step: Together = lambda _: None,
) -> Behaviour:
    """Run all scenarios both can run, and some games; `step` hears what comes next."""
    found = boards(old, new)
    done: list[Title] = []
    outcomes: list[Outcome] = []
    parted: list[Divergence] = []
    played = 0
    for number, board in enumerate(found):
        pair = Pair(board.old, board.new)
        ran, different = pair.scenarios(step, {*done})
        done += ran
        outcomes += different
        seats = _seats(board, players)
        for seed in range(games if seats and old.turns and new.turns else 0):
            if seed // 2 % len(found) == number:
                step(f"game {seed + 1}")
                played += 1
                one = pair.play(seed, seats[seed % len(seats)])
                parted += [attrs.evolve(one, board=board.of)] if one is not None else []
    return Behaviour(
        old.stack, new.stack, len(done), tuple(outcomes), played, played - len(parted),
        tuple(sorted(parted, key=lambda one: one.seed)), tuple(board.of for board in found),
        found[0].kinds, found[0].missing,
    )  # fmt: skip


def _seats(board: Board, players: Sequence[int]) -> list[int]:
    """The numbers of players of a board that both are played on, or those that suit both."""
    return sorted({*board.old.players} & {*board.new.players}) if board.kinds else list(players)
