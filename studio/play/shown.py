"""What packs show a player besides the board: values of things for them, and of them in a phase.

The chapters of packs say which (`shows`). They are worked out on what the seat may see.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

import attrs

from ziggurat import Game, Sentences, Standing

PLAYER = "player"


@attrs.frozen
class Figure:
    """A value with its title."""

    title: str
    value: Any

    @property
    def text(self) -> str:
        """The figure in words: `Price 65`."""
        return f"{self.title} {'?' if self.value is None else self.value}"


class Shown:
    """The values for one seat in one position."""

    def __init__(self, game: Game, seat: str) -> None:
        self._game, self._seat = game, seat
        self._chapters = game.ruleset.chapters
        self._in_kind = cache(self._of_kind)

    @cached_property
    def _known(self) -> Standing:
        return Standing(self._game, self._seat)

    @cached_property
    def _told(self) -> Sentences:
        return Sentences(self._game.ruleset)

    @cached_property
    def _of_phase(self) -> tuple[str, ...]:
        """The values that the chapter of the phase shows."""
        chapter = self._chapters.get(self._game.position.phase)
        return chapter.shows if chapter is not None else ()

    @cached_property
    def figures(self) -> list[Figure]:
        """What is shown of the seat itself in the phase it is in."""
        alone = (value for value in self._of_phase if not self._about_another(value))
        return [Figure(self._title(id_), self._plain(id_)) for id_ in alone]

    def of(self, kind: str, thing: str) -> list[Figure]:
        """What is shown of a thing, or of another player; what is nothing now is left out."""
        return self._in_kind(kind).get(thing, [])

    def things(self) -> Iterator[tuple[str, list[Figure]]]:
        """Everything that something is shown of, as `kind.thing`."""
        for kind in (*self._game.ruleset.kinds, PLAYER):
            for thing, figures in self._in_kind(kind).items():
                yield f"{kind}.{thing}", figures

    def _of_kind(self, kind: str) -> dict[str, list[Figure]]:
        found: dict[str, list[Figure]] = {}
        for id_, things in self._rows(kind):
            for thing in things:
                value = (
                    self._known.value_between(id_, self._seat, thing)
                    if kind == PLAYER
                    else self._known.value_with(id_, self._seat, kind, thing)
                )
                if value not in (0, False, None):
                    figure = Figure(self._title(id_), _readable(value))
                    found.setdefault(thing, []).append(figure)
        return found

    def _rows(self, kind: str) -> Iterator[tuple[str, list[str]]]:
        """The values that are shown of a kind, each with the things it is shown of."""
        game = self._game
        if kind == PLAYER:
            others = [seat for seat in game.seats if seat != self._seat]
            yield from ((id_, others) for id_ in self._of_phase if self._about_another(id_))
        elif kind in self._chapters and kind in game.ruleset.kinds:
            things = [thing.id for thing in game.things(kind)]
            yield from ((id_, things) for id_ in self._chapters[kind].shows)

    def _about_another(self, value: str) -> bool:
        return len(self._game.ruleset.values[value].params) > 1

    def _title(self, value: str) -> str:
        return self._told.label(value, self._game.ruleset.values[value].title)

    def _plain(self, value: str) -> Any:
        return _readable(self._known.value(value, self._seat))


def _readable(value: Any) -> Any:
    """A value as people read it."""
    return ("yes" if value else "no") if isinstance(value, bool) else value
