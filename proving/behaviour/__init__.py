"""How two rulesets behave: the same scenarios and the same answers, and where the runs part.

Both sides run traced, so that the first clause is known at which two runs are not the same. What
is to blame is that clause if the rulesets tell it differently, else the last clause before it that
they do: a value that differs is asked by both, and only what follows shows it.
"""

from collections.abc import Sequence

from ziggurat.dsl import ir
from ziggurat.proving.behaviour.findings import (
    Behaviour,
    Divergence,
    FirstDifference,
    Outcome,
    Seen,
)
from ziggurat.proving.behaviour.pair import Pair, Together

__all__ = ["Behaviour", "Divergence", "FirstDifference", "Outcome", "Pair", "Seen", "compare"]


def compare(
    old: ir.Ruleset,
    new: ir.Ruleset,
    games: int = 0,
    players: Sequence[int] = (),
    step: Together = lambda _: None,
) -> Behaviour:
    """Run all scenarios both can run, and some games; `step` hears what comes next."""
    pair = Pair(old, new)
    ran, outcomes = pair.scenarios(step)
    parted: list[Divergence] = []
    played = games if players and all(rules.turns for rules in pair.rules) else 0
    for seed in range(played):
        number = players[seed % len(players)]
        step(f"game {seed + 1}")
        one = pair.play(seed, number)
        parted += [one] if one is not None else []
    rest = played - len(parted)
    return Behaviour(old.stack, new.stack, ran, tuple(outcomes), played, rest, tuple(parted))
