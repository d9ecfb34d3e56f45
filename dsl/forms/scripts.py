"""The script of a scenario: what its players decide and do, and what they must be refused."""

from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.givens import known_face
from ziggurat.dsl.linking.arguments import arguments
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import condition, linked, want
from ziggurat.dsl.linking.lookup import mention_player
from ziggurat.dsl.linking.model import unquoted
from ziggurat.dsl.linking.types import list_of, set_of
from ziggurat.dsl.linking.world import Decision, Signature
from ziggurat.runtime.kernel.forms.core import Op, OwnerRef, ThingRef
from ziggurat.runtime.kernel.forms.equipment import CardFamily
from ziggurat.runtime.kernel.forms.scripts import Cannot, Limits, Scripted
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, INT, PLAYER, RANGE, Expr, Type

CHANCE = "chance"


def player(cx: Context, token: Any) -> str:
    """Somebody who takes part in the scenario, by name or as a column of its cases."""
    entry = cx.names.get(str(token))
    if entry is not None and entry.cell is not None:
        entry.used = True
        cx.mention_local(entry, token)
        meant = want(cx, entry.cell, PLAYER)
        return meant.id if isinstance(meant, OwnerRef) else ""
    if token not in cx.scenario.players:
        advice = (
            did_you_mean(token, cx.scenario.players) or "Name all of them in the line `players`."
        )
        cx.error("Z603", f"No player of this scenario is called `{token}`.", token, advice)
    else:
        mention_player(cx, token)
    return str(token)


def _decision(cx: Context, path: Any, *, by_chance: bool = False) -> Decision | None:
    name = ".".join(path.parts)
    world, pack = cx.world, cx.file.source.pack
    decision = world.decisions.get(name) or world.decisions.get(world.renamed_path(name, pack))
    if decision is None:
        advice = did_you_mean(name, cx.world.decisions)
        cx.error("Z604", f"There is no decision called `{name}`.", path, advice)
        return None
    cx.mention("decision", decision.path, path)
    if decision.by_chance is not by_chance:
        message = f"Chance decides `{name}`." if not by_chance else f"A player decides `{name}`."
        who = CHANCE if not by_chance else "PLAYER"
        cx.error("Z604", message, path, f"Write `{who} chooses … for {name}`.")
        return None
    return decision


def _chooses(cx: Context, node: Any) -> Scripted | None:
    actor, answer, path = node.parts
    if actor == CHANCE and CHANCE not in cx.scenario.players:
        return _chance_chooses(cx, node)
    who = player(cx, actor)
    if path is None:
        return Scripted("chooses", who, linked(cx, answer), "", at=cx.at(node))
    decision = _decision(cx, path)
    if decision is None:
        return None
    found = _answer(cx, answer, decision.answer)
    return Scripted("chooses", who, found, decision.path, at=cx.at(node))


def _chance_chooses(cx: Context, node: Any) -> Scripted | None:
    _, answer, path = node.parts
    if path is None:
        message = "Say which draw this is about."
        cx.error("Z604", message, node, "Write `chance chooses … for RULE.NAME`.")
        return None
    draw = _decision(cx, path, by_chance=True)
    if draw is None:
        return None
    return Scripted(CHANCE, "", _answer(cx, answer, draw.answer), draw.path, at=cx.at(node))


def _chooses_some(cx: Context, node: Any) -> Scripted | None:
    actor, number, source, path = node.parts
    who, decision = player(cx, actor), _decision(cx, path)
    if decision is None:
        return None
    found = _answer(cx, source, set_of(decision.candidate))
    args = (want(cx, number, INT),)
    return Scripted("some", who, found, decision.path, args, at=cx.at(node))


def _answer(cx: Context, node: Any, wanted: Type) -> Expr:
    """An answer of the type that is wanted; cards may be told by their faces: `{water, salt 2}`."""
    family = cx.world.families.get((wanted.item or wanted).name)
    parts = node.parts if node.rule == "set" else (node,)
    named = [_face_told(cx, part, family) for part in parts] if family is not None else []
    if not named or not all(named):
        return want(cx, node, wanted)
    faces: list[Expr] = []
    for part, told in zip(parts, named, strict=True):
        kind, _, id_ = told.partition(".")
        number = cx.count(part.parts[1]) if part.rule == "pair" else 1
        faces += [ThingRef(kind, id_, Type(kind), at=cx.at(part))] * number
    item = faces[0].type if faces else ERROR_TYPE
    return Op("list", tuple(faces), list_of(item), at=cx.at(node))


def _face_told(cx: Context, node: Any, family: CardFamily) -> str:
    """The face of a card as `kind.id`, if a bare name or a name and a number tell one."""
    named = getattr(node, "rule", "") in ("name", "pair") and str(node.parts[0]) not in cx.names
    return known_face(cx, node.parts[0], family.faces) if named else ""


def _cannot_choose(cx: Context, node: Any) -> Limits | None:
    actor, answer, path, reason = node.parts
    who, decision = player(cx, actor), _decision(cx, path)
    if decision is None:
        return None
    found = _answer(cx, answer, decision.answer)
    return Limits("cannot", who, decision.path, found, unquoted(reason), at=cx.at(node))


