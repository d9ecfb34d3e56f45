"""Steps that call procedures and blocks of things, and steps that speak."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.ir import Stmt
from ziggurat.dsl.linking.calls import arguments
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import guard, lower, want
from ziggurat.dsl.linking.names import dotted_path, local, renamed_path
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.linking.texts import sentence
from ziggurat.dsl.linking.types import PLAYER, WRONG


@statement("do")
def _do(cx: Context, node: Any) -> Stmt | None:
    return call(cx, node.parts[0])


def call(cx: Context, node: Any) -> ir.Do | ir.DoBody | None:
    """A call as a step: a procedure, or a block of a thing."""
    callee, args = node.parts[0], node.parts[1:]
    world = cx.world
    name = dotted_path(cx, callee) if callee.rule in ("name", "attribute") else None
    path = procedure_path(cx, name) if name else None
    if path is not None:
        signature = world.procedures[path]
        cx.uses(f"procedure {path}", callee)
        found = arguments(cx, node, signature.params, args, name or path)
        return ir.Do(path, found, at=cx.at(node)) if found is not None else None
    if callee.rule == "attribute":
        return _thing_body(cx, node, callee, args)
    written = name or "This"
    if name in world.values:
        message, advice = f"`{written}` is a value; asking it does nothing.", "Use it in a step."
    else:
        message = f"There is no procedure called `{written}`."
        declare = f"Declare it: `procedure {written}(…) {{ … }}`."
        advice = did_you_mean(written, world.procedures) or declare
    cx.error("Z206", message, callee, advice)
    return None


def procedure_path(cx: Context, name: str) -> str | None:
    known = cx.world.procedures
    if cx.thing is not None and f"{cx.thing.id}.{name}" in known:
        return f"{cx.thing.id}.{name}"
    return name if name in known else renamed_path(cx, "procedure", name, known)


def _thing_body(cx: Context, node: Any, callee: Any, args: Any) -> ir.DoBody | None:
    """`c.resolve(victim)`: the block of whatever thing it is; a card stands for its face."""
    whole, name = callee.parts
    entry = cx.names.get(whole.parts[0]) if whole.rule == "name" else None
    thing = local(cx, entry, whole) if entry else lower(cx, whole)
    if thing.type is WRONG:
        return None
    world = cx.world
    kinds = [thing.type.name]
    if thing.type.name in world.families:
        kinds = list(world.families[thing.type.name].faces)
    for kind in kinds:
        info = world.kinds.get(kind)
        if info is not None and name in info.bodies:
            cx.uses(f"bodies {kind}.{name}", callee)
            found = arguments(cx, node, info.bodies[name], args, str(name))
            if found is None:
                return None
            return ir.DoBody(thing, kind, str(name), found, at=cx.at(node))
    known = [one for kind in kinds if kind in world.kinds for one in world.kinds[kind].bodies]
    say = world.describe(thing.type)
    advice = did_you_mean(name, known)
    cx.error("Z219", f"{say[0].upper()}{say[1:]} has no block `{name}` to run.", name, advice)
    return None


@statement("say")
def _say(cx: Context, node: Any) -> Stmt:
    text, when = node.parts
    test = guard(cx, when)
    found = ir.Say(sentence(cx, text), None, at=cx.at(node))
    return found if test is None else ir.If(test, (found,), (), at=cx.at(node))


@statement("tell")
def _tell(cx: Context, node: Any) -> Stmt:
    who, text, when = node.parts
    to = want(cx, who, PLAYER)
    test = guard(cx, when)
    found = ir.Say(sentence(cx, text), to, at=cx.at(node))
    return found if test is None else ir.If(test, (found,), (), at=cx.at(node))


@statement("recall")
def _recall(cx: Context, node: Any) -> Stmt:
    return ir.Recall(want(cx, node.parts[0], PLAYER), at=cx.at(node))


@statement("end_game")
def _end_game(cx: Context, node: Any) -> Stmt:
    return ir.EndGame(at=cx.at(node))
