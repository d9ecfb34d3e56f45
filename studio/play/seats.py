"""Who sits where: `--seats rome=me,hellas=random`, or seats by number, `1=me`."""

from collections.abc import Callable, Mapping, Sequence

import attrs

from ziggurat import Advised, Policy, Program, Random, Searching, Seat, did_you_mean, start
from ziggurat.studio.console import UsageError

ME = "me"
Shares = tuple[tuple[str, ...], dict[str, str]]  # seats of people, programs for others
BOTS: dict[str, Callable[[int], Policy]] = {
    "bot": Advised,
    "advised": Advised,
    "random": Random,
    "search": Searching,
}


@attrs.frozen
class Seating:
    """The seats of a game, which of them people play, and the programs that are not the usual."""

    seats: tuple[Seat, ...]
    people: tuple[str, ...]
    bots: Mapping[str, str]


def seated(rules: Program, players: int, wanted: str) -> Seating:
    """Seats for a new game. Without a wish the first is for a person."""
    wishes = _wishes(wanted) or {"1": ME}
    settled = [name for name in wishes if not name.isdigit()]
    possible = possible_seats(rules, players)
    for name in settled:
        if name not in possible:
            hint = did_you_mean(name, possible) or f"Possible: {', '.join(possible)}."
            raise UsageError(f"nobody can play `{name}` in a game of {players}. {hint}")
    if len(settled) > players:
        raise UsageError(f"{len(settled)} seats are too many for a game of {players}.")
    seats = [Seat(name, name) for name in settled]
    seats += [Seat(f"player{n + 1}") for n in range(len(seats), players)]
    names = [seat.name for seat in seats]
    return Seating(tuple(seats), *_shared(wishes, names))


def reseated(names: Sequence[str], people: Sequence[str], wanted: str) -> Shares:
    """Who plays on in a saved game: as before, unless somebody wishes otherwise."""
    wishes = _wishes(wanted)
    if not wishes:
        return tuple(people) or tuple(names[:1]), {}
    return _shared(wishes, names)


def _wishes(text: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        seat, sign, who = (word.strip() for word in part.partition("="))
        if not sign or who not in (ME, *BOTS):
            known = ", ".join((ME, *BOTS))
            raise UsageError(f"`--seats {part}` must look like `rome=me`; who plays is {known}.")
        if seat in out:
            raise UsageError(f"`--seats` names {seat} twice.")
        out[seat] = who
    return out


def _shared(wishes: Mapping[str, str], names: Sequence[str]) -> Shares:
    people: list[str] = []
    bots: dict[str, str] = {}
    for wish, who in wishes.items():
        name = wish
        if wish.isdigit():
            if not 1 <= int(wish) <= len(names):
                raise UsageError(f"there is no seat {wish}; they go from 1 to {len(names)}.")
            name = names[int(wish) - 1]
        if name not in names:
            hint = did_you_mean(name, names) or f"The seats are {', '.join(names)}."
            raise UsageError(f"there is no seat `{wish}`. {hint}")
        if who == ME:
            people.append(name)
        else:
            bots[name] = who
    return tuple(people), bots


def possible_seats(rules: Program, players: int) -> list[str]:
    """What can be played: what the first decision offers if it is about that, else everything."""
    kinds = [kind.id for kind in rules.ruleset.kinds.values() if "seat" in kind.roles]
    first = start(rules, players).decision
    if first is not None and first.kind == "choose" and first.item.name in kinds:
        return [str(option) for option in first.options()]
    return [thing for kind in kinds for thing in rules.ruleset.things.get(kind, {})]


def bot(kind: str, seed: int) -> Policy:
    """A program that plays."""
    return BOTS[kind](seed)
