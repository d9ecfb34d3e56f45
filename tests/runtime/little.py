"""A little foreign game made directly as IR, and random rules and states of it.

Random expressions look at the whole IR, and not only at what today's packs use.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table

INT, BOOL, TEXT, RANGE = map(ir.Type, ("int", "bool", "text", "range"))
PLAYER, OWNER, AREA, SKILL = map(ir.Type, ("player", "owner", "area", "skill"))
NATION, GOOD, BAD, CARD = map(ir.Type, ("nation", "good", "bad", "card"))


def set_of(item: ir.Type) -> ir.Type:
    return ir.Type("set", item)


def or_none(type_: ir.Type) -> ir.Type:
    return ir.Type(type_.name, type_.item, type_.key, True)


MARKS = ir.Type("map", INT, SKILL)
AREAS, PLAYERS, SKILLS, CARDS = map(set_of, (AREA, PLAYER, SKILL, CARD))
LIST = ir.Type("list", CARD)
NUMBERS, ROUTE = ir.Type("list", INT), ir.Type("list", AREA)


def lit(value: int | bool | None, type_: ir.Type = INT) -> ir.Lit:
    return ir.Lit(value, type_)


def field(name: str, type_: ir.Type, default: ir.Expr) -> ir.Field:
    return ir.Field(name, type_, default, False)


def thing(kind: str, id_: str, **values: Any) -> ir.Thing:
    given_ = tuple(ir.FieldValue(name, value) for name, value in values.items())
    return ir.Thing(kind, id_, id_.title(), given_, ())


def kind(id_: str, roles: tuple[str, ...], *fields: ir.Field) -> ir.Kind:
    return ir.Kind(id_, id_, f"{id_}s", roles, fields, ())


def attribute(id_: str, of: str, type_: ir.Type, default: ir.Expr) -> ir.Attribute:
    return ir.Attribute(id_, id_, of, type_, default, "game", False)


def named(*declared: Any) -> dict[str, Any]:
    return {one.id: one for one in declared}


P, A = ir.Local("p", PLAYER), ir.Local("a", AREA)
PARAMS = (ir.Param("p", PLAYER), ir.Param("a", AREA))
EMPTY = ir.Op("set", (), AREAS)
LITTLE = ir.Ruleset(
    stack="little",
    packs=(),
    kinds=named(
        kind(
            "area",
            ("place",),
            field("limit", INT, lit(1)),
            field("near", AREAS, EMPTY),
            ir.Field("next", AREA, None, False),
        ),
        kind("skill", ("holdable",), field("cost", INT, lit(4))),
        kind("nation", ("seat",), field("rank", INT, lit(9))),
        kind("good", ("card",), field("copies", INT, lit(2)), field("worth", INT, lit(1))),
        kind("bad", ("card",), field("copies", INT, lit(1))),
    ),
    things={
        "area": named(
            thing("area", "hill", limit=2, near=("area.lake", "area.wood"), next="area.lake"),
            thing("area", "lake", near=("area.hill",)),
            thing("area", "wood", limit=3, near=("area.hill", "area.lake")),
        ),
        "skill": named(thing("skill", "lore", cost=7), thing("skill", "song")),
        "nation": named(thing("nation", "reds", rank=2), thing("nation", "blues", rank=1)),
        "good": named(thing("good", "salt", worth=3), thing("good", "wool")),
        "bad": named(thing("bad", "plague")),
    },
    pieces=named(
        ir.Piece("pawn", "Pawn", 9, "reserve", ("fresh", "tired")),
        ir.Piece("tower", "Tower", 3, "reserve", ()),
    ),
    piece_groups={},
    places=named(
        ir.Place("reserve", "", "owner", "", "open"),
        ir.Place("hand", "", "player", "card", "secret"),
        ir.Place("stock", "", "table", "card", "hidden"),
    ),
    cards=named(ir.CardFamily("card", "Card", ("good", "bad"))),
    neutrals=named(ir.Neutral("wild", "Wild", (("pawn", 5),))),
    attributes=named(
        attribute("score", "player", INT, lit(0)),
        attribute("leader", "area", ir.Type("player", maybe=True), lit(None)),
        attribute("seen", "player", AREAS, EMPTY),
        attribute("marks", "player", MARKS, ir.Op("map", (), MARKS)),
        attribute("bid", "player", BOOL, lit(False, BOOL)),
        attribute("bid.size", "player", INT, lit(0)),
        attribute("bid.at", "player", or_none(AREA), lit(None)),
        attribute("bid.seen", "player", AREAS, EMPTY),
        attribute("bid.marks", "player", MARKS, ir.Op("map", (), MARKS)),
        attribute("late", "table", BOOL, lit(False, BOOL)),
        attribute("turn", "table", INT, lit(0)),
    ),
    options=named(ir.Option("pace", "Pace", INT, 3, ())),
    values=named(
        ir.Value("room", "", PARAMS, INT, ir.FieldOf(A, "area", "limit", INT), ()),
        ir.Value("onward", "", PARAMS[1:], AREA, ir.FieldOf(A, "area", "next", AREA), ()),
    ),
    orders={},
    procedures={},
    phases={},
    actions={},
    turns={},
    advice=(),
    scenarios=(),
    bundles=named(
        ir.Bundle(
            "bid",
            "Bid",
            "player",
            (
                ir.BundleField("size", INT, lit(2), False),
                ir.BundleField("at", AREA, None, False),
                ir.BundleField("seen", AREAS, EMPTY, True),
                ir.BundleField("marks", MARKS, ir.Op("map", (), MARKS), False),
            ),
            False,
        )
    ),
)
Scope = dict[str, list[ir.Expr]]


def op(name: str, type_: ir.Type, *args: ir.Expr) -> ir.Op:
    return ir.Op(name, args, type_)


class Maker:
    """Draws expressions of a type; deeper ones use what is in scope."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def pick(self, *makers: Callable[[], Any]) -> Any:
        return makers[self.draw(st.integers(0, len(makers) - 1))]()

    def one(self, type_: ir.Type, depth: int, scope: tuple[ir.Expr, ...]) -> ir.Expr:
        fitting = [local for local in scope if local.type == type_]
        leaf = {
            INT: lambda: lit(self.draw(st.integers(-2, 6))),
            BOOL: lambda: lit(self.draw(st.booleans()), BOOL),
            RANGE: lambda: op("range", RANGE, lit(self.draw(st.integers(-1, 2))), lit(2)),
            AREA: lambda: ir.ThingRef("area", self.draw(st.sampled_from(["hill", "wood"])), AREA),
            SKILL: lambda: ir.ThingRef(
                "skill", self.draw(st.sampled_from(["lore", "song"])), SKILL
            ),
            AREAS: lambda: ir.All("area", AREAS),
            PLAYERS: lambda: ir.All("players", PLAYERS),
            SKILLS: lambda: ir.All("skill", SKILLS),
            MARKS: lambda: op("map", MARKS, ir.ThingRef("skill", "lore", SKILL), lit(2)),
            PLAYER: lambda: fitting[0],
            LIST: lambda: op("cards", LIST, ir.PileRef("stock", None, ir.Type("pile"))),
        }
        if fitting and self.draw(st.booleans()):
            return self.draw(st.sampled_from(fitting))
        if type_ in MAYBE and self.draw(st.integers(0, 4)) == 0:
            return self.maybe(type_, depth - 1, scope)
        if depth <= 0:
            made = leaf[type_]()
            assert isinstance(made, ir.Expr)
            return made
        return self.deep(type_, depth - 1, scope)

    def maybe(self, type_: ir.Type, depth: int, scope: tuple[ir.Expr, ...]) -> ir.Expr:
        """Something that may be none, which may stand where the type is wanted."""
        optional = or_none(type_)
        if depth < 0:
            return lit(None, optional)
        more: list[Callable[[], ir.Expr]] = [
            lambda: lit(None, optional),
            lambda: op("if", optional, self.one(BOOL, depth, scope), lit(None, optional),
                       self.one(type_, depth, scope)),
        ]  # fmt: skip
        source = {AREA: AREAS, PLAYER: PLAYERS, SKILL: SKILLS}.get(type_)
        if source is not None:
            more.append(lambda: op("one_of", optional, self.one(source, depth, scope)))
        if type_ == PLAYER:
            area = self.one(AREA, depth, scope)
            more.append(lambda: ir.AttrOf(area, "leader", optional))
        return self.pick(*more)  # type: ignore[no-any-return]

    def deep(self, type_: ir.Type, depth: int, scope: tuple[ir.Expr, ...]) -> ir.Expr:
        def sub(inner: ir.Type) -> ir.Expr:
            return self.one(inner, depth, scope)

        def conditional() -> ir.Expr:
            return op("if", type_, sub(BOOL), sub(type_), sub(type_))

        def over(fn: str, source: ir.Type, body: ir.Type | None, out: ir.Type) -> ir.Expr:
            assert source.item is not None
            var = ir.Local(f"x{depth}", source.item)
            inside = (*scope, var)
            where = self.one(BOOL, depth, inside) if self.draw(st.booleans()) else None
            made = self.one(body, depth, inside) if body is not None else None
            return ir.Loop(fn, var.name, sub(source), where, None, made, out)

        def reach() -> ir.Expr:
            var = ir.Local(f"x{depth}", AREA)
            through = self.one(AREAS, depth, (*scope, var))
            where = self.one(BOOL, depth, (*scope, var)) if self.draw(st.booleans()) else None
            steps = sub(INT) if self.draw(st.booleans()) else None
            return ir.Reach(sub(AREAS), var.name, through, where, steps, AREAS)

        def units() -> ir.Units:
            state = self.draw(st.sampled_from([None, "fresh", "tired"]))
            pieces = (
                ("pawn",) if state else self.draw(st.sampled_from([("pawn",), ("pawn", "tower")]))
            )
            if self.draw(st.booleans()):
                everybody = ir.All("owners", set_of(OWNER))
                whose = self.pick(lambda: sub(PLAYERS), lambda: everybody)
                return ir.Units(pieces, state, whose, many=True)
            return ir.Units(pieces, state, self.pick(lambda: sub(PLAYER), lambda: WILD))

        def counted(exists: bool) -> ir.Expr:
            where = self.pick(
                lambda: ir.Whereabouts("area", sub(AREA)),
                lambda: ir.Whereabouts("areas", sub(AREAS)),
                lambda: ir.Whereabouts("board"),
                lambda: ir.Whereabouts("own", id="reserve"),
                lambda: ir.Whereabouts("everywhere"),
            )
            return ir.Count(units(), where, exists, BOOL if exists else INT)

        def compared() -> ir.Expr:
            how = self.draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
            return op(how, BOOL, sub(INT), sub(INT))

        card = ir.Local("c", CARD)
        marks = ir.AttrOf(P, "marks", MARKS)
        menu: dict[ir.Type, tuple[Callable[[], ir.Expr], ...]] = {
            INT: (
                conditional,
                lambda: op(self.draw(st.sampled_from(["+", "-", "*"])), INT, sub(INT), sub(INT)),
                lambda: op(self.draw(st.sampled_from(["/", "/up", "mod"])), INT, sub(INT), lit(3)),
                lambda: op(self.draw(st.sampled_from(["min", "max"])), INT, sub(INT), sub(INT)),
                lambda: op(self.draw(st.sampled_from(["neg", "abs"])), INT, sub(INT)),
                lambda: counted(False),
                lambda: over("count", AREAS, None, INT),
                lambda: over(self.draw(st.sampled_from(["sum", "max", "min"])), AREAS, INT, INT),
                lambda: op("size", INT, sub(self.draw(st.sampled_from([AREAS, LIST])))),
                lambda: op("index", INT, sub(MARKS), sub(SKILL)),
                lambda: op("index", INT, marks, sub(SKILL)),
                lambda: op("nth", INT, op("list", NUMBERS, sub(INT), lit(None, INT)), sub(INT)),
                lambda: ir.FieldOf(sub(AREA), "area", "limit", INT),
                lambda: ir.FieldOf(sub(SKILL), "skill", "cost", INT),
                lambda: ir.FieldOf(sub(PLAYER), "nation", "rank", INT),
                lambda: ir.AttrOf(sub(PLAYER), "score", INT),
                lambda: ir.AttrOf(None, "turn", INT),
                lambda: ir.OptionRef("pace", INT),
                lambda: ir.ValueCall("room", (sub(PLAYER), sub(AREA)), INT),
                lambda: ir.Loop(
                    "sum",
                    "c",
                    sub(LIST),
                    op("is_kind", BOOL, card, ir.Lit("good", TEXT)),
                    None,
                    ir.FieldOf(card, "good", "worth", INT),
                    INT,
                ),
            ),
            BOOL: (
                conditional,
                compared,
                lambda: op(self.draw(st.sampled_from(["and", "or"])), BOOL, sub(BOOL), sub(BOOL)),
                lambda: op("not", BOOL, sub(BOOL)),
                lambda: op("holds", BOOL, sub(PLAYER), sub(SKILL)),
                lambda: op("in", BOOL, sub(AREA), sub(AREAS)),
                lambda: op("in", BOOL, sub(INT), sub(RANGE)),
                lambda: op("==", BOOL, sub(AREAS), sub(AREAS)),
                lambda: op("==", BOOL, sub(AREA), sub(AREA)),
                lambda: op("is_player", BOOL, sub(PLAYER)),
                lambda: op("==", BOOL, ir.AttrOf(sub(AREA), "leader", PLAYER), lit(None, PLAYER)),
                lambda: ir.AttrOf(None, "late", BOOL),
                lambda: counted(True),
                lambda: over("any", AREAS, None, BOOL),
                lambda: over("every", AREAS, BOOL, BOOL),
            ),
            RANGE: (conditional, lambda: op("range", RANGE, sub(INT), sub(INT))),
            AREA: (
                conditional,
                lambda: ir.FieldOf(sub(AREA), "area", "next", AREA),
                lambda: ir.ValueCall("onward", (sub(AREA),), AREA),
                lambda: op("nth", AREA, op("list", ROUTE, sub(AREA), sub(AREA)), sub(INT)),
            ),
            SKILL: (conditional,),
            PLAYER: (conditional, lambda: op("left_of", PLAYER, sub(PLAYER))),
            AREAS: (
                conditional,
                lambda: op(
                    self.draw(st.sampled_from(["union", "minus", "common"])),
                    AREAS,
                    sub(AREAS),
                    sub(AREAS),
                ),
                lambda: op("set", AREAS, sub(AREA), sub(AREA)),
                lambda: over("set", AREAS, None, AREAS),
                lambda: over("set", AREAS, AREA, AREAS),
                lambda: ir.FieldOf(sub(AREA), "area", "near", AREAS),
                lambda: ir.AttrOf(sub(PLAYER), "seen", AREAS),
                lambda: ir.Having(sub(AREAS), units(), AREAS),
                reach,
            ),
            PLAYERS: (
                conditional,
                lambda: op("others", PLAYERS, sub(PLAYER)),
                lambda: over("set", PLAYERS, None, PLAYERS),
            ),
            SKILLS: (lambda: over("set", SKILLS, None, SKILLS),),
            MARKS: (lambda: marks, lambda: op("union", MARKS, sub(MARKS), sub(MARKS))),
            LIST: (
                lambda: op("cards", LIST, ir.PileRef("hand", sub(PLAYER), ir.Type("pile"))),
                lambda: over("list", LIST, None, LIST),
            ),
        }
        return self.pick(*menu[type_])  # type: ignore[no-any-return]


