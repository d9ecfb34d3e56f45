"""Scenarios: tests in the words of the rules, with players, and a little map, of their own."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Note, did_you_mean
from ziggurat.dsl.forms.base import NO_META, At, Expr, Meta, Stmt, Type, at_field
from ziggurat.dsl.forms.calls import Do, DoBody, call
from ziggurat.dsl.forms.cards import PileRef, pile
from ziggurat.dsl.forms.description import form, the_pieces, the_pile
from ziggurat.dsl.forms.kinds import Thing, thing
from ziggurat.dsl.forms.pieces import Units, Whereabouts, units, where
from ziggurat.dsl.linking.arguments import arguments
from ziggurat.dsl.linking.collect import make_decl
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.data import BROKEN, entries
from ziggurat.dsl.linking.expressions import condition, linked, want
from ziggurat.dsl.linking.fields import FIELD_RULES
from ziggurat.dsl.linking.lookup import phase_name, thing_kinds
from ziggurat.dsl.linking.model import Decl, unquoted
from ziggurat.dsl.linking.statements import no_step, step
from ziggurat.dsl.linking.types import INT
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.syntax import Declaration


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
class Run:
    """kind: phase (id, to), do (a Do or DoBody)."""

    kind: str
    phase: str = ""
    to: str = ""
    call: Do | DoBody | None = None
    at: At = at_field()


@form()
@attrs.frozen
class Cannot:
    player: str
    action: str
    args: tuple[Expr, ...]
    reason: str
    at: At = at_field()


@form(writes=lambda one: (the_pile(one.pile.place), the_pile()))
@attrs.frozen
class Deal:
    """Cards by face ("kind.id", number) to a pile; how: in, top, under."""

    faces: tuple[tuple[str, int], ...]
    pile: PileRef
    how: str
    at: At = at_field()


@form(writes=lambda one: the_pieces(one.units.pieces))
@attrs.frozen
class Keep:
    """Leave so many there and put the rest in the box."""

    quantity: Expr
    units: Units
    where: Whereabouts
    at: At = at_field()


@form()
@attrs.frozen
class Given:
    body: tuple[Stmt | Deal | Keep, ...]
    at: At = at_field()


@form()
@attrs.frozen
class Expect:
    """`pack` empty: always."""

    pack: str
    checks: tuple[Expr, ...]
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Scenario:
    """`things` are the scenario's own things (its little map), which replace all of their kind."""

    id: str
    title: str
    players: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]
    things: tuple[Thing, ...]
    items: tuple[Given | Scripted | Run | Cannot | Expect, ...]
    meta: Meta = NO_META
    at: At = at_field()


ScenarioItem = Given | Scripted | Run | Cannot | Expect


no_step("A `given`", "given")
no_step("An `expect`", "expect")
no_step("A `run`", "run", "run_phase")
no_step("A `check`", "check")
no_step("A list of players", "cast")
no_step("A `deal`", "deal")
no_step("A `keep`", "keep")


@attrs.define(eq=False)
class Cast:
    """What a scenario brings along: its players and its own things."""

    players: dict[str, Any] = attrs.field(factory=dict)
    things: dict[str, dict[str, Decl]] = attrs.field(factory=dict)


def _fits(world: World, decl: Decl) -> bool:
    """`for west`: only in a stack with that pack; `without expert`: not in one with any of
    those."""
    fits, without = True, False
    for head in decl.node.heads:
        if head.rule == "head_for":
            fits = fits and head.parts[0].parts[0] in world.pack_order
        elif head.rule == "head_word" and (without or head.parts[0] == "without"):
            fits = fits and not (without and head.parts[0] in world.pack_order)
            without = True
        else:
            span = decl.file.span(head)
            world.report("Z222", "This has no meaning in a scenario.", span)
    return fits


