"""From bytes to text: what is text, what is not, and how to say so. Pure; `dsl.packs` reads."""

from ziggurat.dsl.diagnostics import Diagnostic, Source


def decode(data: bytes, path: str, pack: str) -> tuple[Source | None, list[Diagnostic]]:
    """Text with `\\n` at every line's end and no mark in front, however it was saved."""
    if b"\0" in data:
        advice = "Rules are plain text; take this file out of the pack or save it as text."
        return None, [about_file(path, "Z004", "This file is not text.", advice)]
    try:
        return Source(path, _lines(data.decode("utf-8-sig")), pack), []
    except UnicodeDecodeError as error:
        text = _lines(data.decode("utf-8", "replace"))
        at = len(_lines(data[: error.start].decode("utf-8", "replace")))
        message = "This file is not UTF-8 text: here is a byte that is no part of a letter."
        span = Source(path, text, pack).span(at, at + 1)
        return None, [Diagnostic("Z003", message, span, "Save it with the encoding UTF-8.")]


def about_file(path: str, code: str, message: str, advice: str | None = None) -> Diagnostic:
    """A finding about a whole file, which has no text to point at."""
    return Diagnostic(code, message, Source(path, "").span(0, 0), advice)


def portable(name: str) -> str:
    """A name that can be printed anywhere, even if the file system allowed odd bytes in it."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
