"""Expressions as nouns: data, fields, counts, sets, arithmetic and calls."""

from collections.abc import Iterable
from typing import Any

from ziggurat.dsl.forms.attributes import shared_field
from ziggurat.dsl.forms.sets import is_conversion
from ziggurat.dsl.forms.wording import THIS
from ziggurat.dsl.telling import english
from ziggurat.dsl.telling.marked import name, reference, role
from ziggurat.dsl.telling.speaker import PEOPLE, Speaker, nouns, operation
from ziggurat.runtime.kernel.forms.attributes import AttrOf, FieldOf
from ziggurat.runtime.kernel.forms.calls import ValueCall
from ziggurat.runtime.kernel.forms.cards import PileRef
from ziggurat.runtime.kernel.forms.core import Lit, Local, Loop, Op, OwnerRef, ThingRef
from ziggurat.runtime.kernel.forms.names import All, OptionRef
from ziggurat.runtime.kernel.forms.pieces import Count, Having, Units, Whereabouts
from ziggurat.runtime.kernel.forms.sets import Reach
from ziggurat.runtime.kernel.forms.speech import Agreement, Text
from ziggurat.runtime.kernel.nodes import Expr, Type
from ziggurat.runtime.kernel.walking import walk

_COMPOUND = {"+", "-", "*", "/", "/up", "mod", "if", "union", "minus", "neg", "max", "min"}
_OF_PLAYERS = {"players": "player", "owners": "owner"}


def tight(speaker: Speaker, expr: Expr) -> str:
    """A noun that stands beside others: one of several parts is put in brackets."""
    compound = isinstance(expr, Op) and expr.op in _COMPOUND and shared_field(expr) is None
    return f"({speaker.noun(expr)})" if compound else speaker.noun(expr)


# ---- data and names -----------------------------------------------------------------------------


@nouns(Lit)
def _literal(speaker: Speaker, lit: Lit) -> str:
    match lit.value:
        case None:
            return "nobody" if lit.type.name in PEOPLE else "none"
        case bool():
            return "yes" if lit.value else "no"
        case int():
            return str(lit.value).replace("-", "−")
        case text:
            return f"“{text}”"


@nouns(Local)
def _local(speaker: Speaker, expr: Local) -> str:
    return speaker.names.get(expr.name) or name(english.words(expr.name))


@nouns(ThingRef)
def _thing(speaker: Speaker, expr: ThingRef) -> str:
    found = speaker.ruleset.things.get(expr.kind, {}).get(expr.id)
    title = found.title if found and found.title else english.words(expr.id)
    return reference(expr.kind, expr.id, title)


@nouns(OwnerRef)
def _owner(speaker: Speaker, expr: OwnerRef) -> str:
    found = speaker.ruleset.neutrals.get(expr.id)
    title = found.title if found and found.title else english.words(expr.id)
    return reference("neutral", expr.id, title) if found else role(title)


@nouns(All)
def _all(speaker: Speaker, expr: All) -> str:
    return f"all {speaker.plural(_OF_PLAYERS.get(expr.of, expr.of))}"


@nouns(OptionRef)
def _option(speaker: Speaker, expr: OptionRef) -> str:
    """A number is told with what it is when nobody sets it."""
    told = option_name(speaker, expr)
    option = speaker.ruleset.options[expr.id]
    return f"{option.default} ({told})" if option.type.name == "int" else f"the {told}"


def option_name(speaker: Speaker, expr: OptionRef) -> str:
    said, option = speaker.phrase(expr.id), speaker.ruleset.options[expr.id]
    title = said.title if said else option.title or english.words(expr.id)
    return f"option “{reference('option', expr.id, title)}”"


@nouns(Agreement)
def _agreement(speaker: Speaker, words: Agreement) -> str:
    """The words that agree with a number; of one that is not known, those for several."""
    one = isinstance(words.of, Lit) and words.of.value == 1
    return words.wordings[0 if one else -1]


@nouns(Text)
def _text(speaker: Speaker, text: Text) -> str:
    return "".join(part if isinstance(part, str) else _hole(speaker, part) for part in text.parts)


def _hole(speaker: Speaker, part: Expr) -> str:
    told = speaker.noun(part)
    return told if isinstance(part, Agreement) else f"[{told}]"


# ---- what belongs to something ------------------------------------------------------------------


