"""What is known where an expression is worked out: the conditions that hold there.

`count(u of e in a) when e.ruler is p` looks at pieces that lie covered, but only of somebody whose
pieces p may look at, because `e.ruler is p` holds wherever it is asked. A fact is a condition in
which the decider is `WHO`, whatever they are called, and names have no types, so that it can be
compared with what a value says about who sees something.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import FORMS, fields_of
from ziggurat.runtime.kernel.walking import walk

ANY = ir.Type("nothing")
WHO: ir.Expr = ir.Local("", ANY)
SOMETHING: ir.Expr = ir.Local("?", ANY)  # what nothing is known of
Facts = frozenset[ir.Expr]
Names = Mapping[str, ir.Expr]
NO_FACTS: Facts = frozenset()


def stated(expr: ir.Expr, names: Names) -> ir.Expr:
    """An expression in which names stand for others, and all without their types."""

    def new(part: Any) -> Any:
        if isinstance(part, ir.Local):
            return names.get(part.name, ir.Local(part.name, ANY))
        return _rebuilt(part, new)

    return cast(ir.Expr, new(expr))


def _rebuilt(part: Any, new: Callable[[Any], Any]) -> Any:
    """The same with others of the forms that it is made of."""
    if isinstance(part, tuple):
        return tuple(map(new, part))
    if type(part) not in FORMS:
        return part
    return attrs.evolve(part, **{one: new(getattr(part, one)) for one in fields_of(type(part))})


def holding(condition: ir.Expr | None, names: Names) -> Facts:
    """The facts where a condition holds."""
    if condition is None:
        return NO_FACTS
    found = set[ir.Expr]()
    for part in _parts(condition, "and"):
        fact = stated(part, names)
        found.add(fact)
        if isinstance(fact, ir.Op) and fact.op == "==":
            found.add(attrs.evolve(fact, args=fact.args[::-1]))
    return frozenset(found)


def _parts(expr: ir.Expr, op: str) -> Iterator[ir.Expr]:
    if isinstance(expr, ir.Op) and expr.op == op:
        for part in expr.args:
            yield from _parts(part, op)
    else:
        yield expr


def follows(value: ir.Value, args: Sequence[ir.Expr], facts: Facts) -> bool:
    """Whether a value of yes or no is surely yes: it is a fact, or one of what it may be is."""
    if any(one.op != "allow" for one in value.contributions):
        return False
    names = {param.name: arg for param, arg in zip(value.params, args, strict=True)}
    ways = (_parts(way, "and") for way in _parts(value.base, "or"))
    return any(all(_is_sure(stated(part, names), facts) for part in way) for way in ways) or any(
        isinstance(fact, ir.ValueCall) and (fact.value, fact.args) == (value.id, tuple(args))
        for fact in facts
    )


def _is_sure(fact: ir.Expr, facts: Facts) -> bool:
    """Return whether a fact is known, or only says that the decider is somebody."""
    match fact:
        case ir.Op("!=", (who, ir.Lit(None))) if who == WHO:
            return True
    return fact in facts


def handed_on(facts: Facts, params: Sequence[ir.Param], args: Sequence[ir.Expr]) -> Facts:
    """The facts about what is given to a value, in the words of the value."""
    marks = {arg: ir.Local(f"#{n}", ANY) for n, arg in enumerate(args) if arg != WHO}
    names = {f"#{n}": ir.Local(param.name, ANY) for n, param in enumerate(params)}
    found = set[ir.Expr]()
    for marked in (one for fact in facts for one in (fact, _exchanged(fact, marks))):
        inner = {one.name for one in walk(marked) if isinstance(one, ir.Local)}
        if all(name == "" or name.startswith("#") for name in inner):
            found.add(stated(marked, {**names, "": WHO}))
    return frozenset(found)


def _exchanged(fact: ir.Expr, marks: Mapping[ir.Expr, ir.Expr]) -> ir.Expr:
    """A fact with others in the place of some expressions that it is made of."""

    def new(part: Any) -> Any:
        if isinstance(part, ir.Expr) and part in marks:
            return marks[part]
        return _rebuilt(part, new)

    return cast(ir.Expr, new(fact))


def without(facts: Facts, names: set[str]) -> Facts:
    """The facts that say nothing about what has these names outside."""
    return frozenset(
        fact
        for fact in facts
        if not any(isinstance(one, ir.Local) and one.name in names for one in walk(fact))
    )
