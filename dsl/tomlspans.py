"""Where things are in a TOML text. `tomllib` gives values without places, findings need both.

A search by shape is enough for files people write by hand: a key at the start of a line within its
table. When nothing fits, the place is the beginning of the file, never a wrong line elsewhere.
"""

import re

from ziggurat.dsl.diagnostics import Source, Span

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_WORD = re.compile(r"[^\s,#\]]*")
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\s*$")


def key_span(source: Source, key: str, table: str = "", part: str = "value") -> Span:
    """The value of a key (or the key itself for a table), at the top level or within a table."""
    start, end = _table(source.text, table)
    match = re.compile(
        rf"^[ \t]*(?P<key>{_spellings(key)})[ \t]*=[ \t]*(?P<value>[^\n#]*[^\s#])?", re.MULTILINE
    ).search(source.text, start, end)
    if match:
        whole = match["value"] and not match["value"].startswith("[")
        return source.span(*match.span(part if whole else "key"))
    header = re.compile(
        rf"^[ \t]*\[+[ \t]*(?P<key>{_spellings(key)})[ \t.\]]", re.MULTILINE
    ).search(source.text)
    return source.span(*header.span("key")) if header else source.span(0, 0)


def entry_span(source: Source, key: str, entry: object) -> Span:
    """One entry of the list that belongs to a key; of a text, what is between its quotes."""
    match = re.compile(rf"^[ \t]*{_spellings(key)}[ \t]*=", re.MULTILINE).search(source.text)
    if match and isinstance(entry, str):
        quoted = [f'"{entry}"', f"'{entry}'"]
        found = [at for text in quoted if (at := source.text.find(text, match.end())) >= 0]
        if found:
            return source.span(min(found) + 1, min(found) + 1 + len(entry))
    elif match:
        bare = re.compile(rf"(?<=[\s,\[]){re.escape(str(entry).lower())}(?=[\s,\]])")
        if bare_match := bare.search(source.text, match.end()):
            return source.span(*bare_match.span())
    return key_span(source, key)


# What `tomllib` says, by its first words, and the same for people who have never seen TOML.
_ENGLISH = {
    "Invalid value": "this is no value; a text stands between double quotes",
    "Unterminated string": "a text has no closing quotation mark",
    "Illegal character '\\n'": "a text has no closing quotation mark",
    "Unclosed array": "here the list needs a comma or its closing `]`",
    "Cannot overwrite": "this is said a second time",
    "Cannot declare": "this is said a second time",
    "Expected '='": "after the key stands `=`",
    "Expected newline": "this does not belong to the line any more",
    "Expected ']'": "here the heading needs its closing `]`",
    "Invalid statement": "a line begins with a key, as in `title = …`",
    "Unescaped": "in a text a `\\` is written twice",
}
_SECOND_TIME = ("Cannot overwrite", "Cannot declare")


def toml_mistake(source: Source, error: Exception) -> tuple[str, Span]:
    """Why a text is not TOML, in English, and the place this is about."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply", source.span(0, 0)
    message = str(error)
    english = next((text for start, text in _ENGLISH.items() if message.startswith(start)), None)
    match = _AT.search(message)
    line, column = (int(match[1]), int(match[2])) if match and match[1] else (1 << 30, 1 << 30)
    at = source.offset(line, column)
    # What is missing is missing after the last word, not where the next one stands.
    end = len(source.text[:at].rstrip())
    if message.startswith(_SECOND_TIME):
        start = source.text.rfind("\n", 0, end) + 1
    elif message.startswith("Unclosed") or end == len(source.text.rstrip()):
        start = end
    else:
        start, end = at, at + len(_WORD.match(source.text, at)[0])  # type: ignore[index]
    return english or "here it breaks the rules of TOML", source.span(start, end)


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
