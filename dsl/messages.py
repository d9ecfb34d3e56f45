"""What to say about a mistake: where, what stands there, what was expected, what was meant.

Each hint looks at the words around the mistake and either knows what its author meant or passes.
The first that knows wins; when none does, what was expected is listed. The English for parts of the
language, and the habits of other languages, are data in `words.toml`.
"""

from collections.abc import Callable
from functools import cache

from ziggurat.dsl.diagnostics import Diagnostic, Source, Span, nearest
from ziggurat.dsl.grammar import END, vocabulary
from ziggurat.dsl.lexer import CONTINUING, NEW_LINE, Words
from ziggurat.dsl.syntax_errors import Trouble, expectation, spelling
from ziggurat.dsl.tables import item_starts, keywords

_ENDINGS = frozenset({NEW_LINE, END, "RBRACE"})
_DECISIONS = frozenset({"CHOOSE", "SELECT", "DIVIDE"})
_CONDITIONS = frozenset({"IF", "UNLESS", "WHEN"})
_GOES_BETWEEN = frozenset({"EQUAL", "PLUS", "MINUS", "STAR", "SLASH", "COMPARE", "COMMA", "COLON"})
_CLAUSES = ("modify", "allow", "forbid", "before", "after", "needs", "prefer")
_SCRIPTED = ("chooses", "does", "cannot")
_VALUES = frozenset({"NAME", "INT", "STRING", "YES", "NO", "NONE"})


Hint = Callable[[Trouble], Diagnostic | None]


def explain(trouble: Trouble) -> Diagnostic:
    """The finding about a mistake."""
    for hint in _HINTS:
        found = hint(trouble)
        if found is not None:
            return found
    return _unexpected(trouble)


def too_large(source: Source, limit: int) -> Diagnostic:
    advice = "Split it into several files; a pack may have up to 2,000."
    message = f"This file is larger than {limit:,} characters."
    return Diagnostic("Z002", message, source.span(0, 0), advice)


def too_deep(span: Span) -> Diagnostic:
    message = "This is nested too deeply, or has too many parts in one expression."
    return Diagnostic("Z109", message, span, "Give a part of it a name of its own.")


def reserved(words: Words, at: int) -> Diagnostic:
    """A word that no name may be, read as one; the cause may be a slip in the first of its line."""
    line = at
    while line and words.kinds[line - 1] not in (NEW_LINE, "LBRACE"):
        line -= 1
    slip = Trouble(words, at, line, frozenset())
    if meant := _near_item(slip):
        return _did_you_mean(slip, line, meant)
    word = words.text(at)
    span = words.source.span(words.starts[at], words.ends[at])
    message = f"`{word}` is a word of the rules language and cannot be a name."
    return Diagnostic("Z110", message, span, "Choose another name.")


# ---- hints, the most particular first -----------------------------------------------------------


def _dangling(trouble: Trouble) -> Diagnostic | None:
    if trouble.dangling is None:
        return None
    last = trouble.dangling - 1
    last -= trouble.kind(last) == NEW_LINE
    if trouble.kind(last) == "COMMA":
        message = "The line ends with a comma, but nothing follows it."
        return Diagnostic(
            "Z119", message, trouble.span(last), "Leave out the comma, or add what is missing."
        )
    message = f"The line ends after {trouble.shown(last)}, but something must follow it."
    return Diagnostic("Z103", message, trouble.span(last))


def _else(trouble: Trouble) -> Diagnostic | None:
    if trouble.kind(trouble.at) != "ELSE":
        return None
    advice = "Write `else` directly after the `}` of its `if`, at most once for each `if`."
    within = trouble.words.kinds[trouble.line : trouble.at]
    if "IF" in within and trouble.kind(trouble.at - 1) != "RBRACE":
        advice = "Put the block of the `if` in braces: `if … { … } else { … }`."
    message = "This `else` belongs to no `if`."
    return Diagnostic("Z115", message, trouble.span(trouble.at), advice)


