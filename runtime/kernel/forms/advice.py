"""Advice: a score for each option."""

from collections.abc import Iterator
from typing import Any

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.signatures import advice_params
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@declaration(ir.Advice)
def _advice(walker: Walker, advice: ir.Advice) -> Iterator[Keyed]:
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
