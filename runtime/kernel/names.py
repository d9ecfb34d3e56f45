"""Names that are looked up by people's programs: one that does not exist is told with the nearest.

A wrong name is an error wherever it is given, never an empty answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ziggurat.dsl.nearest import did_you_mean
from ziggurat.runtime.kernel.layout import Seat

LISTED = 20
T = TypeVar("T")


class UnknownName(KeyError):  # noqa: N818 - what it is
    """Nothing goes by this name; says what was meant, or what there is."""

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        names = list(known)
        listed = ", ".join(names[:LISTED]) + (" …" if len(names) > LISTED else "")
        help_ = did_you_mean(str(name), names) or (f"There are {listed}." if names else "")
        self.text = f"There is no {what} `{name}`. {help_}".strip()
        super().__init__(self.text)

    def __str__(self) -> str:
        return self.text


class Names(dict[Any, int]):
    """What names stand for; a name that is not there is told as what it should have been."""

    def __init__(self, what: str, known: Mapping[Any, int]) -> None:
        super().__init__(known)
        self.what = what

    def __missing__(self, name: Any) -> int:
        if isinstance(name, tuple):  # a thing, by its kind and id
            kind, id_ = name
            raise UnknownName(kind, id_, [key[1] for key in self if _is_of(key, kind)])
        raise UnknownName(self.what, name, map(str, self))


def _is_of(key: Any, kind: str) -> bool:
    return bool(key[0] == kind)


def known(what: str, of: Mapping[str, T], name: str) -> T:
    """What a name stands for. Raises `UnknownName`."""
    if name not in of:
        raise UnknownName(what, name, of)
    return of[name]


def check_seats(seats: Sequence[Seat | str], playable: Sequence[str]) -> None:
    """Names of seats as people write them: what can be played, or else free names, which must not
    be mistaken for it. Raises ValueError. Whoever means a free name all the same gives a `Seat`."""
    plain = [seat for seat in seats if isinstance(seat, str)]
    settled = [name for name in plain if name in playable]
    for name in plain:
        near = did_you_mean(name, playable) if len(name) > 3 else None
        if name in playable or not (settled or near):
            continue
        help_ = near or f"There are {', '.join(playable)}."
        raise ValueError(
            f'Nobody can play `{name}`. {help_} Seat("{name}") is a player by that name who plays'
            " what the rules choose."
        )
