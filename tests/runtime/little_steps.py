"""Random statements of the little foreign game: procedures with decisions, loops and triggers."""

from typing import Any

import attrs
from hypothesis import strategies as st

from tests.runtime.little import (
    AREA,
    AREAS,
    BOOL,
    INT,
    LIST,
    LITTLE,
    MARKS,
    PARAMS,
    PLAYER,
    RANGE,
    SKILL,
    WILD,
    A,
    Maker,
    P,
    lit,
    named,
    op,
    or_none,
)
from ziggurat.runtime import kernel as ir

STATEMENTS = (
    "let", "assign", "index", "include", "exclude", "late", "move", "turn", "put", "shuffle",
    "pick", "give", "for", "grouped", "repeat", "if", "stop", "step", "say", "call", "choose",
    "some", "may", "select", "divide", "recall", "begin", "field", "clear", "result", "back",
)  # fmt: skip

BID = LITTLE.bundles["bid"].attributes


class Author(Maker):
    """Draws statements too. Locals are only what is bound on every way to a statement."""

    def body(self, depth: int, scope: tuple[ir.Expr, ...], loop: bool = False) -> ir.Body:
        made = []
        for _ in range(self.draw(st.integers(1, 4))):
            which = self.draw(st.sampled_from(STATEMENTS))
            statement, *bound = self.statement(which, depth, scope, loop)
            made.append(statement)
            scope = (*scope, *bound)
        return tuple(made)

    def statement(self, which: str, depth: int, scope: tuple[ir.Expr, ...], loop: bool) -> Any:
        def sub(type_: ir.Type, *more: ir.Expr) -> Any:
            return self.one(type_, 1, (*scope, *more))

        def inner(*more: ir.Expr, loop: bool = loop) -> ir.Body:
            return self.body(depth - 1, (*scope, *more), loop) if depth else ()

        it = ir.Local("it", AREA)
        name = f"n{len(scope)}"
        path = f"q.{name}"
        score, seen = ir.AttrOf(sub(PLAYER), "score", INT), ir.AttrOf(P, "seen", AREAS)
        where = self.pick(lambda: None, lambda: sub(BOOL, it))
        prompt = ir.Text(("So many: ", sub(INT)))
        units = ir.Units(("pawn",), self.pick(lambda: None, lambda: "tired"), sub(PLAYER))
        place = self.pick(
            lambda: ir.Whereabouts("area", sub(AREA)),
            lambda: ir.Whereabouts("own", id="reserve"),
            lambda: ir.Whereabouts("areas", sub(AREAS)),
            lambda: ir.Whereabouts("board"),
        )
        number = self.pick(lambda: None, lambda: sub(INT))
        by = self.pick(lambda: sub(PLAYER), lambda: WILD)
        order = ir.OrderRef("crowd", (P,))
        group = ir.Local(f"g{len(scope)}", AREAS)
        member = ir.Local(f"m{len(scope)}", AREA)
        hand = ir.PileRef("hand", sub(PLAYER), ir.Type("pile"))
        match which:
            case "let":
                type_ = self.draw(st.sampled_from([INT, AREA]))
                made = sub(type_)
                return ir.Let(name, made), ir.Local(name, made.type)
            case "assign":
                return (ir.Assign(score, None, self.draw(st.sampled_from("=+-")), sub(INT)),)
            case "index":
                marks = ir.AttrOf(sub(PLAYER), "marks", MARKS)
                return (ir.Assign(marks, sub(SKILL), self.draw(st.sampled_from("=+-")), sub(INT)),)
            case "include" | "exclude":
                return (ir.Assign(seen, None, which, sub(AREA)),)
            case "late":
                return (ir.Assign(ir.AttrOf(None, "late", BOOL), None, "=", sub(BOOL)),)
            case "move":
                target = ir.Whereabouts("area", sub(AREA))
                become = self.pick(lambda: None, lambda: "tired")
                return (ir.Move(number, units, place, target, become),)
            case "turn":
                return (
                    ir.Turn(number, units, place, self.draw(st.sampled_from(["fresh", "tired"]))),
                )
            case "put":
                how = self.draw(st.sampled_from(["in", "top", "under"]))
                return (ir.Put(sub(LIST), True, hand, how),)
            case "shuffle":
                return (ir.Shuffle(ir.PileRef("stock", None, ir.Type("pile"))),)
            case "pick":
                return ir.Pick(name, sub(INT), sub(AREAS), where), ir.Local(name, AREAS)
            case "give":
                return (ir.Give(sub(SKILL), sub(PLAYER), self.draw(st.booleans())),)
            case "for":
                by_order = self.pick(lambda: None, lambda: order)
                filtered = self.pick(lambda: None, lambda: sub(BOOL, member))
                body = inner(member, loop=True)
                return (ir.For(member.name, sub(AREAS), filtered, by_order, False, body),)
            case "grouped":
                body = inner(group, loop=True)
                return (ir.For(group.name, sub(AREAS), None, order, True, body),)
            case "repeat":
                test = self.pick(lambda: None, lambda: sub(BOOL))
                return (ir.Repeat(test, lit(3), inner(loop=True)),)
            case "if":
                return (ir.If(sub(BOOL), inner(), inner()),)
            case "stop":
                how = self.draw(st.sampled_from(["stop", "skip", "leave"] if loop else ["stop"]))
                return (ir.If(sub(BOOL), (ir.Jump(how),), ()),)
            case "step":
                return (ir.Step("s", "q.s", "", inner()),)
            case "say":
                return (ir.Say(prompt, self.pick(lambda: None, lambda: sub(PLAYER))),)
            case "call":
                return (ir.Do("helper", (sub(PLAYER), sub(AREA))),)
            case "choose":
                optional = self.draw(st.booleans())
                made = ir.Choose(
                    name,
                    path,
                    by,
                    sub(AREAS),
                    where,
                    self.pick(lambda: None, lambda: order),
                    True,
                    None,
                    None,
                    optional,
                    self.draw(st.booleans()),
                    False,
                    prompt,
                    AREA,
                )
                return made, ir.Local(name, AREA)
            case "some":
                made = ir.Choose(
                    name,
                    path,
                    by,
                    sub(AREAS),
                    where,
                    None,
                    False,
                    sub(INT),
                    number,
                    False,
                    self.draw(st.booleans()),
                    False,
                    prompt,
                    AREAS,
                )
                return made, ir.Local(name, AREAS)
            case "may":
                when = self.pick(lambda: None, lambda: sub(BOOL))
                return (ir.May(name, path, by, when, inner(), inner(), prompt),)
            case "select":
                wishes = (
                    (ir.Wish("connected", sub(AREAS, it)),),
                    (ir.Wish("total_is", sub(INT, it), sub(INT)),),
                )
                relax = self.draw(st.booleans())
                made = ir.Select(name, path, by, sub(AREAS), where, wishes, relax, prompt, AREAS)
                return made, ir.Local(name, AREAS)
            case "divide":
                allowed = op("range", RANGE, lit(0), sub(INT, it))
                type_ = ir.Type("map", INT, AREA)
                return (ir.Divide(name, path, sub(INT), sub(AREAS), by, allowed, prompt, type_),)
            case "begin":
                size = ir.GivenField("size", sub(INT))
                given = (ir.GivenField("at", sub(AREA)), *self.pick(lambda: (), lambda: (size,)))
                return (ir.Begin(sub(PLAYER), "bid", given, BID),)
            case "field":
                size = ir.AttrOf(sub(PLAYER), "bid.size", INT)
                marks = ir.AttrOf(sub(PLAYER), "bid.marks", MARKS)
                whole = ir.Assign(size, None, self.draw(st.sampled_from("=+-")), sub(INT))
                return (self.pick(lambda: whole, lambda: ir.Assign(marks, sub(SKILL), "+", size)),)
            case "clear":
                return (ir.Clear(sub(PLAYER), "bid", BID),)
            case "result":
                made = ir.Result(name, "asked", (sub(PLAYER), sub(AREA)), or_none(AREA))
                return made, ir.Local(name, made.type)
            case "back":
                return (ir.If(sub(BOOL), (ir.GiveBack(sub(INT)),), ()),)
        return (ir.Recall(sub(PLAYER)),)


