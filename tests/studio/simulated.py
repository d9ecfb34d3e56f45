"""Records of games that nobody played, for tests of summaries and reports."""

from collections.abc import Sequence
from typing import Any

from benchmarks.pool import bare_rules
from ziggurat.runtime.kernel import TurnOrder
from ziggurat.studio.simulation.judging import Report
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.sections import judged
from ziggurat.studio.simulation.summary import Summary

Seat = tuple[str, str, float]  # what is played, by which policy, with how many points


def rules(score: str = "points", ranking: str = "ahead") -> Rules:
    """Return rules that rank players by points, and in which nothing else is measured."""
    turn = TurnOrder("main", start=("setup",), phases=("play",), ranking=ranking, score=score)
    return bare_rules(turn)


def record(seed: int, seats: Sequence[Seat], outcome: str = "finished", **more: Any) -> Any:
    """Return the record of a game, in which whoever has most points is first."""
    players = [
        {
            "name": f"player{number + 1}",
            "plays": plays,
            "policy": policy,
            "chose": False,
            "rank": 1 + sum(points > score for _, _, points in seats),
            "score": score,
        }
        for number, (plays, policy, score) in enumerate(seats)
    ]
    empty: dict[str, Any] = dict.fromkeys(
        ("values", "held", "sentences", "events", "decisions", "choices", "possible", "changes"), ()
    )
    return {
        "stack": "dash", "seed": seed, "outcome": outcome, "error": "", "turns": 3, "answers": 9,
        "seconds": 0.0, "players": players, **empty, **more,
    }  # fmt: skip


def summary(*games: Sequence[Seat], of: Rules | None = None) -> Summary:
    """Return what games add up to; the first has the seed 1."""
    side = Summary("dash", of or rules())
    return side.add_all(record(seed, seats) for seed, seats in enumerate(games, 1))


def compared(old: Sequence[Sequence[Seat]], new: Sequence[Sequence[Seat]]) -> Report:
    """Return the report on pairs of games; the first have the seed 1."""
    report = Report((summary(), summary()))
    for seed, pair in enumerate(zip(old, new, strict=True), 1):
        for place, seats in enumerate(pair):
            report.add(place, record(seed, seats))
    return judged(report)
