"""The linked ruleset: what a stack of packs means, free of layout and of syntax.

Diff, docs, explain, coverage, the compiler and the reference evaluator all work on these classes.
Names are resolved (ids are stable paths such as `civil_war.kept`), amendments are applied, types
are known. Every node keeps where it was written (`at`), which never counts for equality or the
content hash. Collections are tuples in declaration order.
"""

from typing import Any

import attrs

from ziggurat.dsl.forms.base import *
from ziggurat.dsl.forms.base import at_field as _at
from ziggurat.dsl.forms.description import (
    AFTER,
    CHANCE,
    COURSE,
    HOLDINGS,
    LOG,
    Touch,
    attribute,
    form,
    pieces,
    pile,
)

# ---- expressions ------------------------------------------------------------------------------


@form()
@attrs.frozen
class Lit(Expr):
    """int, bool, text, or None for `none`; a range literal is an Op."""

    value: int | bool | str | None
    type: Type


@form(uses="name")
@attrs.frozen
class Local(Expr):
    """A parameter, a `let`, a loop variable, `it`."""

    name: str
    type: Type


@form()
@attrs.frozen
class ThingRef(Expr):
    """A declared thing: `kind` is its kind's id, `id` its id (unique in the ruleset within its
    kind)."""

    kind: str
    id: str
    type: Type


@form()
@attrs.frozen
class OwnerRef(Expr):
    """A neutral owner, or in scenarios a player by name."""

    id: str
    type: Type


@form()
@attrs.frozen
class All(Expr):
    """Everything of a kind (kind id), `players`, `owners`; a set."""

    of: str
    type: Type


@form()
@attrs.frozen
class OptionRef(Expr):
    id: str
    type: Type


def _seat(field: "FieldOf") -> tuple[Touch, ...]:
    """Which thing a seat plays is told by an attribute."""
    through = field.of.type.name in ("player", "owner")
    return (attribute(f"player.{field.owner_kind}"),) if through else ()


@form(reads=_seat)
@attrs.frozen
class FieldOf(Expr):
    """A field of a thing; `owner_kind` says which kind declares it. When `of` is a player the field
    is read through the thing the player plays; when it is a card, through its face (default if the
    face is of another kind)."""

    of: Expr
    owner_kind: str
    field: str
    type: Type


@form(reads=lambda one: (attribute(one.attr),))
@attrs.frozen
class AttrOf(Expr):
    """An attribute; `of` is None for the table. `attr` is the attribute's id."""

    of: Expr | None
    attr: str
    type: Type


@form(calls=lambda one: (("value", one.value),))
@attrs.frozen
class ValueCall(Expr):
    """A call of a value or an order key (`movement.late`)."""

    value: str
    args: tuple[Expr, ...]
    type: Type


@form(reads=lambda one: (pile(one.place),))
@attrs.frozen
class PileRef(Expr):
    """A place for cards: hand(p), draw_pile(s), or one of the table (key None)."""

    place: str
    key: Expr | None
    type: Type


@form(
    reads=lambda one: (HOLDINGS,) if one.op == "holds" else (),
    variants={"op": {"+": "-", "-": "+", "union": "minus", "minus": "union"}},
)
@attrs.frozen
class Op(Expr):
    """A built-in operation.

    Arithmetic `+ - * / /up mod neg`; comparison `== != < <= > >=`; logic `and or not if` (if:
    condition, then, else); `range` (low, high); sets `set` (members), `list`, `map` (k1, v1, k2, v2
    …), `union`, `minus`, `common`, `in`, `size`, `one_of`; `index` (map, key); `min`, `max` (two or
    more numbers), `abs`; `holds` (player, thing); `is_kind` (card, Lit kind id) and `face` (card,
    Lit kind id: the face as a thing, none if of another kind); `cards`, `top` (pile); `others`,
    `left_of` (player); `is_player` (owner).
    """

    op: str
    args: tuple[Expr, ...]
    type: Type


@form()
@attrs.frozen
class Whereabouts:
    """Where pieces are: kind `area` (expr: one area), `areas` (expr: a set), `board`, `own` (id: a
    place every owner has, such as the stock), `everywhere`."""

    kind: str
    expr: Expr | None = None
    id: str = ""


@form(reads=lambda one: pieces(one.pieces))
@attrs.frozen
class Units:
    """Some pieces: kinds (a group is spelled out), a state or None for any, and whose they are.
    `owner` is an owner, or a set of owners when `many`."""

    pieces: tuple[str, ...]
    state: str | None
    owner: Expr
    many: bool = False


