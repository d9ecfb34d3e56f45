"""Statements in words, as lines with depths."""

from collections.abc import Iterator

import attrs

from ziggurat.dsl.ir import (
    Assign,
    Body,
    Choose,
    Divide,
    Do,
    DoBody,
    EndGame,
    Expr,
    For,
    Give,
    If,
    Jump,
    Let,
    Lit,
    May,
    Move,
    Op,
    Pick,
    Put,
    Recall,
    Repeat,
    Say,
    Select,
    Shuffle,
    Step,
    Stmt,
    Text,
    Turn,
    Whereabouts,
    Wish,
)
from ziggurat.dsl.printing.expressions import POSTFIX, SPAN, SUM, Teller
from ziggurat.dsl.printing.layout import OPEN, Line, quoted

_HOW = {"in": "in", "top": "on top of", "under": "under"}


def body_lines(teller: Teller, body: Body, depth: int = 0) -> list[Line]:
    """The lines of a block. Without wording, what is only said to everybody is left out."""
    return [line for stmt in body for line in _lines(teller, stmt, depth)]


def _lines(teller: Teller, stmt: Stmt, depth: int) -> Iterator[Line]:
    match stmt:
        case If():
            yield from _if(teller, stmt, depth)
        case For() | Repeat():
            yield Line(depth, _loop_head(teller, stmt) + OPEN, stmt.at)
            yield from body_lines(teller, stmt.body, depth + 1)
        case Step():
            title = f" {quoted(stmt.title)}" if stmt.title and teller.wording else ""
            label = teller.lexicon.renames.get(("step", stmt.path), stmt.label)
            yield Line(depth, f"step {label}{title}{OPEN}", stmt.at, stmt.meta)
            yield from body_lines(teller, stmt.body, depth + 1)
        case May():
            yield from _may(teller, stmt, depth)
        case Say():
            yield from _say(teller, stmt, depth)
        case Choose() | Select() | Divide():
            yield Line(depth, _decision(teller, stmt), stmt.at, stmt.meta)
        case _:
            yield Line(depth, _simple(teller, stmt), stmt.at)


# ---- blocks -------------------------------------------------------------------------------------


def _if(teller: Teller, stmt: If, depth: int) -> Iterator[Line]:
    match stmt:
        case If(condition, (Jump(how),), ()):
            negated = isinstance(condition, Op) and condition.op == "not"
            test = condition.args[0] if isinstance(condition, Op) and negated else condition
            word = "unless" if negated else "if"
            yield Line(depth, f"{how} {word} {teller.tell(test)}", stmt.at)
            return
    then = body_lines(teller, stmt.then, depth + 1)
    other = body_lines(teller, stmt.other, depth + 1)
    if not then and not other and (stmt.then or stmt.other):
        return
    yield Line(depth, f"if {teller.tell(stmt.condition)}{OPEN}", stmt.at)
    yield from then
    if len(stmt.other) == 1 and isinstance(stmt.other[0], If) and other[0].text.endswith(OPEN):
        first, *rest = body_lines(teller, stmt.other, depth)
        yield attrs.evolve(first, text=f"else {first.text}")
        yield from rest
    elif other:
        yield Line(depth, f"else{OPEN}", stmt.other[0].at)
        yield from other


def _loop_head(teller: Teller, stmt: For | Repeat) -> str:
    if isinstance(stmt, For):
        grouped = " grouped" if stmt.grouped else ""
        source = f"{teller.local(stmt.var)} in {teller.tell(stmt.source, SPAN)}"
        return f"for each {source}{teller.where(stmt.where)}{grouped}{teller.order(stmt.order)}"
    if stmt.condition is None:
        return f"repeat {teller.tell(stmt.times, SUM) if stmt.times else 1} times"
    bound = f" at most {teller.tell(stmt.times, SUM)} times" if stmt.times else ""
    return f"repeat while {teller.tell(stmt.condition)}{bound}"


def _may(teller: Teller, stmt: May, depth: int) -> Iterator[Line]:
    head = f"may {teller.tell(stmt.by, POSTFIX)} {teller.local(stmt.name)}"
    head += _prompt(teller, stmt.prompt) + teller.where(stmt.when, "when")
    yield Line(depth, head + OPEN, stmt.at, stmt.meta)
    yield from body_lines(teller, stmt.then, depth + 1)
    if stmt.other:
        yield Line(depth, f"otherwise{OPEN}", stmt.other[0].at)
        yield from body_lines(teller, stmt.other, depth + 1)


def _say(teller: Teller, stmt: Say, depth: int) -> Iterator[Line]:
    """Without wording only what one player alone learns is left: who, and of what."""
    if stmt.to is None:
        if teller.wording:
            yield Line(depth, f"say {teller.text(stmt.text)}", stmt.at)
        return
    told = stmt.text
    if not teller.wording:
        holes = [part for part in told.parts if not isinstance(part, str)]
        told = Text(tuple(holes))
    yield Line(depth, f"tell {teller.tell(stmt.to, POSTFIX)} {teller.text(told)}", stmt.at)


# ---- decisions ----------------------------------------------------------------------------------


def _prompt(teller: Teller, prompt: Text) -> str:
    return f" {teller.text(prompt)}" if teller.wording and prompt.parts else ""


