"""Parts: the smallest things of a ruleset that can differ alone, and how they tell themselves.

A part prints itself in the words of any printer, so that it is shown in its own names and compared
in common ones.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import attrs

from ziggurat.dsl.comparing.steps import take_out_steps
from ziggurat.dsl.forms.actions import param_text
from ziggurat.dsl.forms.clauses import contribution_text, settled_arguments, verb
from ziggurat.dsl.forms.kinds import body_text, field_text, value_text
from ziggurat.dsl.forms.requirements import requirement_text
from ziggurat.dsl.forms.stages import stage_lines
from ziggurat.dsl.forms.values import key_text
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.index import Home, Target
from ziggurat.dsl.printing.layout import Line
from ziggurat.runtime.kernel import (
    NO_META,
    NOWHERE,
    Action,
    At,
    Body,
    Expr,
    Field,
    Kind,
    Meta,
    Param,
    Phase,
    Procedure,
    Requirement,
    TurnOrder,
    Value,
)

Tell = Callable[[Declarations], list[Line]]


@attrs.frozen(eq=False)
class Part:
    """Something that can differ by itself.

    Parts of one `group` are versions of each other; for those about something with a name of its
    own, `target` says what, so that its renaming keeps them together. In an `ordered` group the
    sequence counts; two unequal parts belong together only if they have the same `like`. `usual`
    parts have merely the default of their field. `whole` tells all of a block this part was cut
    from. `title` is what people call it.
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
    title: str = ""

    def common_group(self, renames: Mapping[tuple[str, str], str]) -> str:
        """The group in the words both rulesets share."""
        named = renames.get(self.target)
        return f"{self.group.rpartition(' ')[0]} {named}" if named else self.group


# ---- how parts tell themselves ------------------------------------------------------------------


def whole_declaration(page: Declarations, one: Any) -> list[Line]:
    return page.lines(one)


def field_lines(page: Declarations, field: Field, given: Any) -> list[Line]:
    if given is not None:
        return [Line(0, value_text(page, given, field.type), given.at)]
    if field.default is not None:
        return [Line(0, f"{field.name}: {page.printer.text(field.default)}")]
    many = field.type.name in ("set", "list", "map")
    return [Line(0, f"{field.name}: {'{}' if many else 'none'}")]


def order_key_lines(page: Declarations, key: str) -> list[Line]:
    return [Line(0, key_text(page, key), page.ruleset.values[key].at)]


def phase_lines(page: Declarations, phase: Phase) -> list[Line]:
    return [line for stage in phase.stages for line in stage_lines(page.printer, stage)]


def expression_lines(page: Declarations, word: str, expr: Expr, at: At) -> list[Line]:
    return [Line(0, f"{word}{page.printer.text(expr)}", at)]


def line_parts(one: Any, plain: Declarations) -> Iterator[Part]:
    """What a small declaration says: its first line, its default, and each field of its block."""
    meta = getattr(one, "meta", NO_META)

    def head(page: Declarations) -> list[Line]:
        first = page.lines(one)[0]
        text = first.text.removesuffix(" {").removesuffix(" {}").partition(" = ")[0]
        return [Line(0, text, first.at)]

    def default(page: Declarations) -> list[Line]:
        first = page.lines(one)[0]
        return [Line(0, "= " + first.text.removesuffix(" {").partition(" = ")[2], first.at)]

    def field(page: Declarations, name: str) -> list[Line]:
        lines: list[Line] = page.lines(one)[1:]
        return [line.deeper(-1) for line in lines if line.text.partition(":")[0] == name]

    first, *inner = plain.lines(one)
    yield Part("declaration", head, one.at, meta)
    if " = " in first.text:
        yield Part("default", default, one.at, meta)
    for line in inner:
        name = line.text.partition(":")[0]
        yield Part(name, partial(field, name=name), one.at, meta)


def signature_part(params: tuple[Param, ...], at: At, meta: Meta, type_: Any = None) -> Part:
    """What a call must give and gets; the names of parameters are nobody's business."""

    def tell(page: Declarations) -> list[Line]:
        lexicon = page.printer.lexicon
        result = f": {lexicon.type(type_)}" if type_ else ""
        return [Line(0, f"({page.params(params)}){result}", at)]

    return Part("signature", tell, at, meta, params=param_names(params))


def value_parts(value: Value) -> Iterator[Part]:
    yield signature_part(value.params, value.at, value.meta, value.type)
    tell = partial(expression_lines, word="= ", expr=value.base, at=value.at)
    yield Part("base", tell, value.at, value.meta, params=param_names(value.params))


