"""Brackets that do not match: which one is wrong, and what to read instead.

One lost brace puts every later line out of step, so the parser is not allowed to see it. When the
brackets of a file do not match, the way its lines are indented tells where the author believed each
block to end; the missing bracket is put in (or the stray one taken out) in the list of tokens, and
one finding says so.
"""

import attrs

from ziggurat.dsl.diagnostics import FINDINGS_PER_FILE, Diagnostic, Note, Source
from ziggurat.dsl.grammar import END
from ziggurat.dsl.lexer import CLOSING, NEW_LINE, OPENING, TokenList, tokenize

DEEPEST = 64
_SHOWN = {"LPAR": "(", "LSQB": "[", "LBRACE": "{", "RPAR": ")", "RSQB": "]", "RBRACE": "}"}
_ROUND = frozenset({"LPAR", "LSQB"})
_AFTER_BLOCK = frozenset({"ELSE", "OTHERWISE"})


def check_brackets(tokens: TokenList) -> tuple[bool, Diagnostic | None]:
    """Whether all brackets match, and the finding about nesting that is too deep."""
    stack: list[str] = []
    kinds = tokens.kinds
    for at in tokens.brackets:
        kind = kinds[at]
        if kind in OPENING:
            stack.append(kind)
            if len(stack) > DEEPEST:
                return False, _too_deep(tokens, at)
        elif not stack or stack.pop() != CLOSING[kind]:
            return False, None
    return not stack, None


def mend_brackets(source: Source) -> tuple[TokenList, list[Diagnostic], list[int]]:
    """The tokens with matching brackets, what was wrong, and every offset that was touched."""
    mender = _Mender(tokenize(source, every_line=True))
    mender.run()
    return mender.mended(), mender.findings[:FINDINGS_PER_FILE], mender.touched


def _too_deep(tokens: TokenList, at: int) -> Diagnostic:
    span = tokens.source.span(tokens.starts[at], tokens.ends[at])
    message = f"Brackets are nested more than {DEEPEST} deep here."
    return Diagnostic("Z109", message, span, "Give the inner part a name of its own.")


@attrs.define
class _Open:
    at: int
    kind: str
    indent: int
    line: int


