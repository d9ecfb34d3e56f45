"""Clauses: what things and rules do to values, procedures and phases, put into those' own words.

`modify limit(holder, a) by +1` says that the first parameter must hold this thing and calls the
second one `a`. In the ruleset both are called what the value calls them, and the tests stand in
`when`, so that nobody after the linker has to know who wrote what. Printing turns that around
again: `modify kept(holder) by +5`, not `when p holds music`.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.flow import check_every_way, knowing
from ziggurat.dsl.forms.logic import player_of
from ziggurat.dsl.forms.names import declared
from ziggurat.dsl.linking.arguments import wrong_number
from ziggurat.dsl.linking.context import Context, Entry
from ziggurat.dsl.linking.expressions import both, guard, want
from ziggurat.dsl.linking.lookup import procedure_path, renamed_path, value_path
from ziggurat.dsl.linking.model import Decl, Item, unquoted
from ziggurat.dsl.linking.narrowing import narrowing
from ziggurat.dsl.linking.removals import quoted_from, unless_removed
from ziggurat.dsl.linking.settled import NEVER, removed_thing, settled, unless_never
from ziggurat.dsl.linking.sight import finish
from ziggurat.dsl.linking.statements import body, no_step
from ziggurat.dsl.linking.types import NOTHING, SCALARS, fits, of_kind, set_of
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.layout import OPEN, Line, quoted
from ziggurat.dsl.printing.printer import SPAN, SUM, Printer
from ziggurat.runtime.kernel.forms.core import Lit, Local, Op, Param, ThingRef
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    INT,
    OWNER,
    RANGE,
    At,
    Expr,
    Type,
)
from ziggurat.runtime.kernel.walking import names_bound, walk

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.forms.values import Value

from ziggurat.runtime.kernel.forms.clauses import Contribution, Trigger

ADVICE = ".advice.rules"  # the end of the names of files whose clauses only advise


CHANGES = frozenset({"modify", "allow", "forbid"})


TRIGGERS = frozenset({"before", "after", "instead"})


_IN_RULES = "It stands in a declaration, such as `rule some_name { … }`."


no_step("A `modify`", "modify", advice=_IN_RULES)


no_step("An `allow`", "allow", advice=_IN_RULES)


no_step("A `forbid`", "forbid", advice=_IN_RULES)


no_step("A trigger", *TRIGGERS, advice=_IN_RULES)


_OPS = {
    "by": "by", "by_adding": "adding", "by_removing": "removing", "by_extending": "extending",
    "by_times": "times", "by_halving": "halving", "becomes": "to", "at_least": "at_least",
    "at_most": "at_most",
}  # fmt: skip


_FITTING = {
    "int": ("by", "times", "halving", "to", "at_least", "at_most"),
    "range": ("extending", "to"),
    "set": ("adding", "removing", "to"),
    "map": ("adding", "removing", "to"),
    "bool": ("to",),
}


_WRITTEN = {
    "by": "`by +1`", "times": "`by times 2`",
    "halving": "`by halving`", "to": "`to …`", "at_least": "`to at least …`",
    "at_most": "`to at most …`", "extending": "`by extending -1..1`", "adding": "`by adding …`",
    "removing": "`by removing …`",
}  # fmt: skip


@attrs.define(eq=False)
class Clauses:
    """All clauses of a stack, by the value, procedure, phase or block they belong to."""

    contributions: dict[str, list[Contribution]] = attrs.field(factory=dict)
    procedure_triggers: dict[str, list[Trigger]] = attrs.field(factory=dict)
    phase_triggers: dict[str, list[Trigger]] = attrs.field(factory=dict)
    block_triggers: dict[str, list[Trigger]] = attrs.field(factory=dict)
    numbers: dict[str, int] = attrs.field(factory=dict)

    def path(self, decl: Decl, word: str, target: str) -> str:
        """A stable path: the thing, what it touches, and which of several such clauses it is."""
        stem = f"{decl.path} / {word} {target}"
        self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return f"{stem} / {self.numbers[stem]}"

    def add(self, other: "Clauses") -> None:
        """Enter those of one declaration; another of the same name may have been before it."""
        for mine, theirs in (
            (self.contributions, other.contributions),
            (self.procedure_triggers, other.procedure_triggers),
            (self.phase_triggers, other.phase_triggers),
            (self.block_triggers, other.block_triggers),
        ):
            for target, found in theirs.items():
                mine.setdefault(target, []).extend(map(self._numbered, found))
        for stem, number in other.numbers.items():
            self.numbers[stem] = self.numbers.get(stem, 0) + number

    def drop(self, at: At) -> None:
        """Take out what a clause at this place has changed."""
        for made in self.contributions.values():
            made[:] = [one for one in made if one.at != at]

    def _numbered(self, clause: Any) -> Any:
        stem, _, number = clause.path.rpartition(" / ")
        before = self.numbers.get(stem, 0)
        return attrs.evolve(clause, path=f"{stem} / {before + int(number)}") if before else clause


def read_clauses(world: World, decl: Decl) -> Clauses:
    """The clauses among the items of a thing, rule or phase."""
    clauses = Clauses()
    owner = f"{decl.word}.{decl.path}" if decl.word in world.kinds else decl.path
    for node, file in decl.items:
        rule = getattr(node, "rule", "")
        if rule in CHANGES:
            _unless_never(world, decl, Item(node, file), owner, clauses, _contribution)
        elif rule in TRIGGERS:
            _unless_never(world, decl, Item(node, file), owner, clauses, _trigger)
    return clauses


def _unless_never(
    world: World, decl: Decl, item: Item, owner: str, clauses: Clauses, link: Any
) -> None:
    """Link a clause, which goes when something was removed without which it never applies."""
    cx = Context(world, decl, "")
    cx.enter(item.file)
    told = f"`{quoted_from(item.span)}` of `{decl.spoken}` goes, too."

    def make() -> tuple[Any]:
        settle = partial(link, cx, item.node, decl, owner, clauses)
        return (unless_never(world, "clause", told, item, settle),)

    if not item.file.source.path.endswith(ADVICE):
        make()
    elif unless_removed(world, "clause", told, item.span, make) is None:
        world.notes.unsaid.append((item.node, world.notes.losses[-1].removal))
        clauses.drop(cx.at(item.node))


def bind_arguments(
    cx: Context, target: Any, params: tuple[Param, ...], name: str
) -> tuple[bool, Expr | None]:
    """Bring the arguments of a clause into sight; whether they fit, and the tests they mean."""
    args = target.parts[1].parts if target.parts[1] is not None else ()
    if len(args) != len(params):
        wrong_number(cx, target, name, [param.name for param in params], len(args))
        return False, None
    cx.taken.update(param.name for param in params)
    test: Expr | None = None
    for arg, param in zip(args, params, strict=True):
        test = both(test, _bind(cx, arg, param))
    return True, test


def _bind(cx: Context, arg: Any, param: Param) -> Expr | None:
    at = cx.at(arg)
    own = Local(param.name, param.type, at=at)
    name = str(arg.parts[0]) if arg.rule == "name" else ""
    removal = removed_thing(cx, arg, lambda kind: param.type.name == kind)
    if removal is not None and param.type.name not in SCALARS:
        return settled(cx, arg, removal)
    if name == "holder" and "holder" not in cx.names:
        return _bind_holder(cx, arg, param, own)
    if name and name not in cx.names and declared(cx, name, param.type, at, arg) is None:
        cx.names[name] = Entry(param.name, param.type, "param", cx.span(arg))
        cx.mention_local(cx.names[name], arg)
        _suspicious(cx, arg, name, param.type)
        return None
    return Op("==", (own, want(cx, arg, param.type)), BOOL, at=at)


def _bind_holder(cx: Context, arg: Any, param: Param, own: Expr) -> Expr | None:
    thing = cx.thing
    cx.names["holder"] = Entry(param.name, param.type, "param", cx.span(arg))
    if thing is None or "holdable" not in cx.world.kinds[thing.kind].roles:
        message = "Nobody can hold this, so there is no `holder`."
        advice = "Use a name of your own, or declare the kind `holdable`."
        cx.error("Z217", message, arg, advice)
        cx.names["holder"].type = ERROR_TYPE
        return None
    if not fits(param.type, OWNER):
        say = cx.world.describe(param.type)
        cx.error("Z301", f"A holder is a player, but `{param.name}` must be {say}.", arg)
        cx.names["holder"].type = ERROR_TYPE
        return None
    if param.type.name == "owner":
        # Whoever holds something is a player.
        meaning = player_of(own, own.at)
        cx.names["holder"] = Entry(param.name, meaning.type, "param", cx.span(arg), meaning=meaning)
    return Op("holds", (own, attrs.evolve(thing, at=own.at)), BOOL, at=own.at)


def _suspicious(cx: Context, arg: Any, name: str, type_: Type) -> None:
    """A new name that is nearly the name of a thing is probably a misspelt one."""
    near = cx.world.like_a_thing(name, type_.name) if len(name) > 4 else None
    if near:
        message = f"`{name}` is read as a new name for any {type_.name.replace('_', ' ')}."
        advice = f"If you mean the thing, write `{near}`; otherwise choose a shorter name."
        cx.world.warn("Z515", message, cx.span(arg), advice)


def _contribution(cx: Context, node: Any, decl: Decl, owner: str, clauses: Clauses) -> Any:
    target = node.parts[0]
    signature = _value(cx, target.parts[0], node.rule)
    if signature is None:
        return None
    cx.user = f"value {signature.path}"
    fine, test = bind_arguments(cx, target, signature.params, ".".join(target.parts[0].parts))
    if not fine or test is NEVER:
        return test
    op, change = node.rule, None
    reason = ""
    if node.rule == "modify":
        _, change, when, metas = node.parts
        op = _OPS[change.rule]
    elif node.rule == "forbid":
        _, when, written, metas = node.parts
        reason = unquoted(written)
    else:
        _, when, metas = node.parts
    if node.rule != "modify" and signature.type not in (BOOL, ERROR_TYPE):
        message = f"`{signature.path}` is no permission, so it cannot be allowed or forbidden."
        advice = f"It is {cx.world.describe(signature.type)}; use `modify`."
        cx.error("Z307", message, target, advice)
        return None
    with narrowing(cx):
        test = both(test, guard(cx, when))
        if test is NEVER:
            return test
        amount = _amount(cx, change, op, signature) if change is not None else None
    path = clauses.path(decl, node.rule, signature.path)
    clauses.contributions.setdefault(signature.path, []).append(
        Contribution(path, owner, op, amount, test, reason, cx.meta(metas.parts), at=cx.at(node))
    )
    return None


def _value(cx: Context, path: Any, word: str) -> Signature | None:
    name = ".".join(path.parts)
    found = value_path(cx, name)
    if found is not None:
        cx.mention("value", found, path)
        return cx.world.values[found]
    values = cx.world.values
    advice = did_you_mean(name, values)
    if not advice and name in cx.world.orders:
        keys = cx.world.order_keys[name]
        advice = f"An order is changed through its keys: {', '.join(f'`{key}`' for key in keys)}."
    cx.error("Z205", f"There is no value `{name}` to {word}.", path, advice)
    return None


def _amount(cx: Context, change: Any, op: str, signature: Signature) -> Expr | None:
    type_ = signature.type
    amount = change.parts[0] if change.parts else None
    fitting = _FITTING.get(type_.name, ("to",)) if not type_.maybe else ("to",)
    if type_ is not ERROR_TYPE and op not in fitting:
        say = cx.world.describe(type_)
        message = f"`{signature.path}` is {say} and cannot be changed like this."
        ways = " or ".join(_WRITTEN[one] for one in fitting)
        advice = f"Write {ways}." if type_ != BOOL else "Write `allow …` or `forbid …`."
        cx.error("Z307", message, change, advice)
        return None
    if amount is None:
        return None
    if op == "extending":
        return want(cx, amount, RANGE)
    if op == "removing" and type_.name == "map":
        return want(cx, amount, set_of(type_.key or ERROR_TYPE))
    if op in ("by", "times", "at_least", "at_most"):
        return want(cx, amount, INT)
    return want(cx, amount, type_)


@attrs.frozen(eq=False)
class Watched:
    """What a trigger waits for: a procedure, a phase, or the block of a thing."""

    page: dict[str, list[Trigger]]
    key: str
    path: str
    user: str
    params: tuple[Param, ...] = ()
    gives: Type | None = None
    thing: ThingRef | None = None


def _trigger(cx: Context, node: Any, decl: Decl, owner: str, clauses: Clauses) -> Any:
    name = ".".join(node.parts[0].parts[0].parts)
    watched = _watched(cx, name, clauses)
    if not watched:
        known = (*cx.world.procedures, *cx.world.phases)
        message = f"There is no procedure, phase or block of a thing called `{name}`."
        cx.error("Z206", message, node.parts[0].parts[0], did_you_mean(name, known))
        return None
    _mention_watched(cx, watched[0], node.parts[0].parts[0])
    for one in watched:
        inner = Context(cx.world, decl, one.user)
        inner.enter(cx.file)
        found = _watching(inner, node, one)
        if found is NEVER:
            return found
        if found is not None:
            path = clauses.path(decl, str(node.rule), one.path)
            found = attrs.evolve(found, path=path, thing=owner)
            one.page.setdefault(one.key, []).append(found)
    return None


def _mention_watched(cx: Context, watched: Watched, path: Any) -> None:
    thing = watched.thing
    if thing is None:
        word, _, target = watched.user.partition(" ")
        cx.mention(word, target, path)
        return
    block = path.parts[-1]
    cx.mention("body", f"{thing.kind}.{block}", block)
    if len(path.parts) > 1:
        home = path.parts[0]
        of_all = home == thing.kind
        cx.mention("kind" if of_all else thing.kind, thing.kind if of_all else thing.id, home)


def _watched(cx: Context, name: str, clauses: Clauses) -> list[Watched]:
    world = cx.world
    path = procedure_path(cx, name)
    if path is not None:
        params, gives = world.procedures[path].params, _given_by(world, path)
        page = clauses.procedure_triggers
        return [Watched(page, path, path, f"procedure {path}", params, gives)]
    path = name if name in world.phases else renamed_path(cx, "phase", name, world.phases)
    if path is not None:
        return [Watched(clauses.phase_triggers, path, path, f"phase {path}")]
    return [_block(clauses, world, kind, thing, block) for kind, thing, block in _blocks(cx, name)]


def _blocks(cx: Context, name: str) -> list[tuple[str, str, str]]:
    """The blocks of things that are meant: of one by its name, or of all things of a kind."""
    world = cx.world
    home, _, block = name.rpartition(".")
    if home in world.kinds:
        named = [(home, thing) for thing in world.things[home]]
    else:
        kinds = world.kinds_of_name.get(home) or _renamed_kinds(cx, home)
        named = [(kind, world.renamed(kind, home, cx.file.source.pack)) for kind in kinds]
    return [(kind, thing, block) for kind, thing in named if block in world.kinds[kind].bodies]


def _renamed_kinds(cx: Context, name: str) -> list[str]:
    world = cx.world
    return [kind for kind in world.kinds if renamed_path(cx, kind, name, world.things[kind])]


def _block(clauses: Clauses, world: World, kind: str, thing: str, block: str) -> Watched:
    key = f"{kind}.{thing}.{block}"
    declared = world.kinds[kind].bodies[block]
    return Watched(
        clauses.block_triggers, key, f"{thing}.{block}", f"body {key}", declared.params,
        declared.type, ThingRef(kind, thing, of_kind(kind)),
    )  # fmt: skip


def _watching(cx: Context, node: Any, watched: Watched) -> Any:
    """The trigger in the words of what it waits for; in a block of things their kind names the
    thing whose block it is."""
    target, when, metas, inner = node.parts
    name = ".".join(target.parts[0].parts)
    fine, test = bind_arguments(cx, target, watched.params, name)
    if not fine:
        return None
    if watched.thing is not None and watched.thing.kind not in cx.names:
        thing = watched.thing
        cx.names[thing.kind] = Entry(thing.kind, thing.type, "this", meaning=thing)
    word = str(node.rule)
    gives = cx.gives = watched.gives if word == "instead" else None
    with narrowing(cx):
        test = both(test, guard(cx, when))
        if test is NEVER:
            return test
        steps = knowing(cx, lambda: body(cx, inner.parts))
    if gives is not None:
        check_every_way(cx.world, steps, gives, f"instead of {name}", cx.span(target))
    finish(cx)
    about = cx.meta(metas.parts)
    home = name.rpartition(".")[0]
    of = home if watched.thing is not None and home in cx.world.kinds else ""
    return Trigger("", "", word, test, steps, about, of, at=cx.at(node))


def _given_by(world: World, procedure: str) -> Type | None:
    type_ = world.procedures[procedure].type
    return None if type_ is NOTHING else type_


_CHANGES = {
    "to": "to", "adding": "by adding", "removing": "by removing",
    "extending": "by extending", "times": "by times", "at_least": "to at least",
    "at_most": "to at most",
}  # fmt: skip


def verb(contribution: Contribution) -> str:
    """allow, forbid or modify: with the value's name, how amendments address a clause."""
    return contribution.op if contribution.op in CHANGES else "modify"


