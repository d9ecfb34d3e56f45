"""Sentences with holes, and the steps that speak them: `say "{p} loses {n}."`."""

from typing import Any

import attrs

from ziggurat.runtime.kernel.description import LOG, form
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression
from ziggurat.runtime.kernel.nodes import TEXT, Expr, Stmt, Type, later_field
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form(shown=True)
@attrs.frozen
class Agreement(Expr):
    """Words that agree with a number: `{n|city|cities}`. Which of them is said for which number a
    language decides: `plural` is its rule as gettext writes it, empty for that of English."""

    of: Expr
    wordings: tuple[str, ...]
    plural: str = ""
    type: Type = TEXT


@form(shown=True)
@attrs.frozen
class Text:
    """A sentence with holes: strings and expressions in turn."""

    parts: tuple[str | Expr, ...]

    @property
    def holes(self) -> int:
        """How many values fill it."""
        return sum(not isinstance(part, str) for part in self.parts)


@form(writes=lambda one: (LOG,), shown=True)
@attrs.frozen
class Say(Stmt):
    """A line of the log; `to` None: everybody may read it. What `others` read instead of it, if
    anything, stands in a text of its own; where nobody is told, all read the first."""

    text: Text
    to: Expr | None
    others: Text | None = later_field(None)


@expression(Agreement)
def _agreement(run: Evaluator, state: State, expr: Agreement, env: Env) -> Any:
    return run.evaluate(state, expr.of, env)


@statement(Say)
def _say(run: Steps, state: State, node: Say, env: Locals) -> None:
    to = None if node.to is None else run.evaluate(state, node.to, env)
    if node.to is not None and node.others is None and to is None:
        return
    told = run.holes(state, node.text, env)
    if node.others is not None:
        told += run.holes(state, node.others, env)
    state.say(to, run.site(node), told)
