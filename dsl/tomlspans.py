"""Where things are in a TOML text. `tomllib` gives values without places, findings need both.

A search by shape is enough for files people write by hand: a key at the start of a line within its
table. When nothing fits, the place is the beginning of the file, never a wrong line elsewhere.
"""

import re

from dsl.diagnostics import Source, Span

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\s*$")


def key_span(source: Source, key: str, table: str = "") -> Span:
    """The value of a key (or the key itself for a table), at the top level or within a table."""
    start, end = _table(source.text, table)
    match = re.compile(
        rf"^[ \t]*(?P<key>{_spellings(key)})[ \t]*=[ \t]*(?P<value>[^\n#]*[^\s#])?", re.MULTILINE
    ).search(source.text, start, end)
    if match:
        part = "value" if match["value"] and not match["value"].startswith("[") else "key"
        return source.span(*match.span(part))
    header = re.compile(
        rf"^[ \t]*\[+[ \t]*(?P<key>{_spellings(key)})[ \t.\]]", re.MULTILINE
    ).search(source.text)
    return source.span(*header.span("key")) if header else source.span(0, 0)


def entry_span(source: Source, key: str, entry: str) -> Span:
    """One text inside the list that belongs to a key."""
    match = re.compile(rf"^[ \t]*{_spellings(key)}[ \t]*=", re.MULTILINE).search(source.text)
    if match:
        quoted = [f'"{entry}"', f"'{entry}'"]
        found = [at for text in quoted if (at := source.text.find(text, match.end())) >= 0]
        if found:
            return source.span(min(found) + 1, min(found) + 1 + len(entry))
    return key_span(source, key)


def error_position(source: Source, error: Exception) -> tuple[str, int]:
    """The message of a failed parse in one phrase, and the offset it speaks of."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply", 0
    message = str(error)
    match = _AT.search(message)
    if not match:
        return message[:1].lower() + message[1:], 0
    message = message[: match.start()]
    line, column = (int(match[1]), int(match[2])) if match[1] else (source.line_count, 1 << 30)
    return message[:1].lower() + message[1:], source.offset(line, column)


def _spellings(key: str) -> str:
    plain = re.escape(key)
    return rf"(?:{plain}|\"{plain}\"|'{plain}')"


def _table(text: str, table: str) -> tuple[int, int]:
    start = 0
    if table:
        header = re.compile(rf"^[ \t]*\[[ \t]*{_spellings(table)}[ \t]*\]", re.MULTILINE)
        match = header.search(text)
        if not match:
            return 0, len(text)
        start = match.end()
    following = _HEADER.search(text, start)
    return start, following.start() if following else len(text)
