"""What is known before any game: expressions over the data of things, and nothing else.

A kind may demand something of its things (`needs copies > 0`). That is asked when packs are linked,
so it can speak only of fields, of things and of numbers; what a game decides is not known yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ziggurat.dsl.ir import All, Expr, FieldOf, Kind, Lit, Local, Loop, Op, Thing, ThingRef, Type

MOST_WORK = 1_000_000
Env = Mapping[str, Any]


class TooMuch(Exception):  # noqa: N818 (it is no mistake of ours)
    """An expression that goes through more than anybody can have meant."""


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b if b else 0,
    "/up": lambda a, b: -(-a // b) if b else 0,
    "mod": lambda a, b: a % b if b else 0,
    "neg": lambda a: -a,
    "abs": abs,
    "min": min,
    "max": max,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "not": lambda a: not a,
    "range": lambda low, high: range(low, high + 1),
    "set": lambda *members: frozenset(members),
    "list": lambda *members: members,
    "map": lambda *parts: dict(zip(parts[::2], parts[1::2], strict=True)),
    "union": lambda a, b: frozenset(a) | frozenset(b),
    "minus": lambda a, b: frozenset(a) - frozenset(b),
    "common": lambda a, b: frozenset(a) & frozenset(b),
    "size": len,
}
_FOLDS: dict[str, Callable[[list[int]], int]] = {"sum": sum, "max": max, "min": min}
_OF_ANYTHING = frozenset({"==", "!=", "and", "or", "if", "in", "index", "one_of"})


def is_known(expr: Any, kinds: Iterable[str]) -> bool:
    """Whether one node of an expression is about data alone."""
    match expr:
        case Lit() | Local() | ThingRef():
            return True
        case All(of=of):
            return of in kinds
        case FieldOf(of=of):
            return of.type.name in kinds
        case Op(op=op):
            return op in _OPERATIONS or op in _OF_ANYTHING
        case Loop(order=order):
            return order is None
    return False


def blank(type_: Type) -> Any:
    """What is read where there is nothing to read from."""
    if type_.maybe:
        return None
    empty = {"int": 0, "bool": False, "text": "", "set": frozenset(), "list": (), "map": {}}
    return range(1) if type_.name == "range" else empty.get(type_.name)


class Data:
    """The data of all things, and the meaning of expressions about it."""

    def __init__(self, kinds: Mapping[str, Kind], things: Mapping[str, Mapping[str, Thing]]):
        self.things = {kind: [f"{kind}.{one}" for one in page] for kind, page in things.items()}
        self.rank = {name: n for page in self.things.values() for n, name in enumerate(page)}
        self.defaults = {
            (kind.id, field.name): field.default for kind in kinds.values() for field in kind.fields
        }
        self.given = {
            (f"{kind}.{one.id}", value.field): value.value
            for kind, page in things.items()
            for one in page.values()
            for value in one.values
        }
        self.work = 0

    def holds(self, condition: Expr, this: str) -> bool:
        return bool(self.read(condition, {"this": this}))

    def read(self, expr: Expr, env: Env) -> Any:
        """The value of an expression: plain data, things as `kind.id`."""
        self.spend()
        match expr:
            case Lit(value=value):
                return value
            case Local(name=name):
                return env[name]
            case ThingRef(kind=kind, id=id_):
                return f"{kind}.{id_}"
            case All(of=kind):
                return tuple(self.things.get(kind, ()))
            case FieldOf():
                return self._field(expr, env)
            case Op():
                return self._operation(expr, env)
            case Loop():
                return self._loop(expr, env)
        raise TypeError(expr)

    def spend(self, amount: int = 1) -> None:
        self.work += amount
        if self.work > MOST_WORK:
            raise TooMuch

    def _field(self, expr: FieldOf, env: Env) -> Any:
        thing = self.read(expr.of, env)
        if (thing, expr.field) in self.given:
            return _usable(self.given[thing, expr.field], expr.type)
        default = self.defaults.get((expr.owner_kind, expr.field))
        if thing is None or default is None:
            return blank(expr.type)
        return self.read(default, {})

    def _operation(self, expr: Op, env: Env) -> Any:
        op, args = expr.op, expr.args
        if op in _OPERATIONS:
            given = [self._given(arg, env) for arg in args]
            self.spend(sum(len(one) for one in given if isinstance(one, (tuple, frozenset))))
            return _OPERATIONS[op](*given)
        if op == "and":
            return all(self.read(arg, env) for arg in args)
        if op == "or":
            return any(self.read(arg, env) for arg in args)
        if op == "if":
            return self.read(args[1] if self.read(args[0], env) else args[2], env)
        if op == "one_of":
            return next(iter(self._members(args[0], env)), None)
        first, second = self.read(args[0], env), self.read(args[1], env)
        if op == "index":
            return (first or {}).get(second, blank(expr.type))
        if op == "in":
            return first in (second or ())
        return (first == second) is (op == "==")

    def _given(self, expr: Expr, env: Env) -> Any:
        found = self.read(expr, env)
        return 0 if found is None and expr.type.name == "int" else found

    def _members(self, source: Expr, env: Env) -> list[Any]:
        """What a collection holds, sets in the order of their declaration."""
        found = self.read(source, env)
        if found is None:
            return []
        self.spend(len(found))
        in_order = not isinstance(found, frozenset)
        return list(found) if in_order else sorted(found, key=lambda one: self.rank.get(one, one))

    def _loop(self, loop: Loop, env: Env) -> Any:
        if loop.fn == "any":
            return any(True for _ in self._rounds(loop, env))
        if loop.fn == "every":
            return all(self._told(loop, inner) for inner in self._rounds(loop, env))
        if loop.fn == "count":
            return sum(1 for _ in self._rounds(loop, env))
        found = (self._told(loop, inner) for inner in self._rounds(loop, env))
        if loop.fn == "first":
            return next(found, None)
        if loop.fn in _FOLDS:
            numbers = [one or 0 for one in found]
            return _FOLDS[loop.fn](numbers) if numbers else 0
        return tuple(found) if loop.fn == "list" else frozenset(found)

    def _rounds(self, loop: Loop, env: Env) -> Iterator[dict[str, Any]]:
        for member in self._members(loop.source, env):
            inner = {**env, loop.var: member}
            if loop.where is None or self.read(loop.where, inner):
                yield inner

    def _told(self, loop: Loop, env: Env) -> Any:
        return env[loop.var] if loop.body is None else self.read(loop.body, env)


def _usable(value: Any, type_: Type) -> Any:
    """The data of a field in the form in which it is reckoned with."""
    if not isinstance(value, tuple):
        return value
    if type_.name == "map":
        return {key: _usable(one, type_.item or type_) for key, one in value}
    if type_.name == "range":
        return range(value[0], value[1] + 1)
    inner = (_usable(one, type_.item or type_) for one in value)
    return frozenset(inner) if type_.name == "set" else tuple(inner)