@nouns(FieldOf)
def _field(speaker: Speaker, expr: FieldOf) -> str:
    path = f"{expr.owner_kind}.{expr.field}"
    said = speaker.phrase(path)
    of = speaker.noun(expr.of)
    if said is not None:
        return speaker.spoken("", "", said.title, {THIS: of})
    return f"the {english.words(expr.field)} of {of}"


@nouns(AttrOf)
def _attribute(speaker: Speaker, expr: AttrOf) -> str:
    said = speaker.phrase(expr.attr)
    of = speaker.noun(expr.of) if expr.of is not None else ""
    if said is not None:
        return speaker.spoken("attribute", expr.attr, said.title, {THIS: of})
    short = expr.attr.partition(".")[2].rpartition(".")
    inner = english.words(short[2])
    told = f"the {inner} of the {english.words(short[0])}" if short[0] else f"the {inner}"
    return f"{told} of {of}" if of else told


@nouns(PileRef)
def _pile(speaker: Speaker, expr: PileRef) -> str:
    said = speaker.phrase(expr.place)
    of = speaker.noun(expr.key) if expr.key is not None else ""
    if said is not None:
        return speaker.spoken("", "", said.title, {THIS: of})
    place = speaker.ruleset.places.get(expr.place)
    told = f"the {(place.title if place else '') or english.words(expr.place)}"
    return f"{told} of {of}" if of else told


@nouns(ValueCall)
def _value(speaker: Speaker, expr: ValueCall) -> str:
    if expr.type.name == "bool":
        return f"whether {speaker.clause(expr)}"
    return called(speaker, "value", expr.value, given(speaker, expr.value, expr.args))


def given(speaker: Speaker, value: str, args: Iterable[Expr]) -> dict[str, str]:
    """What is given for the parameters of a value, by their names."""
    params = speaker.ruleset.values[value].params
    return {one.name: speaker.noun(arg) for one, arg in zip(params, args, strict=True)}


def called(speaker: Speaker, word: str, path: str, names: dict[str, str]) -> str:
    """A value or an order with what is given to it, in the words of its phrase or its name."""
    said = speaker.phrase(path)
    if said is not None:
        return speaker.spoken(word, path, said.title, names)
    short = english.words(path.rpartition(".")[2]).removesuffix(" of")
    told = f"the {speaker.refer(word, path, short)}"
    home = path.rpartition(".")[0]
    thing = next((t[home] for t in speaker.ruleset.things.values() if home in t), None)
    told += f" of {reference(thing.kind, thing.id, thing.title or home)}" if thing else ""
    if not names:
        return told
    listed = english.listed(list(names.values()))
    return f"{told} {'for' if thing else 'of'} {listed}"


# ---- pieces -------------------------------------------------------------------------------------


def units(speaker: Speaker, meant: Units, number: int = 2, owner: bool = True) -> str:
    """`ready tokens of the player`."""
    members = speaker.printer.lexicon.pieces(meant.pieces)
    noun = speaker.word(members) if number == 1 else speaker.plural(members)
    noun = noun if meant.which is None else speaker.noun(meant.which)
    told = f"{meant.state} {noun}" if meant.state else noun
    return f"{told} of {_whose(speaker, meant)}" if owner else told


def _whose(speaker: Speaker, meant: Units) -> str:
    match meant.owner:
        case All(of="owners"):
            return f"any {speaker.word('owner')}"
        case All(of="players"):
            return f"any {speaker.word('player')}"
    return speaker.noun(meant.owner)


def there(speaker: Speaker, where: Whereabouts, word: str = "in") -> str:
    """` in the area`, ` on the board`, or nothing at all for everywhere."""
    if where.kind == "everywhere":
        return ""
    if where.kind == "board":
        return f" {'on' if word == 'in' else word} the board"
    return f" {word} {place(speaker, where)}"


def place(speaker: Speaker, where: Whereabouts) -> str:
    if where.expr is not None:
        return speaker.noun(where.expr)
    if where.kind == "board":
        return "the board"
    said = speaker.phrase(where.id)
    return said.title if said is not None else f"the {english.words(where.id)}"


@nouns(Count)
def _count(speaker: Speaker, expr: Count) -> str:
    told = f"{units(speaker, expr.units)}{there(speaker, expr.where)}"
    return f"whether there are {told}" if expr.exists else f"the number of {told}"


