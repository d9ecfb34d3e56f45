"""Scenarios: tests in the words of the rules, with players, and a little map, of their own."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Note, Span, did_you_mean
from ziggurat.dsl.forms.calls import call
from ziggurat.dsl.forms.cases import Row, report_unused, rows
from ziggurat.dsl.forms.expectations import expect, no_unknown_cases, otherwise
from ziggurat.dsl.forms.givens import given, given_named
from ziggurat.dsl.forms.kinds import thing
from ziggurat.dsl.forms.onlookers import ONLOOKERS
from ziggurat.dsl.forms.scripts import EXPECTING, SCRIPT
from ziggurat.dsl.forms.settings import set_options
from ziggurat.dsl.linking.collect import make_decl
from ziggurat.dsl.linking.conditions import stated
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import FIELD_RULES
from ziggurat.dsl.linking.lookup import mention_player, phase_name, thing_kinds
from ziggurat.dsl.linking.mentions import LOCAL, local_path
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.removals import may_not_know
from ziggurat.dsl.linking.statements import no_step
from ziggurat.dsl.linking.types import with_article
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.syntax import Declaration
from ziggurat.runtime.kernel.forms.kinds import Thing
from ziggurat.runtime.kernel.forms.onlookers import AtRule
from ziggurat.runtime.kernel.forms.scenarios import Run, Scenario, ScenarioItem
from ziggurat.runtime.kernel.forms.scripts import Limits, Scripted

no_step("A `run`", "run", "run_phase")


no_step("A `check`", "check")


no_step("A list of players", "cast")


no_step("A number of seeds", "seeds")


@attrs.define(eq=False)
class Cast:
    """What a scenario brings along: its players and its own things."""

    players: dict[str, Any] = attrs.field(factory=dict)
    things: dict[str, dict[str, Decl]] = attrs.field(factory=dict)


def fits_stack(world: World, decl: Decl) -> bool:
    """Return whether a scenario is for this stack: `for west` and `in expert` ask for a pack,
    `without expert` for a stack that does not have it."""
    condition, _, others = stated(decl.node.heads)
    for head in others:
        advice = "A scenario may be `for` some packs and `without` others."
        world.report("Z222", "This has no meaning in a scenario.", decl.file.span(head), advice)
    return condition.holds(world.pack_order)


def head_of(world: World, decl: Decl) -> Scenario:
    """A scenario without anything in it."""
    cx = Context(world, decl, f"scenario {decl.path}")
    told = meta(world, decl.metas, decl.pack)
    return Scenario(decl.path, decl.title, (), (), (), (), told, at=cx.at(decl.node))


def scenario(world: World, decl: Decl) -> tuple[Scenario, ...]:
    """A linked scenario, one for each of its cases; none when it is meant for another stack."""
    if not fits_stack(world, decl):
        return ()
    cases = rows(world, decl)
    no_unknown_cases(world, decl, cases)
    return tuple(_case(world, decl, row, number) for number, row in enumerate(cases, 1))


@attrs.define(eq=False)
class Draft:
    """What was read of a scenario so far. `late` are parts of the script that no run has followed
    yet; `can_fail` in this stack, `may_fail` in any."""

    options: list[tuple[str, Any]] = attrs.field(factory=list)
    items: list[ScenarioItem] = attrs.field(factory=list)
    seeds: int = 1
    late: list[Span] = attrs.field(factory=list)
    can_fail: bool = False
    may_fail: bool = False

    def add(self, item: ScenarioItem, rule: str, span: Span) -> None:
        self.items.append(item)
        self.can_fail = self.can_fail or rule in EXPECTING
        if isinstance(item, Run):
            self.late.clear()
        elif isinstance(item, Scripted | Limits | AtRule):
            self.late.append(span)


def _case(world: World, decl: Decl, row: Row, number: int) -> Scenario:
    cx = Context(world, decl, f"scenario {decl.path}")
    cx.scenario = Cast()
    things = _prepare(cx, decl)
    row.bring_into_sight(cx)
    read = Draft()
    for node, file in decl.items:
        cx.enter(file)
        _read(cx, node, read)
    for span in read.late:
        message = "Nothing runs after this, so nobody is asked."
        world.report("Z610", message, span, "Write it before the `run` it is for.")
    if not read.can_fail:
        _expects_nothing(world, decl, read.may_fail)
    other = otherwise(cx, decl, row, read.items)
    report_unused(cx, row)
    cx.enter(decl.file)
    id_, title = decl.path, decl.title
    if row.columns:
        id_, title = f"{id_}.{number}", f"{title}: {row.label}"
    return Scenario(
        id_, title, tuple(cx.scenario.players), tuple(read.options), things, tuple(read.items),
        meta(world, decl.metas, decl.pack), other, read.seeds, row.label, at=cx.at(decl.node),
    )  # fmt: skip


def _read(cx: Context, node: Any, read: Draft) -> None:
    rule = getattr(node, "rule", "")
    if isinstance(node, Declaration) or rule in ("cast", "cases"):
        return
    read.may_fail = read.may_fail or rule in EXPECTING
    if rule == "seeds":
        read.seeds = max(1, cx.count(node.parts[0]))
    elif rule == "body" and node.parts[0] == "options" and not node.parts[1].parts:
        read.options += set_options(cx, node.parts[-1])
    elif rule in _ITEMS:
        found = _ITEMS[rule](cx, node)
        if found is not None:
            read.add(found, rule, cx.span(node))
    else:
        message = "This cannot stand in a scenario."
        advice = "Put it in `given { … }` if it prepares the position."
        cx.error("Z310", message, node, advice)


def _expects_nothing(world: World, decl: Decl, elsewhere: bool) -> None:
    message = "This scenario expects nothing, so it can never fail."
    advice = "Add `expect { check … }`."
    if elsewhere:
        message = "This scenario expects nothing in this stack, so it can never fail."
        advice = f"Say for which pack it is: `scenario {quoted(decl.title)} for west`."
    world.report("Z601", message, decl.name_span, advice)


def _prepare(cx: Context, decl: Decl) -> tuple[Thing, ...]:
    """Players and things first: everything else in the scenario may name them."""
    world = cx.world
    own: list[Decl] = []
    cast: list[tuple[Any, Any]] = []
    for node, file in decl.items:
        if isinstance(node, Declaration):
            if node.word not in world.kinds:
                advice = did_you_mean(node.word, world.kinds)
                message = f"There is no kind called `{node.word}`."
                world.report("Z202", message, file.span(node.word), advice)
                continue
            world.notes.mentions.add(file.span(node.word), "kind", str(node.word))
            one = make_decl(node, file)
            first = cx.scenario.things.get(one.word, {}).get(one.path)
            if first is not None:
                note = Note("The first one is here.", first.name_span)
                message = f"This scenario declares `{one.spoken}` twice."
                world.report("Z401", message, one.name_span, "Take one of them away.", (note,))
            role = next((r for r in ("owner", "piece") if r in world.kinds[one.word].roles), "")
            if role:
                message = f"A scenario cannot bring {with_article(role)} of its own."
                advice = f"Declare `{one.spoken}` in a pack; the scenario may then speak of it."
                world.report("Z615", message, one.name_span, advice)
                continue
            world.notes.mentions.add(one.name_span, LOCAL, local_path(one.name_span))
            own.append(one)
            cx.scenario.things.setdefault(one.word, {})[one.path] = one
        elif getattr(node, "rule", "") == "cast":
            cast += [(token, file) for token in node.parts]
    for token, file in cast:  # when all things of its own are known
        _player(cx, token, file)
        cx.enter(file)
        mention_player(cx, token)
    if not cx.scenario.players:
        message = "This scenario has no players."
        world.report("Z602", message, decl.name_span, "Add a line such as `players red, blue`.")
    return tuple(_own_thing(cx, one) for one in own)


def _player(cx: Context, token: Any, file: Any) -> None:
    others, place = thing_kinds(cx, str(token)), cx.world.place_kind
    if place in others and cx.world.seat_kind not in others:
        message = f"`{token}` is a player of this scenario and {with_article(place)}."
        advice = "Give the player another name: in checks it could mean either."
        cx.world.report("Z612", message, file.span(token), advice)
    if token in cx.scenario.players:
        message = f"The player `{token}` is named twice."
        cx.world.report("Z602", message, file.span(token), "Name every player once.")
    cx.scenario.players[str(token)] = file.span(token)
    world = cx.world
    gone = world.book.gone.get((world.seat_kind, str(token)))
    if gone is not None and may_not_know(world.stack, file.source.pack, gone):
        world.notes.spoken_of.append(gone)


def _own_thing(cx: Context, decl: Decl) -> Thing:
    inner = Context(cx.world, decl, cx.user)
    inner.scenario = cx.scenario
    rules = [item for item in decl.items if getattr(item.node, "rule", "") not in DATA_RULES]
    if rules:
        message = "A thing that a scenario declares has fields and nothing else."
        advice = f"Declare `{decl.spoken}` in the rules, or use a thing that is there already."
        cx.world.report("Z615", message, rules[0].file.span(rules[0].node), advice)
    return thing(cx.world, decl, inner)


def _run_phase(cx: Context, node: Any) -> Run:
    first, last = node.parts
    start = phase_name(cx, first)
    end = phase_name(cx, last) if last is not None else ""
    return Run("phase", start, end, at=cx.at(node))


def _run(cx: Context, node: Any) -> Run | None:
    found = call(cx, node.parts[0])
    return Run("do", call=found, at=cx.at(node)) if found is not None else None


DATA_RULES = {*FIELD_RULES, "cites", "tags"}


_ITEMS: dict[str, Any] = {
    "given": given,
    "given_named": given_named,
    "expect": expect,
    "run_phase": _run_phase,
    "run": _run,
    **SCRIPT,
    **ONLOOKERS,
}


def no_twins(world: World, decls: list[Decl]) -> None:
    """Two scenarios of one title could not be told apart in a report; those that are never in the
    same stack can be."""
    seen: dict[str, Decl] = {}
    for decl in decls:
        if not fits_stack(world, decl):
            continue
        first = seen.setdefault(decl.path, decl)
        if first is not decl:
            note = Note("The first one is here.", first.name_span)
            message = "There is already a scenario with this title."
            world.report("Z401", message, decl.name_span, "Give it another one.", (note,))


@declares(Scenario)
def _print_scenario(page: Declarations, one: Scenario, depth: int) -> list[Line]:
    """Its first line: what a scenario does is best read where it stands."""
    return [Line(depth, f"scenario {quoted(one.title)}", one.at)]
