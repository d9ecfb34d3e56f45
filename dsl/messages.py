"""What to say about a mistake: where, what stands there, what was expected, what was meant.

Each hint looks at the tokens around the mistake and either knows what its author meant or passes.
The first that knows wins; when none does, what was expected is listed. The English for parts of the
language, and the habits of other languages, are data in `words.toml`.
"""

from collections.abc import Callable
from functools import cache

from ziggurat.dsl.diagnostics import Diagnostic, Source, Span, nearest
from ziggurat.dsl.grammar import END, vocabulary
from ziggurat.dsl.lexer import CONTINUING, NEW_LINE, TokenList
from ziggurat.dsl.phrases import PHRASES
from ziggurat.dsl.syntax_errors import Mistake, expectation, spelling
from ziggurat.dsl.tables import item_starts, keywords

_ENDINGS = frozenset({NEW_LINE, END, "RBRACE"})
_DECISIONS = frozenset({"CHOOSE", "SELECT", "DIVIDE"})
_CONDITIONS = frozenset({"IF", "UNLESS", "WHEN"})
_GOES_BETWEEN = frozenset({"EQUAL", "PLUS", "MINUS", "STAR", "SLASH", "COMPARE", "COMMA", "COLON"})
_CLAUSES = ("modify", "allow", "forbid", "before", "after", "needs", "prefer")
_SCRIPTED = ("chooses", "does", "cannot")
_VALUES = frozenset({"NAME", "INT", "STRING", "YES", "NO", "NONE"})


Hint = Callable[[Mistake], Diagnostic | None]


def explain(mistake: Mistake) -> Diagnostic:
    """The finding about a mistake."""
    for hint in _HINTS:
        found = hint(mistake)
        if found is not None:
            return found
    return _unexpected(mistake)


def too_large(source: Source, limit: int) -> Diagnostic:
    advice = "Split it into several files; a pack may have up to 2,000."
    message = f"This file is larger than {limit:,} characters."
    return Diagnostic("Z002", message, source.span(0, 0), advice)


def too_deep(span: Span) -> Diagnostic:
    message = "This is nested too deeply, or has too many parts in one expression."
    return Diagnostic("Z109", message, span, "Give a part of it a name of its own.")


def reserved(tokens: TokenList, at: int) -> Diagnostic:
    """A word that no name may be, read as one; the cause may be a slip in the first of its line."""
    line = at
    while line and tokens.kinds[line - 1] not in (NEW_LINE, "LBRACE"):
        line -= 1
    slip = Mistake(tokens, at, line, frozenset())
    if meant := _near_item(slip):
        return _did_you_mean(slip, line, meant)
    word = tokens.text(at)
    span = tokens.source.span(tokens.starts[at], tokens.ends[at])
    message = f"`{word}` is a word of the rules language and cannot be a name."
    return Diagnostic("Z110", message, span, "Choose another name.")


# ---- hints, the most particular first -----------------------------------------------------------


def _dangling(mistake: Mistake) -> Diagnostic | None:
    if mistake.dangling is None:
        return None
    last = mistake.dangling - 1
    last -= mistake.kind(last) == NEW_LINE
    if mistake.kind(last) == "COMMA":
        message = "The line ends with a comma, but nothing follows it."
        return Diagnostic(
            "Z119", message, mistake.span(last), "Leave out the comma, or add what is missing."
        )
    message = f"The line ends after {mistake.shown(last)}, but something must follow it."
    return Diagnostic("Z103", message, mistake.span(last))


def _else(mistake: Mistake) -> Diagnostic | None:
    if mistake.kind(mistake.at) != "ELSE":
        return None
    advice = "Write `else` directly after the `}` of its `if`, at most once for each `if`."
    within = mistake.tokens.kinds[mistake.line : mistake.at]
    if "IF" in within and mistake.kind(mistake.at - 1) != "RBRACE":
        advice = "Put the block of the `if` in braces: `if … { … } else { … }`."
    message = "This `else` belongs to no `if`."
    return Diagnostic("Z115", message, mistake.span(mistake.at), advice)


