"""Names that programs of people look up: an unknown one raises an error with a suggestion."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ziggurat.dsl.nearest import did_you_mean
from ziggurat.runtime.kernel.layout import Seat
from ziggurat.runtime.kernel.names import UnknownName

T = TypeVar("T")
UnknownName.suggest = staticmethod(did_you_mean)


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
