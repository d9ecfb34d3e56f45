"""The canonical layout: items, blocks and comments, set out line by line.

The words are kept as they are; only what stands between them changes. A block that its author
wrote on one line stays there if it fits, fields that share a line go on sharing it if they fit, and
at most one blank line is kept between items. Comments stay at the end of their line or above the
item they precede.
"""

from bisect import bisect_left
from itertools import pairwise

import attrs
from lark import Token

from ziggurat.dsl.format_spacing import Spacing
from ziggurat.dsl.lexer import CLOSING, NEW_LINE, OPENING
from ziggurat.dsl.parse import Reading

WIDTH = 100
INDENT = 2
CONTINUED = 4


@attrs.frozen
class Block:
    """A block: the numbers of its braces, and its items."""

    opened: int
    closed: int
    items: "tuple[Item, ...]"


@attrs.frozen
class Item:
    """One item of a block or of the file: words (by number) and blocks, in order."""

    parts: tuple["int | Block", ...]

    @property
    def first(self) -> int:
        first = self.parts[0]
        return first if isinstance(first, int) else first.opened

    @property
    def last(self) -> int:
        last = self.parts[-1]
        return last if isinstance(last, int) else last.closed


def lay_out(reading: Reading) -> str:
    """The text of a file without mistakes, in canonical layout."""
    return _Layout(reading).file()


