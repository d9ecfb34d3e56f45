"""From bytes to text: what is text, what is not, and how to say so. Pure; `dsl.packs` reads."""

import codecs
import re

from ziggurat.dsl.diagnostics import Diagnostic, Source

_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_LETTERS = 8  # of UTF-16 text without a mark that are looked at


def decode(data: bytes, path: str, pack: str) -> tuple[Source | None, list[Diagnostic]]:
    """Text with `\\n` at every line's end and no mark in front, however it was saved."""
    if is_utf_16(data):
        advice = (
            "Save it with the encoding UTF-8. In Windows PowerShell, `>` writes UTF-16;"
            " `| Out-File -Encoding utf8 FILE` writes UTF-8."
        )
        message = "This file has the encoding UTF-16 instead of UTF-8."
        return None, [about_file(path, "Z003", message, advice)]
    if b"\0" in data:
        advice = "Rules are plain text; take this file out of the pack or save it as text."
        return None, [about_file(path, "Z004", "This file is not text.", advice)]
    try:
        source = Source(path, unify_line_ends(data.decode("utf-8-sig")), pack)
        control = CONTROL.search(source.text)
        if control is None:
            return source, []
        message = f"This is a control character (U+{ord(control[0]):04X}), which is no text."
        span = source.span(*control.span())
        return None, [Diagnostic("Z004", message, span, "Take it out of the file.")]
    except UnicodeDecodeError as error:
        text = unify_line_ends(data.decode("utf-8", "replace"))
        at = len(unify_line_ends(data[: error.start].decode("utf-8", "replace")))
        message = "This file is not UTF-8 text: here is a byte that is no part of a letter."
        span = Source(path, text, pack).span(at, at + 1)
        return None, [Diagnostic("Z003", message, span, "Save it with the encoding UTF-8.")]


def is_utf_16(data: bytes) -> bool:
    """Return whether bytes are text as Windows PowerShell writes it, with or without a mark."""
    first = data[: 2 * _LETTERS]
    halves = (first[::2], first[1::2])
    is_unmarked = len(first) > 3 and any(
        all(letters) and not any(zeros) for letters, zeros in (halves, halves[::-1])
    )
    return data.startswith(_UTF_16_MARKS) or is_unmarked


def about_file(path: str, code: str, message: str, advice: str | None = None) -> Diagnostic:
    """A finding about a whole file, which has no text to point at."""
    return Diagnostic(code, message, Source(path, "").span(0, 0), advice)


def portable(name: str) -> str:
    """A name that can be printed anywhere, even if the file system allowed odd bytes in it."""
    return name.encode("utf-8", "replace").decode("utf-8")


def unify_line_ends(text: str) -> str:
    """Return a text with `\\n` at every line's end; lines and columns stay the same."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_end_of(text: str) -> str:
    """Return how the first line of a text ends, `\\n` if it has no end."""
    rest = text[len(Source("", text).line(1)) :][:2]
    return rest if rest == "\r\n" else rest[:1] or "\n"
