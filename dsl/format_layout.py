"""The canonical layout: items, blocks and comments, set out line by line.

The words are kept as they are; only what stands between them changes. A block that its author
wrote on one line stays there if it fits, fields that share a line go on sharing it if they fit, and
at most one blank line is kept between items. Comments stay at the end of their line or above the
item they precede.
"""

from bisect import bisect_left

import attrs

from ziggurat.dsl.format_spacing import Spacing
from ziggurat.dsl.format_wrapping import CONTINUED, WIDTH, Room, Wrapping
from ziggurat.dsl.lexer import NEW_LINE
from ziggurat.dsl.parse import Reading
from ziggurat.dsl.syntax import Token

INDENT = 2


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
        self.tokens = reading.tokens
        self.source = reading.tokens.source
        self.spacing = Spacing(reading)
        self.closing = dict(reading.blocks)
        self.line_ends = set(reading.line_ends)
        self.lines: list[str] = []
        self.trailing, self.above = self._place_comments()
        self.wrapping = Wrapping(self.spacing, self.trailing, self.above)

    def _place_comments(self) -> tuple[dict[int, Token], dict[int, list[Token]]]:
        """Comments by word: at the end of the line after a word, or above a word."""
        numbers = [at for at, kind in enumerate(self.tokens.kinds) if kind != NEW_LINE]
        starts = [self.tokens.starts[at] for at in numbers]
        trailing: dict[int, Token] = {}
        above: dict[int, list[Token]] = {}
        for comment in self.tokens.comments:
            start = comment.start_pos or 0
            place = bisect_left(starts, start)
            before = numbers[place - 1] if place else None
            if before is not None and not self._newlines(self.tokens.ends[before], start):
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
            elif self.tokens.kinds[at] != NEW_LINE:
                parts.append(at)
            at += 1
        if parts:
            items.append(Item(tuple(parts)))
        return tuple(self._citations_joined(items))

    def _citations_joined(self, items: list[Item]) -> list[Item]:
        """Citations and the tags right behind or below them are one item, and no other two are."""
        out: list[Item] = []
        for item in items:
            for part in self._fields(item) if self.spacing.is_meta(item.first) else [item]:
                if out and self._is_cited(out[-1], part):
                    out[-1] = Item(out[-1].parts + part.parts)
                else:
                    out.append(part)
        return out

    def _is_cited(self, before: Item, item: Item) -> bool:
        kinds = [self.spacing.kinds[one.first] for one in (before, item)]
        if kinds != ["CITES", "TAGS"] or len(self._fields(before)) > 1:
            return False
        if before.last in self.trailing or item.first in self.above:
            return False
        return self._newlines(self.tokens.ends[before.last], self.tokens.starts[item.first]) <= 1

    def file(self) -> str:
        end = len(self.tokens.kinds) - 1
        self._sequence(self._items(0, end), 0, None, end)
        return "".join(f"{line}\n" for line in self.lines)

    def _sequence(
        self, items: tuple[Item, ...], indent: int, opened: int | None, closed: int
    ) -> None:
        """Items and the comments between them; `closed` is the word after the last."""
        last = self.tokens.ends[opened] if opened is not None else 0
        fresh = True
        for item in items:
            last, fresh = self._comments_above(item.first, indent, last, fresh)
            if not fresh and self._newlines(last, self.tokens.starts[item.first]) > 1:
                self.lines.append("")
            self._item(item, indent)
            last, fresh = self.tokens.ends[item.last], False
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
        ) and not any(self.spacing.holds_several(at) for at in item.parts if isinstance(at, int))

    def _is_broken(self, block: Block) -> bool:
        start, end = self.tokens.starts[block.opened], self.tokens.ends[block.closed]
        return not self._is_empty(block) and self._newlines(start, end) > 0

    def _is_empty(self, block: Block) -> bool:
        comments = block.opened in self.trailing or block.closed in self.above
        return not block.items and not comments

    def _flat(self, item: Item) -> str:
        return self.spacing.joined(list(_numbers(item)))

    def _fields(self, item: Item) -> list[Item]:
        """Fields that cannot share a line after all, each an item of its own; so are citations and
        tags that stand for themselves."""
        begins = self.spacing.is_meta if self.spacing.is_meta(item.first) else self.spacing.is_field
        parts: list[list[int | Block]] = [[]]
        for part in item.parts:
            if isinstance(part, int) and parts[-1] and begins(part):
                parts.append([])
            parts[-1].append(part)
        return [Item(tuple(found)) for found in parts]

    def _broken(self, item: Item, indent: int) -> None:
        """An item over several lines: its words wrapped, its blocks opened."""
        metas = self._metas_without_room(item, indent)
        if metas:
            self._with_metas_inside(item, metas, indent)
            return
        run: list[int] = []
        prefix = ""
        for part in item.parts:
            if isinstance(part, int):
                run.append(part)
                continue
            if self._is_empty(part):
                run += [part.opened, part.closed]
                continue
            self._wrap(run, indent, prefix, True, part.opened)
            self._add_trailing(part.opened)
            self._sequence(part.items, indent + INDENT, part.opened, part.closed)
            run, prefix = [], "}"
            after = part.closed + 1
            if part.closed != item.last and (part.closed in self.trailing or after in self.above):
                self.lines.append(" " * indent + "}")
                self._comments_within(part.closed, after, indent)
                prefix = ""
        if run or prefix:
            self._wrap(run, indent, prefix, opens=False)

    def _metas_without_room(self, item: Item, indent: int) -> list[int]:
        """The words of a declaration's citations and tags, if its head has no room for them."""
        run = [part for part in item.parts if isinstance(part, int)]
        metas = self.spacing.metas_of_declaration(run)
        if not metas or run[-1] != metas[-1]:  # what is inserted says its place behind them
            return []
        block = item.parts[-1] if isinstance(item.parts[-1], Block) else None
        comments = any(at in self.above for at in metas) or any(
            at in self.trailing for at in (metas if block else metas[:-1])
        )
        if comments or (block and block.opened in self.above):
            return []
        room = Room(indent, indent + CONTINUED, 0 if block is None else 2)
        return [] if self.wrapping.has_room_for_metas(run, room) else metas

    def _with_metas_inside(self, item: Item, metas: list[int], indent: int) -> None:
        """A declaration whose citations and tags move into its block, or into one of their own."""
        head = [part for part in item.parts if isinstance(part, int) and part not in metas]
        block = item.parts[-1] if isinstance(item.parts[-1], Block) else None
        self._wrap(head, indent, "", opens=True)
        self._add_trailing(block.opened if block else metas[-1])
        items = self._citations_joined([Item(tuple(metas)), *(block.items if block else ())])
        if block is not None:
            self._sequence(tuple(items), indent + INDENT, block.opened, block.closed)
        else:
            for one in items:
                self._item(one, indent + INDENT)
        self.lines.append(" " * indent + "}")

    def _add_trailing(self, at: int) -> None:
        comment = self.trailing.pop(at, None)
        if comment is not None:
            self.lines[-1] += "  " + comment

    def _wrap(
        self, run: list[int], indent: int, prefix: str, opens: bool, opened: int | None = None
    ) -> None:
        """Words over as many lines as they need, after a closing or before an opening brace (the
        word `opened`, if it is written already)."""
        suffix = " {" if opens else ""
        lead = " " * indent + (prefix + " " if prefix and run else prefix)
        if not run:
            self.lines.append((lead + suffix).rstrip() if prefix else " " * indent + "{")
            return
        room = Room(len(lead), indent + CONTINUED, len(suffix))
        last: int | None = None
        for column, tokens in self.wrapping.lines(run, room):
            if last is not None:
                self._comments_within(last, tokens[0], indent + CONTINUED)
                lead = " " * column
            self.lines.append(lead + self.spacing.joined(tokens))
            last = tokens[-1]
        if opened is not None and (run[-1] in self.trailing or opened in self.above):
            self._comments_within(run[-1], opened, indent)
            self.lines.append(" " * indent + "{")
        else:
            self.lines[-1] += suffix

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