class _Mender:
    def __init__(self, tokens: TokenList) -> None:
        self.tokens = tokens
        self.source = tokens.source
        self.stack: list[_Open] = []
        self.findings: list[Diagnostic] = []
        self.touched: list[int] = []
        self.dropped: set[int] = set()
        self.added: list[tuple[int, str, int]] = []
        self.lines: list[tuple[int, int, int]] = []
        self.end = len(tokens.kinds) - 1
        self.by_indent = _indentation_agrees(tokens)

    def run(self) -> None:
        kinds = self.tokens.kinds
        indent = 0
        for at, kind in enumerate(kinds[:-1]):
            if kind == NEW_LINE:
                continue
            begins_line = at == 0 or kinds[at - 1] == NEW_LINE
            if kind in _AFTER_BLOCK and self._is_first(at):
                indent = self._column(at)
                self._close_left_open(at, indent)
            if begins_line or (kind in CLOSING and self._is_first(at)):
                column = self._column(at)
                if kind not in CLOSING:
                    self._close_left_open(at, column)
                if not self.stack or self.stack[-1].kind not in _ROUND:
                    indent = column
                    self.lines.append((at, column, len(self.stack)))
            if kind in OPENING:
                self._open(at, kind, indent)
            elif kind in CLOSING:
                indent = self._close(at, kind, indent)
            if len(self.findings) >= FINDINGS_PER_FILE:
                self.end = at + 1
                break
        while self.stack:
            self._left_open(self.stack.pop(), self.end)

    def _open(self, at: int, kind: str, indent: int) -> None:
        ends_line = self.tokens.kinds[at + 1] == NEW_LINE
        while kind == "LBRACE" and ends_line and self.stack and self.stack[-1].kind in _ROUND:
            self._left_open(self.stack.pop(), at)
        self.stack.append(_Open(at, kind, indent, self._line(at)))

    def _close(self, at: int, kind: str, indent: int) -> int:
        """Match a closing bracket; the indentation of the item it stands in."""
        wanted = CLOSING[kind]
        if kind == "RBRACE":
            while self.stack and self.stack[-1].kind in _ROUND:
                self._left_open(self.stack.pop(), at)
            if self.by_indent and self._is_first(at):
                column = self._column(at)
                while self.stack and self.stack[-1].indent > column:
                    self._left_open(self.stack.pop(), at)
                if not self.stack or self.stack[-1].indent < column:
                    self._never_opened(at, self._headless(column))
                    return indent
        elif self._is_open(wanted):
            while self.stack[-1].kind != wanted:
                self._left_open(self.stack.pop(), at)
        if self.stack and self.stack[-1].kind == wanted:
            self.stack.pop()
            return indent
        head = None
        if kind == "RPAR":
            head = self._list_head(at)
        elif kind == "RBRACE" and self._is_first(at):
            head = self._headless(self._column(at))
        self._never_opened(at, head)
        return self._column(head[0]) if head else indent

    def _is_open(self, kind: str) -> bool:
        """Whether such a bracket is open within the innermost braces."""
        for opened in reversed(self.stack):
            if opened.kind == kind or opened.kind == "LBRACE":
                return opened.kind == kind
        return False

    def _close_left_open(self, at: int, column: int) -> None:
        """A line that is not indented more than the line of an open bracket is not inside it."""
        while self.stack:
            top = self.stack[-1]
            trusted = self.by_indent or top.kind in _ROUND
            if not trusted or column > top.indent or top.line == self._line(at):
                return
            self._left_open(self.stack.pop(), at)

    def _left_open(self, opened: _Open, before: int) -> None:
        tokens = self.tokens
        place = before - 1 if tokens.kinds[before - 1] == NEW_LINE else before
        self.added.append((place, OPENING[opened.kind], tokens.ends[place - 1]))
        self.touched += [tokens.starts[opened.at], tokens.starts[before]]
        shown, wanted = _SHOWN[opened.kind], _SHOWN[OPENING[opened.kind]]
        line = self._line(before)
        notes: tuple[Note, ...] = ()
        if line != self._line(opened.at) and before < len(tokens.kinds) - 1:
            where = tokens.source.span(tokens.starts[before], tokens.ends[before])
            remark = "Judging by its indentation, this line is no longer inside."
            if tokens.kinds[before] == "LBRACE":
                remark = "Before this block begins, it should have been closed."
            notes = (Note(remark, where),)
        span = tokens.source.span(tokens.starts[opened.at], tokens.ends[opened.at])
        message = f"This `{shown}` is never closed."
        last = self._line(place - 1)
        advice = f"Add a `{wanted}` after line {last}."
        if last == self._line(opened.at) or opened.kind in _ROUND:
            advice = f"Add a `{wanted}` at the end of what it encloses."
        self.findings.append(Diagnostic("Z104", message, span, advice, notes))

    def _never_opened(self, at: int, head: tuple[int, int] | None) -> None:
        """A bracket that closes nothing, or whose partner is missing at the end of a line."""
        tokens = self.tokens
        self.touched.append(tokens.starts[at])
        shown, opening = _SHOWN[tokens.kinds[at]], _SHOWN[CLOSING[tokens.kinds[at]]]
        span = tokens.source.span(tokens.starts[at], tokens.ends[at])
        if head is None:
            self.dropped.add(at)
            message = f"This `{shown}` closes nothing: no `{opening}` before it is open."
            self.findings.append(Diagnostic("Z105", message, span, f"Delete this `{shown}`."))
            return
        first, last = head
        self.added.append((last + 1, CLOSING[tokens.kinds[at]], tokens.ends[last]))
        self.touched += [tokens.starts[first], tokens.starts[last]]
        what = "block" if shown == "}" else "list"
        message = f"The opening `{opening}` of this {what} is missing."
        where = tokens.source.span(tokens.ends[last] - 1, tokens.ends[last])
        note = Note(f"The {what} is closed here.", span)
        advice = f"Add `{opening}` at the end of line {self._line(last)}."
        self.findings.append(Diagnostic("Z104", message, where, advice, (note,)))

    def _list_head(self, at: int) -> tuple[int, int] | None:
        """The line before the deeper lines of a list that ends here with `) {`."""
        if self.tokens.kinds[at + 1] != "LBRACE" or not self.lines:
            return None
        deeper = self.lines[-1]
        for found in reversed(self.lines[:-1]):
            if found[2] < len(self.stack):
                return None
            if found[1] < deeper[1]:
                return found[0], deeper[0] - 2
            deeper = found
        return None

    def _headless(self, column: int) -> tuple[int, int] | None:
        """The line whose block has lost its brace: as far left as the closing one, the next deeper.

        Its first and last word, or None when no line looks like that.
        """
        opened = self.stack[-1].at if self.stack else -1
        inner: tuple[int, int, int] | None = None
        for found in reversed(self.lines[:-1]):
            at, indent, depth = found
            if at < opened or indent < column or depth < len(self.stack):
                return None
            if indent == column:
                if inner is None or self.tokens.kinds[at] == "RBRACE":
                    return None
                return at, inner[0] - 2
            inner = found
        return None

    def mended(self) -> TokenList:
        """The tokens as they should be; after too many findings, those up to the last of them."""
        tokens = self.tokens
        mended = TokenList(tokens.source, [], [], [], [], tokens.comments, tokens.findings)
        added: dict[int, list[tuple[str, int]]] = {}
        for place, kind, offset in self.added:
            added.setdefault(place, []).append((kind, offset))
        depth = 0
        for at, kind in enumerate([*tokens.kinds[: self.end], END]):
            for extra, offset in added.get(at, ()):
                depth += _step(extra)
                _append(mended, extra, offset, offset)
            if at in self.dropped or (kind == NEW_LINE and depth > 0):
                continue
            depth += _step(kind)
            _append(mended, kind, tokens.starts[at], tokens.ends[at])
        return mended

    def _line(self, at: int) -> int:
        return self.source.position(self.tokens.starts[at])[0]

    def _column(self, at: int) -> int:
        return self.source.position(self.tokens.starts[at])[1]

    def _is_first(self, at: int) -> bool:
        return at == 0 or self._line(at - 1) != self._line(at)


def _append(tokens: TokenList, kind: str, start: int, end: int) -> None:
    if kind in OPENING or kind in CLOSING:
        tokens.brackets.append(len(tokens.kinds))
    tokens.kinds.append(kind)
    tokens.starts.append(start)
    tokens.ends.append(end)


def _step(kind: str) -> int:
    return {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}.get(kind, 0)


def _indentation_agrees(tokens: TokenList) -> bool:
    """Whether the lines are indented as blocks are, so that indentation is worth a guess.

    Counted over the lines after an opening brace: nearly all are deeper than the line before.
    """
    source, kinds = tokens.source, tokens.kinds
    deeper = shallower = 0
    indent = 0
    for at, kind in enumerate(kinds[:-1]):
        begins_line = kind != NEW_LINE and (at == 0 or kinds[at - 1] == NEW_LINE)
        if not begins_line and kind not in _AFTER_BLOCK:
            continue
        column = source.position(tokens.starts[at])[1]
        if at > 1 and kinds[at - 2] == "LBRACE":
            deeper += column > indent
            shallower += column <= indent
        indent = column
    return deeper > 0 and shallower * 4 <= deeper