def amount(teller: Teller, least: Expr | None, most: Expr | None) -> str:
    """How many a set may have: `3`, `up to n`, `at least n`, `any number of`."""
    none_needed = least is None or (isinstance(least, Lit) and least.value == 0)
    if most is None:
        return (
            "any number of" if none_needed or least is None else f"at least {_sum(teller, least)}"
        )
    if least == most:
        return _sum(teller, most)
    up_to = f"up to {_sum(teller, most)}"
    return up_to if none_needed or least is None else f"at least {_sum(teller, least)} {up_to}"


def _sum(teller: Teller, expr: Expr) -> str:
    return teller.tell(expr, SUM)


def _decision(teller: Teller, stmt: Choose | Select | Divide) -> str:
    name, by = teller.local(stmt.name), _sum(teller, stmt.by)
    prompt = _prompt(teller, stmt.prompt)
    if isinstance(stmt, Divide):
        among = f"among {_sum(teller, stmt.among)} by {by}"
        allowing = teller.tell(stmt.allowing, SPAN)
        return f"divide {_sum(teller, stmt.total)} {name} {among}{prompt} allowing {allowing}"
    source = f"by {by} from {teller.tell(stmt.source, SPAN)}{teller.where(stmt.where)}"
    if isinstance(stmt, Choose):
        number = "" if stmt.single else f"{amount(teller, stmt.least, stmt.most)} "
        return f"choose {number}{name} {source}{teller.order(stmt.order)}{prompt}{_styles(stmt)}"
    wishes = ", ".join(
        " and ".join(_wish(teller, part) for part in constraint) for constraint in stmt.constraints
    )
    relaxing = " relaxing from the last" if stmt.relax else ""
    return f"select {name} {source}{prompt} such that {wishes}{relaxing}"


def _styles(stmt: Choose) -> str:
    styles = {"optionally": stmt.optional, "ask always": stmt.always, "secretly": stmt.secret}
    return "".join(f" {style}" for style, on in styles.items() if on)


def _wish(teller: Teller, wish: Wish) -> str:
    weight = _sum(teller, wish.weight) if wish.weight else ""
    bound = _sum(teller, wish.bound) if wish.bound else ""
    match wish.kind:
        case "total_is":
            return f"total {weight} is {bound}"
        case "total_at_most":
            return f"total {weight} at most {bound}"
        case "total_at_least":
            return f"total {weight} at least {bound}"
        case "connected":
            return f"connected by {weight or bound}"
    return "none spare"


# ---- simple statements --------------------------------------------------------------------------


def _simple(teller: Teller, stmt: Stmt) -> str:
    tell = teller.tell
    match stmt:
        case Let():
            return f"let {teller.local(stmt.name)} = {tell(stmt.expr)}"
        case Assign():
            return _assign(teller, stmt)
        case Move():
            return _move(teller, stmt)
        case Turn():
            where = teller.whereabouts(stmt.where)
            return f"turn {_units(teller, stmt)} in {where} as {stmt.state}"
        case Put():
            return f"put {_sum(teller, stmt.cards)} {_HOW[stmt.how]} {teller.pile(stmt.pile)}"
        case Shuffle():
            return f"shuffle {teller.pile(stmt.pile)}"
        case Pick():
            number = f"{_sum(teller, stmt.quantity)} " if stmt.quantity else ""
            source = f"{tell(stmt.source, SPAN)}{teller.where(stmt.where)}"
            return f"pick {number}{teller.local(stmt.name)} at random from {source}"
        case Give():
            thing, player = _sum(teller, stmt.thing), tell(stmt.player, POSTFIX)
            return f"give {thing} to {player}" if stmt.gain else f"take {thing} from {player}"
        case Jump():
            return stmt.how
        case Recall():
            return f"recall {tell(stmt.player, POSTFIX)}"
        case EndGame():
            return "end game"
        case Do():
            name = teller.lexicon.name("procedure", stmt.procedure)
            return f"{name}({teller.listed(stmt.args)})"
        case DoBody():
            return f"{tell(stmt.thing, POSTFIX)}.{stmt.body}({teller.listed(stmt.args)})"
        case _:
            raise TypeError(f"no words for {type(stmt).__name__}")


def _assign(teller: Teller, stmt: Assign) -> str:
    target = teller.tell(stmt.target, POSTFIX)
    if stmt.index is not None:
        target += f"[{teller.tell(stmt.index)}]"
    amount_told = _sum(teller, stmt.expr)
    match stmt.op:
        case "+":
            return f"add {amount_told} to {target}"
        case "-":
            return f"subtract {amount_told} from {target}"
        case "include":
            return f"include {amount_told} in {target}"
        case "exclude":
            return f"exclude {amount_told} from {target}"
    return f"set {target} = {teller.tell(stmt.expr)}"


def _units(teller: Teller, stmt: Move | Turn) -> str:
    number = "all" if stmt.quantity is None else _sum(teller, stmt.quantity)
    return f"{number} {teller.units(stmt.units)}"


def _move(teller: Teller, stmt: Move) -> str:
    """`place` and `remove` when one end is the pieces' home, else `move`."""
    units = _units(teller, stmt)
    state = f" as {stmt.state}" if stmt.state else ""
    home = teller.lexicon.home(stmt.units.pieces)
    source, target = teller.whereabouts(stmt.source), teller.whereabouts(stmt.target)
    if _is_home(stmt.source, home):
        return f"place {units} in {target}{state}"
    if _is_home(stmt.target, home) and not state:
        return f"remove {units} from {source}"
    return f"move {units} from {source} to {target}{state}"


def _is_home(where: Whereabouts, home: str | None) -> bool:
    return where.kind == "own" and where.id == home
