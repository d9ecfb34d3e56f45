"""A little game of counters on a ring of four fields, built from IR by hand.

Each turn everybody secretly names a number of counters to bring into play (all at once), then each
in turn moves as often as they like, and after three turns whoever has most on the far field wins.
"""

from typing import Any

from ziggurat.runtime import kernel as ir

INT, BOOL, TEXT = ir.Type("int"), ir.Type("bool"), ir.Type("text")
PLAYER, FIELD, CARD = ir.Type("player"), ir.Type("field"), ir.Type("card")
FIELDS, PLAYERS = ir.Type("set", FIELD), ir.Type("set", PLAYER)
CARDS = ir.Type("list", CARD)
RANGE = ir.Type("range", INT)


def at(line: int) -> ir.At:
    return ir.At("small/rules.rules", line, 1, line, 1)


def lit(value: Any) -> ir.Lit:
    kinds = {bool: BOOL, int: INT, str: TEXT, type(None): ir.Type("nothing", maybe=True)}
    return ir.Lit(value, kinds[type(value)])


def var(name: str, type_: ir.Type = PLAYER) -> ir.Local:
    return ir.Local(name, type_)


def op(name: str, *args: ir.Expr, type: ir.Type = INT) -> ir.Op:
    return ir.Op(name, args, type)


def stones(owner: ir.Expr, state: str | None = None) -> ir.Units:
    return ir.Units(("stone",), state, owner)


def count(owner: ir.Expr, where: ir.Whereabouts, state: str | None = None) -> ir.Count:
    return ir.Count(stones(owner, state), where, False, INT)


def field(name: str) -> ir.ThingRef:
    return ir.ThingRef("field", name, FIELD)


def here(expr: ir.Expr) -> ir.Whereabouts:
    return ir.Whereabouts("area", expr)


def text(*parts: str | ir.Expr) -> ir.Text:
    return ir.Text(parts)


BAG = ir.Whereabouts("own", id="bag")
BOARD = ir.Whereabouts("board")
P = var("p")
RING = ("north", "east", "south", "west")


