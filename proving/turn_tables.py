"""Games as plain rows, one for each turn and seat, for whatever works on tables."""

from collections.abc import Iterator
from typing import Any

from ziggurat.proving.arena import GameRecord, measured
from ziggurat.proving.past import first
from ziggurat.proving.standing import Standing
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.game.moment import Moment
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import State

Row = dict[str, Any]


def turn_rows(game: Game, seen_by: str | None = None) -> list[Row]:
    """The turns of a game, from its answers: for each turn and seat the values that the turn shows,
    its score and the parts of it, when the turn ended. Turn 0 is the setup; the last turn has
    `ended` no if the game stands in it. A seat (or an onlooker) gets none for what it could not
    know then; when the game is over, nothing is hidden any more."""
    run = Scheduler(game.run.bound)
    rows: list[Row] = []
    turn = 0
    veil = None if game.over else seen_by

    def watch(state: State) -> None:
        nonlocal turn
        here = run.position(state)
        if not here.opening and not here.ended:
            turn += 1
        if not here.coming:
            rows.extend(_measured(Moment(run, state), turn, True, veil))

    again = Game(run, _start(game, run), watch=watch)
    for index, answer in game.answers():
        again.decide(index, answer)
    if not rows or rows[-1]["turn"] != turn:
        rows.extend(_measured(again, turn, again.over, veil))
    return rows


def record_rows(record: GameRecord, ruleset: ir.Ruleset) -> list[Row]:
    """The same of the record of a game that an `Arena` played, with the seed as `game`."""
    names = measured(ruleset)
    return [
        {
            "game": record["seed"],
            "turn": turn,
            "seat": player["name"],
            "plays": player["plays"],
            **dict(zip(names, row, strict=True)),
        }
        for turn, rows in enumerate(record["values"])
        for player, row in zip(record["players"], rows, strict=True)
    ]


def _start(game: Game, run: Scheduler) -> State:
    """Where a game began: with its rules, or where somebody set it up."""
    begun = first(game)
    if not begun.at_beginning:
        return begun.state.copy()
    state = State(game.table, game.state.seed)
    run.begin(state)
    return state


def _measured(moment: Moment, turn: int, ended: bool, veil: str | None) -> Iterator[Row]:
    names = measured(moment.ruleset)
    read = moment.value if veil is None else Standing(moment, veil).value
    for seat in moment.seats:
        plays = moment.plays(seat)
        values = {name: read(name, seat) for name in names}
        yield {
            "turn": turn,
            "ended": ended,
            "seat": seat,
            "plays": plays.id if plays else "",
            **values,
        }
