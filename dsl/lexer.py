"""Text to tokens: one pass, every offset true, nothing refused.

Line ends separate items, but an author may break a long line where it cannot end: inside round
brackets, after an operator or a comma, before a closing bracket or a prompt, and before a word that
only ever continues a line. Those line ends are dropped here (the last kind in `dsl.parse`, which
knows whether `to` is a word of the language or somebody's name).

Characters that have no place in rules become findings *and* the word the author meant, so that one
`≤` costs one finding and the rest of the line is still read.
"""

import re
from functools import cache

import attrs

from ziggurat.dsl import tables
from ziggurat.dsl.diagnostics import FINDINGS_PER_FILE, Diagnostic, Source
from ziggurat.dsl.foreign_syntax import understand
from ziggurat.dsl.grammar import END
from ziggurat.dsl.syntax import Token

NEW_LINE = "_NL"
_KINDS = re.compile(r"\w+")
CONTINUING = frozenset(
    _KINDS.findall(
        "WHEN WHERE SUCH RELAXING AND OR ELSE OTHERWISE BECAUSE BY FROM UNLESS AS ALLOWING GROUPED"
        " UNTIL"
    )
)
CANNOT_END = frozenset(
    _KINDS.findall(
        "COMMA LBRACE LPAR LSQB EQUAL PLUS MINUS STAR SLASH COMPARE AND OR NOT IN BY FROM WHERE"
        " WHEN COLON IS HOLDS TO ELSE IF"
    )
)
OPENING = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
CLOSING = {closing: opening for opening, closing in OPENING.items()}
_BRACKETS = frozenset(OPENING) | frozenset(CLOSING)
_JOINING = frozenset(CLOSING) | {"STRING"}
_DEPTH = {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}
_BEFORE_TAG = frozenset({"TAGS", "QUESTION", "CLARIFICATION"})
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")

_PATTERN = re.compile(
    r"""[\ \t\r]*+(?:
    ([a-z_][a-z0-9_]*+(?!\w) | [A-Z][A-Za-z0-9_]*+(?![\w-]))      # 1 a word
  | (\n)                                                          # 2
  | (->|\.\.|[.,(){}\[\]]|:(?!=)|[!<>]=(?!=)|==?(?![=<>])|[<>](?!>)|\+(?!=|\+[\ \t]*(?:[\n)},]|\Z))
     |-(?![->=])|\*(?![*=])|/(?![/*=]))                           # 3 a symbol
  | ([0-9]++(?!\w|\.[0-9]))                                       # 4 a number
  | ("[^"\n]*")                                                   # 5 a text
  | (\#[^\n]*)                                                    # 6 a comment
  | ([A-Z]+(?:-[A-Za-z0-9]+)+(?!\w))                              # 7 a tag
  | ([A-Z][A-Za-z0-9_]*+(?!\w))                                   # 8 a word before a minus
  | (-)(?=-[\w(])                                                 # 9 a minus before a minus
  | ("[^"\n]*+ | [“”„«»‘’‚'`][^\n]*? (?:[“”»‘’'`]|(?=\n|\Z))      # 10 something odd
     | [0-9]++(?:\.[0-9]++)+\w* | /\*.*?(?:\*/|\Z) | //[^\n]* | --[^\n]* | [&|+=*/<>!:?%^~-]{2,3}
     | \w++ | [^\S\n]++ | [\x00-\x08\x0e-\x1f\x7f]++ | .)
  )""",
    re.VERBOSE | re.DOTALL,
)
_WORD, _LINE, _SYMBOL, _NUMBER, _TEXT, _COMMENT, _TAG, _CAPITAL, _MINUS, _ODD = range(1, 11)
_PIECES = re.compile(r"[A-Z]+|-|[0-9]+(?![a-z_])|[a-z0-9_]+")


