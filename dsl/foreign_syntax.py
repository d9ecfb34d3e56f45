"""What has no place in rules, and what its author meant by it.

Characters and habits of other languages and of word processors: curly quotes, `≤`, `&&`, `//`,
`x++`, `1.5`, `camelCase`. Each becomes one finding and, where one exists, the word that belongs
there. The table of operators is data, in `words.toml`.
"""

import re
import unicodedata

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.grammar import vocabulary

_QUOTES = "“”„«»‘’‚'`"
_CITING = re.compile(r"\bcites\b[^\n]*[ ,\t][A-Z]\w*[ \t]+\Z")
_TAIL = re.compile(r"[\s{,)]*\Z")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@attrs.frozen
class Meaning:
    """The tokens that belong in place of something odd (kind or symbol, start, end)."""

    tokens: tuple[tuple[str, int, int], ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    is_comment: bool = False


def understand(source: Source, start: int, end: int) -> Meaning:
    """What the author meant by an odd stretch of text."""
    text = source.text[start:end]
    first = text[0]
    if first == '"':
        return _unclosed(source, start, end)
    if first in _QUOTES:
        return _foreign_quotes(source, start, end)
    if text.startswith(("//", "/*")) or (text.startswith("--") and text.strip("- \t\r")):
        return _foreign_comment(source, start, end)
    if text.rstrip() in vocabulary()["operators"] or first in vocabulary()["operators"]:
        return _foreign_operator(source, start, start + len(text.rstrip()))
    if first == ";":
        return _semicolon(source, start, end)
    if first.isdecimal() and first.isascii():
        return _number(source, start, end)
    if first.isalpha() or first == "_":
        return _name(source, start, end)
    return _strange(source, start, end)


def _one(
    code: str, message: str, source: Source, start: int, end: int, help_: str | None = None
) -> tuple[Diagnostic]:
    return (Diagnostic(code, message, source.span(start, end), help_),)


def _unclosed(source: Source, start: int, end: int) -> Meaning:
    """A text that runs to the end of its line; brackets and commas there belong to the rule."""
    stop = _before_tail(source.text, start, end)
    if stop == start + 1:
        message = "This quotation mark stands alone: its line has no second one."
        advice = "Put one quotation mark before the text and one after it, on the same line."
    else:
        message = "This text has no closing quotation mark."
        advice = 'Close the text with `"` on the same line; a text cannot go on to the next line.'
    found = _one("Z106", message, source, start, stop, advice)
    return Meaning((("STRING", start, stop), *_symbols(source.text, stop, end)), found)


def _foreign_quotes(source: Source, start: int, end: int) -> Meaning:
    text = source.text[start:end]
    closed = len(text) > 1 and text[-1] in _QUOTES
    stop = end if closed else _before_tail(source.text, start, end)
    inner = source.text[start + 1 : stop - 1 if closed else stop]
    message = f"Texts stand between straight double quotation marks, not `{text[0]}`."
    advice = f'Write `"{inner}"`.' if '"' not in inner and len(inner) < 60 else 'Use `"`.'
    found = _one("Z108", message, source, start, stop, advice)
    return Meaning((("STRING", start, stop), *_symbols(source.text, stop, end)), found)


def _before_tail(text: str, start: int, end: int) -> int:
    inside = text[start + 1 : end]
    tail = _TAIL.search(inside[-200:])
    return end - (len(tail.group()) if tail and len(tail.group()) < len(inside) else 0)


def _symbols(text: str, start: int, end: int) -> tuple[tuple[str, int, int], ...]:
    return tuple((text[at], at, at + 1) for at in range(start, end) if text[at] in "{,)")


def _foreign_comment(source: Source, start: int, end: int) -> Meaning:
    mark = source.text[start : start + 2]
    message = f"Comments begin with `#`, not with `{mark}`."
    found = _one("Z121", message, source, start, start + 2, "Write `#` before the remark.")
    return Meaning((), found, is_comment=True)


def _foreign_operator(source: Source, start: int, end: int) -> Meaning:
    operators = vocabulary()["operators"]
    text = source.text[start:end]
    if text not in operators:
        text, end = text[0], start + 1
    means, advice = operators[text]
    message = f"`{text}` is not part of the rules language."
    tokens = ((means, start, end),) if means else ()
    return Meaning(tokens, _one("Z112", message, source, start, end, advice))


def _semicolon(source: Source, start: int, end: int) -> Meaning:
    line_end = source.text.find("\n", end)
    rest = source.text[end : line_end if line_end >= 0 else len(source.text)].strip()
    message = "Lines do not end with a semicolon; the end of the line is enough."
    more = bool(rest) and rest[0] not in "}#;"
    advice = "Begin a new line after it and leave out the `;`." if more else "Leave out the `;`."
    tokens = (("_NL", start, end),) if more else ()
    return Meaning(tokens, _one("Z122", message, source, start, end, advice))


def _number(source: Source, start: int, end: int) -> Meaning:
    text = source.text[start:end]
    if _CITING.search(source.text[max(0, start - 100) : start]):
        message = "A citation is a source and a place in it, the place as a text."
        found = _one("Z123", message, source, start, end, f'Write `"{_short(text)}"`.')
        return Meaning((("STRING", start, end),), found)
    if "." in text:
        message = f"`{text}` is not a whole number; rules count in whole numbers."
        advice = "Use a whole number, or a division such as `x * 3 / 2` (rounded down)."
        if text.startswith("0") or not text.replace(".", "").isdecimal():
            advice = 'Use a whole number; the place of a rule is a text: `cites W "6.1"`.'
        return Meaning((("INT", start, end),), _one("Z113", message, source, start, end, advice))
    digits = text.replace("_", "")
    if digits.isdecimal():
        message = "Numbers are written with digits only."
        found = _one("Z113", message, source, start, end, f"Write `{digits}`.")
        return Meaning((("INT", start, end),), found)
    message = f"The name `{_short(text)}` begins with a digit; names begin with a letter."
    return Meaning((("NAME", start, end),), _one("Z120", message, source, start, end))


def _name(source: Source, start: int, end: int) -> Meaning:
    text = source.text[start:end]
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    snake = _HUMP.sub("_", plain).lower().replace("__", "_")
    if text.isascii():
        message = f"The name `{_short(text)}` mixes small and capital letters."
    else:
        message = f"The name `{_short(text)}` has a letter that names cannot have."
    advice = f"Names are written like this: `{snake}`." if snake.strip("_") else None
    if advice is None or len(snake) > 60:
        advice = "Names are written with the letters a to z, digits and `_`."
    return Meaning((("NAME", start, end),), _one("Z120", message, source, start, end, advice))


def _strange(source: Source, start: int, end: int) -> Meaning:
    text = source.text[start:end]
    name = unicodedata.name(text[0], "").lower()
    if text[0] == "\0" or unicodedata.category(text[0]) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Cn"):
        what = f"{name}, U+{ord(text[0]):04X}" if name else f"U+{ord(text[0]):04X}"
        message = f"Here stands a character that cannot be seen ({what})."
        advice = "Delete it and type a plain blank if one belongs there."
    else:
        message = f"The character `{text[0]}` has no meaning here."
        advice = "Delete it, or put it inside a text."
    return Meaning((), _one("Z107", message, source, start, end, advice))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
