"""For how many players a stack is: what its packs say about it, put together.

A pack knows what it builds on, so what it says replaces what they say: it may widen or narrow their
numbers. Packs that know nothing of each other must agree: of their numbers those remain that suit
all of them.
"""

from collections.abc import Mapping, Sequence, Set
from itertools import combinations

from ziggurat.dsl.diagnostics import Diagnostic, Note
from ziggurat.dsl.manifest import Pack

Foundations = Mapping[str, Set[str]]  # of every pack, those that it builds on


def deciding(packs: Sequence[Pack], foundations: Foundations) -> list[Pack]:
    """Return the packs whose word counts: no other that says something builds on them."""
    speaking = [pack for pack in packs if pack.players]
    overruled: set[str] = set()
    for pack in speaking:
        overruled |= foundations.get(pack.id, frozenset())
    return [pack for pack in speaking if pack.id not in overruled]


def admitted(packs: Sequence[Pack], foundations: Foundations) -> tuple[int, ...]:
    """Return the numbers of players that suit all packs; nothing if no pack says any."""
    ranges = [pack.players for pack in deciding(packs, foundations) if pack.players]
    if not ranges:
        return ()
    fewest, most = max(low for low, _ in ranges), min(high for _, high in ranges)
    return tuple(range(fewest, most + 1))


def check_players(packs: Sequence[Pack], foundations: Foundations) -> list[Diagnostic]:
    """Return what packs say about their players that does not fit together or does nothing."""
    out = []
    for first, second in combinations(deciding(packs, foundations), 2):
        if not admitted([first, second], {}):
            out.append(_apart(first, second))
    for pack in packs:
        if not pack.players:
            continue
        below = [one for one in packs if one.id in foundations[pack.id]]
        if span_of(admitted(below, foundations)) == pack.players:
            out.append(_no_effect(pack, deciding(below, foundations)[-1]))
    return out


def span_of(numbers: Sequence[int]) -> tuple[int, int] | None:
    """Return the least and the most of some numbers."""
    return (min(numbers), max(numbers)) if numbers else None


def players_text(numbers: Sequence[int]) -> str:
    """`5 to 9 players`, `4 players`: numbers without gaps, in words."""
    fewest, most = min(numbers), max(numbers)
    if fewest == most:
        return f"{fewest} player{'s' * (fewest != 1)}"
    return f"{fewest} to {most} players"


def players_span(numbers: Sequence[int]) -> str:
    """The same as `pack.toml` writes it: `5-9`, `4`."""
    fewest, most = min(numbers), max(numbers)
    return str(fewest) if fewest == most else f"{fewest}-{most}"


def _apart(first: Pack, second: Pack) -> Diagnostic:
    said = [
        f"`{pack.id}` is for {players_text(pack.players)}"
        for pack in (first, second)
        if pack.players
    ]
    message = f"{' and '.join(said)}, so nobody can play both together."
    note = Note(f"`{first.id}` says its number here.", first.span("players"))
    advice = f"Build `{second.id}` on `{first.id}`, or let a pack that builds on both say it."
    return Diagnostic("Z030", message, second.span("players"), advice, (note,))


def _no_effect(pack: Pack, below: Pack) -> Diagnostic:
    message = f"`{pack.id}` says the number of players that it would have anyway."
    note = Note(f"`{below.id}` says it already.", below.span("players"))
    advice = "Take the line out, or say what the pack changes."
    return Diagnostic("Z032", message, pack.span("players"), advice, (note,), "warning")
