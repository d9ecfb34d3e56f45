"""A Pygments lexer for `.rules`, for documentation and other people's pages."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, Text

from ziggurat.studio.editor import highlighting as sorts

_TOKENS: dict[str, Any] = {
    "": Text, sorts.COMMENT: Comment.Single, sorts.TEXT: String.Double,
    sorts.HOLE: String.Interpol, sorts.TAG: Name.Label, sorts.NUMBER: Number.Integer,
    sorts.CONSTANT: Keyword.Constant, sorts.DECLARING: Keyword.Declaration,
    sorts.DECLARED: Name.Class, sorts.OPERATOR: Operator.Word, sorts.WORD: Keyword,
    sorts.FIELD: Name.Attribute, sorts.CALL: Name.Function, sorts.SIGN: Operator,
}  # fmt: skip


def _rules() -> Iterator[tuple[Any, ...]]:
    for paint in sorts.paints():
        tokens = [_TOKENS[sort] for sort in paint.sorts]
        whole = len(tokens) == 1
        yield paint.pattern, tokens[0] if whole else bygroups(*tokens)


class RulesLexer(RegexLexer):
    """Rules of board games, as Ziggurat reads them."""

    name = "Ziggurat rules"
    aliases: ClassVar[list[str]] = ["ziggurat-rules", "rules"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    mimetypes: ClassVar[list[str]] = ["text/x-ziggurat-rules"]
    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            *_rules(),
            (sorts.TEXT_BEGINS, String.Double, "text"),
            (r"[\s{}()\[\],.:]+", Text),
            (r".", Literal),
        ],
        "text": [
            (sorts.IN_TEXT.pattern, String.Interpol),
            (sorts.TEXT_ENDS, String.Double, "#pop"),
            (r"\n", Text, "#pop"),
            (r'[^"{\n]+|\{', String.Double),
        ],
    }
