"""Positions that a seat cannot tell from the one it is in, drawn at random.

Whoever looks ahead with copies of a game must not look into other hands. Here everything that the
view of a seat withholds is drawn anew: cards out of sight change places with one another, in piles
of the sizes that are known; piles that nobody may count get sizes by chance; pieces that lie
covered are mixed among the stacks of their owner, with the same ones on top and only where such
pieces can be; what others keep secret is blank; what others have answered while all decide at once
is taken back; chance itself begins with another seed. Nothing of it depends on what is there. Then
the rules may make what was drawn agree with what was said (`supposing` of a turn).

Any card may lie anywhere as far as a view tells. In truth a card of one sort may only ever come to
some piles, and no view can say so. `Haunts` finds it out the way a player would: from other games
by the same rules.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.bots.policies import Advised
from ziggurat.runtime.bots.restacking import restacked
from ziggurat.runtime.game.covers import Ask, Asked, knows, stacks, uncovered
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.game.log import is_hidden, is_secret
from ziggurat.runtime.game.view import sees
from ziggurat.runtime.kernel.errors import InternalError, RulesError
from ziggurat.runtime.kernel.randomness import Stream
from ziggurat.runtime.kernel.requests import Pending
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import FUEL, State
from ziggurat.runtime.kernel.table import Pile

SEEDS = (0x5EA, 0x5EB)  # of the games from which is learned where cards can be
DECISIONS = 6_000  # looked at in each of them
PAUSE = 40  # decisions between two looks
FAIR = 1 << 16  # the weight of a sort of cards, shared out among its haunts
Haunt = tuple[str, int | None]


def haunt(pile: Pile) -> Haunt:
    """What piles have in common: the hands of all players are one haunt, every deck is its own."""
    return pile.place, None if pile.of in ("player", "owner") else pile.key


class Haunts:
    """In which piles cards of each face lie in games by the same rules, and how often."""

    _known: ClassVar["WeakKeyDictionary[Scheduler, Haunts]"] = WeakKeyDictionary()

    def __init__(self, run: Scheduler) -> None:
        table = run.bound.table
        self._number: dict[Haunt, int] = {}
        self.of_pile = [self._number.setdefault(haunt(p), len(self._number)) for p in table.piles]
        self._seen: dict[int, dict[int, int]] = {}
        if table.face:
            for seed in SEEDS:
                self._learn(run, seed)
        self.weight = {face: _shares(seen) for face, seen in self._seen.items()}

    @classmethod
    def of(cls, run: Scheduler) -> "Haunts":
        """Learned once for a table; the games are always the same."""
        if run not in cls._known:
            cls._known[run] = cls(run)
        return cls._known[run]

    def _learn(self, run: Scheduler, seed: int) -> None:
        bot = Advised(seed)
        try:
            game = Game.begin(run, seed)
            for number in range(DECISIONS):
                if not game.pending:
                    break
                if number % PAUSE == 0:
                    self._look(game.state)
                game.decide(0, bot.decide(game, game.pending[0]))
        except (RulesError, InternalError):
            pass  # games that break off have shown something, too

    def _look(self, state: State) -> None:
        for index, cards in enumerate(state.piles):
            place = self.of_pile[index]
            for card in cards:
                seen = self._seen.setdefault(state.table.face[card], {})
                seen[place] = seen.get(place, 0) + 1


def _shares(seen: dict[int, int]) -> dict[int, int]:
    whole = sum(seen.values())
    return {place: max(1, FAIR * times // whole) for place, times in seen.items()}


def imagine(game: Game, pending: Pending, chance: Stream) -> tuple[Game, int] | None:
    """Another game that whoever decides cannot tell from this one, and the number of the same
    decision in it; None where there is none to be had.

    A step that is not over runs again from its start. If it has drawn at random already, or others
    have answered something in it that they hide, the seat may have seen what came of it, and no
    other course of it can be told from this one.
    """
    seat = pending.decider
    moment = game.shown(seat)
    state = game.state.copy()
    state.chance = None
    state.onlooker = None  # nobody is told of what is only thought
    if moment.draws != state.draws or _entangled(game, state, seat):
        return None
    seen = {
        card
        for index, pile in enumerate(game.table.piles)
        if sees(pile, seat)
        for card in (*state.piles[index], *moment.piles[index])
    }
    ask = Asked(game.run)
    if not restacked(ask, state, stacks(ask, state, seat), chance):
        return None
    _deal(game, state, seat, seen, chance)
    unknown = list(_unknown(ask, state, seat, seen))
    for part in unknown:
        state.attrs[part] = game.table.attr_start[part]
    game.run.ask_others_again(state, seat)
    state.seed, state.draws = chance.below(1 << 62), 0
    if not _supposed(game, state, seat, unknown):
        return None
    state.log, state.log_size, state.news = None, 0, []
    other = game.copy()
    try:
        other.restore(state)
    except (RulesError, InternalError):
        return None
    if game.table.covers and _board(ask, other.shown(seat), seat) != _board(ask, moment, seat):
        return None  # the step has shown pieces that lay covered when it began
    for number, one in enumerate(other.pending):
        if one.decider == seat and _same(pending, one):
            return other, number
    return None


def _board(ask: Ask, state: State, seat: int) -> tuple[Any, ...]:
    """The pieces as a seat sees them."""
    covered = stacks(ask, state, seat)
    return uncovered(state, covered), [(one.owner, one.place, one.number) for one in covered]


def _same(here: Pending, there: Pending) -> bool:
    """Whether two decisions are the same to whoever decides."""
    if (here.phase, here.ask is None) != (there.phase, there.ask is None):
        return False
    if here.ask is None or there.ask is None:
        return True
    return (
        here.ask.site == there.ask.site
        and tuple(here.ask.options) == tuple(there.ask.options)
        and (here.ask.least, here.ask.most) == (there.ask.least, there.ask.most)
    )


def _entangled(game: Game, state: State, seat: int) -> bool:
    """Whether a step is under way in which others have told or named what they hide."""
    program, table = game.run.bound.program, game.table
    for site, _, who in state.answers:
        node = program.sites[site].node
        type_ = ir.Type("bool") if isinstance(node, ir.May) else node.type
        if who != seat and is_hidden(program, table, program.sites[site].path, type_):
            return True
    position = game.position
    if position.doing:
        acting = position.acting and table.owner_ids[position.acting] == seat
        params = table.ruleset.actions[position.doing].params
        return not acting and any(is_secret(table, param.type) for param in params)
    stage = table.ruleset.phases[position.phase].stages if position.phase else ()
    member = stage[position.stage].var_type if position.stage is not None else None
    return member is not None and is_secret(table, member)


def _deal(game: Game, state: State, seat: int, seen: set[int], chance: Stream) -> None:
    """Deal all cards out of sight anew, into piles of the sizes that the seat knows."""
    table, haunts = game.table, Haunts.of(game.run)
    for cards in table.families.values():
        places: list[int] = []  # a pile for each card that is known to lie in it
        loose: list[int] = []  # piles that may have more
        for index, pile in enumerate(table.piles):
            covered = sum(1 for card in state.piles[index] if card in cards and card not in seen)
            if covered and not pile.counted and covered == len(state.piles[index]):
                loose.append(index)
                covered = 1
            places += [index] * covered
        pool: dict[int, list[int]] = {}
        for card in chance.shuffled([card for card in cards if card not in seen]):
            pool.setdefault(table.face[card], []).append(card)
        dealt: dict[int, list[int]] = {index: [] for index in places}
        for index in chance.shuffled(places):
            dealt[index].append(_take(pool, haunts, haunts.of_pile[index], chance))
        for face, left in sorted(pool.items()):
            likely = haunts.weight.get(face, {})
            weights = [likely.get(haunts.of_pile[index], 0) for index in loose]
            for card in left:
                dealt[loose[_weighed(weights, chance)]].append(card)
        for index, new in dealt.items():
            order = iter(chance.shuffled(new))
            kept = [None if card in cards and card not in seen else card
                    for card in state.piles[index]]  # fmt: skip
            if index in loose:
                kept = [None] * len(new)
            pile_now = tuple(next(order) if card is None else card for card in kept)
            state.piles[index] = pile_now
            for card in pile_now:
                state.whereis[card] = index


def _take(pool: dict[int, list[int]], haunts: Haunts, place: int, chance: Stream) -> int:
    """A card that may well lie in such a pile, out of those that are left."""
    faces = sorted(pool)
    weights = [len(pool[face]) * haunts.weight.get(face, {}).get(place, 0) for face in faces]
    face = faces[_weighed(weights, chance)]
    card = pool[face].pop()
    if not pool[face]:
        del pool[face]
    return card


def _weighed(weights: Sequence[int], chance: Stream) -> int:
    """The number of one of the weights, a heavy one more often; any if none weighs anything."""
    whole = sum(weights)
    if not whole:
        return chance.below(len(weights))
    at = chance.below(whole)
    for number, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return number
    raise AssertionError("The weights add up.")


def _unknown(ask: Ask, state: State, seat: int, seen: set[int]) -> Iterator[slice]:
    """Where attributes stand that the seat may not know: what others keep secret, and what is noted
    about cards out of sight."""
    table = state.table
    for slots in table.attributes.values():
        if slots.of in table.families:
            own: Callable[[int], bool] = seen.__contains__
            if slots.secret:
                own = _nobody
        elif slots.sees:
            own = partial(knows, ask, state, slots, seat)
        elif slots.secret:
            own = seat.__eq__ if slots.of in ("player", "owner") else _nobody
        else:
            continue
        for index in range(slots.first, slots.first + slots.count):
            if not own(index):
                at = slots.slot(index)
                yield slice(at, at + slots.width)


def _nobody(_: int) -> bool:
    return False


def _supposed(game: Game, state: State, seat: int, unknown: Sequence[slice]) -> bool:
    """Let the rules make what was drawn agree with what was said. Whether the seat still cannot
    tell the position from the one it is in."""
    procedure = supposing(game.run)
    if not procedure:
        return True
    before = state.copy()
    state.fuel = FUEL
    game.run.call(state, ("procedure", procedure), (seat,))
    known, now = before.attrs[:], state.attrs[:]
    for part in unknown:
        known[part] = now[part]
    return (before.pieces, before.held, known) == (state.pieces, state.held, now) and all(
        map(partial(_alike, seat), game.table.piles, before.piles, state.piles)
    )


def supposing(run: Scheduler) -> str:
    """The procedure with which rules say what may be supposed of what is hidden."""
    turn = next(iter(run.rules.turns.values()), None)
    return turn.supposing if turn is not None else ""


def _alike(seat: int, pile: Pile, one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether a pile looks the same to a seat with these cards and with those."""
    if sees(pile, seat):
        return one == other
    return len(one) == len(other) if pile.counted else bool(one) == bool(other)
