"""Texts that know what they speak of: references, names and rules inside a sentence.

A sentence is put together from many parts and then shown in many ways: plain in a terminal, with
links on a page. So a part that stands for something declared is marked where it is made, by
characters that no rules file can have, and whoever shows the sentence asks for its `pieces`.
"""

import re
from collections.abc import Iterator

import attrs

_OPEN, _BAR, _CLOSE = "\ue000", "\ue001", "\ue002"
_MARK = re.compile(f"{_OPEN}([^{_BAR}]*){_BAR}([^{_BAR}]*){_BAR}([^{_CLOSE}]*){_CLOSE}")
CODE, NAME, ROLE = "code", "name", "role"


@attrs.frozen
class Piece:
    """A part of a sentence. `sort` is empty for plain words, `code` for text of the rules, `name`
    for a number or a yes that a rule gives a name, `role` for somebody or something it speaks of
    (`the victim`); else the word that declares what it refers to by `id`."""

    text: str
    sort: str = ""
    id: str = ""


def reference(word: str, id_: str, text: str) -> str:
    """Words that stand for a declaration."""
    return f"{_OPEN}{word}{_BAR}{id_}{_BAR}{plain(text)}{_CLOSE}"


def code(text: str) -> str:
    """A rule in its own text."""
    return f"{_OPEN}{CODE}{_BAR}{_BAR}{text}{_CLOSE}"


def name(text: str) -> str:
    """What a rule calls a number while it runs."""
    return f"{_OPEN}{NAME}{_BAR}{_BAR}{text}{_CLOSE}"


def role(text: str) -> str:
    """Somebody or something that a rule speaks of: `the victim`."""
    return f"{_OPEN}{ROLE}{_BAR}{_BAR}{text}{_CLOSE}"


def is_local(text: str) -> bool:
    """Whether a text is nothing but a name or a role."""
    found = _MARK.fullmatch(text)
    return found is not None and found[1] in (NAME, ROLE)


def plain(text: str) -> str:
    """A sentence as mere text."""
    return _MARK.sub(r"\3", text)


def pieces(text: str) -> Iterator[Piece]:
    """A sentence in its parts, from left to right."""
    at = 0
    for found in _MARK.finditer(text):
        if found.start() > at:
            yield Piece(text[at : found.start()])
        yield Piece(found[3], found[1], found[2])
        at = found.end()
    if at < len(text):
        yield Piece(text[at:])


def first_letter(text: str) -> int:
    """Where the words of a sentence begin."""
    found = _MARK.match(text)
    return found.start(3) if found else 0


def begins_with_letter(text: str) -> bool:
    """Whether a sentence begins with a name of one letter, such as `n`."""
    found = _MARK.match(text)
    return found is not None and found[1] == NAME and len(found[3]) == 1
