"""The view document: all that one seat, or an onlooker, may see of a table, as plain data.

Whatever is in it comes from the engine's views, which hold nothing that is hidden from the seat, or
is worked out on a veiled position. Its version is a hash of itself, so it tells nothing more.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from ziggurat import ONLOOKER, Decision, Facts, Game, Moment, Standing, ir
from ziggurat.studio.map.board import Look, has_moving_marks, moving_looks
from ziggurat.studio.map.pieces import known_as
from ziggurat.studio.play.board import pieces_by_place, word
from ziggurat.studio.play.naming import Names
from ziggurat.studio.play.unfinished import attribute_title
from ziggurat.studio.titles import title_of
from ziggurat.studio.web.about import About
from ziggurat.studio.web.asking import decision_data, source_of
from ziggurat.studio.web.changes import Changes
from ziggurat.studio.web.lines import Lines
from ziggurat.studio.web.text import encoded

Data = dict[str, Any]
T = TypeVar("T")


@attrs.frozen
class Document:
    """A view document, part by part as text: the log grows, and is not sent twice."""

    version: str
    parts: dict[str, str]  # by name, as JSON
    lines: Lines

    @classmethod
    def of(cls, parts: dict[str, str], lines: Lines) -> "Document":
        """Return a document with its version, which depends on nothing but the rest of it."""
        text = f"{_members(parts)}\n{lines.digest()}"
        return cls(hashlib.sha256(text.encode()).hexdigest()[:24], parts, lines)

    def text(self, since: int | None = None) -> str:
        """Return the whole as JSON; of the log the last lines, or those from `since` on."""
        log = self.lines.tail() if since is None else self.lines.part(since, self.lines.count)
        return f'{{"version":"{self.version}",{_members(self.parts)},"log":{log}}}'

    def changes(self, base: str, parts: Mapping[str, str], since: int, found: Changes) -> str:
        """Return what changed since the document `base` with those parts, as JSON."""
        changed = {
            name: found.between(parts[name], text)
            for name, text in self.parts.items()
            if parts[name] != text
        }
        log = self.lines.part(since, self.lines.count)
        return (
            f'{{"version":"{self.version}","base":"{base}","changes":{{{_members(changed)}}},'
            f'"log":{log}}}'
        )


def _members(parts: dict[str, str]) -> str:
    return ",".join(f'"{name}":{text}' for name, text in parts.items())


class Common:
    """What the documents of one position have in common, worked out once for all seats.

    Seats may look at different states while several decide at once, so it is kept for each state.
    What is in it depends on nothing that is hidden from onlookers.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], tuple[object, Any]] = {}

    def once(self, state: object, what: str, work: Callable[[], T]) -> T:
        """Return what `work` finds about a state, which is asked once."""
        key = id(state), what
        if key not in self._found:
            self._found[key] = state, work()
        found: T = self._found[key][1]
        return found


