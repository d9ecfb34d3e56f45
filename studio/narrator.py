"""A game told to people: what happened in a turn, how everybody stands, who won and with what.

What is told comes from the rules themselves: the sentences they `say`, the titles of phases and of
the values their turn `shows`. The narrator knows no game.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ziggurat import Event, Game, Standing, ir, walk
from ziggurat.studio.folding import folded
from ziggurat.studio.language import tr
from ziggurat.studio.play.naming import Names, listed
from ziggurat.studio.play.news import as_sentence, deeds, worded


def cell(value: object) -> str:
    """A value in a table; what somebody may not see has none."""
    return "?" if value is None else str(value)


class Narrator:
    """Follows a game and tells what is new. With `acts`, also what people did in phases of which
    the rules say nothing, such as where they marched. A game whose actions and procedures say
    nothing has no other story, so what people do is told in any case."""

    def __init__(self, game: Game, acts: bool = False) -> None:
        self.game = game
        rules = (*game.ruleset.actions.values(), *game.ruleset.procedures.values())
        self.acts = acts or not any(isinstance(one, ir.Say) for rule in rules for one in walk(rule))
        self.turn = next(iter(game.ruleset.turns.values()))
        self.number = 0
        self._told = 0
        self._place = -1
        self._waiting: list[Event] = []

    def names(self) -> dict[str, str]:
        """What sentences call everybody."""
        return dict(zip(self.game.owners, self.game.spoken, strict=True))

    def news(self) -> list[list[Event]]:
        """Turns that have ended since the last call, each as its events."""
        game = self.game
        moment = game.settled
        if moment.event_count == self._told:
            return []
        fresh = moment.events(since=self._told)
        self._told = moment.event_count
        ended = []
        for event in fresh:
            if event.what == "phase" and event.path in self.turn.phases:
                place = self.turn.phases.index(event.path)
                if place <= self._place or self._place < 0:
                    ended.append(self._waiting)
                    self._waiting = []
                self._place = place
            self._waiting.append(event)
        if game.over:
            ended.append(self._waiting)
            self._waiting = []
        return ended

    def tell_turn(self, events: list[Event], brief: bool = False) -> Iterator[RenderableType]:
        """A turn in words: a heading, then each phase that had anything to say, then the table."""
        if not any(event.what == "phase" and event.path in self.turn.phases for event in events):
            yield from self._phases(events)
            return
        self.number += 1
        yield Rule(tr("Turn {n}").format(n=self.number), align="left", style="bold")
        if not brief:
            yield from self._phases(events)
        if not self.game.over:  # the ending has a table of its own
            yield self.standings()

    def unfinished(self, brief: bool = False) -> Iterator[RenderableType]:
        """The turn a game was left in; its table is not told twice."""
        under_way, self._waiting = self._waiting, []
        if any(event.what != "phase" for event in under_way):
            yield from self.tell_turn(under_way, brief)
        elif not self.number:
            yield self.standings()

    def _phases(self, events: list[Event]) -> Iterator[RenderableType]:
        title = ""
        said: list[Event] = []
        done: list[Event] = []
        for event, following in pairwise([*events, None, None]):
            if event is None or event.what == "phase":
                words = folded(said) or self._deeds(done)
                if words:
                    head = Text(f"{title.removesuffix('.')}. ", style="bold")
                    yield Padding(Text.assemble(head, " ".join(words)), (0, 0, 0, 2))
                said, done = [], []
                if event is not None:
                    title = event.text
            elif event.what == "act" and self.acts:
                done.append(event)
            elif event.what == "chose" or (event.what == "say" and event.seat is None):
                sentence = as_sentence(self.game.ruleset, event, following)
                said += [sentence] if sentence is not None else []

    def _deeds(self, done: list[Event]) -> list[str]:
        names = Names(self.game.settled)
        return deeds([worded(self.game, names, event) for event in done], names)

    def standings(self, seat: str = "") -> Table:
        """Everybody in the order of the ranking, with what the turn shows and the score; as a seat
        knows it, if one is given."""
        known = Standing(self.game, seat) if seat else None
        read, ranked = (
            (known.value, known.ranking()) if known else (self.game.value, self.game.ranking())
        )
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1, 0, 0))
        table.add_column("")
        columns = [*self.turn.shows, *self._score()]
        for value in columns:
            table.add_column(self.title(value), justify="right")
        names = self.names()
        for player in ranked:
            table.add_row(names[player], *(cell(read(value, player)) for value in columns))
        return table

    def ending(self) -> RenderableType:
        """Return who won, and where the points came from."""
        names = self.names()
        table = Table(title=tr("Final ranking"), title_justify="left", header_style="dim", box=None)
        table.add_column("", justify="right")
        table.add_column("")
        columns = [*self.turn.parts, *self._score()]
        for value in columns:
            table.add_column(self.title(value), justify="right")
        ranks = self.game.ranks()
        for player, place in ranks.items():
            cells = [str(self.game.value(value, player)) for value in columns]
            table.add_row(str(place), names[player], *cells, style="bold" if place == 1 else "")
        first = [player for player, place in ranks.items() if place == 1]
        return Group(Rule(style="bold"), Text(self._victory(first)), Text(), table)

    def _victory(self, first: Sequence[str]) -> str:
        """Say who won, or who share first place, and with how many points."""
        names, shared = self.names(), len(first) > 1
        winners = listed([names[player] for player in first])
        points = {self.game.value(score, player) for score in self._score() for player in first}
        if len(points) != 1:
            told = tr("{winners} share first place.") if shared else tr("{winner} wins.")
        elif self.number == 1:
            one = tr("{winner} wins with {points} points after one turn.")
            many = tr("{winners} share first place with {points} points after one turn.")
            told = many if shared else one
        else:
            one = tr("{winner} wins with {points} points after {turns} turns.")
            many = tr("{winners} share first place with {points} points after {turns} turns.")
            told = many if shared else one
        return told.format(
            winner=winners, winners=winners, points=next(iter(points), ""), turns=self.number
        )

    def _score(self) -> tuple[str, ...]:
        """Return the value that counts, if the rules name one."""
        return (self.turn.score,) if self.turn.score else ()

    def title(self, value: str) -> str:
        """What a value is called above a column."""
        rule: ir.Value = self.game.ruleset.values[value]
        return rule.title or value.replace("_", " ")