def _habit(mistake: Mistake) -> Diagnostic | None:
    """Words of other languages: at the beginning of the line, `then`, or a colon for a block."""
    habits: dict[str, str] = vocabulary()["habits"]
    for at in (mistake.line, mistake.at):
        word = mistake.text(at).lower()
        fits = at == mistake.line or mistake.is_whole
        if word in habits and fits and mistake.kind(at + 1) not in ("COLON", "DOT", "EACH"):
            message = f"`{mistake.text(at)}` is a word of other languages, not of this one."
            if word in keywords():
                message = f"`{word}` is not used like this."
            return Diagnostic("Z118", message, mistake.span(at), habits[word])
    if mistake.text(mistake.at) in ("then", "do", "begin"):
        message = f"There is no `{mistake.text(mistake.at)}` here; a block stands in braces."
        advice = "Write `if … { … }`, `for each x in … { … }`."
        return Diagnostic("Z118", message, mistake.span(mistake.at), advice)
    ends = mistake.kind(mistake.at + 1) in _ENDINGS
    if mistake.kind(mistake.at) == "COLON" and ends and "LBRACE" in mistake.expected:
        message = "A block stands in braces; it does not begin with a colon."
        advice = "Write `{` here, and `}` after the block."
        return Diagnostic("Z118", message, mistake.span(mistake.at), advice)
    return None


def _line_begins(mistake: Mistake) -> Diagnostic | None:
    """A line broken before `=` or an operator, where only one broken after it would go on."""
    at = mistake.at
    if mistake.kind(at) not in _GOES_BETWEEN or mistake.kind(at - 1) != NEW_LINE:
        return None
    word = mistake.shown(at)
    message = f"No line can begin with {word}, and the line above ends without it."
    return Diagnostic("Z101", message, mistake.span(at), f"Put {word} at the end of that line.")


def _title_first(mistake: Mistake) -> Diagnostic | None:
    """`"Movement" phase movement { … }`."""
    at = mistake.at
    if mistake.kind(at) != "STRING" or not mistake.breaks(at) or mistake.kind(at + 2) == END:
        return None
    if not (mistake.is_word(at + 1) and mistake.is_word(at + 2)):
        return None
    message = "A declaration begins with what it is; its title stands after its name."
    advice = f"Write `{mistake.text(at + 1)} {mistake.text(at + 2)} {mistake.text(at)}`."
    return Diagnostic("Z101", message, mistake.span(at), advice)


def _removal(mistake: Mistake) -> Diagnostic | None:
    """`remove cost` does not say of what sort the thing to be removed is."""
    at = mistake.at
    alone = at == mistake.line + 2 and mistake.is_word(at - 1) and mistake.kind(at) in _ENDINGS
    if mistake.kind(mistake.line) != "REMOVE" or not alone:
        return None
    word = mistake.text(at - 1)
    message = f"This does not say what `{word}` is, so it cannot be removed."
    sorts = "`remove step …`, `remove modify …`, `remove phase …`"
    advice = f"Write `remove field {word}` for a field; otherwise {sorts} and so on."
    if mistake.is_top:
        advice = f"Write its kind before it, as in `remove phase {word}`."
    return Diagnostic("Z103", message, mistake.span(at - 1), advice)


def _replacement(mistake: Mistake) -> Diagnostic | None:
    """`replace modify …`: only declarations and labelled steps are replaced in one go."""
    at = mistake.at
    if mistake.kind(at - 1) != "REPLACE" or mistake.text(at) not in _CLAUSES:
        return None
    word = mistake.text(at)
    message = f"Only steps with a name can be replaced here, not `{word}`."
    advice = f"Write `remove {word} …` on a line, and the new `{word} …` on the next."
    return Diagnostic("Z101", message, mistake.span(at), advice)


