"""Phases, and the turn they make up."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.clauses import TRIGGERS
from ziggurat.dsl.forms.requirements import requirement, requirement_lines
from ziggurat.dsl.forms.stages import STAGES, link_stage, stage_lines
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import names_in, no_more, only, refuse_heads, split_fields
from ziggurat.dsl.linking.lookup import phase_name
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.removals import quoted_from, unless_removed
from ziggurat.dsl.linking.sight import finish
from ziggurat.dsl.linking.statements import STATEMENTS, statement_items
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line
from ziggurat.runtime.kernel.forms.phases import Phase, TurnOrder
from ziggurat.runtime.kernel.forms.requirements import Requirement
from ziggurat.runtime.kernel.forms.stages import Stage
from ziggurat.runtime.kernel.nodes import (
    ERROR_TYPE,
    INT,
    OWNER,
    PLAYER,
)

T = TypeVar("T")


def phase(world: World, decl: Decl) -> Phase:
    cx = Context(world, decl, f"phase {decl.path}")
    refuse_heads(cx, decl, ())
    needs, rest = _needs(cx, decl.items)
    stages: list[Stage] = []
    for item in rest:
        found = _stage(cx, decl, item, len(stages) + 1)
        if found is not None:
            stages.append(found)
    finish(cx)
    cx.enter(decl.file)
    return Phase(
        decl.path, decl.title, needs, tuple(stages), (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _needs(cx: Context, items: list[Item]) -> tuple[tuple[Requirement, ...], list[Item]]:
    """What some items need, and the items that say something else."""
    needs_items, rest = statement_items(items, "needs")
    needs = []
    for node, file in needs_items:
        cx.enter(file)
        needs.append(requirement(cx, node))
    return tuple(needs), rest


def _stage(cx: Context, decl: Decl, item: Item, number: int) -> Stage | None:
    node, file = item
    rule = getattr(node, "rule", "")
    if rule in TRIGGERS:
        return None
    cx.enter(file)
    if rule in STAGES:
        path = f"{decl.path}.{number}"
        if rule == "perform":
            return _unless_removed(cx, node, "stage", lambda: link_stage(cx, node, path))
        return link_stage(cx, node, path)
    if rule in STATEMENTS:
        message = "A phase consists of stages; this step must stand inside one."
        cx.error("Z310", message, node, "Write `once { … }` around it.")
    else:
        no_more(cx, decl, [item])
    return None


def _unless_removed(cx: Context, node: Any, what: str, make: Callable[[], T]) -> T | None:
    told = f"`{quoted_from(cx.span(node))}` of `{cx.user}` goes, too."
    return unless_removed(cx.world, what, told, cx.span(node), make)


_TURN_FIELDS = ("start", "phases", "ranking", "score", "shows", "parts", "outlook", "supposing")


def turn(world: World, decl: Decl) -> TurnOrder:
    cx = Context(world, decl, f"turn {decl.path}")
    refuse_heads(cx, decl, ())
    fields, rest = split_fields(cx, decl)
    needs, rest = _needs(cx, rest)
    no_more(cx, decl, rest)
    only(cx, decl, fields, _TURN_FIELDS, "A turn")
    start = _sequence(cx, fields.get("start", []))
    phases = _sequence(cx, fields.get("phases", []))
    if "phases" not in fields:
        message = f"`{decl.spoken}` has no phases."
        world.report("Z303", message, decl.name_span, "Write `phases: first, second`.")
    ranking = _first(_named(cx, fields.get("ranking", []), "order", "Z207", world.orders))
    score, shows, parts, outlook = (
        _named(cx, fields.get(name, []), "value", "Z204", world.values)
        for name in ("score", "shows", "parts", "outlook")
    )
    _must_be_number(cx, fields.get("outlook", []), outlook)
    supposing = _named(cx, fields.get("supposing", []), "procedure", "Z206", world.procedures)
    cx.enter(decl.file)
    return TurnOrder(
        decl.path, start, phases, ranking, _first(score), shows, parts, needs,
        meta(world, decl.metas, decl.pack), _first(outlook), _first(supposing),
        at=cx.at(decl.node),
    )  # fmt: skip


def _must_be_number(cx: Context, items: list[Item], names: tuple[str, ...]) -> None:
    """Positions are compared by it, so it has to be a number."""
    for name, (token, file) in zip(names, names_in(cx, items), strict=False):
        type_ = cx.world.values[name].type
        if type_ not in (INT, ERROR_TYPE):
            cx.enter(file)
            message = f"An outlook must be a number, but `{token}` is {cx.world.describe(type_)}."
            cx.error("Z301", message, token)


def _sequence(cx: Context, items: list[Item]) -> tuple[str, ...]:
    found = []
    for token, file in names_in(cx, items):
        cx.enter(file)
        name = _unless_removed(cx, token, "member", partial(phase_name, cx, token))
        if name is not None:
            cx.uses(f"phase {name}", token)
            found.append(name)
    return tuple(found)


def _first(names: tuple[str, ...]) -> str:
    return names[0] if names else ""


def _named(cx: Context, items: list[Item], word: str, code: str, known: Any) -> tuple[str, ...]:
    """The orders, values or procedures of a player that a field of the turn names."""
    found = []
    for token, file in names_in(cx, items):
        cx.enter(file)
        name = cx.world.renamed(word, str(token), file.source.pack)
        if name not in known:
            advice = did_you_mean(token, known)
            cx.error(code, f"There is no {word} called `{token}`.", token, advice)
            continue
        params = known[name].params
        if len(params) != 1 or params[0].type not in (PLAYER, OWNER, ERROR_TYPE):
            message = f"`{token}` must be {'an' if word == 'order' else 'a'} {word} of one player."
            cx.error("Z302", message, token, f"Declare it as `{word} {token}(p: player) …`.")
        cx.uses(f"{word} {name}", token)
        found.append(name)
    return tuple(found)


@declares(Phase)
def _print_phase(page: Declarations, phase: Phase, depth: int) -> list[Line]:
    with page.inside(phase):
        inner = requirement_lines(page, phase.needs, 1)
        inner += [line for stage in phase.stages for line in stage_lines(page.printer, stage, 1)]
        inner += page.brought(page.index.get("phase", phase.id))
    return page.block(page.head("phase", phase), phase, inner, 0)


@declares(TurnOrder)
def _print_turn(page: Declarations, turn: TurnOrder, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    rows = {
        "start": ", ".join(name("phase", phase) for phase in turn.start),
        "phases": ", ".join(name("phase", phase) for phase in turn.phases),
        "ranking": name("order", turn.ranking),
        "score": name("value", turn.score),
        "shows": ", ".join(name("value", value) for value in turn.shows),
        "parts": ", ".join(name("value", value) for value in turn.parts),
        "outlook": name("value", turn.outlook),
        "supposing": name("procedure", turn.supposing),
    }
    inner = [Line(1, f"{word}: {text}") for word, text in rows.items() if text]
    with page.inside(turn):
        inner += requirement_lines(page, turn.needs, 1)
    return page.block(f"turn {name('turn', turn.id)}", turn, inner, 0)