WILD = ir.OwnerRef("wild", OWNER)
MAYBE = (AREA, PLAYER, SKILL, INT, BOOL, AREAS)
CHANGES = {
    INT: ("to", "by", "times", "at_least", "at_most"),
    BOOL: ("allow", "forbid"),
    RANGE: ("extending", "to"),
    AREAS: ("adding", "removing", "to"),
    MARKS: ("adding",),
}


@st.composite
def values(draw: st.DrawFn) -> ir.Value:
    maker = Maker(draw)
    type_ = draw(st.sampled_from(list(CHANGES)))
    clauses = []
    for number in range(draw(st.integers(0, 4))):
        how = draw(st.sampled_from(CHANGES[type_]))
        amount = None if type_ == BOOL else maker.one(type_, 1, (P, A))
        when = maker.one(BOOL, 2, (P, A)) if draw(st.booleans()) else None
        clauses.append(ir.Contribution(f"clause {number}", "rule", how, amount, when))
    return ir.Value("v", "", PARAMS, type_, maker.one(type_, 3, (P, A)), tuple(clauses))


@st.composite
def states(draw: st.DrawFn, table: Table) -> State:
    state = State(table, draw(st.integers(0, 99)))
    for _ in range(draw(st.integers(0, 6))):
        piece = table.rows[draw(st.sampled_from(["pawn", "tower"]))]
        owner, area = draw(st.sampled_from(table.owners)), draw(st.integers(0, table.A - 1))
        become = draw(st.sampled_from(["fresh", "tired"])) if piece.states else None
        state.move(piece, owner, piece.home, area, draw(st.integers(1, 3)), None, become)
    for card in range(len(table.face)):
        state.put([card], draw(st.integers(0, len(table.piles) - 1)))
    for player in table.players:
        state.held[player] = draw(st.integers(0, 3))
        state.attrs[table.attributes["score"].slot(player)] = draw(st.integers(-3, 9))
        leader = draw(st.sampled_from([None, *table.players]))
        state.attrs[table.attributes["leader"].slot(player % table.A)] = leader
        skill = table.kind_range["skill"][0]
        state.attrs[table.attributes["marks"].slot(player, skill)] = draw(st.integers(0, 5))
    return state
