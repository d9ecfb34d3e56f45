"""Record the golden games anew and print what changed.

python -m tests.golden.record             all of them
python -m tests.golden.record west-5-5    some of them
python -m tests.golden.record --check     only print, write nothing
python -m tests.golden.record --answers   keep the answers, record the positions they lead to
"""

import argparse
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.golden.catalogue import CATALOGUE, GAMES, Golden
from tests.golden.games import END, compare, read, record, record_again, write


def ending(lines: list[str]) -> str:
    """How a game ended, in words."""
    last = next((line for line in reversed(lines) if line.startswith(END)), "")
    if not last:
        return "no end"
    _, turn, how, best, _, *scores = last.split()
    points = scores[int(best.removeprefix("player")) - 1] if scores else "?"
    return f"{turn} turns, {how}, {best} leads with {points}, scores {' '.join(scores)}"


def renew(golden: Golden, keep: bool, answers: bool) -> tuple[bool, str]:
    """Play a game and write it down; whether it changed, and what to tell about it."""
    old = read(golden) if golden.path.exists() else None
    new = record_again(golden, old) if answers and old is not None else record(golden)
    if old == new:
        return False, f"same     {golden.name}"
    size = 0 if keep else write(golden, new)
    told = f", {size:,} bytes" if size else ""
    if old is None:
        return True, f"new      {golden.name}: {ending(new)}{told}"
    parted = str(compare(golden, old, new)).partition("\n")
    return True, (
        f"CHANGED  {parted[0]}\n{parted[2]}\n  was {ending(old)}\n  now {ending(new)}{told}"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden.record", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these games")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--answers", action="store_true", help="keep the answers as they are")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    given = parser.parse_args(arguments)
    unknown = set(given.names) - {golden.name for golden in CATALOGUE}
    if unknown:
        parser.error(f"no golden game is called {', '.join(sorted(unknown))}")
    games = [g for g in CATALOGUE if not given.names or g.name in given.names]
    changed = 0
    for differs, told in _results(games, given.check, given.answers, given.jobs):
        changed += differs
        print(told, flush=True)
    if not given.names:
        changed += _tidy(given.check)
    print(f"{changed} of {len(games)} games changed.")
    return 1 if changed and given.check else 0


def _results(
    games: list[Golden], keep: bool, answers: bool, jobs: int
) -> Iterator[tuple[bool, str]]:
    if jobs == 1:
        yield from (renew(golden, keep, answers) for golden in games)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context) as pool:
        yield from pool.map(renew, games, [keep] * len(games), [answers] * len(games))


def _tidy(keep: bool) -> int:
    """Files of games that are golden no more."""
    known = {golden.path for golden in CATALOGUE}
    gone: list[Path] = [path for path in GAMES.glob("*.txt.gz") if path not in known]
    for path in gone:
        print(f"gone     {path.name}")
        if not keep:
            path.unlink()
    return len(gone)


if __name__ == "__main__":
    raise SystemExit(main())
