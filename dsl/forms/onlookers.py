"""What a scenario says about the course of a run: who was asked in which order, what was said,
which rules ran, what held when one of them began, and who sees what where it has come to."""

from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.scripts import checks, player
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import linked
from ziggurat.dsl.linking.model import unquoted
from ziggurat.dsl.linking.statements import no_step
from ziggurat.runtime.kernel.forms.onlookers import Asked, AtRule, Ran, Said, Sees

no_step("A list of sentences", "said", "nobody_said")


no_step("A list of rules", "to_run", "not_to_run")


no_step("An `expect`", "expect_at")


def _asked(cx: Context, node: Any) -> Asked | None:
    *players, path = node.parts
    names = tuple(player(cx, one) for one in players)
    name = ".".join(path.parts)
    known = (*cx.world.decisions, *cx.world.phases)
    if name not in cx.world.decisions and name not in cx.world.phases:
        cx.error("Z604", f"There is no decision called `{name}`.", path, did_you_mean(name, known))
        return None
    cx.mention("decision" if name in cx.world.decisions else "phase", name, path)
    return Asked(name, names, at=cx.at(node))


def _said(cx: Context, node: Any) -> Said:
    texts = tuple(unquoted(text) for text in node.parts)
    return Said(texts, node.rule == "nobody_said", at=cx.at(node))


def _rule(cx: Context, path: Any) -> str:
    """A rule that runs: a procedure, a labelled step, the block of a thing or an action."""
    world, name = cx.world, ".".join(path.parts)
    for known in (name, world.renamed_path(name, cx.file.source.pack)):
        for word, page in (("procedure", world.procedures), ("step", world.steps),
                           ("action", world.actions)):  # fmt: skip
            if known in page:
                cx.mention(word, known, path)
                return known
        home, _, block = known.rpartition(".")
        if any(block in world.kinds[kind].bodies for kind in world.kinds_of_name.get(home, ())):
            return known
    advice = did_you_mean(name, (*world.procedures, *world.steps, *world.actions))
    message = f"There is no procedure, step, block or action called `{name}`."
    cx.error("Z206", message, path, advice)
    return ""


def _ran(cx: Context, node: Any) -> Ran | None:
    found = tuple(_rule(cx, path) for path in node.parts)
    return Ran(found, node.rule == "not_to_run", at=cx.at(node)) if all(found) else None


def _at_rule(cx: Context, node: Any) -> AtRule | None:
    path, block = node.parts
    found, held = _rule(cx, path), checks(cx, node, block)
    return AtRule(found, held, at=cx.at(node)) if found else None


def _sees(cx: Context, node: Any) -> Sees:
    who, shown, hidden = node.parts
    unseen = linked(cx, hidden) if hidden is not None else None
    return Sees(player(cx, who), linked(cx, shown), unseen, at=cx.at(node))


def _does_not_see(cx: Context, node: Any) -> Sees:
    who, hidden = node.parts
    return Sees(player(cx, who), None, linked(cx, hidden), at=cx.at(node))


ONLOOKERS: dict[str, Any] = {
    "asked": _asked,
    "said": _said,
    "nobody_said": _said,
    "to_run": _ran,
    "not_to_run": _ran,
    "expect_at": _at_rule,
    "sees": _sees,
    "does_not_see": _does_not_see,
}
