"""Who brings what: clauses, triggers and declarations by the thing or rule they stand in.

A linked ruleset keeps clauses with the values they change. Authors and readers look for them where
they stand, so printing needs the way back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import attrs

from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel.nodes import NOWHERE, At

if TYPE_CHECKING:
    from ziggurat.dsl.printing.layout import Line
    from ziggurat.runtime.kernel import (
        Action,
        Contribution,
        Order,
        Param,
        Procedure,
        Ruleset,
        Trigger,
        Value,
    )

Nested: TypeAlias = "Value | Order | Procedure | Action"
RULE = "rule"


@attrs.frozen(eq=False)
class Target:
    """A trigger with what it watches: a procedure, a phase or a block, and its parameters. One that
    watches a block of all things of a kind (`after kind.block(v)`) is told once, by that of
    one of them (`example`), which then has the name of its kind."""

    sort: str
    id: str
    params: tuple[Param, ...]
    trigger: Trigger
    example: tuple[str, str] | None = None

    def lines(self, printer: Printer, depth: int = 0) -> list[Line]:
        """The trigger as it would stand in the thing that brings it."""
        from ziggurat.dsl.forms.clauses import trigger_lines

        name = printer.lexicon.name(self.sort, self.id)
        if self.example is not None:
            printer = printer.naming({self.example: self.example[0]})
        return trigger_lines(printer, name, self.params, self.trigger, depth)


@attrs.define(eq=False)
class Home:
    """A thing, rule or phase, and everything that stands in it."""

    sort: str
    id: str
    clauses: list[tuple[Value, Contribution]] = attrs.field(factory=list)
    triggers: list[Target] = attrs.field(factory=list)
    nested: list[tuple[str, Nested]] = attrs.field(factory=list)

    @property
    def at(self) -> At:
        """Where the first of all that was written."""
        places = [clause.at for _, clause in self.clauses]
        places += [target.trigger.at for target in self.triggers]
        places += [one.at for _, one in self.nested]
        return min(places, default=NOWHERE)


class Index:
    """The homes of a ruleset by (sort, id)."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.homes: dict[tuple[str, str], Home] = {}
        self._kinds = {id_: kind for kind, page in ruleset.things.items() for id_ in page}
        self.order_keys = {key for order in ruleset.orders.values() for key in order.keys}
        for value in ruleset.values.values():
            for clause in value.contributions:
                self._home(clause.thing).clauses.append((value, clause))
        watched = [("procedure", one.id, one.params, one.triggers) for one in self._procedures()]
        watched += [("phase", one.id, (), one.triggers) for one in ruleset.phases.values()]
        for sort, id_, params, triggers in watched:
            for trigger in triggers:
                self._home(trigger.thing).triggers.append(Target(sort, id_, params, trigger))
        for target in self._blocks():
            self._home(target.trigger.thing).triggers.append(target)
        for sort, page in self._nestable():
            for one in page:
                home = self.home_of(one)
                if home is not None:
                    self._get(*home).nested.append((sort, one))

    def get(self, sort: str, id_: str) -> Home:
        """What stands in a thing, rule or phase; nothing if nobody has put anything there."""
        return self.homes.get((sort, id_)) or Home(sort, id_)

    def rules(self) -> list[Home]:
        """The rules of their own, which only their clauses and triggers tell of, as written."""
        packs = {pack.id: number for number, pack in enumerate(self.ruleset.packs)}

        def place(home: Home) -> tuple[int, At]:
            return packs.get(home.at.file.partition("/")[0], 0), home.at

        return sorted((home for home in self.homes.values() if home.sort == RULE), key=place)

    def home_of(self, one: Nested) -> tuple[str, str] | None:
        """Where a declaration stands: the value `drought.harm` in the thing `drought`."""
        if thing := getattr(one, "thing", ""):
            kind, _, id_ = thing.partition(".")
            return kind, id_
        first, dot, _ = one.id.partition(".")
        return (self._kinds.get(first, RULE), first) if dot else None

    def _blocks(self) -> Iterable[Target]:
        """The triggers on blocks of things; those on the blocks of a whole kind once."""
        for kind, page in self.ruleset.things.items():
            params = {body.name: body.params for body in self.ruleset.kinds[kind].bodies}
            written: dict[tuple[str, str, At], list[Target]] = {}
            for thing in page.values():
                for body in thing.bodies:
                    for trigger in body.triggers:
                        name = f"{trigger.of or thing.id}.{body.name}"
                        example = (kind, thing.id) if trigger.of else None
                        target = Target("body", name, params[body.name], trigger, example)
                        written.setdefault((name, trigger.thing, trigger.at), []).append(target)
            yield from (_best_example(self.ruleset, found) for found in written.values())

    def _procedures(self) -> Iterable[Procedure]:
        return self.ruleset.procedures.values()

    def _nestable(self) -> Iterable[tuple[str, Sequence[Nested]]]:
        ruleset = self.ruleset
        values = [value for id_, value in ruleset.values.items() if id_ not in self.order_keys]
        yield "value", values
        yield "order", list(ruleset.orders.values())
        yield "procedure", list(ruleset.procedures.values())
        yield "action", list(ruleset.actions.values())

    def _home(self, thing: str) -> Home:
        kind, dot, id_ = thing.partition(".")
        if dot and id_ in self.ruleset.things.get(kind, {}):
            return self._get(kind, id_)
        if dot and kind in ("phase", RULE):
            return self._get(kind, id_)
        return self._get("phase" if thing in self.ruleset.phases else RULE, thing)

    def _get(self, sort: str, id_: str) -> Home:
        return self.homes.setdefault((sort, id_), Home(sort, id_))


def _best_example(ruleset: Ruleset, found: list[Target]) -> Target:
    """Of the triggers on the blocks of all things of a kind the one to tell it by. Where it speaks
    of a thing by its name, that on the block of this thing would say too often: of its kind."""
    if len(found) == 1:
        return found[0]
    printer = Printer(Lexicon.of(ruleset))

    def mentions(one: Target) -> int:
        text = "\n".join(line.text for line in one.lines(printer))
        return len(re.findall(rf"\b{one.trigger.of}\b", text))

    return min(found, key=mentions)
