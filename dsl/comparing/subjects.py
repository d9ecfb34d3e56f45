"""A ruleset cut into subjects, and these into parts: the smallest things that can differ alone.

A subject is a declaration under its stable path; what stands inside a thing has the thing's path
before its own (`… / value damage`). A part is a field, a clause, a step, a stage, a requirement: it
can tell itself in the words of any teller, so that it is shown in its own names and compared in
common ones.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import attrs

from dsl.comparing.steps import take_out_steps
from dsl.ir import (
    NO_META,
    NOWHERE,
    Action,
    At,
    Body,
    Expr,
    Field,
    Kind,
    Meta,
    Order,
    Param,
    Phase,
    Procedure,
    Requirement,
    Ruleset,
    Thing,
    TurnOrder,
    Value,
)
from dsl.telling.clauses import (
    contribution_text,
    requirement_text,
    stage_lines,
    trigger_lines,
    verb,
)
from dsl.telling.declarations import Declarations
from dsl.telling.index import RULE, Home, Index, Nested
from dsl.telling.layout import Line

Tell = Callable[[Declarations], list[Line]]


@attrs.frozen(eq=False)
class Part:
    """Something that can differ by itself.

    Parts of one `group` are versions of each other; for those about something with a name of its
    own, `target` says what, so that its renaming keeps them together. In an `ordered` group the
    sequence counts; two unequal parts belong together only if they have the same `like`. `usual`
    parts have merely the default of their field. `whole` tells all of a block this part was cut
    from.
    """

    group: str
    tell: Tell
    at: At = NOWHERE
    meta: Meta = NO_META
    label: str = ""
    ordered: bool = False
    like: str | None = ""
    usual: bool = False
    whole: Tell | None = None
    params: tuple[str, ...] = ()
    target: tuple[str, str] = ("", "")

    def common_group(self, renames: Mapping[tuple[str, str], str]) -> str:
        """The group in the words both rulesets share."""
        named = renames.get(self.target)
        return f"{self.group.rpartition(' ')[0]} {named}" if named else self.group


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

    def all(self) -> Iterator[Subject]:
        """How the game goes first, what it is played with later, and the board at the end."""
        ruleset = self.ruleset
        boards = {kind.id for kind in ruleset.kinds.values() if "place" in kind.roles}
        yield from (self.simple("turn", "turns", one, _turn(one)) for one in ruleset.turns.values())
        yield from (self.phase(one) for one in ruleset.phases.values())
        yield from (self.rule(home) for home in self.index.rules())
        for value in ruleset.values.values():
            if value.id not in self.index.order_keys:
                yield self.nested("value", value, _value(value))
        yield from (self.nested("order", o, self.order(o)) for o in ruleset.orders.values())
        yield from (self.nested("procedure", p, _procedure(p)) for p in ruleset.procedures.values())
        yield from (self.nested("action", a, _action(a)) for a in ruleset.actions.values())
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
        pages: tuple[tuple[str, str, dict[str, Any], Callable[[Declarations], Any]], ...] = (
            ("option", "options", ruleset.options, lambda d: d.option),
            ("attribute", "attributes", ruleset.attributes, lambda d: d.attribute),
            ("piece", "pieces", ruleset.pieces, lambda d: d.piece),
            ("piece", "pieces", ruleset.piece_groups, lambda d: d.piece_group),
            ("place", "places", ruleset.places, lambda d: d.place),
            ("cards", "cards", ruleset.cards, lambda d: d.cards),
            ("neutral", "neutrals", ruleset.neutrals, lambda d: d.neutral),
        )
        for sort, section, page, how in pages:
            for one in page.values():
                yield self.simple(sort, section, one, _by_lines(one, how))
        for kind in ruleset.kinds.values():
            yield self.simple("kind", "kinds", kind, _kind(kind))

    def simple(self, sort: str, section: str, one: Any, parts: Iterator[Part]) -> Subject:
        meta = getattr(one, "meta", NO_META)
        tell = partial(_tell, sort=sort, one=one)
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
            *_needs(phase.needs),
            *(
                Part(
                    "stage",
                    lambda d, s=stage: stage_lines(d.teller, s),  # type: ignore[misc]
                    stage.at,
                    stage.meta,
                    ordered=True,
                    like=stage.kind,
                    whole=partial(_whole_phase, phase=phase),
                )
                for stage in phase.stages
            ),
            *_brought(self.index.get("phase", phase.id)),
        ]
        return self.simple("phase", "phases", phase, iter(parts))

    def thing(self, thing: Thing) -> Subject:
        kind = self.ruleset.kinds[thing.kind]
        given = {one.field: one for one in thing.values}
        parts: list[Part] = []
        for field in kind.fields:
            found = given.get(field.name)
            tell = partial(_field, field=field, given=found)
            at = found.at if found else thing.at
            parts.append(Part(field.name, tell, at, thing.meta, usual=found is None))
        for body in thing.bodies:
            declared = next((b for b in kind.bodies if b.name == body.name), None)
            names = _names(declared.params if declared else ())
            parts += _body(body.name, body.body, names, body.at, body.meta)
        parts += _brought(self.index.get(thing.kind, thing.id))
        subject = self.simple(thing.kind, self.section(thing.kind), thing, iter(parts))
        return attrs.evolve(subject, tell=lambda d: d.thing(thing))

    def rule(self, home: Home) -> Subject:
        parts = tuple(_brought(home))
        at = parts[0].at if parts else NOWHERE
        path = f"{RULE} {home.id}"
        return Subject(RULE, home.id, "rules", path, lambda d: d.rule(home), parts, at=at)

    def order(self, order: Order) -> Iterator[Part]:
        yield _signature(order.params, order.at, order.meta)
        for key in order.keys:
            name = key.rpartition(".")[2]
            at = self.ruleset.values[key].at
            tell = partial(_order_key, key=key)
            names = _names(order.params)
            yield Part("key", tell, at, order.meta, f"key {name}", True, name, params=names)


# ---- how parts tell themselves ------------------------------------------------------------------


def _tell(told: Declarations, sort: str, one: Any) -> list[Line]:
    name = "piece_group" if sort == "piece" and hasattr(one, "members") else sort
    lines: list[Line] = getattr(told, name)(one)
    return lines


def _field(told: Declarations, field: Field, given: Any) -> list[Line]:
    if given is not None:
        return [Line(0, told.field_value(given, field.type), given.at)]
    if field.default is not None:
        return [Line(0, f"{field.name}: {told.teller.tell(field.default)}")]
    many = field.type.name in ("set", "list", "map")
    return [Line(0, f"{field.name}: {'{}' if many else 'none'}")]


def _order_key(told: Declarations, key: str) -> list[Line]:
    return [Line(0, told.order_key(key), told.ruleset.values[key].at)]


def _whole_phase(told: Declarations, phase: Phase) -> list[Line]:
    return [line for stage in phase.stages for line in stage_lines(told.teller, stage)]


def _expression(told: Declarations, word: str, expr: Expr, at: At) -> list[Line]:
    return [Line(0, f"{word}{told.teller.tell(expr)}", at)]


def _by_lines(one: Any, how: Callable[[Declarations], Any]) -> Iterator[Part]:
    """One part for the first line and one for each line of the block."""
    meta = getattr(one, "meta", NO_META)

    def head(told: Declarations) -> list[Line]:
        first = how(told)(one)[0]
        return [Line(0, first.text.removesuffix(" {").removesuffix(" {}"), first.at)]

    def inner(told: Declarations) -> list[Line]:
        return [line.deeper(-1) for line in how(told)(one)[1:]]

    yield Part("declaration", head, one.at, meta)
    yield Part("block", inner, one.at, meta)


def _signature(params: tuple[Param, ...], at: At, meta: Meta, type_: Any = None) -> Part:
    """What a call must give and gets; the names of parameters are nobody's business."""

    def tell(told: Declarations) -> list[Line]:
        lexicon = told.teller.lexicon
        result = f": {lexicon.type(type_)}" if type_ else ""
        return [Line(0, f"({told.params(params)}){result}", at)]

    return Part("signature", tell, at, meta, params=_names(params))


