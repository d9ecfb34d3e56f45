"""Steps: what a body does, lowered one by one, with the names each brings into sight."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from lark import Token

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.ir import Body, Expr, Op, Stmt, Type
from ziggurat.dsl.linking.calls import order_ref
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import (
    collection,
    condition,
    guard,
    lower,
    want,
)
from ziggurat.dsl.linking.model import ELSEWHERE, Item
from ziggurat.dsl.linking.types import (
    BOOL,
    INT,
    WRONG,
    fits,
    join,
    set_of,
)

Lower = Callable[[Context, Any], Stmt | None]
STATEMENTS: dict[str, Lower] = {}


def statement(*rules: str) -> Callable[[Lower], Lower]:
    """Register the function that lowers these rules."""

    def register(function: Lower) -> Lower:
        for rule in rules:
            STATEMENTS[rule] = function
        return function

    return register


def body(cx: Context, nodes: Iterable[Any]) -> Body:
    """The steps of a block in order; names made in it are not seen outside."""
    outer = cx.names
    cx.names = dict(outer)
    found = steps(cx, nodes)
    cx.names = outer
    return found


def steps(cx: Context, nodes: Iterable[Any]) -> Body:
    """Steps in order; names made in them stay in sight."""
    out: list[Stmt] = []
    ended: Any = None
    for node in nodes:
        if ended is not None:
            _unreachable(cx, node, ended)
            ended = None
        found = step(cx, node)
        if found is not None:
            out.append(found)
            ended = node if _ends(found) and node.rule != ELSEWHERE else None
    return tuple(out)


def _ends(step: Stmt) -> bool:
    """Whether nothing after this step is ever reached."""
    match step:
        case ir.Jump() | ir.EndGame():
            return True
        case ir.If():
            return all(side and _ends(side[-1]) for side in (step.then, step.other))
        case ir.Step():
            return bool(step.body) and _ends(step.body[-1])
        case _:
            return False


def step_items(cx: Context, items: Iterable[Item]) -> Body:
    """The steps of a declaration, whose parts may come from several files."""
    out: list[Stmt] = []
    for file, group in groupby(items, key=lambda item: item.file):
        cx.enter(file)
        out += steps(cx, [item.node for item in group])
    return tuple(out)


def statement_items(items: Iterable[Item], rule: str) -> tuple[list[Item], list[Item]]:
    """The items of one rule, and all others."""
    chosen: list[Item] = []
    rest: list[Item] = []
    for item in items:
        (chosen if getattr(item.node, "rule", "") == rule else rest).append(item)
    return chosen, rest


def block(cx: Context, node: Any) -> Body:
    """A block in braces, or nothing at all."""
    return body(cx, node.parts) if node is not None else ()


def step(cx: Context, node: Any) -> Stmt | None:
    rule = getattr(node, "rule", "")
    if rule == ELSEWHERE:
        here = cx.file
        cx.enter(node.parts[1])
        found = step(cx, node.parts[0])
        cx.enter(here)
        return found
    function = STATEMENTS.get(rule)
    if function is None:
        out_of_place(cx, node)
        return None
    return function(cx, node)


def out_of_place(cx: Context, node: Any, where_: str = "among the steps of a body") -> None:
    rule = getattr(node, "rule", "")
    what = _SPOKEN.get(rule, "This")
    advice = (
        "It stands in a declaration, such as `rule some_name { … }`." if rule in _CLAUSES else None
    )
    cx.error("Z310", f"{what} cannot stand {where_}.", node, advice)


_CLAUSES = frozenset({"modify", "allow", "forbid", "before", "after", "instead"})
_SPOKEN = {
    "field": "A field", "field_shape": "A field", "modify": "A `modify`", "allow": "An `allow`",
    "forbid": "A `forbid`", "needs": "A requirement", "prefer": "A preference", "body": "A block",
    "before": "A trigger", "after": "A trigger", "instead": "A trigger", "cites": "A citation",
    "tags": "A list of tags", "once": "A stage", "each": "A stage", "at_once": "A stage",
    "act": "A stage", "while_stage": "A stage", "perform": "A stage", "given": "A `given`",
    "expect": "An `expect`", "run": "A `run`", "run_phase": "A `run`", "check": "A `check`",
    "cast": "A list of players", "deal": "A `deal`", "keep": "A `keep`",
}  # fmt: skip


_ALWAYS_ENDS = {"if": "both sides of the `if` before it stop", "step": "the step before it stops"}


def _unreachable(cx: Context, node: Any, ended: Any) -> None:
    word = str(ended.rule).replace("_", " ")
    reason = _ALWAYS_ENDS.get(word, f"`{word}` comes before it")
    jump = word if word in ("skip", "leave") else "stop"
    when = "" if word == "end game" else f", or say when to {jump}: `{jump} if …`"
    note = Note("After this nothing can follow.", cx.span(ended))
    span = node.parts[1].span(node) if node.rule == ELSEWHERE else cx.span(node)
    message = f"This is never reached, because {reason}."
    cx.world.report("Z316", message, span, f"Take it away{when}.", (note,))


# ---- names and attributes -----------------------------------------------------------------------


def name_local(cx: Context, token: Token, type_: Type, what: str = "let") -> str:
    """Bring a result into sight, or give an earlier one of the same type a new value."""
    old = cx.names.get(token)
    if old is None or old.what == "wrong":
        return cx.bind(token, type_, what).name
    if old.what != "let" or what != "let":
        return cx.bind(token, type_, what).name
    if old.type is not WRONG and not fits(type_, old.type):
        say = cx.world.describe
        both = join(old.type, type_)
        if both is not None:
            old.type = both
            return old.name
        notes = (Note(f"Here it is {say(old.type)}.", old.span),) if old.span else ()
        message = f"`{token}` is {say(old.type)} and cannot become {say(type_)}."
        cx.error("Z215", message, token, "Use another name.", notes)
    return old.name


@statement("let")
def _let(cx: Context, node: Any) -> Stmt:
    name, value = node.parts
    old = cx.names.get(name)
    found = lower(cx, value, old.type if old and old.what == "let" else None)
    return ir.Let(name_local(cx, name, found.type), found, at=cx.at(node))


def candidates(cx: Context, filter_: Any, item: Type) -> Expr | None:
    """A `where …` in which `it` is the candidate."""
    return with_it(cx, item, lambda: guard(cx, filter_)) if filter_ is not None else None


def with_it(cx: Context, item: Type, run: Callable[[], Any]) -> Any:
    before = cx.names.get("it")
    cx.define("it", item, "it")
    found = run()
    if before is None:
        cx.names.pop("it", None)
    else:
        cx.names["it"] = before
    return found


# ---- loops and branches -------------------------------------------------------------------------


@statement("for_each", "for_groups")
def _for(cx: Context, node: Any) -> Stmt:
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
    else:
        entry = cx.bind(name, item, "loop")
        test = guard(cx, filter_)
        order = order_ref(cx, by, item)
    inside = in_loop(cx, inner)
    cx.names = outer
    return ir.For(entry.name, found, test, order, grouped, inside, at=cx.at(node))


def in_loop(cx: Context, inner: Any) -> Body:
    cx.loops += 1
    found = block(cx, inner)
    cx.loops -= 1
    return found


@statement("repeat_while")
def _repeat_while(cx: Context, node: Any) -> Stmt:
    test, bound, inner = node.parts
    while_ = condition(cx, test)
    times = want(cx, bound.parts[0], INT) if bound is not None else None
    return ir.Repeat(while_, times, in_loop(cx, inner), at=cx.at(node))


@statement("repeat_times")
def _repeat_times(cx: Context, node: Any) -> Stmt:
    times, inner = node.parts
    number = want(cx, times, INT)
    return ir.Repeat(None, number, in_loop(cx, inner), at=cx.at(node))


@statement("if")
def _branch(cx: Context, node: Any) -> Stmt:
    return _if(cx, node)


def _if(cx: Context, node: Any) -> Stmt:
    test, then, other = node.parts
    holds = condition(cx, test)
    first = block(cx, then)
    second: Body
    if other is not None and other.rule == "else_if":
        second = (_if(cx, other),)
    else:
        second = block(cx, other)
    return ir.If(holds, first, second, at=cx.at(node))


@statement("stop", "skip", "leave")
def _jump(cx: Context, node: Any) -> Stmt:
    how = node.rule
    if how != "stop" and not cx.loops:
        cx.error("Z315", f"`{how}` belongs inside a loop, and here is none.", node,
                 "To end the whole block write `stop`.")  # fmt: skip
    jump = ir.Jump(how, at=cx.at(node))
    test = node.parts[0]
    if test is None:
        return jump
    holds = condition(cx, test.parts[0])
    if test.rule == "unless":
        holds = Op("not", (holds,), BOOL, at=holds.at)
    return ir.If(holds, (jump,), (), at=cx.at(node))


@statement("step")
def _step(cx: Context, node: Any) -> Stmt:
    """A labelled step. It is a name for amendments, not a fence: what it names is seen after it."""
    label, title, inner = node.parts[0].parts
    path = f"{cx.path}.{label}"
    if path in cx.labels:
        note = Note("The first one is here.", cx.labels[path])
        cx.error(
            "Z406", f"There are two steps called `{label}` here.", label, "Rename one.", (note,)
        )
    cx.labels[path] = cx.span(label)
    metas, rest = split_meta(inner.parts)
    return ir.Step(
        str(label), path, " ".join(title[1:-1].split()) if title is not None else "",
        steps(cx, rest), cx.meta(metas), at=cx.at(node),
    )  # fmt: skip


def split_meta(nodes: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Citations and tags apart from everything else in a block."""
    metas: list[Any] = []
    rest: list[Any] = []
    for node in nodes:
        (metas if getattr(node, "rule", "") in ("cites", "tags") else rest).append(node)
    return metas, rest
