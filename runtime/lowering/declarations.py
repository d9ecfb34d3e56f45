"""One or more functions for every declaration: values, orders, procedures, stages, actions, advice.

Each function takes the state first and is known by a key, such as ("value", "hand_limit") or
("action", "march", "options", 1).
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.forms.bodies import passages
from ziggurat.dsl.forms.walking import calls, free
from ziggurat.runtime.lowering import asking, counting  # noqa: F401 - they add themselves to the tables
from ziggurat.runtime.lowering import expressions as ex
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.memo import Memo
from ziggurat.runtime.lowering.nullability import Nullability
from ziggurat.runtime.lowering.scope import Scope, Shared, Spec
from ziggurat.runtime.lowering.statements import block

HEAVY = 1_000  # what calls so many others, directly or not, is charged when it is called
RANK = {"to": 0, "by": 1, "adding": 1, "removing": 1, "extending": 1, "times": 2}
RANK |= {"at_least": 3, "at_most": 3, "allow": 4, "forbid": 5}


Calls = dict[Spec, list[Spec]]


def _value_calls(ruleset: ir.Ruleset) -> Calls:
    return {
        ("value", value.id): [call for call in calls(value) if call[0] == "value"]
        for value in ruleset.values.values()
    }


def step_bodies(ruleset: ir.Ruleset) -> dict[Spec, tuple[Any, ...]]:
    """Procedures with their triggers, and blocks of things, all of a kind together."""
    found: dict[Spec, tuple[Any, ...]] = {}
    for one in passages(ruleset):
        if isinstance(one.home, ir.Procedure):
            key: Spec = ("procedure", one.home.id)
        elif isinstance(one.home, ir.Thing):
            key = ("body", one.home.kind, one.owner.name)
        else:
            continue
        found[key] = (*found.get(key, ()), one.node)
    return found


def step_calls(body: Any) -> list[Spec]:
    """The procedures and blocks of things that a body calls."""
    return [call for call in calls(body) if call[0] in ("procedure", "body")]


def weigh(calls: Mapping[Spec, Sequence[Spec]]) -> dict[Spec, int]:
    """How many calls each leads to, at most and without loops. What is called is weighed before
    what calls it, without recursion: a chain may be longer than Python allows."""
    found: dict[Spec, int] = {}
    for start in calls:
        waiting = [start]
        while waiting:
            key = waiting[-1]
            first = [c for c in calls.get(key, ()) if c not in found] if key not in found else []
            found.setdefault(key, 1)
            if first:
                waiting.extend(first)
                continue
            found[key] = min(1 + sum(found[c] for c in calls.get(key, ())), 10**12)
            waiting.pop()
    return found


class Declarations:
    """Lowers a ruleset; `files` collects the functions by the rules file they come from."""

    def __init__(self, ruleset: ir.Ruleset, trace: bool = False, memo: bool = True) -> None:
        self.ruleset = ruleset
        known = Memo(ruleset) if memo else None
        self.shared = Shared(ruleset, trace, memo=known, nullability=Nullability(ruleset))
        self.files: dict[str, list[ast.stmt]] = {}
        self._weights = weigh(_value_calls(ruleset))
        self._weights |= weigh({k: step_calls(b) for k, b in step_bodies(ruleset).items()})

    def lower(self) -> None:
        rules = self.ruleset
        for value in rules.values.values():
            self._value(value)
        for order in rules.orders.values():
            self._order(order)
        for procedure in rules.procedures.values():
            self._procedure(procedure)
        for kind in rules.kinds.values():
            for thing in rules.things.get(kind.id, {}).values():
                self._thing(kind, thing)
        for phase in rules.phases.values():
            self._phase(phase)
        for action in rules.actions.values():
            self._action(action)
        for number, advice in enumerate(rules.advice):
            self._advice(number, advice)

    # ---- making functions

    def _scope(self, rule: str, at: ir.At, params: Iterable[str], meta: ir.Meta) -> Scope:
        scope = Scope(self.shared, rule, at.file, meta)
        for param in params:
            scope.bind(param)
        return scope

    def _add(self, key: Sequence[Any], scope: Scope, params: Iterable[str], at: ir.At,
             body: list[ast.stmt]) -> None:  # fmt: skip
        name = self.shared.function(*key)
        made = scope.finish(name, [scope.env[param] for param in params], body)
        line = max(at.line, 1)
        made.lineno = made.end_lineno = line
        made.col_offset = made.end_col_offset = 0
        self.files.setdefault(at.file, []).append(made)

    def expression(self, key: Sequence[Any], rule: str, at: ir.At, params: Sequence[str],
                   expr: ir.Expr, meta: ir.Meta = ir.NO_META,
                   condition: bool = False) -> None:  # fmt: skip
        """A function that returns one expression."""
        scope = self._scope(rule, at, params, meta)
        made = ex.test(scope, expr) if condition else ex.lower(scope, expr)
        self._add(key, scope, params, at, [ast.Return(made)])

    def procedure(self, key: Sequence[Any], rule: str, at: ir.At, params: Sequence[str],
                  body: ir.Body, meta: ir.Meta = ir.NO_META) -> None:  # fmt: skip
        """A function that runs statements."""
        scope = self._scope(rule, at, params, meta)
        scope.lacking = self.shared.nullability.locals_of(body)
        made = [*scope.traced(rule), *self._charge(scope, key), *block(scope, body)]
        self._add(key, scope, params, at, made)

    def _charge(self, scope: Scope, key: Sequence[Any]) -> list[ast.stmt]:
        """What leads to very many calls is charged for them; loops are charged by themselves."""
        what = "procedure" if key[0] == "main" else key[0]
        weight = self._weights.get((what, *key[1:]), 0)
        if weight <= HEAVY:
            return []
        node = (self.ruleset.values if what == "value" else self.ruleset.procedures)[key[1]]
        amount = py.const(weight // 100)
        return [ast.Expr(py.method(py.name("S"), "spend", amount, scope.site(node)))]

    # ---- values and orders

    def _value(self, value: ir.Value) -> None:
        params = [param.name for param in value.params]
        scope = self._scope(value.id, value.at, params, value.meta)
        body: list[ast.stmt] = scope.traced(value.id)
        body += self._charge(scope, ("value", value.id))
        memo = self.shared.memo
        group = None if memo is None else memo.group(value.id)
        if group is not None:
            self._noted(value, group, params)
        key = ("value" if group is None else "fresh", value.id)
        clauses = sorted(value.contributions, key=lambda clause: RANK[clause.op])
        if not clauses:
            body.append(ast.Return(ex.have(scope, value.base, value.type)))
        elif all(clause.op in ("allow", "forbid") for clause in clauses):
            body.extend(_permission(scope, value.base, clauses))
        else:
            out = scope.fresh()
            body.append(py.assign(out, ex.have(scope, value.base, value.type)))
            for clause in clauses:
                body.extend(_contribution(scope, out, clause, value.type))
            body.append(ast.Return(py.name(out)))
        self._add(key, scope, params, value.at, body)

    def _noted(self, value: ir.Value, group: int, params: list[str]) -> None:
        """A value that is looked up until something it reads has changed."""
        scope = self._scope(value.id, value.at, params, value.meta)
        args = [py.name(scope.env[param]) for param in params]
        fresh = self.shared.function("fresh", value.id)
        body = self.shared.memo.look_up(group, value.id, fresh, args, scope.fresh)
        self._add(("value", value.id), scope, params, value.at, body)

    def _order(self, order: ir.Order) -> None:
        params = [param.name for param in order.params]
        scope = self._scope(order.id, order.at, params, order.meta)
        args = [py.name("S"), *[py.name(scope.env[param]) for param in params]]
        keys = [py.call(self.shared.function("value", key), *args) for key in order.keys]
        self._add(("order", order.id), scope, params, order.at, [ast.Return(py.tuple_of(keys))])

    # ---- procedures, with what happens before, after and instead

    def _procedure(self, procedure: ir.Procedure) -> None:
        params = [param.name for param in procedure.params]
        key = ("procedure", procedure.id)
        if not procedure.triggers:
            self.procedure(key, procedure.id, procedure.at, params, procedure.body, procedure.meta)
            return
        main = ("main", procedure.id)
        self.procedure(main, procedure.id, procedure.at, params, procedure.body, procedure.meta)
        scope = self._scope(procedure.id, procedure.at, params, procedure.meta)
        arguments = [py.name("S"), *[py.name(scope.env[param]) for param in params]]

        def run(name: str) -> list[ast.stmt]:
            return [ast.Expr(py.call(name, *arguments))]

        parts: dict[str, list[ast.stmt]] = {"before": [], "after": []}
        middle = run(self.shared.function(*main))
        for number, trigger in enumerate(procedure.triggers):
            own = ("trigger", procedure.id, number)
            self.procedure(own, trigger.path, trigger.at, params, trigger.body, trigger.meta)
            made = run(self.shared.function(*own))
            condition = trigger.condition and ex.test(scope, trigger.condition)
            if trigger.when == "instead":
                middle = [py.when(condition, made, middle)] if condition else made
            else:
                parts[trigger.when] += [py.when(condition, made)] if condition else made
        body = [*parts["before"], *middle, *parts["after"]]
        self._add(key, scope, params, procedure.at, body)

    def _thing(self, kind: ir.Kind, thing: ir.Thing) -> None:
        declared = {body.name: [param.name for param in body.params] for body in kind.bodies}
        for body in thing.bodies:
            params = declared.get(body.name, [])
            rule = f"{thing.id}.{body.name}"
            key = ("body", kind.id, thing.id, body.name)
            meta = body.meta if body.meta != ir.NO_META else thing.meta
            self.procedure(key, rule, body.at, params, body.body, meta)

    # ---- phases

    def _phase(self, phase: ir.Phase) -> None:
        for number, need in enumerate(phase.needs):
            key = ("phase", phase.id, "needs", number)
            self.expression(key, phase.id, need.at, [], need.condition, phase.meta, True)
        for number, trigger in enumerate(phase.triggers):
            key = ("phase", phase.id, "trigger", number)
            self.procedure(key, trigger.path, trigger.at, [], trigger.body, trigger.meta)
            if trigger.condition is not None:
                when = ("phase", phase.id, "when", number)
                self.expression(when, trigger.path, trigger.at, [], trigger.condition)
        for number, stage in enumerate(phase.stages):
            self._stage(phase, number, stage)

    def _stage(self, phase: ir.Phase, number: int, stage: ir.Stage) -> None:
        key = ("stage", phase.id, number)
        rule = stage.path or phase.id
        at = stage.at if stage.at.line else phase.at
        params = [stage.var] if stage.var else []
        if stage.source is not None:
            self.expression((*key, "items"), rule, at, [], self._items(stage), phase.meta)
        if stage.condition is not None and stage.source is None:
            self.expression((*key, "test"), rule, at, [], stage.condition, phase.meta, True)
        if stage.limit is not None:
            self.expression((*key, "limit"), rule, at, [], stage.limit, phase.meta, True)
        if stage.order is not None:
            scope = self._scope(rule, at, params, phase.meta)
            made = ex.key_of(scope, stage.order, scope.env[stage.var])
            self._add((*key, "order"), scope, params, at, [ast.Return(made)])
        meta = stage.meta if stage.meta != ir.NO_META else phase.meta
        self.procedure((*key, "body"), rule, at, params, stage.body, meta)

    def _items(self, stage: ir.Stage) -> ir.Expr:
        """The members of the stage's set for which its condition holds."""
        assert stage.source is not None
        if stage.condition is None:
            return stage.source
        name = "list" if stage.source.type.name == "list" else "set"
        return ir.Loop(
            name, stage.var, stage.source, stage.condition, None, None, stage.source.type,
            at=stage.at,
        )  # fmt: skip

    # ---- actions and advice

    def _action(self, action: ir.Action) -> None:
        names = [action.actor, *[param.name for param in action.params]]
        for number, param in enumerate(action.params):
            params = names[: number + 1]
            key = ("action", action.id, "options", number)
            source = param.source
            if param.where is not None:
                fn = "list" if source.type.name == "list" else "set"
                source = ir.Loop(
                    fn, "it", source, param.where, None, None, source.type, at=param.at
                )
            self.expression(key, action.id, param.at, params, source, action.meta)
            for part, bound in (("least", param.least), ("most", param.most)):
                if bound is not None:
                    own = ("action", action.id, part, number)
                    self.expression(own, action.id, param.at, params, bound, action.meta)
        for number, need in enumerate(action.needs):
            key = ("action", action.id, "needs", number)
            level = need_level(action, need)
            params = names[: level + 1]
            meta = need.meta if need.meta != ir.NO_META else action.meta
            self.expression(key, action.id, need.at, params, need.condition, meta, True)
        self.procedure(
            ("action", action.id, "body"), action.id, action.at, names, action.body, action.meta
        )

    def _advice(self, number: int, advice: ir.Advice) -> None:
        params = advice_params(self.ruleset, advice.target)
        scope = self._scope(f"advice {advice.target}", advice.at, params, ir.NO_META)
        scope.env.setdefault("it", scope.env[params[-1]])
        out = scope.fresh()
        body = [py.assign(out, py.const(0))]
        for preference in advice.preferences:
            score = ex.have(scope, preference.score)
            add: list[ast.stmt] = [ast.AugAssign(ast.Name(out, ast.Store()), ast.Add(), score)]
            if preference.when is not None:
                add = [py.when(ex.test(scope, preference.when), add)]
            body.extend(add)
        body.append(ast.Return(py.name(out)))
        self._add(("advice", number), scope, params, advice.at, body)


