"""Actions: what players may do in a phase, with what they choose for it."""

from typing import Any

from ziggurat.dsl.forms.decisions import amount, bounds
from ziggurat.dsl.forms.requirements import requirement, requirement_lines
from ziggurat.dsl.linking.context import BAD, Context, elsewhere, meta
from ziggurat.dsl.linking.expressions import collection
from ziggurat.dsl.linking.fields import refuse_heads
from ziggurat.dsl.linking.lookup import phase_name
from ziggurat.dsl.linking.model import Decl, unquoted
from ziggurat.dsl.linking.sight import finish, idle
from ziggurat.dsl.linking.statements import candidates, statement_items, step_items
from ziggurat.dsl.linking.types import set_of
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.printing.printer import SPAN, Printer
from ziggurat.runtime.kernel.forms.actions import Action, ActionParam
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.nodes import (
    ERROR_TYPE,
    PLAYER,
    Type,
)


def action(world: World, decl: Decl) -> Action:
    cx = Context(world, decl, f"action {decl.path}")
    refuse_heads(cx, decl, ("head_in", "head_by"))
    phase = _action_phase(cx, decl)
    actor, nodes = _action_actor(cx, decl)
    if actor is not None:
        entry = cx.bind(actor, PLAYER, "param")
        if cx.thing is not None:
            cx.names["holder"] = entry
    found = tuple(elsewhere(cx, node, _action_param) for node in nodes)
    needs_items, rest = statement_items(decl.items, "needs")
    needs = []
    for node, file in needs_items:
        cx.enter(file)
        needs.append(requirement(cx, node))
    body = step_items(cx, rest)
    finish(cx)
    idle(cx, "action")
    cx.enter(decl.file)
    types = tuple(Param(one.name, one.type) for one in found)
    world.actions[decl.path] = Signature(decl.path, types, PLAYER, decl)
    return Action(
        decl.path, decl.title, phase, str(actor or ""), found, tuple(needs), body,
        _only_holders(cx), meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _only_holders(cx: Context) -> str:
    """An action inside a holdable thing is for its holders."""
    if cx.thing is None or "holdable" not in cx.world.kinds[cx.thing.kind].roles:
        return ""
    return f"{cx.thing.kind}.{cx.thing.id}"


def _action_phase(cx: Context, decl: Decl) -> str:
    for head in decl.node.heads:
        if head.rule == "head_in":
            return phase_name(cx, head.parts[0])
    message = f"`{decl.spoken}` does not say in which phase it is possible."
    cx.world.report("Z312", message, decl.name_span, "Write `in some_phase` after its name.")
    return ""


def _action_actor(cx: Context, decl: Decl) -> tuple[Any, tuple[Any, ...]]:
    nodes = decl.node.params or ()
    for head in decl.node.heads:
        if head.rule == "head_by":
            name, inner = head.parts
            return name, (*nodes, *(inner.parts if inner is not None else ()))
    message = f"`{decl.spoken}` does not say who acts."
    cx.world.report("Z312", message, decl.name_span, "Write `by p` before its parameters.")
    return None, nodes


def _action_param(cx: Context, node: Any) -> ActionParam:
    name = node.parts[0]
    if node.rule in ("param", "param_typed"):
        message = f"The parameter `{name}` does not say from where it is taken."
        cx.error("Z312", message, node, f"Write `{name} from …`, a set or a range.")
        cx.bind(name, ERROR_TYPE, "param")
        return ActionParam(str(name), BAD, None, True, None, None, "", ERROR_TYPE)
    amount = node.parts[1] if node.rule == "param_many" else None
    source, filter_, prompt = node.parts[-3:]
    single, least, most = bounds(cx, amount)
    cx.makes("decision", f"{cx.path}.{name}", name)
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    type_: Type = item if single else set_of(item)
    cx.bind(name, type_, "param")
    text = unquoted(prompt)
    return ActionParam(str(name), found, test, single, least, most, text, type_, at=cx.at(node))


@declares(Action)
def _print_action(page: Declarations, action: Action, depth: int) -> list[Line]:
    phase = page.printer.lexicon.name("phase", action.phase)
    head = f"{page.head('action', action, depth)} in {phase} by {action.actor}"
    params = ", ".join(param_text(page.printer, param) for param in action.params)
    with page.inside(action):
        inner = requirement_lines(page, action.needs, depth + 1)
    inner += page.printer.block(action.body, depth + 1)
    return page.block(head + (f" ({params})" if params else ""), action, inner, depth)


def param_text(printer: Printer, param: ActionParam) -> str:
    """`target from origin.land where …`."""
    number = "" if param.single else f": {amount(printer, param.least, param.most)}"
    source = f"{printer.text(param.source, SPAN)}{printer.where(param.where)}"
    prompt = f" {quoted(param.prompt)}" if param.prompt and printer.wording else ""
    return f"{printer.local(param.name)}{number} from {source}{prompt}"