@form()
@attrs.frozen
class Count(Expr):
    """How many of the units are there; `exists` asks only whether any is (a bool)."""

    units: Units
    where: Whereabouts
    exists: bool
    type: Type


@form()
@attrs.frozen
class Having(Expr):
    """Those places of `source` that have at least one of the units."""

    source: Expr
    units: Units
    type: Type


@form(calls=lambda one: (("order", one.order),))
@attrs.frozen
class OrderRef:
    """An order with its leading arguments: `removal(a)`; the last parameter is the thing sorted."""

    order: str
    args: tuple[Expr, ...] = ()


@form(binds={"var": ("where", "body")}, loops=True)
@attrs.frozen
class Loop(Expr):
    """Something over a set. fn: set, list (body or the variable itself), count, any, every, sum,
    max, min, first. `where` filters; `every` tests `body`. max/min of nothing is 0; first of
    nothing is none."""

    fn: str
    var: str
    source: Expr
    where: Expr | None
    order: OrderRef | None
    body: Expr | None
    type: Type


# ---- statements -------------------------------------------------------------------------------


@form(binds={"name": AFTER})
@attrs.frozen
class Let(Stmt):
    name: str
    expr: Expr


@form(writes=lambda one: (attribute(one.target.attr),), variants={"op": {"+": "-", "-": "+"}})
@attrs.frozen
class Assign(Stmt):
    """op: `=`, `+`, `-`, `include`, `exclude`. `index` is set for `p.credits[g]`."""

    target: AttrOf
    index: Expr | None
    op: str
    expr: Expr


@form(writes=lambda one: pieces(one.units.pieces))
@attrs.frozen
class Move(Stmt):
    """Pieces from one place to another (place and remove are moves from and to the piece's home:
    Whereabouts('own', id=home)). quantity None means all."""

    quantity: Expr | None
    units: Units
    source: Whereabouts
    target: Whereabouts
    state: str | None


@form(writes=lambda one: pieces(one.units.pieces))
@attrs.frozen
class Turn(Stmt):
    """Pieces change their state where they are."""

    quantity: Expr | None
    units: Units
    where: Whereabouts
    state: str


@form(writes=lambda one: (pile(one.pile.place), pile()))
@attrs.frozen
class Put(Stmt):
    """Cards (one, or a set or list when `many`) go to a pile. how: in (at the bottom), top,
    under."""

    cards: Expr
    many: bool
    pile: PileRef
    how: str


@form(writes=lambda one: (pile(one.pile.place), CHANCE))
@attrs.frozen
class Shuffle(Stmt):
    pile: PileRef


@form(binds={"name": AFTER}, it=("where",), writes=lambda one: (CHANCE,))
@attrs.frozen
class Pick(Stmt):
    """Chance: quantity None binds one member (none if there is none), otherwise a list of
    members."""

    name: str
    quantity: Expr | None
    source: Expr
    where: Expr | None


@form(writes=lambda one: (HOLDINGS,))
@attrs.frozen
class Give(Stmt):
    """A player comes to hold a thing (`gain`), or no longer does."""

    thing: Expr
    player: Expr
    gain: bool


@form(binds={"var": ("where", "body")}, it=("where",), loops=True)
@attrs.frozen
class For(Stmt):
    var: str
    source: Expr
    where: Expr | None
    order: OrderRef | None
    grouped: bool
    body: Body


@form(loops=True)
@attrs.frozen
class Repeat(Stmt):
    """While a condition holds, at most `times` (an expression or None: the language's own
    bound)."""

    condition: Expr | None
    times: Expr | None
    body: Body


@form()
@attrs.frozen
class If(Stmt):
    condition: Expr
    then: Body
    other: Body


@form()
@attrs.frozen
class Jump(Stmt):
    """how: stop (this procedure or block of a stage), skip (to the next round), leave (the
    loop)."""

    how: str


@form(fence=False)
@attrs.frozen
class Step(Stmt):
    """A labelled step. `path` is stable: `tax_revolt.overflow`."""

    label: str
    path: str
    title: str
    body: Body
    meta: Meta = NO_META


@form(binds={"name": AFTER}, it=("where",), asks=True)
@attrs.frozen
class Choose(Stmt):
    """least/most None: one single answer (none if `optional` and declined); otherwise a set, with
    `most` None meaning any number when least is given. `path` names the decision."""

    name: str
    path: str
    by: Expr
    source: Expr
    where: Expr | None
    order: OrderRef | None
    single: bool
    least: Expr | None
    most: Expr | None
    optional: bool
    always: bool
    secret: bool
    prompt: "Text"
    type: Type
    meta: Meta = NO_META