def contribution_text(printer: Printer, value: "Value", clause: Contribution) -> str:
    """One clause as it would stand in the thing that brings it."""
    args, printer, rest = _arguments(
        printer, value.params, clause.thing, clause.when, clause.amount
    )
    name = printer.lexicon.name("value", value.id)
    text = f"{verb(clause)} {name}({', '.join(args)}){_change(printer, clause)}{rest}"
    reason = f" {quoted(clause.reason)}" if clause.reason and printer.wording else ""
    return text + reason


def _change(printer: Printer, clause: Contribution) -> str:
    if clause.op == "halving":
        return " by halving"
    if clause.amount is None:
        return ""
    rank = SPAN if clause.op == "extending" else SUM
    amount = printer.text(clause.amount, 0 if clause.op == "to" else rank)
    if clause.op == "by":
        return f" by {amount}" if amount.startswith("-") else f" by +{amount}"
    return f" {_CHANGES.get(clause.op, clause.op)} {amount}"


def _arguments(
    printer: Printer, params: Sequence[Param], thing: str, when: Expr | None, change: Any
) -> tuple[list[str], Printer, str]:
    """The arguments of a clause, a printer that calls the holder so, and the rest of the condition.

    The linker puts what the arguments mean before what the author demands: `arguments and when`.
    A parameter that the rest or the change speaks of keeps its name.
    """
    names = [param.name for param in params]
    splits: list[tuple[Expr | None, Expr | None]] = [(when, None), (None, when)]
    if isinstance(when, Op) and when.op == "and":
        splits.insert(1, (when.args[0], when.args[1]))
    for meant, rest in splits:
        texts = _texts(printer, _left(meant), names, thing)
        holder = {param: text for param, text in (texts or {}).items() if text == "holder"}
        if texts is None or any(_rebound(param, rest) for param in holder):
            continue
        if not (texts.keys() - holder.keys()) & _spoken_of(rest, change):
            break
    speaking = printer.called(holder)
    args = [(texts or {}).get(name, printer.local(name)) for name in names]
    return args, speaking, f" when {speaking.text(rest)}" if rest is not None else ""