def scenario(world: World, decl: Decl) -> Scenario | None:
    """A linked scenario, or None when it is meant for another stack."""
    if not _fits(world, decl):
        return None
    cx = Context(world, decl, f"scenario {decl.path}")
    cx.scenario = Cast()
    things = _prepare(cx, decl)
    options: list[tuple[str, Any]] = []
    items: list[ScenarioItem] = []
    expects = False
    for node, file in decl.items:
        cx.enter(file)
        rule = getattr(node, "rule", "")
        expects = expects or rule in ("expect", "cannot")
        if isinstance(node, Declaration) or rule == "cast":
            continue
        if rule == "body" and node.parts[0] == "options":
            options += _options(cx, node.parts[1])
        elif rule in _ITEMS:
            found = _ITEMS[rule](cx, node)
            items += [found] if found is not None else []
        else:
            message = "This cannot stand in a scenario."
            advice = "Put it in `given { … }` if it prepares the position."
            cx.error("Z310", message, node, advice)
    if not expects:
        message = "This scenario expects nothing, so it can never fail."
        world.report("Z601", message, decl.name_span, "Add `expect { check … }`.")
    return Scenario(
        decl.path, decl.title, tuple(cx.scenario.players), tuple(options), things, tuple(items),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _prepare(cx: Context, decl: Decl) -> tuple[Thing, ...]:
    """Players and things first: everything else in the scenario may name them."""
    world = cx.world
    own: list[Decl] = []
    for node, file in decl.items:
        if isinstance(node, Declaration):
            if node.word not in world.kinds:
                advice = did_you_mean(node.word, world.kinds)
                message = f"There is no kind called `{node.word}`."
                world.report("Z202", message, file.span(node.word), advice)
                continue
            one = make_decl(node, file)
            own.append(one)
            cx.scenario.things.setdefault(one.word, {})[one.path] = one
        elif getattr(node, "rule", "") == "cast":
            for token in node.parts:
                _player(cx, token, file)
    if not cx.scenario.players:
        message = "This scenario has no players."
        world.report("Z602", message, decl.name_span, "Add a line such as `players red, blue`.")
    return tuple(_own_thing(cx, one) for one in own)


def _player(cx: Context, token: Any, file: Any) -> None:
    if token in cx.scenario.players:
        message = f"The player `{token}` is named twice."
        cx.world.report("Z602", message, file.span(token), "Name every player once.")
    cx.scenario.players[str(token)] = token


def _own_thing(cx: Context, decl: Decl) -> Thing:
    inner = Context(cx.world, decl, cx.user)
    inner.scenario = cx.scenario
    return thing(cx.world, decl, inner)


def _options(cx: Context, block: Any) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for node in block.parts:
        if getattr(node, "rule", "") not in FIELD_RULES:
            cx.error("Z310", "Here options are set.", node, "Write `name: value`.")
            continue
        name = node.parts[0]
        option = cx.world.options.get(str(name))
        if option is None:
            advice = did_you_mean(name, cx.world.options)
            cx.error("Z223", f"There is no option called `{name}`.", name, advice)
            continue
        if node.rule != "field":
            cx.error("Z310", "An option is set to a value.", node, f"Write `{name}: …`.")
            continue
        value = entries(cx, node.parts[1].parts, option.type, node.parts[1])
        if value is BROKEN:
            continue
        if option.choices and value not in option.choices:
            listed = ", ".join(str(one) for one in option.choices)
            cx.error(
                "Z301", "This is not one of the choices.", node.parts[1], f"They are {listed}."
            )
        found.append((str(name), value))
    return found


def _given(cx: Context, node: Any) -> Given:
    out: list[Any] = []
    outer = cx.names
    cx.names = dict(outer)
    for one in node.parts[0].parts:
        rule = getattr(one, "rule", "")
        found = _PREPARING[rule](cx, one) if rule in _PREPARING else step(cx, one)
        if found is not None:
            out.append(found)
    cx.names = outer
    return Given(tuple(out), at=cx.at(node))


def _deal(cx: Context, node: Any) -> Deal | None:
    dealt, into = node.parts
    goal = pile(cx, into)
    faces: list[tuple[str, int]] = []
    for part in dealt.parts:
        pair = getattr(part, "rule", "") == "pair"
        face = _face(cx, part.parts[0] if pair else part)
        if face:
            faces.append((face, cx.number(part.parts[1]) if pair else 1))
    how = {"deal": "in", "deal_top": "top", "deal_under": "under"}[node.rule]
    return Deal(tuple(faces), goal, how, at=cx.at(node)) if goal is not None else None


def _face(cx: Context, name: Any) -> str:
    faces = {face for family in cx.world.families.values() for face in family.faces}
    kinds = [kind for kind in thing_kinds(cx, str(name)) if kind in faces]
    if len(kinds) == 1:
        return f"{kinds[0]}.{name}"
    for kind in sorted(faces):
        new = cx.world.renamed(kind, str(name), cx.file.source.pack)
        if new != name and new in cx.world.things[kind]:
            return f"{kind}.{new}"
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


def _expect(cx: Context, node: Any) -> Expect | None:
    pack, block = node.parts
    if pack is not None and pack not in cx.world.pack_order:
        return None
    if not block.parts:
        message = "This `expect` expects nothing."
        cx.error("Z601", message, node, "Write lines such as `check size(hand(p)) == 3` in it.")
    checks: list[Expr] = []
    for one in block.parts:
        if getattr(one, "rule", "") == "check":
            checks.append(condition(cx, one.parts[0]))
        else:
            cx.error("Z310", "Only checks can stand in an `expect`.", one, "Write `check …`.")
    return Expect(str(pack or ""), tuple(checks), at=cx.at(node))


def _run_phase(cx: Context, node: Any) -> Run:
    first, last = node.parts
    start = phase_name(cx, first)
    end = phase_name(cx, last) if last is not None else ""
    return Run("phase", start, end, at=cx.at(node))


def _run(cx: Context, node: Any) -> Run | None:
    found = call(cx, node.parts[0])
    return Run("do", call=found, at=cx.at(node)) if found is not None else None


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


_ITEMS: dict[str, Any] = {
    "given": _given,
    "expect": _expect,
    "run_phase": _run_phase,
    "run": _run,
    "chooses": _chooses,
    "does": _does,
    "is_done": _done,
    "cannot": _cannot,
}


def no_twins(world: World, decls: list[Decl]) -> None:
    """Two scenarios of one title could not be told apart in a report."""
    seen: dict[str, Decl] = {}
    for decl in decls:
        first = seen.setdefault(decl.path, decl)
        if first is not decl:
            note = Note("The first one is here.", first.name_span)
            message = "There is already a scenario with this title."
            world.report("Z401", message, decl.name_span, "Give it another one.", (note,))


@declares(Scenario)
def _print_scenario(page: Declarations, one: Scenario, depth: int) -> list[Line]:
    """Its first line: what a scenario does is best read where it stands."""
    return [Line(depth, f"scenario {quoted(one.title)}", one.at)]
