"""Scenarios for the workshop: which there are, and one of them step by step with its positions."""

from collections.abc import Iterator
from typing import Any

from ziggurat import (
    Facts,
    Moment,
    Program,
    Ruleset,
    UnknownName,
    WalkStep,
    cites,
    ir,
    pack_of,
    walk_through,
    where,
)
from ziggurat.studio.map.board import Board, board, moving_looks
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.pieces import known_as, looks_of_pieces
from ziggurat.studio.map.svg import draw_touchable
from ziggurat.studio.play.naming import Names
from ziggurat.studio.play.news import worded
from ziggurat.studio.web.documents import look_data

Document = dict[str, Any]
MOST_STEPS = 300


def scenarios(ruleset: Ruleset) -> list[Document]:
    """All scenarios, with where they stand."""
    return [
        {
            "id": one.id,
            "title": one.title,
            "pack": pack_of(one.at),
            "where": where(one.at),
            "cites": cites(one.meta).partition(" · ")[0],
            "tags": list(one.meta.tags),
        }
        for one in ruleset.scenarios
    ]


def walk(program: Program, scenario: ir.Scenario) -> Document:
    """A scenario with all its steps; the board once, what stands on it for each step."""
    steps = walk_through(program, scenario)
    shown = steps[:MOST_STEPS]
    drawn = _board(program.ruleset, shown[0].moment) if shown else None
    looks = looks_of_pieces(program.ruleset)
    return {
        "id": scenario.id,
        "title": scenario.title,
        "where": where(scenario.at),
        "cites": cites(scenario.meta),
        "passed": not any(one.failure for one in steps),
        "left": len(steps) - len(shown),
        "board": _picture(drawn) if drawn is not None else None,
        "pieces": [
            {"id": piece, "title": look.told, **look_data(look)} for piece, look in looks.items()
        ],
        "steps": [_step(program.ruleset, one, drawn) for one in shown],
    }


def _board(ruleset: Ruleset, moment: Moment) -> Board | None:
    try:
        return board(ruleset, moment)
    except NoBoardError:
        return None


def _picture(drawn: Board) -> Document:
    """The board without what depends on the position, which is drawn over it."""
    picture, plan = draw_touchable(drawn)
    places = {
        id_: {"x": round(x, 1), "y": round(y, 1), "title": drawn.spots[id_].name}
        for id_, (x, y) in plan.at.items()
        if id_ in drawn.spots
    }
    return {"svg": picture, "places": places}


def _step(ruleset: Ruleset, one: WalkStep, drawn: Board | None) -> Document:
    moment = one.moment
    facts = Facts(ruleset, moment)
    failure = one.failure
    return {
        "sort": one.sort,
        "text": _text(one),
        "asked": one.asked,
        "path": one.path,
        "where": where(one.at),
        "events": [event.text for event in one.events if event.what in ("say", "phase")],
        "owners": [_owner(moment, owner) for owner in moment.owners],
        "stands": list(_pieces(moment, list(drawn.spots) if drawn is not None else [])),
        "marks": [
            {"place": place, **look_data(look)}
            for place, look in (moving_looks(ruleset, facts) if drawn is not None else ())
            if drawn is not None and place in drawn.spots
        ],
        "piles": list(_piles(moment)),
        "failure": None
        if failure is None
        else {
            "expected": failure.expected,
            "actual": failure.actual,
            "happened": list(failure.ran),
            "look_at": list(failure.look_at),
            "unused": list(failure.unused),
        },
    }


def _text(one: WalkStep) -> str:
    """What a step says; an action in the words of the game instead of ids."""
    acted = next((event for event in one.events if event.what == "act"), None)
    if one.sort != "answer" or acted is None:
        return one.text
    return worded(one.moment, Names(one.moment), acted).text


def _owner(moment: Moment, owner: str) -> Document:
    title, colour = known_as(moment, owner)
    return {"id": owner, "title": title, "colour": colour}


def _pieces(moment: Moment, spots: list[str]) -> Iterator[Document]:
    for piece in moment.ruleset.pieces:
        for owner in moment.owners:
            for place in (*spots, *moment.places):
                number = moment.count(piece, owner, place)
                if number and (place in spots or place not in _homes(moment)):
                    yield {"place": place, "owner": owner, "piece": piece, "number": number}


def _homes(moment: Moment) -> set[str]:
    """Where pieces lie that are not in play, which says nothing about a scenario."""
    return {"box", *(piece.home for piece in moment.ruleset.pieces.values())}


def _piles(moment: Moment) -> Iterator[Document]:
    """Cards that lie or are held somewhere; what is in the box is not told."""
    names = Names(moment)
    for place in moment.ruleset.places.values():
        for key in _keys(moment, place):
            try:
                cards = moment.pile(place.id, key)
            except (UnknownName, KeyError):
                continue
            if cards:
                labels = [names.thing(moment.face(card)) for card in cards]
                title = place.title or place.id.replace("_", " ").capitalize()
                yield {"title": title, "of": key or "", "cards": labels}


def _keys(moment: Moment, place: ir.Place) -> list[str | None]:
    if not place.cards:
        return []
    if place.of in ("player", "owner"):
        return list(moment.seats)
    if place.of == "table":
        return [None]
    return [thing.id for thing in moment.things(place.of)]