@st.composite
def rulesets(draw: st.DrawFn) -> ir.Ruleset:
    author = Author(draw)
    crowd = ir.Count(ir.Units(("pawn",), None, P), ir.Whereabouts("area", A), False, INT)
    key = ir.Value("crowd.size", "", PARAMS, INT, crowd, ())
    triggers = tuple(
        ir.Trigger(f"t{n}", "rule", draw(st.sampled_from(["before", "after", "instead"])),
                   author.pick(lambda: None, lambda: author.one(BOOL, 1, (P, A))),
                   (ir.Assign(ir.AttrOf(P, "score", INT), None, "+", lit(n + 1)),))
        for n in range(draw(st.integers(0, 3)))
    )  # fmt: skip
    add = ir.Assign(ir.AttrOf(None, "turn", INT), None, "+", author.one(INT, 1, (P, A)))
    helper = ir.Procedure("helper", "", PARAMS, (add,), triggers)
    elsewhere = ir.Trigger(
        "e", "rule", "instead", author.one(BOOL, 1, (P, A)), (add, ir.GiveBack(A))
    )
    found = ir.If(author.one(BOOL, 1, (P, A)), (ir.GiveBack(author.one(AREA, 1, (P, A))),), ())
    asked = ir.Procedure(
        "asked", "", PARAMS, (found, add), (*triggers[:1], elsewhere), or_none(AREA)
    )
    return attrs.evolve(
        LITTLE,
        values={**LITTLE.values, "crowd.size": key},
        orders=named(ir.Order("crowd", "", PARAMS, ("crowd.size",))),
        procedures=named(
            helper, asked, ir.Procedure("q", "", PARAMS, author.body(2, (P, A)), (), INT)
        ),
    )
