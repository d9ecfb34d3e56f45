"""Two rulesets as they are played when nobody sets an option.

Options are what they are by default, conditions that then always or never hold are worked out, and
what no game can come to any more is left out. What two rulesets tell differently, and do not tell
differently in this form, has no effect under the default options.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ziggurat.dsl.comparing.reach import Node, Reach
from ziggurat.dsl.linking.hashing import fields_read
from ziggurat.dsl.normal_form import Plain
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.walking import walk

_PLAIN = ("bool", "int", "text")
_ROUNDS = 4
Constants = dict[str, ir.Lit]


def as_played(old: ir.Ruleset, new: ir.Ruleset) -> tuple[ir.Ruleset, ir.Ruleset]:
    """Both in this form. A number that both have for a value is put where the value is asked; other
    numbers stay with their values, so that the value is what differs."""
    sides = old, new
    constants: Constants = {}
    for _ in range(_ROUNDS):
        plain = [_plain(one, constants) for one in sides]
        found = [_constants(one) for one in plain]
        shared = {id_: lit for id_, lit in found[0].items() if found[1].get(id_) == lit}
        if shared.keys() == constants.keys():
            break
        constants = shared
    kept = {id_ for id_ in old.options.keys() & new.options.keys() if _other_default(old, new, id_)}
    a, b = (_pruned(one, kept) for one in plain)
    return a, b


def _other_default(old: ir.Ruleset, new: ir.Ruleset, option: str) -> bool:
    return bool(old.options[option].default != new.options[option].default)


def _plain(ruleset: ir.Ruleset, constants: Constants) -> ir.Ruleset:
    options = {one.id: one.default for one in ruleset.options.values() if one.type.name in _PLAIN}
    plain = Plain(ruleset, options, constants)
    pages: dict[str, Any] = {
        name: {id_: plain.of(one) for id_, one in getattr(ruleset, name).items()}
        for name in ("values", "procedures", "phases")
    }
    things = {
        kind: {
            id_: attrs.evolve(one, bodies=plain.of(one.bodies)) if one.bodies else one
            for id_, one in page.items()
        }
        for kind, page in ruleset.things.items()
    }
    made = {id_: plain.of(one) for id_, one in ruleset.actions.items()}
    actions = {id_: one for id_, one in made.items() if not _never(ruleset.actions[id_], one)}
    orders = {id_: _ordering(one, pages["values"]) for id_, one in ruleset.orders.items()}
    return attrs.evolve(ruleset, **pages, things=things, actions=actions, orders=orders)


def _never(before: ir.Action, after: ir.Action) -> bool:
    """Whether an action can never be taken: its plain form is empty."""
    return bool(before.needs and not after.needs and before.body and not after.body)


def _ordering(order: ir.Order, values: Mapping[str, ir.Value]) -> ir.Order:
    """An order without the keys that are the same for all."""
    keys = tuple(key for key in order.keys if not _is_constant(values[key]))
    return attrs.evolve(order, keys=keys)


def _is_constant(value: ir.Value) -> bool:
    return isinstance(value.base, ir.Lit) and not value.contributions


def _constants(ruleset: ir.Ruleset) -> Constants:
    values = ruleset.values.values()
    return {
        one.id: one.base for one in values if isinstance(one.base, ir.Lit) and not one.contributions
    }


# ---- what no game comes to ----------------------------------------------------------------------


def _pruned(ruleset: ir.Ruleset, options: set[str]) -> ir.Ruleset:
    """Without what no game comes to; a part of a game is kept whole, others may call anything."""
    bare = attrs.evolve(
        ruleset,
        options={id_: one for id_, one in ruleset.options.items() if id_ in options},
        open_places={}, maps={}, marks={}, advice=(), scenarios=(), questions={}, clarifications={},
    )  # fmt: skip
    if not ruleset.turns:
        return bare
    reach = Reach(bare)
    reached = reach.reached()
    pages: Any = {
        name: {id_: one for id_, one in getattr(bare, name).items() if (sort, id_) in reached}
        for sort, name in (
            ("value", "values"), ("order", "orders"), ("procedure", "procedures"),
            ("phase", "phases"), ("action", "actions"), ("attribute", "attributes"),
        )
    }  # fmt: skip
    pages["bundles"] = {
        id_: one
        for id_, one in bare.bundles.items()
        if any(name == id_ or name.startswith(f"{id_}.") for name in pages["attributes"])
    }
    pages["things"] = {
        kind: {id_: _without_idle_bodies(one, reached) for id_, one in page.items()}
        for kind, page in bare.things.items()
    }
    return _looked_at(attrs.evolve(bare, **pages))


def _without_idle_bodies(thing: ir.Thing, reached: set[Node]) -> ir.Thing:
    bodies = [one for one in thing.bodies if ("body", f"{thing.id}.{one.name}") in reached]
    return thing if len(bodies) == len(thing.bodies) else attrs.evolve(thing, bodies=tuple(bodies))


def _looked_at(ruleset: ir.Ruleset) -> ir.Ruleset:
    """Without fields that no rule reads, and kinds that none speaks of."""
    read = fields_read(ruleset)
    kinds = {
        id_: attrs.evolve(kind, fields=tuple(f for f in kind.fields if (id_, f.name) in read))
        for id_, kind in ruleset.kinds.items()
    }
    spoken = _kinds_spoken_of(attrs.evolve(ruleset, kinds=kinds))
    things = {
        kind: {
            id_: attrs.evolve(one, values=tuple(v for v in one.values if (kind, v.field) in read))
            for id_, one in page.items()
        }
        for kind, page in ruleset.things.items()
        if kind in spoken
    }
    kinds = {id_: kind for id_, kind in kinds.items() if id_ in spoken}
    return attrs.evolve(ruleset, kinds=kinds, things=things)


def _kinds_spoken_of(ruleset: ir.Ruleset) -> set[str]:
    """The kinds in the words or types of rules, and all that have a part in the machine."""
    rules = (
        ruleset.values, ruleset.procedures, ruleset.phases, ruleset.actions, ruleset.attributes,
        ruleset.turns, ruleset.places, ruleset.cards, ruleset.pieces, ruleset.things,
    )  # fmt: skip
    spoken = {word for node in walk(rules) for word in _words(node)}
    found = {kind.id for kind in ruleset.kinds.values() if kind.roles or kind.id in spoken}
    waiting = [ruleset.kinds[id_] for id_ in found]
    while waiting:
        types = {name for field in waiting.pop().fields for name in _names(field.type)}
        fresh = types & ruleset.kinds.keys() - found
        found |= fresh
        waiting += [ruleset.kinds[id_] for id_ in fresh]
    return found


def _words(node: Any) -> Iterable[str]:
    if isinstance(node, ir.Thing):  # that a thing is of its kind says nothing
        return
    for field in attrs.fields(type(node)):
        value = getattr(node, field.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, ir.Type):
                yield from _names(one)
            elif isinstance(one, str):
                yield one


def _names(type_: ir.Type) -> Iterable[str]:
    yield type_.name
    for inner in (type_.item, type_.key):
        if inner is not None:
            yield from _names(inner)
