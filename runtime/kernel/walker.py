"""Functions that walk rules, by the keys that compiled functions have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ziggurat.runtime.kernel.nodes import Body, Expr
from ziggurat.runtime.kernel.registry import Registry
from ziggurat.runtime.kernel.signatures import Function, Spec

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.forms.core import OrderRef
    from ziggurat.runtime.kernel.state import State
    from ziggurat.runtime.kernel.steps import Steps

Keyed = tuple[Spec, Function]
# Functions of the walker and the declaration.
DECLARATIONS = Registry[type, Iterator[Keyed]]()
declaration = DECLARATIONS.add


class Walker:
    """Functions that walk declarations, by the keys that compiled functions have."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps

    def everything(self) -> Iterator[Keyed]:
        rules = self.steps.ruleset
        pages = (rules.values, rules.orders, rules.procedures, rules.phases, rules.actions)
        declared = [one for page in pages for one in page.values()]
        for one in (*declared, *self.steps.table.things, *rules.advice):
            yield from self.functions(one)

    def functions(self, declared: Any) -> Iterator[Keyed]:
        """The functions of one declaration."""
        yield from DECLARATIONS[type(declared)](self, declared)

    def expression(self, names: Iterable[str], expr: Expr) -> Function:
        known = tuple(names)

        def function(state: State, *args: Any) -> Any:
            return self.steps.evaluate(state, expr, dict(zip(known, args, strict=True)))

        return function

    def block(self, names: Iterable[str], body: Body, path: str = "") -> Function:
        known = tuple(names)

        def function(state: State, *args: Any) -> None:
            if path:
                self.steps.begins(state, path)
            self.steps.procedure(state, body, dict(zip(known, args, strict=True)))

        return function

    def sort_key(self, order: OrderRef) -> Function:
        return lambda state, thing: self.steps.sort_key(state, order, {})(thing)

    def items(
        self, source: Expr, where: Expr | None, var: str, names: Iterable[str] = ()
    ) -> Function:
        known = tuple(names)

        def function(state: State, *args: Any) -> Any:
            env = dict(zip(known, args, strict=True))
            return tuple(self.steps.members(state, source, where, None, env, var))

        return function
