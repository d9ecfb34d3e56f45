"""Linking one declaration once more, beside the world it belongs to, to hear what may stand in it.

The probe is a word that means nothing. Wherever linking looks it up, it knows all names that would
have meant something there (for "Did you mean …?"), so what may be written at a place is learned
from the very code that reads it.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import attrs

from ziggurat.dsl.forms.actions import action
from ziggurat.dsl.forms.advice import advice
from ziggurat.dsl.forms.bundles import bundles
from ziggurat.dsl.forms.clauses import read_clauses
from ziggurat.dsl.forms.covers import covers
from ziggurat.dsl.forms.equipment import families, neutrals, pieces, places
from ziggurat.dsl.forms.kinds import field_defaults, kind, kind_names, thing, thing_bodies
from ziggurat.dsl.forms.marks import maps, marks
from ziggurat.dsl.forms.phases import phase, turn
from ziggurat.dsl.forms.procedures import procedure, procedure_signatures
from ziggurat.dsl.forms.questions import clarifications, questions
from ziggurat.dsl.forms.scenarios import scenario
from ziggurat.dsl.forms.settings import attributes, options
from ziggurat.dsl.forms.values import order_keys, value, value_signatures
from ziggurat.dsl.linking.collect import make_decl
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.model import Book, Decl, Item
from ziggurat.dsl.linking.world import Notes, World
from ziggurat.dsl.nearest import Heard, listening
from ziggurat.dsl.syntax import Declaration, File, Node

_TABLES = (
    "kinds", "things", "values", "orders", "order_keys", "procedures", "phases", "pieces", "groups",
    "places", "families", "neutrals", "attributes", "bundles", "options",
)  # fmt: skip
# Parts of an amendment whose inside is read like that of what they change.
_STEPS = frozenset({"insert_before", "insert_after", "replace_step"})


def probe(world: World, file: File, top: Any) -> Heard:
    """What could stand in the place of the probe in a declaration or an amendment."""
    with listening() as heard:
        for decl in _declarations(world, file, top):
            beside = _beside(world, decl)
            for one in (decl, *decl.children):
                # Half of what is written while somebody types makes no sense to anyone.
                with suppress(Exception):
                    _link(beside, one)
    return heard


def _beside(world: World, decl: Decl) -> World:
    """The same world with one declaration in it, and notes of its own."""
    book = attrs.evolve(world.book, pages={}, scenarios=[], mutants=[], amendments=[], addressed=[])
    _enter(book, decl)
    known = world.notes
    notes = Notes(
        decisions=dict(known.decisions), actions=dict(known.actions), steps=dict(known.steps)
    )
    copies: dict[str, Any] = {name: dict(getattr(world, name)) for name in _TABLES}
    book.pages = {**world.book.pages, **book.pages}
    return attrs.evolve(world, book=book, notes=notes, likenesses={}, **copies)


def _enter(book: Book, decl: Decl) -> None:
    if decl.word == "scenario":
        book.scenarios.append(decl)
    else:
        book.pages.setdefault(decl.word, {})[decl.path] = decl
    for child in decl.children:
        _enter(book, child)


def _declarations(world: World, file: File, top: Any) -> Iterator[Decl]:
    if isinstance(top, Declaration):
        yield make_decl(top, file)
    elif top.rule in ("open_decl", "replace_decl") and isinstance(top.parts[0], Declaration):
        yield make_decl(top.parts[0], file)
    elif top.rule == "amend":
        word, path, _, block = top.parts
        target = world.book.find(str(word), ".".join(path.parts).strip('"'))
        if target is not None:
            yield _amended(target, block, file)
    elif top.rule == "expects":
        titled = str(top.parts[1].parts[0])[1:-1]
        for one in world.book.scenarios:
            if one.title == titled:
                yield attrs.evolve(
                    one, items=[*one.items, *(Item(x, file) for x in top.parts[-1].parts)]
                )


def _amended(target: Decl, block: Node, file: File) -> Decl:
    """What is amended, with the parts of the amendment in it and nothing else of that sort."""
    items: list[Item] = []
    children: list[Decl] = []
    for node in block.parts:
        if isinstance(node, Declaration):
            children.append(make_decl(node, file, target))
        elif node.rule in _STEPS and getattr(node.parts[0], "rule", "") == "decl_step":
            step = node.parts[0]
            items.append(Item(Node("step", (step,), step.start, step.end), file))
        elif node.rule == "replace_decision":
            items.append(Item(node.parts[0], file))
        else:
            items.append(Item(node, file))
    return attrs.evolve(target, items=items, children=children)


def _link(world: World, decl: Decl) -> None:
    if decl.word in world.kinds:
        world.things[decl.word] = {**world.things[decl.word], decl.path: decl}
        cx = Context(world, decl, f"{decl.word} {decl.path}")
        thing(world, decl, cx)
        thing_bodies(world, decl, cx)
        read_clauses(world, decl)
        return
    for function in _LINKING.get(decl.word, ()):
        function(_only(world, decl), decl)


def _only(world: World, decl: Decl) -> World:
    """The world as functions see it that go through all declarations of a word."""
    if decl.word not in _WHOLE_PAGES:
        return world
    pages = {**world.book.pages, decl.word: {decl.path: decl}}
    return attrs.evolve(world, book=attrs.evolve(world.book, pages=pages))


def _whole(function: Callable[[World], Any]) -> Callable[[World, Decl], Any]:
    return lambda world, decl: function(world)


def _value(world: World, decl: Decl) -> None:
    value_signatures(world)
    value(world, world.values[decl.path])


def _order(world: World, decl: Decl) -> None:
    value_signatures(world)
    order_keys(world, decl)


def _procedure(world: World, decl: Decl) -> None:
    procedure_signatures(world)
    procedure(world, world.procedures[decl.path])


def _kind(world: World, decl: Decl) -> None:
    kind_names(world)
    field_defaults(world, {decl.path: kind(world, decl)})


_LINKING: dict[str, tuple[Callable[[World, Decl], Any], ...]] = {
    "value": (_value,), "order": (_order,), "procedure": (_procedure,), "action": (action,),
    "phase": (phase, read_clauses), "turn": (turn,), "rule": (read_clauses,), "advice": (advice,),
    "scenario": (scenario,), "kind": (_kind,), "cards": (_whole(families),),
    "place": (_whole(places),), "piece": (_whole(pieces),), "neutral": (_whole(neutrals),),
    "option": (_whole(options),), "attribute": (_whole(attributes),), "bundle": (_whole(bundles),),
    "map": (_whole(maps),), "mark": (_whole(marks),), "question": (_whole(questions),),
    "clarification": (_whole(clarifications),), "cover": (_whole(covers),),
}  # fmt: skip
_WHOLE_PAGES = frozenset(
    ("value", "order", "procedure", "cards", "place", "neutral", "option", "attribute", "bundle",
     "map", "mark", "question", "clarification", "cover")
)  # fmt: skip