@form(asks=True)
@attrs.frozen
class May(Stmt):
    name: str
    path: str
    by: Expr
    when: Expr | None
    then: Body
    other: Body
    prompt: "Text"
    meta: Meta = NO_META


@form()
@attrs.frozen
class Wish:
    """One part of a constraint: kind total_is, total_at_most, total_at_least (weight of `it`,
    bound), connected (neighbours of `it`), none_spare (no pick could be left out of the totals)."""

    kind: str
    weight: Expr | None = None
    bound: Expr | None = None
    at: At = _at()


@form(binds={"name": AFTER}, it=("where", "constraints"), asks=True)
@attrs.frozen
class Select(Stmt):
    """A subset of source under constraints, most important first; parts of one constraint must hold
    together. `relax`: each as well as the ones before permit."""

    name: str
    path: str
    by: Expr
    source: Expr
    where: Expr | None
    constraints: tuple[tuple[Wish, ...], ...]
    relax: bool
    prompt: "Text"
    type: Type
    meta: Meta = NO_META


@form(binds={"name": AFTER}, it=("allowing",), asks=True)
@attrs.frozen
class Divide(Stmt):
    """An amount for each member, from what `allowing` permits (range or set of int, of `it`)."""

    name: str
    path: str
    total: Expr
    among: Expr
    by: Expr
    allowing: Expr
    prompt: "Text"
    type: Type
    meta: Meta = NO_META


@form(shown=True)
@attrs.frozen
class Text:
    """A sentence with holes: strings and expressions in turn."""

    parts: tuple[str | Expr, ...]


@form(writes=lambda one: (LOG,), shown=True)
@attrs.frozen
class Say(Stmt):
    """A line of the log; `to` None: everybody may read it."""

    text: Text
    to: Expr | None


@form(writes=lambda one: (COURSE,))
@attrs.frozen
class Recall(Stmt):
    player: Expr


@form(writes=lambda one: (COURSE,))
@attrs.frozen
class EndGame(Stmt):
    """After this statement nothing happens any more."""


@form(calls=lambda one: (("procedure", one.procedure),))
@attrs.frozen
class Do(Stmt):
    """A call of a procedure."""

    procedure: str
    args: tuple[Expr, ...]


@form(calls=lambda one: (("body", one.kind, one.body),))
@attrs.frozen
class DoBody(Stmt):
    """A call of a thing's own block: `c.resolve(victim)`; things without it do nothing. `kind` and
    `body` say which; `thing` may be a card of a family with that face kind."""

    thing: Expr
    kind: str
    body: str
    args: tuple[Expr, ...]


# ---- declarations -----------------------------------------------------------------------------


@form()
@attrs.frozen
class Param:
    name: str
    type: Type


@form()
@attrs.frozen
class Field:
    """relation: a symmetric field of neighbours."""

    name: str
    type: Type
    default: Expr | None
    required: bool
    relation: bool = False
    at: At = _at()


@form()
@attrs.frozen
class BodyDecl:
    name: str
    params: tuple[Param, ...]


@form()
@attrs.frozen
class Requirement:
    condition: Expr
    reason: str
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Kind:
    """`needs` is what the kind demands of the data of its things, with the thing as the local
    `this`; it is checked when packs are linked and changes no game."""

    id: str
    title: str
    plural: str
    roles: tuple[str, ...]
    fields: tuple[Field, ...]
    bodies: tuple[BodyDecl, ...]
    meta: Meta = NO_META
    needs: tuple[Requirement, ...] = attrs.field(default=(), eq=False, kw_only=True)
    at: At = _at()


@form()
@attrs.frozen
class FieldValue:
    """`value` is plain data: int, bool, text, None, a thing's id as "kind.id", a tuple of those
    (set, list), or a tuple of pairs (map). `origin` and `at` say which pack set it last."""

    field: str
    value: Any
    origin: str = attrs.field(default="", eq=False)
    at: At = _at()


@form()
@attrs.frozen
class ThingBody:
    name: str
    body: Body
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Thing:
    kind: str
    id: str
    title: str
    values: tuple[FieldValue, ...]
    bodies: tuple[ThingBody, ...]
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Piece:
    id: str
    title: str
    supply: int
    home: str
    states: tuple[str, ...]
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class PieceGroup:
    id: str
    members: tuple[str, ...]
    at: At = _at()


