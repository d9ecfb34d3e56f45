"""Names for results, loops, branches, labelled steps, and ways out of them."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Note, Span
from ziggurat.dsl.forms.logic import narrowed
from ziggurat.dsl.linking.arguments import order_ref
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import collection, condition, guard, linked, want
from ziggurat.dsl.linking.model import unquoted
from ziggurat.dsl.linking.narrowing import found_out, narrowing
from ziggurat.dsl.linking.settled import ALWAYS, NEVER
from ziggurat.dsl.linking.statements import (
    block,
    candidates,
    ends,
    in_loop,
    name_local,
    split_meta,
    statement,
    steps,
)
from ziggurat.dsl.linking.types import set_of
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.layout import OPEN, Line, quoted
from ziggurat.dsl.printing.printer import SPAN, SUM, Printer, prints_line, prints_lines
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.forms.flow import For, GiveBack, If, Jump, Let, Repeat, Step
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    INT,
    Body,
    Stmt,
    Type,
    zero,
)
from ziggurat.runtime.kernel.walking import walk


def knowing(cx: Context, run: Callable[[], Body]) -> Body:
    """Steps that happen only if a condition holds, with names for what it found out."""
    named, body = found_out(cx, run)
    return (*(Let(name, found, at=found.at) for name, found in named), *body)


def let(cx: Context, node: Any) -> Stmt:
    """`let n = 3`."""
    name, value = node.parts
    old = cx.names.get(name)
    found = linked(cx, value, old.type if old and old.what == "let" else None)
    return Let(name_local(cx, name, found.type), found, at=cx.at(node))


@statement("for_each", "for_groups")
def _link_for(cx: Context, node: Any) -> Stmt:
    name, source, filter_, by, inner = node.parts
    grouped = node.rule == "for_groups"
    found, item = collection(cx, source)
    outer = cx.names
    cx.names = dict(outer)
    test = None
    if grouped:
        # Members are filtered before they are grouped, so the filter speaks of one member.
        test = candidates(cx, filter_, item)
        order = order_ref(cx, by, item)
        entry = cx.bind(name, set_of(item), "loop")
        inside = in_loop(cx, inner)
    else:
        order = order_ref(cx, by, item)
        entry = cx.bind(name, item, "loop")
        with narrowing(cx):
            test = guard(cx, filter_)
            inside = knowing(cx, lambda: in_loop(cx, inner))
    cx.names = outer
    return For(entry.name, found, test, order, grouped, inside, at=cx.at(node))


@statement("repeat_while")
def _link_repeat_while(cx: Context, node: Any) -> Stmt:
    test, bound, inner = node.parts
    times = want(cx, bound.parts[0], INT) if bound is not None else None
    with narrowing(cx):
        while_ = condition(cx, test)
        inside = knowing(cx, lambda: in_loop(cx, inner))
    return Repeat(while_, times, inside, at=cx.at(node))


@statement("repeat_times")
def _link_repeat_times(cx: Context, node: Any) -> Stmt:
    times, inner = node.parts
    number = want(cx, times, INT)
    return Repeat(None, number, in_loop(cx, inner), at=cx.at(node))


@statement("if")
def _link_branch(cx: Context, node: Any) -> Stmt | None:
    return _if(cx, node)


def _if(cx: Context, node: Any) -> Stmt | None:
    test, then, other = node.parts
    with narrowing(cx):
        holds = condition(cx, test)
        first = knowing(cx, lambda: block(cx, then)) if holds is not NEVER else ()
    second: Body = ()
    if other is not None and holds is not ALWAYS:
        chained = _if(cx, other) if other.rule == "else_if" else None
        second = (chained,) if chained is not None else block(cx, other)
    if holds is NEVER:
        holds, first, second = ALWAYS, second, ()
    return If(holds, first, second, at=cx.at(node)) if holds is not ALWAYS or first else None


@statement("stop", "skip", "leave")
def _link_jump(cx: Context, node: Any) -> Stmt:
    how = node.rule
    if how != "stop" and not cx.loops:
        cx.error("Z315", f"`{how}` belongs inside a loop, and here is none.", node,
                 "To end the whole block write `stop`.")  # fmt: skip
    jump = Jump(how, at=cx.at(node))
    test = node.parts[0]
    if test is None:
        return jump
    holds = condition(cx, test.parts[0])
    if test.rule == "unless":
        holds = Op("not", (holds,), BOOL, at=holds.at)
    return If(holds, (jump,), (), at=cx.at(node))


@statement("give_back")
def _link_give_back(cx: Context, node: Any) -> Stmt | None:
    if cx.gives is not None:
        return GiveBack(want(cx, node.parts[0], cx.gives), at=cx.at(node))
    message = "Here nobody asks for a result, so there is none to give."
    advice = "Say what a procedure gives, `procedure …(): area`; to hand over: `give … to p`."
    cx.error("Z351", message, node, advice)
    return None


def check_gives(world: World, body: Body, type_: Type, name: str, span: Span) -> None:
    """A procedure gives what it says it gives."""
    if any(isinstance(part, GiveBack) for part in walk(body)):
        check_every_way(world, body, type_, name, span)
    else:
        message = f"`{name}` says that it gives {world.describe(type_)}, but never does."
        world.report("Z352", message, span, "End it with `give …`, or take the type away.")


def check_every_way(world: World, body: Body, type_: Type, name: str, span: Span) -> None:
    """Where nothing can stand in for the result, there is one whichever way steps go."""
    if type_ is ERROR_TYPE or type_.maybe or zero(type_) is not None:
        return
    stops = any(isinstance(part, Jump) and part.how == "stop" for part in walk(body))
    if stops or not body or not ends(body[-1]):
        message = f"Not every way through `{name}` gives {world.describe(type_)}."
        advice = f"End each with `give …`, or let it give `{type_.name} or none`."
        world.report("Z352", message, span, advice)


@statement("step")
def _link_step(cx: Context, node: Any) -> Stmt:
    """A labelled step. It is a name for amendments, not a fence: what it names is seen after it."""
    label, title, inner = node.parts[0].parts
    path = f"{cx.path}.{label}"
    if path in cx.labels:
        note = Note("The first one is here.", cx.labels[path])
        cx.error(
            "Z406", f"There are two steps called `{label}` here.", label, "Rename one.", (note,)
        )
    cx.labels[path] = cx.span(label)
    cx.world.steps.setdefault(path, unquoted(title))
    cx.makes("step", path, label)
    metas, rest = split_meta(inner.parts)
    return Step(
        str(label), path, unquoted(title),
        steps(cx, rest), cx.meta(metas), at=cx.at(node),
    )  # fmt: skip


@prints_line(Let)
def _print_let(printer: Printer, stmt: Let) -> str:
    return f"let {printer.local(stmt.name)} = {printer.text(stmt.expr)}"


@prints_line(GiveBack)
def _print_give(printer: Printer, stmt: GiveBack) -> str:
    return f"give {printer.text(stmt.expr)}"


@prints_lines(For)
def _print_for(printer: Printer, stmt: For, depth: int) -> Iterator[Line]:
    grouped = " grouped" if stmt.grouped else ""
    source = f"{printer.local(stmt.var)} in {printer.text(stmt.source, SPAN)}"
    rest = f"{printer.where(stmt.where)}{grouped}{printer.order(stmt.order)}"
    yield Line(depth, f"for each {source}{rest}{OPEN}", stmt.at)
    yield from printer.block(stmt.body, depth + 1)


@prints_lines(Repeat)
def _print_repeat(printer: Printer, stmt: Repeat, depth: int) -> Iterator[Line]:
    times = printer.text(stmt.times, SUM) if stmt.times else ""
    if stmt.condition is None:
        head = f"repeat {times or 1} times"
    else:
        bound = f" at most {times} times" if times else ""
        head = f"repeat while {printer.text(stmt.condition)}{bound}"
    yield Line(depth, head + OPEN, stmt.at)
    yield from printer.block(stmt.body, depth + 1)


@prints_lines(Step)
def _print_step(printer: Printer, stmt: Step, depth: int) -> Iterator[Line]:
    title = f" {quoted(stmt.title)}" if stmt.title and printer.wording else ""
    label = printer.lexicon.renames.get(("step", stmt.path), stmt.label)
    yield Line(depth, f"step {label}{title}{OPEN}", stmt.at, stmt.meta)
    yield from printer.block(stmt.body, depth + 1)


@prints_line(Jump)
def _print_jump(printer: Printer, stmt: Jump) -> str:
    return stmt.how


@prints_lines(If)
def _print_if(printer: Printer, stmt: If, depth: int) -> Iterator[Line]:
    match stmt:
        case If(condition, (Jump(how),), ()):
            negated = isinstance(condition, Op) and condition.op == "not"
            test = condition.args[0] if isinstance(condition, Op) and negated else condition
            word = "unless" if negated else "if"
            yield Line(depth, f"{how} {word} {printer.text(test)}", stmt.at)
            return
    then = printer.block(stmt.then, depth + 1)
    other = printer.block(stmt.other, depth + 1)
    if not then and not other and (stmt.then or stmt.other):
        return
    name = ""
    match stmt:
        case If(Op("is_player" | "is_kind") as test, (Let(local, found), *_)):
            if found == narrowed(test):
                name = f" {printer.local(local)}"
                then = then[1:]
    yield Line(depth, f"if {printer.text(stmt.condition)}{name}{OPEN}", stmt.at)
    yield from then
    if len(stmt.other) == 1 and isinstance(stmt.other[0], If) and other[0].text.endswith(OPEN):
        first, *rest = printer.block(stmt.other, depth)
        yield attrs.evolve(first, text=f"else {first.text}")
        yield from rest
    elif other:
        yield Line(depth, f"else{OPEN}", stmt.other[0].at)
        yield from other
