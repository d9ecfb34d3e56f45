"""What stands between two words of a line, and where a line that is too long may be broken."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import attrs

from ziggurat.dsl.lexer import CLOSING, CONTINUING, NEW_LINE, OPENING
from ziggurat.dsl.parse import Reading, parts_of
from ziggurat.dsl.syntax import Declaration, Node

_ENDS_VALUE = frozenset({"NAME", "INT", "STRING", "RPAR", "RSQB", "RBRACE", "YES", "NO", "NONE"})
_TIGHT_AFTER = frozenset({"LPAR", "LSQB", "DOT", "__ANON_1"})
_TIGHT_BEFORE = frozenset({"RPAR", "RSQB", "COMMA", "COLON", "DOT", "__ANON_1"})
_ENTRIES = frozenset({"entry_is", "entry_plus", "entry_minus"})
_FIELDS = frozenset({"field", "field_shape", "field_plus", "field_minus"}) | _ENTRIES
_METAS = frozenset({"CITES", "TAGS"})
_IN_METAS = frozenset({"TAG", "STRING", "COMMA", "NAME", NEW_LINE})
# Which place to break at first: the parts of a sentence before the parts of a condition.
_RANKS = {
    **dict.fromkeys(("SUCH", "RELAXING", "WHEN", "ALLOWING", "UNTIL", "OTHERWISE", "STRING"), 0),
    **dict.fromkeys(("FROM", "WHERE", "BY", "UNLESS", "GROUPED", "AS"), 1),
    **dict.fromkeys(("OR", "ELSE", "IF", "FOR", "HAS"), 2),
    "AND": 3,
}
_LOOSEST = 4
_BROKEN_AFTER = frozenset({"COMMA", "EQUAL", "PLUS", "MINUS", "STAR", "SLASH"})
_STICKING = {
    ("CONNECTED", "BY"), ("GROUPED", "BY"), ("RELAXING", "FROM"), ("OTHERWISE", "BECAUSE"),
    ("BECAUSE", "STRING"),
}  # fmt: skip


@attrs.define
class Roles:
    """What the tree knows about words and the words alone do not tell, by offset."""

    fields: set[int] = attrs.Factory(set)
    signs: set[int] = attrs.Factory(set)
    stretched: set[int] = attrs.Factory(set)
    many: set[int] = attrs.Factory(set)
    metas: dict[int, tuple[int, int]] = attrs.Factory(dict)


def roles_of(reading: Reading) -> Roles:
    """Where fields begin, which signs belong to a relative field, which brackets hold an action's
    parameters (they stand apart from the name before them) and which of those hold several, and
    from where to where a declaration or an amendment cites and is tagged in front of its block."""
    roles = Roles()
    waiting: list[Node | Declaration] = list(reading.file.tops)
    while waiting:
        node = waiting.pop()
        waiting += parts_of(node)
        if isinstance(node, Declaration):
            if node.metas:
                roles.metas[node.start] = (node.metas[0].start, node.metas[-1].end)
            continue
        if node.rule == "amend":
            metas = node.parts[-2].parts
            if metas:
                roles.metas[node.start] = (metas[0].start, metas[-1].end)
        if node.rule in _FIELDS:
            roles.fields.add(node.start)
        if node.rule in ("field_plus", "field_minus"):
            roles.signs |= {node.parts[0].end_pos, *_between_members(node.parts[1])}
        if node.rule in ("entry_plus", "entry_minus"):
            roles.signs.add(node.parts[1].end_pos)
        if node.rule == "head_by" and node.parts[1] is not None:
            roles.stretched.add(node.parts[1].start)
            if len(node.parts[1].parts) > 1:
                roles.many.add(node.parts[1].start)
    return roles


def _between_members(amount: Node) -> Iterator[int]:
    """Where the signs of `land +sidon -tyre` after the first stand."""
    while amount.rule in ("plus", "minus"):
        amount = amount.parts[0]
        yield amount.end


class Spacing:
    """Answers about neighbouring words of one file."""

    def __init__(self, reading: Reading) -> None:
        self.tokens = reading.tokens
        self.roles = roles_of(reading)
        names = set(reading.names)
        self.kinds = [
            "NAME" if at in names else kind for at, kind in enumerate(reading.tokens.kinds)
        ]
        self._line_ends = frozenset(reading.line_ends)
        self.block_braces = {at for pair in reading.blocks for at in pair}
        self._signs = self._relative_signs()

    def _relative_signs(self) -> set[int]:
        after = self.roles.signs
        return {at for at in range(1, len(self.kinds)) if self.tokens.ends[at - 1] in after}

    def text(self, at: int) -> str:
        return self.tokens.text(at)

    def is_field(self, at: int) -> bool:
        return self.tokens.starts[at] in self.roles.fields

    def is_stretched(self, at: int) -> bool:
        return self.kinds[at] == "LPAR" and self.tokens.starts[at] in self.roles.stretched

    def holds_several(self, at: int) -> bool:
        """Whether this bracket opens an action's parameters, and they are more than one."""
        return self.is_stretched(at) and self.tokens.starts[at] in self.roles.many

    def is_meta(self, at: int) -> bool:
        """Whether a list of citations or tags begins here."""
        return self.kinds[at] in _METAS

    def metas_of_declaration(self, line: Sequence[int]) -> list[int]:
        """The citations and tags in front of the block of the declaration that a line begins."""
        starts = self.tokens.starts
        spans = (self.roles.metas.get(starts[at]) for at in line)
        first, last = next((span for span in spans if span), (0, 0))
        return [at for at in line if first <= starts[at] < last]

    def joined(self, line: Sequence[int]) -> str:
        """Words on one line."""
        pieces = [self.text(at) for at in line[:1]]
        for before, after in pairwise(line):
            pieces.append(self.between(before, after) + self.text(after))
        return "".join(pieces)

    def between(self, before: int, after: int) -> str:
        """The blanks between two neighbouring words on one line."""
        first, second = self.kinds[before], self.kinds[after]
        if first in _TIGHT_AFTER or second in _TIGHT_BEFORE:
            return ""
        if second == "LSQB":
            return "" if first in _ENDS_VALUE else " "
        if second == "LPAR":
            return "" if first in _ENDS_VALUE and not self.is_stretched(after) else " "
        if first == "LBRACE" or second == "RBRACE":
            empty = first == "LBRACE" and second == "RBRACE"
            brace = before if first == "LBRACE" else after
            return " " if brace in self.block_braces and not empty else ""
        if first in ("PLUS", "MINUS") and self._is_sign(before):
            return " " if second in ("PLUS", "MINUS") else ""
        if second in _METAS and first not in ("TAG", "STRING"):
            return "  "
        if second in _METAS:
            return " " if self._in_metas(before) else "  "
        return "  " if self.is_field(after) else " "

    def _is_sign(self, at: int) -> bool:
        return at in self._signs or self.kinds[at - 1] not in _ENDS_VALUE

    def _in_metas(self, at: int) -> bool:
        while at >= 0 and self.kinds[at] in _IN_METAS and at not in self._line_ends:
            at -= 1
        return at >= 0 and self.kinds[at] in _METAS

    def breaks(self, line: list[int]) -> Iterator[tuple[int, tuple[int, int]]]:
        """Where a line may be broken: the number within `line` of each word that may begin the
        next one, and how loosely it is bound (the depth in brackets, then the rank)."""
        depth = rounded = 0
        for number, at in enumerate(line):
            kind = self.kinds[at]
            if number and kind not in CLOSING and self._may_break(line[number - 1], at, rounded):
                rank = _RANKS.get(kind, 1 if self._begins_part(line[number - 1]) else _LOOSEST)
                if kind == "STRING" and self.kinds[line[number - 1]] == "NAME":
                    if number == 1:
                        continue
                    rank = _LOOSEST
                yield number, (depth, rank)
            depth += (kind in OPENING) - (kind in CLOSING)
            rounded += (kind in ("LPAR", "LSQB")) - (kind in ("RPAR", "RSQB"))

    def _begins_part(self, before: int) -> bool:
        return self.kinds[before] in ("COMMA", "EQUAL")

    def _may_break(self, before: int, after: int, rounded: int) -> bool:
        first, second = self.kinds[before], self.kinds[after]
        if first in ("LPAR", "LSQB", "LBRACE", "COLON", "NOT", "DOT") or second == "NOT":
            return False
        if (first, second) in _STICKING or (second == "OR" and self.kinds[after + 1] == "NONE"):
            return False
        if first in ("PLUS", "MINUS") and self._is_sign(before):
            return False
        if second in CONTINUING:
            return True
        if second == "STRING" and not rounded:
            return first not in ("SAY", "TELL") and not self._in_metas(before)
        if first in _BROKEN_AFTER:
            return True
        return rounded > 0 and second in _RANKS


def same(first: Any, second: Any) -> bool:
    """Whether two trees say the same, wherever their words stand. Without recursion."""
    waiting = [(first, second)]
    while waiting:
        one, other = waiting.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, (Node, Declaration)):
            waiting.append((_plain(one), _plain(other)))
        elif isinstance(one, tuple):
            if len(one) != len(other):
                return False
            waiting += zip(one, other, strict=True)
        elif one != other:
            return False
    return True


def _plain(node: Node | Declaration) -> tuple[Any, ...]:
    if isinstance(node, Node):
        if node.rule == "amend":
            *what, metas, block = node.parts
            return (node.rule, *what, (*metas.parts, *block.parts))
        return (node.rule, node.parts)
    return (
        node.word,
        node.path,
        node.params,
        node.title,
        node.heads,
        node.type,
        node.default,
        (*node.metas, *(node.items or ())),  # citations say the same in front of a block and in it
        node.items is None and not node.metas,
    )
