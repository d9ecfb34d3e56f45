"""How strong looking ahead is, and whether it notices changed rules.

    python -m benchmarks.search play FILE [--games 90] [--first 1] [--only NAME …] [--jobs 2]
    python -m benchmarks.search report FILE

`play` writes a line for each game into FILE; the same command goes on where it was interrupted. In
every game one player looks ahead and eight follow advice; with each game it moves on by a seat.
The same games with nine advised players stand beside them, with the figures of the same seat.
What must come of it stands in `AIM` and `EXPECTED`, written down before anything was measured.
"""

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any

import attrs
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.realism import loaded
from ziggurat.proving.arena import FINISHED, Arena, Trial
from ziggurat.studio.simulation.statistics import Estimate, mean, share

PLAYERS = 9
LIMIT = 60_000
BASE = "west"
VARIANTS = Path(__file__).with_name("variants")
SEARCH, ADVISED = "one_search", "advised"
AIM = 2 / PLAYERS  # of the games are won by whoever looks ahead: twice what chance gives
TURN = 8
ADVANCE = "metalworking"
Line = dict[str, Any]


@attrs.frozen
class Expectation:
    """Which figure a variant must move, and which way."""

    figure: str
    what: str
    more: bool


EXPECTED = {
    "dear_cities": Expectation("cities", f"cities at the end of turn {TURN}", False),
    "strong_advance": Expectation("held", f"share of players who ever hold {ADVANCE}", True),
    "late_trade": Expectation("trades", "deals agreed to in a turn", False),
}


@cache
def arena(name: str, policy: str) -> Arena:
    stack = BASE if name == BASE else f"{BASE}+{VARIANTS / name}"
    return Arena(loaded(stack), Trial(stack, (), PLAYERS, policy, (), LIMIT))


def played(name: str, policy: str, seed: int) -> Line:
    """One game, and how the seat fared that looks ahead, or would."""
    table = arena(name, policy)
    began = time.process_time()
    record = table.play(seed)
    seat = seed % PLAYERS
    mine = record["players"][seat] if record["players"] else {}
    cities = table.measured.index("cities")
    values = record["values"]
    agreed = sum(n for who, path, n in record["decisions"] if (who, path) == (seat, "agree"))
    return {
        "name": name,
        "policy": policy,
        "seed": seed,
        "outcome": record["outcome"],
        "error": record["error"],
        "won": mine.get("rank") == 1,
        "score": mine.get("score"),
        "scores": [player["score"] for player in record["players"]],
        "cities": values[TURN][seat][cities] if len(values) > TURN else None,
        "held": any(one[:3] == [seat, "advance", ADVANCE] for one in record["held"]),
        "trades": agreed / max(1, record["turns"]),
        "cpu": round(time.process_time() - began, 1),
    }


def lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def play(path: Path, games: int, first: int, names: list[str], jobs: int) -> None:
    known = {(line["name"], line["policy"], line["seed"]) for line in lines(path)}
    left = [
        (name, policy, seed)
        for name in names
        for policy in (SEARCH, ADVISED)
        for seed in range(first, first + games)
        if (name, policy, seed) not in known
    ]
    with ProcessPoolExecutor(jobs) as pool, path.open("a") as out:
        begun = [pool.submit(played, *one) for one in left]
        try:
            for done in track(as_completed(begun), "Playing", len(begun)):
                out.write(json.dumps(done.result()) + "\n")
                out.flush()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)


def report(path: Path) -> None:
    found = [line for line in lines(path) if line["outcome"] == FINISHED]
    failed = [line for line in lines(path) if line["outcome"] != FINISHED]
    console = Console()
    for name, title in ((BASE, "Strength"), *((name, name) for name in EXPECTED)):
        table = Table(title=title)
        for head in ("who", "games", "figure", "mean", "95 % interval", "cpu a game"):
            table.add_column(head)
        for policy in (SEARCH, ADVISED):
            some = [line for line in found if (line["name"], line["policy"]) == (name, policy)]
            if name == BASE:
                won = share(sum(line["won"] for line in some), len(some))
                _row(table, policy, f"games won (aim {AIM:.0%})", won, some)
                ahead = [line["score"] - _others(line) for line in some]
                _row(table, policy, "points more than the others' average", mean(ahead), some)
            else:
                _compare(table, found, name, policy)
        console.print(table)
    for line in failed:
        console.print(
            f"not finished: {line['name']} {line['policy']} {line['seed']} {line['error']}"
        )


def _compare(table: Table, found: list[Line], name: str, policy: str) -> None:
    expected = EXPECTED[name]
    estimates = []
    for stack in (BASE, name):
        some = [line for line in found if (line["name"], line["policy"]) == (stack, policy)]
        values = [
            float(line[expected.figure]) for line in some if line[expected.figure] is not None
        ]
        yes_or_no = expected.figure == "held"
        estimates.append(share(sum(values), len(values)) if yes_or_no else mean(values))
        _row(table, f"{policy}, {stack}", expected.what, estimates[-1], some)
    before, after = estimates
    apart = after.low > before.high if expected.more else after.high < before.low
    way = "rises" if expected.more else "falls"
    table.add_row(policy, "", f"expected: {way}", "yes" if apart else "not shown", "", "")
    table.add_section()


def _row(table: Table, who: str, what: str, one: Estimate, some: list[Line]) -> None:
    if not some:
        return
    cpu = sum(line["cpu"] for line in some) / len(some)
    table.add_row(who, str(one.number), what, f"{one.mean:.2f}", f"{one.low:.2f} to {one.high:.2f}",
                  f"{cpu:.1f} s")  # fmt: skip


def _others(line: Line) -> float:
    total: float = sum(line["scores"]) - line["score"]
    return total / (len(line["scores"]) - 1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)  # fmt: skip
    parser.add_argument("what", choices=["play", "report"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=90)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--only", choices=[BASE, *EXPECTED], action="append")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.what == "play":
        names = given.only or [BASE, *EXPECTED]
        play(given.file, given.games, given.first, names, given.jobs)
    report(given.file)


if __name__ == "__main__":
    main()
