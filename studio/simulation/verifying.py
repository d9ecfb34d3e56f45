"""Games of a journal played again: are they the same as when they were written down?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice

from ziggurat import GameRecord, Trial
from ziggurat.studio.console import UsageError
from ziggurat.studio.simulation.asked import plain
from ziggurat.studio.simulation.journal import REPLACED, Journal

SAMPLE = 20  # games of a run that are played again when what decides them has changed
CHUNK = 500  # games that are in memory at a time
# What the same engine never has otherwise, not even where threads mixed up what was noted.
RESULT = ("outcome", "answers", "players", "decisions")
Pair = tuple[GameRecord, GameRecord]  # a game as it was, and as it is now
Play = Callable[
    [Sequence[tuple[Trial, int]]], AbstractContextManager[Iterable[GameRecord]]
]  # fmt: skip


def check_changed(journal: Journal, sides: Sequence[Trial], play: Play) -> Iterator[str]:
    """Go on with a run whose rules or engine have changed if some of its games are still the same.

    Yield what is to be said. Raises `UsageError` if a game differs.
    """
    for side in sides:
        if side.stack not in journal.changed:
            continue
        seeds = _sample(journal, side, SAMPLE)
        different = [old["seed"] for old, _ in _different(journal, side, seeds, play)]
        what = journal.what_changed(side.stack)
        if different:
            raise UsageError(
                f"the games of `{side.stack}` in `{journal.folder}` were played with other {what}:"
                f" of {len(seeds)} played again {len(different)} differ, first that of seed"
                f" {different[0]}. Choose another folder with --out, or begin `{journal.folder}`"
                " again with --fresh."
            )
        if seeds:
            yield (
                f"`{side.stack}`: {what} are not those of the run, but its {len(seeds)} games that"
                " were played again are the same. It goes on."
            )
    journal.settle()


def verify(
    journal: Journal, sides: Sequence[Trial], number: int, play: Play
) -> Iterator[tuple[str, bool]]:
    """Play so many games of each ruleset again, 0 for all, and replace those that differ.

    Yield what is to be said of each, and whether its games were all the same.
    """
    for side in sides:
        if "engine" in journal.changed.get(side.stack, {}):
            raise UsageError(
                f"the games of `{side.stack}` in `{journal.folder}` were played with other"
                f" {journal.what_changed(side.stack)}; only the same ones can verify them."
            )
    for side in sides:
        seeds = _sample(journal, side, number)
        different = set()
        for old, new in _different(journal, side, seeds, play):
            if side.stack in journal.changed and any(old[name] != new[name] for name in RESULT):
                raise UsageError(
                    f"the games of `{side.stack}` in `{journal.folder}` were played by another"
                    f" engine, as game {old['seed']} shows; only the same one can verify them."
                )
            journal.append(new)
            different.add((side.stack, old["seed"]))
        if not different:
            yield f"`{side.stack}`: {len(seeds)} games played again, all the same.", True
            continue
        journal.set_aside(different)
        some = ", ".join(str(seed) for _, seed in sorted(different)[:5])
        yield (
            f"`{side.stack}`: {len(different)} of {len(seeds)} games played again differed"
            f" ({some}{', …' if len(different) > 5 else ''}). They are replaced; the old lines are"
            f" in `{journal.folder / REPLACED}`.",
            False,
        )
    journal.settle()


def _sample(journal: Journal, side: Trial, number: int) -> list[int]:
    """Return the seeds of so many games, spread over all that are there; of all for 0."""
    seeds = sorted(head.seed for head, _ in journal.heads() if head.stack == side.stack)
    if not 0 < number < len(seeds):
        return seeds
    return [seeds[n * len(seeds) // number] for n in range(number)]


def _different(
    journal: Journal, side: Trial, seeds: Sequence[int], play: Play
) -> Iterator[Pair]:  # fmt: skip
    """Play games again, and yield those that are not what they were."""
    records = journal.in_order([side.stack], seeds)
    while chunk := {record["seed"]: record for record, _ in islice(records, CHUNK)}:
        with play([(side, seed) for seed in chunk]) as again:
            for new in again:
                old = chunk[new["seed"]]
                if _comparable(old, journal.format) != _comparable(new, journal.format):
                    yield old, new


def _comparable(record: GameRecord, format_: int) -> GameRecord:
    """Return what a format notes of a game in the same way as this one, as JSON has it."""
    kept = plain(record)
    if format_ < 4:  # events stood in the order in which they came
        kept["events"] = sorted(record["events"], key=str)
    if format_ < 3:  # levels had ranks of their own, and the first phase was not counted
        for name in ("changes", "values"):
            del kept[name]
        kept["players"] = [
            {name: value for name, value in player.items() if name not in ("rank", "chose")}
            for player in kept["players"]
        ]
    return kept
