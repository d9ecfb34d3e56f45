"""Recovery after a mistake: report it once, then read from the next place that makes sense.

What stands before a mistake and is whole is kept; what is broken is dropped with the rest of its
line (and the deeper lines that continue it). A block that belongs to a broken line is still read,
under a declaration that nobody wrote and that leaves no trace in the tree, so that mistakes inside
it are found in the same run.

Every mistake either consumes a token or takes the next step at the same one: drop the rest of the
line, drop the whole item, leave the word out. Reading goes back only to the beginning of a line,
and to each line at most once. So recovery ends on every text.
"""

from collections.abc import Iterable

from ziggurat.dsl.diagnostics import FINDINGS_PER_FILE, Diagnostic
from ziggurat.dsl.grammar import END
from ziggurat.dsl.lexer import CANNOT_END, CLOSING, NEW_LINE, TokenList
from ziggurat.dsl.messages import explain
from ziggurat.dsl.parser_base import HOLE, Frame, Parser
from ziggurat.dsl.phrases import NAMES_IN_BRACES, is_secret_may
from ziggurat.dsl.syntax import Token
from ziggurat.dsl.syntax_errors import Mistake

MOST_MISTAKES = 300


class Recovery:
    """Collects the findings of one run, and mends its parser (`Parser.on_mistake`).

    `quiet` are offsets on whose lines something was reported already: a second finding there would
    only be an echo of the first.
    """

    def __init__(self, tokens: TokenList, quiet: list[int]) -> None:
        self.tokens = tokens
        self.findings: list[Diagnostic] = []
        self._quiet = {self._line(offset) for offset in quiet}
        self._resumed = -1  # the token at which reading resumed last
        self._has_dropped_item = False  # since reading resumed there
        self._last_dangling = -1
        self._mistakes = 0

    def __call__(self, parser: Parser, at: int) -> int:
        """Report the mistake at token `at`. Return the token at which reading resumes."""
        if at == self._resumed:
            return self._resume_again(parser, at)
        self._mistakes += 1
        if self._mistakes > MOST_MISTAKES or len(self.findings) >= FINDINGS_PER_FILE:
            self._resumed = self._give_up(parser)
        else:
            self._resumed = self._report_and_skip(parser, at)
        self._has_dropped_item = False
        return self._resumed

    def _resume_again(self, parser: Parser, at: int) -> int:
        """Drop the item around a token that still does not fit, or leave the token out."""
        if not self._has_dropped_item:
            self._has_dropped_item = True
            self._drop_item(parser, _innermost(parser))
            return at
        if self.tokens.kinds[at] == END:
            return self._give_up(parser)
        return at + 1

    def _report_and_skip(self, parser: Parser, at: int) -> int:
        frame = _innermost(parser)
        line = frame.line + (self.tokens.kinds[frame.line] == NEW_LINE)
        mistake = Mistake(
            self.tokens,
            at,
            line,
            parser.expected(),
            is_top=len(parser.frames) == 1,
            is_whole=parser.frames[-1] is frame and parser.fits(NEW_LINE),
            dangling=self._dangling(line, at),
            renamed=parser.misused.get(at - 1),
        )
        self._report(mistake)
        if is_secret_may(mistake):
            return at + 1
        if mistake.dangling is not None and mistake.dangling > self._last_dangling:
            self._last_dangling = mistake.dangling
            return self._begin_anew(parser, frame, mistake.dangling)
        return self._skip(parser, frame, mistake)

    def _give_up(self, parser: Parser) -> int:
        """Keep what has been read of the file, and read no more of it."""
        frame = parser.frames[0]
        assert frame is not None
        del parser.frames[1:]
        parser.cut(frame.height)
        return len(self.tokens.kinds) - 1

    def _report(self, mistake: Mistake) -> None:
        starts = self.tokens.starts
        lines = range(
            self._line(starts[self._segment(mistake)]), self._line(starts[mistake.at]) + 1
        )
        if self._quiet.isdisjoint(lines):
            finding = explain(mistake)
            # A table of places repeats this mistake on every line.
            is_repeated = finding.message == NAMES_IN_BRACES and any(
                known.message == NAMES_IN_BRACES for known in self.findings
            )
            self.findings += [] if is_repeated else [finding]
        self._quiet.update(lines)

    def unreported(self, numbers: Iterable[int]) -> list[int]:
        """Those tokens on whose lines nothing else was found."""
        starts = self.tokens.starts
        return [at for at in numbers if self._line(starts[at]) not in self._quiet]

    def _segment(self, mistake: Mistake) -> int:
        """The first word of the stretch without blocks in which the mistake is."""
        kinds = self.tokens.kinds
        at = mistake.at
        while at > mistake.line and kinds[at - 1] not in (NEW_LINE, "LBRACE", "RBRACE"):
            at -= 1
        return at

    def _dangling(self, line: int, at: int) -> int | None:
        """The first word after a line end that was dropped and that, it seems, should have counted.

        `let x =` at the end of a line swallows the next line; that one is then not deeper.
        """
        tokens = self.tokens
        column = self._column(line)
        for after in range(line + 1, min(at + 1, len(tokens.kinds) - 1)):
            before = after - 1 - (tokens.kinds[after - 1] == NEW_LINE)
            if (
                tokens.kinds[before] in CANNOT_END
                and tokens.kinds[before] != "LBRACE"
                and tokens.kinds[after] not in CLOSING
                and tokens.kinds[after] != NEW_LINE
                and "\n" in tokens.source.text[tokens.ends[before] : tokens.starts[after]]
                and self._column(after) <= column
            ):
                return after
        return None

    def _drop_item(self, parser: Parser, frame: Frame) -> None:
        del parser.frames[parser.frames.index(frame) + 1 :]
        parser.cut(frame.height)

    def _begin_anew(self, parser: Parser, frame: Frame, at: int) -> int:
        self._drop_item(parser, frame)
        if not frame.fresh:
            parser.feed(NEW_LINE, None, at)
        frame.line = at
        return at

    def _skip(self, parser: Parser, frame: Frame, mistake: Mistake) -> int:
        """Drop the rest of the line, or open its block; the number of the next word to read."""
        tokens = self.tokens
        depth = 0  # of the braces of sets around the mistake, which close on the way
        while parser.frames[-1] is not frame:
            parser.frames.pop()
            depth += 1
        if not mistake.is_whole:
            parser.cut(frame.height)
        after_item = mistake.is_whole or not frame.fresh
        for at in range(mistake.at, len(tokens.kinds)):
            kind = tokens.kinds[at]
            if kind == END or (kind == "RBRACE" and depth == 0):
                return at
            if kind == NEW_LINE and depth == 0:
                if self._column(at + 1) > self._column(mistake.line):
                    continue
                frame.line = at + 1
                return at if after_item else at + 1
            if kind == "LBRACE" and depth == 0 and _opens_block(tokens, at):
                if after_item:
                    parser.feed(NEW_LINE, None, at)
                self._feed_head(parser, mistake, at)
                return at
            depth += (kind == "LBRACE") - (kind == "RBRACE")
        return len(tokens.kinds) - 1

    def _feed_head(self, parser: Parser, mistake: Mistake, at: int) -> None:
        """Read a head for a block whose own is broken: what can be read of it, or a hole."""
        tokens, line = self.tokens, mistake.line
        named = (
            mistake.is_top
            and not mistake.is_whole
            and line + 2 <= mistake.at
            and tokens.text(line).isidentifier()
            and tokens.text(line + 1).isidentifier()
        )
        if named:
            parser.feed("NAME", _leaf(tokens, line), at)
            parser.feed("NAME", _leaf(tokens, line + 1), at)
        else:
            for kind in (HOLE, "NAME"):
                parser.feed("NAME", Token(kind, "", tokens.starts[at], tokens.starts[at]), at)

    def _line(self, offset: int) -> int:
        return self.tokens.source.position(offset)[0]

    def _column(self, at: int) -> int:
        return self.tokens.source.position(self.tokens.starts[at])[1]


def _innermost(parser: Parser) -> Frame:
    for frame in reversed(parser.frames):
        if frame is not None:
            return frame
    raise AssertionError("the file itself is always open")


def _opens_block(tokens: TokenList, at: int) -> bool:
    """Whether a brace in a broken line begins a block rather than a set."""
    before = tokens.kinds[at - 1]
    return before not in CANNOT_END or before in ("ELSE", "COLON")


def _leaf(tokens: TokenList, at: int) -> Token:
    return Token("NAME", tokens.text(at), tokens.starts[at], tokens.ends[at])
