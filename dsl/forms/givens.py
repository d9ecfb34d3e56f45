"""What a scenario gives: the position its run begins with."""

from collections.abc import Collection, Iterable
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.cards import pile
from ziggurat.dsl.forms.pieces import units, where
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import want
from ziggurat.dsl.linking.lookup import mention_thing, thing_kinds
from ziggurat.dsl.linking.model import Item
from ziggurat.dsl.linking.statements import no_step, step
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.forms.givens import Deal, Given, Keep
from ziggurat.runtime.kernel.nodes import INT

no_step("A `given`", "given", "given_named")


no_step("A `deal`", "deal")


no_step("A `keep`", "keep")


def given(cx: Context, node: Any) -> Given | None:
    """A position; `given in west` only in a stack with that pack."""
    pack, block = node.parts
    if pack is not None and pack not in cx.world.pack_order:
        return None
    return _prepared(cx, node, [Item(one, cx.file) for one in block.parts])


def given_named(cx: Context, node: Any) -> Given | None:
    """A position that several scenarios share, in the words of the one that uses it."""
    name = node.parts[0]
    known = cx.world.book.of("given")
    decl = known.get(str(name))
    if decl is None:
        advice = did_you_mean(name, known) or f"Declare it with `given {name} {{ … }}`."
        cx.error("Z613", f"There is no `given` called `{name}`.", name, advice)
        return None
    cx.mention("given", decl.path, name)
    return _prepared(cx, node, decl.items)


def _prepared(cx: Context, node: Any, items: Iterable[Item]) -> Given:
    out: list[Any] = []
    outer, here, at = cx.names, cx.file, cx.at(node)
    cx.names = dict(outer)
    for one, file in items:
        cx.enter(file)
        rule = getattr(one, "rule", "")
        found = _PREPARING[rule](cx, one) if rule in _PREPARING else step(cx, one)
        if found is not None:
            out.append(found)
    cx.names = outer
    cx.enter(here)
    return Given(tuple(out), at=at)


def unused_givens(world: World) -> None:
    """Positions that no scenario of any stack uses: nobody would notice what is wrong with them."""
    used = {
        str(item.node.parts[0])
        for decl in world.book.scenarios
        for item in decl.items
        if getattr(item.node, "rule", "") == "given_named"
    }
    for name, decl in world.book.of("given").items():
        if name not in used:
            message = f"No scenario uses the position `{name}`."
            advice = f"Write `given {name}` in one, or take it away."
            world.warn("Z614", message, decl.name_span, advice)


def _deal(cx: Context, node: Any) -> Deal | None:
    dealt, into = node.parts
    goal = pile(cx, into)
    faces: list[tuple[str, int]] = []
    for part in dealt.parts:
        pair = getattr(part, "rule", "") == "pair"
        face = _face(cx, part.parts[0] if pair else part)
        if face:
            faces.append((face, cx.count(part.parts[1]) if pair else 1))
    how = {"deal": "in", "deal_top": "top", "deal_under": "under"}[node.rule]
    return Deal(tuple(faces), goal, how, at=cx.at(node)) if goal is not None else None


def known_face(cx: Context, name: Any, faces: Collection[str]) -> str:
    """The face of cards that a name means, as `kind.id`; empty if there is none or several."""
    kinds = [kind for kind in thing_kinds(cx, str(name)) if kind in faces]
    if len(kinds) == 1:
        mention_thing(cx, kinds[0], str(name), name)
        return f"{kinds[0]}.{name}"
    for kind in sorted(faces):
        new = cx.world.renamed(kind, str(name), cx.file.source.pack)
        if new != name and new in cx.world.things[kind]:
            cx.mention(kind, new, name)
            return f"{kind}.{new}"
    return ""


def _face(cx: Context, name: Any) -> str:
    faces = {face for family in cx.world.families.values() for face in family.faces}
    if found := known_face(cx, name, faces):
        return found
    kinds = [kind for kind in thing_kinds(cx, str(name)) if kind in faces]
    if kinds:
        cx.error("Z213", f"`{name}` is on cards of several kinds.", name)
        return ""
    known = [one for kind in faces for one in cx.world.things.get(kind, ())]
    advice = did_you_mean(name, known)
    cx.error("Z201", f"There is no card called `{name}`.", name, advice)
    return ""


def _keep(cx: Context, node: Any) -> Keep:
    number, some, there = node.parts
    return Keep(want(cx, number, INT), units(cx, some), where(cx, there), at=cx.at(node))


_PREPARING = {"deal": _deal, "deal_top": _deal, "deal_under": _deal, "keep": _keep}