class Documents:
    """Makes the documents of one game, and keeps what is the same in all of them."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._title = title_of(ruleset)
        self._columns = columns(ruleset)
        noted = _noted(ruleset)
        self._secret = {rule.id for rule in noted if _has_secret(ruleset, rule)}
        self._noted = noted
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
        common: Common | None = None,
    ) -> Document:
        """Return the document of a seat.

        `given` is what the table itself knows, `asked` what the seat is asked, under its ids, and
        `common` what documents of the same position have found before.
        """
        common = common or Common()
        moment = game.seen_by(seat)
        state = moment.identity
        names = Names(moment)
        view = game.view(seat, log=False, without=("pieces", "holds", "attributes"))

        def whole() -> Data:
            return game.view(seat, log=False, without=("attributes",))

        data = {
            **given,
            "stack": game.ruleset.stack,
            "title": self._title,
            "seat": seat or None,
            "moment": _moment(game),
        }
        parts = {name: encoded(value) for name, value in data.items()}
        parts["owners"] = common.once(
            state, "owners", lambda: encoded(list(self._owners(game, about, moment)))
        )
        parts["waiting"] = encoded(list(dict.fromkeys(view["waiting"])))
        viewer = seat if game.ruleset.covers else ""  # who may look beneath covers sees more
        parts["pieces"] = common.once(
            state, f"pieces {viewer}", lambda: encoded(list(_pieces(whole()["pieces"])))
        )
        parts["marks"] = self._marks(moment, seat, common)
        parts["piles"] = encoded(list(self._piles(game, names, view["piles"])))
        parts["holdings"] = common.once(state, "holdings", lambda: encoded(whole()["holds"]))
        parts["notes"] = self._notes(game, moment, seat, common)
        parts["standings"] = self._standings(game, state, seat, common)
        parts["decisions"] = encoded(
            [{"id": id_, **decision_data(game, one, names)} for id_, one in asked]
        )
        return Document.of(parts, lines)

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

    def _marks(self, moment: Moment, seat: str, common: Common) -> str:
        """Return the marks that move: those of onlookers, unless they may not know all of them."""

        def shown(seat: str) -> tuple[str, bool]:
            if self._facts is None:
                return "[]", False
            facts = self._facts.at(moment, seat)
            looks = moving_looks(moment.ruleset, facts)
            text = encoded([{"place": place, **look_data(look)} for place, look in looks])
            return text, facts.met_hidden

        text, has_hidden = common.once(moment.identity, "marks", lambda: shown(ONLOOKER))
        return shown(seat)[0] if has_hidden and seat != ONLOOKER else text

    def _notes(self, game: Game, moment: Moment, seat: str, common: Common) -> str:
        """Return what the rules have written down of the table and of players, unless it is
        nothing."""

        def note(rule: ir.Attribute, owner: str) -> str:
            found = _note(game, moment, rule, owner, seat)
            return encoded(found) if found else ""

        def open_notes() -> dict[tuple[str, str], str]:
            return {
                (rule.id, owner): note(rule, owner)
                for rule in self._noted
                if rule.id not in self._secret
                for owner in _owners_of(rule, game)
            }

        known = common.once(moment.identity, "notes", open_notes)
        out: dict[str, list[str]] = {}
        for rule in self._noted:
            is_secret = rule.id in self._secret
            for owner in _owners_of(rule, game):
                told = note(rule, owner) if is_secret else known[rule.id, owner]
                if told:
                    out.setdefault(owner, []).append(told)
        lists = (f"{encoded(owner)}:[{','.join(notes)}]" for owner, notes in out.items())
        return f"{{{','.join(lists)}}}"

    def _standings(self, game: Game, state: object, seat: str, common: Common) -> str:
        """Return how everybody stands: as onlookers know it, unless they may not know all of it."""

        def shown(seat: str) -> tuple[str, bool]:
            known, columns = Standing(game, seat), self._columns
            ranks = known.ranks()
            rows = {who: [known.value(one["id"], who) for one in columns] for who in game.seats}
            data = {
                "columns": columns,
                "rows": rows,
                "ranking": list(ranks) or list(game.seats),
                "ranks": ranks,
            }
            is_whole = bool(ranks) and not any(None in row for row in rows.values())
            return encoded(data), is_whole

        onlookers = game.seen_by(ONLOOKER).identity
        if state is not onlookers:
            return shown(seat)[0]
        text, is_whole = common.once(state, "standings", lambda: shown(ONLOOKER))
        return text if is_whole or seat == ONLOOKER else shown(seat)[0]


def _owners_of(rule: ir.Attribute, game: Game) -> Sequence[str]:
    return ("",) if rule.of == "table" else game.seats


def _has_secret(ruleset: ir.Ruleset, rule: ir.Attribute) -> bool:
    """Return whether a note, or a field of a bundle, is not for everybody."""
    bundle = ruleset.bundles.get(rule.id)
    fields = bundle.attributes[1:] if bundle is not None else ()
    return rule.secret or any(ruleset.attributes[id_].secret for id_ in fields)


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