def param_names(params: tuple[Param, ...]) -> tuple[str, ...]:
    return tuple(param.name for param in params)


def procedure_parts(one: Procedure) -> Iterator[Part]:
    yield signature_part(one.params, one.at, one.meta, one.type)
    yield from body_parts("body", one.body, param_names(one.params), one.at, one.meta)


def body_parts(name: str, body: Body, names: tuple[str, ...], at: At, meta: Meta) -> Iterator[Part]:
    """A block without its labelled steps, and each of these."""
    outer, steps = take_out_steps(body)

    def whole(page: Declarations) -> list[Line]:
        return page.body(body)

    yield Part(name, lambda d: d.body(outer), at, meta, whole=whole, params=names)
    for step in steps:
        inner, _ = take_out_steps(step.body)

        def tell(page: Declarations, inner: Body = inner) -> list[Line]:
            return page.body(inner)

        label = f"step {step.label}" if name == "body" else f"{name} / step {step.label}"
        yield Part(
            label, tell, step.at, step.meta, whole=whole, params=names, target=("step", step.path),
            title=step.title,
        )  # fmt: skip


def need_parts(needs: tuple[Requirement, ...]) -> Iterator[Part]:
    for need in needs:

        def tell(page: Declarations, need: Requirement = need) -> list[Line]:
            return [Line(0, requirement_text(page.printer, need), need.at)]

        yield Part("needs", tell, need.at, need.meta)


def action_parts(action: Action) -> Iterator[Part]:
    names = (action.actor, *(param.name for param in action.params))

    def place(page: Declarations) -> list[Line]:
        return [Line(0, f"in {page.printer.lexicon.name('phase', action.phase)}", action.at)]

    yield Part("phase", place, action.at, action.meta)
    for param in action.params:

        def tell(page: Declarations, param: Any = param) -> list[Line]:
            return [Line(0, param_text(page.printer, param), param.at)]

        label = f"parameter {param.name}"
        like = param.name
        yield Part("parameter", tell, param.at, action.meta, label, True, like, params=names)
    yield from (attrs.evolve(part, params=names) for part in need_parts(action.needs))
    yield from body_parts("body", action.body, names, action.at, action.meta)


def turn_parts(turn: TurnOrder) -> Iterator[Part]:
    for group, phases in (("start", turn.start), ("phases", turn.phases)):
        for phase in phases:

            def tell(page: Declarations, phase: str = phase) -> list[Line]:
                return [Line(0, page.printer.lexicon.name("phase", phase))]

            yield Part(group, tell, turn.at, turn.meta, f"phase {phase}", True, None)
    for word, sort, name in (("ranking", "order", turn.ranking), ("score", "value", turn.score)):

        def named(
            page: Declarations, word: str = word, sort: str = sort, name: str = name
        ) -> list[Line]:
            return [Line(0, f"{word}: {page.printer.lexicon.name(sort, name)}")]

        yield Part(word, named, turn.at, turn.meta, usual=not name)
    yield from need_parts(turn.needs)


def kind_parts(kind: Kind) -> Iterator[Part]:
    yield Part("roles", lambda d: [Line(0, f"roles: {', '.join(kind.roles)}")], kind.at)
    for field in kind.fields:

        def tell(page: Declarations, field: Field = field) -> list[Line]:
            return [Line(0, field_text(page, field))]

        yield Part(f"field {field.name}", tell, field.at, kind.meta)
    for body in kind.bodies:

        def tell_body(page: Declarations, body: Any = body) -> list[Line]:
            return [Line(0, body_text(page, body))]

        names = param_names(body.params)
        yield Part(f"body {body.name}", tell_body, kind.at, kind.meta, params=names)


def brought_parts(home: Home) -> Iterator[Part]:
    """The clauses and triggers that stand somewhere, each by what it touches."""
    for value, clause in home.clauses:

        def tell(page: Declarations, value: Any = value, clause: Any = clause) -> list[Line]:
            return [Line(0, contribution_text(page.printer, value, clause), clause.at)]

        target = ("value", value.id)
        like = settled_arguments(value.params, clause.thing, clause.when)
        group = f"{verb(clause)} {value.id}"
        yield Part(group, tell, clause.at, clause.meta, like=like, target=target)
    for watched in home.triggers:

        def tell_trigger(page: Declarations, watched: Target = watched) -> list[Line]:
            return watched.lines(page.printer)

        trigger = watched.trigger
        word = "instead of" if trigger.when == "instead" else trigger.when
        target = (watched.sort, watched.id)
        group = f"{word} {watched.id}"
        yield Part(group, tell_trigger, trigger.at, trigger.meta, target=target)