class _Layout:
    def __init__(self, reading: Reading) -> None:
        self.words = reading.words
        self.source = reading.words.source
        self.spacing = Spacing(reading)
        self.closing = dict(reading.blocks)
        self.line_ends = set(reading.line_ends)
        self.lines: list[str] = []
        self.trailing, self.above = self._place_comments()

    def _place_comments(self) -> tuple[dict[int, Token], dict[int, list[Token]]]:
        """Comments by word: at the end of the line after a word, or above a word."""
        numbers = [at for at, kind in enumerate(self.words.kinds) if kind != NEW_LINE]
        starts = [self.words.starts[at] for at in numbers]
        trailing: dict[int, Token] = {}
        above: dict[int, list[Token]] = {}
        for comment in self.words.comments:
            start = comment.start_pos or 0
            place = bisect_left(starts, start)
            before = numbers[place - 1] if place else None
            if before is not None and not self._newlines(self.words.ends[before], start):
                trailing[before] = comment
            else:
                above.setdefault(numbers[place], []).append(comment)
        return trailing, above

    def _newlines(self, start: int, end: int) -> int:
        return self.source.text.count("\n", start, end)

    # ---- structure ------------------------------------------------------------------------

    def _items(self, start: int, end: int) -> tuple[Item, ...]:
        items: list[Item] = []
        parts: list[int | Block] = []
        at = start
        while at < end:
            if at in self.line_ends:
                items.append(Item(tuple(parts)))
                parts = []
            elif at in self.closing:
                closed = self.closing[at]
                parts.append(Block(at, closed, self._items(at + 1, closed)))
                at = closed
            elif self.words.kinds[at] != NEW_LINE:
                parts.append(at)
            at += 1
        if parts:
            items.append(Item(tuple(parts)))
        return tuple(items)

    def file(self) -> str:
        end = len(self.words.kinds) - 1
        self._sequence(self._items(0, end), 0, None, end)
        return "".join(f"{line}\n" for line in self.lines)

    def _sequence(
        self, items: tuple[Item, ...], indent: int, opened: int | None, closed: int
    ) -> None:
        """Items and the comments between them; `closed` is the word after the last."""
        last = self.words.ends[opened] if opened is not None else 0
        fresh = True
        for item in items:
            last, fresh = self._comments_above(item.first, indent, last, fresh)
            if not fresh and self._newlines(last, self.words.starts[item.first]) > 1:
                self.lines.append("")
            self._item(item, indent)
            last, fresh = self.words.ends[item.last], False
        self._comments_above(closed, indent, last, fresh)

    def _comments_above(self, at: int, indent: int, last: int, fresh: bool) -> tuple[int, bool]:
        for comment in self.above.get(at, ()):
            if not fresh and self._newlines(last, comment.start_pos or 0) > 1:
                self.lines.append("")
            self.lines.append(" " * indent + comment)
            last, fresh = comment.end_pos or 0, False
        return last, fresh

    # ---- one item -------------------------------------------------------------------------

    def _item(self, item: Item, indent: int) -> None:
        if self._is_flat(item) and indent + len(self._flat(item)) <= WIDTH:
            self.lines.append(" " * indent + self._flat(item))
        else:
            for part in self._fields(item):
                self._broken(part, indent)
                self._add_trailing(part.last)
        self._add_trailing(item.last)

    def _is_flat(self, item: Item) -> bool:
        """Whether nothing in the item asks for a line of its own."""
        first, last = item.first, item.last
        inside = range(first, last)
        if any(at in self.trailing for at in inside):
            return False
        if any(at in self.above for at in range(first + 1, last + 1)):
            return False
        return not any(
            self._is_broken(part) for part in item.parts if isinstance(part, Block)
        ) and not any(self._params_broken(at) for at in item.parts if isinstance(at, int))

    def _is_broken(self, block: Block) -> bool:
        start, end = self.words.starts[block.opened], self.words.ends[block.closed]
        return not self._is_empty(block) and self._newlines(start, end) > 0

    def _is_empty(self, block: Block) -> bool:
        comments = block.opened in self.trailing or block.closed in self.above
        return not block.items and not comments

    def _params_broken(self, at: int) -> bool:
        """Whether the parameters of an action are written one to a line."""
        if not self.spacing.is_stretched(at):
            return False
        return self._newlines(self.words.ends[at], self.words.starts[at + 1]) > 0

    def _flat(self, item: Item) -> str:
        return self._joined(list(_numbers(item)))

    def _joined(self, line: list[int]) -> str:
        pieces = [self.spacing.text(line[0])]
        for before, after in pairwise(line):
            pieces.append(self.spacing.between(before, after) + self.spacing.text(after))
        return "".join(pieces)

    def _fields(self, item: Item) -> list[Item]:
        """Fields that cannot share a line after all, each an item of its own."""
        parts: list[list[int | Block]] = [[]]
        for part in item.parts:
            if isinstance(part, int) and parts[-1] and self.spacing.is_field(part):
                parts.append([])
            parts[-1].append(part)
        return [Item(tuple(found)) for found in parts]

    def _broken(self, item: Item, indent: int) -> None:
        """An item over several lines: its words wrapped, its blocks opened."""
        run: list[int] = []
        prefix = ""
        for part in item.parts:
            if isinstance(part, int):
                run.append(part)
                continue
            if self._is_empty(part):
                run += [part.opened, part.closed]
                continue
            self._wrap(run, indent, prefix, part)
            self._add_trailing(part.opened)
            self._sequence(part.items, indent + INDENT, part.opened, part.closed)
            run, prefix = [], "}"
            after = part.closed + 1
            if part.closed != item.last and (part.closed in self.trailing or after in self.above):
                self.lines.append(" " * indent + "}")
                self._comments_within(part.closed, after, indent)
                prefix = ""
        if run or prefix:
            self._wrap(run, indent, prefix, None)

    def _add_trailing(self, at: int) -> None:
        comment = self.trailing.pop(at, None)
        if comment is not None:
            self.lines[-1] += "  " + comment

    def _wrap(self, run: list[int], indent: int, prefix: str, block: Block | None) -> None:
        """Words over as many lines as they need, after a closing or before an opening brace."""
        suffix = " {" if block is not None else ""
        lead = " " * indent + (prefix + " " if prefix and run else prefix)
        if not run:
            self.lines.append((lead + suffix).rstrip() if prefix else " " * indent + "{")
            return
        forced, inner = self._one_a_line(run)
        breaks = dict(self.spacing.breaks(run))
        start = 0
        while True:
            room = WIDTH - len(lead) - len(suffix)
            end = self._next_break(run, start, room, breaks, forced)
            self.lines.append(lead + self._joined(run[start:end]))
            if end == len(run):
                break
            self._comments_within(run[end - 1], run[end], indent + CONTINUED)
            start = end
            deeper = CONTINUED * (1 + (inner[0] < start < inner[1] and start not in forced))
            lead = " " * (indent + deeper)
        if block is not None and (run[-1] in self.trailing or block.opened in self.above):
            self._comments_within(run[-1], block.opened, indent)
            self.lines.append(" " * indent + "{")
        else:
            self.lines[-1] += suffix

    def _one_a_line(self, run: list[int]) -> tuple[set[int], tuple[int, int]]:
        """The words that begin a line because an action's parameters stand one to a line.

        So do the conditions of a selection, which are read one after the other.
        """
        kinds = [self.spacing.kinds[at] for at in run]
        if "SUCH" in kinds and len(self._joined(run)) > WIDTH:
            return self._conditions(run, kinds), (0, 0)
        opened = next((n for n, at in enumerate(run) if self.spacing.is_stretched(at)), None)
        if opened is None:
            return set(), (0, 0)
        whole = self._joined(run)
        if not self._params_broken(run[opened]) and len(whole) + 2 <= WIDTH:
            return set(), (0, 0)
        forced = {opened + 1}
        depth = 0
        for number in range(opened, len(run)):
            kind = kinds[number]
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth == 0:
                return forced, (opened, number)
            if kind == "COMMA" and depth == 1:
                forced.add(number + 1)
        return forced, (opened, len(run))

    def _conditions(self, run: list[int], kinds: list[str]) -> set[int]:
        forced: set[int] = set()
        depth = 0
        for number, kind in enumerate(kinds):
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth == 0 and number > kinds.index("SUCH") and kinds[number - 1] == "COMMA":
                forced.add(number)
            if kind in ("SUCH", "RELAXING"):
                forced.add(number)
        return forced

    def _next_break(
        self,
        run: list[int],
        start: int,
        room: int,
        breaks: dict[int, tuple[int, int]],
        forced: set[int],
    ) -> int:
        """The number of the word that begins the next line, or the end of the run."""
        width = 0
        best: int | None = None
        for number in range(start, len(run)):
            if number > start:
                before, at = run[number - 1], run[number]
                if number in forced or before in self.trailing or at in self.above:
                    return number
                if number in breaks and (width <= room or best is None):
                    looser = best is None or breaks[number] <= breaks[best]
                    best = number if looser else best
                width += len(self.spacing.between(before, at))
            width += len(self.spacing.text(run[number]))
            if width > room and best is not None:
                return best
        return len(run)

    def _comments_within(self, before: int, after: int, indent: int) -> None:
        self._add_trailing(before)
        for comment in self.above.get(after, ()):
            self.lines.append(" " * indent + comment)


def _numbers(item: Item) -> list[int]:
    """All words of an item, those of its blocks included."""
    numbers: list[int] = []
    for part in item.parts:
        if isinstance(part, int):
            numbers.append(part)
        else:
            numbers.append(part.opened)
            for inner in part.items:
                numbers += _numbers(inner)
            numbers.append(part.closed)
    return numbers