def _value(value: Value) -> Iterator[Part]:
    yield _signature(value.params, value.at, value.meta, value.type)
    tell = partial(_expression, word="= ", expr=value.base, at=value.at)
    yield Part("base", tell, value.at, value.meta, params=_names(value.params))


def _names(params: tuple[Param, ...]) -> tuple[str, ...]:
    return tuple(param.name for param in params)


def _procedure(one: Procedure) -> Iterator[Part]:
    yield _signature(one.params, one.at, one.meta)
    yield from _body("body", one.body, _names(one.params), one.at, one.meta)


def _body(name: str, body: Body, names: tuple[str, ...], at: At, meta: Meta) -> Iterator[Part]:
    """A block without its labelled steps, and each of these."""
    outer, steps = take_out_steps(body)

    def whole(told: Declarations) -> list[Line]:
        return told.body(body)

    yield Part(name, lambda d: d.body(outer), at, meta, whole=whole, params=names)
    for step in steps:
        inner, _ = take_out_steps(step.body)

        def tell(told: Declarations, inner: Body = inner) -> list[Line]:
            return told.body(inner)

        label = f"step {step.label}" if name == "body" else f"{name} / step {step.label}"
        step_meta = step.meta if step.meta.cites else meta
        target = ("step", step.path)
        yield Part(label, tell, step.at, step_meta, whole=whole, params=names, target=target)