@nouns(Having)
def _having(speaker: Speaker, expr: Having) -> str:
    source = english.bare(speaker.noun(expr.source))
    return f"the {source} with {units(speaker, expr.units)}"


# ---- sets ---------------------------------------------------------------------------------------

_TOLD = {"count": "the number of {}", "list": "{}", "set": "{}"}
_OF_ALL = {"sum": "the sum of {} for {}", "max": "the most of {} for {}",
           "min": "the least of {} for {}"}  # fmt: skip


@nouns(Loop)
def _loop(speaker: Speaker, loop: Loop) -> str:
    if is_conversion(loop):
        return speaker.noun(loop.source)
    if loop.fn in ("any", "every"):
        return f"whether {speaker.clause(loop)}"
    inner, members = among(speaker, loop.var, loop.source, loop.where, loop.body)
    members += speaker.order(loop.order) if loop.fn == "list" else ""
    if loop.fn == "first":
        return f"the first of {members}{speaker.order(loop.order)}"
    if loop.body is None:
        return _TOLD.get(loop.fn, "{}").format(members)
    body = inner.noun(loop.body)
    if loop.fn in _OF_ALL:
        return _OF_ALL[loop.fn].format(body, _each(members))
    return _TOLD[loop.fn].format(f"{body} for {_each(members)}")


def _each(members: str) -> str:
    return f"all {english.bare(members)}"


def among(
    speaker: Speaker, var: str, source: Expr, where: Expr | None, body: Any = None, called: str = ""
) -> tuple[Speaker, str]:
    """The members of a set of which something holds, and a speaker that knows what one of them is
    called; a number that is looked for has its name."""
    item = item_of(source.type)
    told = speaker.noun(source)
    if item.name == "int" and called:
        inner = speaker.knowing({var: called})
        return inner, told + (f", such that {inner.clause(where)}" if where is not None else "")
    inner = speaker.knowing({var: _candidate(speaker, var, item, (where, body))})
    if where is None:
        return inner, told
    return inner, f"the {english.bare(told)} where {inner.clause(where)}"


def _candidate(speaker: Speaker, var: str, item: Type, parts: tuple[Any, ...]) -> str:
    """`it`, unless it is somebody or another loop inside would take the word."""
    loops = any(isinstance(one, Loop | Reach) for part in parts for one in walk(part))
    if item.name in PEOPLE or loops or role("it") in speaker.names.values():
        return speaker.called(var if len(var) == 1 else "it", item, "that")
    return role("it")


def item_of(type_: Type) -> Type:
    if type_.name == "range":
        return Type("int")
    return type_.item or Type("card" if type_.name == "pile" else type_.name)


@nouns(Reach)
def _reach(speaker: Speaker, reach: Reach) -> str:
    inner = speaker.knowing({reach.var: role("it")})
    steps = f" in at most {speaker.noun(reach.steps)} steps" if reach.steps else ""
    steps += f", each counting {inner.noun(reach.cost)}" if reach.cost else ""
    way = inner.noun(reach.through)
    told = f"all that can be reached{steps} from {speaker.noun(reach.source)} through {way}"
    return told + (f", going only where {inner.clause(reach.where)}" if reach.where else "")


@operation("set", "list")
def _members(speaker: Speaker, expr: Op) -> str:
    return english.listed([speaker.noun(arg) for arg in expr.args]) or "nothing"


@operation("map")
def _map(speaker: Speaker, expr: Op) -> str:
    pairs = zip(expr.args[::2], expr.args[1::2], strict=True)
    told = [f"{speaker.noun(k)} ({speaker.noun(v)})" for k, v in pairs]
    return english.listed(told) or "nothing"


@operation("index")
def _entry(speaker: Speaker, expr: Op) -> str:
    whole, key = expr.args
    return f"{speaker.noun(whole)} for {speaker.noun(key)}"


@operation("nth")
def _nth(speaker: Speaker, expr: Op) -> str:
    whole, key = expr.args
    return f"number {speaker.noun(key)} of {speaker.noun(whole)}"


@operation("union")
def _union(speaker: Speaker, expr: Op) -> str:
    return english.listed([speaker.noun(arg) for arg in expr.args])


@operation("minus")
def _without(speaker: Speaker, expr: Op) -> str:
    return f"{speaker.noun(expr.args[0])} except {speaker.noun(expr.args[1])}"


