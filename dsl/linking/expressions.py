"""Expressions: lowering with types, by the rule each node came from.

`lower` is the only door. It is told which type is wanted, if one is, because a bare name may mean
different things for different kinds and `{}` is a set or a map; `want` also insists on it.
"""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl.ir import Expr, Lit, Loop, Op, Type
from ziggurat.dsl.linking.constants import ARITHMETIC, impossible
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.model import ELSEWHERE
from ziggurat.dsl.linking.types import (
    BOOL,
    COLLECTIONS,
    INT,
    NONE,
    NOTHING,
    RANGE,
    TEXT,
    WRONG,
    fits,
    join,
    list_of,
    member,
    optional,
    present,
    set_of,
)

Lower = Callable[[Context, Any, Type | None], Expr]
EXPRESSIONS: dict[str, Lower] = {}
DEEPEST = 100
# Nodes whose meaning may depend on what they are compared with.
_OPEN = frozenset({"name", "none", "set", "map"})


def expression(*rules: str) -> Callable[[Lower], Lower]:
    """Register the function that lowers these rules."""

    def register(function: Lower) -> Lower:
        for rule in rules:
            EXPRESSIONS[rule] = function
        return function

    return register


def lower(cx: Context, node: Any, wanted: Type | None = None) -> Expr:
    """The meaning of an expression; what is wrong with it is reported once."""
    function = EXPRESSIONS.get(node.rule)
    if function is None:
        return cx.wrong("Z322", "This cannot stand on its own here.", node)
    if cx.depth >= DEEPEST:
        if cx.too_deep:
            return BAD
        cx.too_deep = True
        advice = "Give a part of it a name with `let`, or make it a value."
        return cx.wrong("Z319", "This expression has too many parts within parts.", node, advice)
    cx.depth += 1
    result = function(cx, node, wanted)
    cx.depth -= 1
    return result


def want(cx: Context, node: Any, wanted: Type) -> Expr:
    """Lower, and insist on a type."""
    found = lower(cx, node, wanted)
    type_ = found.type
    if type_ is wanted or type_ is WRONG:
        return found
    return fitted(cx, found, wanted, node)


def fitted(cx: Context, found: Expr, wanted: Type, node: Any) -> Expr:
    """The expression as the wanted type, or a finding: lists become sets where sets are wanted."""
    type_ = found.type
    if type_.name == "pile" and wanted.name in COLLECTIONS:
        found = cards_of(found)
        type_ = found.type
    if not fits(type_, wanted):
        say = cx.world.describe
        message = f"This must be {say(wanted)}, but it is {say(type_)}."
        return cx.wrong("Z301", message, node, _type_advice(type_, wanted))
    if type_.name != wanted.name and type_.name in COLLECTIONS and wanted.name in COLLECTIONS:
        return as_collection(found, wanted.name)
    return found


def _type_advice(type_: Type, wanted: Type) -> str | None:
    if wanted.name in COLLECTIONS and wanted.item and fits(type_, wanted.item):
        return "Put it in braces to make a set of one."
    if type_.name in COLLECTIONS and wanted.name == "int":
        return "`size(…)` says how many there are."
    if type_.name in COLLECTIONS and wanted.name == "bool":
        return "`size(…) > 0` asks whether there are any."
    if type_.name == "nothing":
        return "`none` is possible only where the type says `or none`."
    return None


def as_collection(found: Expr, name: str) -> Expr:
    """A list as a set, or a set as a list in its own order."""
    item = found.type.item or WRONG
    type_ = set_of(item) if name == "set" else list_of(item)
    return Loop(name, "one", found, None, None, None, type_, at=found.at)


def cards_of(pile: Expr) -> Expr:
    return Op("cards", (pile,), list_of(pile.type.item or WRONG), at=pile.at)


def collection(cx: Context, node: Any, wanted: Type | None = None) -> tuple[Expr, Type]:
    """A set, list, range, map or pile to go through, and the type of its members."""
    found = lower(cx, node, wanted)
    if found.type.name == "pile":
        found = cards_of(found)
    item = member(found.type)
    if item is None:
        message = f"This must be a set, but it is {cx.world.describe(found.type)}."
        return cx.wrong("Z301", message, node), WRONG
    return found, item


