"""The parts a table is described with: seats, slots of attributes, rows of pieces, piles."""

import attrs


@attrs.frozen
class Seat:
    """A player: a name, and the thing of the seat kind they play (its id) if that is settled."""

    name: str
    plays: str | None = None


def _width(slots: "Slots") -> int:
    """Return the number of slots of each object."""
    return 1 if slots.keys is None else len(slots.keys)


@attrs.frozen
class Slots:
    """Where an attribute lives in the flat list: object i, key j is `base + i * width + j`.

    `first` is the id of the first object, `keys` the ids a map has one slot for (None for plain
    values, and for maps over numbers, which are one dict, replaced and never changed). `sees` is
    the value that says who sees it if it is secret, empty for its owner.
    """

    id: str
    base: int
    first: int
    count: int
    keys: tuple[int, ...] | None
    lasts: str = "game"
    secret: bool = False
    of: str = "table"
    sees: str = ""
    width: int = attrs.field(init=False, default=attrs.Factory(_width, takes_self=True))

    def slot(self, index: int | None, key: int | None = None) -> int:
        """The slot of an object (None: the table) and a key."""
        at = self.base if index is None else self.base + (index - self.first) * self.width
        return at if key is None or self.keys is None else at + self.keys.index(key)


@attrs.frozen
class PieceRows:
    """A piece kind's blocks: `total`, and one block for each state if it has any. `sums` and
    `state_sums` are the rows of the same over all owners."""

    id: str
    home: int
    total: int
    states: dict[str, int]
    default: str | None
    sums: int
    state_sums: dict[str, int]


@attrs.frozen
class Pile:
    """One pile of cards: its place, whose it is (None: the table's), who sees it, and whether those
    who do not may count it."""

    place: str
    key: int | None
    of: str
    seen: str
    counted: bool = True
