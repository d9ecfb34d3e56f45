"""Names people see and names people type.

An option has one label and any number of spellings: its id, its title, and for a player what they
play. A word means an option if it is one of its spellings or the beginning of one, as long as that
is true of one option only.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from ziggurat import (
    Decision,
    Game,
    Moment,
    Ruleset,
    cites,
    ir,
    member_type,
    nearest,
    where,
    why_not,
)
from ziggurat.studio.language import tr

COPIES = "copies"
LONGEST = 6  # words of one name
MANY = 6  # names listed in a hint
SHORT = 2  # letters of a name that says nothing


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

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.spoken = moment.spoken
        self._owners = dict(zip(moment.owners, self.spoken, strict=True))
        self._aliases = {owner: _plays(moment, owner) for owner in moment.owners}

    def owner(self, name: str) -> str:
        """What an owner is called in sentences."""
        return self._owners[name]

    def alias(self, name: str) -> str:
        """The id an owner is typed by: that of what they play, or their name."""
        return self._aliases[name]

    def choices(self, values: Iterable[Any], type_: ir.Type) -> list[Choice]:
        return [self.choice(value, type_) for value in values]

    def all(self, values: Iterable[Any], type_: ir.Type) -> str:
        """Several values in words."""
        return ", ".join(one.label for one in self.choices(values, type_)) or "nothing"

    def choice(self, value: Any, type_: ir.Type) -> Choice:
        """A plain value of a type as something to choose."""
        if value is None:
            return choice(None, "none", "no")
        if type_.name == "bool":
            return choice(bool(value), *(("yes", "y") if value else ("no", "n")))
        if type_.name in ("player", "owner"):
            return choice(value, self.owner(value), value, self.alias(value))
        if type_.name in ("int", "text"):
            return choice(value, str(value))
        if type_.name in self.moment.ruleset.cards:
            thing = self.moment.face(value)
            return choice(value, self.thing(thing), thing.id, thing.title, value)
        thing = self.moment.thing(type_.name, value)
        short = thing.id.rpartition(".")[2]
        return choice(value, thing.title or thing.id, thing.id, short)

    def thing(self, thing: ir.Thing) -> str:
        """The title of a thing with the numbers printed on it."""
        numbers = numbers_of(self.moment, thing)
        return f"{thing.title or thing.id}{f' ({numbers})' if numbers else ''}"

    def universe(self, type_: ir.Type) -> list[Choice]:
        """All there is of a type, possible or not; nothing for cards, which are secret, and for
        numbers."""
        if type_.name in ("player", "owner"):
            return self.choices(self.moment.owners, type_)
        if type_.name not in self.moment.ruleset.kinds:
            return []
        return self.choices((thing.id for thing in self.moment.things(type_.name)), type_)


def action_choices(rules: Ruleset, ids: Sequence[str]) -> list[Choice]:
    """Return actions by their ids and titles. One inside a thing has a short name, too."""
    return [
        choice(id_, short, short, id_, rules.actions[id_].title)
        for id_ in ids
        for short in (id_.rpartition(".")[2],)
    ]


def action_usage(action: ir.Action) -> str:
    """Return how an action is typed: `march origin target number`."""
    return " ".join([action.id.rpartition(".")[2], *map(parameter_word, action.params)])


def parameter_word(param: ir.ActionParam) -> str:
    """Return a word for a parameter: its name, or what it is where that is too short to say."""
    if len(param.name) > SHORT:
        return param.name
    type_ = member_type(param).name
    return tr("number") if type_ == "int" else type_


def _plays(moment: Moment, owner: str) -> str:
    plays = moment.plays(owner)
    return owner if plays is None else plays.id


def numbers_of(moment: Moment, thing: ir.Thing, skip: Sequence[str] = (COPIES,)) -> str:
    """The numbers a thing carries, as far as they say anything."""
    found = [
        moment.field(thing, field.name)
        for field in moment.ruleset.kinds[thing.kind].fields
        if field.type.name == "int" and field.name not in skip
    ]
    return "/".join(map(str, found)) if any(found) else ""


def question_text(moment: Moment, decision: Decision) -> str:
    """Return what is asked, with everybody called by what they play. What a thing asks begins with
    its title."""
    prompt = decision.prompt_with(moment.spoken)
    home = decision.path.partition(".")[0]
    found = (things[home] for things in moment.ruleset.things.values() if home in things)
    thing = next(found, None) if "." in decision.path else None
    title = thing.title if thing is not None else ""
    return f"{title}: {prompt}" if title and title not in prompt else prompt


def source(meta: ir.Meta, at: ir.At, rule: str = "") -> str:
    """Where a rule stands: its path, its citation, its file and line."""
    return placed(rule, cites(meta), where(at))


def placed(rule: str, cited: str, written: str) -> str:
    """The same in one line; ids of requirements say nothing to players."""
    return "  ".join(filter(None, (rule, cited.partition(" · ")[0], written)))


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
            told = tr("`{text}` could be {names}.")
            raise WrongInput(told.format(text=text, names=listed(labels, "or")))
    spellings = [spelling for one in choices for spelling in one.spellings]
    near = nearest(word, spellings)
    if near:
        told = tr("`{text}` is no {what} here. Did you mean `{near}`?")
        raise WrongInput(told.format(text=text, what=tr(what), near=near))
    labels = list(dict.fromkeys(one.label for one in choices))
    told = tr("`{text}` is no {what} here.").format(text=text, what=tr(what))
    if 0 < len(labels) <= MANY:
        told += tr(" It could be {names}.").format(names=listed(labels, "or"))
    raise WrongInput(told)


def refusal(game: Game, seat: str, action: ir.Action, args: Sequence[Any], last: str) -> WrongInput:
    """Return the reason why an action with these arguments, of which `last` is the label of the
    last one, is not allowed; with its rule."""
    found = why_not(game, seat, action.id, args)
    if found is not None:
        return WrongInput(found.reason, placed(found.rule, found.cites, found.where))
    told = tr("That cannot be completed now.")
    if last:
        told = tr("With {name} there is no way to meet the rule.").format(name=last)
    return WrongInput(told, source(action.meta, action.at, action.id))


def misread(error: WrongInput, typed: str, meant: Choice) -> WrongInput:
    """Return a mistake with the words that it is about, unless they are the whole name."""
    if normal(typed) in meant.spellings:
        return error
    return WrongInput(f"`{typed}`: {error.text}", error.source)


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
        names = [*names[: MANY - 1], tr("{number} others").format(number=len(names) - MANY + 1)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {tr(word)} {names[-1]}"
