"""What packs change above the advice of bots, and no advice reads: bots play it blindly."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.walking import walk

Name = tuple[str, str]  # the word of a declaration and its id
_DOES = {"changes": "changed", "replaces": "replaced", "removes": "removed"}


@attrs.frozen
class Unadvised:
    """A declaration that no advice reads: what a pack has done with it."""

    word: str
    id: str
    done: str
    pack: str


def unadvised(ruleset: ir.Ruleset) -> list[Unadvised]:
    """Return what packs above the last one with advice add, change or remove and no advice reads.

    Advice reads what it names, what the values that it asks name, and what changes those values. A
    game without advice is played at random, so nothing of it is returned.
    """
    order = [pack.id for pack in ruleset.packs]
    advising = [order.index(pack) for pack in map(_pack, ruleset.advice) if pack in order]
    if not advising:
        return []
    above = set(order[max(advising) + 1 :])
    known = read_by_advice(ruleset)
    added = [
        Unadvised(word, id_, "added", _pack(one))
        for word, id_, one in _declared(ruleset)
        if _pack(one) in above
    ]
    amended = [
        Unadvised(one.word, one.id, _DOES[one.does], one.pack)
        for one in ruleset.amendments
        if one.pack in above and one.does in _DOES
    ]
    found = {(one.word, one.id): one for one in (*amended, *added)}
    return [one for name, one in found.items() if name not in known]


def read_by_advice(ruleset: ir.Ruleset) -> set[Name]:
    """Return the things, values and actions that advice reads, directly or through values."""
    found: set[Name] = {("action", one.target.split(".")[0]) for one in ruleset.advice}
    waiting: list[Any] = [ruleset.advice]
    while waiting:
        for part in walk(waiting.pop()):
            for name in _named(part):
                if name in found:
                    continue
                found.add(name)
                if name[0] == "value" and name[1] in ruleset.values:
                    waiting.append(ruleset.values[name[1]])
    return found


def _named(part: Any) -> Iterator[Name]:
    match part:
        case ir.ThingRef(kind=kind, id=id_):
            yield kind, id_
        case ir.ValueCall(value=value):
            yield "value", value
        case ir.OptionRef(id=option):
            yield "option", option
        case ir.Contribution(thing=thing):
            kind, _, id_ = thing.partition(".")
            yield kind, id_


def _declared(ruleset: ir.Ruleset) -> Iterator[tuple[str, str, Any]]:
    """Yield what bots could have an opinion about."""
    for kind, page in ruleset.things.items():
        yield from ((kind, id_, one) for id_, one in page.items())
    yield from (("action", id_, one) for id_, one in ruleset.actions.items())
    yield from (("option", id_, one) for id_, one in ruleset.options.items())


def _pack(declared: Any) -> str:
    return str(declared.at.file.partition("/")[0])