def _habit(trouble: Trouble) -> Diagnostic | None:
    """Words of other languages: at the beginning of the line, `then`, or a colon for a block."""
    habits: dict[str, str] = vocabulary()["habits"]
    for at in (trouble.line, trouble.at):
        word = trouble.text(at).lower()
        fits = at == trouble.line or trouble.is_whole
        if word in habits and fits and trouble.kind(at + 1) not in ("COLON", "DOT", "EACH"):
            message = f"`{trouble.text(at)}` is a word of other languages, not of this one."
            if word in keywords():
                message = f"`{word}` is not used like this."
            return Diagnostic("Z118", message, trouble.span(at), habits[word])
    if trouble.text(trouble.at) in ("then", "do", "begin"):
        message = f"There is no `{trouble.text(trouble.at)}` here; a block stands in braces."
        advice = "Write `if … { … }`, `for each x in … { … }`."
        return Diagnostic("Z118", message, trouble.span(trouble.at), advice)
    ends = trouble.kind(trouble.at + 1) in _ENDINGS
    if trouble.kind(trouble.at) == "COLON" and ends and "LBRACE" in trouble.expected:
        message = "A block stands in braces; it does not begin with a colon."
        advice = "Write `{` here, and `}` after the block."
        return Diagnostic("Z118", message, trouble.span(trouble.at), advice)
    return None


def _line_begins(trouble: Trouble) -> Diagnostic | None:
    """A line broken before `=` or an operator, where only one broken after it would go on."""
    at = trouble.at
    if trouble.kind(at) not in _GOES_BETWEEN or trouble.kind(at - 1) != NEW_LINE:
        return None
    word = trouble.shown(at)
    message = f"No line can begin with {word}, and the line above ends without it."
    return Diagnostic("Z101", message, trouble.span(at), f"Put {word} at the end of that line.")


def _title_first(trouble: Trouble) -> Diagnostic | None:
    """`"Movement" phase movement { … }`."""
    at = trouble.at
    if trouble.kind(at) != "STRING" or not trouble.breaks(at) or trouble.kind(at + 2) == END:
        return None
    if not (trouble.is_word(at + 1) and trouble.is_word(at + 2)):
        return None
    message = "A declaration begins with what it is; its title stands after its name."
    advice = f"Write `{trouble.text(at + 1)} {trouble.text(at + 2)} {trouble.text(at)}`."
    return Diagnostic("Z101", message, trouble.span(at), advice)


def _removal(trouble: Trouble) -> Diagnostic | None:
    """`remove cost` does not say of what sort the thing to be removed is."""
    at = trouble.at
    alone = at == trouble.line + 2 and trouble.is_word(at - 1) and trouble.kind(at) in _ENDINGS
    if trouble.kind(trouble.line) != "REMOVE" or not alone:
        return None
    word = trouble.text(at - 1)
    message = f"This does not say what `{word}` is, so it cannot be removed."
    sorts = "`remove step …`, `remove modify …`, `remove phase …`"
    advice = f"Write `remove field {word}` for a field; otherwise {sorts} and so on."
    if trouble.is_top:
        advice = f"Write its kind before it, as in `remove phase {word}`."
    return Diagnostic("Z103", message, trouble.span(at - 1), advice)


def _replacement(trouble: Trouble) -> Diagnostic | None:
    """`replace modify …`: only declarations and labelled steps are replaced in one go."""
    at = trouble.at
    if trouble.kind(at - 1) != "REPLACE" or trouble.text(at) not in _CLAUSES:
        return None
    word = trouble.text(at)
    message = f"Only steps with a name can be replaced here, not `{word}`."
    advice = f"Write `remove {word} …` on a line, and the new `{word} …` on the next."
    return Diagnostic("Z101", message, trouble.span(at), advice)


