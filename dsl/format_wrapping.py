"""Where the words of a line that is too long are broken.

Lists of citations and tags are read as one, so a line is rather broken before the words they follow
than inside such a list. An action's parameters stand one to a line as soon as there are several,
and so do the conditions of a selection that does not fit.
"""

from collections.abc import Container

import attrs

from ziggurat.dsl.format_spacing import Spacing
from ziggurat.dsl.lexer import CLOSING, CONTINUING, OPENING

WIDTH = 100
TITLED = 120  # of what only a title names: a sentence, and behind it what it cites
CONTINUED = 4
LEAST = 20  # what is shorter looks lost on a line with its citations


@attrs.frozen
class Room:
    """Where a run of words stands: the columns of its first line and of those that go on, and what
    its last line must leave free."""

    first: int
    following: int
    free: int = 0


@attrs.frozen
class Own:
    """Words (by their number in a run) that begin a line of their own, and between which numbers an
    action's parameters stand: what goes on inside one of them stands deeper."""

    starts: frozenset[int] = frozenset()
    opened: int = 0
    closed: int = 0

    def column(self, start: int, room: Room) -> int:
        """Where the line that begins with a word begins."""
        deeper = self.opened < start < self.closed and start not in self.starts
        return room.following + CONTINUED * deeper if start else room.first


@attrs.frozen
class Wrapping:
    """Breaks runs of words (by number); `ends` and `begins` are words at which comments break."""

    spacing: Spacing
    ends: Container[int]
    begins: Container[int]

    def lines(self, run: list[int], room: Room) -> list[tuple[int, list[int]]]:
        """The words of each line, and the column where it begins."""
        own = self._one_a_line(run, room)
        starts = self._starts(run, room, own)
        ends = [*starts[1:], len(run)]
        return [
            (own.column(start, room), run[start:end])
            for start, end in zip(starts, ends, strict=True)
        ]

    def has_room_for_metas(self, run: list[int], room: Room) -> bool:
        """Whether the citations and tags that end a run find room behind its other words, and
        enough of those to stand behind."""
        return self._with_metas_together(run, room, self._one_a_line(run, room), LEAST) is not None

    def _starts(self, run: list[int], room: Room, own: Own) -> list[int]:
        """The numbers of the words that begin a line."""
        for least in (LEAST, 0):
            starts = self._with_metas_together(run, room, own, least)
            if starts is not None:
                return starts
        return self._greedy(run, room, own)

    def _with_metas_together(
        self, run: list[int], room: Room, own: Own, least: int
    ) -> list[int] | None:
        """The lines of a run such that the last one has room for all the citations and tags; if
        need be, it is broken once more, before at least so much."""
        spacing = self.spacing
        metas = next((n for n, at in enumerate(run) if spacing.is_meta(at)), len(run))
        if self._has_comments(run[max(metas - 1, 0) :]):
            return None
        starts = self._greedy(run[:metas], room, own)
        if self._fits(run[starts[-1] :], own.column(starts[-1], room), room):
            return starts
        breaks = [
            (bound, -number)
            for number, bound in spacing.breaks(run[:metas])
            if number > starts[-1] and (bound[0] == 0 or spacing.kinds[run[number]] in CONTINUING)
            if len(spacing.joined(run[number:metas])) >= least
            if self._fits(run[number:], own.column(number, room), room)
        ]
        return [*starts, -min(breaks)[1]] if breaks else None

    def _fits(self, tokens: list[int], column: int, room: Room) -> bool:
        kinds = [self.spacing.kinds[at] for at in tokens[:2]]
        width = TITLED if kinds == ["NAME", "STRING"] else WIDTH
        return column + len(self.spacing.joined(tokens)) + room.free <= width

    def _one_a_line(self, run: list[int], room: Room) -> Own:
        kinds = [self.spacing.kinds[at] for at in run]
        fits = self._fits(run, room.first, room)
        if "SUCH" in kinds and not fits:
            return Own(frozenset(self._conditions(kinds)))
        opened = next((n for n, at in enumerate(run) if self.spacing.is_stretched(at)), None)
        if opened is None or (fits and not self._is_broken(run, opened)):
            return Own()
        forced = {opened + 1}
        depth = 0
        for number in range(opened, len(run)):
            kind = kinds[number]
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth == 0:
                return Own(frozenset(forced), opened, number)
            if kind == "COMMA" and depth == 1:
                forced.add(number + 1)
        return Own(frozenset(forced), opened, len(run))

    def _is_broken(self, run: list[int], opened: int) -> bool:
        return self._has_comments(run[opened:]) or self.spacing.holds_several(run[opened])

    def _has_comments(self, tokens: list[int]) -> bool:
        """Whether comments stand between some words."""
        return any(at in self.ends for at in tokens[:-1]) or any(
            at in self.begins for at in tokens[1:]
        )

    def _conditions(self, kinds: list[str]) -> set[int]:
        forced: set[int] = set()
        depth = 0
        for number, kind in enumerate(kinds):
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth == 0 and number > kinds.index("SUCH") and kinds[number - 1] == "COMMA":
                forced.add(number)
            if kind in ("SUCH", "RELAXING"):
                forced.add(number)
        return forced

    def _greedy(self, run: list[int], room: Room, own: Own) -> list[int]:
        breaks = dict(self.spacing.breaks(run))
        starts = [0]
        while True:
            width = WIDTH - own.column(starts[-1], room) - room.free
            end = self._next_break(run, starts[-1], width, breaks, own.starts)
            if end == len(run):
                return starts
            starts.append(end)

    def _next_break(
        self,
        run: list[int],
        start: int,
        room: int,
        breaks: dict[int, tuple[int, int]],
        forced: frozenset[int],
    ) -> int:
        """The number of the word that begins the next line, or the end of the run."""
        width = 0
        best: int | None = None
        for number in range(start, len(run)):
            if number > start:
                before, at = run[number - 1], run[number]
                if number in forced or before in self.ends or at in self.begins:
                    return number
                if number in breaks and (width <= room or best is None):
                    looser = best is None or breaks[number] <= breaks[best]
                    best = number if looser else best
                width += len(self.spacing.between(before, at))
            width += len(self.spacing.text(run[number]))
            if width > room and best is not None:
                return best
        return len(run)
