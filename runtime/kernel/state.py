"""The state of a game: a few flat arrays, copied in microseconds.

What the numbers mean is the table's business. The only thing that changes pieces is `move`
(and `turn`, which changes their state where they are), the only thing that changes cards is `put`,
so nothing is ever created or lost. Everything nested is immutable and therefore shared between
copies: piles are tuples, the scheduler's frames are tuples, the log is a chain of tuples.
"""

import hashlib
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ziggurat.runtime.kernel.errors import TOO_MUCH, BudgetExceeded
from ziggurat.runtime.kernel.frames import Frame, Frames, frame_data, read_frame
from ziggurat.runtime.kernel.randomness import Stream
from ziggurat.runtime.kernel.table import PieceRows, Slots, Table

FUEL = 5_000_000  # what a step may do
ROOM = 1_000_000  # what a game may remember: members of sets, lists and maps, and the log
COPIED = 4  # so many members are copied in the time of one round of a loop
Log = tuple[Any, ...] | None
Notes = defaultdict[int, dict[Any, Any]]
Onlooker = Callable[[int, int | None, Any], object]
# Called with the position, the path of a draw, its candidates, and how many are drawn.
FixedDraws = Callable[["State", str, Sequence[int], int | None], tuple[int, ...] | None]
_UNSAVED = ("chance", "log", "notes", "onlooker")


