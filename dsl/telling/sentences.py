"""The rules of a ruleset in English: the one door for books, help, pages and reports."""

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from ziggurat.dsl.printing.index import Index
from ziggurat.dsl.telling import rules, steps
from ziggurat.dsl.telling.cards import (
    Card,
    CardEntry,
    CardField,
    card,
    clause_id,
    nested,
    told_field,
)
from ziggurat.dsl.telling.marked import reference
from ziggurat.dsl.telling.speaker import Speaker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ziggurat.dsl.telling.steps import Told
    from ziggurat.runtime.kernel import (
        Contribution,
        Expr,
        Order,
        Param,
        Phase,
        Procedure,
        Requirement,
        Ruleset,
        Stage,
        Thing,
        Trigger,
        Value,
    )


class Sentences:
    """Says rules in words. Texts may have marks in them, which `pieces` and `plain` understand."""

    def __init__(self, ruleset: "Ruleset", index: Index | None = None) -> None:
        self.ruleset = ruleset
        self.speaker = Speaker(ruleset)
        self._index = index

    @cached_property
    def index(self) -> Index:
        """What belongs to each thing."""
        return self._index or Index(self.ruleset)

    def knowing(self, names: "Mapping[str, str]") -> Self:
        """Return the same with words for locals: of a position in which these have values."""
        other = copy(self)
        other.speaker = self.speaker.knowing(names)
        return other

    def condition(self, condition: "Expr", so: bool = True) -> str:
        """Say as a clause that a condition holds, or that it does not."""
        return self.speaker.clause(condition, so)

    def noun(self, expr: "Expr") -> str:
        """Say an expression as something that can be spoken of."""
        return self.speaker.noun(expr)

    def label(self, path: str, title: str = "") -> str:
        """A heading for something declared: `Attack tokens`."""
        return self.speaker.label(path, title)

    def several(self, kind: str) -> str:
        """Many of a kind, a piece or a family of cards: `cities`."""
        return self.speaker.plural(kind)

    def word(self, kind: str) -> str:
        """One of a kind: `city`."""
        return self.speaker.word(kind)

    def named(self, thing: "Thing") -> str:
        """A thing by its title, as a reference."""
        return reference(thing.kind, thing.id, thing.title or self.speaker.label(thing.id))

    def value(self, value: "Value") -> str:
        """What a value is before others change it."""
        return rules.definition(self.speaker, value)

    def clause(self, value: "Value", clause: "Contribution") -> str:
        """What a thing or a rule makes of a value."""
        return rules.contribution(self.speaker, value, clause)

    def change(self, value: "Value", clause: "Contribution") -> str:
        """The same where it stands below the value: shorter, if it is clear who is meant."""
        return rules.short_contribution(self.speaker, value, clause)

    def clause_id(self, value: "Value", clause: "Contribution") -> str:
        """Return what a clause is known by in another edition of the rules."""
        return clause_id(value, clause)

    def need(self, need: "Requirement") -> str:
        return rules.requirement(self.speaker, need)

    def stage(self, stage: "Stage") -> "tuple[Told, ...]":
        return rules.stage(self.speaker, stage)

    def phase(self, phase: "Phase") -> "tuple[Told, ...]":
        """All stages of a phase, one after the other."""
        return tuple(step for stage in phase.stages for step in self.stage(stage))

    def procedure(self, procedure: "Procedure") -> "tuple[Told, ...]":
        return steps.tell(self.speaker.introduced(procedure.params), procedure.body)

    def order(self, order: "Order") -> list[str]:
        return rules.order_keys(self.speaker, order)

    def entry(self, word: str, one: Any) -> CardEntry:
        """A value, an order, a procedure or an action by itself."""
        return nested(self.speaker, word, one)

    def trigger(
        self, sort: str, id_: str, params: "tuple[Param, ...]", trigger: "Trigger"
    ) -> "Told":
        """What happens before, after or instead of a procedure, a phase or a block."""
        return rules.trigger(self.speaker, sort, id_, params, trigger)

    def card(self, thing: "Thing") -> Card:
        """The card of a thing."""
        return card(self.speaker, self.index, thing)

    def field(self, thing: "Thing", name: str) -> CardField | None:
        """One field of a thing; none if it says nothing."""
        kind = self.ruleset.kinds[thing.kind]
        found = next((field for field in kind.fields if field.name == name), None)
        return told_field(self.speaker, thing, found) if found is not None else None