@operation("common")
def _common(speaker: Speaker, expr: Op) -> str:
    return f"what {english.listed([speaker.noun(arg) for arg in expr.args])} have in common"


@operation("owner_of", "owners_of")
def _as_owner(speaker: Speaker, expr: Op) -> str:
    """The thing itself: that it is meant as an owner is plain from where it stands."""
    return speaker.noun(expr.args[0])


@operation("one_of")
def _one_of(speaker: Speaker, expr: Op) -> str:
    return f"one of {speaker.noun(expr.args[0])}"


@operation("size")
def _size(speaker: Speaker, expr: Op) -> str:
    return f"the number of {counted(speaker, expr.args[0])}"


def counted(speaker: Speaker, expr: Expr) -> str:
    """The members of something that is counted."""
    told = english.bare(speaker.noun(expr))
    return f"cards in {speaker.noun(expr)}" if isinstance(expr, PileRef) else told


# ---- arithmetic ---------------------------------------------------------------------------------


def _between(op: str, word: str) -> None:
    @operation(op)
    def _say(speaker: Speaker, expr: Op) -> str:
        return f" {word} ".join(tight(speaker, arg) for arg in expr.args)


for _op, _word in {"+": "plus", "-": "minus", "*": "times"}.items():
    _between(_op, _word)


@operation("/", "/up")
def _divided(speaker: Speaker, expr: Op) -> str:
    left, right = expr.args
    way = "up" if expr.op == "/up" else "down"
    if right == Lit(2, right.type):
        return f"half of {tight(speaker, left)}, rounded {way},"
    return f"{tight(speaker, left)} divided by {tight(speaker, right)}, rounded {way},"


@operation("mod")
def _rest(speaker: Speaker, expr: Op) -> str:
    left, right = (tight(speaker, arg) for arg in expr.args)
    return f"what is left of {left} divided by {right}"


@operation("neg")
def _negative(speaker: Speaker, expr: Op) -> str:
    return f"minus {tight(speaker, expr.args[0])}"


@operation("abs")
def _size_of(speaker: Speaker, expr: Op) -> str:
    return f"{speaker.noun(expr.args[0])} without its sign"


@operation("max", "min")
def _bounded(speaker: Speaker, expr: Op) -> str:
    """`max(0, n)` is n, but not less than 0."""
    word, less = ("larger", "less") if expr.op == "max" else ("smaller", "more")
    first, *rest = expr.args
    if len(rest) == 1 and isinstance(first, Lit):
        return f"{tight(speaker, rest[0])} (but not {less} than {speaker.noun(first)})"
    told = english.listed([tight(speaker, arg) for arg in expr.args])
    return f"the {word if len(expr.args) == 2 else word[:-1] + 'st'} of {told}"


@operation("range")
def _range(speaker: Speaker, expr: Op) -> str:
    low, high = expr.args
    return speaker.noun(low) if low == high else f"{speaker.noun(low)} to {speaker.noun(high)}"


@operation("if")
def _choice(speaker: Speaker, expr: Op) -> str:
    field = shared_field(expr)
    if field is not None:
        return speaker.noun(field)
    test, then, other = expr.args
    told = f"{speaker.noun(then)} if {speaker.clause(test)}"
    return f"{told}, otherwise {speaker.noun(other)}"


# ---- players and cards --------------------------------------------------------------------------


@operation("others")
def _others(speaker: Speaker, expr: Op) -> str:
    return f"the players other than {speaker.noun(expr.args[0])}"


@operation("left_of")
def _left_of(speaker: Speaker, expr: Op) -> str:
    return f"the player to the left of {speaker.noun(expr.args[0])}"


@operation("player")
def _player(speaker: Speaker, expr: Op) -> str:
    return speaker.noun(expr.args[0])


@operation("cards")
def _cards(speaker: Speaker, expr: Op) -> str:
    return f"the cards in {speaker.noun(expr.args[0])}"


@operation("top")
def _top(speaker: Speaker, expr: Op) -> str:
    return f"the top card of {speaker.noun(expr.args[0])}"


@operation("face")
def _face(speaker: Speaker, expr: Op) -> str:
    card, kind = expr.args
    word = speaker.word(str(kind.value)) if isinstance(kind, Lit) else "face"
    return f"the {word} on {speaker.noun(card)}"
