"""What a kind demands of its things (`needs copies > 0`) or wants of them (`should`), and the
things that do not meet it."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Note, Span
from ziggurat.dsl.forms.requirements import KIND_DEMANDS, SOMETIMES, requirement
from ziggurat.dsl.linking.constants import Data, TooMuch, Undecided, is_known
from ziggurat.dsl.linking.context import BAD, Context, Entry
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.removals import Loss, Removal
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.types import member, of_kind
from ziggurat.dsl.linking.world import World
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import FieldOf, Local, Op
from ziggurat.runtime.kernel.arithmetic import CannotCompute
from ziggurat.runtime.kernel.nodes import ERROR_TYPE
from ziggurat.runtime.kernel.walking import walk

ABOUT_THINGS = "What a kind demands of its things"


def with_needs(world: World, kinds: Mapping[str, ir.Kind]) -> dict[str, ir.Kind]:
    """Return the kinds with what they demand; fields are called by their bare names there."""
    out = dict(kinds)
    for kind in kinds.values():
        info = world.kinds[kind.id]
        items = [one for one in info.decl.items if getattr(one.node, "rule", "") in KIND_DEMANDS]
        if not items:
            continue
        cx = Context(world, info.decl, f"kind {kind.id}")
        cx.names["this"] = Entry("this", of_kind(kind.id), "param")
        for field in info.fields.values():
            cx.names.setdefault(field.name, Entry(field.name, field.type, "field"))
        needs, shoulds = [], []
        for node, file in items:
            cx.enter(file)
            need = requirement(cx, node)
            if need.condition is BAD:
                continue
            if need.word:
                shoulds.append(need)
            elif only_data(world, need, ABOUT_THINGS, world.kinds):
                needs.append(need)
        out[kind.id] = attrs.evolve(kind, needs=tuple(needs), shoulds=tuple(shoulds))
    return out


def only_data(world: World, need: ir.Requirement, what: str, sets: Iterable[str]) -> bool:
    """Whether a demand speaks of data alone, such as the members of these sets."""
    for part in walk(need.condition):
        if getattr(part, "type", None) is ERROR_TYPE:
            return False
        if hasattr(part, "type") and not is_known(part, sets):
            message = f"{what} must be known before the game begins."
            advice = "Compare fields, things and numbers only."
            world.report("Z311", message, span_of(world, part.at), advice)
            return False
    return True


def check_needs(world: World, ruleset: ir.Ruleset) -> None:
    """Every thing as its kind demands; a scenario's own things may be as they like.

    It is asked only where nothing else is wrong: data might not be what was written.
    """
    data = Data(ruleset.kinds, ruleset.things)
    for kind in ruleset.kinds.values():
        for need in kind.needs:
            try:
                _check_things(world, data, need, world.things[kind.id].values())
            except TooMuch:
                message = "This goes through more than can be checked for every thing."
                span = span_of(world, need.at)
                world.report("Z517", message, span, "Compare with fewer things or numbers.")
                return


def check_shoulds(world: World, ruleset: ir.Ruleset) -> None:
    """Warn of things that are not as their kind wants them, for some number of players or, with
    `should sometimes`, for all of them.

    What only a game decides is not asked. Only the things of the last pack that has any are looked
    at: another pack may take things of the packs below out of use on purpose.
    """
    data = Data(ruleset.kinds, ruleset.things, ruleset.values, ruleset.options)
    for kind in ruleset.kinds.values():
        things = _newest(world, world.things[kind.id].values())
        for should in kind.shoulds:
            data.work = 0
            try:
                failing = _failing(data, ruleset, should, things)
            except (Undecided, TooMuch, CannotCompute):
                continue
            for decl in failing:
                _report_should(world, decl, should)


def _newest(world: World, things: Iterable[Decl]) -> list[Decl]:
    """Return the things that the last pack that speaks of any of them declares or changes."""
    known = list(things)
    last = max((_latest(world, decl) for decl in known), default=0)
    return [decl for decl in known if _latest(world, decl) == last]


def _failing(
    data: Data, ruleset: ir.Ruleset, should: ir.Requirement, things: list[Decl]
) -> list[Decl]:
    """Return the things that are not as a kind wants them."""
    unmet: list[set[str]] = []
    names = [f"{decl.word}.{decl.path}" for decl in things]
    for players in ruleset.players or (0,):
        if players:
            data.seat(players)
        unmet.append({name for name in names if not data.holds(should.condition, name)})
    found = set.intersection(*unmet) if should.word == SOMETIMES else set.union(*unmet)
    return [decl for name, decl in zip(names, things, strict=True) if name in found]


def _report_should(world: World, decl: Decl, should: ir.Requirement) -> None:
    reason = f": {should.reason}" if should.reason else "."
    message = f"`{decl.spoken}` is not as its kind should be{reason}"
    note = Note("The kind wants it here.", span_of(world, should.at))
    told = f' "{should.reason}"' if should.reason else ""
    advice = (
        f"Correct the thing. A pack that means it writes"
        f" `amend kind {decl.word} {{ remove should{told} }}`."
    )
    world.warn("Z524", message, _where(decl, should.condition), advice, (note,))


def _check_things(world: World, data: Data, need: ir.Requirement, things: Iterable[Decl]) -> None:
    """Those that do not meet a demand, each by itself; those that lost something to a removal
    together, where it is removed."""
    lost: dict[Removal, list[tuple[Decl, Span]]] = {}
    for decl in things:
        unmet = _checked(world, data, need, decl)
        if unmet is None:
            continue
        loss = _loss(world, decl)
        if loss is not None:
            lost.setdefault(loss.removal, []).append((decl, loss.span))
        else:
            exception = _exception(data, unmet, f"{decl.word}.{decl.path}")
            _report(world, decl, need, unmet, exception)
    for removal, found in lost.items():
        _report_lost(world, need, removal, found)


def _checked(world: World, data: Data, need: ir.Requirement, decl: Decl) -> ir.Expr | None:
    """The part of a demand that a thing does not meet; None also if that cannot be worked out,
    which has been said."""
    try:
        return _unmet(data, need.condition, f"{decl.word}.{decl.path}")
    except CannotCompute as wrong:
        note = Note("The kind demands it here.", span_of(world, need.at))
        message = f"What the kind demands of `{decl.spoken}` cannot be worked out. {wrong}"
        span = _where(decl, need.condition)
        world.report("Z327", message, span, "Correct the thing, or what the kind demands.", (note,))
        return None


def _unmet(data: Data, condition: ir.Expr, thing: str) -> ir.Expr | None:
    """The first part of a condition that does not hold, or None if all do."""
    while isinstance(condition, Op) and condition.op == "and":
        first, condition = condition.args
        if not data.holds(first, thing):
            return _unmet(data, first, thing)
    return None if data.holds(condition, thing) else condition


def _exception(data: Data, unmet: ir.Expr, thing: str) -> str:
    """The first thing for which what must be so for every one is not so, if it is about things."""
    match unmet:
        case ir.Loop(fn="every", var=var, source=source, body=ir.Expr() as body):
            this = {"this": data.numbers[thing]}
            of = member(source.type)
            others = data.read(source, this) if of is not None and of.name in data.things else ()
            failing = (one for one in others if not data.read(body, {**this, var: one}))
            return next((data.names[one] for one in failing), "")
    return ""


def _report(world: World, decl: Decl, need: ir.Requirement, unmet: ir.Expr, exception: str) -> None:
    reason = f": {need.reason}" if need.reason else "."
    message = f"`{decl.spoken}` is not as its kind demands{reason}"
    span = _where(decl, unmet)
    notes = [Note("The kind demands it here.", span_of(world, need.at))]
    if exception:
        kind, _, id_ = exception.partition(".")
        other = world.things[kind][id_]
        if _latest(world, other) > _latest(world, decl):
            message = f"`{other.spoken}` is not as `kind {decl.word}` demands{reason}"
            span = _where(other, unmet, own=False)
            notes.append(Note(f"It is not so for `{decl.path}`.", decl.name_span))
        else:
            notes.append(Note(f"It is not so for `{id_}`.", other.name_span))
    advice = "Correct the thing, or what the kind demands."
    world.report("Z516", message, span, advice, tuple(notes))


def _latest(world: World, decl: Decl) -> int:
    """The place in the stack of the last pack that said something of a thing: who has to look."""
    return max(world.pack_order.get(pack, 0) for pack in [decl.pack, *(i.pack for i in decl.items)])


def _loss(world: World, decl: Decl) -> Loss | None:
    """What a thing lost with a removal: a member of a list, an entry, what a field named."""
    return next((one for one in world.notes.losses if _stands_in(decl, one.span)), None)


def _stands_in(decl: Decl, span: Span) -> bool:
    return any(item.span.contains(span) for item in decl.items)


def _report_lost(
    world: World, need: ir.Requirement, removal: Removal, found: list[tuple[Decl, Span]]
) -> None:
    """Things that are no longer as they must be, at the removal that is the reason."""
    first = found[0][0]
    plural = world.plurals[first.word]
    things = f"`{first.spoken}` is" if len(found) == 1 else f"{len(found)} {plural} are"
    kind = "its kind demands" if len(found) == 1 else "their kind demands"
    reason = f": {need.reason}" if need.reason else "."
    message = f"Without `{removal.spoken}`, {things} not as {kind}{reason}"
    notes = [Note(f"`{decl.spoken}` lost it here.", span) for decl, span in found]
    notes.append(Note("The kind demands it here.", span_of(world, need.at)))
    names = ", ".join(decl.path for decl, _ in found)
    advice = (
        f"Change each as well (`amend {first.spoken} {{ … }}`), or remove it"
        f" (`remove {first.word} {names}`)."
    )
    world.report("Z516", message, removal.span, advice, tuple(notes))


def _where(decl: Decl, condition: ir.Expr, own: bool = True) -> Span:
    """The first field of the thing that the demand speaks of, or else the thing; of the thing in
    question, or of one that it is compared with."""
    written = {
        str(item.node.parts[0]): item.span
        for item in decl.items
        if getattr(item.node, "rule", "").startswith("field")
    }
    fields = (part for part in walk(condition) if isinstance(part, FieldOf))
    spoken_of = (part.field for part in fields if _is_own(part) is own)
    return next((written[name] for name in spoken_of if name in written), decl.name_span)


def _is_own(part: Any) -> bool:
    return isinstance(part, FieldOf) and isinstance(part.of, Local) and part.of.name == "this"