@form("declaration")
@attrs.frozen
class Place:
    """`of`: owner, player, a kind's id, or table. `cards` is the family held, empty for pieces.
    seen: open, secret (its owner only), hidden (nobody)."""

    id: str
    title: str
    of: str
    cards: str
    seen: str
    at: At = _at()


@form("declaration")
@attrs.frozen
class CardFamily:
    id: str
    title: str
    faces: tuple[str, ...]
    at: At = _at()


@form("declaration")
@attrs.frozen
class Neutral:
    id: str
    title: str
    supply: tuple[tuple[str, int], ...]
    at: At = _at()


@form("declaration")
@attrs.frozen
class Attribute:
    """`of`: table, player, owner, a kind's id or a card family's id. lasts: game, turn, phase."""

    id: str
    title: str
    of: str
    type: Type
    default: Expr
    lasts: str
    secret: bool
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Option:
    id: str
    title: str
    type: Type
    default: Any
    choices: tuple[Any, ...]
    meta: Meta = NO_META
    at: At = _at()


@form(variants={"op": {"allow": "forbid", "forbid": "allow"}})
@attrs.frozen
class Contribution:
    """One clause that changes a value, in the words of the value's own parameters. op: to, by,
    adding, removing, extending, times, at_least, at_most, allow, forbid. `when` includes the holder
    test and the argument tests. `thing` is "kind.id" of the thing that brings it, or a rule's id.
    `path` is stable: `engineering / modify attack_tokens / 1`."""

    path: str
    thing: str
    op: str
    amount: Expr | None
    when: Expr | None
    reason: str = ""
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Value:
    id: str
    title: str
    params: tuple[Param, ...]
    type: Type
    base: Expr
    contributions: tuple[Contribution, ...]
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Order:
    """Keys are values (`ranking.rank`) of all parameters, compared in this order, lowest first."""

    id: str
    title: str
    params: tuple[Param, ...]
    keys: tuple[str, ...]
    meta: Meta = NO_META
    at: At = _at()


@form()
@attrs.frozen
class Trigger:
    """when: before, after, instead; a body in the words of the procedure's own parameters."""

    path: str
    thing: str
    when: str
    condition: Expr | None
    body: Body
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Procedure:
    id: str
    title: str
    params: tuple[Param, ...]
    body: Body
    triggers: tuple[Trigger, ...] = ()
    meta: Meta = NO_META
    at: At = _at()


@form()
@attrs.frozen
class ActionParam:
    """single: one option; otherwise a set with bounds, as in Choose."""

    name: str
    source: Expr
    where: Expr | None
    single: bool
    least: Expr | None
    most: Expr | None
    prompt: str
    type: Type
    at: At = _at()


@form("declaration")
@attrs.frozen
class Action:
    """`thing` is "kind.id" of the holdable thing it belongs to ('' for everybody)."""

    id: str
    title: str
    phase: str
    actor: str
    params: tuple[ActionParam, ...]
    needs: tuple[Requirement, ...]
    body: Body
    thing: str = ""
    meta: Meta = NO_META
    at: At = _at()


@form(
    "stage",
    binds={"var": ("condition", "body")},
    calls=lambda one: (("phase", one.phase),) if one.phase else (),
)
@attrs.frozen
class Stage:
    """kind: once, each, at_once, act, while, perform. `var` is the player or thing variable;
    `source` the set (All players for act and at_once); `condition` is the filter, the while
    condition or the perform guard. act: `freely`, `until` ('done' or 'pass') and `limit` (extra end
    condition), `body` after each done."""

    kind: str
    path: str
    var: str = ""
    var_type: Type | None = None
    source: Expr | None = None
    condition: Expr | None = None
    order: OrderRef | None = None
    freely: bool = False
    until: str = ""
    limit: Expr | None = None
    phase: str = ""
    body: Body = ()
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Phase:
    id: str
    title: str
    needs: tuple[Requirement, ...]
    stages: tuple[Stage, ...]
    triggers: tuple[Trigger, ...] = ()
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class TurnOrder:
    """The sequence of phases. `start` phases run once; then `phases` again and again until the game
    ends. `shows` are values of a player that front ends display, `parts` those the score is made
    of."""

    id: str
    start: tuple[str, ...]
    phases: tuple[str, ...]
    ranking: str
    score: str
    shows: tuple[str, ...] = attrs.field(default=(), eq=False)
    parts: tuple[str, ...] = attrs.field(default=(), eq=False)
    meta: Meta = NO_META
    at: At = _at()


@form()
@attrs.frozen
class Preference:
    score: Expr
    when: Expr | None
    at: At = _at()