def _may_choose(cx: Context, node: Any) -> Limits | None:
    actor, answer, path = node.parts
    who, decision = player(cx, actor), _decision(cx, path)
    if decision is None:
        return None
    numbers = answer.rule == "range" and decision.candidate == INT
    found = _answer(cx, answer, RANGE if numbers else set_of(decision.candidate))
    return Limits("only", who, decision.path, found, at=cx.at(node))


def _decides(cx: Context, node: Any) -> Limits | None:
    actor, path, block = node.parts
    who, found = player(cx, actor), checks(cx, node, block)
    name = _acting(cx, path) or getattr(_decision(cx, path), "path", "")
    return Limits("moment", who, name, checks=found, at=cx.at(node)) if name else None


def _acting(cx: Context, path: Any) -> str:
    """The phase of that name, if people act in one."""
    name = ".".join(path.parts)
    for known in (name, cx.world.renamed("phase", name, cx.file.source.pack)):
        if known in cx.world.phases:
            cx.mention("phase", known, path)
            return known
    return ""


def _is_asked(cx: Context, node: Any) -> Limits | None:
    actor, path, text, block = node.parts
    who = player(cx, actor)
    found = checks(cx, node, block) if block is not None else ()
    name = _parameter(cx, path) or getattr(_decision(cx, path), "path", "")
    return (
        Limits("moment", who, name, None, unquoted(text), found, at=cx.at(node)) if name else None
    )


def _parameter(cx: Context, path: Any) -> str:
    """The path of a parameter of an action, if it is one."""
    action, _, last = ".".join(path.parts).rpartition(".")
    signature = cx.world.actions.get(cx.world.renamed_path(action, cx.file.source.pack))
    names = [param.name for param in signature.params] if signature is not None else []
    if signature is None or last not in names:
        return ""
    cx.mention("decision", f"{signature.path}.{last}", path)
    return f"{signature.path}.{last}"


def checks(cx: Context, node: Any, block: Any) -> tuple[Expr, ...]:
    """The checks of a block, of which there must be some."""
    if not block.parts:
        message = "Nothing is expected here."
        cx.error("Z601", message, node, "Write lines such as `check size(hand(p)) == 3` in it.")
    found: list[Expr] = []
    for one in block.parts:
        if getattr(one, "rule", "") == "check":
            found.append(condition(cx, one.parts[0]))
        else:
            cx.error("Z310", "Only checks can stand here.", one, "Write `check …`.")
    return tuple(found)


def _never_decides(cx: Context, node: Any) -> Limits | None:
    *actors, path = node.parts
    who = player(cx, actors[0]) if actors else ""
    name = _acting(cx, path) or getattr(_decision(cx, path), "path", "")
    return Limits("never", who, name, at=cx.at(node)) if name else None


def _action(cx: Context, node: Any) -> tuple[Signature | None, tuple[Expr, ...]]:
    callee, args = node.parts[0], node.parts[1:]
    name = str(callee.parts[0]) if callee.rule == "name" else ""
    if callee.rule == "attribute" and callee.parts[0].rule == "name":
        name = f"{callee.parts[0].parts[0]}.{callee.parts[1]}"
    world, pack = cx.world, cx.file.source.pack
    signature = world.actions.get(name) or world.actions.get(world.renamed_path(name, pack))
    if signature is None:
        advice = did_you_mean(name, cx.world.actions)
        cx.error("Z605", f"There is no action called `{name}`.", callee, advice)
        return None, ()
    cx.mention("action", signature.path, callee)
    found = arguments(cx, node, signature.params, args, name)
    return (signature, found) if found is not None else (None, ())


def _does(cx: Context, node: Any) -> Scripted | None:
    who = player(cx, node.parts[0])
    signature, args = _action(cx, node.parts[1])
    if signature is None:
        return None
    return Scripted("does", who, None, signature.path, args, at=cx.at(node))


def _done(cx: Context, node: Any) -> Scripted:
    return Scripted("done", player(cx, node.parts[0]), None, "", at=cx.at(node))


def _cannot(cx: Context, node: Any) -> Cannot | None:
    actor, inner, reason = node.parts
    who = player(cx, actor)
    signature, args = _action(cx, inner)
    if signature is None:
        return None
    return Cannot(who, signature.path, args, unquoted(reason), at=cx.at(node))


# A scenario with one of these can fail.
EXPECTING = frozenset(
    {"expect", "cannot", "cannot_choose", "may_choose", "does_not_decide", "nobody_decides",
     "decides", "is_asked", "asked", "said", "nobody_said", "to_run", "not_to_run", "expect_at",
     "sees", "does_not_see"}
)  # fmt: skip


SCRIPT: dict[str, Any] = {
    "chooses": _chooses,
    "chooses_some": _chooses_some,
    "does": _does,
    "is_done": _done,
    "cannot": _cannot,
    "cannot_choose": _cannot_choose,
    "may_choose": _may_choose,
    "does_not_decide": _never_decides,
    "nobody_decides": _never_decides,
    "decides": _decides,
    "is_asked": _is_asked,
}