class State:
    """One moment of a game.

    `frames` is the scheduler's position, `answers` what the current step has been told so far,
    `passed` who has passed in a stage where all act freely (a bit for each player). `sums` follows
    from the pieces, `notes` are values that compiled rules worked out; `cursor`, `checking`, `fuel`
    and `news` are scratch of a running step, `room` is what rules may still write down. `onlooker`
    is called with every decision that a step answers itself: its site, whose it is, the answer;
    `chance` before anything is drawn, and returns what is drawn if a scenario says so.
    None of these belongs to the position.
    """

    __slots__ = (
        "answers",
        "attrs",
        "chance",
        "checking",
        "cursor",
        "draws",
        "frames",
        "fuel",
        "held",
        "log",
        "log_size",
        "news",
        "notes",
        "onlooker",
        "over",
        "passed",
        "pieces",
        "piles",
        "room",
        "seed",
        "shared",
        "sums",
        "table",
        "whereis",
    )

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.table = table
        self.pieces: array[int] = table.start_pieces()
        self.sums: array[int] = table.sum_pieces(self.pieces)
        self.attrs: list[Any] = list(table.attr_start)
        self.held: list[int] = [0] * len(table.owners)
        self.piles: list[tuple[int, ...]] = [()] * len(table.piles)
        self.piles[0] = tuple(range(len(table.face)))
        self.whereis: array[int] = array("H", [0] * len(table.face))
        self.seed = seed
        self.draws = 0
        self.frames: Frames = ()
        self.answers: tuple[Any, ...] = ()
        self.passed = 0
        self.over = False
        self.log: Log = None
        self.log_size = 0
        self.news: list[tuple[Any, ...]] = []
        self.fuel = FUEL
        self.room = ROOM
        self.cursor = 0
        self.checking = False
        self.shared = False
        self.notes: Notes = defaultdict(dict)
        self.onlooker: Onlooker | None = None
        self.chance: FixedDraws | None = None

    # ---- copies, equality, plain data

    def copy(self) -> "State":
        new = self.fork()
        new.notes = defaultdict(dict)
        return new

    def fork(self) -> "State":
        """A copy for the rules to work on, who know what they change and what is still true."""
        new = self.share()
        new.pieces = self.pieces[:]
        new.sums = self.sums[:]
        new.attrs = self.attrs[:]
        new.held = self.held[:]
        new.piles = self.piles[:]
        new.whereis = self.whereis[:]
        new.shared = False
        return new

    def share(self) -> "State":
        """The same position for other frames and answers. The arrays are those of this state, so
        a step must run on a copy of it."""
        new = State.__new__(State)
        new.table = self.table
        new.pieces = self.pieces
        new.sums = self.sums
        new.attrs = self.attrs
        new.held = self.held
        new.piles = self.piles
        new.whereis = self.whereis
        new.seed = self.seed
        new.draws = self.draws
        new.frames = self.frames
        new.answers = self.answers
        new.passed = self.passed
        new.over = self.over
        new.log = self.log
        new.log_size = self.log_size
        new.news = []
        new.fuel = FUEL
        new.room = self.room
        new.cursor = 0
        new.checking = False
        new.shared = True
        new.notes = self.notes.copy()
        new.onlooker = self.onlooker
        new.chance = self.chance
        return new

    def __getstate__(self) -> dict[str, Any]:
        """For pickling: the log as a flat list, because a long chain is too deep for pickle."""
        out = {name: getattr(self, name) for name in self.__slots__ if name not in _UNSAVED}
        return {**out, "events": self.events()}

    def __setstate__(self, data: dict[str, Any]) -> None:
        for name in self.__slots__:
            if name not in _UNSAVED:
                setattr(self, name, data[name])
        self.notes = defaultdict(dict)
        self.onlooker = None
        self.chance = None
        self.log = (None, tuple(data["events"])) if data["events"] else None

    def position(self) -> tuple[Any, ...]:
        """Everything that makes two states the same position. The log is how it came about."""
        return (
            self.pieces,
            self.attrs,
            self.held,
            self.piles,
            self.seed,
            self.draws,
            self.frames,
            self.answers,
            self.passed,
            self.over,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.position() == other.position()

    __hash__ = None  # type: ignore[assignment]

    def digest(self) -> str:
        """A hash of the position that is the same on every machine and in every process."""
        pieces, attrs, *rest = self.position()
        if sys.byteorder == "big":
            pieces = pieces[:]
            pieces.byteswap()
        values = [to_plain(value) if type(value) is dict else value for value in attrs]
        text = repr((values, *map(to_plain, rest)))
        return hashlib.sha256(pieces.tobytes() + text.encode()).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """Plain data (JSON), from which `from_data` makes an equal state of the same table."""
        return {
            "pieces": self.pieces.tolist(),
            "attrs": to_plain(self.attrs),
            "held": self.held[:],
            "piles": to_plain(self.piles),
            "seed": self.seed,
            "draws": self.draws,
            "frames": to_plain(self.frames),
            "answers": to_plain(self.answers),
            "passed": self.passed,
            "over": self.over,
            "log": to_plain(self.events()),
        }

    @classmethod
    def from_data(cls, table: Table, data: dict[str, Any]) -> "State":
        """Raises ValueError or KeyError for data that does not fit the table."""
        state = cls(table, data["seed"])
        pieces = array(table.typecode, data["pieces"])
        attrs = [from_plain(value) for value in data["attrs"]]
        piles = [tuple(pile) for pile in data["piles"]]
        if len(pieces) != len(state.pieces) or len(attrs) != len(state.attrs):
            raise ValueError("This state belongs to another table.")
        if table.totals(pieces) != table.totals(state.pieces):
            raise ValueError("This state does not have the pieces of this table.")
        if len(piles) != len(state.piles) or sorted(sum(piles, ())) != list(state.piles[0]):
            raise ValueError("This state does not have the cards of this table.")
        state.pieces, state.attrs, state.piles = pieces, attrs, piles
        state.sums = table.sum_pieces(pieces)
        for index, pile in enumerate(piles):
            for card in pile:
                state.whereis[card] = index
        state.held = list(data["held"])
        state.draws = data["draws"]
        state.frames = tuple(map(read_frame, from_plain(data["frames"])))
        state.answers = from_plain(data["answers"])
        state.passed = data["passed"]
        state.over = data["over"]
        events = tuple(from_plain(event) for event in data["log"])
        state.log, state.log_size = ((None, events) if events else None), len(events)
        state.room -= sum(map(cells, attrs)) + sum(map(event_cells, events))
        return state

    # ---- pieces

    def count(self, rows: PieceRows, owner: int, place: int, state: str | None = None) -> int:
        base = rows.total if state is None else rows.states[state]
        return self.pieces[base + owner * self.table.Q + place]

    def move(
        self,
        rows: PieceRows,
        owner: int,
        source: int,
        target: int,
        number: int | None = None,
        state: str | None = None,
        become: str | None = None,
    ) -> int:
        """Move so many pieces (None: all there are), never more than there are; say how many.

        Pieces keep their state between areas and lose it everywhere else, unless `become` says
        otherwise. Without a `state` the default state goes first, then the others in order.
        """
        cells, sums = self.pieces, self.sums
        at = owner * self.table.Q
        origin, goal = at + source, at + target
        have = cells[(rows.total if state is None else rows.states[state]) + origin]
        if number is None or number > have:
            number = have
        if number <= 0:
            return 0
        if rows.states:
            left = number
            on_board = target < self.table.A
            for name in rows.states if state is None else (state,):
                base = rows.states[name]
                some = min(left, cells[base + origin])
                if some:
                    after = become or (name if on_board else rows.default) or name
                    cells[base + origin] -= some
                    cells[rows.states[after] + goal] += some
                    sums[rows.state_sums[name] + source] -= some
                    sums[rows.state_sums[after] + target] += some
                    left -= some
        cells[rows.total + origin] -= number
        cells[rows.total + goal] += number
        sums[rows.sums + source] -= number
        sums[rows.sums + target] += number
        return number

    def turn(
        self,
        rows: PieceRows,
        owner: int,
        place: int,
        number: int | None,
        state: str | None,
        become: str,
    ) -> int:
        """Change the state of pieces where they are; those that have it already do not count."""
        cells = self.pieces
        at = owner * self.table.Q + place
        left = self.table.supply[rows.id][owner] if number is None else number
        turned = 0
        for name in rows.states if state is None else (state,):
            if name != become and left > 0:
                some = min(left, cells[rows.states[name] + at])
                cells[rows.states[name] + at] -= some
                cells[rows.states[become] + at] += some
                self.sums[rows.state_sums[name] + place] -= some
                self.sums[rows.state_sums[become] + place] += some
                left -= some
                turned += some
        return turned

    # ---- cards, chance, holdings

    def put(self, cards: Iterable[int | None], pile: int, how: str = "in") -> None:
        """Put cards at the bottom of a pile (`in`, `under`) or on its top, the first uppermost.

        Nothing happens for none: the top of an empty pile may be put anywhere. A card that is named
        twice is still one card.
        """
        moved = tuple(dict.fromkeys(card for card in cards if card is not None))
        piles, whereis = self.piles, self.whereis
        for card in moved:
            old = whereis[card]
            piles[old] = tuple([other for other in piles[old] if other != card])
            whereis[card] = pile
        piles[pile] = moved + piles[pile] if how == "top" else piles[pile] + moved

    def stream(self) -> Stream:
        """The generator of the next draw."""
        self.draws += 1
        return Stream(self.seed, self.draws)

    def shuffle(self, pile: int) -> None:
        self.piles[pile] = tuple(self.stream().shuffled(self.piles[pile]))

    def give(self, thing: int, player: int) -> None:
        self.held[player] |= self.table.bit[thing]

    def take(self, thing: int, player: int) -> None:
        self.held[player] &= ~self.table.bit[thing]

    def holds(self, player: int, thing: int) -> bool:
        return bool(self.held[player] & self.table.bit[thing])

    # ---- attributes that end, passing, the log

    def reset(self, lasts: str, voids: Mapping[str, Iterable[int]]) -> None:
        """Give the attributes that last a phase (or a turn) their start value again. `voids` are
        the groups of notes about each of them."""
        start = self.table.attr_start
        for attribute, part in self.table.ending.get(lasts, {}).items():
            if self.attrs[part] != start[part]:
                if self.shared:
                    self.attrs = self.attrs[:]
                self._begin_again(part)
                for group in voids.get(attribute, ()):
                    self.notes[group] = {}

    def clear(self, bundle: Iterable[Slots], index: int | None) -> None:
        """Give attributes of one object, which belong together, their start value again."""
        cells_, start = self.attrs, self.table.attr_start
        for slots in bundle:
            width = slots.width
            at = slots.base if index is None else slots.base + (index - slots.first) * width
            if width > 1:
                self._begin_again(slice(at, at + width))
            elif cells_[at] != start[at]:
                self.room += cells(cells_[at]) - cells(start[at])
                cells_[at] = start[at]

    def _begin_again(self, part: slice) -> None:
        """Give a part of the attributes its start value; mostly it has it already."""
        old, start = self.attrs[part], self.table.attr_start[part]
        if old != start:
            self.room += sum(map(cells, old)) - sum(map(cells, start))
            self.attrs[part] = start

    def forget(self) -> None:
        """Nothing counts any more that compiled rules noted down."""
        self.notes = defaultdict(dict)

    def recall(self, player: int) -> None:
        self.passed &= ~(1 << player)

    def flush(self) -> None:
        """What happened in a finished step becomes part of the log."""
        if self.news:
            self.room -= sum(event_cells(event) for event in self.news if event[0] != "say")
            self.log = (self.log, tuple(self.news))
            self.log_size += len(self.news)
            self.news = []

    def events(self, since: int = 0) -> list[tuple[Any, ...]]:
        """The log from its beginning, or after its first so many events."""
        parts: list[tuple[Any, ...]] = []
        link, left = self.log, self.log_size - since
        while link is not None and left > 0:
            link, events = link
            parts.append(events)
            left -= len(events)
        found = [event for events in reversed(parts) for event in events]
        return found[-left:] if left < 0 else found

    def spend(self, amount: int, rule: int) -> None:
        """Charge a loop before it runs. A pack that never ends is stopped here."""
        self.fuel -= amount
        if self.fuel < 0:
            raise BudgetExceeded(rule)

    def keep(self, old: Any, new: Any, site: int) -> Any:
        """What an attribute becomes, charged for what it grows by."""
        size = cells(new)
        self.room -= size - cells(old)
        if self.room < 0:
            raise BudgetExceeded(site, TOO_MUCH)
        self.spend(size // COPIED, site)
        return new

    def say(self, to: int | None, site: int, holes: tuple[Any, ...]) -> None:
        """A sentence for the log, charged for."""
        event = ("say", to, site, holes)
        self.room -= event_cells(event)
        if self.room < 0:
            raise BudgetExceeded(site, TOO_MUCH)
        self.news.append(event)


def cells(value: Any) -> int:
    """How much room a value takes: the members of a collection, and of those inside it."""
    if type(value) is tuple:
        nested = type(value[0]) in (tuple, dict) if value else False
        return len(value) + (sum(map(cells, value)) if nested else 0)
    if type(value) is dict:
        nested = type(next(iter(value.values()))) in (tuple, dict) if value else False
        return 2 * len(value) + (sum(map(cells, value.values())) if nested else 0)
    return 0


def event_cells(event: tuple[Any, ...]) -> int:
    """The same for an event of the log, the parts of which are of all sorts."""
    size = len(event)
    for part in event:
        if type(part) is tuple:
            size += event_cells(part)
    return size


def to_plain(value: Any) -> Any:
    """Nested state data as lists, numbers and strings; maps and ranges are marked."""
    if isinstance(value, tuple | list):
        return [to_plain(member) for member in value]
    if isinstance(value, dict):
        return {"map": [[to_plain(k), to_plain(value[k])] for k in sorted(value)]}
    if isinstance(value, range):
        return {"range": [value.start, value.stop]}
    if isinstance(value, Frame):
        return to_plain(frame_data(value))
    return value


def from_plain(value: Any) -> Any:
    """The inverse of `to_plain`; lists become tuples."""
    if isinstance(value, list):
        return tuple([from_plain(member) for member in value])
    if isinstance(value, dict):
        if "range" in value:
            return range(*value["range"])
        return {from_plain(k): from_plain(v) for k, v in value["map"]}
    return value
