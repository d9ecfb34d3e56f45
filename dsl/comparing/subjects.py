"""A ruleset cut into subjects, and these into parts.

A subject is a declaration under its stable path; what stands inside a thing has the thing's path
before its own (`… / value damage`).
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs

from ziggurat.dsl.comparing.parts import (
    Part,
    Tell,
    action_parts,
    body_parts,
    brought_parts,
    field_lines,
    kind_parts,
    line_parts,
    need_parts,
    order_key_lines,
    param_names,
    phase_lines,
    procedure_parts,
    signature_part,
    turn_parts,
    value_parts,
    whole_declaration,
)
from ziggurat.dsl.forms.stages import stage_lines
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.index import RULE, Home, Index, Nested
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel import (
    NO_META,
    NOWHERE,
    At,
    Meta,
    Order,
    Phase,
    Ruleset,
    Thing,
    plain_attributes,
)


@attrs.frozen(eq=False)
class Subject:
    """A declaration: how it is found, told as a whole, and taken apart."""

    sort: str
    id: str
    section: str
    path: str
    tell: Tell
    parts: tuple[Part, ...]
    title: str = ""
    home: tuple[str, str] | None = None
    at: At = NOWHERE
    meta: Meta = NO_META

    @property
    def key(self) -> tuple[str, str]:
        return self.sort, self.id


def subjects(ruleset: Ruleset, index: Index) -> dict[tuple[str, str], Subject]:
    """Everything in a ruleset that makes a difference, in the order of declaration."""
    found = _Subjects(ruleset, index).all()
    return {subject.key: subject for subject in found}


class _Subjects:
    def __init__(self, ruleset: Ruleset, index: Index) -> None:
        self.ruleset = ruleset
        self.index = index
        printer = Printer(Lexicon.of(ruleset), wording=False)
        self.plain = Declarations(ruleset, printer, index)

    def all(self) -> Iterator[Subject]:
        """How the game goes first, what it is played with later, and the board at the end."""
        ruleset = self.ruleset
        boards = {kind.id for kind in ruleset.kinds.values() if "place" in kind.roles}
        yield from (
            self.simple("turn", "turns", one, turn_parts(one)) for one in ruleset.turns.values()
        )
        yield from (self.phase(one) for one in ruleset.phases.values())
        yield from (self.rule(home) for home in self.index.rules())
        for value in ruleset.values.values():
            if value.id not in self.index.order_keys:
                yield self.nested("value", value, value_parts(value))
        yield from (self.nested("order", o, self.order(o)) for o in ruleset.orders.values())
        yield from (
            self.nested("procedure", p, procedure_parts(p)) for p in ruleset.procedures.values()
        )
        yield from (self.nested("action", a, action_parts(a)) for a in ruleset.actions.values())
        yield from self.things(set(ruleset.things) - boards)
        yield from self.table()
        yield from self.things(boards)

    def things(self, kinds: set[str]) -> Iterator[Subject]:
        for kind, page in self.ruleset.things.items():
            if kind in kinds:
                yield from (self.thing(one) for one in page.values())

    def table(self) -> Iterator[Subject]:
        """What lies on the table and what is written down: told line by line."""
        ruleset = self.ruleset
        pages: tuple[tuple[str, str, dict[str, Any]], ...] = (
            ("option", "options", ruleset.options),
            ("attribute", "attributes", plain_attributes(ruleset)),
            ("bundle", "bundles", ruleset.bundles),
            ("piece", "pieces", ruleset.pieces),
            ("piece", "pieces", ruleset.piece_groups),
            ("place", "places", ruleset.places),
            ("cards", "cards", ruleset.cards),
            ("neutral", "neutrals", ruleset.neutrals),
            ("cover", "covers", ruleset.covers),
            ("map", "marks", ruleset.maps),
            ("mark", "marks", ruleset.marks),
            ("open", "open places", ruleset.open_places),
        )
        for sort, section, page in pages:
            for one in page.values():
                yield self.simple(sort, section, one, line_parts(one, self.plain))
        for kind in ruleset.kinds.values():
            yield self.simple("kind", "kinds", kind, kind_parts(kind))

    def simple(self, sort: str, section: str, one: Any, parts: Iterator[Part]) -> Subject:
        meta = getattr(one, "meta", NO_META)
        tell = partial(whole_declaration, one=one)
        title = getattr(one, "title", "")
        path = f"{sort} {one.id}"
        return Subject(sort, one.id, section, path, tell, tuple(parts), title, None, one.at, meta)

    def nested(self, sort: str, one: Nested, parts: Iterator[Part]) -> Subject:
        """A declaration that may stand in a thing, whose section it then shares."""
        home = self.index.home_of(one)
        subject = self.simple(sort, f"{sort}s", one, parts)
        if home is None:
            return subject
        short = one.id.rpartition(".")[2]
        path = f"{home[0]} {home[1]} / {sort} {short}"
        return attrs.evolve(subject, path=path, home=home, section=self.section(home[0]))

    def section(self, sort: str) -> str:
        kind = self.ruleset.kinds.get(sort)
        return "rules" if sort == RULE or kind is None else kind.plural or kind.id

    def phase(self, phase: Phase) -> Subject:
        parts = [
            *need_parts(phase.needs),
            *(
                Part(
                    "stage",
                    lambda d, s=stage: stage_lines(d.printer, s),  # type: ignore[misc]
                    stage.at,
                    stage.meta,
                    ordered=True,
                    like=stage.kind,
                    whole=partial(phase_lines, phase=phase),
                )
                for stage in phase.stages
            ),
            *brought_parts(self.index.get("phase", phase.id)),
        ]
        return self.simple("phase", "phases", phase, iter(parts))

    def thing(self, thing: Thing) -> Subject:
        kind = self.ruleset.kinds[thing.kind]
        given = {one.field: one for one in thing.values}
        parts: list[Part] = []
        for field in kind.fields:
            found = given.get(field.name)
            tell = partial(field_lines, field=field, given=found)
            at = found.at if found else thing.at
            parts.append(Part(field.name, tell, at, thing.meta, usual=found is None))
        for body in thing.bodies:
            declared = next((b for b in kind.bodies if b.name == body.name), None)
            names = param_names(declared.params if declared else ())
            parts += body_parts(body.name, body.body, names, body.at, body.meta)
        parts += brought_parts(self.index.get(thing.kind, thing.id))
        subject = self.simple(thing.kind, self.section(thing.kind), thing, iter(parts))
        return attrs.evolve(subject, tell=lambda d: d.lines(thing))

    def rule(self, home: Home) -> Subject:
        parts = tuple(brought_parts(home))
        at = parts[0].at if parts else NOWHERE
        path = f"{RULE} {home.id}"
        title = self.ruleset.rule_titles.get(home.id, "")
        meta = _common_meta(parts)
        return Subject(
            RULE, home.id, "rules", path, lambda d: d.rule(home), parts, title, at=at, meta=meta
        )

    def order(self, order: Order) -> Iterator[Part]:
        yield signature_part(order.params, order.at, order.meta)
        for key in order.keys:
            name = key.rpartition(".")[2]
            at = self.ruleset.values[key].at
            tell = partial(order_key_lines, key=key)
            names = param_names(order.params)
            yield Part("key", tell, at, order.meta, f"key {name}", True, name, params=names)


def _common_meta(parts: tuple[Part, ...]) -> Meta:
    """A rule cites what its clauses do."""
    cites = dict.fromkeys(cite for part in parts for cite in part.meta.cites)
    tags = dict.fromkeys(tag for part in parts for tag in part.meta.tags)
    return Meta(tuple(cites), tuple(tags))