def _assignment(trouble: Trouble) -> Diagnostic | None:
    """`x = 3` and `p.x = 3` without `let` or `set`."""
    if trouble.kind(trouble.at) != "EQUAL" or trouble.kind(trouble.line) in ("LET", "SET"):
        return None
    target = trouble.words.kinds[trouble.line : trouble.at]
    simple = all(kind in ("NAME", "DOT", "LSQB", "RSQB", "INT") for kind in target)
    if not target or not simple or not trouble.is_word(trouble.line):
        return None
    name = trouble.words.source.text[
        trouble.words.starts[trouble.line] : trouble.words.ends[trouble.at - 1]
    ]
    if len(target) == 1:
        advice = f"Write `let {name} = …` for a new name, `set {name} = …` to change it, or"
        advice += f" `{name}: …` for a field."
    else:
        advice = f"Write `set {name} = …`."
    message = "A line that gives something a value begins with `let` or `set`."
    return Diagnostic("Z114", message, trouble.span(trouble.line, trouble.at - 1), advice)


def _equals(trouble: Trouble) -> Diagnostic | None:
    """`=`, `==` and `:` in each other's place."""
    kind, expected, at = trouble.kind(trouble.at), trouble.expected, trouble.at
    if kind == "COMPARE" and trouble.text(at) == "==" and "EQUAL" in expected:
        message = "`==` compares; a value is given with a single `=`."
        return Diagnostic("Z111", message, trouble.span(at), "Write `=`.")
    if kind == "EQUAL" and "COLON" not in expected:
        message = "`=` gives a value; two values are compared with `==` or `is`."
        return Diagnostic("Z111", message, trouble.span(at), "Write `==`.")
    if kind == "COLON" and "EQUAL" in expected:
        message = "Here belongs `=`, not `:`."
        return Diagnostic("Z111", message, trouble.span(at), "Write `=`.")
    if kind == "TO" and "EQUAL" in expected:
        message = "Here belongs `=`, not `to`."
        return Diagnostic("Z111", message, trouble.span(at), "Write `=`.")
    if kind == "EQUAL" and "COLON" in expected:
        message = "Here belongs `:`, not `=`."
        return Diagnostic("Z111", message, trouble.span(at), "Write `:`.")
    if kind == "NAME" and {"COLON", "FROM", "COMMA"} <= expected and not trouble.breaks(at):
        message = "Between a name and its type stands a colon."
        advice = f"Write `{trouble.text(at - 1)}: {trouble.text(at)}`."
        return Diagnostic("Z111", message, trouble.span(at - 1, at), advice)
    if at == trouble.line + 1 and kind in ("INT", "STRING") and "COLON" in expected:
        name = trouble.text(trouble.line)
        if trouble.kind(trouble.line) == "NAME" and not _near_item(trouble):
            message = f"After the name of a field stands a colon: `{name}: …`."
            return Diagnostic("Z111", message, trouble.span(trouble.line), "Add the `:`.")
    return None


def _condition(trouble: Trouble) -> Diagnostic | None:
    """`if`, `unless` and `when` in each other's place, or at the beginning of an item."""
    at, kind = trouble.at, trouble.kind(trouble.at)
    if trouble.breaks(at) and kind in CONTINUING and trouble.is_whole:
        message = f"`{trouble.text(at)}` goes on with the line above; no item begins with it."
        return Diagnostic("Z101", message, trouble.span(at), "An item begins with `if … { … }`.")
    wanted = trouble.expected & _CONDITIONS
    if kind not in _CONDITIONS or not wanted:
        return None
    meant = "IF" if kind == "WHEN" and "IF" in wanted else min(wanted)
    advice = f"Write `{spelling()[meant]}{' not' if kind == 'UNLESS' else ''}`."
    message = f"`{trouble.text(at)}` is not the word for a condition here."
    return Diagnostic("Z102", message, trouble.span(at), advice)