def settled_arguments(params: Sequence[Param], thing: str, when: Expr | None) -> str:
    """Return which arguments of a clause are the holder or constant, `1 holder, 2 pottery`; what
    the others are called says nothing."""
    places = {param.name: number for number, param in enumerate(params, 1)}
    settled: dict[int, str] = {}
    for test in _left(when):
        match test:
            case Op("holds", (Local(name), ThingRef(kind, id_))) if f"{kind}.{id_}" == thing:
                said = "holder"
            case Op("==", (Local(name), ThingRef(id=said))):
                pass
            case Op("==", (Local(name), Lit(value))):
                said = str(value)
            case _:
                continue
        if name in places:
            settled.setdefault(places[name], said)
    return ", ".join(f"{place} {said}" for place, said in settled.items())


def _texts(
    printer: Printer, tests: Sequence[Expr], names: Sequence[str], thing: str
) -> dict[str, str] | None:
    """What stands for each parameter that is tested, or None if a test is no argument."""
    texts: dict[str, str] = {}
    waiting = list(names)
    for test in tests:
        found = _argument(printer, test, waiting, thing)
        if found is None or (found[1] == "holder" and "holder" in texts.values()):
            return None
        texts[found[0]] = found[1]
        waiting = waiting[waiting.index(found[0]) + 1 :]
    return texts


