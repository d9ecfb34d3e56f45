"""The view document: all that one seat, or an onlooker, may see of a table, as plain data.

Whatever is in it comes from the engine's views, which hold nothing that is hidden from the seat, or
is worked out on a veiled position. Its version is a hash of itself, so it tells nothing more.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from ziggurat import Decision, Facts, Game, Moment, Standing, ir
from ziggurat.studio.map.board import Look, has_moving_marks, moving_looks
from ziggurat.studio.map.pieces import known_as
from ziggurat.studio.play.board import pieces_by_place, word
from ziggurat.studio.play.naming import Names
from ziggurat.studio.play.unfinished import attribute_title
from ziggurat.studio.titles import title_of
from ziggurat.studio.web.about import About
from ziggurat.studio.web.asking import decision_data, source_of
from ziggurat.studio.web.lines import Lines

Data = dict[str, Any]


@attrs.frozen
class Document:
    """A view document in two parts, as text: the log grows, and is not sent twice."""

    version: str
    body: str  # of the object without its braces
    lines: Lines

    def text(self, since: int | None = None) -> str:
        """The whole as JSON; of the log the last lines, or those from `since` on."""
        log = self.lines.tail() if since is None else self.lines.part(since, self.lines.count)
        return f'{{"version":"{self.version}",{self.body},"log":{log}}}'


class Documents:
    """Makes the documents of one game, and keeps what is the same in all of them."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._title = title_of(ruleset)
        self._columns = columns(ruleset)
        self._noted = _noted(ruleset)
        self._facts = Facts(ruleset) if has_moving_marks(ruleset) else None
        self._labels: dict[str, Data] = {}  # of cards
        self._known: dict[tuple[str, str], tuple[str, str]] = {}  # names and colours of owners

    def document(
        self,
        game: Game,
        about: About,
        seat: str,
        given: Data,
        lines: Lines,
        asked: Sequence[tuple[str, Decision]],
    ) -> Document:
        """The document of a seat; `given` is what the table itself knows, `asked` what the seat is
        asked, under its ids."""
        moment = game.seen_by(seat)
        names = Names(moment)
        view = game.view(seat, log=False)
        data = {
            **given,
            "stack": game.ruleset.stack,
            "title": self._title,
            "seat": seat or None,
            "moment": _moment(game),
            "owners": list(self._owners(game, about, moment)),
            "waiting": list(dict.fromkeys(view["waiting"])),
            "pieces": list(_pieces(view["pieces"])),
            "marks": list(self._marks(moment, seat)),
            "piles": list(self._piles(game, names, view["piles"])),
            "holdings": view["holds"],
            "notes": self._notes(game, moment, seat),
            "standings": self._standings(game, seat),
            "decisions": [{"id": id_, **decision_data(game, one, names)} for id_, one in asked],
        }
        body = encoded(data)[1:-1]
        version = hashlib.sha256(f"{body}\n{lines.digest()}".encode()).hexdigest()[:24]
        return Document(version, body, lines)

    def _owners(self, game: Game, about: About, moment: Moment) -> Iterator[Data]:
        for owner in game.owners:
            thing = moment.plays(owner) if owner in about.by else None
            plays = None if thing is None else f"{thing.kind}.{thing.id}"
            key = owner, plays or ""
            if key not in self._known:
                self._known[key] = known_as(moment, owner)
            title, colour = self._known[key]
            yield {
                "id": owner,
                "title": title,
                "name": about.names.get(owner, ""),
                "plays": plays,
                "colour": colour,
                "player": owner in about.by,
                "by": about.by.get(owner),
            }

    def _piles(self, game: Game, names: Names, piles: dict[str, dict[str, Any]]) -> Iterator[Data]:
        for place, by_key in piles.items():
            rule = game.ruleset.places.get(place)
            for key, shown in by_key.items():
                pile: Data = {
                    "place": place,
                    "of": key,
                    "title": (rule.title if rule else "") or word(place).capitalize(),
                    "seen": rule.seen if rule else "hidden",
                }
                if isinstance(shown, list):
                    pile["cards"] = [self._card(names, card) for card in shown]
                elif isinstance(shown, int):
                    pile["size"] = shown
                else:
                    pile["some"] = shown == "some"
                yield pile

    def _card(self, names: Names, card: str) -> Data:
        if card not in self._labels:
            face = names.moment.face(card)
            thing, label = f"{face.kind}.{face.id}", names.thing(face)
            self._labels[card] = {"card": card, "thing": thing, "label": label}
        return self._labels[card]

    def _marks(self, moment: Moment, seat: str) -> Iterator[Data]:
        if self._facts is not None:
            for place, look in moving_looks(moment.ruleset, self._facts.at(moment, seat)):
                yield {"place": place, **look_data(look)}

    def _notes(self, game: Game, moment: Moment, seat: str) -> dict[str, list[Data]]:
        """What the rules have written down of the table and of players, unless it is nothing."""
        out: dict[str, list[Data]] = {}
        for rule in self._noted:
            for owner in ("",) if rule.of == "table" else game.seats:
                told = _note(game, moment, rule, owner, seat)
                if told:
                    out.setdefault(owner, []).append(told)
        return out

    def _standings(self, game: Game, seat: str) -> Data:
        known, shown = Standing(game, seat), self._columns
        ranks = known.ranks()
        return {
            "columns": shown,
            "rows": {who: [known.value(one["id"], who) for one in shown] for who in game.seats},
            "ranking": list(ranks) or list(game.seats),
            "ranks": ranks,
        }