@form("declaration")
@attrs.frozen
class Advice:
    """About a decision's path, an action, or an action's parameter. Locals: `it`, `p`,
    parameters."""

    target: str
    preferences: tuple[Preference, ...]
    at: At = _at()


@form()
@attrs.frozen
class Scripted:
    """An answer in a scenario: kind chooses (answer, decision path or ''), does (action, args),
    done."""

    kind: str
    player: str
    answer: Expr | None
    path: str
    args: tuple[Expr, ...] = ()
    at: At = _at()


@form()
@attrs.frozen
class Run:
    """kind: phase (id, to), do (a Do or DoBody)."""

    kind: str
    phase: str = ""
    to: str = ""
    call: Do | DoBody | None = None
    at: At = _at()


@form()
@attrs.frozen
class Cannot:
    player: str
    action: str
    args: tuple[Expr, ...]
    reason: str
    at: At = _at()


@form(writes=lambda one: (pile(one.pile.place), pile()))
@attrs.frozen
class Deal:
    """Cards by face ("kind.id", number) to a pile; how: in, top, under."""

    faces: tuple[tuple[str, int], ...]
    pile: PileRef
    how: str
    at: At = _at()


@form(writes=lambda one: pieces(one.units.pieces))
@attrs.frozen
class Keep:
    """Leave so many there and put the rest in the box."""

    quantity: Expr
    units: Units
    where: Whereabouts
    at: At = _at()


@form()
@attrs.frozen
class Given:
    body: tuple[Stmt | Deal | Keep, ...]
    at: At = _at()


@form()
@attrs.frozen
class Expect:
    """`pack` empty: always."""

    pack: str
    checks: tuple[Expr, ...]
    at: At = _at()


@form("declaration")
@attrs.frozen
class Scenario:
    """`things` are the scenario's own things (its little map), which replace all of their kind."""

    id: str
    title: str
    players: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]
    things: tuple[Thing, ...]
    items: tuple[Given | Scripted | Run | Cannot | Expect, ...]
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class BoardMap:
    """How the places of a kind are laid out in pictures. layout: free, squares, hexes or graph;
    `position` has two numbers, or none. `borders` and `crossings` are fields with neighbours."""

    id: str
    title: str
    of: str
    layout: str = ""
    shifted: str = ""
    position: tuple[Expr, ...] = ()
    water: Expr | None = None
    borders: tuple[str, ...] = ()
    crossings: tuple[str, ...] = ()
    meta: Meta = NO_META
    at: At = _at()


@form("declaration")
@attrs.frozen
class Mark:
    """How something looks on a map. sort: place, piece, seat or neutral; `of` is its name. `shows`
    is yes or no, a number, a text, a thing or an owner; colours are texts such as "#7da35f"."""

    id: str
    title: str
    sort: str
    of: str
    shows: Expr | None = None
    fill: Expr | None = None
    hatch: Expr | None = None
    line: Expr | None = None
    symbols: tuple[str, ...] = ()
    colours: tuple[Expr, ...] = ()
    ink: Expr | None = None
    letter: Expr | None = None
    size: int = 0
    meta: Meta = NO_META
    at: At = _at()


@form()
@attrs.frozen
class PackInfo:
    id: str
    title: str
    version: str
    edition: str
    players: str
    sources: tuple[tuple[str, str], ...]
    text_hash: str


@form("ruleset")
@attrs.frozen
class Ruleset:
    """A linked stack. Mappings are dicts in link order; treat them as read-only."""

    stack: str
    packs: tuple[PackInfo, ...]
    kinds: dict[str, Kind]
    things: dict[str, dict[str, Thing]]
    pieces: dict[str, Piece]
    piece_groups: dict[str, PieceGroup]
    places: dict[str, Place]
    cards: dict[str, CardFamily]
    neutrals: dict[str, Neutral]
    attributes: dict[str, Attribute]
    options: dict[str, Option]
    values: dict[str, Value]
    orders: dict[str, Order]
    procedures: dict[str, Procedure]
    phases: dict[str, Phase]
    actions: dict[str, Action]
    turns: dict[str, TurnOrder]
    advice: tuple[Advice, ...]
    scenarios: tuple[Scenario, ...]
    maps: dict[str, BoardMap] = attrs.field(factory=dict)
    marks: dict[str, Mark] = attrs.field(factory=dict)


# What a ruleset holds besides rules: nothing of it changes a game.
NO_RULES = frozenset({"packs", "scenarios", "advice", "maps", "marks"})