def _decider(trouble: Trouble) -> Diagnostic | None:
    first = trouble.kind(trouble.line)
    if first not in _DECISIONS or "BY" in trouble.words.kinds[trouble.line : trouble.at]:
        return None
    at = trouble.at - (trouble.renamed is not None)
    if trouble.kind(at) not in ("FROM", "STRING", "ALLOWING"):
        return None
    word = trouble.text(trouble.line)
    message = f"This does not say who decides: `by` is missing after `{word}`."
    where = {"DIVIDE": "`divide n name among … by p`", "SELECT": "`select name by p from …`"}
    advice = f"Write {where.get(first, '`choose name by p from …`')}."
    return Diagnostic("Z116", message, trouble.span(at), advice)


def _misspelt(trouble: Trouble) -> Diagnostic | None:
    """A word of the language with a slip: here, just before, first in the line, or on the next."""
    expected = [spelling()[k] for k in trouble.expected if spelling().get(k, "").isalpha()]
    ends = trouble.kind(trouble.at) in _ENDINGS
    nearby = [trouble.at + 1 if ends else trouble.at, trouble.at - 1]
    for at in nearby:
        if trouble.kind(at) == "NAME" and at > trouble.line and trouble.kind(at + 1) != "LPAR":
            meant = nearest(trouble.text(at), expected)
            if meant:
                return _did_you_mean(trouble, at, meant)
    meant = (
        nearest(trouble.text(trouble.line + 1), _SCRIPTED) if trouble.at > trouble.line else None
    )
    if meant and trouble.kind(trouble.line) == "NAME":
        return _did_you_mean(trouble, trouble.line + 1, meant)
    meant = _near_item(trouble)
    return _did_you_mean(trouble, trouble.line, meant) if meant else None


def _near_item(trouble: Trouble) -> str | None:
    """The word that the first word of the item nearly is."""
    if trouble.kind(trouble.line) != "NAME" or trouble.line > trouble.at:
        return None
    if trouble.kind(trouble.line + 1) in ("COLON", "LPAR", "DOT", "EQUAL"):
        return None
    return nearest(trouble.text(trouble.line), _item_words(trouble.is_top))


@cache
def _item_words(is_top: bool) -> tuple[str, ...]:
    """The words of the language that can begin an item of a file or of a block."""
    texts = (spelling().get(kind, "") for kind in item_starts(is_top))
    return tuple(sorted(text for text in texts if text.isalpha()))


def _did_you_mean(trouble: Trouble, at: int, meant: str) -> Diagnostic:
    message = f"`{trouble.text(at)}` is not a word that can stand here."
    return Diagnostic("Z102", message, trouble.span(at), f"Did you mean `{meant}`?")


def _reference(trouble: Trouble) -> Diagnostic | None:
    """`cites` and `tags` with something else after them."""
    at = trouble.at
    expected = trouble.expected - {END}
    if expected == {"TAG"}:
        message = "A tag has capitals, then a minus, then digits or small letters."
        return Diagnostic("Z123", message, trouble.span(at), "Write it as in `tags R-4-03, Q-17`.")
    after_cites = "CITES" in trouble.words.kinds[max(trouble.line, at - 3) : at]
    if after_cites and expected in ({"NAME"}, {"STRING"}):
        message = "A citation is a source and a place in it, the place as a text."
        where = trouble.span(at) if trouble.kind(at) not in _ENDINGS else trouble.before()
        return Diagnostic("Z123", message, where, 'Write it as in `cites W "6.1", E "6.1"`.')
    return None


