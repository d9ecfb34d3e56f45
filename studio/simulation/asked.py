"""Games that were asked for, and whether what came back is one of them."""

from collections.abc import Callable
from typing import Any

import attrs

from ziggurat import FAILED, FINISHED, UNFINISHED, GameRecord, Trial, policies
from ziggurat.studio.console import UsageError

TRIES = 3  # a game that failed so often for other reasons than its rules is given up
Tell = Callable[[str], None]


@attrs.frozen
class Asked:
    """A game to be played, and how often that has failed: lost processes, machines in trouble."""

    trial: Trial
    seed: int
    failures: int = 0
    avoid: str = ""  # where it failed last

    @property
    def name(self) -> str:
        return f"game {self.seed} of `{self.trial.stack}`"

    def failed(self, place: str = "") -> "Asked":
        return attrs.evolve(self, failures=self.failures + 1, avoid=place)


def check_record(asked: Asked, record: GameRecord) -> GameRecord:
    """Return a record that is of the game that was asked for. Raises `UsageError` for others."""
    trial = asked.trial
    players = record["players"]
    ended = record["outcome"] in (FINISHED, UNFINISHED)
    if (
        (record["stack"], record["seed"]) == (trial.stack, asked.seed)
        and (ended or record["outcome"] == FAILED)
        and record["answers"] <= trial.limit
        and (len(players) == trial.players or not ended)
        and [player["policy"] for player in players] == policies(trial, asked.seed)[: len(players)]
    ):
        return record
    raise UsageError(
        f"{asked.name} came back as another one ({record['stack']}, seed {record['seed']},"
        f" {len(players)} players). It is not kept."
    )


def plain(record: GameRecord) -> dict[str, Any]:
    """Return a record without what differs when the same game is played again."""
    return {name: value for name, value in record.items() if name != "seconds"}


def given_up(games: list[Asked], why: str) -> UsageError:
    """Return the message about games that could not be played; all others are kept."""
    names = ", ".join(game.name for game in games[:5])
    more = f" and {len(games) - 5} more" if len(games) > 5 else ""
    return UsageError(
        f"{names}{more} could not be played: {why}. All other games are kept; the same command"
        " tries again."
    )
