"""The log as text. The state keeps events as tuples of numbers; sentences are made at the edge.

An event is (what, to, about, values): `to` is the only player who may read it, None for everybody.

    ("say", to, site, holes)              a sentence of the rules; if others read another one
                                          instead, the holes of that one are the last
    ("phase", None, phase, ())            a phase begins
    ("chose", None, site, (who, answer))  somebody decided
    ("act", None, action, (who, args))    somebody acted
"""

import gettext
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.secrecy import secret_answers
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE, Table

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.program import Program

HIDDEN = "hidden"
ENGLISH = "n != 1"


@attrs.frozen
class Event:
    """An entry of the log: `text` is for people, `data` names things by their ids. The data of a
    sentence are its parts: the rule's own words at even places, what filled the holes at odd ones.
    """

    what: str
    path: str
    seat: str | None
    data: Any
    text: str
    at: ir.At = ir.NOWHERE
    meta: ir.Meta = ir.NO_META


def spoken_names(table: Table, state: State) -> list[str]:
    """What sentences call the owners: the title of what a player plays, once that is settled."""
    names = []
    for owner, name in enumerate(table.owner_names):
        neutral = table.ruleset.neutrals.get(name)
        title = neutral.title if neutral else ""
        for kind in table.seat_kinds if owner in table.players else ():
            plays = state.attrs[table.attributes[f"{SEAT_ATTRIBUTE}{kind}"].slot(owner)]
            title = title if plays is None else table.things[plays].title
        names.append(title or name)
    return names


def value_text(table: Table, value: Any, type_: ir.Type, names: Sequence[str] | None = None) -> str:
    """A value in a sentence: titles of things, names of players."""
    if value is None:
        return "nobody" if type_.name in ("player", "owner") else "nothing"
    if type_.name in ("set", "list") and type_.item is not None:
        item = type_.item
        return ", ".join(value_text(table, member, item, names) for member in value) or "nothing"
    if type_.name == "map" and type_.key is not None and type_.item is not None:
        key, item = type_.key, type_.item
        pairs = (
            f"{value_text(table, k, key, names)} {value_text(table, v, item, names)}"
            for k, v in value.items()
        )
        return ", ".join(pairs)
    if type_.name == "range":
        return f"{value.start} to {value.stop - 1}"
    if type_.name == "bool":
        return "yes" if value else "no"
    if type_.name in ("int", "text"):
        return str(value)
    if type_.name in ("player", "owner"):
        if names is not None:
            return str(names[value])
        neutral = table.ruleset.neutrals.get(table.owner_names[value])
        return str((neutral.title if neutral else "") or table.owner_names[value])
    thing = table.things[table.face[value] if type_.name in table.families else value]
    return str(thing.title or thing.id)


def sentence(
    table: Table, text: ir.Text, holes: tuple[Any, ...], names: Sequence[str] | None = None
) -> str:
    """A sentence with its holes filled with values of the moment."""
    return "".join(sentence_parts(table, text, holes, names))


def sentence_parts(
    table: Table, text: ir.Text, holes: tuple[Any, ...], names: Sequence[str] | None = None
) -> tuple[str, ...]:
    """A sentence in parts, its holes (at odd places) filled with values of the moment."""
    values = iter(holes)
    parts = [""]
    for part in text.parts:
        if isinstance(part, str):
            parts[-1] += part
        elif isinstance(part, ir.Agreement):
            parts[-1] += agreeing(part, next(values))
        else:
            parts += [value_text(table, next(values), part.type, names), ""]
    return tuple(parts)


def agreeing(words: ir.Agreement, number: int | None) -> str:
    """The word that goes with a number."""
    form = _plural(words.plural or ENGLISH)(abs(number or 0))
    return words.wordings[min(form, len(words.wordings) - 1)]


_plural = cache(gettext.c2py)


def is_secret(table: Table, type_: ir.Type) -> bool:
    """Whether values of a type can show a card or a covered piece, which its owner alone knows."""
    parts = [part.name for part in (type_, type_.item, type_.key) if part is not None]
    return any(name in table.families or name in table.covered for name in parts)


def is_hidden(program: "Program", table: Table, path: str, type_: ir.Type) -> bool:
    """Whether only whoever decided may know the answer to a decision or parameter."""
    return is_secret(table, type_) or path in secret_answers(program)


def describe(
    program: "Program",
    table: Table,
    event: tuple[Any, ...],
    seat: int | None = None,
    names: Sequence[str] | None = None,
) -> Event | None:
    """An event for people; for one seat, without what others hide (None if it is not for them)."""
    what, to, about, values = event
    if what == "phase":
        phase = table.ruleset.phases[about]
        return Event(what, about, None, None, phase.title or about, phase.at, phase.meta)
    if what == "say":
        site = program.sites[about]
        text, others = site.node.text, site.node.others
        name = None if to is None or others is not None else table.owner_names[to]
        if seat is not None and to is not None and to != seat:
            if others is None:
                return None
            text, values = others, values[len(values) - others.holes :]
        parts = sentence_parts(table, text, values, names)
        return Event(what, site.rule, name, parts, "".join(parts), site.at, site.meta)
    who, given = values
    name = table.owner_names[who]
    spoken = name if names is None else names[who]
    others_see = seat is not None and seat != who
    if what == "act":
        action = table.ruleset.actions[about]
        args = [
            HIDDEN
            if others_see and is_hidden(program, table, f"{about}.{param.name}", param.type)
            else table.name(arg, param.type)
            for param, arg in zip(action.params, given, strict=True)
        ]
        said = ", ".join(str(arg) for arg in args)
        text = (
            f"{spoken}: {action.title or action.id} ({said})"
            if args
            else f"{spoken}: {action.title or action.id}"
        )
        return Event(what, about, name, args, text, action.at, action.meta)
    site = program.sites[about]
    node = site.node
    type_ = ir.Type("bool") if isinstance(node, ir.May) else node.type
    hidden = getattr(node, "secret", False) or is_hidden(program, table, site.path, type_)
    if others_see and hidden:
        return Event(what, site.path, name, HIDDEN, f"{spoken} has decided.", site.at, site.meta)
    text = f"{spoken} chooses {value_text(table, given, type_, names)}."
    return Event(what, site.path, name, table.name(given, type_), text, site.at, site.meta)
