"""The linker: parsed files of a stack in, a checked ruleset or findings out."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Findings
from ziggurat.dsl.forms import families as _families  # noqa: F401 - they register
from ziggurat.dsl.forms.actions import action
from ziggurat.dsl.forms.advice import advice
from ziggurat.dsl.forms.amendments import amendments
from ziggurat.dsl.forms.bundles import bundles
from ziggurat.dsl.forms.clauses import CHANGES, TRIGGERS, Clauses, read_clauses
from ziggurat.dsl.forms.covers import attribute_seers, covers
from ziggurat.dsl.forms.equipment import families, neutrals, pieces, places
from ziggurat.dsl.forms.givens import unused_givens
from ziggurat.dsl.forms.harmless import harmless
from ziggurat.dsl.forms.kinds import (
    field_defaults,
    kind,
    kind_names,
    mirrored,
    thing,
    thing_bodies,
    with_triggers,
)
from ziggurat.dsl.forms.marks import maps, marks
from ziggurat.dsl.forms.open_places import open_places
from ziggurat.dsl.forms.phases import phase, turn
from ziggurat.dsl.forms.procedures import procedure, procedure_signatures
from ziggurat.dsl.forms.questions import clarifications, questions
from ziggurat.dsl.forms.scenarios import no_twins
from ziggurat.dsl.forms.settings import attributes, options
from ziggurat.dsl.forms.values import order, order_keys, value, value_signatures
from ziggurat.dsl.forms.wording import chapters, phrases
from ziggurat.dsl.linking.checks import check
from ziggurat.dsl.linking.collect import collect
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.fields import no_more
from ziggurat.dsl.linking.kind_checks import with_needs
from ziggurat.dsl.linking.misfits import fitting
from ziggurat.dsl.linking.model import Book, Decl, Item
from ziggurat.dsl.linking.named import Names
from ziggurat.dsl.linking.owning import owner_things, piece_things, with_supply
from ziggurat.dsl.linking.relinking import Function, LinkedDeclarations, Relinking
from ziggurat.dsl.linking.removals import lacking, notes, unless_removed
from ziggurat.dsl.linking.world import Notes, World
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.players import players_span
from ziggurat.dsl.playing_texts import hash_texts
from ziggurat.dsl.syntax import File
from ziggurat.runtime import kernel as ir

T = TypeVar("T")


def link(
    files: Sequence[File], stack: Stack, kept: LinkedDeclarations | None = None
) -> tuple[ir.Ruleset, list[Diagnostic]]:
    """Link parsed files, which must be in stack order; with errors the ruleset has holes.

    With `kept`, declarations for which nothing changed since the last time are not linked again.
    """
    findings = Findings()
    book = collect(files, stack, findings)
    world = World(
        book, stack, {pack.id: index for index, pack in enumerate(stack.packs)}, Notes(findings),
        sources=frozenset(source for pack in stack.packs for source in pack.sources),
        cited_by={pack.id: pack.cites for pack in stack.packs},
        texts={file.source.path: file.source for file in files},
    )  # fmt: skip
    _cited_sources(world)
    ruleset = _ruleset(world, book, files, kept)
    findings.extend(lacking(world.notes.lacks))
    if kept is not None:
        world.remember = kept.begin_checks()
        world.unless_same = partial(kept.repeat, findings)
    check(world, ruleset)
    findings.extend(notes((*book.losses, *world.notes.losses)))
    if kept is not None:
        kept.names = Names(world, ruleset)
    return ruleset, findings.ordered()


def _cited_sources(world: World) -> None:
    """What a pack means by a citation without a source must be sources that a pack declares."""
    for pack in world.stack.packs:
        for source in pack.cites:
            if source not in world.sources:
                world.unknown_source(source, pack.id, pack.span("cites", source))


def _ruleset(
    world: World, book: Book, files: Sequence[File], kept: LinkedDeclarations | None
) -> ir.Ruleset:
    kinds = _declare(world)
    value_signatures(world)
    attribute_seers(world)
    covered = covers(world)
    procedure_signatures(world)
    left_open = open_places(world)
    world.phases.update(book.of("phase"))
    kinds = with_needs(world, kinds)
    linked = Relinking(world, (file.source for file in files), kept)
    linked.first_round()
    things = {one: mirrored(world, one, _each(linked, _thing, book.of(one))) for one in kinds}
    values = _each(linked, _value, book.of("value"))
    for keys in _each(linked, order_keys, book.of("order")).values():
        values.update((key.id, key) for key in keys)
    procedures = _each(linked, _procedure, book.of("procedure"))
    actions = _each(linked, action, book.of("action"))
    phases = _each(linked, phase, book.of("phase"))
    clauses = Clauses()
    for page in (*(book.of(one) for one in kinds), book.of("rule"), book.of("phase")):
        for found in _each(linked, _clauses, page).values():
            clauses.add(found)
    turns = _each(linked, turn, book.of("turn"))
    linked.second_round()
    advised = _each(linked, _advice, book.of("advice")).values()
    scenarios = [one for decl in book.scenarios for one in linked(fitting, decl)]
    linked.close()
    for node, removal in world.notes.unsaid:
        book.unsaid([node], removal)
    no_twins(world, book.scenarios)
    unused_givens(world)
    return ir.Ruleset(
        stack=world.stack.name,
        packs=tuple(_pack_info(world.stack, files)),
        kinds=kinds,
        things={
            one: {id_: with_triggers(thing, clauses.block_triggers) for id_, thing in page.items()}
            for one, page in things.items()
        },
        pieces=with_supply(world.pieces, things),
        piece_groups=world.groups,
        places=world.places,
        cards=world.families,
        neutrals=world.neutrals | owner_things(world, things),
        attributes=world.attributes,
        options=world.options,
        values=_with(values, "contributions", clauses.contributions),
        orders={path: order(world, one) for path, one in world.orders.items()},
        procedures=_with(procedures, "triggers", clauses.procedure_triggers),
        phases=_with(phases, "triggers", clauses.phase_triggers),
        actions=actions,
        turns=turns,
        advice=_present(advised),
        scenarios=tuple(one for one in scenarios if isinstance(one, ir.Scenario)),
        amendments=amendments(book),
        misfits=tuple(one for one in scenarios if isinstance(one, ir.Misfit)),
        bundles=world.bundles,
        maps=maps(world),
        marks=marks(world),
        open_places=left_open,
        questions=questions(world),
        clarifications=clarifications(world),
        phrases=phrases(world),
        chapters=chapters(world),
        players=world.stack.players,
        harmless=harmless(world),
        covers=covered,
        rule_titles={path: one.title for path, one in book.of("rule").items() if one.title},
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
    piece_things(world)
    neutrals(world)
    options(world)
    attributes(world)
    bundles(world)
    return field_defaults(world, kinds)


def _present(found: Iterable[T | None]) -> tuple[T, ...]:
    return tuple(one for one in found if one is not None)


def _each(linked: Relinking, function: Function[T], page: dict[str, Decl]) -> dict[str, T]:
    return {path: linked(function, decl) for path, decl in page.items()}


def _with(page: dict[str, T], field: str, clauses: dict[str, Any]) -> dict[str, T]:
    """Declarations with the clauses that others bring to them."""
    changed = {
        path: attrs.evolve(one, **{field: tuple(clauses[path])})  # type: ignore[misc]
        for path, one in page.items()
        if path in clauses
    }
    return {**page, **changed}


def _thing(world: World, decl: Decl) -> ir.Thing:
    cx = Context(world, decl, f"{decl.word} {decl.path}")
    return attrs.evolve(thing(world, decl, cx), bodies=thing_bodies(world, decl, cx))


def _value(world: World, decl: Decl) -> ir.Value:
    return value(world, world.values[decl.path])


def _procedure(world: World, decl: Decl) -> ir.Procedure:
    return procedure(world, world.procedures[decl.path])


def _advice(world: World, decl: Decl) -> ir.Advice | None:
    """Advice, unless it is about something that was removed."""
    told = f"The advice about `{decl.path}` goes, too."
    found = unless_removed(world, "advice", told, decl.name_span, lambda: advice(world, decl))
    return found if found is not None and found.preferences else None


def _clauses(world: World, decl: Decl) -> Clauses:
    """The clauses of a thing, a rule or a phase; a rule has nothing else."""
    if decl.word == "rule":
        cx = Context(world, decl, f"rule {decl.path}")
        no_more(cx, decl, [item for item in decl.items if not _is_clause(item)])
    return read_clauses(world, decl)


def _is_clause(item: Item) -> bool:
    rule = getattr(item.node, "rule", "")
    return rule in CHANGES or rule in TRIGGERS


def _pack_info(stack: Stack, files: Sequence[File]) -> Iterable[ir.PackInfo]:
    texts_of: dict[str, list[File]] = {}
    for file in files:
        texts_of.setdefault(file.source.pack, []).append(file)
    for pack in stack.packs:
        texts = [(file.source.path, file.source.text) for file in texts_of.get(pack.id, ())]
        yield ir.PackInfo(
            pack.id, pack.title, str(pack.version), pack.edition,
            players_span(pack.players) if pack.players else "",
            tuple(pack.sources.items()), hash_texts(pack.manifest.text, texts), tuple(pack.cites),
        )  # fmt: skip
