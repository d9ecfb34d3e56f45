"""Checks of the whole ruleset: what is right in every line and still cannot be meant.

What is never used or never reached is reported only for a complete game, one with a `turn`: a
pack that others build on does not use everything it offers.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ziggurat.dsl.diagnostics import Note, Span, nearest
from ziggurat.dsl.forms.kinds import neighbours
from ziggurat.dsl.forms.scenarios import fits_stack
from ziggurat.dsl.linking.advice_checks import check_advice, check_seers
from ziggurat.dsl.linking.asking_checks import check_who_is_asked
from ziggurat.dsl.linking.collect import make_decl
from ziggurat.dsl.linking.contradictions import check_requirements
from ziggurat.dsl.linking.counts import check_counts
from ziggurat.dsl.linking.cycles import check_cycles
from ziggurat.dsl.linking.game_checks import check_game
from ziggurat.dsl.linking.kind_checks import check_needs, check_shoulds
from ziggurat.dsl.linking.likely_mistakes import check_likely_mistakes
from ziggurat.dsl.linking.mark_checks import check_marks
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.player_checks import check_numbers_of_players
from ziggurat.dsl.linking.question_checks import check_questions
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.wording_checks import check_words
from ziggurat.dsl.linking.world import World
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import Lit
from ziggurat.runtime.kernel.nodes import BOOL, ERROR_TYPE
from ziggurat.runtime.kernel.walking import asks, calls, walk


def check(world: World, ruleset: ir.Ruleset) -> None:
    check_cycles(world)
    check_requirements(world, ruleset)
    _check_relations(world, ruleset.things, lambda: world.things)
    for scenario, decl in _scenarios(world, ruleset):
        _check_relations(world, *_own_things(scenario, decl))
    check_counts(world, ruleset)
    if not world.findings.has_errors:
        data = _data_parts(world, ruleset)
        world.unless_same("needs", data, lambda: check_needs(world, ruleset))
        decided = [*data, ruleset.players, *ruleset.values.values(), *ruleset.options.values()]
        world.unless_same("shoulds", decided, lambda: check_shoulds(world, ruleset))
        kept = (ruleset.attributes, ruleset.places, ruleset.bundles)
        drawn = [*data, *_files(world, "map", "mark"), *(tuple(one.values()) for one in kept)]
        world.unless_same("marks", drawn, lambda: check_marks(world, ruleset))
    check_seers(world, ruleset)
    check_advice(world, ruleset)
    check_who_is_asked(world, ruleset)
    check_game(world, ruleset)
    check_words(world, ruleset)
    check_numbers_of_players(world, ruleset)
    check_likely_mistakes(world, ruleset)
    check_questions(world, ruleset)
    _check_supposing(world, ruleset)
    if ruleset.turns:
        _check_values(world, ruleset)
        _check_callables(world)
        _check_phases(world, ruleset)
        _check_holdable(world, ruleset)
        _check_written_down(world)
        _check_params(world, ruleset)
        _check_reach(world, ruleset)


def _data_parts(world: World, ruleset: ir.Ruleset) -> list[Any]:
    """All that the data of a ruleset come from. A file that did not change is
    the very same."""
    said = [thing.values for page in ruleset.things.values() for thing in page.values()]
    return [*said, *_files(world, "kind", *world.kinds)]


def _files(world: World, *words: str) -> list[Any]:
    decls = [decl for word in words for decl in world.book.of(word).values()]
    return [file for decl in decls for file in (decl.file, *(item.file for item in decl.items))]


# ---- data ---------------------------------------------------------------------------------------

Things = dict[str, dict[str, ir.Thing]]
Decls = dict[str, dict[str, Decl]]


def _scenarios(world: World, ruleset: ir.Ruleset) -> Iterator[tuple[ir.Scenario, Decl]]:
    decls = {decl.path: decl for decl in world.book.scenarios if fits_stack(world, decl)}
    for scenario in ruleset.scenarios:
        if scenario.things:
            yield scenario, decls[scenario.id.partition(".")[0]]


def _own_things(scenario: ir.Scenario, decl: Decl) -> tuple[Things, Callable[[], Decls]]:
    things: Things = {}
    for thing in scenario.things:
        things.setdefault(thing.kind, {})[thing.id] = thing

    def decls() -> Decls:
        found: Decls = {}
        for node, file in decl.items:
            if hasattr(node, "word") and str(node.word) in things:
                found.setdefault(str(node.word), {})[node.id] = make_decl(node, file)
        return found

    return things, decls


def _check_relations(world: World, things: Things, decls: Callable[[], Decls]) -> None:
    """Neighbours must name each other."""
    for kind, page in things.items():
        info = world.kinds[kind]
        for field in info.fields.values():
            if not field.relation:
                continue
            near = {one.id: neighbours(one, field.name) for one in page.values()}
            for here, others in near.items():
                for other in others:
                    there = other.partition(".")[2]
                    if there in near and f"{kind}.{here}" not in near[there]:
                        page_of = decls()[kind]
                        _asymmetric(world, page_of[here], page_of[there], field.name)


def _asymmetric(world: World, here: Decl, there: Decl, field: str) -> None:
    message = f"`{here.path}` names `{there.path}` as its `{field}`, but not the other way round."
    note = Note(f"`{there.path}` is declared here.", there.name_span)
    advice = f"Add `{here.path}` to the `{field}` of `{there.path}`, or take this one away."
    world.report("Z506", message, _entry_span(here, field, there.path), advice, (note,))


def _entry_span(decl: Decl, field: str, name: str) -> Span:
    """The place in a field where a name stands."""
    for node, file in decl.items:
        if getattr(node, "rule", "") == "field" and node.parts[0] == field:
            for entry in node.parts[1].parts:
                parts = entry.parts if entry.rule == "set" else (entry,)
                for part in parts:
                    if part.rule == "name" and part.parts[0] == name:
                        return file.span(part)
            return file.span(node)
    return decl.name_span


def _check_reach(world: World, ruleset: ir.Ruleset) -> None:
    """Places without a way, over neighbours of any sort, to the largest part of the board."""
    kind = world.place_kind
    relations = [f.name for f in world.kinds[kind].fields.values() if f.relation] if kind else []
    page = ruleset.things.get(kind, {})
    if not relations or len(page) < 2:
        return
    fields = " or ".join(f"`{name}: …`" for name in relations)
    parts = _parts(page, relations)
    mainland = max(parts, key=len)
    for part in parts:
        if part is mainland:
            continue
        first, *others = part
        if others:
            with_it = f"`{others[0]}`" if len(others) == 1 else f"{len(others)} others"
            message = f"No border leads from `{first}` and {with_it} to the rest of the board."
            advice = f"Give one of them a neighbour elsewhere with {fields}."
        else:
            message = f"`{first}` has no neighbours, so nobody can reach it."
            advice = f"Add {fields}."
        world.warn("Z507", message, world.things[kind][first].name_span, advice)


def _parts(page: dict[str, ir.Thing], relations: list[str]) -> list[list[str]]:
    """The parts of a board between which there is no way, each in the order of its places."""
    near: dict[str, set[str]] = {place: set() for place in page}
    for thing in page.values():
        for there in (
            path.partition(".")[2] for name in relations for path in neighbours(thing, name)
        ):
            if there in near:
                near[thing.id].add(there)
                near[there].add(thing.id)
    parts: list[list[str]] = []
    left = set(near)
    while left:
        waiting = [next(place for place in near if place in left)]
        part = set(waiting)
        while waiting:
            fresh = near[waiting.pop()] - part
            part |= fresh
            waiting += fresh
        left -= part
        parts.append([place for place in near if place in part])
    return parts


# ---- what is never used -------------------------------------------------------------------------


def _read(world: World) -> set[str]:
    return {used for user, uses in world.uses.items() for used in uses if used != user}


def _check_values(world: World, ruleset: ir.Ruleset) -> None:
    read = _read(world)
    keys = {key for keys in world.order_keys.values() for key in keys}
    for value in ruleset.values.values():
        if value.id in keys or value.type is ERROR_TYPE:
            continue
        decl = world.values[value.id].decl
        if f"value {value.id}" not in read:
            if value.contributions:
                message = f"`{value.id}` is changed by other rules, but no rule ever reads it."
                world.warn("Z503", message, decl.name_span, "Ask it where it should matter.")
            else:
                message = f"No rule ever reads `{value.id}`."
                advice = _meant(world, decl) or "Ask it where it matters, or remove it."
                world.warn("Z501", message, decl.name_span, advice)
        elif value.type == BOOL and _never(value):
            message = f"Nothing ever allows `{value.id}`, so it is always no."
            advice = f"Write `allow {decl.id}(…)` where it is granted, or remove it."
            world.warn("Z502", message, decl.name_span, advice)


def _meant(world: World, decl: Decl) -> str | None:
    """Advice for what nobody uses because it answers an open place under a wrong name."""
    places = world.book.open_places.values()
    near = nearest(decl.path, [one.path for one in places if one.word == decl.word])
    return f"Did you mean to answer the open `{decl.word} {near}`?" if near else None


def _never(value: ir.Value) -> bool:
    denied = isinstance(value.base, Lit) and value.base.value is False
    return denied and not any(one.op in ("allow", "to") for one in value.contributions)


def _check_supposing(world: World, ruleset: ir.Ruleset) -> None:
    """In positions that are only imagined there is nobody to be asked."""
    for turn in ruleset.turns.values():
        waiting, known = [turn.supposing] if turn.supposing else [], set[str]()
        while waiting:
            name = waiting.pop()
            rule = ruleset.procedures.get(name)
            if name in known or rule is None:
                continue
            known.add(name)
            bodies = (rule.body, *(trigger.body for trigger in rule.triggers))
            called = calls(bodies)
            if asks(bodies) or any(call[0] == "body" for call in called):
                _report_asking(world, turn.supposing, name)
            waiting += [call[1] for call in called if call[0] == "procedure"]


def _report_asking(world: World, supposing: str, asking: str) -> None:
    message = f"`{supposing}` says what may be supposed, but `{asking}` may ask somebody."
    advice = "Let it change what is hidden, and call only procedures that ask nobody."
    world.report("Z616", message, world.procedures[asking].decl.name_span, advice)


def _check_callables(world: World) -> None:
    used = _read(world)
    for word, page in (("procedure", world.procedures), ("order", world.orders)):
        for path, signature in page.items():
            if f"{word} {path}" not in used:
                message = f"No rule ever uses the {word} `{path}`."
                advice = _meant(world, signature.decl) or "Use it, or remove it."
                world.warn("Z511", message, signature.decl.name_span, advice)


def _check_phases(world: World, ruleset: ir.Ruleset) -> None:
    used = _read(world)
    acting = {
        phase.id for phase in ruleset.phases.values() if any(s.kind == "act" for s in phase.stages)
    }
    for path, decl in world.phases.items():
        if f"phase {path}" not in used:
            message = f"The phase `{path}` is part of no turn and is never performed."
            advice = f"Add it to the `phases` of a turn, or write `perform {path}` in a phase."
            world.warn("Z512", message, decl.name_span, _meant(world, decl) or advice)
    for action in ruleset.actions.values():
        if action.phase in ruleset.phases and action.phase not in acting:
            decl = world.actions[action.id].decl
            message = (
                f"Nobody acts in the phase `{action.phase}`, so `{action.id}` is never offered."
            )
            advice = "Add a stage such as `players p act until done` to the phase."
            world.warn("Z514", message, decl.name_span, advice)


def _check_holdable(world: World, ruleset: ir.Ruleset) -> None:
    """Things to be held must be given to somebody by some rule."""
    for info in world.kinds.values():
        if "holdable" not in info.roles or info.id in world.given_kinds:
            continue
        for thing in ruleset.things[info.id].values():
            if f"{info.id}.{thing.id}" not in world.given_kinds:
                message = f"No rule ever gives `{thing.id}` to anybody, so nobody can hold it."
                span = world.things[info.id][thing.id].name_span
                world.warn("Z509", message, span, f"Write `give {thing.id} to p` in a rule.")


def _check_written_down(world: World) -> None:
    """Options and attributes that nobody ever looks at."""
    read = _read(world)
    for option in world.options:
        if f"option {option}" not in read:
            message = f"No rule ever asks for the option `{option}`."
            span = world.book.of("option")[option].name_span
            world.warn("Z518", message, span, "Use it in a rule, or remove it.")
    for path in world.attributes:
        if f"attribute {path}" not in read:
            _never_read(world, path)


def _never_read(world: World, path: str) -> None:
    of, _, name = path.partition(".")
    if path in world.bundles:
        return  # whether it is there need not be asked
    inside = ir.bundle_of(world.bundles, path) is not None
    what = "field" if inside else "attribute"
    span = span_of(world, world.attributes[path].at) if inside else None
    span = span or world.book.of("attribute")[path].name_span
    message = f"No rule ever reads the {what} `{name}` of {of}."
    world.warn("Z518", message, span, "Read it where it matters, or remove it.")


def _check_params(world: World, ruleset: ir.Ruleset) -> None:
    """Parameters that neither their rule nor any trigger on it looks at."""
    for user, idle in world.idle_params.items():
        word, _, path = user.partition(" ")
        triggers = ruleset.procedures[path].triggers if word == "procedure" else ()
        used = {part.name for part in walk(triggers) if isinstance(part, ir.Local)}
        for name, span in idle.items():
            if name not in used:
                message = f"`{path}` makes no use of its parameter `{name}`."
                advice = f"Take it away, or call it `_{name}` to say that this is meant."
                world.warn("Z519", message, span, advice)
