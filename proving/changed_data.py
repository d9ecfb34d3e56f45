"""What a pack does without a clause that runs: it amends data, declares things, takes them away.

Where a scenario ends differently because of that, no clause of the pack need have run. What it did
is kept with the ruleset (`ir.Amendment`); what of it matters is found by what rules look at.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ziggurat.proving import phrasing
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import described
from ziggurat.runtime.kernel.walking import walk

# Something that rules look at: a word, an id, or the field of a kind.
Look = tuple[str, str]


def data_of(ruleset: ir.Ruleset, nodes: Sequence[Any] | None) -> Iterator[tuple[ir.At, str]]:
    """The amendments and the things that some rules look at, each with its place and in words;
    without rules all of them."""
    looks = None if nodes is None else {look for node in nodes for look in _looks(node)}
    for one in ruleset.amendments:
        if looks is None or not looks.isdisjoint(_about(one)):
            told = f"in {one.spoken}: {one.words}" if one.words else f"{one.does} {one.spoken}"
            yield one.at, f"{phrasing.where(one.at)} {told}"
    for kind, page in ruleset.things.items():
        if looks is None or (kind, "") in looks:
            for thing in page.values():
                yield thing.at, f"{phrasing.where(thing.at)} in {kind} {thing.id}"


def _looks(node: Any) -> Iterator[Look]:
    """What a piece of rules looks at besides the position."""
    for one in walk(node):
        match one:
            case ir.FieldOf(owner_kind=kind, field=field):
                yield (kind, f".{field}")
            case ir.ThingRef(kind=kind, id=id_):
                yield (kind, id_)
            case ir.All(of=of):
                yield (of, "")
            case ir.OptionRef(id=id_):
                yield ("option", id_)
        for sort, id_, *_ in described(one).calls(one):
            yield (sort, id_)
        for touch in described(one).reads(one):
            yield (touch.part, touch.id)


# How the parts of a position are called where they are declared.
_PARTS = {"attribute": "attributes", "bundle": "attributes", "piece": "pieces", "place": "piles"}


def _about(one: ir.Amendment) -> set[Look]:
    """What looks at something amended may be: at the field, or else at the whole."""
    if one.field and one.word not in _PARTS and one.word != "option":
        return {(one.word, f".{one.field}")}
    whole = {(one.word, one.id), (_PARTS.get(one.word, one.word), one.id)}
    return whole | {(one.word, "")} if one.does == "removes" else whole
