"""Whole declarations in words, each with everything that stands in it."""

from collections.abc import Callable, Iterable
from typing import Any

from ziggurat.dsl.ir import (
    Action,
    ActionParam,
    Attribute,
    BoardMap,
    Body,
    CardFamily,
    Expr,
    FieldValue,
    Kind,
    Loop,
    Mark,
    Meta,
    Neutral,
    Option,
    Order,
    Param,
    Phase,
    Piece,
    PieceGroup,
    Place,
    Procedure,
    Ruleset,
    Thing,
    TurnOrder,
    Type,
    Value,
)
from ziggurat.dsl.printing.clauses import (
    contribution_text,
    requirement_text,
    stage_lines,
    trigger_lines,
)
from ziggurat.dsl.printing.expressions import SPAN, Teller
from ziggurat.dsl.printing.index import Home, Index
from ziggurat.dsl.printing.layout import OPEN, Line, quoted
from ziggurat.dsl.printing.marks import map_lines, mark_lines
from ziggurat.dsl.printing.statements import amount, body_lines


class Declarations:
    """Tells the declarations of one ruleset.

    Each method gives the lines of one declaration; the first opens its block if it has one. With
    `sorting`, sets and maps of fields are told in the order of their names, which is all that
    comparing may look at.
    """

    def __init__(
        self, ruleset: Ruleset, teller: Teller, index: Index | None = None, sorting: bool = False
    ) -> None:
        self.ruleset = ruleset
        self.teller = teller
        self.index = index or Index(ruleset)
        self.sorting = sorting

    def title(self, title: str) -> str:
        return f" {quoted(title)}" if title and self.teller.wording else ""

    def meta(self, meta: Meta, depth: int) -> list[Line]:
        """Citations and tags as items of a block."""
        if not self.teller.wording:
            return []
        cites = ", ".join(f"{cite.source} {quoted(cite.place)}" for cite in meta.cites)
        lines = [Line(depth, f"cites {cites}")] if cites else []
        return lines + ([Line(depth, f"tags {', '.join(meta.tags)}")] if meta.tags else [])

    def meta_inline(self, meta: Meta) -> str:
        """Citations and tags at the end of a line."""
        return "".join(f"   {line.text}" for line in self.meta(meta, 0))

    def params(self, params: Iterable[Param]) -> str:
        type_ = self.teller.lexicon.type
        return ", ".join(f"{self.teller.local(p.name)}: {type_(p.type)}" for p in params)

    def block(self, head: str, one: Any, inner: list[Line], depth: int) -> list[Line]:
        """A head and what stands in its block; without anything the block is an empty one."""
        meta = getattr(one, "meta", Meta())
        lines = self.meta(meta, depth + 1) + inner
        return [Line(depth, head + (OPEN if lines else " {}"), one.at, meta), *lines]

    # ---- kinds and things -------------------------------------------------------------------

    def kind(self, kind: Kind) -> list[Line]:
        roles = "".join(f" {role}" for role in kind.roles)
        name = self.teller.lexicon.name("kind", kind.id)
        inner = [Line(1, self.field(kind, i), field.at) for i, field in enumerate(kind.fields)]
        inner += [Line(1, f"body {b.name}({self.params(b.params)})") for b in kind.bodies]
        inner += [
            Line(1, requirement_text(self.teller, need) + self.meta_inline(need.meta), need.at)
            for need in kind.needs
        ]
        plural = f" plural {kind.plural}" if kind.plural else ""
        return self.block(f"kind {name}{self.title(kind.title)}{roles}{plural}", kind, inner, 0)

    def field(self, kind: Kind, number: int) -> str:
        field = kind.fields[number]
        if field.relation:
            return f"relation {field.name}"
        default = f" = {self.default(field.default)}" if field.default is not None else ""
        return f"{field.name}: {self.teller.lexicon.type(field.type)}{default}"

    def default(self, default: Expr) -> str:
        """What a field or attribute is to begin with; a list is written there like a set."""
        if isinstance(default, Loop) and default.body is None and default.where is None:
            default = default.source
        return self.teller.tell(default)

    def thing(self, thing: Thing) -> list[Line]:
        fields = {field.name: field.type for field in self.ruleset.kinds[thing.kind].fields}
        inner = [
            Line(1, self.field_value(one, fields[one.field]), one.at)
            for one in thing.values
            if one.field in fields
        ]
        home = self.index.get(thing.kind, thing.id)
        inner += self.nested(home)
        for body in thing.bodies:
            lines = self.meta(body.meta, 2) + body_lines(self.teller, body.body, 2)
            inner += [
                Line(1, f"{body.name}{OPEN}" if lines else f"{body.name} {{}}", body.at),
                *lines,
            ]
        inner += self.brought(home)
        head = f"{thing.kind} {self.teller.lexicon.name(thing.kind, thing.id)}"
        return self.block(head + self.title(thing.title), thing, inner, 0)

    def field_value(self, given: FieldValue, type_: Type) -> str:
        """`credits: crafts 10, science 5`."""
        return f"{given.field}: {self.data(given.value, type_)}"

    def data(self, value: Any, type_: Type) -> str:
        """Plain data as a field has it."""
        if type_.name == "map" and type_.key and type_.item:
            key, item = type_.key, type_.item
            pairs = [f"{self.data(k, key)} {self.data(v, item)}" for k, v in value]
            return ", ".join(sorted(pairs) if self.sorting else pairs) or "{}"
        if type_.name in ("set", "list") and type_.item:
            told = [self.data(one, type_.item) for one in value]
            return ", ".join(sorted(told) if self.sorting and type_.name == "set" else told) or "{}"
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if type_.name == "range" and isinstance(value, tuple):
            return f"{value[0]}..{value[1]}"
        if isinstance(value, str):
            return quoted(value) if type_.name == "text" else self.reference(value, type_)
        return str(value)

    def reference(self, value: str, type_: Type) -> str:
        """The name of a thing that data points at as `kind.id`."""
        return self.teller.lexicon.name(type_.name, value.removeprefix(f"{type_.name}."))

    def nested(self, home: Home) -> list[Line]:
        """Values, orders, procedures and actions that stand in a thing."""
        tell: dict[str, Callable[..., list[Line]]] = {
            "value": self.value, "order": self.order, "procedure": self.procedure,
            "action": self.action,
        }  # fmt: skip
        return [line for sort, one in home.nested for line in tell[sort](one, 1)]

    def brought(self, home: Home, depth: int = 1) -> list[Line]:
        """The clauses and triggers of a thing, rule or phase."""
        lines = [
            Line(
                depth,
                contribution_text(self.teller, value, clause) + self.meta_inline(clause.meta),
                clause.at,
                clause.meta,
            )
            for value, clause in home.clauses
        ]
        for target in home.triggers:
            name = self.teller.lexicon.name(target.sort, target.id)
            head, *rest = trigger_lines(self.teller, name, target.params, target.trigger, depth)
            meta = self.meta_inline(target.trigger.meta)
            lines += [Line(depth, head.text.removesuffix(OPEN) + meta + OPEN, head.at), *rest]
        return lines

    def rule(self, home: Home) -> list[Line]:
        lines = self.nested(home) + self.brought(home)
        name = self.teller.lexicon.name("rule", home.id)
        return [Line(0, f"rule {name}{OPEN}", lines[0].at), *lines]

    # ---- what is on the table ---------------------------------------------------------------

    def piece(self, piece: Piece) -> list[Line]:
        name = self.teller.lexicon.name
        inner = [Line(1, f"supply: {piece.supply}"), Line(1, f"home: {name('place', piece.home)}")]
        if piece.states:
            inner.append(Line(1, f"states: {', '.join(piece.states)}"))
        return self.block(
            f"piece {name('piece', piece.id)}{self.title(piece.title)}", piece, inner, 0
        )

    def piece_group(self, group: PieceGroup) -> list[Line]:
        name = self.teller.lexicon.name
        members = ", ".join(name("piece", member) for member in group.members)
        head = f"piece {name('piece', group.id)}{OPEN}"
        return [Line(0, head, group.at), Line(1, f"any: {members}")]

    def place(self, place: Place) -> list[Line]:
        name = self.teller.lexicon.name
        of = name("kind", place.of)
        seen = "" if place.seen == "open" else f" {place.seen}"
        head = f"place {name('place', place.id)}{self.title(place.title)} of {of}{seen}"
        if not place.cards:
            return [Line(0, head, place.at)]
        return [Line(0, head + OPEN, place.at), Line(1, f"cards: {name('cards', place.cards)}")]

    def cards(self, family: CardFamily) -> list[Line]:
        name = self.teller.lexicon.name
        faces = ", ".join(name("kind", face) for face in family.faces)
        head = f"cards {name('cards', family.id)}{self.title(family.title)}{OPEN}"
        return [Line(0, head, family.at), Line(1, f"faces: {faces}")]

    def neutral(self, neutral: Neutral) -> list[Line]:
        name = self.teller.lexicon.name
        supply = ", ".join(f"{name('piece', piece)} {n}" for piece, n in neutral.supply)
        head = f"neutral {name('neutral', neutral.id)}{self.title(neutral.title)}{OPEN}"
        return [Line(0, head, neutral.at), Line(1, f"supply: {supply}")]

    def attribute(self, one: Attribute) -> list[Line]:
        lexicon = self.teller.lexicon
        secret = " secret" if one.secret else ""
        of = lexicon.name("kind", one.of)
        head = f"attribute {lexicon.attribute(one.id)}{self.title(one.title)} of {of}{secret}"
        head += f": {lexicon.type(one.type)} = {self.default(one.default)}"
        lasts = [] if one.lasts == "game" else [Line(1, f"lasts: {one.lasts}")]
        return self._with_optional_block(head, one, lasts)

    def option(self, one: Option) -> list[Line]:
        name = self.teller.lexicon.name("option", one.id)
        head = f"option {name}{self.title(one.title)}: {self.teller.lexicon.type(one.type)}"
        head += f" = {self.data(one.default, one.type)}"
        choices = ", ".join(self.data(choice, one.type) for choice in one.choices)
        return self._with_optional_block(
            head, one, [Line(1, f"choices: {choices}")] if choices else []
        )

    def _with_optional_block(self, head: str, one: Any, inner: list[Line]) -> list[Line]:
        if not inner:
            return [Line(0, head + self.meta_inline(one.meta), one.at, one.meta)]
        return self.block(head, one, inner, 0)

    # ---- pictures ---------------------------------------------------------------------------

    def map(self, one: BoardMap) -> list[Line]:
        return map_lines(self, one)

    def mark(self, one: Mark) -> list[Line]:
        return mark_lines(self, one)

    # ---- rules ------------------------------------------------------------------------------

    def value(self, value: Value, depth: int = 0) -> list[Line]:
        name = self._short("value", value.id, depth)
        head = f"value {name}({self.params(value.params)}){self.title(value.title)}"
        head += f": {self.teller.lexicon.type(value.type)} = {self.teller.tell(value.base)}"
        return [Line(depth, head + self.meta_inline(value.meta), value.at, value.meta)]

    def order(self, order: Order, depth: int = 0) -> list[Line]:
        name = self._short("order", order.id, depth)
        head = f"order {name}({self.params(order.params)}){self.title(order.title)}"
        inner = [Line(depth + 1, self.order_key(key)) for key in order.keys]
        return self.block(head, order, inner, depth)

    def order_key(self, key: str) -> str:
        value = self.ruleset.values[key]
        return f"{key.rpartition('.')[2]}: {self.teller.tell(value.base)}"

    def procedure(self, one: Procedure, depth: int = 0) -> list[Line]:
        name = self._short("procedure", one.id, depth)
        head = f"procedure {name}({self.params(one.params)}){self.title(one.title)}"
        return self.block(head, one, body_lines(self.teller, one.body, depth + 1), depth)

    def action(self, action: Action, depth: int = 0) -> list[Line]:
        name = self._short("action", action.id, depth)
        phase = self.teller.lexicon.name("phase", action.phase)
        head = f"action {name}{self.title(action.title)} in {phase} by {action.actor}"
        told = ", ".join(self.action_param(param) for param in action.params)
        inner = [
            Line(
                depth + 1,
                requirement_text(self.teller, need) + self.meta_inline(need.meta),
                need.at,
            )
            for need in action.needs
        ]
        inner += body_lines(self.teller, action.body, depth + 1)
        return self.block(head + (f" ({told})" if told else ""), action, inner, depth)

    def action_param(self, param: ActionParam) -> str:
        """`target from origin.land where …`."""
        number = "" if param.single else f": {amount(self.teller, param.least, param.most)}"
        source = f"{self.teller.tell(param.source, SPAN)}{self.teller.where(param.where)}"
        prompt = f" {quoted(param.prompt)}" if param.prompt and self.teller.wording else ""
        return f"{self.teller.local(param.name)}{number} from {source}{prompt}"

    def phase(self, phase: Phase) -> list[Line]:
        name = self.teller.lexicon.name("phase", phase.id)
        inner = [
            Line(1, requirement_text(self.teller, need) + self.meta_inline(need.meta), need.at)
            for need in phase.needs
        ]
        inner += [line for stage in phase.stages for line in stage_lines(self.teller, stage, 1)]
        inner += self.brought(self.index.get("phase", phase.id))
        return self.block(f"phase {name}{self.title(phase.title)}", phase, inner, 0)

    def turn(self, turn: TurnOrder) -> list[Line]:
        name = self.teller.lexicon.name
        rows = {
            "start": ", ".join(name("phase", phase) for phase in turn.start),
            "phases": ", ".join(name("phase", phase) for phase in turn.phases),
            "ranking": name("order", turn.ranking),
            "score": name("value", turn.score),
            "shows": ", ".join(name("value", value) for value in turn.shows),
            "parts": ", ".join(name("value", value) for value in turn.parts),
        }
        inner = [Line(1, f"{word}: {text}") for word, text in rows.items() if text]
        return self.block(f"turn {name('turn', turn.id)}", turn, inner, 0)

    def body(self, body: Body, depth: int = 0) -> list[Line]:
        return body_lines(self.teller, body, depth)

    def _short(self, sort: str, id_: str, depth: int) -> str:
        """The name as it is written where the declaration stands."""
        name = self.teller.lexicon.name(sort, id_)
        return name.rpartition(".")[2] if depth else name