def _assignment(mistake: Mistake) -> Diagnostic | None:
    """`x = 3` and `p.x = 3` without `let` or `set`."""
    if mistake.kind(mistake.at) != "EQUAL" or mistake.kind(mistake.line) in ("LET", "SET"):
        return None
    target = mistake.tokens.kinds[mistake.line : mistake.at]
    simple = all(kind in ("NAME", "DOT", "LSQB", "RSQB", "INT") for kind in target)
    if not target or not simple or not mistake.is_word(mistake.line):
        return None
    name = mistake.tokens.source.text[
        mistake.tokens.starts[mistake.line] : mistake.tokens.ends[mistake.at - 1]
    ]
    if len(target) == 1:
        advice = f"Write `let {name} = …` for a new name, `set {name} = …` to change it, or"
        advice += f" `{name}: …` for a field."
    else:
        advice = f"Write `set {name} = …`."
    message = "A line that gives something a value begins with `let` or `set`."
    return Diagnostic("Z114", message, mistake.span(mistake.line, mistake.at - 1), advice)


def _equals(mistake: Mistake) -> Diagnostic | None:
    """`=`, `==` and `:` in each other's place."""
    kind, expected, at = mistake.kind(mistake.at), mistake.expected, mistake.at
    if kind == "COMPARE" and mistake.text(at) == "==" and "EQUAL" in expected:
        message = "`==` compares; a value is given with a single `=`."
        return Diagnostic("Z111", message, mistake.span(at), "Write `=`.")
    if kind == "EQUAL" and "COLON" not in expected:
        message = "`=` gives a value; two values are compared with `==` or `is`."
        return Diagnostic("Z111", message, mistake.span(at), "Write `==`.")
    if kind == "COLON" and "EQUAL" in expected:
        message = "Here belongs `=`, not `:`."
        return Diagnostic("Z111", message, mistake.span(at), "Write `=`.")
    if kind == "TO" and "EQUAL" in expected:
        message = "Here belongs `=`, not `to`."
        return Diagnostic("Z111", message, mistake.span(at), "Write `=`.")
    if kind == "EQUAL" and "COLON" in expected:
        message = "Here belongs `:`, not `=`."
        return Diagnostic("Z111", message, mistake.span(at), "Write `:`.")
    if kind == "NAME" and {"COLON", "FROM", "COMMA"} <= expected and not mistake.breaks(at):
        message = "Between a name and its type stands a colon."
        advice = f"Write `{mistake.text(at - 1)}: {mistake.text(at)}`."
        return Diagnostic("Z111", message, mistake.span(at - 1, at), advice)
    if at == mistake.line + 1 and kind in ("INT", "STRING") and "COLON" in expected:
        name = mistake.text(mistake.line)
        if mistake.kind(mistake.line) == "NAME" and not _near_item(mistake):
            message = f"After the name of a field stands a colon: `{name}: …`."
            return Diagnostic("Z111", message, mistake.span(mistake.line), "Add the `:`.")
    return None


def _condition(mistake: Mistake) -> Diagnostic | None:
    """`if`, `unless` and `when` in each other's place, or at the beginning of an item."""
    at, kind = mistake.at, mistake.kind(mistake.at)
    if mistake.breaks(at) and kind in CONTINUING and mistake.is_whole:
        message = f"`{mistake.text(at)}` goes on with the line above; no item begins with it."
        return Diagnostic("Z101", message, mistake.span(at), "An item begins with `if … { … }`.")
    wanted = mistake.expected & _CONDITIONS
    if kind not in _CONDITIONS or not wanted:
        return None
    meant = "IF" if kind == "WHEN" and "IF" in wanted else min(wanted)
    advice = f"Write `{spelling()[meant]}{' not' if kind == 'UNLESS' else ''}`."
    message = f"`{mistake.text(at)}` is not the word for a condition here."
    return Diagnostic("Z102", message, mistake.span(at), advice)


def _decider(mistake: Mistake) -> Diagnostic | None:
    first = mistake.kind(mistake.line)
    if first not in _DECISIONS or "BY" in mistake.tokens.kinds[mistake.line : mistake.at]:
        return None
    at = mistake.at - (mistake.renamed is not None)
    if mistake.kind(at) not in ("FROM", "STRING", "ALLOWING"):
        return None
    word = mistake.text(mistake.line)
    message = f"This does not say who decides: `by` is missing after `{word}`."
    where = {"DIVIDE": "`divide n name among … by p`", "SELECT": "`select name by p from …`"}
    advice = f"Write {where.get(first, '`choose name by p from …`')}."
    return Diagnostic("Z116", message, mistake.span(at), advice)


