"""Games that were played once and are kept, so that reports can be calibrated without playing.

`python -m benchmarks.pool STACK PLAYERS GAMES SEED FILE` plays them. The first line of a pool says
what its rules rank, score and measure, so a pool stays readable when the rules change. The others
are records that have just what the figures of a report are made of.
"""

import json
import lzma
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from ziggurat import GameRecord, Trial, ir
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.workers import arena

FOLDER = Path(__file__).parent / "pools"
LIMIT = 20_000
TURN = ("start", "phases", "ranking", "score", "shows", "parts")


@attrs.frozen
class Pool:
    """Games by the same rules."""

    rules: Rules
    games: tuple[GameRecord, ...]


def bare_rules(turn: ir.TurnOrder) -> Rules:
    """Return rules that have a turn and nothing else."""
    tables: dict[str, Any] = {
        field.name: {} for field in attrs.fields(ir.Ruleset) if field.default is attrs.NOTHING
    }
    empty: dict[str, Any] = {"stack": "", "packs": (), "advice": (), "scenarios": ()}
    return Rules(ir.Ruleset(**{**tables, **empty, "turns": {turn.id: turn}}))


@cache
def read(name: str) -> Pool:
    """Return the games of a pool."""
    with lzma.open(FOLDER / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        turn = {key: tuple(value) if isinstance(value, list) else value
                for key, value in json.loads(next(lines)).items()}  # fmt: skip
        games = tuple(json.loads(line) for line in lines)
    return Pool(bare_rules(ir.TurnOrder("main", **turn)), games)


def play(stack: str, players: int, seeds: range, file: Path) -> None:
    """Play games of advised bots, and write what is kept of them."""
    home = Path(stack)
    packs = (str(home.parent.resolve()),) if home.is_dir() else ()
    place = arena(Trial(stack, packs, players, "advised", (), LIMIT))
    order = next(iter(place.program.ruleset.turns.values()))
    file.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(file, "wt", encoding="utf-8") as lines:
        lines.write(json.dumps({key: getattr(order, key) for key in TURN}) + "\n")
        for seed in seeds:
            record = shorten(place.play(seed))
            lines.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")


def shorten(record: GameRecord) -> GameRecord:
    """Return a record whose counts are added up over turns and seats."""
    events: dict[tuple[int, str], list[int]] = {}
    for _, sentence, _, thing, times, amount in record["events"]:
        sums = events.setdefault((sentence, thing), [0, 0])
        sums[0] += times
        sums[1] += amount
    changes: dict[tuple[str, str], list[int]] = {}
    for phase, value, _, gained, lost in record["changes"]:
        sums = changes.setdefault((phase, value), [0, 0])
        sums[0] += gained
        sums[1] += lost
    decisions: Counter[str] = Counter()
    for _, path, times in record["decisions"]:
        decisions[path] += times
    short: dict[str, Any] = {
        "seconds": 0.0,
        "values": record["values"][-1:],
        "held": [row for row in record["held"] if row[-1] is None],
        "events": [[0, number, None, thing, *sums] for (number, thing), sums in events.items()],
        "decisions": [[0, path, times] for path, times in decisions.items()],
        "changes": [[*key, 0, *sums] for key, sums in changes.items()],
        "choices": [],
        "possible": [],
    }
    return record | short


if __name__ == "__main__":
    stack, players, games, seed, file = sys.argv[1:]
    first = int(seed)
    play(stack, int(players), range(first, first + int(games)), Path(file))
