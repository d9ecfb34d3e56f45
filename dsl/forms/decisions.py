"""Decisions: the four ways a rule asks somebody, each with a path of its own."""

from collections.abc import Iterator
from typing import Any

from ziggurat.dsl.forms.flow import knowing
from ziggurat.dsl.forms.speech import sentence
from ziggurat.dsl.linking.arguments import order_ref
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import collection, fitted, guard, linked, want
from ziggurat.dsl.linking.narrowing import narrowing
from ziggurat.dsl.linking.statements import block, candidates, name_local, statement, with_it
from ziggurat.dsl.linking.types import NONE, fits, map_of, optional, set_of
from ziggurat.dsl.linking.world import Decision
from ziggurat.dsl.printing.layout import OPEN, Line
from ziggurat.dsl.printing.printer import (
    ANY,
    POSTFIX,
    SPAN,
    SUM,
    Printed,
    Printer,
    prints,
    prints_line,
    prints_lines,
)
from ziggurat.dsl.syntax import Token
from ziggurat.runtime.kernel.forms.core import Lit
from ziggurat.runtime.kernel.forms.decisions import Choose, Divide, May, Select, Wish
from ziggurat.runtime.kernel.forms.speech import Text
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    INT,
    OWNER,
    Expr,
    Stmt,
    Type,
)


def decider(cx: Context, node: Any) -> Expr:
    """Who decides: an owner, and nothing else."""
    found = linked(cx, node, OWNER)
    if found.type is not ERROR_TYPE and (not fits(found.type, OWNER) or found.type == NONE):
        message = f"Only an owner can decide, and this is {cx.world.describe(found.type)}."
        return cx.wrong("Z313", message, node, "Write `by` a player or another owner.")
    return found


def register(
    cx: Context, name: Token, candidate: Type, answer: Type, *, by_chance: bool = False
) -> str:
    """Give the decision its path, by which advice and scenarios know it."""
    path = f"{cx.path}.{name}"
    cx.world.decisions.setdefault(path, Decision(path, candidate, answer, by_chance))
    cx.makes("decision", path, name)
    return path


def bounds(cx: Context, node: Any) -> tuple[bool, Expr | None, Expr | None]:
    """How many are chosen: whether just one, and otherwise at least and at most how many."""
    if node is None:
        return True, None, None
    at = cx.at(node)
    zero = Lit(0, INT, at=at)
    if node.rule == "any_number":
        return False, zero, None
    number = want(cx, node.parts[0], INT)
    if node.rule == "exactly":
        return False, number, number
    return (False, zero, number) if node.rule == "up_to" else (False, number, None)


@statement("choose")
def _link_choose(cx: Context, node: Any) -> Stmt:
    amount, name, by, source, filter_, order, prompt, styles = node.parts
    single, least, most = bounds(cx, amount)
    who = decider(cx, by)
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    sorted_ = order_ref(cx, order, item)
    words = {style.rule for style in styles.parts}
    text = sentence(cx, prompt)
    type_ = set_of(item) if not single else optional(item) if "optionally" in words else item
    path = register(cx, name, item, type_)
    return Choose(
        name=name_local(cx, name, type_, "choice"),
        path=path,
        by=who,
        source=found,
        where=test,
        order=sorted_,
        single=single,
        least=least,
        most=most,
        optional="optionally" in words,
        always="ask_always" in words,
        secret="secretly" in words,
        prompt=text,
        type=type_,
        at=cx.at(node),
    )


@statement("may")
def _link_may(cx: Context, node: Any) -> Stmt:
    by, name, prompt, when, then, other = node.parts
    who = decider(cx, by)
    path = register(cx, name, BOOL, BOOL)
    with narrowing(cx):
        test = guard(cx, when)
        text = sentence(cx, prompt)
        first = knowing(cx, lambda: block(cx, then))
    second = block(cx, other)
    return May(str(name), path, who, test, first, second, text, at=cx.at(node))


@statement("select")
def _link_select(cx: Context, node: Any) -> Stmt:
    name, by, source, filter_, prompt, constraints, relaxing = node.parts
    who = decider(cx, by)
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    wishes = with_it(
        cx,
        item,
        lambda: tuple(
            tuple(_wish(cx, part, item) for part in constraint.parts)
            for constraint in constraints.parts
        ),
    )
    text = sentence(cx, prompt)
    type_ = set_of(item)
    path = register(cx, name, item, type_)
    bound = name_local(cx, name, type_, "choice")
    relax = relaxing is not None
    return Select(bound, path, who, found, test, wishes, relax, text, type_, at=cx.at(node))


def _wish(cx: Context, node: Any, item: Type) -> Wish:
    at = cx.at(node)
    if node.rule == "none_spare":
        return Wish("none_spare", at=at)
    if node.rule == "connected":
        near = fitted(cx, linked(cx, node.parts[0]), set_of(item), node.parts[0])
        return Wish("connected", near, at=at)
    weight, bound = node.parts
    return Wish(node.rule, want(cx, weight, INT), want(cx, bound, INT), at=at)


