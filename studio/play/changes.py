"""What somebody gained and lost, from the difference of what they had before and after.

Nothing of it comes from sentences of the rules: pieces are counted place by place, cards and things
as they are held. Where pieces lie that are in nobody's use (`home`) says nothing to anybody.
"""

from collections import Counter
from collections.abc import Iterator

import attrs

from ziggurat import Game, Moment, Sentences
from ziggurat.studio.language import tr
from ziggurat.studio.play.board import word
from ziggurat.studio.play.naming import Names

Stock = Counter[tuple[str, str]]  # pieces by place and kind, cards and things under no place


@attrs.frozen
class Change:
    """What a seat gained and lost in a phase."""

    phase: str
    gained: Stock
    lost: Stock


class Changes:
    """Watches a game for the people at it, and tells each of them what became of theirs."""

    def __init__(self, game: Game, people: tuple[str, ...]) -> None:
        self._people = people
        self._had: dict[str, Stock] = {}
        self._untold: dict[str, list[Change]] = {}
        self._acting = ""
        self._events = 0
        self._phase = ""  # the phase of the turn that was played last
        self.begin(game)

    def begin(self, game: Game) -> None:
        """Take the position as it is: nothing of how it came about is told."""
        self._had = {seat: _owned(game.seen_by(seat), seat) for seat in self._people}
        self._untold = {seat: [] for seat in self._people}
        self._events = game.event_count
        self._phase = _phase_of_turn(game)
        self._game = game
        game.watch = lambda state: self._after_phase(game.moment(state))

    def had(self, seat: str) -> Stock:
        """Return all that a seat had when it was looked at last."""
        return self._had[seat]

    def before(self, game: Game, acting: str = "") -> None:
        """Note what became of everybody's up to here. What the next answer does at once is its
        player's own doing if they are `acting`."""
        if game is not self._game:
            self.begin(game)
        for seat in self._people:
            self._note(game.seen_by(seat), seat)
        self._acting = acting

    def after(self, game: Game) -> Change | None:
        """Return what an answer did at once to whoever acted, which is not told again."""
        acting, self._acting = self._acting, ""
        if not acting:
            return None
        had, now = self._had[acting], _owned(game.seen_by(acting), acting)
        self._had[acting] = now
        return Change("", now - had, had - now)

    def told(self, game: Game, seat: str) -> list[Change]:
        """Return what is new for a seat, phase by phase; it is not told again."""
        self.before(game)
        found, self._untold[seat] = self._untold[seat], []
        return found

    def _after_phase(self, moment: Moment) -> None:
        for seat in self._people:
            if seat == self._acting:
                self._had[seat] = _owned(moment, seat)
            else:
                self._note(moment, seat)
        self._acting = ""

    def _note(self, moment: Moment, seat: str) -> None:
        had, now = self._had[seat], _owned(moment, seat)
        self._follow(moment)
        if now == had:
            return
        self._had[seat] = now
        untold = self._untold[seat]
        gained, lost = now - had, had - now
        if untold and untold[-1].phase == self._phase:
            last = untold.pop()
            gained, lost = last.gained + gained, last.lost + lost
        both = gained & lost
        untold.append(Change(self._phase, gained - both, lost - both))

    def _follow(self, moment: Moment) -> None:
        """Find the phase of the turn that was played last."""
        turn = next(iter(moment.ruleset.turns.values()), None)
        phases = (*turn.start, *turn.phases) if turn is not None else ()
        if moment.event_count == self._events:
            return
        for event in moment.events(None, min(self._events, moment.event_count)):
            if event.what == "phase" and event.path in phases:
                self._phase = moment.ruleset.phases[event.path].title or event.path
        self._events = moment.event_count


def _phase_of_turn(game: Game) -> str:
    """Return the title of the phase of the turn that is being played."""
    rules, position = game.ruleset, game.position
    turn = rules.turns.get(position.turn)
    phases = (*turn.start, *turn.phases) if turn is not None else ()
    here = position.phase
    if here not in phases and position.coming in phases[1:]:
        here = phases[phases.index(position.coming) - 1]
    phase = rules.phases.get(here)
    return (phase.title or phase.id) if phase is not None else ""


def _owned(moment: Moment, seat: str) -> Stock:
    """Return all that a seat has: its pieces, its cards, the things it holds."""
    found: Stock = Counter()
    kinds = moment.kinds("place")
    areas = [thing.id for kind in kinds for thing in moment.things(kind)]
    for piece in moment.ruleset.pieces.values():
        for place in (*areas, *moment.places):
            number = moment.count(piece.id, seat, place) if place != piece.home else 0
            if number:
                found[place, piece.id] = number
    for pile in moment.ruleset.places.values():
        if pile.cards and pile.of in ("player", "owner") and pile.seen != "hidden":
            for card in moment.pile(pile.id, seat):
                face = moment.face(card)
                found["", f"{face.kind}.{face.id}"] += 1
    for thing in moment.holdings(seat):
        found["", f"{thing.kind}.{thing.id}"] += 1
    return found


def sentences(change: Change, names: Names, told: Sentences) -> Iterator[str]:
    """Say what was gained and what was lost."""
    for stock, text in (
        (change.lost, tr("you lose {what}")),
        (change.gained, tr("you gain {what}")),
    ):
        if stock:
            yield text.format(what=in_words(stock, names, told))


def in_words(stock: Stock, names: Names, told: Sentences) -> str:
    """Say pieces with their places, cards and things: `2 tokens in Latium, Ochre`."""
    return ", ".join(_part(place, what, number, names, told)
                     for (place, what), number in sorted(stock.items(), key=_order))  # fmt: skip


def _order(entry: tuple[tuple[str, str], int]) -> tuple[bool, str, str]:
    (place, what), _ = entry
    return not place, what, place


def _part(place: str, what: str, number: int, names: Names, told: Sentences) -> str:
    if not place:
        kind, _, id_ = what.partition(".")
        title = names.moment.thing(kind, id_).title or id_
        return f"{number} {title}" if number > 1 else title
    piece = f"{number} {told.several(what) if number > 1 else told.word(what)}"
    return tr("{what} in {place}").format(what=piece, place=_place(place, names))


def _place(place: str, names: Names) -> str:
    moment = names.moment
    if place in moment.places:
        rule = moment.ruleset.places.get(place)
        return (rule.title if rule else "") or word(place)
    things = moment.ruleset.things
    found = next(things[kind][place] for kind in moment.kinds("place") if place in things[kind])
    return found.title or place