def _needs(needs: tuple[Requirement, ...]) -> Iterator[Part]:
    for need in needs:

        def tell(told: Declarations, need: Requirement = need) -> list[Line]:
            return [Line(0, requirement_text(told.teller, need), need.at)]

        yield Part("needs", tell, need.at, need.meta)


def _action(action: Action) -> Iterator[Part]:
    names = (action.actor, *(param.name for param in action.params))

    def place(told: Declarations) -> list[Line]:
        return [Line(0, f"in {told.teller.lexicon.name('phase', action.phase)}", action.at)]

    yield Part("phase", place, action.at, action.meta)
    for param in action.params:

        def tell(told: Declarations, param: Any = param) -> list[Line]:
            return [Line(0, told.action_param(param), param.at)]

        label = f"parameter {param.name}"
        like = param.name
        yield Part("parameter", tell, param.at, action.meta, label, True, like, params=names)
    yield from (attrs.evolve(part, params=names) for part in _needs(action.needs))
    yield from _body("body", action.body, names, action.at, action.meta)


def _turn(turn: TurnOrder) -> Iterator[Part]:
    for group, phases in (("start", turn.start), ("phases", turn.phases)):
        for phase in phases:

            def tell(told: Declarations, phase: str = phase) -> list[Line]:
                return [Line(0, told.teller.lexicon.name("phase", phase))]

            yield Part(group, tell, turn.at, turn.meta, f"phase {phase}", True, None)
    for word, sort, name in (("ranking", "order", turn.ranking), ("score", "value", turn.score)):

        def named(
            told: Declarations, word: str = word, sort: str = sort, name: str = name
        ) -> list[Line]:
            return [Line(0, f"{word}: {told.teller.lexicon.name(sort, name)}")]

        yield Part(word, named, turn.at, turn.meta, usual=not name)


def _kind(kind: Kind) -> Iterator[Part]:
    yield Part("roles", lambda d: [Line(0, f"roles: {', '.join(kind.roles)}")], kind.at)
    for i, field in enumerate(kind.fields):

        def tell(told: Declarations, i: int = i) -> list[Line]:
            return [Line(0, told.field(kind, i))]

        yield Part(f"field {field.name}", tell, field.at, kind.meta)
    for body in kind.bodies:

        def tell_body(told: Declarations, body: Any = body) -> list[Line]:
            return [Line(0, f"body {body.name}({told.params(body.params)})")]

        names = _names(body.params)
        yield Part(f"body {body.name}", tell_body, kind.at, kind.meta, params=names)


def _brought(home: Home) -> Iterator[Part]:
    """The clauses and triggers that stand somewhere, each by what it touches."""
    for value, clause in home.clauses:

        def tell(told: Declarations, value: Any = value, clause: Any = clause) -> list[Line]:
            return [Line(0, contribution_text(told.teller, value, clause), clause.at)]

        target = ("value", value.id)
        yield Part(f"{verb(clause)} {value.id}", tell, clause.at, clause.meta, target=target)
    for watched in home.triggers:

        def tell_trigger(told: Declarations, watched: Any = watched) -> list[Line]:
            name = told.teller.lexicon.name(watched.sort, watched.id)
            return trigger_lines(told.teller, name, watched.params, watched.trigger)

        trigger = watched.trigger
        word = "instead of" if trigger.when == "instead" else trigger.when
        target = (watched.sort, watched.id)
        group = f"{word} {watched.id}"
        yield Part(group, tell_trigger, trigger.at, trigger.meta, target=target)
