"""What it costs to show everybody an answer: documents alone and together, whole and as changes.

`python -m benchmarks.documents mega 18` prints the processor time and the bytes of an answer for
all seats: alone as each seat would be served by itself, together as a table serves them.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from ziggurat import Game, Random, Save, Search, answer_of, load_program, new_save, start
from ziggurat.studio.web.about import PERSON, About
from ziggurat.studio.web.changes import Changes
from ziggurat.studio.web.documents import Document
from ziggurat.studio.web.keys import Keys
from ziggurat.studio.web.table import Table

ANSWERS, EVERY = 60, 6  # answers that are given, and how many of them lie between two that count


@attrs.define
class Cost:
    """What was measured, of all seats together, over several answers."""

    answers: int = 0
    alone: float = 0.0  # seconds of processor time
    together: float = 0.0
    changing: float = 0.0
    whole: int = 0  # bytes
    changes: int = 0


def measure(stack: str, players: int) -> Cost:
    """Play by chance, and count what it costs to show the answers to everybody."""
    program, _ = load_program(stack, Search.default())
    assert program is not None
    cost, bot = Cost(), Random(3)
    with TemporaryDirectory() as folder:
        game = start(program, players=players, seed=3)
        save = new_save(game, Path(folder) / "game.zig")
        table = _table(save, folder)
        alone = {seat: _table(save, folder) for seat in game.seats}
        for number in range(ANSWERS):
            if game.over:
                break
            before = _shown(table, game) if number % EVERY == 0 else {}
            for seat, one in alone.items() if before else ():
                one.document(seat)
            decision = game.decisions[number % len(game.decisions)]
            answer = decision.decider, answer_of(bot, game, decision)
            table.answer_all(len(save.records), [answer])
            if before:
                _count(cost, table, alone, before)
        save.close()
    return cost


def _table(save: Save, folder: str) -> Table:
    about = About(dict.fromkeys(save.game.seats, PERSON), {}, Keys())
    return Table("benchmark234", save, about, Path(folder) / "game.json")


def _shown(table: Table, game: Game) -> dict[str, Document]:
    return {seat: table.document(seat) for seat in game.seats}


def _count(cost: Cost, table: Table, alone: dict[str, Table], before: dict[str, Document]) -> None:
    begin = time.process_time()
    for seat, one in alone.items():
        one.changes += 1
        one.document(seat)
    cost.alone += time.process_time() - begin
    begin = time.process_time()
    shown = _shown(table, table.game)
    cost.together += time.process_time() - begin
    begin = time.process_time()
    found = Changes()
    for seat, now in shown.items():
        old = before[seat]
        if now.version != old.version:
            since = now.lines.shared(old.lines)
            cost.whole += len(now.text(since).encode())
            cost.changes += len(now.changes(old.version, old.parts, since, found).encode())
    cost.changing += time.process_time() - begin
    cost.answers += 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.documents", description=__doc__)
    parser.add_argument("stack", nargs="?", default="mega")
    parser.add_argument("players", nargs="?", type=int, default=18)
    given = parser.parse_args()
    cost = measure(given.stack, given.players)
    each = 1000 / cost.answers
    print(
        f"{given.stack}, {given.players} people, an answer for all:"
        f" alone {cost.alone * each:.0f} ms,"
        f" together {cost.together * each:.0f} ms, and {cost.changing * each:.0f} ms for changes;"
        f" {cost.whole / cost.answers / 1024:.0f} KB whole,"
        f" {cost.changes / cost.answers / 1024:.1f} KB as changes"
    )


if __name__ == "__main__":
    main()
