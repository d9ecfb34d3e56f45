"""The door to expressions: each is linked by the function its family registers for its rule.

`linked` is told which type is wanted, if one is, because a bare name may mean different things for
different kinds and `{}` is a set or a map; `want` also insists on it.
"""

from typing import Any

from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.model import ELSEWHERE
from ziggurat.dsl.linking.settled import ALWAYS, NEVER
from ziggurat.dsl.linking.types import (
    COLLECTIONS,
    fits,
    list_of,
    member,
    says_nothing,
    set_of,
    speaks_of,
)
from ziggurat.runtime.kernel.forms.core import Loop, Op
from ziggurat.runtime.kernel.nodes import BOOL, ERROR_TYPE, OWNER, PLAYER, Expr, Type
from ziggurat.runtime.kernel.registry import Registry

# By the rule of the grammar.
EXPRESSIONS = Registry[str, Expr]()
# Functions of the language itself; no value may be called like one of them.
FUNCTIONS = Registry[str, Expr]()
DEEPEST = 100
ASK_FIRST = "An owner need not be a player; ask, and name them: `if o is player p { … }`."
# What stands around a test that gives a name without hiding it from what follows.
_CLEAR = frozenset({"and_", "is_named", ELSEWHERE})
expression, function = EXPRESSIONS.add, FUNCTIONS.add


def linked(cx: Context, node: Any, wanted: Type | None = None) -> Expr:
    """The meaning of an expression; what is wrong with it is reported once."""
    link = EXPRESSIONS.get(node.rule)
    if link is None:
        return cx.wrong("Z322", "This cannot stand on its own here.", node)
    if cx.depth >= DEEPEST:
        if cx.too_deep:
            return BAD
        cx.too_deep = True
        advice = "Give a part of it a name with `let`, or make it a value."
        return cx.wrong("Z319", "This expression has too many parts within parts.", node, advice)
    cx.depth += 1
    narrowed = cx.narrowed
    if narrowed is not None and node.rule not in _CLEAR:
        cx.narrowed = None
    result = link(cx, node, wanted)
    cx.narrowed = narrowed
    cx.depth -= 1
    return result


def want(cx: Context, node: Any, wanted: Type) -> Expr:
    """Link, and insist on a type."""
    found = linked(cx, node, wanted)
    type_ = found.type
    if type_ is wanted or type_ is ERROR_TYPE:
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
    if says_nothing(type_) and speaks_of(wanted, "player"):
        cx.emptied = True
    if type_.name != wanted.name and type_.name in COLLECTIONS and wanted.name in COLLECTIONS:
        return as_collection(found, wanted.name)
    return found


def _type_advice(type_: Type, wanted: Type) -> str | None:
    if type_.name == "owner" and wanted.name == "player":
        return ASK_FIRST
    if type_.item == OWNER and wanted.item == PLAYER:
        return "Take those that are: `{p for o in … where o is player p}`."
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
    item = found.type.item or ERROR_TYPE
    type_ = set_of(item) if name == "set" else list_of(item)
    return Loop(name, "one", found, None, None, None, type_, at=found.at)


def cards_of(pile: Expr) -> Expr:
    return Op("cards", (pile,), list_of(pile.type.item or ERROR_TYPE), at=pile.at)


def collection(cx: Context, node: Any, wanted: Type | None = None) -> tuple[Expr, Type]:
    """A set, list, range, map or pile to go through, and the type of its members."""
    found = linked(cx, node, wanted)
    if found.type.name == "pile":
        found = cards_of(found)
    item = member(found.type)
    if item is None:
        message = f"This must be a set, but it is {cx.world.describe(found.type)}."
        return cx.wrong("Z301", message, node), ERROR_TYPE
    return found, item


def condition(cx: Context, node: Any) -> Expr:
    return want(cx, node, BOOL)


def guard(cx: Context, node: Any) -> Expr | None:
    """An optional `when …`, `where …` or the like: the condition in it, or None."""
    if node is None:
        return None
    found = want(cx, node.parts[0], BOOL)
    return found if found is not ALWAYS else None


def both(a: Expr | None, b: Expr | None) -> Expr | None:
    """Two conditions that must hold together, either of which may be absent."""
    if a is None or b is None:
        return a if b is None else b
    if a is NEVER or b is NEVER:
        return NEVER
    return Op("and", (a, b), BOOL, at=b.at)


@expression(ELSEWHERE)
def _elsewhere(cx: Context, node: Any, wanted: Type | None) -> Expr:
    here = cx.file
    cx.enter(node.parts[1])
    found = linked(cx, node.parts[0], wanted)
    cx.enter(here)
    return found
