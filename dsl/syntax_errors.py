"""A mistake and its surroundings, and plain English for what could have stood there.

The English for parts of the language is data, in `words.toml`; no name of the grammar's ever
reaches an author.
"""

from collections.abc import Iterable
from functools import cache

import attrs

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.grammar import END, vocabulary
from ziggurat.dsl.lexer import NEW_LINE, TokenList
from ziggurat.dsl.tables import literals

MOST_ALTERNATIVES = 5


@attrs.frozen
class Mistake:
    """A mistake: the word that does not fit, and what is known about its surroundings.

    `at` and `line` are numbers of tokens: the one that does not fit, and the first of its item.
    `is_whole`: what stands before it is complete. `dangling`: the first word of the next line, when
    the mistake is that this line ends where it cannot. `renamed`: the word before is one of the
    language that was read as a name, and these could have stood there.
    """

    tokens: TokenList
    at: int
    line: int
    expected: frozenset[str]
    is_top: bool = False
    is_whole: bool = False
    dangling: int | None = None
    renamed: frozenset[str] | None = None

    def kind(self, at: int) -> str:
        return self.tokens.kinds[at] if 0 <= at < len(self.tokens.kinds) else END

    def text(self, at: int) -> str:
        return self.tokens.text(at) if 0 <= at < len(self.tokens.kinds) else ""

    def span(self, first: int, last: int | None = None) -> Span:
        tokens = self.tokens
        end = tokens.ends[first if last is None else last]
        return tokens.source.span(tokens.starts[first], end)

    def is_word(self, at: int) -> bool:
        return self.text(at).isidentifier()

    def breaks(self, at: int) -> bool:
        """Whether a word begins a line."""
        tokens = self.tokens
        return at > 0 and "\n" in tokens.source.text[tokens.ends[at - 1] : tokens.starts[at]]

    def before(self) -> Span:
        """The end of the word before the mistake: where something is missing."""
        end = self.tokens.ends[self.at - 1] if self.at else 0
        return self.tokens.source.span(max(0, end - 1), end)

    def shown(self, at: int) -> str:
        """A word as it is called in a message."""
        kind, text = self.kind(at), self.text(at)
        if kind == "INT":
            return f"the number {text[:20]}"
        if kind == "STRING":
            return f"the text {text if len(text) <= 30 else text[:28] + '…' + text[-1:]}"
        return f"`{text if len(text) <= 40 else text[:39] + '…'}`"


def expectation(kinds: Iterable[str]) -> str:
    """Plain English for what could have stood there, at most a handful."""
    possible = set(kinds) - {END} or {END}
    left = possible - {"RBRACE"} if NEW_LINE in possible else possible
    said: list[str] = []
    for group in vocabulary()["groups"]:
        if left.issuperset(group["of"]):
            said += [group["say"]] if group["say"] else []
            left = set() if "*" in group["also"] else left - {*group["of"], *group["also"]}
    if not said and not left:
        left = possible
    particular = sorted((_english(kind) for kind in left), key=_rank)
    shown = (particular + said)[:MOST_ALTERNATIVES]
    return " or ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def _rank(english: str) -> tuple[bool, bool, str]:
    """Words of the language first, then symbols, then things such as the end of the line."""
    return not english.startswith("`"), not english.strip("`").isalpha(), english


def _english(kind: str) -> str:
    parts: dict[str, str] = vocabulary()["parts"]
    return parts[kind] if kind in parts else f"`{spelling()[kind]}`"


@cache
def spelling() -> dict[str, str]:
    return {kind: text for text, kind in literals().items()}