def need_level(action: ir.Action, need: ir.Requirement) -> int:
    """How many parameters must be known before a requirement can be looked at."""
    names = [param.name for param in action.params]
    used = free(need.condition)
    return max((index + 1 for index, name in enumerate(names) if name in used), default=0)


def advice_params(ruleset: ir.Ruleset, target: str) -> list[str]:
    """What advice may speak of: `it` and `p`, or the parameters up to the one it is about."""
    action = ruleset.actions.get(target)
    if action is not None:
        return ["p", *[param.name for param in action.params if param.name != "p"]]
    head, _, last = target.rpartition(".")
    action = ruleset.actions.get(head)
    names = [param.name for param in action.params] if action is not None else []
    if last in names:
        return ["p", *[name for name in names[: names.index(last) + 1] if name != "p"]]
    return ["p", "it"]


def _permission(scope: Scope, base: ir.Expr, clauses: list[ir.Contribution]) -> list[ast.stmt]:
    """A yes-or-no value: any forbid that holds wins, then any allow will do."""
    body: list[ast.stmt] = []
    for clause in clauses:
        if clause.op == "forbid":
            test = py.const(True) if clause.when is None else ex.test(scope, clause.when)
            deny = [*scope.traced(clause.path), ast.Return(py.const(False))]
            body.append(py.when(test, deny))
    for clause in clauses:
        if clause.op == "allow":
            test = py.const(True) if clause.when is None else ex.test(scope, clause.when)
            body.append(py.when(test, [*scope.traced(clause.path), ast.Return(py.const(True))]))
    return [*body, ast.Return(ex.have(scope, base))]