def condition(cx: Context, node: Any) -> Expr:
    return want(cx, node, BOOL)


def guard(cx: Context, node: Any) -> Expr | None:
    """An optional `when …`, `where …` or the like: the condition in it, or None."""
    return want(cx, node.parts[0], BOOL) if node is not None else None


def both(a: Expr | None, b: Expr | None) -> Expr | None:
    """Two conditions that must hold together, either of which may be absent."""
    if a is None or b is None:
        return a if b is None else b
    return Op("and", (a, b), BOOL, at=b.at)


# ---- literals -----------------------------------------------------------------------------------


@expression("int")
def _int(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(cx.number(node.parts[0]), INT, at=cx.at(node))


@expression("text")
def _text(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(str(node.parts[0][1:-1]), TEXT, at=cx.at(node))


@expression("yes", "no")
def _yes_no(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(node.rule == "yes", BOOL, at=cx.at(node))


@expression("none")
def _none(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Lit(None, wanted if wanted is not None and wanted.maybe else NONE, at=cx.at(node))


@expression(ELSEWHERE)
def _elsewhere(cx: Context, node: Any, wanted: Type | None) -> Expr:
    here = cx.file
    cx.enter(node.parts[1])
    found = lower(cx, node.parts[0], wanted)
    cx.enter(here)
    return found


# ---- logic and comparison -----------------------------------------------------------------------


@expression("and_", "or_")
def _logic(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, right = node.parts
    args = (want(cx, left, BOOL), want(cx, right, BOOL))
    return Op(node.rule[:-1], args, BOOL, at=cx.at(node))


@expression("not_")
def _not(cx: Context, node: Any, wanted: Type | None) -> Expr:
    return Op("not", (want(cx, node.parts[0], BOOL),), BOOL, at=cx.at(node))


@expression("if_else")
def _if_else(cx: Context, node: Any, wanted: Type | None) -> Expr:
    then, test, other = node.parts
    checked = want(cx, test, BOOL)
    a, b = _pair(cx, then, other, wanted)
    type_ = join(a.type, b.type)
    if type_ is None:
        return _unlike(cx, node, a, b, "The two sides of `else`")
    return Op("if", (checked, a, b), type_, at=cx.at(node))


def _pair(cx: Context, left: Any, right: Any, wanted: Type | None = None) -> tuple[Expr, Expr]:
    """Two operands that should be of one type; the clearer one tells the other what to be."""
    if wanted is not None:
        return lower(cx, left, wanted), lower(cx, right, wanted)
    if left.rule in _OPEN and right.rule not in _OPEN:
        b = lower(cx, right)
        return lower(cx, left, b.type), b
    a = lower(cx, left, _only_kind(cx, right))
    return a, lower(cx, right, a.type)


def _only_kind(cx: Context, node: Any) -> Type | None:
    """The type of a bare name that can mean but one thing, to settle one that can mean two."""
    if node.rule != "name":
        return None
    entry = cx.names.get(node.parts[0])
    return entry.type if entry else None


def _unlike(cx: Context, node: Any, a: Expr, b: Expr, what: str) -> Expr:
    say = cx.world.describe
    message = f"{what} do not go together: {say(a.type)} and {say(b.type)}."
    return cx.wrong("Z306", message, node)


@expression("compare")
def _compare(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, sign, right = node.parts
    if sign in ("==", "!="):
        return equality(cx, node, left, right, str(sign))
    args = (want(cx, left, INT), want(cx, right, INT))
    return Op(str(sign), args, BOOL, at=cx.at(node))


def equality(cx: Context, node: Any, left: Any, right: Any, sign: str) -> Expr:
    a, b = _pair(cx, left, right)
    if not (fits(a.type, optional(b.type)) or fits(b.type, optional(a.type))):
        say = cx.world.describe
        message = (
            f"These can never be equal: one is {say(present(a.type))},"
            f" the other {say(present(b.type))}."
        )
        return cx.wrong("Z306", message, node)
    if a.type.name in COLLECTIONS and b.type.name in COLLECTIONS and a.type.name != b.type.name:
        a = as_collection(a, "set") if a.type.name == "list" else a
        b = as_collection(b, "set") if b.type.name == "list" else b
    return Op(sign, (a, b), BOOL, at=cx.at(node))


@expression("is_", "is_not")
def _is(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, right = node.parts
    kind = _kind_test(cx, node, left, right) if right.rule == "name" else None
    if kind is None:
        return equality(cx, node, left, right, "==" if node.rule == "is_" else "!=")
    return kind if node.rule == "is_" else Op("not", (kind,), BOOL, at=cx.at(node))


def _kind_test(cx: Context, node: Any, left: Any, right: Any) -> Expr | None:
    """`c is face_kind` and `q is player`: a test of what something is, not of which."""
    name = str(right.parts[0])
    world = cx.world
    if name in cx.names or (name != "player" and name not in world.kinds):
        return None
    subject = lower(cx, left)
    if subject.type is WRONG:
        return BAD
    if name == "player":
        if subject.type.name in ("owner", "player"):
            return Op("is_player", (subject,), BOOL, at=cx.at(node))
    elif subject.type.name in world.families:
        faces = world.families[subject.type.name].faces
        if name in faces:
            return Op("is_kind", (subject, Lit(name, TEXT, at=cx.at(right))), BOOL, at=cx.at(node))
        say = world.describe(present(subject.type))
        return cx.wrong("Z306", f"No {name} is ever the face of {say}.", node)
    say = world.describe(subject.type)
    return cx.wrong("Z306", f"This is {say}, so it cannot be asked whether it is a {name}.", node)


@expression("in_", "not_in")
def _in(cx: Context, node: Any, wanted: Type | None) -> Expr:
    found = membership(cx, node, *node.parts)
    if node.rule == "in_" or found.type is WRONG:
        return found
    return Op("not", (found,), BOOL, at=cx.at(node))


def membership(cx: Context, node: Any, left: Any, right: Any) -> Expr:
    hint = lower(cx, left) if left.rule not in _OPEN else None
    source, item = collection(cx, right, set_of(hint.type) if hint else None)
    one = hint or lower(cx, left, item)
    if not (fits(one.type, item) or fits(item, one.type)):
        say = cx.world.describe
        message = f"This is {say(one.type)}, which can never be in {say(source.type)}."
        return cx.wrong("Z306", message, node)
    return Op("in", (one, source), BOOL, at=cx.at(node))


# ---- arithmetic ---------------------------------------------------------------------


@expression("plus", "minus")
def _plus(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, right = node.parts
    hint = wanted if wanted is not None and wanted.name in COLLECTIONS else None
    a = lower(cx, left, hint)
    if a.type.name == "pile":
        a = cards_of(a)
    if a.type.name in COLLECTIONS:
        b, _ = collection(cx, right, a.type if a.type.item is not NOTHING else hint)
        type_ = join(a.type, b.type)
        if type_ is None or b.type.name not in COLLECTIONS:
            return _unlike(cx, node, a, b, "These")
        a = as_collection(a, "set") if a.type.name == "list" else a
        b = as_collection(b, "set") if b.type.name == "list" else b
        item = type_.item or WRONG
        type_ = a.type if node.rule == "minus" else set_of(item)
        return Op("union" if node.rule == "plus" else "minus", (a, b), type_, at=cx.at(node))
    a = fitted(cx, a, INT, left)
    return Op(ARITHMETIC[node.rule], (a, want(cx, right, INT)), INT, at=cx.at(node))


@expression("times", "divided", "divided_up", "modulo")
def _times(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, right = node.parts
    op = ARITHMETIC[node.rule]
    args = (want(cx, left, INT), want(cx, right, INT))
    if wrong := impossible(op, args):
        return cx.wrong("Z327", str(wrong), node, wrong.advice)
    return Op(op, args, INT, at=cx.at(node))


@expression("negate", "positive")
def _sign(cx: Context, node: Any, wanted: Type | None) -> Expr:
    found = want(cx, node.parts[0], INT)
    if node.rule == "positive":
        return found
    if isinstance(found, Lit) and isinstance(found.value, int):
        return Lit(-found.value, INT, at=cx.at(node))
    return Op("neg", (found,), INT, at=cx.at(node))


@expression("range")
def _range(cx: Context, node: Any, wanted: Type | None) -> Expr:
    low, high = node.parts
    return Op("range", (want(cx, low, INT), want(cx, high, INT)), RANGE, at=cx.at(node))
