"""What somebody wants of a new table, read from a request and checked against the rules."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ziggurat import Program, Search, Seat, did_you_mean, find_packs, ir, players_text
from ziggurat.studio.play.seats import possible_seats
from ziggurat.studio.web.about import PERSON, POLICIES, About
from ziggurat.studio.web.keys import HOST, SEAT, VIEW, Keys
from ziggurat.studio.web.refusals import Refusal

STACK = re.compile(r"[a-z][a-z0-9_]*(\+[a-z][a-z0-9_]*){0,15}")
LARGEST_SEED = 1 << 62


@attrs.frozen
class Wish:
    """A new table: its rules, its seats in order, and who plays them."""

    stack: str
    seats: tuple[Seat, ...]
    by: Mapping[str, str]
    names: Mapping[str, str]
    options: Mapping[str, Any]
    seed: int | None

    def about(self) -> tuple[About, dict[str, str]]:
        """The table without its game, and its keys by role; only their hashes are in it."""
        keys = Keys()
        roles = [HOST, VIEW, *(f"{SEAT}{seat}" for seat, by in self.by.items() if by == PERSON)]
        given = {role: keys.give(role) for role in roles}
        return About(dict(self.by), dict(self.names), keys), given


def named_stack(text: Any, search: Search) -> str:
    """A stack of packs that are known here: no path leads out of their folders. Raises
    `Refusal`."""
    if not isinstance(text, str) or len(text) > 400 or not STACK.fullmatch(text):
        raise Refusal(400, "A ruleset is named like `west` or `west+expert`.")
    known = find_packs(search)
    for part in text.split("+"):
        if part not in known:
            raise Refusal(
                404, f"There is no pack `{part}`. {did_you_mean(part, known) or ''}".strip()
            )
    return text


def read_wish(data: Mapping[str, Any], program: Program, longest_name: int) -> Wish:
    """The wish in a request, for rules that are loaded. Raises `Refusal`."""
    ruleset = program.ruleset
    players = _players(data.get("players"), ruleset)
    wanted = data.get("seats", [])
    if not isinstance(wanted, list) or len(wanted) > players:
        raise Refusal(400, f"`seats` is a list, of at most {players}.")
    known = [id_ for id_, _ in possible(program, players)]
    seats: list[Seat] = []
    by: dict[str, str] = {}
    names: dict[str, str] = {}
    for number in range(players):
        one = wanted[number] if number < len(wanted) else {}
        if not isinstance(one, dict):
            raise Refusal(400, 'A seat is wished for as {"plays", "by", "name"}.')
        seat = _seat(one.get("plays"), number, known)
        if seat.name in by:
            raise Refusal(400, f"Two cannot play `{seat.name}`.")
        who = one.get("by", POLICIES[0])
        if who not in (PERSON, *POLICIES):
            raise Refusal(400, f"A seat is played by {', '.join((PERSON, *POLICIES))}.")
        seats.append(seat)
        by[seat.name] = who
        names[seat.name] = clean_name(one.get("name"), longest_name)
    return Wish(
        ruleset.stack,
        tuple(seats),
        by,
        names,
        _options(data.get("options", {}), ruleset.options),
        _seed(data.get("seed")),
    )


def _players(wanted: Any, ruleset: ir.Ruleset) -> int:
    allowed = sorted(ruleset.players) or [2]
    if wanted is None:
        return max(allowed)
    if isinstance(wanted, bool) or wanted not in allowed:
        raise Refusal(400, f"`{ruleset.stack}` is for {players_text(allowed)}.")
    return int(wanted)


def _seat(plays: Any, number: int, known: Sequence[str]) -> Seat:
    if plays is None:
        return Seat(f"player{number + 1}")
    if not isinstance(plays, str) or plays not in known:
        raise Refusal(400, "Nobody can play that in a game of this size.")
    return Seat(plays, plays)


def possible(program: Program, players: int) -> list[tuple[str, str]]:
    """What can be played in a game of so many: ids and titles."""
    things = program.ruleset.things
    titles = {id_: thing.title for kind in things.values() for id_, thing in kind.items()}
    return [(id_, titles.get(id_) or id_) for id_ in possible_seats(program, players)]


def clean_name(name: Any, longest: int) -> str:
    """What somebody is called: one line of text, no longer than a name."""
    if name is None:
        return ""
    if not isinstance(name, str):
        raise Refusal(400, "A name is text.")
    shown = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in name[: 4 * longest])
    return " ".join(shown.split())[:longest]


def _options(given: Any, known: Mapping[str, ir.Option]) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise Refusal(400, "`options` is an object.")
    types: dict[str, type] = {"bool": bool, "int": int}
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            raise Refusal(400, f"The rules have no option `{name[:60]}`.")
        fits = type(value) is types.get(option.type.name, str)
        if not fits or (option.choices and value not in option.choices):
            raise Refusal(400, f"Option `{name}` cannot be that.")
        if type(value) is int and abs(value) > 1_000_000:
            raise Refusal(400, f"Option `{name}` cannot be as much as that.")
    return dict(given)


def _seed(seed: Any) -> int | None:
    if seed is None:
        return None
    if type(seed) is not int or not 0 <= seed < LARGEST_SEED:
        raise Refusal(400, "A seed is a whole number, not below 0.")
    return int(seed)


# ---- what there is


def rulesets(search: Search) -> dict[str, Any]:
    """Games that can be played, and variants that go on top of them, from their manifests."""
    packs = find_packs(search)
    games = {id_: pack for id_, pack in packs.items() if pack.players and not pack.incomplete}
    return {
        "games": [
            {"stack": id_, "title": pack.title, "players": list(range(least, most + 1))}
            for id_, pack in games.items()
            for least, most in [pack.players or (2, 2)]
        ],
        "variants": [
            {"id": id_, "title": pack.title, "on": on}
            for id_, pack in packs.items()
            if id_ not in games and not pack.language
            if (on := [need.id for need in (*pack.extends, *pack.optional) if need.id in games])
        ],
        "policies": list(POLICIES),
    }


def ruleset_data(program: Program, title: str) -> dict[str, Any]:
    """What has to be settled before a game of these rules begins."""
    rules = program.ruleset
    return {
        "stack": rules.stack,
        "title": title,
        "players": sorted(rules.players) or [2],
        "options": [
            {
                "id": option.id,
                "title": option.title or option.id,
                "type": option.type.name,
                "default": option.default,
                "values": [False, True] if option.type.name == "bool" else list(option.choices),
            }
            for option in rules.options.values()
        ],
        "seats": {
            str(number): [{"id": id_, "title": told} for id_, told in possible(program, number)]
            for number in sorted(rules.players) or [2]
        },
    }