def _misspelt(mistake: Mistake) -> Diagnostic | None:
    """A word of the language with a slip: here, just before, first in the line, or on the next."""
    expected = [spelling()[k] for k in mistake.expected if spelling().get(k, "").isalpha()]
    ends = mistake.kind(mistake.at) in _ENDINGS
    nearby = [mistake.at + 1 if ends else mistake.at, mistake.at - 1]
    for at in nearby:
        if mistake.kind(at) == "NAME" and at > mistake.line and mistake.kind(at + 1) != "LPAR":
            meant = nearest(mistake.text(at), expected)
            if meant:
                return _did_you_mean(mistake, at, meant)
    meant = (
        nearest(mistake.text(mistake.line + 1), _SCRIPTED) if mistake.at > mistake.line else None
    )
    if meant and mistake.kind(mistake.line) == "NAME":
        return _did_you_mean(mistake, mistake.line + 1, meant)
    meant = _near_item(mistake)
    return _did_you_mean(mistake, mistake.line, meant) if meant else None


def _near_item(mistake: Mistake) -> str | None:
    """The word that the first word of the item nearly is."""
    if mistake.kind(mistake.line) != "NAME" or mistake.line > mistake.at:
        return None
    if mistake.kind(mistake.line + 1) in ("COLON", "LPAR", "DOT", "EQUAL"):
        return None
    return nearest(mistake.text(mistake.line), _item_words(mistake.is_top))


@cache
def _item_words(is_top: bool) -> tuple[str, ...]:
    """The words of the language that can begin an item of a file or of a block."""
    texts = (spelling().get(kind, "") for kind in item_starts(is_top))
    return tuple(sorted(text for text in texts if text.isalpha()))


def _did_you_mean(mistake: Mistake, at: int, meant: str) -> Diagnostic:
    message = f"`{mistake.text(at)}` is not a word that can stand here."
    return Diagnostic("Z102", message, mistake.span(at), f"Did you mean `{meant}`?")


def _reference(mistake: Mistake) -> Diagnostic | None:
    """`cites` and `tags` with something else after them."""
    at = mistake.at
    expected = mistake.expected - {END}
    if expected == {"TAG"}:
        message = "A tag has capitals, then a minus, then digits or small letters."
        advice = "Write it as in `tags R-4-03, Q-17`."
        if mistake.kind(at - 1) in ("QUESTION", "CLARIFICATION"):
            word = mistake.text(at - 1)
            message = f"A {word} is known by a tag: capitals, a minus, digits or small letters."
            advice = f'Write it as in `{word} Q-17 "…" {{ … }}`.'
        return Diagnostic("Z123", message, mistake.span(at), advice)
    after_cites = "CITES" in mistake.tokens.kinds[max(mistake.line, at - 3) : at]
    if after_cites and expected and expected <= {"NAME", "STRING"}:
        message = "A citation is a source and a place in it, the place as a text."
        where = mistake.span(at) if mistake.kind(at) not in _ENDINGS else mistake.before()
        return Diagnostic("Z123", message, where, 'Write it as in `cites W "6.1", E "6.1"`.')
    return None


