"""Names that are looked up by people's programs: one that does not exist is told with the nearest.

A wrong name is an error wherever it is given, never an empty answer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

LISTED = 20


class UnknownName(KeyError):  # noqa: N818 - what it is
    """Raised for an unknown name. The message suggests a similar name, or lists what there is."""

    # Returns a sentence with the nearest of some names, if one is near; `game.names` brings one.
    suggest: ClassVar[Callable[[str, Sequence[str]], str | None]] = staticmethod(
        lambda name, known: None
    )

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        names = list(known)
        listed = ", ".join(names[:LISTED]) + (" …" if len(names) > LISTED else "")
        help_ = UnknownName.suggest(str(name), names) or (f"There are {listed}." if names else "")
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
