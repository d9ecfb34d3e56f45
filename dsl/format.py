"""`fmt`: one canonical layout for every rules file, and three promises about it.

The meaning is unchanged, a second run changes nothing, and all comments are there. They are
verified at each run; a file for which one would break is left as it is, with a finding that says
so, because a formatter that nobody can trust is worse than none.
"""

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.format_layout import lay_out
from ziggurat.dsl.format_spacing import same
from ziggurat.dsl.parse import Reading, read

__all__ = ["Formatted", "format_checked", "format_source"]


@attrs.frozen
class Formatted:
    """The text in canonical layout; with findings it is the text as it was."""

    text: str
    findings: tuple[Diagnostic, ...] = ()


def format_source(source: Source) -> str:
    """The text in canonical layout, or the text as it was when it cannot be formatted."""
    return format_checked(source).text


def format_checked(source: Source) -> Formatted:
    """As `format_source`, and why a text was left alone."""
    reading = read(source)
    if reading.findings:
        return Formatted(source.text, tuple(reading.findings))
    text = lay_out(reading)
    if text == source.text:
        return Formatted(text)
    broken = _broken_promise(reading, text)
    return Formatted(source.text, (broken,)) if broken else Formatted(text)


def _broken_promise(before: Reading, text: str) -> Diagnostic | None:
    source = before.file.source
    after = read(attrs.evolve(source, text=text))
    if after.findings or not same(before.file.tops, after.file.tops):
        return refusal(source, "it would change what the rules say")
    if [*map(str, after.file.comments)] != [*map(str, before.file.comments)]:
        return refusal(source, "it would lose or move a comment")
    if lay_out(after) != text:
        return refusal(source, "a second run would change it again")
    return None


def refusal(source: Source, reason: str) -> Diagnostic:
    """The finding about a file that is left alone."""
    message = f"This file was not formatted: {reason}."
    advice = "This is a mistake of the formatter, not yours; please report it with the file."
    return Diagnostic("Z130", message, source.span(0, 0), advice)