def encoded(data: Any) -> str:
    """Data as JSON, in as few letters as it takes."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _moment(game: Game) -> Data:
    """Where the game is, for everybody alike: nothing of it is hidden."""
    here = game.position
    phase = game.ruleset.phases.get(here.phase)
    return {
        "turn": game.turn_number,
        "phase": here.phase,
        "title": (phase.title or phase.id) if phase else "",
        "acting": here.acting or None,
        "source": source_of(phase.meta, phase.at, phase.id) if phase else None,
    }


def _pieces(pieces: dict[str, dict[str, dict[str, int]]]) -> Iterator[Data]:
    for place, owners in pieces_by_place(pieces).items():
        for owner, here in owners.items():
            for piece, (number, states) in here.items():
                yield {
                    "place": place,
                    "owner": owner,
                    "piece": piece,
                    "number": number,
                    "states": states,
                }


def look_data(look: Look) -> Data:
    """How something is drawn."""
    data = attrs.asdict(look)
    return {name: value for name, value in data.items() if name != "value"}


def _noted(ruleset: ir.Ruleset) -> list[ir.Attribute]:
    """The attributes that are told, those of bundles with their bundle."""
    fields = {id_ for bundle in ruleset.bundles.values() for id_ in bundle.attributes[1:]}
    return [
        rule
        for rule in ruleset.attributes.values()
        if rule.of in ("table", "player", "owner") and rule.id not in fields
    ]


def _note(game: Game, moment: Moment, rule: ir.Attribute, owner: str, seat: str) -> Data | None:
    if rule.secret and (not owner or owner != seat):
        return None
    value = moment.attribute(rule.id, owner or None)
    bundle = game.ruleset.bundles.get(rule.id)
    if not value or rule.type.name in game.ruleset.cards:
        return None
    title = attribute_title(game.ruleset, rule)
    if bundle is not None:
        inside = (game.ruleset.attributes[id_] for id_ in bundle.attributes[1:])
        told = [_note(game, moment, one, owner, seat) for one in inside]
        parts = [one for one in told if one is not None]
        text = ", ".join(f"{one['title']} {one['text']}".strip() for one in parts)
        return {"title": title, "text": text, "parts": parts}
    if isinstance(value, dict):
        value = {key: one for key, one in value.items() if one}
        if not value:
            return None
    plain = rule.type.name == "bool"
    return {"title": title, "text": "" if plain else moment.in_words(value, rule.type)}


def tracks(
    ruleset: ir.Ruleset, known: Callable[[str], Standing], seats: Sequence[str]
) -> list[Data]:
    """What players move along: for each the things that lie there, with where they begin. `known`
    tells who knows what of a player."""
    return [
        {
            "column": one.along,
            "kind": one.id,
            "title": one.title or word(one.id).capitalize(),
            "stretches": {seat: _stretches(ruleset, one, known(seat), seat) for seat in seats},
        }
        for one in ruleset.chapters.values()
        if one.along
    ]


def _stretches(
    ruleset: ir.Ruleset, about: ir.Chapter, known: Standing, seat: str
) -> list[tuple[str, int]]:
    found = (
        (f"{about.id}.{thing}", known.value_with(about.begins, seat, about.id, thing))
        for thing in ruleset.things[about.id]
    )
    return sorted(((id_, at) for id_, at in found if at is not None), key=lambda one: one[1])


def columns(ruleset: ir.Ruleset) -> list[Data]:
    """What the turn shows of everybody, and the score."""
    turn = next(iter(ruleset.turns.values()))
    shown = dict.fromkeys(filter(None, (*turn.shows, turn.score)))
    return [{"id": one, "title": ruleset.values[one].title or word(one)} for one in shown]
