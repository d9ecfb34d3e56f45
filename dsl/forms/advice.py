"""Advice: what a policy should prefer, about a decision, an action or one of its parameters."""

from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import fitted, guard, linked
from ziggurat.dsl.linking.fields import no_more, refuse_heads
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.narrowing import narrowing
from ziggurat.dsl.linking.removals import quoted_from, unless_removed
from ziggurat.dsl.linking.settled import NEVER, unless_never
from ziggurat.dsl.linking.statements import no_step
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import OPEN, Line
from ziggurat.dsl.syntax import Node
from ziggurat.runtime.kernel.forms.advice import Advice, Preference
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.nodes import BOOL, INT, PLAYER, Expr

no_step("A preference", "prefer")


def advice(world: World, decl: Decl) -> Advice | None:
    target = decl.node.id
    cx = Context(world, decl, f"advice {target}")
    refuse_heads(cx, decl, ())
    known = _in_sight(cx, target)
    if not known:
        target = world.renamed_path(target, decl.pack)
        known = _in_sight(cx, target)
    if not known:
        hint = did_you_mean(target, (*world.decisions, *world.actions))
        message = f"There is no decision or action called `{target}`."
        world.report("Z606", message, decl.name_span, hint)
        return None
    word = "action" if target in world.actions else "decision"
    cx.mention(word, target, Node("path", decl.node.path, decl.node.start, decl.node.end))
    found: list[Preference] = []
    for item in decl.items:
        node, file = item
        if getattr(node, "rule", "") != "prefer":
            no_more(cx, decl, [item])
            continue
        cx.enter(file)
        wish = _preference(cx, item)
        found += [wish] if wish is not None else []
    cx.enter(decl.file)
    return Advice(target, tuple(found), at=cx.at(decl.node))


def _preference(cx: Context, item: Item) -> Preference | None:
    """What is preferred; a wish about something removed goes with it."""
    score, when = item.node.parts

    def wish() -> Any:
        with narrowing(cx):
            test = guard(cx, when)
            wanted = _score(cx, score)
        return NEVER if test is NEVER else Preference(wanted, test, at=cx.at(item.node))

    told = f"`{quoted_from(item.span)}` goes, too."
    return unless_removed(
        cx.world, "advice", told, item.span,
        lambda: unless_never(cx.world, "advice", told, item, wish),
    )  # fmt: skip


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
            cx.define(param.name, type_, "param").known = f"{path}.{param.name}"
            if param.name == stop:
                return True
        if not stop:
            return True
    return False


def _score(cx: Context, node: Any) -> Expr:
    """A number; for a yes or no, yes counts 1."""
    found = linked(cx, node)
    if found.type == BOOL:
        return Op("if", (found, Lit(1, INT), Lit(0, INT)), INT, at=found.at)
    return fitted(cx, found, INT, node)


@declares(Advice)
def _print_advice(page: Declarations, one: Advice, depth: int) -> list[Line]:
    lines = [Line(depth, f"advice {one.target}{OPEN}", one.at)]
    for wish in one.preferences:
        when = page.printer.where(wish.when, "when")
        lines.append(Line(depth + 1, f"prefer {page.printer.text(wish.score)}{when}", wish.at))
    return lines
