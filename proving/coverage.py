"""Rule coverage: which tags no scenario names, and which clauses no scenario runs or checks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ziggurat.dsl.normal_form import Plain
from ziggurat.proving.phrasing import pack_of
from ziggurat.proving.scenarios import Result
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import declarations, values_of
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.walking import walk

# Parts of declarations that are clauses of their own, known by their paths.
CLAUSES = (ir.Contribution, ir.Trigger, ir.Stage, ir.Step)


@attrs.frozen
class Coverage:
    """`untested`: tags of rules that no scenario has, with where they stand. `clauses`: all that
    count, with where they stand; `unrun`: those that no scenario ran. `idle`: clauses that this
    ruleset never comes to, with the reason; they do not count. `tags` is how many there are."""

    tags: int
    untested: dict[str, ir.At]
    clauses: dict[str, ir.At]
    unrun: tuple[str, ...]
    idle: dict[str, str]

    @property
    def whole(self) -> bool:
        return not self.untested and not self.unrun


def coverage(program: Program, results: Iterable[Result], pack: str = "") -> Coverage:
    """What the results of a traced program cover of its rules, or of those that a pack wrote."""
    counts: Counter[str] = Counter()
    named: set[str] = set()
    for result in results:
        counts += result.counts
        named.update(result.scenario.meta.tags)
    tags = tagged(program.ruleset, pack)
    used = used_values(program.ruleset)
    unused = [value for value in program.ruleset.values.values() if value.id not in used]
    beside = {path for v in unused for path in (v.id, *(c.path for c in v.contributions))}
    for phase in program.ruleset.phases.values():
        beside.update(stage.path or phase.id for stage in phase.stages if not stage.body)
    idle = idle_clauses(program.ruleset)
    beside.update(idle)
    places = clause_places(program.ruleset, pack)
    clauses = {
        path: places.get(path, ir.NOWHERE)
        for path in dict.fromkeys(program.clauses)
        if path not in beside and (not pack or path in places)
    }
    return Coverage(
        len(tags),
        {tag: at for tag, at in tags.items() if tag not in named},
        clauses,
        tuple(path for path in clauses if not counts[path]),
        {path: why for path, why in idle.items() if path in places},
    )


def clause_places(ruleset: ir.Ruleset, pack: str = "") -> dict[str, ir.At]:
    """Return every clause that can be counted, and where it stands; of one pack those that it wrote
    or amended, where it did so."""
    found: dict[str, ir.At] = {}
    for declared in declarations(ruleset):
        for path, node in _clauses(declared):
            at = node.at if not pack else _place_in(node, pack)
            if at is not None:
                found.setdefault(path, at)
    return found


def _clauses(declared: Any) -> Iterator[tuple[str, Any]]:
    """Yield a declaration and the clauses in it, by their paths."""
    name = getattr(declared, "id", "")
    yield name, declared
    for node in walk(declared):
        if isinstance(node, ir.ThingBody):
            yield f"{name}.{node.name}", node
        elif isinstance(node, CLAUSES):
            yield node.path, node


def _place_in(clause: Any, pack: str) -> ir.At | None:
    """Return the first place in a clause that a pack wrote; clauses inside are others."""
    inner = [node for _, other in _clauses(clause) if other is not clause for node in walk(other)]
    beside = {id(node) for node in inner}
    for node in walk(clause):
        at: ir.At = getattr(node, "at", ir.NOWHERE)
        if id(node) not in beside and pack_of(at) == pack:
            return at
    return None


def idle_clauses(ruleset: ir.Ruleset) -> dict[str, str]:
    """Actions that a rule of this stack always forbids, procedures it always replaces, and why."""
    plain = Plain(ruleset)
    found = {}
    for action in ruleset.actions.values():
        for need in action.needs:
            if plain.of(need.condition) == ir.Lit(False, ir.Type("bool")):
                found[action.id] = f"never allowed: {need.reason}"
    for procedure in ruleset.procedures.values():
        for trigger in procedure.triggers:
            if trigger.when == "instead" and trigger.condition is None:
                found[procedure.id] = f"always replaced: {trigger.path}"
    for thing in (thing for page in ruleset.things.values() for thing in page.values()):
        for body in thing.bodies:
            for trigger in body.triggers:
                if trigger.when == "instead" and trigger.condition is None:
                    found[f"{thing.id}.{body.name}"] = f"always replaced: {trigger.path}"
    return found


def tagged(ruleset: ir.Ruleset, pack: str = "") -> dict[str, ir.At]:
    """Return every tag of a declaration or clause, and where it first stands; scenarios do not
    count. Of one pack return those that it wrote, in amendments, too."""
    found: dict[str, ir.At] = {}
    for field in attrs.fields(ir.Ruleset):
        if field.name not in ir.NO_RULES:
            for node in walk(getattr(ruleset, field.name)):
                for tag in getattr(node, "meta", ir.NO_META).tags:
                    found.setdefault(tag, node.at)
    if not pack:
        return found
    mine = {tag: at for tag, at in found.items() if pack_of(at) == pack}
    for amendment in ruleset.amendments:
        if amendment.pack == pack and amendment.words.startswith("tags "):
            for tag in re.split(r"[\s,]+", amendment.words)[1:]:
                mine.setdefault(tag, amendment.at)
    return mine


def used_values(ruleset: ir.Ruleset) -> set[str]:
    """The values that rules look at, in orders too; the others serve advice or scenarios only."""
    names: set[str] = set()
    for turn in ruleset.turns.values():
        names.update([turn.score] if turn.score else ())
        names.update(ruleset.orders[turn.ranking].keys if turn.ranking in ruleset.orders else ())
    for cover in ruleset.covers.values():
        names.update((cover.sees, cover.top, cover.fits))
    names.update(one.sees for one in ruleset.attributes.values() if one.sees)
    rules = (ruleset.procedures, ruleset.phases, ruleset.actions, ruleset.things)
    own = [ruleset.values[name] for name in names if name in ruleset.values]
    return names | values_of(ruleset, rules, *own).keys()
