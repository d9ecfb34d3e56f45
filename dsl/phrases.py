"""Phrases of rulebooks and of everyday English, and how the language says the same.

Hints like those of `dsl.messages`: each looks at the words around a mistake and either knows what
its author meant or passes.
"""

from ziggurat.dsl.diagnostics import Diagnostic
from ziggurat.dsl.lexer import NEW_LINE
from ziggurat.dsl.syntax_errors import Mistake

_TYPES = frozenset({"int", "bool", "text", "range", "player", "owner"})
_ENTRY_ENDS = frozenset({"COMMA", "RBRACE", NEW_LINE})
NAMES_IN_BRACES = "A field that leads from names to names is written in braces."
_GOES_TO = frozenset({"MOVE", "ADD", "MODIFY", "GIVE", "RENAME", "RUN"})


def range_in_words(mistake: Mistake) -> Diagnostic | None:
    """`1 to 3`."""
    at = mistake.at
    between = mistake.kind(at - 1) == "INT" and mistake.kind(at + 1) in ("INT", "NAME")
    if mistake.text(at) != "to" or not between or mistake.kind(mistake.line) in _GOES_TO:
        return None
    message = "A range is written with two dots."
    advice = f"Write `{mistake.text(at - 1)}..{mistake.text(at + 1)}`."
    return Diagnostic("Z118", message, mistake.span(at - 1, at + 1), advice)


def denied(mistake: Mistake) -> Diagnostic | None:
    """`p does not hold x` and `p not holds x`."""
    at = mistake.at
    verb = at + 2 if [mistake.text(at), mistake.text(at + 1)] == ["does", "not"] else at
    begins = at if verb > at else at - 1
    if mistake.text(verb) not in ("hold", "holds") or mistake.text(verb - 1) != "not":
        return None
    who, what = mistake.text(begins - 1), mistake.text(verb + 1)
    what = what if mistake.kind(verb + 1) == "NAME" else "…"
    message = "`not` stands before the whole that it denies."
    return Diagnostic(
        "Z118", message, mistake.span(begins, verb), f"Write `not {who} holds {what}`."
    )


def entry_with_colon(mistake: Mistake) -> Diagnostic | None:
    """`credits: crafts: 10`."""
    at = mistake.at
    key = mistake.text(at - 1)
    is_entry = [mistake.kind(one) for one in (at - 1, at, at + 1)] == ["NAME", "COLON", "INT"]
    if not is_entry or key in _TYPES or mistake.kind(at - 2) not in ("COLON", "COMMA"):
        return None
    message = "In a field only its name has a colon; an entry is a name and its number."
    advice = f"Write `{key} {mistake.text(at + 1)}`."
    return Diagnostic("Z111", message, mistake.span(at), advice)


def number_for_name(mistake: Mistake) -> Diagnostic | None:
    """`credits: 3 2`."""
    at = mistake.at
    kinds = [mistake.kind(one) for one in (at - 1, at)]
    if kinds != ["INT", "INT"] or mistake.kind(at - 2) not in ("COLON", "COMMA"):
        return None
    message = "An entry of a field needs a name before its number."
    advice = f"Write the name instead of `{mistake.text(at - 1)}`, as in `salt {mistake.text(at)}`."
    return Diagnostic("Z101", message, mistake.span(at - 1, at), advice)


def number_first(mistake: Mistake) -> Diagnostic | None:
    """`credits: 10 crafts`."""
    at = mistake.at
    kinds = [mistake.kind(one) for one in (at - 2, at - 1)]
    if kinds != ["INT", "NAME"] or mistake.kind(at - 3) not in ("COLON", "COMMA"):
        return None
    if "COLON" not in mistake.expected or mistake.kind(at) not in _ENTRY_ENDS:
        return None
    message = "In an entry of a field the name stands before the number."
    advice = f"Write `{mistake.text(at - 1)} {mistake.text(at - 2)}`."
    return Diagnostic("Z101", message, mistake.span(at - 2, at - 1), advice)


def title_for_id(mistake: Mistake) -> Diagnostic | None:
    """`special: Public Works 20`."""
    first = last = mistake.at - 1
    while mistake.kind(first - 1) == "NAME" and not mistake.breaks(first):
        first -= 1
    while mistake.kind(last + 1) == "NAME" and not mistake.breaks(last + 1):
        last += 1
    words = [mistake.text(at) for at in range(first, last + 1)]
    in_field = mistake.kind(first - 1) in ("COLON", "COMMA")
    if len(words) < 2 or not in_field or not words[0][:1].isupper():
        return None
    message = f"`{' '.join(words)}` looks like a title; a thing is called by its id."
    advice = f"Write `{'_'.join(words).lower()}`, if that is its id."
    return Diagnostic("Z120", message, mistake.span(first, last), advice)


def misplaced_for(mistake: Mistake) -> Diagnostic | None:
    """`sum(f(a, b) for a in S for b in T)`, `sum(for a in S: f(a))`, `sum(a in S for f(a))`."""
    at = mistake.at
    if mistake.text(at - 2) == "for" and mistake.kind(at - 3) == "LPAR":
        return _over_a_set(mistake, at - 2)
    if mistake.kind(at) != "FOR" or mistake.is_whole:
        return None
    if "FOR" not in mistake.tokens.kinds[mistake.line + 1 : at]:
        return _over_a_set(mistake, at)
    message = "Only one `for` goes with one bracket; the second needs a bracket of its own."
    advice = "Write one inside the other, as in `sum(sum(f(a, b) for b in T) for a in S)`."
    return Diagnostic("Z101", message, mistake.span(at), advice)


def _over_a_set(mistake: Mistake, at: int) -> Diagnostic:
    message = "`for` stands between what is reckoned and the names it is reckoned for."
    return Diagnostic("Z101", message, mistake.span(at), "Write `sum(f(x) for x in S)`.")


def names_as_entries(mistake: Mistake) -> Diagnostic | None:
    """`next: north a2, south a3` and `next: north: a2`."""
    at = mistake.at
    kinds = [mistake.kind(one) for one in range(at - 2, at + 2)]
    if kinds == ["COLON", "NAME", "COLON", "NAME"] and mistake.text(at + 1) not in _TYPES:
        return _in_braces(mistake, at - 1, at + 1)
    a_pair = mistake.kind(at - 3) in ("COLON", "COMMA") and kinds[:2] == ["NAME", "NAME"]
    if not a_pair or "COLON" not in mistake.expected or kinds[2] not in (*_ENTRY_ENDS, "NAME"):
        return None
    return _in_braces(mistake, at - 2, at - 1)


def _in_braces(mistake: Mistake, first: int, last: int) -> Diagnostic:
    advice = "Write it on a line of its own, as in `next: {north: a2, south: a3}`."
    return Diagnostic("Z111", NAMES_IN_BRACES, mistake.span(first, last), advice)


def is_secret_may(mistake: Mistake) -> bool:
    """Return whether this is a `may` that would be right without `secretly`."""
    return mistake.text(mistake.at) == "secretly" and mistake.kind(mistake.line) == "MAY"


def secret_may(mistake: Mistake) -> Diagnostic | None:
    """`may p pay "Pay?" secretly { … }`."""
    if not is_secret_may(mistake):
        return None
    message = "`may` is always answered openly."
    advice = 'Write `choose answer by p from {yes, no} "…" secretly`, then `if answer { … }`.'
    return Diagnostic("Z118", message, mistake.span(mistake.at), advice)


PHRASES = (
    range_in_words, denied, entry_with_colon, number_for_name, number_first, title_for_id,
    misplaced_for, names_as_entries, secret_may,
)  # fmt: skip
