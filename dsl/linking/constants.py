"""What is known before any game: expressions over the data of things, and nothing else.

A kind may demand something of its things (`needs copies > 0`). That is asked when packs are linked,
so it can speak only of fields, of things and of numbers; what a game decides is not known yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ziggurat.runtime.kernel.arithmetic import (
    ABOUT_NONE,
    CHANGES,
    LOOPS,
    OPERATIONS,
    CannotCompute,
    a_set,
    nth,
)
from ziggurat.runtime.kernel.forms.attributes import FieldOf
from ziggurat.runtime.kernel.forms.calls import ValueCall
from ziggurat.runtime.kernel.forms.core import Lit, Local, Loop, Op, ThingRef
from ziggurat.runtime.kernel.forms.names import All, OptionRef
from ziggurat.runtime.kernel.nodes import Expr, Type, blank, zero
from ziggurat.runtime.kernel.walking import walk

if TYPE_CHECKING:
    from ziggurat.runtime.kernel import Kind, Option, Thing, Value

MOST_WORK = 1_000_000
PLAYERS = "players"
# The operation that each rule of the grammar for sums and products means.
ARITHMETIC = {
    "plus": "+", "minus": "-", "times": "*", "divided": "/", "divided_up": "/up", "modulo": "mod",
}  # fmt: skip
NUMERIC = frozenset({*ARITHMETIC.values(), "neg", "abs", "min", "max"})
_LAZY = frozenset({"and", "or", "if", "index", "nth"})
Env = Mapping[str, Any]


class Undecided(Exception):  # noqa: N818 (it is no mistake of ours)
    """What only a game decides."""


class TooMuch(Exception):  # noqa: N818 (it is no mistake of ours)
    """An expression that goes through more than anybody can have meant."""


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
            return op in OPERATIONS or op in _LAZY
        case Loop(order=order):
            return order is None
    return False


def number_of(expr: Expr) -> int | None:
    """The number that an expression of numbers alone comes to, None for any other expression.

    Raises CannotCompute where there is no such number.
    """
    match expr:
        case Lit(value=int(number)) if expr.type.name == "int":
            return number
        case Op(op=op, args=args) if op in NUMERIC:
            numbers = [number_of(arg) for arg in args]
            return None if None in numbers else int(OPERATIONS[op](*numbers))
    return None


def impossible(op: str, args: Iterable[Expr]) -> CannotCompute | None:
    """Why an operation can never be done, whatever else it is given; None if it can."""
    try:
        numbers = [number_of(arg) for arg in args]
        if None not in numbers or (op in ("/", "/up", "mod") and numbers[-1] == 0):
            OPERATIONS[op](*(0 if number is None else number for number in numbers))
    except CannotCompute as wrong:
        return wrong
    return None


def is_data(expr: Expr, kinds: Iterable[str]) -> bool:
    """Whether all of an expression is about data, so that it is known without a game."""
    parts = (part for part in walk(expr) if hasattr(part, "type"))
    return all(is_known(part, kinds) for part in parts)


class Data:
    """The data of all things, and the meaning of expressions about it.

    Things are numbers in the order of their declaration. With values and options, expressions may
    ask for values that come to data alone under the default options; `Undecided` is raised where
    a game decides.
    """

    def __init__(
        self,
        kinds: Mapping[str, "Kind"],
        things: Mapping[str, "Mapping[str, Thing]"],
        values: Mapping[str, "Value"] | None = None,
        options: Mapping[str, "Option"] | None = None,
    ):
        self.kinds, self.values, self.options = kinds, values or {}, options or {}
        self._known_values: dict[str, Any] = {}  # of values without arguments
        self.names = [f"{kind}.{one}" for kind, page in things.items() for one in page]
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.things = {
            kind: tuple(self.numbers[f"{kind}.{one}"] for one in page)
            for kind, page in things.items()
        }
        self.defaults = {
            (kind.id, field.name): field.default for kind in kinds.values() for field in kind.fields
        }
        self.given = {
            (self.numbers[f"{kind}.{one.id}"], value.field): value.value
            for kind, page in things.items()
            for one in page.values()
            for value in one.values
        }
        self.work = 0

    def holds(self, condition: Expr, this: str) -> bool:
        """Whether a condition about `this`, the thing called `kind.id`, is true."""
        return bool(self.read(condition, {"this": self.numbers[this]}))

    def about(self, expr: Expr, this: str = "") -> Any:
        """The value of an expression about `this`; a thing is called `kind.id`."""
        found = self.read(expr, {"this": self.numbers.get(this)})
        return self.names[found] if found is not None and expr.type.name in self.things else found

    def holds_for(self, condition: Expr, players: int) -> bool:
        """Whether a condition is true when so many play; nothing but their number is known."""
        self.seat(players)
        return bool(self.read(condition, {}))

    def seat(self, players: int) -> None:
        """Let so many play."""
        self.things[PLAYERS] = tuple(range(players))
        self._known_values.clear()

    def read(self, expr: Expr, env: Env) -> Any:
        """The value of an expression, as `dsl.arithmetic` has values."""
        self.spend()
        match expr:
            case Lit(value=value):
                return value
            case Local(name=name):
                return env[name]
            case ThingRef(kind=kind, id=id_):
                return self.numbers[f"{kind}.{id_}"]
            case All(of=kind) if kind in self.things or kind in self.kinds:
                return self.things.get(kind, ())
            case ValueCall(value=value, args=args) if value in self.values:
                return self._asked(self.values[value], tuple(self.read(arg, env) for arg in args))
            case OptionRef(id=option) if option in self.options:
                return self._value(self.options[option].default, expr.type)
            case FieldOf():
                return self._field(expr, env)
            case Op():
                return self._operation(expr, env)
            case Loop(order=None):
                return self._loop(expr, env)
        raise Undecided

    def _asked(self, value: "Value", args: tuple[Any, ...]) -> Any:
        """Return what a value comes to for these arguments."""
        if args:
            return self._worked_out(value, args)
        if value.id not in self._known_values:
            self._known_values[value.id] = self._worked_out(value, args)
        return self._known_values[value.id]

    def _worked_out(self, value: "Value", args: tuple[Any, ...]) -> Any:
        env = dict(zip((param.name for param in value.params), args, strict=True))
        read = self.read if value.type.maybe else self._given
        result = read(value.base, env)
        for clause in value.applied:
            if clause.when is not None and not self.read(clause.when, env):
                continue
            if clause.op == "halving":
                raise Undecided  # halves are rounded together, which no value of data needs
            amount = None if clause.amount is None else read(clause.amount, env)
            result = CHANGES[clause.op](result, amount)
        return result

    def spend(self, amount: int = 1) -> None:
        self.work += amount
        if self.work > MOST_WORK:
            raise TooMuch

    def _field(self, expr: FieldOf, env: Env) -> Any:
        thing = self.read(expr.of, env)
        if (thing, expr.field) in self.given:
            return self._value(self.given[thing, expr.field], expr.type)
        default = self.defaults.get((expr.owner_kind, expr.field))
        if thing is None or default is None:
            return blank(expr.type)
        return self.read(default, {})

    def _value(self, written: Any, type_: Type) -> Any:
        """The data of a field as a value."""
        if written is None:
            return None
        item = type_.item or type_
        match type_.name:
            case "int" | "bool" | "text":
                return written
            case "range":
                return range(written[0], written[1] + 1)
            case "map":
                key = type_.key or type_
                return {self._value(k, key): self._value(v, item) for k, v in written}
            case "list":
                return tuple(self._value(one, item) for one in written)
            case "set":
                return a_set(self._value(one, item) for one in written)
        return self.numbers.get(written)

    def _operation(self, expr: Op, env: Env) -> Any:
        op, args = expr.op, expr.args
        if op == "and":
            return all(self.read(arg, env) for arg in args)
        if op == "or":
            return any(self.read(arg, env) for arg in args)
        if op == "if":
            return self.read(args[1] if self.read(args[0], env) else args[2], env)
        raw = ABOUT_NONE.get(op, ())
        values = [
            (self.read if number in raw else self._given)(arg, env)
            for number, arg in enumerate(args)
        ]
        if op == "index":
            return values[0].get(values[1], blank(expr.type))
        if op == "nth":
            return nth(values[0], values[1], blank(expr.type))
        self.spend(sum(len(one) for one in values if isinstance(one, tuple)))
        if op == "set" and expr.type.name == "map":
            return {}
        if op not in OPERATIONS:
            raise Undecided
        return OPERATIONS[op](*values)

    def _given(self, expr: Expr, env: Env) -> Any:
        """The value where something is wanted: none counts as 0, no or the empty set."""
        found = self.read(expr, env)
        return zero(expr.type) if found is None else found

    def _loop(self, loop: Loop, env: Env) -> Any:
        if loop.fn == "any":
            return any(True for _ in self._rounds(loop, env))
        if loop.fn == "every":
            return all(self._result(loop, inner) for inner in self._rounds(loop, env))
        if loop.fn == "first":
            return next((self._result(loop, inner) for inner in self._rounds(loop, env)), None)
        return LOOPS[loop.fn]([self._result(loop, inner) for inner in self._rounds(loop, env)])

    def _rounds(self, loop: Loop, env: Env) -> Iterator[dict[str, Any]]:
        members = self._given(loop.source, env)
        self.spend(len(members))
        for member in members:
            inner = {**env, loop.var: member}
            if loop.where is None or self.read(loop.where, inner):
                yield inner

    def _result(self, loop: Loop, env: Env) -> Any:
        if loop.body is None:
            return env[loop.var]
        read: Callable[[Expr, Env], Any]
        read = self._given if loop.fn in ("sum", "max", "min") else self.read
        return read(loop.body, env)