def _comma(mistake: Mistake) -> Diagnostic | None:
    at, kind = mistake.at, mistake.kind(mistake.at)
    if mistake.kind(at - 1) == "COMMA" and kind in ("RPAR", "RSQB", "RBRACE", "COMMA", NEW_LINE):
        message = "There is a comma too many here."
        wrong = at if kind == "COMMA" else at - 1
        return Diagnostic("Z119", message, mistake.span(wrong), "Leave it out.")
    if kind == "COMMA" and mistake.kind(at - 1) in ("LPAR", "LSQB", "LBRACE"):
        return Diagnostic(
            "Z119", "There is a comma too many here.", mistake.span(at), "Leave it out."
        )
    if mistake.expected == {"OF"} and mistake.kind(at - 1) == mistake.kind(at - 2) == "NAME":
        message = (
            f"A comma is missing between `{mistake.text(at - 2)}` and `{mistake.text(at - 1)}`."
        )
        advice = "Write the parts with `,` between; pieces are counted as in `ready token of p`."
        return Diagnostic("Z119", message, mistake.span(at - 1), advice)
    if kind == "INT" and mistake.kind(at - 1) == "NAME" and mistake.kind(at - 2) in _VALUES:
        message = f"A comma is missing before `{mistake.text(at - 1)}`."
        return Diagnostic("Z119", message, mistake.span(at - 1), "Add a `,` before it.")
    if "COMMA" not in mistake.expected or mistake.is_whole:
        return None
    if kind in _VALUES or (kind not in _ENDINGS and mistake.is_word(at)):
        if mistake.breaks(at):
            message = "A comma is missing at the end of this line."
            return Diagnostic("Z119", message, mistake.before(), "Add a `,` here.")
        message = f"A comma is missing before {mistake.shown(at)}."
        return Diagnostic("Z119", message, mistake.span(at), "Write the parts with `,` between.")
    return None


def _two_items(mistake: Mistake) -> Diagnostic | None:
    if not mistake.is_whole:
        return None
    at = mistake.at
    begins = mistake.kind(at) != "NAME" and mistake.text(at) in _item_words(mistake.is_top)
    calls = mistake.kind(at) == "NAME" and mistake.kind(at + 1) in ("LPAR", "COLON")
    declares = mistake.kind(at - 1) == "RBRACE" and mistake.is_word(at)
    if not (begins or calls or declares):
        return None
    return _next_line(mistake, at)


def _next_line(mistake: Mistake, at: int) -> Diagnostic:
    message = f"A new line must begin before `{mistake.text(at)}`: every item has its own."
    return Diagnostic("Z117", message, mistake.span(at), "Put it on the next line.")


def _after_fields(mistake: Mistake) -> Diagnostic | None:
    """`cost: 10 modify reach(holder) by +1`: only fields share a line."""
    at = mistake.at - 1
    follows = at > mistake.line and mistake.kind(at - 1) not in (NEW_LINE, "LBRACE")
    a_field = "COLON" in mistake.expected and "EQUAL" not in mistake.expected
    known = mistake.text(at) in _item_words(False)
    return _next_line(mistake, at) if follows and a_field and known else None


def _missing_before(mistake: Mistake) -> Diagnostic | None:
    """A word such as `from` was taken for a name: what should stand before it is missing."""
    if mistake.renamed is None:
        return None
    word = mistake.text(mistake.at - 1)
    message = f"Something is missing before `{word}`: expected {expectation(mistake.renamed)}."
    advice = "A choice between two values is written `A if C else B`." if word == "if" else None
    return Diagnostic("Z101", message, mistake.span(mistake.at - 1), advice)


def _too_early(mistake: Mistake) -> Diagnostic | None:
    kind = mistake.kind(mistake.at)
    if kind not in _ENDINGS:
        return None
    expected = expectation(mistake.expected)
    if kind == "RBRACE":
        message = f"Before this `}}` something is missing: expected {expected}."
        return Diagnostic("Z103", message, mistake.span(mistake.at))
    where = "The line" if kind == NEW_LINE else "The file"
    return Diagnostic("Z103", f"{where} ends too early: expected {expected}.", mistake.before())


def _unexpected(mistake: Mistake) -> Diagnostic:
    message = f"{mistake.shown(mistake.at)} cannot stand here"
    message = message[0].upper() + message[1:]
    if mistake.expected:
        message += f": expected {expectation(mistake.expected)}"
    return Diagnostic("Z101", message + ".", mistake.span(mistake.at))


_HINTS: tuple[Hint, ...] = (
    _dangling,
    _else,
    _habit,
    *PHRASES,
    _after_fields,
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
