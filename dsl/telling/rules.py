"""Declarations in words: clauses of values, triggers, stages, actions, orders."""

from collections.abc import Sequence

import attrs

from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.dsl.linking.constants import number_of
from ziggurat.dsl.telling import conditions, english  # noqa: F401 - conditions add themselves
from ziggurat.dsl.telling.conditions import permission
from ziggurat.dsl.telling.marked import is_local, reference, role
from ziggurat.dsl.telling.nouns import among, called, item_of, tight
from ziggurat.dsl.telling.speaker import Speaker
from ziggurat.dsl.telling.steps import Told, amount, each_of, tell
from ziggurat.runtime.kernel.forms.actions import Action, ActionParam
from ziggurat.runtime.kernel.forms.clauses import Contribution, Trigger
from ziggurat.runtime.kernel.forms.core import Lit, Local, Op, Param, ThingRef
from ziggurat.runtime.kernel.forms.requirements import Requirement
from ziggurat.runtime.kernel.forms.stages import Stage
from ziggurat.runtime.kernel.forms.values import Order, Value
from ziggurat.runtime.kernel.nodes import Expr
from ziggurat.runtime.kernel.registry import Registry
from ziggurat.runtime.kernel.walking import walk

HOLDER = role("the holder")


# ---- clauses ------------------------------------------------------------------------------------


def subject(speaker: Speaker, value: Value) -> str:
    """What a value is, with its parameters: `the tokens that the attacker needs …`."""
    known = speaker.introduced(value.params)
    names = {param.name: known.names[param.name] for param in value.params}
    if value.type.name == "bool":
        return permission(known, value.id, names, True)
    return called(known, "value", value.id, names)


def contribution(speaker: Speaker, value: Value, clause: Contribution) -> str:
    """One clause as a sentence, in the words of the thing that brings it."""
    known, rest = meant(speaker, value.params, clause.thing, clause.when)
    names = {param.name: known.names[param.name] for param in value.params}
    when = condition(known, rest)
    if clause.op in ("allow", "forbid"):
        told = permission(known, value.id, names, clause.op == "allow")
        return english.sentence(f"{told}{when}")
    told = called(known, "value", value.id, names)
    return english.sentence(f"{told}: {change(known, clause)}{when}")


def short_contribution(speaker: Speaker, value: Value, clause: Contribution) -> str:
    """A clause below the value it changes: only the change, if nobody but the holder is meant."""
    known, rest = meant(speaker, value.params, clause.thing, clause.when)
    others = [p for p in value.params if known.names[p.name] != HOLDER and _is_fixed(known, p)]
    if clause.op in ("allow", "forbid") or others or _held_by(speaker, value) != {0}:
        return contribution(speaker, value, clause)
    return english.sentence(f"{change(known, clause)}{condition(known, rest)}")


def _held_by(speaker: Speaker, value: Value) -> set[int]:
    """Which of the parameters of a value clauses call their holder: one, or it is not clear."""
    found: set[int] = set()
    for clause in value.contributions:
        known, _ = meant(speaker, value.params, clause.thing, clause.when)
        named = [known.names[param.name] for param in value.params]
        found |= {i for i, told in enumerate(named) if told == HOLDER}
    return found


def _is_fixed(speaker: Speaker, param: Param) -> bool:
    """Whether a clause says what a parameter must be."""
    return not is_local(speaker.names[param.name])


_CHANGES = {
    "to": "{}", "adding": "also {}", "removing": "not {}", "extending": "its ends move by {}",
    "times": "times {}", "at_least": "at least {}", "at_most": "at most {}",
}  # fmt: skip


def change(speaker: Speaker, clause: Contribution) -> str:
    """What a clause makes of a value: `+1`, `at least 9`."""
    amount_ = clause.amount
    if clause.op == "halving":
        return "half of it, rounded to the nearest when all halving is done"
    if amount_ is None:
        return ""
    if clause.op == "extending" and (told := _wider(amount_)):
        return told
    if clause.op != "by":
        return _CHANGES[clause.op].format(speaker.noun(amount_))
    match amount_:
        case Lit(int(number)):
            return f"+{number}" if number >= 0 else f"−{-number}"
        case Op("neg", (inner,)):
            return f"−{tight(speaker, inner)}"
    return f"plus {tight(speaker, amount_)}"


def _wider(amount_: Expr) -> str:
    """`1 less to 1 more`, where that is known."""
    match amount_:
        case Op("range", (low, high)):
            less, more = number_of(low), number_of(high)
            if less is not None and more is not None and less <= 0 <= more:
                ends = [f"{-less} less"] * (less < 0) + [f"{more} more"] * (more > 0)
                return " to ".join(ends) if len(ends) > 1 else f"up to {''.join(ends)}"
    return ""


