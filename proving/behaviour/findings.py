"""What is found out about the behaviour of two rulesets."""

from collections import Counter

import attrs

from ziggurat.runtime import kernel as ir

Seen = tuple[str, str, str]


@attrs.frozen
class FirstDifference:
    """Where two runs part: the clause to blame, where each side tells it ("": nowhere), and what
    each side ran when they parted ("": nothing more)."""

    cause: str
    places: tuple[str, str] = ("", "")
    old: str = ""
    new: str = ""


@attrs.frozen
class Outcome:
    """A scenario that ends differently: what is seen of it, each (what, old, new)."""

    scenario: ir.Scenario
    seen: tuple[Seen, ...]
    parting: FirstDifference


@attrs.frozen
class Divergence:
    """A game that went two ways after some answers: why in words, and what is seen of it.
    `phase` is where the last answer was given, `board` whose data both were played with."""

    seed: int
    players: int
    answers: int
    phase: str
    why: str
    seen: tuple[Seen, ...]
    parting: FirstDifference
    board: str = ""


@attrs.frozen
class Behaviour:
    """`ran`: scenarios both can run. `together`: games that never parted. `boards`: whose boards
    both were run on, `exchanged` the kinds of which one was given the data of the other; `missing`
    says why a board could not be shared."""

    old: str
    new: str
    ran: int
    outcomes: tuple[Outcome, ...]
    games: int = 0
    together: int = 0
    parted: tuple[Divergence, ...] = ()
    boards: tuple[str, ...] = ()
    exchanged: tuple[str, ...] = ()
    missing: str = ""

    def __bool__(self) -> bool:
        return bool(self.outcomes or self.parted)

    def causes(self) -> list[tuple[str, int]]:
        """Why games part, the most frequent cause first."""
        return Counter(one.parting.cause for one in self.parted).most_common()
