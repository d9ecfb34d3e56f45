"""The script of a scenario: what its players decide and do, and what they must be refused."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.base import At, Expr, Type, at_field
from ziggurat.dsl.forms.description import form
from ziggurat.dsl.linking.arguments import arguments
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import linked, want
from ziggurat.dsl.linking.model import unquoted
from ziggurat.dsl.linking.world import Signature


@form()
@attrs.frozen
class Scripted:
    """An answer in a scenario: kind chooses (answer, decision path or ''), does (action, args),
    done."""

    kind: str
    player: str
    answer: Expr | None
    path: str
    args: tuple[Expr, ...] = ()
    at: At = at_field()


@form()
@attrs.frozen
class Cannot:
    player: str
    action: str
    args: tuple[Expr, ...]
    reason: str
    at: At = at_field()


def _who(cx: Context, token: Any) -> str:
    if token not in cx.scenario.players:
        advice = (
            did_you_mean(token, cx.scenario.players) or "Name all of them in the line `players`."
        )
        cx.error("Z603", f"No player of this scenario is called `{token}`.", token, advice)
    return str(token)


def _chooses(cx: Context, node: Any) -> Scripted | None:
    player, answer, path = node.parts
    who = _who(cx, player)
    wanted: Type | None = None
    name = ""
    if path is not None:
        name = ".".join(path.parts)
        decision = cx.world.decisions.get(name)
        if decision is None:
            advice = did_you_mean(name, cx.world.decisions)
            cx.error("Z604", f"There is no decision called `{name}`.", path, advice)
            return None
        wanted = decision.answer
    found = want(cx, answer, wanted) if wanted is not None else linked(cx, answer)
    return Scripted("chooses", who, found, name, at=cx.at(node))


def _action(cx: Context, node: Any) -> tuple[Signature | None, tuple[Expr, ...]]:
    callee, args = node.parts[0], node.parts[1:]
    name = str(callee.parts[0]) if callee.rule == "name" else ""
    if callee.rule == "attribute" and callee.parts[0].rule == "name":
        name = f"{callee.parts[0].parts[0]}.{callee.parts[1]}"
    signature = cx.world.actions.get(name)
    if signature is None:
        advice = did_you_mean(name, cx.world.actions)
        cx.error("Z605", f"There is no action called `{name}`.", callee, advice)
        return None, ()
    found = arguments(cx, node, signature.params, args, name)
    return (signature, found) if found is not None else (None, ())


def _does(cx: Context, node: Any) -> Scripted | None:
    who = _who(cx, node.parts[0])
    signature, args = _action(cx, node.parts[1])
    if signature is None:
        return None
    return Scripted("does", who, None, signature.path, args, at=cx.at(node))


def _done(cx: Context, node: Any) -> Scripted:
    return Scripted("done", _who(cx, node.parts[0]), None, "", at=cx.at(node))


def _cannot(cx: Context, node: Any) -> Cannot | None:
    player, inner, reason = node.parts
    who = _who(cx, player)
    signature, args = _action(cx, inner)
    if signature is None:
        return None
    return Cannot(who, signature.path, args, unquoted(reason), at=cx.at(node))


SCRIPT: dict[str, Any] = {
    "chooses": _chooses,
    "does": _does,
    "is_done": _done,
    "cannot": _cannot,
}
