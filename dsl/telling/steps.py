"""Statements as steps: each a sentence, with the steps inside it below."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import attrs

from ziggurat.dsl.forms.wording import THIS
from ziggurat.dsl.printing.layout import lay_out
from ziggurat.dsl.telling import english
from ziggurat.dsl.telling.marked import code, plain, reference
from ziggurat.dsl.telling.nouns import among, item_of, place, there, tight, units
from ziggurat.dsl.telling.speaker import Speaker
from ziggurat.runtime.kernel.forms.attributes import Assign
from ziggurat.runtime.kernel.forms.bundles import Begin, Clear
from ziggurat.runtime.kernel.forms.calls import BodyResult, Do, DoBody, Result
from ziggurat.runtime.kernel.forms.cards import Put, Shuffle
from ziggurat.runtime.kernel.forms.chance import Pick
from ziggurat.runtime.kernel.forms.core import Lit, Local, Op
from ziggurat.runtime.kernel.forms.decisions import Choose, Divide, May, Select, Wish
from ziggurat.runtime.kernel.forms.endings import EndGame, Recall
from ziggurat.runtime.kernel.forms.flow import For, GiveBack, If, Jump, Let, Repeat, Step
from ziggurat.runtime.kernel.forms.holdings import Give
from ziggurat.runtime.kernel.forms.pieces import Move, Turn, Units
from ziggurat.runtime.kernel.forms.speech import Say, Text
from ziggurat.runtime.kernel.nodes import NO_META, NOWHERE, At, Body, Expr, Meta, Stmt, Type
from ziggurat.runtime.kernel.registry import Registry

T = TypeVar("T", bound=Callable[..., Any])


@attrs.frozen
class Told:
    """A step in words, with the steps inside it. `sort` says what it is: a mere step, a labelled
    `step`, a decision (`choose`), or `code` where the text of the rule stands for itself."""

    text: str
    inner: "tuple[Told, ...]" = ()
    sort: str = ""
    at: At = attrs.field(default=NOWHERE, eq=False)
    meta: Meta = attrs.field(default=NO_META, eq=False)

    @property
    def said(self) -> str:
        """The step as a whole sentence; what has steps inside ends with a colon."""
        if self.sort == "code":
            return self.text
        if self.sort == "step":
            return english.capital(self.text)
        return english.sentence(f"{self.text}:" if self.inner else self.text)


LONG_NUMBER = 24
# A statement makes steps, and a speaker that knows the names it brings.
STEPS = Registry[type, "tuple[list[Told], Speaker]"]()
steps_of = STEPS.add


def tell(speaker: Speaker, body: Body) -> tuple[Told, ...]:
    """A block as steps, from the first to the last."""
    found: list[Told] = []
    for stmt in body:
        say = STEPS.get(type(stmt))
        steps, speaker = say(speaker, stmt) if say else (_own_text(speaker, stmt), speaker)
        found += [attrs.evolve(one, at=stmt.at) if one.at == NOWHERE else one for one in steps]
    return tuple(found)


def _own_text(speaker: Speaker, stmt: Stmt) -> list[Told]:
    return [Told(code(lay_out(speaker.printer.block((stmt,)))), sort="code")]


def says(cls: type) -> Callable[[T], T]:
    """Register how a statement of one sentence, which brings no name, is said."""

    def register(function: T) -> T:
        @steps_of(cls)
        def _step(speaker: Speaker, stmt: Any) -> tuple[list[Told], Speaker]:
            return [Told(function(speaker, stmt))], speaker

        return function

    return register


# ---- names --------------------------------------------------------------------------------------


@steps_of(Let)
def _let(speaker: Speaker, stmt: Let) -> tuple[list[Told], Speaker]:
    known = speaker.names.get(stmt.name)
    called = known or speaker.called(stmt.name, stmt.expr.type)
    if known is None and not plain(called).startswith("the "):
        told = f"let {called} be {speaker.noun(stmt.expr)}"
    else:
        now = " now" if known else ""
        told = f"{called} {_is(stmt.expr.type)}{now} {speaker.noun(stmt.expr)}"
    return [Told(told)], speaker.knowing({stmt.name: called})


def _is(type_: Type) -> str:
    return "are" if type_.name in ("set", "list") else "is"


@steps_of(Result)
def _result(speaker: Speaker, stmt: Result) -> tuple[list[Told], Speaker]:
    called = speaker.called(stmt.name, stmt.type)
    told = f"{called} {_is(stmt.type)} what comes of this: "
    told += _do(speaker, stmt.procedure, stmt.args)
    return [Told(told)], speaker.knowing({stmt.name: called})


@steps_of(BodyResult)
def _body_result(speaker: Speaker, stmt: BodyResult) -> tuple[list[Told], Speaker]:
    called = speaker.called(stmt.name, stmt.type)
    told = f"{called} {_is(stmt.type)} what comes of this: {_do_body(speaker, stmt)}"
    return [Told(told)], speaker.knowing({stmt.name: called})


@steps_of(Pick)
def _pick(speaker: Speaker, stmt: Pick) -> tuple[list[Told], Speaker]:
    item = item_of(stmt.source.type)
    type_ = item if stmt.quantity is None else stmt.source.type
    called = speaker.called(stmt.name, type_)
    _, members = among(speaker, "it", stmt.source, stmt.where)
    if stmt.quantity == Op("size", (stmt.source,), Type("int")):
        told = f"take {members} in random order: {called}"
    else:
        number = "one" if stmt.quantity is None else speaker.noun(stmt.quantity)
        told = f"pick {_some(number, members)} at random: {called}"
    return [Told(told)], speaker.knowing({stmt.name: called})


def _some(number: str, members: str) -> str:
    """`2 of the cards`; a number that takes many words comes last."""
    if len(plain(number)) <= LONG_NUMBER:
        return f"{number} of {members}"
    bounds = plain(number).startswith(("up to ", "at least "))
    return f"from {members} {number if bounds else f'as many as {number}'}"


# ---- the course of things -----------------------------------------------------------------------


@steps_of(If)
def _if(speaker: Speaker, stmt: If) -> tuple[list[Told], Speaker]:
    found: list[Told] = []
    word, rest = "if", stmt
    while True:
        inner = tell(speaker, rest.then)
        if inner or not rest.other:
            found += _under(f"{word} {speaker.clause(rest.condition)}", inner, rest.at)
        elif not inner:
            found += _under(f"{word} {speaker.clause(rest.condition, False)}",
                            tell(speaker, rest.other), rest.at)  # fmt: skip
            return found, speaker
        if len(rest.other) == 1 and isinstance(rest.other[0], If):
            word, rest = "otherwise, if", rest.other[0]
            continue
        found += _under("otherwise", tell(speaker, rest.other), rest.at)
        return found, speaker


def _under(head: str, inner: tuple[Told, ...], at: At = NOWHERE) -> list[Told]:
    """A head with what it governs: one short step goes on in the same sentence."""
    if not inner:
        return []
    if len(inner) == 1 and not inner[0].inner and not inner[0].sort:
        return [Told(f"{head}, {inner[0].text}", at=at)]
    return [Told(head, inner, at=at)]


@says(Jump)
def _jump(speaker: Speaker, stmt: Jump) -> str:
    return {"stop": "nothing more happens", "skip": "go on with the next one",
            "leave": "this does not go on"}[stmt.how]  # fmt: skip


@says(GiveBack)
def _give_back(speaker: Speaker, stmt: GiveBack) -> str:
    return f"the result is {speaker.noun(stmt.expr)}"


@steps_of(For)
def _for(speaker: Speaker, stmt: For) -> tuple[list[Told], Speaker]:
    item = item_of(stmt.source.type)
    members = among(speaker, stmt.var, stmt.source, stmt.where)[1]
    if stmt.grouped:
        inner = speaker.knowing({stmt.var: speaker.called(stmt.var, stmt.source.type)})
        head = f"take {members}{speaker.order(stmt.order)}, equal ones together; for each group"
        return _under(head, tell(inner, stmt.body)), speaker
    called = speaker.called(stmt.var, item, "this")
    inner = speaker.knowing({stmt.var: called})
    given = "" if plain(called).startswith(("this ", "the ")) else f" {called}"
    noun = speaker.word(item.name) if item.name != "int" else "number"
    head = f"for {each_of(speaker, noun, item.name, given, members)}{speaker.order(stmt.order)}"
    return _under(head, tell(inner, stmt.body)), speaker


def each_of(speaker: Speaker, noun: str, kind: str, given: str, members: str) -> str:
    """`each area`, `each of the areas where …`, `each area of …`."""
    several = speaker.plural(kind)
    if members == f"all {several}":
        return f"each {noun}{given}"
    if not given and plain(english.bare(members)).startswith(f"{several} "):
        return f"each of {english.definite(members)}"
    return f"each {noun}{given} of {members}"


@steps_of(Repeat)
def _repeat(speaker: Speaker, stmt: Repeat) -> tuple[list[Told], Speaker]:
    times = speaker.noun(stmt.times) if stmt.times else "1"
    if stmt.condition is None:
        known = stmt.times is None or isinstance(stmt.times, Lit | Local)
        head = f"repeat {times} times" if known else f"as many times as {times}"
        return _under(head, tell(speaker, stmt.body)), speaker
    head = f"again and again, as long as {speaker.clause(stmt.condition)}"
    return _under(head, tell(speaker, stmt.body)), speaker


@steps_of(Step)
def _step(speaker: Speaker, stmt: Step) -> tuple[list[Told], Speaker]:
    title = stmt.title or english.words(stmt.label)
    inner = tell(speaker, stmt.body)
    head = Told(title, inner, "step", stmt.at, stmt.meta)
    return [head], _after(speaker, stmt.body)


def _after(speaker: Speaker, body: Body) -> Speaker:
    """A speaker that knows what a labelled step named, which is no block of its own."""
    for stmt in body:
        say = STEPS.get(type(stmt))
        speaker = say(speaker, stmt)[1] if say else speaker
    return speaker


@says(Recall)
def _recall(speaker: Speaker, stmt: Recall) -> str:
    return f"{speaker.noun(stmt.player)} may act again"


@says(EndGame)
def _end(speaker: Speaker, stmt: EndGame) -> str:
    return "the game ends"


@steps_of(Say)
def _say(speaker: Speaker, stmt: Say) -> tuple[list[Told], Speaker]:
    """What is said tells of the game; what one player alone learns is a rule."""
    if stmt.to is None:
        return [], speaker
    told = f"only {speaker.noun(stmt.to)} learns: “{speaker.noun(stmt.text)}”"
    if stmt.others is not None:
        told += f", and all others: “{speaker.noun(stmt.others)}”"
    return [Told(told)], speaker


# ---- calls --------------------------------------------------------------------------------------


@says(Do)
def _do_it(speaker: Speaker, stmt: Do) -> str:
    return _do(speaker, stmt.procedure, stmt.args)


def _do(speaker: Speaker, path: str, args: Iterable[Expr]) -> str:
    procedure = speaker.ruleset.procedures[path]
    names = {p.name: speaker.noun(arg) for p, arg in zip(procedure.params, args, strict=True)}
    said = speaker.phrase(path)
    if said is not None:
        return speaker.spoken("procedure", path, said.title, names)
    title = procedure.title or english.words(path.rpartition(".")[2])
    given = f" for {english.listed(list(names.values()))}" if names else ""
    return f"carry out “{reference('procedure', path, title)}”{given}"


@says(DoBody)
def _do_block(speaker: Speaker, stmt: DoBody) -> str:
    return _do_body(speaker, stmt)


def _do_body(speaker: Speaker, stmt: DoBody | BodyResult) -> str:
    kind = speaker.ruleset.kinds[stmt.kind]
    params = next(body.params for body in kind.bodies if body.name == stmt.body)
    names = {p.name: speaker.noun(arg) for p, arg in zip(params, stmt.args, strict=True)}
    of = speaker.noun(stmt.thing)
    said = speaker.phrase(f"{stmt.kind}.{stmt.body}")
    if said is not None:
        return speaker.spoken("", "", said.title, {THIS: of, **names})
    given = f" ({english.listed(list(names.values()))})" if names else ""
    return f"do what {of} says under “{english.words(stmt.body)}”{given}"


# ---- pieces, cards, and what is written down ----------------------------------------------------


def _so_many(speaker: Speaker, quantity: Expr | None, meant: Units) -> tuple[str, str]:
    """How many pieces, and what has to be said of it behind them."""
    if quantity is None:
        return f"all {units(speaker, meant)}", ""
    if isinstance(quantity, Lit):
        number = int(quantity.value or 0)
        return f"{number} {units(speaker, meant, number)}", ""
    if isinstance(quantity, Local):
        return f"{speaker.noun(quantity)} {units(speaker, meant)}", ""
    return units(speaker, meant), f": as many as {speaker.noun(quantity)}"


@says(Move)
def _move(speaker: Speaker, stmt: Move) -> str:
    what, many = _so_many(speaker, stmt.quantity, stmt.units)
    home = speaker.printer.lexicon.home(stmt.units.pieces)
    state = f" as {stmt.state}" if stmt.state else ""
    if stmt.source.kind == "own" and stmt.source.id == home and stmt.target.kind != "own":
        return f"place {what}{there(speaker, stmt.target)}{state}{many}"
    if stmt.target.kind == "own" and stmt.target.id == home and stmt.source.kind != "own":
        return f"remove {what}{there(speaker, stmt.source, 'from')}{many}"
    source, target = place(speaker, stmt.source), place(speaker, stmt.target)
    return f"move {what} from {source} to {target}{state}{many}"


@says(Turn)
def _turn(speaker: Speaker, stmt: Turn) -> str:
    what, many = _so_many(speaker, stmt.quantity, stmt.units)
    verb = "becomes" if stmt.quantity == Lit(1, Type("int")) else "become"
    return f"{what}{there(speaker, stmt.where)} {verb} {stmt.state}{many}"


_ASSIGNED = {"=": "{0} {2} {1}", "+": "{0} grows by {1}", "-": "{0} shrinks by {1}",
             "include": "{1} is added to {0}", "exclude": "{1} is taken out of {0}"}  # fmt: skip


@says(Assign)
def _assign(speaker: Speaker, stmt: Assign) -> str:
    yes_or_no = stmt.target.type.name == "bool" and stmt.index is None
    if yes_or_no and isinstance(stmt.expr, Lit):
        return f"from now on {speaker.clause(stmt.target, bool(stmt.expr.value))}"
    if yes_or_no:
        return f"from now on {speaker.clause(stmt.target)}, if {speaker.clause(stmt.expr)}"
    target = speaker.noun(stmt.target)
    if stmt.index is not None:
        target += f" for {speaker.noun(stmt.index)}"
    many = stmt.target.type.name in ("set", "list") and stmt.index is None
    if many and isinstance(stmt.expr, Op) and not stmt.expr.args:
        return f"{target} are forgotten"
    verb = "become" if many else "becomes"
    return _ASSIGNED[stmt.op].format(target, speaker.noun(stmt.expr), verb)


@says(Begin)
def _begin(speaker: Speaker, stmt: Begin) -> str:
    what = english.a(english.words(stmt.bundle.partition(".")[2]))
    given = "; ".join(f"{english.words(g.name)}: {speaker.noun(g.expr)}" for g in stmt.given)
    who = f"{speaker.noun(stmt.of)} begins" if stmt.of is not None else "there begins"
    return f"{who} {what}{f' ({given})' if given else ''}"


@says(Clear)
def _clear(speaker: Speaker, stmt: Clear) -> str:
    what = f"the {english.words(stmt.bundle.partition('.')[2])}"
    return f"{what} of {speaker.noun(stmt.of)} ends" if stmt.of is not None else f"{what} ends"


_HOW = {"in": "into", "top": "on top of", "under": "under"}


@says(Put)
def _put(speaker: Speaker, stmt: Put) -> str:
    return f"put {speaker.noun(stmt.cards)} {_HOW[stmt.how]} {speaker.noun(stmt.pile)}"


@says(Shuffle)
def _shuffle(speaker: Speaker, stmt: Shuffle) -> str:
    return f"shuffle {speaker.noun(stmt.pile)}"


@says(Give)
def _give(speaker: Speaker, stmt: Give) -> str:
    who, what = speaker.noun(stmt.player), speaker.noun(stmt.thing)
    return f"{who} takes {what}" if stmt.gain else f"{who} loses {what}"


# ---- decisions ----------------------------------------------------------------------------------


def _decided(text: str, inner: tuple[Told, ...] = (), meta: Meta = NO_META) -> Told:
    return Told(text, inner, "choose", meta=meta)


def _prompt(speaker: Speaker, prompt: Text) -> str:
    return f" (“{speaker.noun(prompt)}”)" if prompt.parts else ""


@steps_of(Choose)
def _choose(speaker: Speaker, stmt: Choose) -> tuple[list[Told], Speaker]:
    called = speaker.called(stmt.name, stmt.type)
    _, members = among(speaker, "it", stmt.source, stmt.where, called=called)
    number = "one" if stmt.single else amount(speaker, stmt.least, stmt.most)
    style = " or none" if stmt.optional else ""
    secretly = " in secret" if stmt.secret else ""
    one_number = stmt.single and stmt.source.type.name == "range"
    what = f"a number, {members}" if one_number else _some(number, english.definite(members))
    told = f"{tight(speaker, stmt.by)} chooses{secretly} {what}{style}: {called}"
    told += _prompt(speaker, stmt.prompt)
    return [_decided(told, (), stmt.meta)], speaker.knowing({stmt.name: called})


def amount(speaker: Speaker, least: Expr | None, most: Expr | None) -> str:
    """How many can be chosen: `2`, `up to 3`, `at least 1`, `any number`."""
    if least == most and least is not None:
        return speaker.noun(least)
    low = speaker.noun(least) if least is not None else "0"
    if most is None:
        return "any number" if low == "0" else f"at least {low}"
    return f"up to {speaker.noun(most)}" if low == "0" else f"{low} to {speaker.noun(most)}"


@steps_of(May)
def _may(speaker: Speaker, stmt: May) -> tuple[list[Told], Speaker]:
    when = f", if {speaker.clause(stmt.when)}" if stmt.when is not None else ""
    asked = speaker.noun(stmt.prompt) or english.words(stmt.name)
    head = _decided(f"{speaker.noun(stmt.by)} may decide{when}: “{asked}”")
    head = attrs.evolve(head, at=stmt.at, meta=stmt.meta)
    inner = _under("if they do", tell(speaker, stmt.then), stmt.at)
    inner += _under("otherwise", tell(speaker, stmt.other), stmt.at)
    return [attrs.evolve(head, inner=tuple(inner))], speaker


_WISHES = {"total_is": "{} comes to {}", "total_at_most": "{} comes to at most {}",
           "total_at_least": "{} comes to at least {}"}  # fmt: skip


@steps_of(Select)
def _select(speaker: Speaker, stmt: Select) -> tuple[list[Told], Speaker]:
    inner, members = among(speaker, "it", stmt.source, stmt.where)
    called = speaker.called(stmt.name, stmt.type)
    wishes = [
        Told(english.listed([_wish(inner, one) for one in wished])) for wished in stmt.constraints
    ]
    how = "as far as each of these can be kept, the first before the next" if stmt.relax else (
        "so that all of this holds"
    )  # fmt: skip
    told = f"{speaker.noun(stmt.by)} chooses some of {members}{_prompt(speaker, stmt.prompt)}"
    found = _decided(f"{told}, {how}; these are {called}", tuple(wishes), stmt.meta)
    return [found], speaker.knowing({stmt.name: called})


def _wish(speaker: Speaker, wish: Wish) -> str:
    weight = speaker.noun(wish.weight) if wish.weight is not None else ""
    if wish.kind in _WISHES and wish.bound is not None:
        one = wish.weight == Lit(1, wish.weight.type) if wish.weight is not None else False
        whole = "their number" if one else f"the sum of {weight}"
        return _WISHES[wish.kind].format(whole, speaker.noun(wish.bound))
    if wish.kind == "connected":
        return f"they are connected through {weight}"
    return "none of them could be left out"


@steps_of(Divide)
def _divide(speaker: Speaker, stmt: Divide) -> tuple[list[Told], Speaker]:
    inner = speaker.knowing({"it": speaker.called("it", item_of(stmt.among.type), "each")})
    called = speaker.called(stmt.name, stmt.type)
    secretly = " in secret" if stmt.secret else ""
    told = f"{speaker.noun(stmt.by)} divides{secretly} {speaker.noun(stmt.total)} among "
    told += f"{speaker.noun(stmt.among)}{_prompt(speaker, stmt.prompt)}, giving each "
    told += f"{inner.noun(stmt.allowing)}: {called}"
    return [_decided(told, (), stmt.meta)], speaker.knowing({stmt.name: called})


def lines(steps: Iterable[Told], depth: int = 0) -> Iterator[str]:
    """Steps as plain lines, numbered in their block."""
    for number, one in enumerate(steps, 1):
        yield f"{'   ' * depth}{number}. {plain(one.said)}"
        yield from lines(one.inner, depth + 1)
