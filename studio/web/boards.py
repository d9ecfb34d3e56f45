"""What of a game does not change: its board as a picture, and the words for what it is made of."""

import hashlib
from typing import Any

import attrs

from ziggurat import Game, Sentences, ir, plain
from ziggurat.studio.map.board import board
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.pieces import looks_of_covered, looks_of_pieces
from ziggurat.studio.play.board import word
from ziggurat.studio.play.cards import entry_text
from ziggurat.studio.play.naming import Names
from ziggurat.studio.titles import title_of
from ziggurat.studio.web.asking import source_of
from ziggurat.studio.web.documents import look_data
from ziggurat.studio.web.drawing import Drawer
from ziggurat.studio.web.text import encoded


@attrs.frozen
class Still:
    """Something that may be kept: its bytes, and a tag that is another when they are."""

    text: str
    tag: str

    @classmethod
    def of(cls, text: str) -> "Still":
        return cls(text, hashlib.sha256(text.encode()).hexdigest()[:24])


@attrs.frozen
class Boards:
    """The still parts of one ruleset. Without a board there is neither map nor middles."""

    rules: Still
    map: Still | None = None
    middles: Still | None = None


def boards(game: Game, drawer: Drawer) -> Boards:
    """Return all that does not change while a game goes on. Raise `Refusal` if it has a board that
    cannot be drawn."""
    try:
        drawn = board(game.ruleset)
    except NoBoardError:
        return Boards(Still.of(encoded(_rules(game) | {"board": False})))
    rules = Still.of(encoded(_rules(game) | {"board": True}))
    picture = drawer.draw(drawn)
    return Boards(rules, Still.of(picture.map), Still.of(picture.middles))


def _rules(game: Game) -> dict[str, Any]:
    ruleset, names = game.ruleset, Names(game)
    on_board = game.kinds("place")
    looks = looks_of_pieces(ruleset) | looks_of_covered(ruleset)
    return {
        "stack": ruleset.stack,
        "title": title_of(ruleset),
        "pieces": [
            {"id": piece, "title": look.told, **look_data(look)} for piece, look in looks.items()
        ],
        "places": [
            {"id": thing.id, "title": thing.title or thing.id, "kind": kind, "board": True}
            for kind in on_board
            for thing in game.things(kind)
        ]
        + [
            {"id": id_, "title": word(id_).capitalize(), "kind": "", "board": False}
            for id_ in game.places
        ],
        "phases": [
            {"id": phase.id, "title": phase.title or phase.id} for phase in ruleset.phases.values()
        ],
        "kinds": [
            {"id": kind.id, "title": word(kind.id).capitalize()} for kind in ruleset.kinds.values()
        ],
        "things": {
            f"{kind}.{thing.id}": {"title": thing.title or thing.id, "label": names.thing(thing)}
            for kind in ruleset.kinds
            for thing in game.things(kind)
        },
        "actions": {
            action.id: action.title or word(action.id.rpartition(".")[2])
            for action in ruleset.actions.values()
        },
    }


def card_data(sentences: Sentences, thing: ir.Thing) -> dict[str, Any]:
    """The card of a thing: its fields, and what it changes, allows and lets its holder do."""
    card = sentences.card(thing)
    return {
        "title": card.title,
        "fields": [{"label": plain(one.label), "text": plain(one.text)} for one in card.fields],
        "entries": [
            {
                "label": plain(one.label),
                "text": entry_text(one),
                "source": source_of(one.meta, one.at, one.id),
            }
            for one in card.entries
        ],
        "source": source_of(card.meta, card.at, f"{thing.kind}.{thing.id}"),
    }
