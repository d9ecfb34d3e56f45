"""Advice: what a policy should prefer, about a decision, an action or one of its parameters."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import At, Expr, at_field
from ziggurat.runtime.kernel.signatures import advice_params
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@form()
@attrs.frozen
class Preference:
    score: Expr
    when: Expr | None
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Advice:
    """About a decision's path, an action, or an action's parameter. Locals: `it`, `p`,
    parameters."""

    target: str
    preferences: tuple[Preference, ...]
    at: At = at_field()


@declaration(Advice)
def _advice(walker: Walker, advice: Advice) -> Iterator[Keyed]:
    number = next(n for n, one in enumerate(walker.steps.ruleset.advice) if one is advice)
    names = advice_params(walker.steps.ruleset, advice.target)

    def function(state: State, *args: Any) -> int:
        env = {"it": args[-1], **dict(zip(names, args, strict=True))}
        return sum(
            walker.steps.given(state, preference.score, env)
            for preference in advice.preferences
            if preference.when is None or walker.steps.evaluate(state, preference.when, env)
        )

    yield ("advice", number), function
