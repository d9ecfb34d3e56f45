"""What of a game does not change: its board as a picture, and the words for what it is made of."""

import hashlib
from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat import CardEntry, Game, Sentences, Told, ir, plain
from ziggurat.studio.map.board import board
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.pieces import looks_of_covered, looks_of_pieces
from ziggurat.studio.map.svg import draw_touchable
from ziggurat.studio.play.board import word
from ziggurat.studio.play.naming import Names
from ziggurat.studio.ruleset import title_of
from ziggurat.studio.web.asking import source_of
from ziggurat.studio.web.documents import encoded, look_data


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
    sentences: Sentences
    map: Still | None
    middles: Still | None


def boards(game: Game) -> Boards:
    """All that does not change while a game goes on."""
    rules, sentences = Still.of(encoded(_rules(game))), Sentences(game.ruleset)
    try:
        drawn = board(game.ruleset)
    except NoBoardError:
        return Boards(rules, sentences, None, None)
    picture, plan = draw_touchable(drawn)
    middles = {id_: [round(x, 1), round(y, 1)] for id_, (x, y) in plan.at.items()}
    size = {"width": round(plan.width), "height": round(plan.height)}
    return Boards(
        rules,
        sentences,
        Still.of(picture),
        Still.of(encoded({**size, "places": middles})),
    )


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
                "text": " ".join(map(plain, filter(None, _entry(one)))),
                "source": source_of(one.meta, one.at, one.id),
            }
            for one in card.entries
        ],
        "source": source_of(card.meta, card.at, f"{thing.kind}.{thing.id}"),
    }


def _entry(entry: CardEntry) -> Iterator[str]:
    yield entry.text
    yield from entry.needs
    yield from entry.choices
    yield from (text for step in entry.steps for text in _steps(step))


def _steps(step: Told) -> Iterator[str]:
    yield step.said
    for inner in step.inner:
        yield from _steps(inner)
