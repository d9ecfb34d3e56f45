"""Advice: a score for each option."""

import ast

from ziggurat.dsl import ir
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.declarations import Lowering, declaration
from ziggurat.runtime.lowering.expressions import or_zero, test
from ziggurat.runtime.signatures import advice_params


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
    low.add(("advice", low.advice_number(advice)), scope, params, advice.at, body)
