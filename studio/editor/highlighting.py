"""How rules are coloured where no server is: one description, of which the Pygments lexer (`lexer`)
and the TextMate grammar (`textmate`) are made.

Patterns are written so that both kinds of machine read them alike: no look behind, no names for
groups. The words come from the grammar of the language.
"""

import attrs

from ziggurat import language_words

NAME = r"[a-z_][a-z0-9_]*"
COMMENT, TEXT, HOLE, TAG, NUMBER, CONSTANT = "comment", "text", "hole", "tag", "number", "constant"
DECLARING, DECLARED, OPERATOR, WORD = "declaring", "declared", "operator", "word"
FIELD, CALL, SIGN = "field", "call", "sign"


@attrs.frozen
class Paint:
    """A pattern, and the sort of each of its groups (of the whole, if there is one sort and no
    group)."""

    pattern: str
    sorts: tuple[str, ...]


def paints() -> list[Paint]:
    """What is tried at each place, in this order; whatever fits none of it has no colour."""
    words = language_words()
    constants = ("yes", "no", "none")
    operators = [word for word in words["reserved"] if word not in constants]
    others = [word for word in words["words"] if word not in (*constants, *operators)]
    changing = "open|amend|replace|remove|rename"
    end = r"(?![a-z0-9_])"
    gap = r"[ \t]+"
    language = {*words["words"], *words["reserved"]}
    # Words of the language begin nothing that a pack declares, and are rarely declared themselves.
    own = rf"(?!(?:{'|'.join(sorted(language))}){end}){NAME}"
    kind = rf"(?!(?:{'|'.join(sorted(language - {*words['declaring']}))}){end}){NAME}"
    declaring = "|".join(words["declaring"])
    named = (DECLARING, "", DECLARED)
    return [
        Paint(r"#[^\n]*", (COMMENT,)),
        Paint(rf"(\.)({NAME})(?![a-z0-9_(])", (SIGN, "")),
        Paint(rf"\b(run)({gap})(phase){end}", (WORD, "", WORD)),
        Paint(rf"\b({changing})({gap})({kind})({gap})({own})", (WORD, "", *named)),
        Paint(rf"\b({declaring})({gap})({own}|{NAME}(?=\())(?![a-z0-9_]*[ \t]*[=:,)])", named),
        Paint(rf'\b({kind})({gap})({NAME})(?=[ \t]+"[^"\n]*"[ \t]*\{{)', named),
        Paint(rf'\b({declaring})(?=[ \t]+["A-Z])', (DECLARING,)),
        Paint(r"\b[A-Z]+(?:-[A-Za-z0-9]+)+\b", (TAG,)),
        Paint(r"\b[A-Z][A-Za-z0-9_]*\b", (TAG,)),
        Paint(r"\b[0-9]+\b", (NUMBER,)),
        Paint(rf"\b(?:{'|'.join(constants)}){end}", (CONSTANT,)),
        Paint(rf"\b(?:{'|'.join(operators)}){end}", (OPERATOR,)),
        Paint(rf"\b{NAME}(?=[ \t]*:)", (FIELD,)),
        Paint(rf"\b{NAME}(?=\()", (CALL,)),
        Paint(rf"\b(?:{'|'.join(others)}){end}(?![.:(])", (WORD,)),
        Paint(rf"\b{NAME}", ("",)),
        Paint(r"->|\.\.|[=!<>]=|[=<>+*/-]", (SIGN,)),
    ]


# A text, and the holes of a sentence in it.
TEXT_BEGINS = TEXT_ENDS = '"'
IN_TEXT = Paint(r'\{[^{}"\n]*\}', (HOLE,))
