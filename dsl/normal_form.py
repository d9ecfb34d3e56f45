"""What rules come to: two ways to say the same made equal.

Conditions that always or never hold are worked out, steps that do nothing or only tell everybody
something are left out, and numbers that cannot matter are brought to one form: a count is never
below 0, moving or choosing fewer than none is none, and a key of an order only says who comes
before whom. Declarations that are equal in this form mean the same in every position. The reverse
is not promised.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ziggurat.dsl.linking.constants import number_of
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.arithmetic import OPERATIONS, CannotCompute

_BOOL = ir.Type("bool")
_YES, _NO = ir.Lit(True, _BOOL), ir.Lit(False, _BOOL)
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_AMOUNTS = {
    ir.Move: ("quantity",),
    ir.Turn: ("quantity",),
    ir.Choose: ("least", "most"),
    ir.ActionParam: ("least", "most"),
    ir.Repeat: ("times",),
    ir.Divide: ("total", "allowing"),
}
_LEFT_ALONE = (ir.Type, ir.At, ir.Meta, ir.Text, ir.Param)
_FILTERS = ("where", "when", "condition")


class Plain:
    """Brings the declarations of one ruleset to their plain form.

    With `options`, those are taken to be set so. Values that nothing changes and the data of things
    count for what they are; with `fixed`, nothing but these values does.
    """

    def __init__(
        self,
        ruleset: ir.Ruleset,
        options: Mapping[str, Any] | None = None,
        fixed: Mapping[str, ir.Lit] | None = None,
    ) -> None:
        self._ruleset = ruleset
        self._options = options or {}
        self._constants = fixed
        self._fields = _least_fields(ruleset)
        self._values: dict[str, int | None] = {}

    def ruleset(self) -> ir.Ruleset:
        """The ruleset with all that happens in plain form."""
        tables = ("procedures", "phases", "actions")
        forms: dict[str, Any] = {
            table: {id_: self.of(one) for id_, one in getattr(self._ruleset, table).items()}
            for table in tables
        }
        return attrs.evolve(self._ruleset, **forms)

    def of(self, node: Any, key: bool = False) -> Any:
        """The plain form; a `key` of an order is a value that is only compared with itself."""
        if key:
            node = _compared(node)
        return self._plain(node)

    def _plain(self, node: Any) -> Any:
        if isinstance(node, tuple):
            found = [self._plain(one) for one in node]
            return tuple(one for whole in found for one in _worth_doing(whole))
        if not attrs.has(type(node)) or isinstance(node, _LEFT_ALONE):
            return node
        parts = {f.name: self._plain(getattr(node, f.name)) for f in attrs.fields(type(node))}
        for name in _AMOUNTS.get(type(node), ()):
            parts[name] = _amount(parts[name])
        for name in _FILTERS:
            if parts.get(name) == _YES and not _goes_on(node):
                parts[name] = None
        new = type(node)(**parts)
        if isinstance(new, ir.ValueCall):
            return self._fixed(new)
        if isinstance(new, ir.OptionRef) and new.id in self._options:
            return ir.Lit(self._options[new.id], new.type)
        if isinstance(new, ir.Action) and any(need.condition == _NO for need in new.needs):
            return attrs.evolve(new, params=(), needs=(), body=())  # never to be done
        return self._worked_out(new) if isinstance(new, ir.Op) else new

    def _fixed(self, call: ir.ValueCall) -> ir.Expr:
        """A value that nothing in this stack changes is its number."""
        if self._constants is not None:
            return self._constants.get(call.value, call)
        declared = self._ruleset.values[call.value]
        fixed = isinstance(declared.base, ir.Lit) and not declared.contributions
        return declared.base if fixed else call

    def _worked_out(self, expr: ir.Op) -> ir.Expr:
        args = expr.args
        match expr.op:
            case "not" if args[0] in (_YES, _NO):
                return _NO if args[0] == _YES else _YES
            case "neg" if (number := _number(args[0])) is not None:
                return ir.Lit(-number, expr.type)
            case "and" | "or" as op:
                rules, vain = (_NO, _YES) if op == "and" else (_YES, _NO)
                if args[0] == rules:
                    return rules
                left = [arg for arg in args if arg != vain]
                return expr if len(left) == len(args) else left[0] if left else vain
            case "if" if args[0] in (_YES, _NO):
                return args[1] if args[0] == _YES else args[2]
            case op if op in _TURNED:
                return self._decided(expr)
            case "max":
                return self._largest(expr)
            case "+" | "-" if _number(args[1]) == 0:
                return args[0]
        return expr

    def _decided(self, expr: ir.Op) -> ir.Expr:
        """A comparison with a number that the other side can never come down to."""
        op, (one, other) = expr.op, expr.args
        if isinstance(one, ir.Lit) and isinstance(other, ir.Lit) and op in ("==", "!="):
            return _YES if (one == other) == (op == "==") else _NO
        if (first := _number(one)) is not None and (second := _number(other)) is not None:
            return _YES if OPERATIONS[op](first, second) else _NO
        if isinstance(one, ir.Lit) and not isinstance(other, ir.Lit):
            op, one, other = _TURNED[op], other, one
        number, least = _number(other), self.least(one)
        if number is None or least is None:
            return expr
        always = {">": least > number, ">=": least >= number, "!=": least > number}
        never = {"<": least >= number, "<=": least > number, "==": least > number}
        return _YES if always.get(op) else _NO if never.get(op) else expr

    def _largest(self, expr: ir.Op) -> ir.Expr:
        """`max(0, n)` of a number that is never below 0."""
        lows = (self.least(arg) for arg in expr.args if _number(arg) is None)
        floor = max((low for low in lows if low is not None), default=None)
        if floor is None:
            return expr
        left = tuple(arg for arg in expr.args if (number := _number(arg)) is None or number > floor)
        return left[0] if len(left) == 1 else attrs.evolve(expr, args=left)

    # ---- what numbers never fall below

    def least(self, expr: ir.Expr | None) -> int | None:
        """A number the expression never falls below, if one is known."""
        match expr:
            case ir.Lit():
                return _number(expr)
            case ir.Count(exists=False) | ir.Loop(fn="count"):
                return 0
            case ir.Loop(fn="sum" | "max" | "min", body=body):
                low = self.least(body)
                return 0 if low is not None and low >= 0 else None
            case ir.FieldOf(owner_kind=kind, field=field) if self._constants is None:
                return self._fields.get((kind, field))
            case ir.ValueCall(value=value) if self._constants is None:
                return self._least_value(value)
            case ir.Op():
                return self._least_of(expr)
        return None

    def _least_of(self, expr: ir.Op) -> int | None:
        if expr.op in ("size", "abs"):
            return 0
        if expr.type.name != "int":
            return None
        lows = [self.least(arg) for arg in expr.args]
        if expr.op == "max":
            return max((low for low in lows if low is not None), default=None)
        if expr.op == "if":
            lows = lows[1:]
        known = [low for low in lows if low is not None]
        if len(known) < len(lows):
            return None
        if expr.op in ("min", "if"):
            return min(known)
        if expr.op == "+":
            return sum(known)
        whole = min(known) >= 0
        return 0 if whole and expr.op in ("*", "/", "/up", "mod") else None

    def _least_value(self, value: str) -> int | None:
        if value not in self._values:
            self._values[value] = None  # while it is being found out
            declared = self._ruleset.values[value]
            if not declared.contributions and declared.type.name == "int":
                self._values[value] = self.least(declared.base)
        return self._values[value]


def _least_fields(ruleset: ir.Ruleset) -> dict[tuple[str, str], int]:
    """The smallest number any thing has in a field, those of scenarios included."""
    found: dict[tuple[str, str], int] = {}

    def note(kind: str, field: str, number: Any) -> None:
        if isinstance(number, int):
            found[kind, field] = min(number, found.get((kind, field), number))

    for kind in ruleset.kinds.values():
        for field in kind.fields:
            if field.type == ir.Type("int"):
                note(kind.id, field.name, 0)
                note(kind.id, field.name, _number(field.default))
    things = [thing for kind in ruleset.things.values() for thing in kind.values()]
    for scenario in ruleset.scenarios:
        things += scenario.things
    for thing in things:
        for given in thing.values:
            if (thing.kind, given.field) in found:
                note(thing.kind, given.field, given.value)
    return found


def _number(expr: Any) -> int | None:
    """The number that an expression always is, if it is one."""
    try:
        return number_of(expr)
    except CannotCompute:
        return None


def _amount(expr: Any) -> Any:
    """How many: fewer than none is none."""
    number = _number(expr)
    if number is not None and number < 0:
        return ir.Lit(0, expr.type)
    match expr:
        case ir.Op(op="max" | "range", args=args):
            capped = (_amount(args[0]), *map(_amount if expr.op == "max" else _same, args[1:]))
            return attrs.evolve(expr, args=capped)
        case ir.Op(op="if", args=(condition, one, other)):
            return attrs.evolve(expr, args=(condition, _amount(one), _amount(other)))
        case ir.Loop(fn="set", body=None, source=source):
            return attrs.evolve(expr, source=_amount(source))
    return expr


def _goes_on(node: Any) -> bool:
    """Whether a condition says more than what is to be left out."""
    return isinstance(node, ir.If | ir.Repeat | ir.Requirement) or (
        isinstance(node, ir.Stage) and node.kind == "while"
    )


def _same(expr: Any) -> Any:
    return expr


def _worth_doing(node: Any) -> tuple[Any, ...]:
    """What is left of a step, a need or a clause: itself, its parts, or nothing."""
    match node:
        case ir.If(condition=condition) if condition in (_YES, _NO):
            return node.then if condition == _YES else node.other
        case ir.If(then=(), other=()) | ir.For(body=()) | ir.Step(body=()):
            return ()
        case ir.Repeat(condition=None, body=()) | ir.Requirement(condition=ir.Lit(value=True)):
            return ()
        case ir.Contribution(when=ir.Lit(value=False)):
            return ()
        case ir.Stage(condition=ir.Lit(value=False)) | ir.Say(to=None):
            return ()
    return (node,)


def _compared(value: ir.Value) -> ir.Value:
    """A key says who comes first: what is added for all, or how far apart two are, says nothing."""
    base: ir.Expr = value.base
    told: Callable[[int], ir.Lit] = lambda number: ir.Lit(number, ir.Type("int"))  # noqa: E731
    match base:
        case ir.Op(op="-", args=(ir.Lit(), rest)) if not value.contributions:
            base = ir.Op("-", (told(0), rest), base.type)
        case ir.Op(op="if", args=(condition, one, other)) if not value.contributions:
            first, second = _number(one), _number(other)
            if first is not None and second is not None:
                apart = (first > second) - (first < second)
                base = ir.Op("if", (condition, told(apart), told(0)), base.type)
        case ir.Lit() if all(clause.op == "by" for clause in value.contributions):
            base = told(0)
    return attrs.evolve(value, base=base)
