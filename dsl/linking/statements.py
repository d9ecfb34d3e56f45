"""The door to statements: each is linked by the function its family registers for its rule.

Names that a step makes are brought into sight for those after it.
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import guard
from ziggurat.dsl.linking.model import ELSEWHERE, Item, is_meta
from ziggurat.dsl.linking.types import fits, join, says_nothing, speaks_of
from ziggurat.dsl.syntax import Token
from ziggurat.runtime.kernel.description import BLOCKS, ENDS, blocks_of, described
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, Body, Expr, Stmt, Type
from ziggurat.runtime.kernel.registry import Registry

# By the rule of the grammar.
STATEMENTS = Registry[str, Stmt | None]()
statement = STATEMENTS.add


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
            ended = node if ends(found) and node.rule != ELSEWHERE else None
    return tuple(out)


def ends(step: Stmt) -> bool:
    """Whether nothing after this step is ever reached."""
    how = described(step).ends
    blocks = [getattr(step, name) for name in blocks_of(type(step))]
    return how == ENDS or (how == BLOCKS and all(one and ends(one[-1]) for one in blocks))


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
        _out_of_place(cx, node)
        return None
    return function(cx, node)


MISPLACED: dict[str, tuple[str, str | None]] = {}


def no_step(spoken: str, *rules: str, advice: str | None = None) -> None:
    """Say what messages call nodes of these rules where a step should stand."""
    MISPLACED.update(dict.fromkeys(rules, (spoken, advice)))


no_step("A field", "field", "field_shape")
no_step("A list of things", "alike", advice="Only in a scenario several may be declared at once.")
no_step("A block", "body")
no_step("A citation", "cites")
no_step("A list of tags", "tags")


def _out_of_place(cx: Context, node: Any) -> None:
    spoken, advice = MISPLACED.get(getattr(node, "rule", ""), ("This", None))
    cx.error("Z310", f"{spoken} cannot stand among the steps of a body.", node, advice)


_ALWAYS_ENDS = {"if": "both sides of the `if` before it stop", "step": "the step before it stops"}


def _unreachable(cx: Context, node: Any, ended: Any) -> None:
    word = str(ended.rule).replace("_", " ")
    reason = _ALWAYS_ENDS.get(word, f"`{word}` comes before it")
    jump = word if word in ("skip", "leave") else "stop"
    when = "" if word == "end game" else f", or say when to {jump}: `{jump} if …`"
    note = Note("After this nothing can follow.", cx.span(ended))
    is_elsewhere = getattr(node, "rule", "") == ELSEWHERE
    span = node.parts[1].span(node) if is_elsewhere else cx.span(node)
    message = f"This is never reached, because {reason}."
    cx.world.report("Z316", message, span, f"Take it away{when}.", (note,))


def name_local(cx: Context, token: Token, type_: Type, what: str = "let") -> str:
    """Bring a result into sight, or give an earlier one of the same type a new value."""
    old = cx.names.get(token)
    if old is None or old.what == "wrong":
        return cx.bind(token, type_, what).name
    if old.what != "let" or what != "let":
        return cx.bind(token, type_, what).name
    if old.type is not ERROR_TYPE and not fits(type_, old.type):
        say = cx.world.describe
        # What was empty so far may have been taken for players, and owners are none.
        taken = cx.emptied and speaks_of(type_, "owner")
        both = join(old.type, type_) if says_nothing(old.type) and not taken else None
        if both is not None:
            old.type = both
            return old.name
        notes = (Note(f"Here it is {say(old.type)}.", old.span),) if old.span else ()
        message = f"`{token}` is {say(old.type)} and cannot become {say(type_)}."
        cx.error("Z215", message, token, "Use another name.", notes)
    return old.name


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


def in_loop(cx: Context, inner: Any) -> Body:
    cx.loops += 1
    found = block(cx, inner)
    cx.loops -= 1
    return found


def split_meta(nodes: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Citations and tags apart from everything else in a block."""
    metas: list[Any] = []
    rest: list[Any] = []
    for node in nodes:
        (metas if is_meta(node) else rest).append(node)
    return metas, rest