def condition(speaker: Speaker, rest: Sequence[Expr]) -> str:
    """`, if …`, or `, unless …` where all of it is denied."""
    if not rest:
        return ""
    if len(rest) == 1 and isinstance(rest[0], Op) and rest[0].op == "not":
        return f", unless {speaker.clause(rest[0].args[0])}"
    return f", if {english.listed([speaker.clause(part) for part in rest])}"


def meant(
    speaker: Speaker, params: Sequence[Param], thing: str, when: Expr | None
) -> tuple[Speaker, list[Expr]]:
    """A speaker that calls parameters as a clause means them (`the holder`, a thing by its name),
    and what else it asks for."""
    known = speaker.introduced(params)
    waiting = {param.name for param in params}
    rest: list[Expr] = []
    for part in conjuncts(when):
        match part:
            case Op("holds", (Local(who), ThingRef(kind, id_))) if (
                who in waiting and f"{kind}.{id_}" == thing
            ):
                known = known.knowing({who: HOLDER})
                waiting.discard(who)
            case Op("==", (Local(who), expr)) if who in waiting and _plain(expr):
                known = known.knowing({who: speaker.noun(expr)})
                waiting.discard(who)
            case _:
                rest.append(part)
    return known, rest


def _plain(expr: Expr) -> bool:
    return isinstance(expr, Lit | ThingRef) or (
        not any(isinstance(part, Local) for part in walk(expr)) and not isinstance(expr, Op)
    )


_WHEN = {"before": "before", "after": "after", "instead": "instead of this:"}


def trigger(speaker: Speaker, sort: str, id_: str, params: Sequence[Param], one: Trigger) -> Told:
    """What happens before, after or instead of a procedure, a phase or the block of a thing."""
    known, rest = meant(speaker, params, one.thing, one.condition)
    names = {param.name: known.names[param.name] for param in params}
    watched = _watched(known, sort, id_, names)
    head_ = f"{_WHEN[one.when]} {watched}{condition(known, rest)}"
    return Told(head_, tell(known, one.body), "", one.at, one.meta)


def _watched(speaker: Speaker, sort: str, id_: str, names: dict[str, str]) -> str:
    """What a trigger waits for, as a clause."""
    home, _, block = id_.rpartition(".")
    thing = next((t[home] for t in speaker.ruleset.things.values() if home in t), None)
    said = speaker.phrase(f"{thing.kind}.{block}" if sort == "body" and thing else id_)
    if sort == "body" and home in speaker.ruleset.kinds:
        said = speaker.phrase(id_)
        names = {"this": english.a(speaker.word(home)), **names}
    elif thing is not None:
        names = {"this": reference(thing.kind, thing.id, thing.title or home), **names}
    if said is not None:
        return speaker.spoken("procedure" if sort == "procedure" else "", id_, said.title, names)
    label = reference(sort, id_, speaker.label(id_)) if sort != "body" else speaker.label(id_)
    given = english.listed([told for key, told in names.items() if key != "this"])
    return f"“{label}”" + (f" for {given}" if given else "")


# ---- values and orders --------------------------------------------------------------------------


def definition(speaker: Speaker, value: Value) -> str:
    """What a value is before others change it."""
    known = speaker.introduced(value.params)
    if value.type.name == "bool" and isinstance(value.base, Lit):
        names = {param.name: known.names[param.name] for param in value.params}
        return english.sentence(permission(known, value.id, names, bool(value.base.value)))
    if value.type.name == "bool":
        return english.sentence(f"{subject(speaker, value)} if {known.clause(value.base)}")
    return english.sentence(f"{subject(speaker, value)}: {known.noun(value.base)}")


def order_keys(speaker: Speaker, order: Order) -> list[str]:
    """What an order looks at, one after the other; keys that only others fill are left out where
    nobody does."""
    found = []
    for key in order.keys:
        value = speaker.ruleset.values[key]
        known = speaker.introduced(value.params)
        if value.contributions or not isinstance(value.base, Lit):
            found.append(english.sentence(_key(known, value.base)))
    return found


def _key(speaker: Speaker, base: Expr) -> str:
    """The lowest comes first; of what is subtracted from nothing, the highest does."""
    match base:
        case Op("neg", (inner,)) | Op("-", (Lit(0), inner)):
            return f"more comes first: {speaker.noun(inner)}"
        case Lit(value):
            return f"less comes first: {value}, and what others add to it (see below)"
    return f"less comes first: {speaker.noun(base)}"