@statement("divide")
def _link_divide(cx: Context, node: Any) -> Stmt:
    total, name, among, by, prompt, allowing, secretly = node.parts
    number = want(cx, total, INT)
    found, item = collection(cx, among)
    who = decider(cx, by)
    amounts = with_it(cx, item, lambda: _amounts(cx, allowing))
    text = sentence(cx, prompt)
    type_ = map_of(item, INT)
    path = register(cx, name, item, type_)
    bound = name_local(cx, name, type_, "choice")
    return Divide(
        bound, path, number, found, who, amounts, text, type_,
        secret=secretly is not None, at=cx.at(node),
    )  # fmt: skip


def _amounts(cx: Context, node: Any) -> Expr:
    found, item = collection(cx, node)
    if not fits(item, INT):
        message = (
            f"This must be a range or a set of numbers, but it is {cx.world.describe(found.type)}."
        )
        return cx.wrong("Z301", message, node)
    return found


def amount(printer: Printer, least: Expr | None, most: Expr | None) -> str:
    """How many a set may have: `3`, `up to n`, `at least n`, `any number of`."""
    none_needed = least is None or (isinstance(least, Lit) and least.value == 0)
    at_least = "" if least is None or none_needed else f"at least {printer.text(least, SUM)}"
    if most is None:
        return at_least or "any number of"
    if least == most:
        return printer.text(most, SUM)
    return f"{at_least} up to {printer.text(most, SUM)}".lstrip()


def _prompt(printer: Printer, prompt: Text) -> str:
    return f" {printer.text(prompt)}" if printer.wording and prompt.parts else ""


def _asked(printer: Printer, stmt: Choose | Select) -> str:
    by, source = printer.text(stmt.by, SUM), printer.text(stmt.source, SPAN)
    return f"{printer.local(stmt.name)} by {by} from {source}{printer.where(stmt.where)}"


@prints_line(Choose)
def _print_choose(printer: Printer, stmt: Choose) -> str:
    number = "" if stmt.single else f"{amount(printer, stmt.least, stmt.most)} "
    rest = printer.order(stmt.order) + _prompt(printer, stmt.prompt)
    styles = {"optionally": stmt.optional, "ask always": stmt.always, "secretly": stmt.secret}
    words = "".join(f" {style}" for style, on in styles.items() if on)
    return f"choose {number}{_asked(printer, stmt)}{rest}{words}"


@prints_lines(May)
def _print_may(printer: Printer, stmt: May, depth: int) -> Iterator[Line]:
    head = f"may {printer.text(stmt.by, POSTFIX)} {printer.local(stmt.name)}"
    head += _prompt(printer, stmt.prompt) + printer.where(stmt.when, "when")
    if stmt.then or not stmt.other:
        yield Line(depth, head + OPEN, stmt.at, stmt.meta)
        yield from printer.block(stmt.then, depth + 1)
    if stmt.other:
        # Where only a refusal does anything, `otherwise` stands behind an empty block.
        before = "" if stmt.then else f"{head} {{}} "
        yield Line(depth, f"{before}otherwise{OPEN}", stmt.other[0].at)
        yield from printer.block(stmt.other, depth + 1)


_TOTALS = {"total_is": "is", "total_at_most": "at most", "total_at_least": "at least"}


@prints(Wish)
def _print_wish(printer: Printer, wish: Wish) -> Printed:
    weight = printer.text(wish.weight, SUM) if wish.weight else ""
    bound = printer.text(wish.bound, SUM) if wish.bound else ""
    if wish.kind in _TOTALS:
        return f"total {weight} {_TOTALS[wish.kind]} {bound}", ANY
    return (f"connected by {weight}" if wish.kind == "connected" else "none spare"), ANY


@prints_line(Select)
def _print_select(printer: Printer, stmt: Select) -> str:
    together = (" and ".join(map(printer.text, wishes)) for wishes in stmt.constraints)
    relaxing = " relaxing from the last" if stmt.relax else ""
    head = f"select {_asked(printer, stmt)}{_prompt(printer, stmt.prompt)}"
    return f"{head} such that {', '.join(together)}{relaxing}"


@prints_line(Divide)
def _print_divide(printer: Printer, stmt: Divide) -> str:
    total, among = printer.text(stmt.total, SUM), printer.text(stmt.among, SUM)
    by, allowing = printer.text(stmt.by, SUM), printer.text(stmt.allowing, SPAN)
    head = f"divide {total} {printer.local(stmt.name)} among {among} by {by}"
    secretly = " secretly" if stmt.secret else ""
    return f"{head}{_prompt(printer, stmt.prompt)} allowing {allowing}{secretly}"
