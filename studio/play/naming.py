"""Names people see and names people type.

An option has one label and any number of spellings: its id, its title, and for a player what they
play. A word means an option if it is one of its spellings or the beginning of one, as long as that
is true of one option only.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.nearest import nearest
from ziggurat.proving import phrasing
from ziggurat.runtime.log import spoken_names
from ziggurat.runtime.state import State
from ziggurat.runtime.table import SEAT_ATTRIBUTE, Table

COPIES = "copies"
LONGEST = 6  # words of one name
MANY = 6  # names listed in a hint


class WrongInput(Exception):  # noqa: N818 - what it is
    """What was typed makes no sense here: a sentence for people, and the rule behind it."""

    def __init__(self, text: str, source: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.source = source


@attrs.frozen
class Choice:
    """Something that can be named: `value` is the plain answer."""

    value: Any
    label: str
    spellings: tuple[str, ...]


def normal(text: str) -> str:
    """A name as it is compared: `Upper-Egypt` is `upper_egypt`."""
    return re.sub(r"[\s_\-]+", "_", text.strip().strip("\"'`").casefold())


def choice(value: Any, label: str, *spellings: str) -> Choice:
    known = dict.fromkeys(normal(one) for one in (*spellings, label) if one)
    return Choice(value, label, tuple(known))


class Names:
    """The names of one position."""

    def __init__(self, table: Table, state: State) -> None:
        self.table = table
        self.spoken = spoken_names(table, state)
        self.aliases = [_plays(table, state, owner) for owner in table.owners]

    def owner(self, name: str) -> str:
        """What an owner is called in sentences."""
        return self.spoken[self.table.owner_ids[name]]

    def alias(self, name: str) -> str:
        """The id an owner is typed by: that of what they play, or their name."""
        return self.aliases[self.table.owner_ids[name]]

    def choices(self, values: Iterable[Any], type_: ir.Type) -> list[Choice]:
        return [self.choice(value, type_) for value in values]

    def all(self, values: Iterable[Any], type_: ir.Type) -> str:
        """Several values in words."""
        return ", ".join(one.label for one in self.choices(values, type_)) or "nothing"

    def choice(self, value: Any, type_: ir.Type) -> Choice:
        """A plain value of a type as something to choose."""
        table = self.table
        if value is None:
            return choice(None, "none", "no")
        if type_.name == "bool":
            return choice(bool(value), *(("yes", "y") if value else ("no", "n")))
        if type_.name in ("player", "owner"):
            return choice(value, self.owner(value), value, self.alias(value))
        if type_.name in ("int", "text"):
            return choice(value, str(value))
        if type_.name in table.families:
            thing = table.things[table.face[table.card_ids[value]]]
            return choice(value, self.thing(thing), thing.id, thing.title, value)
        thing = table.things[table.thing_ids[type_.name, value]]
        short = thing.id.rpartition(".")[2]
        return choice(value, thing.title or thing.id, thing.id, short)

    def thing(self, thing: ir.Thing) -> str:
        """The title of a thing with the numbers printed on it."""
        numbers = numbers_of(self.table, thing)
        return f"{thing.title or thing.id}{f' ({numbers})' if numbers else ''}"

    def universe(self, type_: ir.Type) -> list[Choice]:
        """All there is of a type, possible or not; nothing for cards, which are secret."""
        table = self.table
        if type_.name in ("player", "owner"):
            return self.choices(table.owner_names, type_)
        if type_.name not in table.kind_range:
            return []
        ids = (table.things[index].id for index in table.kind_range[type_.name])
        return self.choices(ids, type_)


def _plays(table: Table, state: State, owner: int) -> str:
    for kind in table.seat_kinds if owner in table.players else ():
        plays = state.attrs[table.attributes[f"{SEAT_ATTRIBUTE}{kind}"].slot(owner)]
        if plays is not None:
            return str(table.things[plays].id)
    return table.owner_names[owner]


def numbers_of(table: Table, thing: ir.Thing, skip: Sequence[str] = (COPIES,)) -> str:
    """The numbers a thing carries, as far as they say anything."""
    index = table.thing_ids[thing.kind, thing.id]
    found = [
        table.fields[thing.kind, field.name][index]
        for field in table.ruleset.kinds[thing.kind].fields
        if field.type.name == "int" and field.name not in skip
    ]
    return "/".join(map(str, found)) if any(found) else ""


def source(meta: ir.Meta, at: ir.At, rule: str = "") -> str:
    """Where a rule stands: its path, its citation, its file and line."""
    return placed(rule, phrasing.cites(meta), phrasing.where(at))


def placed(rule: str, cites: str, where: str) -> str:
    """The same in one line; ids of requirements say nothing to players."""
    return "  ".join(filter(None, (rule, cites.partition(" · ")[0], where)))


# ---- matching


def match(text: str, choices: Sequence[Choice], what: str = "name") -> Choice:
    """The only choice a word can mean. Raises `WrongInput` with a hint."""
    word = normal(text)
    tests: tuple[Callable[[str], bool], ...] = (
        lambda spelling: spelling == word,
        lambda spelling: spelling.startswith(word),
        lambda spelling: f"_{word}" in f"_{spelling}",
    )
    for test in tests if word else ():
        found = [one for one in choices if any(test(spelling) for spelling in one.spellings)]
        labels = list(dict.fromkeys(one.label for one in found))
        if len(labels) == 1:
            return found[0]
        if labels:
            raise WrongInput(f"`{text}` could be {listed(labels, 'or')}.")
    spellings = [spelling for one in choices for spelling in one.spellings]
    near = nearest(word, spellings)
    if near:
        raise WrongInput(f"`{text}` is no {what} here. Did you mean `{near}`?")
    labels = list(dict.fromkeys(one.label for one in choices))
    hint = f" It could be {listed(labels, 'or')}." if 0 < len(labels) <= MANY else ""
    raise WrongInput(f"`{text}` is no {what} here.{hint}")


def take(tokens: Sequence[str], choices: Sequence[Choice]) -> tuple[Choice, int]:
    """The choice the first words mean, and how many of them it took."""
    for number in range(min(LONGEST, len(tokens)), 0, -1):
        phrase = normal(" ".join(tokens[:number]))
        for one in choices:
            if phrase in one.spellings:
                return one, number
    return match(tokens[0], choices), 1


def listed(names: Sequence[str], word: str = "and") -> str:
    """`a, b and c`; a long list is cut."""
    if len(names) > MANY:
        names = [*names[: MANY - 1], f"{len(names) - MANY + 1} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
