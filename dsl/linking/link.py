"""The linker: parsed files of a stack in, a checked ruleset or findings out."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import Diagnostic, Findings
from ziggurat.dsl.forms.actions import action
from ziggurat.dsl.forms.advice import advice
from ziggurat.dsl.forms.clauses import CHANGES, TRIGGERS, Clauses, read_clauses
from ziggurat.dsl.forms.equipment import families, neutrals, pieces, places
from ziggurat.dsl.forms.kinds import field_defaults, kind, kind_names, thing, thing_bodies
from ziggurat.dsl.forms.marks import maps, marks
from ziggurat.dsl.forms.phases import phase, turn
from ziggurat.dsl.forms.procedures import procedure, procedure_signatures
from ziggurat.dsl.forms.scenarios import no_twins, scenario
from ziggurat.dsl.forms.settings import attributes, options
from ziggurat.dsl.forms.values import order, order_keys, value, value_signatures
from ziggurat.dsl.linking.checks import check
from ziggurat.dsl.linking.collect import collect
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.fields import no_more
from ziggurat.dsl.linking.kind_checks import with_needs
from ziggurat.dsl.linking.model import Book, Decl, Item
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.players import players_span
from ziggurat.dsl.syntax import File

T = TypeVar("T")


def link(files: Sequence[File], stack: Stack) -> tuple[ir.Ruleset | None, list[Diagnostic]]:
    """Link parsed files, which must be in stack order; there is a ruleset only without errors."""
    findings = Findings()
    book = collect(files, stack, findings)
    world = World(
        book, stack, findings, {pack.id: index for index, pack in enumerate(stack.packs)},
        sources=frozenset(source for pack in stack.packs for source in pack.sources),
        cited_by={pack.id: pack.cites for pack in stack.packs},
        texts={file.source.path: file.source for file in files},
    )  # fmt: skip
    _cited_sources(world)
    ruleset = _ruleset(world, book, files)
    check(world, ruleset)
    return (None if findings.has_errors else ruleset), findings.ordered()


def _cited_sources(world: World) -> None:
    """What a pack means by a citation without a source must be sources that a pack declares."""
    for pack in world.stack.packs:
        for source in pack.cites:
            if source not in world.sources:
                world.unknown_source(source, pack.id, pack.span("cites", source))


def _ruleset(world: World, book: Book, files: Sequence[File]) -> ir.Ruleset:
    kinds = _declare(world)
    value_signatures(world)
    procedure_signatures(world)
    world.phases.update(book.of("phase"))
    kinds = with_needs(world, kinds)
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
        players=world.stack.players,
    )


def _declare(world: World) -> dict[str, ir.Kind]:
    """Everything that is not a rule, in the order in which one needs the other."""
    kind_names(world)
    families(world)
    kinds = {decl.path: kind(world, decl) for decl in world.book.of("kind").values()}
    for name in world.kinds:
        world.things[name] = world.book.of(name)
        for one in world.things[name]:
            world.kinds_of_name.setdefault(one, []).append(name)
    places(world)
    pieces(world)
    neutrals(world)
    options(world)
    attributes(world)
    return field_defaults(world, kinds)


def _present(found: Iterable[T | None]) -> tuple[T, ...]:
    return tuple(one for one in found if one is not None)


def _clause_homes(world: World, book: Book) -> Iterable[Decl]:
    """Things, rules and phases, in the order of their declaration."""
    for name in world.kinds:
        yield from world.things[name].values()
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
        out[path] = attrs.evolve(thing(world, decl, cx), bodies=thing_bodies(world, decl, cx))
    return out


def _pack_info(stack: Stack, files: Sequence[File]) -> Iterable[ir.PackInfo]:
    texts_of: dict[str, list[File]] = {}
    for file in files:
        texts_of.setdefault(file.source.pack, []).append(file)
    for pack in stack.packs:
        digest = hashlib.sha256(pack.manifest.text.encode())
        for file in texts_of.get(pack.id, ()):
            digest.update(f"\0{file.source.path}\0{file.source.text}".encode())
        yield ir.PackInfo(
            pack.id, pack.title, str(pack.version), pack.edition,
            players_span(pack.players) if pack.players else "",
            tuple(pack.sources.items()), digest.hexdigest(),
        )  # fmt: skip
