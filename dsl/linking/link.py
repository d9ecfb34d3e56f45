"""The linker: parsed files of a stack in, a checked ruleset or findings out."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import Diagnostic, Findings
from ziggurat.dsl.linking import calling, calls, changing, decisions, moving, sets  # noqa: F401 (they register)
from ziggurat.dsl.linking.advice import advice
from ziggurat.dsl.linking.checks import check
from ziggurat.dsl.linking.clauses import CHANGES, TRIGGERS, Clauses, read_clauses
from ziggurat.dsl.linking.collect import collect
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.declarations import declare
from ziggurat.dsl.linking.fields import FIELD_RULES, no_more
from ziggurat.dsl.linking.kind_checks import demands
from ziggurat.dsl.linking.kinds import thing
from ziggurat.dsl.linking.marks import maps, marks
from ziggurat.dsl.linking.model import Book, Decl, Item
from ziggurat.dsl.linking.phases import phase, turn
from ziggurat.dsl.linking.rules import (
    action,
    finish,
    in_sight,
    order,
    order_keys,
    procedure,
    signatures,
    value,
)
from ziggurat.dsl.linking.scenarios import no_twins, scenario
from ziggurat.dsl.linking.statements import block
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import File, Node

T = TypeVar("T")


def link(files: Sequence[File], stack: Stack) -> tuple[ir.Ruleset | None, list[Diagnostic]]:
    """Link parsed files, which must be in stack order; there is a ruleset only without errors."""
    findings = Findings()
    book = collect(files, stack, findings)
    world = World(
        book, stack, findings, {pack.id: index for index, pack in enumerate(stack.packs)},
        sources=frozenset(source for pack in stack.packs for source in pack.sources),
        texts={file.source.path: file.source for file in files},
    )  # fmt: skip
    ruleset = _ruleset(world, book, files)
    check(world, ruleset)
    return (None if findings.has_errors else ruleset), findings.ordered()


def _ruleset(world: World, book: Book, files: Sequence[File]) -> ir.Ruleset:
    kinds = declare(world)
    signatures(world)
    kinds = demands(world, kinds)
    clauses = Clauses()
    things = {kind: _things(world, kind) for kind in world.kinds}
    values = {path: value(world, world.values[path]) for path in book.of("value")}
    for decl in book.of("order").values():
        values.update((key.id, key) for key in order_keys(world, decl))
    procedures = {path: procedure(world, one) for path, one in world.procedures.items()}
    actions = {path: action(world, decl) for path, decl in book.of("action").items()}
    phases = {path: phase(world, decl) for path, decl in book.of("phase").items()}
    for decl in _clause_homes(world, book):
        read_clauses(world, decl, clauses)
    turns = {path: turn(world, decl) for path, decl in book.of("turn").items()}
    no_twins(world, book.scenarios)
    return ir.Ruleset(
        stack=world.stack.name,
        packs=tuple(_pack_info(world.stack, files)),
        kinds=kinds,
        things=things,
        pieces=world.pieces,
        piece_groups=world.groups,
        places=world.places,
        cards=world.families,
        neutrals=world.neutrals,
        attributes=world.attributes,
        options=world.options,
        values={
            path: attrs.evolve(one, contributions=tuple(clauses.contributions.get(path, ())))
            for path, one in values.items()
        },
        orders={path: order(world, one) for path, one in world.orders.items()},
        procedures={
            path: attrs.evolve(one, triggers=tuple(clauses.procedure_triggers.get(path, ())))
            for path, one in procedures.items()
        },
        phases={
            path: attrs.evolve(one, triggers=tuple(clauses.phase_triggers.get(path, ())))
            for path, one in phases.items()
        },
        actions=actions,
        turns=turns,
        advice=_present(advice(world, decl) for decl in book.of("advice").values()),
        scenarios=_present(scenario(world, decl) for decl in book.scenarios),
        maps=maps(world),
        marks=marks(world),
    )


def _present(found: Iterable[T | None]) -> tuple[T, ...]:
    return tuple(one for one in found if one is not None)


def _clause_homes(world: World, book: Book) -> Iterable[Decl]:
    """Things, rules and phases, in the order of their declaration."""
    for kind in world.kinds:
        yield from world.things[kind].values()
    for decl in book.of("rule").values():
        cx = Context(world, decl, f"rule {decl.path}")
        no_more(cx, decl, [item for item in decl.items if not _is_clause(item)])
        yield decl
    yield from book.of("phase").values()


def _is_clause(item: Item) -> bool:
    rule = getattr(item.node, "rule", "")
    return rule in CHANGES or rule in TRIGGERS


def _things(world: World, kind: str) -> dict[str, ir.Thing]:
    out: dict[str, ir.Thing] = {}
    for path, decl in world.things[kind].items():
        cx = Context(world, decl, f"{kind} {path}")
        out[path] = attrs.evolve(thing(world, decl, cx), bodies=_bodies(world, decl, cx))
    return out


def _bodies(world: World, decl: Decl, cx: Context) -> tuple[ir.ThingBody, ...]:
    """The blocks a thing brings (`resolve { … }`); whatever else is no clause is refused."""
    info = world.kinds[decl.word]
    out: list[ir.ThingBody] = []
    for item in decl.items:
        node, file = item
        rule = node.rule if isinstance(node, Node) else ""
        if rule in FIELD_RULES or _is_clause(item):
            continue
        if rule != "body":
            no_more(cx, decl, [item])
            continue
        name = str(node.parts[0])
        if name not in info.bodies:
            known = ", ".join(f"`{one}`" for one in info.bodies)
            hint = (
                f"It may have {known}." if known else f"Declare it in the kind: `body {name}(…)`."
            )
            message = f"A thing of kind {decl.word} has no block `{name}`."
            world.report("Z219", message, file.span(node.parts[0]), hint)
            continue
        out.append(_body(world, decl, item, name))
    return tuple(out)


def _body(world: World, decl: Decl, item: Item, name: str) -> ir.ThingBody:
    user = f"body {decl.word}.{decl.path}.{name}"
    cx = Context(world, decl, user)
    cx.path = f"{decl.path}.{name}"
    cx.enter(item.file)
    world.use(f"bodies {decl.word}.{name}", user, item.file.span(item.node.parts[0]))
    in_sight(cx, world.kinds[decl.word].bodies[name])
    inner = item.node.parts[1]
    metas = [one for one in inner.parts if getattr(one, "rule", "") in ("cites", "tags")]
    rest = Node(
        "block", tuple(one for one in inner.parts if one not in metas), inner.start, inner.end
    )
    found = block(cx, rest)
    finish(cx)
    info = meta(world, [Item(one, item.file) for one in metas], item.pack)
    return ir.ThingBody(name, found, info, at=cx.at(item.node))


def _pack_info(stack: Stack, files: Sequence[File]) -> Iterable[ir.PackInfo]:
    texts_of: dict[str, list[File]] = {}
    for file in files:
        texts_of.setdefault(file.source.pack, []).append(file)
    for pack in stack.packs:
        digest = hashlib.sha256(pack.manifest.text.encode())
        for file in texts_of.get(pack.id, ()):
            digest.update(f"\0{file.source.path}\0{file.source.text}".encode())
        low, high = pack.players or (0, 0)
        yield ir.PackInfo(
            pack.id, pack.title, str(pack.version), pack.edition,
            "" if not pack.players else str(low) if low == high else f"{low}-{high}",
            tuple(pack.sources.items()), digest.hexdigest(),
        )  # fmt: skip