def requirement(speaker: Speaker, need: Requirement) -> str:
    """What must be so, as a sentence; the reason that players are told only says it again."""
    return english.sentence(speaker.clause(need.condition))


# ---- phases and actions -------------------------------------------------------------------------

HEADS = Registry[str, str]()
head = HEADS.add


def stage(speaker: Speaker, one: Stage) -> tuple[Told, ...]:
    """A stage of a phase as steps."""
    known = speaker
    if one.var and one.var_type is not None:
        known = speaker.knowing({one.var: speaker.called(one.var, one.var_type)})
    inner = tell(known, one.body)
    if one.kind == "once":
        return inner
    told = HEADS[one.kind](known, one)
    return (Told(told, inner, "", one.at, one.meta),)


def _who(speaker: Speaker, one: Stage) -> str:
    kind = one.var_type.name if one.var_type else "player"
    if one.condition is None:
        return ""
    told, subject_ = speaker.clause(one.condition), speaker.names[one.var]
    if kind == "player" and told.startswith(f"{subject_} "):
        rest = told.removeprefix(f"{subject_} ")
        for word in (" and ", ", and ", ", ", " or "):
            rest = rest.replace(f"{word}{subject_} ", word)
        return f" who {rest}"
    return f" {'for whom' if kind == 'player' else 'where'} {told}"


@head("each")
def _each(speaker: Speaker, one: Stage) -> str:
    kind = one.var_type.name if one.var_type else "player"
    members = speaker.noun(one.source) if one.source is not None else ""
    members = members or f"all {speaker.plural(kind)}"
    each = each_of(speaker, speaker.word(kind), kind, "", members)
    return f"one after the other{speaker.order(one.order)}, {each}{_who(speaker, one)}"


@head("at_once")
def _at_once(speaker: Speaker, one: Stage) -> str:
    order = f" (effects{speaker.order(one.order)})" if one.order else ""
    return f"all at the same time, each player{_who(speaker, one)}{order}"


@head("act")
def _act(speaker: Speaker, one: Stage) -> str:
    if one.freely:
        limit = f" or {speaker.clause(one.limit)}" if one.limit is not None else ""
        return f"players{_who(speaker, one)} act in any sequence, until all of them pass{limit}"
    order = speaker.order(one.order)
    then = "; then for each" if one.body else ""
    end = "each as often as they like, until they are done"
    return f"one after the other{order}, each player{_who(speaker, one)} acts, {end}{then}"


@head("while")
def _while(speaker: Speaker, one: Stage) -> str:
    test = speaker.clause(one.condition) if one.condition is not None else "this goes on"
    return f"again and again, as long as {test}"


@head("perform")
def _perform(speaker: Speaker, one: Stage) -> str:
    when = f", if {speaker.clause(one.condition)}" if one.condition is not None else ""
    return f"the phase “{_phase(speaker, one.phase)}” takes place{when}"


@head("repeat")
def _repeat(speaker: Speaker, one: Stage) -> str:
    times = speaker.noun(one.times) if one.times is not None else "1"
    going = f", as long as {speaker.clause(one.condition)}" if one.condition is not None else ""
    return f"the phase “{_phase(speaker, one.phase)}” takes place up to {times} times{going}"


def _phase(speaker: Speaker, id_: str) -> str:
    phase = speaker.ruleset.phases[id_]
    return reference("phase", id_, phase.title or english.words(id_))


@attrs.frozen
class ToldAction:
    """An action in words: what it needs, what is chosen for it, and what happens then."""

    needs: tuple[str, ...]
    choices: tuple[str, ...]
    steps: tuple[Told, ...]


def action(speaker: Speaker, one: Action) -> ToldAction:
    known = speaker.knowing({one.actor: role("the player")})
    choices = []
    for param in one.params:
        choices.append(_parameter(known, param))
        known = known.knowing({param.name: known.called(param.name, param.type)})
    needs = tuple(requirement(known, need) for need in one.needs)
    return ToldAction(needs, tuple(choices), tell(known, one.body))


def _parameter(speaker: Speaker, param: ActionParam) -> str:
    words = speaker.called(param.name, param.type)
    _, members = among(speaker, "it", param.source, param.where, called=words)
    number = "one" if param.single else amount(speaker, param.least, param.most)
    many = item_of(param.source.type).name == "int" and param.single
    told = f"a number {words}: {members}" if many else f"{words}: {number} of {members}"
    return english.sentence(told) + (f" (“{param.prompt}”)" if param.prompt else "")