@attrs.define(eq=False)
class TokenList:
    """The tokens of a text as three lists of equal length, ending with the token `$END`.

    `kinds` are the grammar's names; a word of the language carries its own kind, and the parser
    reads it as a name where the grammar has no other use for it.
    """

    source: Source
    kinds: list[str]
    starts: list[int]
    ends: list[int]
    brackets: list[int]
    comments: list[Token]
    findings: list[Diagnostic]

    def text(self, at: int) -> str:
        return self.source.text[self.starts[at] : self.ends[at]]


@cache
def literals() -> dict[str, str]:
    """Every fixed word and symbol of the grammar, and its kind."""
    return {**tables.literals(), **dict.fromkeys(_COMPARISONS, "COMPARE")}


def tokenize(source: Source, every_line: bool = False) -> TokenList:
    """All tokens of a source; with `every_line` also the line ends inside round brackets."""
    text = source.text
    known = literals().get
    tokens = TokenList(source, [], [], [], [], [], [])
    kinds, starts, ends, brackets = tokens.kinds, tokens.starts, tokens.ends, tokens.brackets
    line_end = -1
    depth = 0
    for match in _PATTERN.finditer(text):
        group = match.lastindex
        if group is None:  # blanks at the end of the text
            continue
        start, end = match.span(group)
        if group == _WORD:
            kind = known(text[start:end], "NAME")
        elif group == _LINE:
            if line_end < 0:
                line_end = start
            continue
        elif group == _SYMBOL:
            kind = known(text[start:end], "?")
        elif group == _NUMBER:
            kind = "INT"
        elif group == _TEXT:
            kind = "STRING"
        elif group == _COMMENT:
            tokens.comments.append(_leaf("COMMENT", text[start:end].rstrip(), start))
            continue
        elif group == _CAPITAL:
            kind = "NAME"
        elif group == _MINUS:
            kind = "MINUS"
        elif group == _TAG and _wants_tag(kinds):
            kind = "TAG"
        else:
            kind = "?"
        if line_end >= 0:
            if (
                kinds
                and (depth <= 0 or every_line)
                and kind not in _JOINING
                and not (kind in CONTINUING and text[end : end + 1] not in (":", "(", "."))
            ):
                kinds.append(NEW_LINE)
                starts.append(line_end)
                ends.append(line_end + 1)
            line_end = -1
        if kind == "?":
            _add_pieces(tokens, text, start, end, group == _TAG)
            continue
        if kind in _BRACKETS:
            brackets.append(len(kinds))
            depth += _DEPTH.get(kind, 0)
        kinds.append(kind)
        starts.append(start)
        ends.append(end)
    kinds.append(END)
    starts.append(len(text))
    ends.append(len(text))
    return tokens


def _wants_tag(kinds: list[str]) -> bool:
    return bool(kinds and kinds[-1] in _BEFORE_TAG) or kinds[-2:] == ["TAG", "COMMA"]


def _add_pieces(tokens: TokenList, text: str, start: int, end: int, is_tag: bool) -> None:
    """Add what an odd stretch of text stands for, and the finding about it."""
    if is_tag:
        for piece in _PIECES.finditer(text, start, end):
            kind = literals().get(piece.group(), "INT" if piece.group().isdecimal() else "NAME")
            _add(tokens, kind, *piece.span())
        return
    meant = understand(tokens.source, start, end)
    if len(tokens.findings) < FINDINGS_PER_FILE:
        tokens.findings.extend(meant.findings)
    if meant.is_comment:
        tokens.comments.append(_leaf("COMMENT", text[start:end].rstrip(), start))
    for kind, first, last in meant.tokens:
        _add(tokens, literals().get(kind, kind), first, last)


def _add(tokens: TokenList, kind: str, start: int, end: int) -> None:
    if kind in _BRACKETS:
        tokens.brackets.append(len(tokens.kinds))
    tokens.kinds.append(kind)
    tokens.starts.append(start)
    tokens.ends.append(end)


def _leaf(kind: str, text: str, start: int) -> Token:
    return Token(kind, text, start, start + len(text))