def _comma(trouble: Trouble) -> Diagnostic | None:
    at, kind = trouble.at, trouble.kind(trouble.at)
    if trouble.kind(at - 1) == "COMMA" and kind in ("RPAR", "RSQB", "RBRACE", "COMMA", NEW_LINE):
        message = "There is a comma too many here."
        wrong = at if kind == "COMMA" else at - 1
        return Diagnostic("Z119", message, trouble.span(wrong), "Leave it out.")
    if kind == "COMMA" and trouble.kind(at - 1) in ("LPAR", "LSQB", "LBRACE"):
        return Diagnostic(
            "Z119", "There is a comma too many here.", trouble.span(at), "Leave it out."
        )
    if trouble.expected == {"OF"} and trouble.kind(at - 1) == trouble.kind(at - 2) == "NAME":
        message = (
            f"A comma is missing between `{trouble.text(at - 2)}` and `{trouble.text(at - 1)}`."
        )
        advice = "Write the parts with `,` between; pieces are counted as in `ready token of p`."
        return Diagnostic("Z119", message, trouble.span(at - 1), advice)
    if kind == "INT" and trouble.kind(at - 1) == "NAME" and trouble.kind(at - 2) in _VALUES:
        message = f"A comma is missing before `{trouble.text(at - 1)}`."
        return Diagnostic("Z119", message, trouble.span(at - 1), "Add a `,` before it.")
    if "COMMA" not in trouble.expected or trouble.is_whole:
        return None
    if kind in _VALUES or (kind not in _ENDINGS and trouble.is_word(at)):
        if trouble.breaks(at):
            message = "A comma is missing at the end of this line."
            return Diagnostic("Z119", message, trouble.before(), "Add a `,` here.")
        message = f"A comma is missing before {trouble.shown(at)}."
        return Diagnostic("Z119", message, trouble.span(at), "Write the parts with `,` between.")
    return None


def _two_items(trouble: Trouble) -> Diagnostic | None:
    if not trouble.is_whole:
        return None
    at = trouble.at
    begins = trouble.kind(at) != "NAME" and trouble.text(at) in _item_words(trouble.is_top)
    calls = trouble.kind(at) == "NAME" and trouble.kind(at + 1) in ("LPAR", "COLON")
    declares = trouble.kind(at - 1) == "RBRACE" and trouble.is_word(at)
    if not (begins or calls or declares):
        return None
    message = f"A new line must begin before `{trouble.text(at)}`: every item has its own."
    return Diagnostic("Z117", message, trouble.span(at), "Put it on the next line.")


def _missing_before(trouble: Trouble) -> Diagnostic | None:
    """A word such as `from` was taken for a name: what should stand before it is missing."""
    if trouble.renamed is None:
        return None
    word = trouble.text(trouble.at - 1)
    message = f"Something is missing before `{word}`: expected {expectation(trouble.renamed)}."
    advice = "A choice between two values is written `A if C else B`." if word == "if" else None
    return Diagnostic("Z101", message, trouble.span(trouble.at - 1), advice)


def _too_early(trouble: Trouble) -> Diagnostic | None:
    kind = trouble.kind(trouble.at)
    if kind not in _ENDINGS:
        return None
    expected = expectation(trouble.expected)
    if kind == "RBRACE":
        message = f"Before this `}}` something is missing: expected {expected}."
        return Diagnostic("Z103", message, trouble.span(trouble.at))
    where = "The line" if kind == NEW_LINE else "The file"
    return Diagnostic("Z103", f"{where} ends too early: expected {expected}.", trouble.before())


def _unexpected(trouble: Trouble) -> Diagnostic:
    message = f"{trouble.shown(trouble.at)} cannot stand here"
    message = message[0].upper() + message[1:]
    if trouble.expected:
        message += f": expected {expectation(trouble.expected)}"
    return Diagnostic("Z101", message + ".", trouble.span(trouble.at))


_HINTS: tuple[Hint, ...] = (
    _dangling,
    _else,
    _habit,
    _line_begins,
    _title_first,
    _removal,
    _replacement,
    _assignment,
    _equals,
    _condition,
    _decider,
    _reference,
    _missing_before,
    _misspelt,
    _comma,
    _two_items,
    _too_early,
)
