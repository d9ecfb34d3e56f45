"""Advice: what a policy should prefer, about a decision, an action or one of its parameters."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.ir import Expr, Lit, Op
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import fitted, guard, lower
from ziggurat.dsl.linking.fields import no_more, refuse_heads
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.types import BOOL, INT, PLAYER
from ziggurat.dsl.linking.world import World


def advice(world: World, decl: Decl) -> ir.Advice | None:
    target = decl.node.id
    cx = Context(world, decl, f"advice {target}")
    refuse_heads(cx, decl, ())
    if not _in_sight(cx, target):
        known = (*world.decisions, *world.actions)
        hint = did_you_mean(target, known)
        message = f"There is no decision or action called `{target}`."
        world.report("Z606", message, decl.name_span, hint)
        return None
    found: list[ir.Preference] = []
    for item in decl.items:
        node, file = item
        if getattr(node, "rule", "") != "prefer":
            no_more(cx, decl, [item])
            continue
        cx.enter(file)
        score, when = node.parts
        found.append(ir.Preference(_score(cx, score), guard(cx, when), at=cx.at(node)))
    cx.enter(decl.file)
    return ir.Advice(target, tuple(found), at=cx.at(decl.node))


def _in_sight(cx: Context, target: str) -> bool:
    """The names advice may use: `p` decides, `it` is the option, and parameters by name."""
    world = cx.world
    cx.define("p", PLAYER, "param")
    decision = world.decisions.get(target)
    if decision is not None:
        cx.define("it", decision.candidate, "it")
        return True
    name, _, last = target.rpartition(".")
    for path, stop in ((target, ""), (name, last)):
        signature = world.actions.get(path)
        if signature is None:
            continue
        for param in signature.params:
            type_ = param.type
            if param.name == stop:  # of a set, one member after the other
                type_ = type_.item if type_.name == "set" and type_.item else type_
                cx.define("it", type_, "it")
            cx.define(param.name, type_, "param")
            if param.name == stop:
                return True
        if not stop:
            return True
    return False


def _score(cx: Context, node: Any) -> Expr:
    """A number; for a yes or no, yes counts 1."""
    found = lower(cx, node)
    if found.type == BOOL:
        return Op("if", (found, Lit(1, INT), Lit(0, INT)), INT, at=found.at)
    return fitted(cx, found, INT, node)
