"""The card of a thing: its fields, what it changes, allows and lets its holder do, in words.

Which fields stand on it, and how they are called, the packs say (`chapter`, `phrase`); without that
all fields that say something do, under their names.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.forms.clauses import settled_arguments
from ziggurat.dsl.printing.index import Index, Target
from ziggurat.dsl.telling import english, rules
from ziggurat.dsl.telling.marked import reference
from ziggurat.dsl.telling.speaker import Speaker
from ziggurat.dsl.telling.steps import Told, tell
from ziggurat.runtime.kernel.forms.clauses import Contribution
from ziggurat.runtime.kernel.forms.core import Lit, Op, ThingRef
from ziggurat.runtime.kernel.forms.kinds import Field, FieldValue, Thing
from ziggurat.runtime.kernel.forms.values import Value
from ziggurat.runtime.kernel.nodes import NO_META, NOWHERE, At, Expr, Meta, Type, blank


@attrs.frozen
class CardField:
    """One field of a card. `by_key` has the entries of a map one by one."""

    name: str
    label: str
    text: str
    by_key: tuple[tuple[str, str], ...] = ()
    at: At = attrs.field(default=NOWHERE, eq=False)


@attrs.frozen
class CardEntry:
    """Something a card says. sort: value, clause, trigger, action, procedure or block; `needs` and
    `choices` belong to an action."""

    sort: str
    id: str
    label: str
    text: str = ""
    needs: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    steps: tuple[Told, ...] = ()
    at: At = attrs.field(default=NOWHERE, eq=False)
    meta: Meta = attrs.field(default=NO_META, eq=False)


@attrs.frozen
class Card:
    """A thing in words: its fields and all that it says."""

    kind: str
    id: str
    title: str
    fields: tuple[CardField, ...]
    entries: tuple[CardEntry, ...]
    at: At = attrs.field(default=NOWHERE, eq=False)
    meta: Meta = attrs.field(default=NO_META, eq=False)


def card(speaker: Speaker, index: Index, thing: Thing) -> Card:
    """The card of a thing."""
    kind = speaker.ruleset.kinds[thing.kind]
    chapter = speaker.ruleset.chapters.get(thing.kind)
    shown = chapter.card if chapter is not None and chapter.card else None
    fields = [field for field in kind.fields if shown is None or field.name in shown]
    if shown is not None:
        fields.sort(key=lambda field: shown.index(field.name))
    found = (told_field(speaker, thing, field) for field in fields)
    return Card(
        thing.kind, thing.id, thing.title or english.capital(english.words(thing.id)),
        tuple(one for one in found if one is not None),
        tuple(_entries(speaker.knowing({"this": thing.title}), index, thing)),
        thing.at, thing.meta,
    )  # fmt: skip


# ---- fields -------------------------------------------------------------------------------------


def told_field(speaker: Speaker, thing: Thing, field: Field) -> CardField | None:
    """A field in words; none if it says nothing."""
    given = next((one for one in thing.values if one.field == field.name), None)
    value = given.value if isinstance(given, FieldValue) else _default(field)
    if value is None or value == blank(field.type) or value == () or value == {}:
        return None
    label = speaker.label(f"{thing.kind}.{field.name}")
    by_key: tuple[tuple[str, str], ...] = ()
    if field.type.name == "map" and field.type.key and field.type.item:
        key, item = field.type.key, field.type.item
        by_key = tuple((str(k).rpartition(".")[2], data(speaker, v, item)) for k, v in value)
        text = ", ".join(f"{data(speaker, k, key)} {data(speaker, v, item)}" for k, v in value)
    else:
        text = data(speaker, value, field.type)
    return CardField(field.name, label, text, by_key, given.at if given else thing.at)


def _default(field: Field) -> Any:
    return _plain(field.default) if field.default is not None else None


def _plain(expr: Expr) -> Any:
    """What a default says, in the form in which things have their data."""
    match expr:
        case Lit(value):
            return value
        case ThingRef(kind, id_):
            return f"{kind}.{id_}"
        case Op("map", args):
            return tuple((_plain(k), _plain(v)) for k, v in zip(args[::2], args[1::2], strict=True))
        case Op("set" | "list" | "range", args):
            return tuple(map(_plain, args))
    return None


def data(speaker: Speaker, value: Any, type_: Type) -> str:
    """Plain data of a field in words."""
    if type_.name in ("set", "list") and type_.item:
        item = type_.item
        return ", ".join(data(speaker, one, item) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if type_.name == "range" and isinstance(value, tuple):
        return f"{value[0]} to {value[1]}"
    if isinstance(value, str) and type_.name != "text":
        kind, _, id_ = value.rpartition(".")
        kind = kind or type_.name
        found = speaker.ruleset.things.get(kind, {}).get(id_)
        return reference(kind, id_, (found.title if found else "") or english.words(id_))
    return str(value)


# ---- what it says -------------------------------------------------------------------------------


def _entries(speaker: Speaker, index: Index, thing: Thing) -> Iterator[CardEntry]:
    home = index.get(thing.kind, thing.id)
    yield from _blocks(speaker, thing)
    for value, clause in home.clauses:
        text = rules.contribution(speaker, value, clause)
        label = speaker.label(value.id, value.title)
        yield CardEntry(
            "clause", clause_id(value, clause), label, text, at=clause.at, meta=clause.meta
        )
    for target in home.triggers:
        yield _trigger(speaker, target)
    for sort, one in home.nested:
        yield nested(speaker, sort, one)


def clause_id(value: Value, clause: Contribution) -> str:
    """Return what a clause is known by: another one about other arguments has another id."""
    settled = settled_arguments(value.params, clause.thing, clause.when)
    return f"{clause.path} ({settled})"


def _blocks(speaker: Speaker, thing: Thing) -> Iterator[CardEntry]:
    declared = {body.name: body for body in speaker.ruleset.kinds[thing.kind].bodies}
    for body in thing.bodies:
        known = speaker.introduced(declared[body.name].params)
        label = speaker.label(f"{thing.kind}.{body.name}")
        yield CardEntry(
            "block", f"{thing.id}.{body.name}", label, steps=tell(known, body.body),
            at=body.at, meta=body.meta,
        )  # fmt: skip


def _trigger(speaker: Speaker, target: Target) -> CardEntry:
    one = target.trigger
    told = rules.trigger(speaker, target.sort, target.id, target.params, one)
    return CardEntry("trigger", one.path, "", told.said, steps=told.inner, at=one.at, meta=one.meta)


def nested(speaker: Speaker, sort: str, one: Any) -> CardEntry:
    """A value, procedure, order or action in words, as it stands on a card or in a chapter."""
    label = speaker.label(one.id, one.title)
    at, meta = one.at, one.meta
    if isinstance(one, Value):
        text = rules.definition(speaker, one)
        return CardEntry(sort, one.id, label, text, at=at, meta=meta)
    if sort == "action":
        told = rules.action(speaker, one)
        return CardEntry(
            sort, one.id, label, "", told.needs, told.choices, told.steps, at=at, meta=meta
        )
    if sort == "order":
        keys = tuple(Told(text) for text in rules.order_keys(speaker, one))
        return CardEntry(sort, one.id, label, steps=keys, at=at, meta=meta)
    steps = tell(speaker.introduced(one.params), one.body)
    return CardEntry(sort, one.id, label, steps=steps, at=at, meta=meta)