def ruleset(**changes: Any) -> ir.Ruleset:
    near = {name: (RING[i - 1], RING[(i + 1) % 4]) for i, name in enumerate(RING)}
    fields = {
        name: ir.Thing(
            "field", name, name.title(),
            (ir.FieldValue("next", tuple(f"field.{n}" for n in near[name])),
             ir.FieldValue("worth", i)),
            (), at=at(i + 1),
        )
        for i, name in enumerate(RING)
    }  # fmt: skip
    gifts = {
        name: ir.Thing("gift", name, name.title(), (ir.FieldValue("copies", n),), ())
        for name, n in (("bread", 3), ("salt", 2))
    }
    skills = {
        "haste": ir.Thing("skill", "haste", "Haste", (), ()),
        "calm": ir.Thing("skill", "calm", "Calm", (), ()),
    }
    holds_haste = op("holds", P, ir.ThingRef("skill", "haste", ir.Type("skill")), type=BOOL)
    values = {
        "speed": ir.Value(
            "speed", "", (ir.Param("p", PLAYER),), INT, lit(1),
            (ir.Contribution("haste / modify speed / 1", "skill.haste", "by", lit(2), holds_haste),
             ir.Contribution("rule / modify speed / 1", "doubling", "times", lit(2), holds_haste)),
            at=at(10),
        ),
        "points": ir.Value(
            "points", "", (ir.Param("p", PLAYER),), INT,
            ir.Loop("sum", "a", ir.All("field", FIELDS), None, None,
                    op("*", count(P, here(var("a", FIELD))),
                       ir.FieldOf(var("a", FIELD), "field", "worth", INT)), INT),
            (), at=at(11),
        ),
        "may_enter": ir.Value(
            "may_enter", "", (ir.Param("p", PLAYER), ir.Param("a", FIELD)), BOOL, lit(True),
            (ir.Contribution("calm / forbid may_enter / 1", "skill.calm", "forbid", None,
                             op("==", var("a", FIELD), field("south"), type=BOOL),
                             "The south is closed."),),
            at=at(12),
        ),
        "victory.points": ir.Value(
            "victory.points", "", (ir.Param("p", PLAYER),), INT,
            op("-", lit(0), ir.ValueCall("points", (P,), INT)), (), at=at(13),
        ),
        "first.few": ir.Value(
            "first.few", "", (ir.Param("p", PLAYER),), INT, count(P, BOARD), (), at=at(14),
        ),
    }  # fmt: skip
    orders = {
        "victory": ir.Order("victory", "", (ir.Param("p", PLAYER),), ("victory.points",)),
        "first": ir.Order("first", "", (ir.Param("p", PLAYER),), ("first.few",)),
    }
    bring = ir.Choose(
        "n", "bring.n", P, op("range", lit(0), op("min", lit(3), count(P, BAG)), type=RANGE),
        None, None, True, None, None, False, False, False,
        text("How many, ", P, "?"), INT, at=at(21),
    )  # fmt: skip
    phases = {
        "bring": ir.Phase("bring", "Bring", (), (
            ir.Stage("at_once", "bring.1", "p", PLAYER, ir.All("players", PLAYERS), body=(
                bring,
                ir.Move(var("n", INT), stones(P), BAG, here(field("north")), None, at=at(22)),
                ir.Say(text(P, " brings ", var("n", INT), "."), None, at=at(23)),
            ), at=at(20)),
        ), at=at(19)),
        "walk": ir.Phase("walk", "Walk", (), (
            ir.Stage("act", "walk.1", "p", PLAYER, ir.All("players", PLAYERS),
                     order=ir.OrderRef("first"), until="done", body=(
                         ir.Turn(None, stones(P), BOARD, "fresh", at=at(32)),), at=at(31)),
        ), at=at(30)),
        "end": ir.Phase("end", "End", (), (
            ir.Stage("once", "end.1", body=(
                ir.Assign(ir.AttrOf(None, "round", INT), None, "+", lit(1), at=at(41)),
                ir.If(op(">=", ir.AttrOf(None, "round", INT), ir.OptionRef("rounds", INT),
                         type=BOOL), (ir.EndGame(at=at(43)),), (), at=at(42)),
            ), at=at(40)),
        ), at=at(39)),
    }  # fmt: skip
    a, b = var("origin", FIELD), var("target", FIELD)
    march = ir.Action(
        "march", "March", "walk", "p",
        (ir.ActionParam("origin", ir.Having(ir.All("field", FIELDS), stones(P, "fresh"), FIELDS),
                        None, True, None, None, "From", FIELD, at=at(51)),
         ir.ActionParam("target", ir.FieldOf(a, "field", "next", FIELDS),
                        ir.ValueCall("may_enter", (P, var("it", FIELD)), BOOL),
                        True, None, None, "To", FIELD, at=at(52)),
         ir.ActionParam("n", op("range", lit(1), count(P, here(a), "fresh"), type=RANGE),
                        None, True, None, None, "Number", INT, at=at(53))),
        (ir.Requirement(op("!=", ir.AttrOf(P, "tired", BOOL), lit(True), type=BOOL),
                        "You are tired.", at=at(54)),),
        (ir.Move(var("n", INT), stones(P, "fresh"), here(a), here(b), "weary", at=at(55)),),
        at=at(50),
    )  # fmt: skip
    data: dict[str, Any] = {
        "stack": "small",
        "packs": (),
        "kinds": {
            "skill": ir.Kind("skill", "", "skills", ("holdable",), (), ()),
            "gift": ir.Kind("gift", "", "gifts", ("card",), (
                ir.Field("copies", INT, None, True),), ()),
            "field": ir.Kind("field", "", "fields", ("place",), (
                ir.Field("next", FIELDS, None, True, True), ir.Field("worth", INT, lit(0), False),
            ), ()),
        },
        "things": {"skill": skills, "gift": gifts, "field": fields},
        "pieces": {"stone": ir.Piece("stone", "", 10, "bag", ("fresh", "weary"))},
        "piece_groups": {},
        "places": {
            "bag": ir.Place("bag", "", "owner", "", "open"),
            "hand": ir.Place("hand", "", "player", "card", "secret"),
            "deck": ir.Place("deck", "", "table", "card", "hidden"),
        },
        "cards": {"card": ir.CardFamily("card", "", ("gift",))},
        "neutrals": {"wild": ir.Neutral("wild", "The Wild", (("stone", 5),))},
        "attributes": {
            "round": ir.Attribute("round", "", "table", INT, lit(0), "game", False),
            "tired": ir.Attribute("tired", "", "player", BOOL, lit(False), "phase", False),
            "plan": ir.Attribute("plan", "", "player", FIELDS, op("set", type=FIELDS),
                                 "game", True),
        },
        "options": {"rounds": ir.Option("rounds", "", INT, 3, ())},
        "values": values,
        "orders": orders,
        "procedures": {},
        "phases": phases,
        "actions": {"march": march},
        "turns": {"main": ir.TurnOrder("main", (), ("bring", "walk", "end"), "victory", "points")},
        "advice": (
            ir.Advice("bring.n", (ir.Preference(var("it", INT), None),)),
            ir.Advice("march", (ir.Preference(
                op("-", ir.FieldOf(b, "field", "worth", INT),
                   ir.FieldOf(a, "field", "worth", INT)), None),)),
        ),
        "scenarios": (),
    }  # fmt: skip
    return ir.Ruleset(**(data | changes))
