"""How those who play a thing fare: learned from games of advised bots by the same rules.

Which people, side or colour one plays is settled before anything can be seen of it, and shows its
worth only in the end. No look some phases ahead can tell; whole games can, and each of them tells
of everybody who played in it. They are always the same games, and played once for a table.
"""

from collections.abc import Mapping
from statistics import mean
from weakref import WeakKeyDictionary

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.bots.policies import Advised, Random
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import InternalError, RulesError
from ziggurat.runtime.kernel.requests import ChooseOneRequest, Pending
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE

GAMES = 16
DECISIONS = 80_000  # answered in all of them

_known: "WeakKeyDictionary[Scheduler, Mapping[int, float]]" = WeakKeyDictionary()


def best_to_play(run: Scheduler, pending: Pending) -> int | None:
    """What to play, where that is asked: what fared best; None if something else is asked."""
    ask = pending.ask
    if ask is None or not is_seat_choice(run, pending):
        return None
    if run not in _known:
        _known[run] = _learned(run)
    known = _known[run]
    options = [option for option in ask.options if option in known]
    return max(options, key=known.__getitem__, default=None)


def is_seat_choice(run: Scheduler, pending: Pending) -> bool:
    """Return whether a player is asked what to play: a people, a side, a colour."""
    if type(pending.ask) is not ChooseOneRequest:
        return False
    node = run.bound.program.sites[pending.ask.site].node
    return isinstance(node, ir.Choose) and node.type.name in run.bound.table.seat_kinds


def _learned(run: Scheduler) -> dict[int, float]:
    """By thing that can be played: how much better than the average of their game its players are
    in the end, in the coin of the score. Chance says who plays what, so that each is tried."""
    turn = next(iter(run.rules.turns.values()), None)
    if turn is None or not turn.score:
        return {}
    table = run.bound.table
    ended: dict[int, list[float]] = {}
    left = DECISIONS
    for seed in range(GAMES):
        wise, wild = Advised(seed), Random(seed)
        try:
            game = Game.begin(run, seed)
            while game.pending and left > 0:
                bot = wild if is_seat_choice(run, game.pending[0]) else wise
                game.decide(0, bot.decide(game, game.pending[0]))
                left -= 1
        except (RulesError, InternalError):
            continue
        if game.pending:
            break
        scores = [game.inner_value(turn.score, player) for player in table.players]
        for kind in table.seat_kinds:
            slots = table.attributes[f"{SEAT_ATTRIBUTE}{kind}"]
            for player in table.players:
                thing = game.state.attrs[slots.slot(player)]
                if thing is not None:
                    ended.setdefault(thing, []).append(scores[player] - mean(scores))
    return {thing: mean(found) for thing, found in ended.items()}
