"""Advice: a score for each option, and whether there is one at all."""

import ast
from itertools import takewhile

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.declarations import Lowering, declaration
from ziggurat.runtime.compiler.expressions import or_zero, test
from ziggurat.runtime.kernel.signatures import advice_params
from ziggurat.runtime.kernel.walking import free


@declaration(ir.Advice)
def _advice(low: Lowering, advice: ir.Advice) -> None:
    params = advice_params(low.ruleset, advice.target)
    scope = low.scope(f"advice {advice.target}", advice.at, params, ir.NO_META)
    scope.env.setdefault("it", scope.env[params[-1]])
    out = scope.fresh()
    body = [py.assign(out, py.const(0))]
    for preference in advice.preferences:
        score = or_zero(scope, preference.score)
        add: list[ast.stmt] = [ast.AugAssign(ast.Name(out, ast.Store()), ast.Add(), score)]
        if preference.when is not None:
            add = [py.when(test(scope, preference.when), add)]
        body.extend(add)
    body.append(ast.Return(py.name(out)))
    low.add(("advice", low.advice_number(advice)), scope, params, advice.at, body, pure=True)
    _chance(low, advice)


def _chance(low: Lowering, advice: ir.Advice) -> None:
    """Whether an action can be worth anything, as far as that can be told before anything of it
    is chosen: by what its conditions say of nobody but the player to begin with."""
    action = low.ruleset.actions.get(advice.target)
    if action is None or not action.params:
        return
    scope = low.scope(f"advice {advice.target}", advice.at, ["p"], ir.NO_META)
    ways = [_known_before(preference.when) for preference in advice.preferences]
    if all(ways):
        made = py.either([py.both([test(scope, one) for one in way]) for way in ways])
        key = ("advice", low.advice_number(advice), "chance")
        low.add(key, scope, ["p"], advice.at, [ast.Return(made)], pure=True)


def _known_before(condition: ir.Expr | None) -> list[ir.Expr]:
    """The parts of a condition up to the first that speaks of something chosen."""
    return [*takewhile(lambda part: free(part) <= {"p"}, _parts(condition))] if condition else []


def _parts(condition: ir.Expr) -> list[ir.Expr]:
    if isinstance(condition, ir.Op) and condition.op == "and":
        return [one for part in condition.args for one in _parts(part)]
    return [condition]