def _written(node: ir.Expr | None) -> tuple[int, int] | None:
    """The ends of a range that is written in numbers."""
    match node:
        case ir.Op(op="range", args=(low, high)):
            ends = ex.whole(low), ex.whole(high)
            return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])
    return None


def _stretched(old: ast.expr, low: int, high: int) -> ast.expr:
    """A range in a variable with its ends moved."""
    start = py.binary(ast.Attribute(old, "start", ast.Load()), "+", py.const(low))
    stop = py.binary(ast.Attribute(old, "stop", ast.Load()), "+", py.const(high))
    return py.call("range", start, stop)


def _contribution(
    scope: Scope, out: str, clause: ir.Contribution, type_: ir.Type
) -> list[ast.stmt]:
    amount = None if clause.amount is None else ex.have(scope, clause.amount, type_)
    old = py.name(out)
    is_map = type_.name == "map"
    made: list[ast.stmt]
    match clause.op, amount:
        case "allow", _:
            made = [py.assign(out, py.const(True))]
        case "forbid", _:
            made = [py.assign(out, py.const(False))]
        case _, None:
            made = []
        case "to", ast.expr() as new:
            made = [py.assign(out, new)]
        case "by", ast.expr() as new if type_.name == "int":
            made = [ast.AugAssign(ast.Name(out, ast.Store()), ast.Add(), new)]
        case "times", ast.expr() as new:
            made = [py.assign(out, py.call("times", old, new))]
        case "at_least" | "at_most" as op, ast.expr() as new:
            made = [py.assign(out, py.call("max" if op == "at_least" else "min", old, new))]
        case "removing", ast.expr() as new:
            made = [py.assign(out, py.call("without" if is_map else "minus", old, new))]
        case _, _ if type_.name == "range" and (by := _written(clause.amount)):
            made = [py.assign(out, _stretched(old, *by))]
        case _, ast.expr() as new:
            helper = {"range": "extended", "map": "merged"}.get(type_.name, "union")
            made = [py.assign(out, py.call(helper, old, new))]
    if ex.is_unbound(type_) and type_.name != "range":
        made.append(ast.Expr(py.call("charge", py.name("S"), old, scope.site(clause))))
    made = [*scope.traced(clause.path), *made]
    return made if clause.when is None else [py.when(ex.test(scope, clause.when), made)]
