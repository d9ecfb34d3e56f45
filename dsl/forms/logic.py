"""Data written out, conditions, comparisons, and one of two values."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ziggurat.dsl.forms.attributes import shared_field, there, whole_bundle
from ziggurat.dsl.linking.bundled import named
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import (
    collection,
    expression,
    linked,
    want,
)
from ziggurat.dsl.linking.narrowing import apart, narrow, narrowing
from ziggurat.dsl.linking.settled import ALWAYS, NEVER, denied, removed_thing, settled
from ziggurat.dsl.linking.types import (
    COLLECTIONS,
    NONE,
    fits,
    join,
    of_kind,
    optional,
    present,
    set_of,
)
from ziggurat.dsl.printing.layout import quoted
from ziggurat.dsl.printing.printer import (
    AND,
    ANY,
    COMPARED,
    NOT,
    OR,
    POSTFIX,
    SPAN,
    UNARY,
    Printed,
    Printer,
    between,
    operation,
    prints,
)
from ziggurat.dsl.syntax import as_name
from ziggurat.runtime.kernel.forms.attributes import AttrOf
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.nodes import BOOL, ERROR_TYPE, INT, PLAYER, TEXT, At, Expr, Type

# Nodes whose meaning may depend on what they are compared with.
_OPEN = frozenset({"name", "none", "set", "list", "map"})


@expression("int")
def _link_int(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(cx.number(node.parts[0]), INT, at=cx.at(node))


@expression("text")
def _link_text(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(str(node.parts[0][1:-1]), TEXT, at=cx.at(node))


@expression("yes", "no")
def _link_yes_no(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(node.rule == "yes", BOOL, at=cx.at(node))


@expression("none")
def _link_none(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(None, wanted if wanted is not None and wanted.maybe else NONE, at=cx.at(node))


@expression("and_", "or_")
def _link_logic(cx: Context, node: Any, wanted: Type | None) -> Expr:
    if node.rule == "and_" and cx.narrowed is None:
        with narrowing(cx):
            return _logic(cx, node)
    return _logic(cx, node)


def _logic(cx: Context, node: Any) -> Expr:
    left, right = node.parts
    first = want(cx, left, BOOL)
    decides, passes = (NEVER, ALWAYS) if node.rule == "and_" else (ALWAYS, NEVER)
    if first is decides:
        return first
    second = want(cx, right, BOOL)
    if first is passes or second is decides:
        return second
    if second is passes:
        return first
    return Op(node.rule[:-1], (first, second), BOOL, at=cx.at(node))


@expression("not_")
def _link_not(cx: Context, node: Any, wanted: Type | None) -> Expr:
    found = want(cx, node.parts[0], BOOL)
    return denied(found) or Op("not", (found,), BOOL, at=cx.at(node))


@expression("if_else")
def _link_if_else(cx: Context, node: Any, wanted: Type | None) -> Expr:
    then, test, other = node.parts
    with narrowing(cx):
        checked = want(cx, test, BOOL)
        if checked is NEVER or checked is ALWAYS:
            return linked(cx, other if checked is NEVER else then, wanted)
        a, b = _pair(cx, then, other, wanted, _linked_apart)
    type_ = join(a.type, b.type)
    if type_ is None:
        return unlike(cx, node, a, b, "The two sides of `else`")
    return Op("if", (checked, a, b), type_, at=cx.at(node))


def _linked_apart(cx: Context, node: Any, wanted: Type | None = None) -> Expr:
    """What holds if a test fails does not see what the test found out."""
    with apart(cx):
        return linked(cx, node, wanted)


def _pair(
    cx: Context,
    left: Any,
    right: Any,
    wanted: Type | None = None,
    link_right: Callable[..., Expr] = linked,
) -> tuple[Expr, Expr]:
    """Two operands that should be of one type; the clearer one tells the other what to be."""
    if wanted is not None:
        return linked(cx, left, wanted), link_right(cx, right, wanted)
    if left.rule in _OPEN and right.rule not in _OPEN:
        b = link_right(cx, right)
        return linked(cx, left, b.type), b
    a = linked(cx, left, _only_kind(cx, right))
    return a, link_right(cx, right, a.type)


def _only_kind(cx: Context, node: Any) -> Type | None:
    """The type of a bare name that can mean but one thing, to settle one that can mean two."""
    if node.rule != "name":
        return None
    entry = cx.names.get(node.parts[0])
    return entry.type if entry else None


def unlike(cx: Context, node: Any, a: Expr, b: Expr, what: str) -> Expr:
    say = cx.world.describe
    message = f"{what} do not go together: {say(a.type)} and {say(b.type)}."
    return cx.wrong("Z306", message, node)


@expression("compare")
def _link_compare(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, sign, right = node.parts
    if sign in ("==", "!="):
        return equality(cx, node, left, right, str(sign))
    args = (want(cx, left, INT), want(cx, right, INT))
    return Op(str(sign), args, BOOL, at=cx.at(node))


def equality(cx: Context, node: Any, left: Any, right: Any, sign: str) -> Expr:
    bundle = named(cx, left) if right.rule == "none" else None
    if bundle is not None:
        return there(cx, node, bundle, sign == "!=")
    for side, rest in ((left, right), (right, left)):
        removal = removed_thing(cx, side, partial(_is_of, cx, rest))
        if removal is not None:
            linked(cx, rest)
            return settled(cx, node, removal, holds=sign == "!=")
    a, b = _pair(cx, left, right)
    if not (fits(a.type, optional(b.type)) or fits(b.type, optional(a.type))):
        say = cx.world.describe
        message = (
            f"These can never be equal: one is {say(present(a.type))},"
            f" the other {say(present(b.type))}."
        )
        return cx.wrong("Z306", message, node)
    if {a.type.name, b.type.name} == COLLECTIONS:
        message = "A list has an order and a set has none, so they cannot be compared."
        advice = "Write a list as `[a, b]`; the members of a list, in any order, are `{x in L}`."
        return cx.wrong("Z306", message, node, advice)
    return Op(sign, (a, b), BOOL, at=cx.at(node))


def _is_of(cx: Context, node: Any, kind: str) -> bool:
    return linked(cx, node).type.name == kind


@expression("is_", "is_not")
def _link_is(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, right = node.parts
    kind = _kind_test(cx, node, left, right) if right.rule == "name" else None
    if kind is None:
        return equality(cx, node, left, right, "==" if node.rule == "is_" else "!=")
    return kind if node.rule == "is_" else Op("not", (kind,), BOOL, at=cx.at(node))


@expression("is_named")
def _link_is_named(cx: Context, node: Any, wanted: Type | None) -> Expr:
    """`o is player p`: the test, and a name for what it finds."""
    left, kind, name = node.parts
    found = _kind_test(cx, node, left, as_name(kind))
    if found is None:
        message = f"Only `player` and kinds of cards can be followed by a name, not `{kind}`."
        return cx.wrong("Z322", message, name, "Write for example `if o is player p { … }`.")
    if isinstance(found, Op):
        narrow(cx, name, narrowed(found))
    return found


def narrowed(test: Op) -> Expr:
    """What is found out by a test of what something is; none if it is not that."""
    if test.op == "is_player":
        subject = test.args[0]
        return player_of(subject, test.at) if subject.type.name == "owner" else subject
    kind = test.args[1]
    assert isinstance(kind, Lit)
    return Op("face", test.args, optional(of_kind(str(kind.value))), at=test.at)


def player_of(owner: Expr, at: At) -> Op:
    return Op("player", (owner,), optional(PLAYER), at=at)


def _kind_test(cx: Context, node: Any, left: Any, right: Any) -> Expr | None:
    """`c is face_kind` and `q is player`: a test of what something is, not of which."""
    name = str(right.parts[0])
    world = cx.world
    if name in cx.names or (name != "player" and name not in world.kinds):
        return None
    subject = linked(cx, left)
    if subject.type is ERROR_TYPE:
        return BAD
    if name == "player":
        if subject.type.name in ("owner", "player"):
            return Op("is_player", (subject,), BOOL, at=cx.at(node))
    elif subject.type.name in world.families:
        faces = world.families[subject.type.name].faces
        if name in faces:
            cx.mention("kind", name, right)
            return Op("is_kind", (subject, Lit(name, TEXT, at=cx.at(right))), BOOL, at=cx.at(node))
        say = world.describe(present(subject.type))
        return cx.wrong("Z306", f"No {name} is ever the face of {say}.", node)
    say = world.describe(subject.type)
    return cx.wrong("Z306", f"This is {say}, so it cannot be asked whether it is a {name}.", node)


@expression("in_", "not_in")
def _link_in(cx: Context, node: Any, wanted: Type | None) -> Expr:
    found = membership(cx, node, *node.parts)
    if node.rule == "in_" or found.type is ERROR_TYPE:
        return found
    return denied(found) or Op("not", (found,), BOOL, at=cx.at(node))


def membership(cx: Context, node: Any, left: Any, right: Any) -> Expr:
    removal = removed_thing(cx, left, lambda kind: collection(cx, right)[1].name == kind)
    if removal is not None:
        linked(cx, right)
        return settled(cx, node, removal)
    hint = linked(cx, left) if left.rule not in _OPEN else None
    source, item = collection(cx, right, set_of(hint.type) if hint else None)
    one = hint or linked(cx, left, item)
    if not (fits(one.type, item) or fits(item, one.type)):
        say = cx.world.describe
        message = f"This is {say(one.type)}, which can never be in {say(source.type)}."
        return cx.wrong("Z306", message, node)
    return Op("in", (one, source), BOOL, at=cx.at(node))


@prints(Lit)
def _print_literal(printer: Printer, lit: Lit) -> Printed:
    match lit.value:
        case None:
            return "none", POSTFIX
        case bool():
            return ("yes" if lit.value else "no"), POSTFIX
        case int():
            return str(lit.value), POSTFIX if lit.value >= 0 else UNARY
        case text:
            return quoted(text), POSTFIX


between("or", OR, OR, AND)
between("and", AND, AND, NOT)
for _sign in ("<", "<=", ">", ">=", "in"):
    between(_sign, COMPARED, SPAN, SPAN)
_NUMBERS = frozenset({"int", "range"})
_IN_WORDS = {"==": "is", "!=": "is not"}


@operation("==", "!=")
def _print_equality(printer: Printer, expr: Op) -> Printed:
    """Numbers are compared by signs, everything else by words."""
    left, right = expr.args
    sign = expr.op if left.type.name in _NUMBERS else _IN_WORDS[expr.op]
    return f"{printer.text(left, SPAN)} {sign} {printer.text(right, SPAN)}", COMPARED


@operation("not")
def _print_not(printer: Printer, expr: Op) -> Printed:
    denied = expr.args[0]
    if isinstance(denied, AttrOf) and denied.attr in printer.lexicon.bundles:
        return f"{whole_bundle(printer, denied)} is none", COMPARED
    if isinstance(denied, Op) and denied.op in ("in", "is_kind", "is_player"):
        subject = printer.text(denied.args[0], SPAN)
        rest = printer.text(denied)[len(subject) + 1 :]
        rest = f"not {rest}" if denied.op == "in" else f"is not {rest.removeprefix('is ')}"
        return f"{subject} {rest}", COMPARED
    return f"not {printer.text(denied, NOT)}", NOT


@operation("if")
def _print_choice(printer: Printer, expr: Op) -> Printed:
    field = shared_field(expr)
    if field is not None:
        return printer.ranked(field)
    test, then, other = expr.args
    text = f"{printer.text(then, OR)} if {printer.text(test, OR)} else {printer.text(other)}"
    return text, ANY


def conjuncts(condition: Expr | None) -> list[Expr]:
    """The parts of a condition that must all hold, from left to right."""
    if condition is None:
        return []
    if isinstance(condition, Op) and condition.op == "and":
        return [part for arg in condition.args for part in conjuncts(arg)]
    return [condition]