def _left(condition: Expr | None) -> list[Expr]:
    """The parts of a condition that was put together from left to right."""
    parts: list[Expr] = []
    while isinstance(condition, Op) and condition.op == "and":
        condition, last = condition.args
        parts.insert(0, last)
    return parts if condition is None else [condition, *parts]


def _argument(
    printer: Printer, test: Expr, names: Sequence[str], thing: str
) -> tuple[str, str] | None:
    match test:
        case Op("holds", (Local(name), ThingRef(kind, id_))) if f"{kind}.{id_}" == thing:
            return (name, "holder") if name in names else None
        case Op("==", (Local(name), expr)) if name in names:
            plain = not any(isinstance(part, Local) for part in walk(expr))
            return (name, printer.text(expr)) if plain else None
    return None


def _spoken_of(*parts: Any) -> set[str]:
    return {one.name for part in parts for one in walk(part) if isinstance(one, Local)}


def _rebound(name: str, rest: Expr | None) -> bool:
    return any(name in names_bound(part) for part in walk(rest))


def trigger_lines(
    printer: Printer, target: str, params: Sequence[Param], trigger: Trigger, depth: int = 0
) -> list[Line]:
    """`after receive(holder, this) { … }`."""
    args, printer, rest = _arguments(
        printer, params, trigger.thing, trigger.condition, trigger.body
    )
    word = "instead of" if trigger.when == "instead" else trigger.when
    given = f"({', '.join(args)})" if params else ""
    head = f"{word} {target}{given}{rest}{OPEN}"
    return [
        Line(depth, head, trigger.at, trigger.meta),
        *printer.block(trigger.body, depth + 1),
    ]
