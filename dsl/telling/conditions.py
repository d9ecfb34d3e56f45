"""Conditions as clauses: that something is so, or that it is not."""

from ziggurat.dsl.forms.wording import THIS
from ziggurat.dsl.telling import english
from ziggurat.dsl.telling.marked import plain
from ziggurat.dsl.telling.nouns import among, counted, given, option_name, there, tight, units
from ziggurat.dsl.telling.speaker import PEOPLE, Speaker, clauses
from ziggurat.runtime.kernel.forms.attributes import AttrOf, FieldOf
from ziggurat.runtime.kernel.forms.calls import ValueCall
from ziggurat.runtime.kernel.forms.core import Lit, Local, Loop, Op
from ziggurat.runtime.kernel.forms.names import OptionRef
from ziggurat.runtime.kernel.forms.pieces import Count
from ziggurat.runtime.kernel.nodes import Expr

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARED = {"==": "is", "!=": "is not", "<": "is less than", "<=": "is at most",
             ">": "is more than", ">=": "is at least"}  # fmt: skip
_SO_MANY = {"==": "exactly", "<": "fewer than", "<=": "at most", ">": "more than",
            ">=": "at least"}  # fmt: skip
_MAY = ("may ", "can ", "must ", "is ", "has ", "lacks ", "needs ", "could ", "would ")


@clauses(Lit)
def _literal(speaker: Speaker, lit: Lit, so: bool) -> str:
    return "always" if bool(lit.value) is so else "never"


@clauses(Local)
def _local(speaker: Speaker, expr: Local, so: bool) -> str:
    return f"“{speaker.noun(expr)}” is {'so' if so else 'not so'}"


@clauses(OptionRef)
def _option(speaker: Speaker, expr: OptionRef, so: bool) -> str:
    return f"{speaker.noun(expr)} is {'on' if so else 'off'}"


@clauses(FieldOf)
def _field(speaker: Speaker, expr: FieldOf, so: bool) -> str:
    said = speaker.phrase(f"{expr.owner_kind}.{expr.field}")
    if said is not None:
        of = {THIS: speaker.noun(expr.of)}
        return speaker.spoken("", "", said.title if so else _not(said.title, said.denied), of)
    return f"{speaker.noun(expr.of)} is {'' if so else 'not '}{english.words(expr.field)}"


@clauses(AttrOf)
def _attribute(speaker: Speaker, expr: AttrOf, so: bool) -> str:
    of = speaker.noun(expr.of) if expr.of is not None else ""
    said = speaker.phrase(expr.attr)
    if said is not None:
        words = said.title if so else _not(said.title, said.denied)
        return speaker.spoken("attribute", expr.attr, words, {THIS: of})
    short = english.words(expr.attr.rpartition(".")[2])
    if expr.attr in speaker.ruleset.bundles:
        told = f"{english.a(short) if so else 'no ' + short}"
        return f"{of} has {told}" if of else f"there is {told}"
    if not of:
        return f"“{short}” is {'' if so else 'not '}so"
    return f"{of} is {'' if so else 'not '}{short}"


def _not(title: str, denied: str) -> str:
    return denied or english.denied(title)


@clauses(ValueCall)
def _value(speaker: Speaker, expr: ValueCall, so: bool) -> str:
    return permission(speaker, expr.value, given(speaker, expr.value, expr.args), so)


def permission(speaker: Speaker, path: str, names: dict[str, str], so: bool) -> str:
    """A value that is yes or no, as a clause: `the player may cross open water`."""
    said = speaker.phrase(path)
    if said is not None:
        words = said.title if so else _not(said.title, said.denied)
        return speaker.spoken("value", path, words, names)
    told = english.words(path.rpartition(".")[2])
    first, *rest = names.values() or ("",)
    besides = f" ({english.listed(rest)})" if rest else ""
    if first and told.startswith(_MAY):
        verb = told if so else english.denied(told)
        return f"{first} {speaker.refer('value', path, verb)}{besides}"
    of = f" of {english.listed(list(names.values()))}" if names else ""
    return f"“{speaker.refer('value', path, told)}” is {'' if so else 'not '}true{of}"


@clauses(Count)
def _any(speaker: Speaker, expr: Count, so: bool) -> str:
    where = there(speaker, expr.where)
    if expr.units.many:
        return f"there are {'' if so else 'no '}{units(speaker, expr.units)}{where}"
    told = f"{'' if so else 'no '}{units(speaker, expr.units, owner=False)}{where}"
    owner = speaker.noun(expr.units.owner)
    return f"{owner} {'have' if _are_many(owner) else 'has'} {told}"


def _are_many(noun: str) -> bool:
    """Whether a noun wants its verb in the plural; titles such as `the Raiders` do."""
    last = plain(noun).rpartition(" ")[2]
    return last[:1].isupper() and last.endswith("s")


@clauses(Loop)
def _loop(speaker: Speaker, loop: Loop, so: bool) -> str:
    if loop.fn == "every" and loop.body is not None:
        inner, members = among(speaker, loop.var, loop.source, loop.where, loop.body)
        told = f"of {members} it holds that {inner.clause(loop.body)}"
        return told if so else f"not {told}"
    _, members = among(speaker, loop.var, loop.source, loop.where)
    return f"there {'are' if so else 'are no'} {english.bare(members)}"


# ---- comparing ----------------------------------------------------------------------------------


@clauses(*_OPPOSITE)
def _compared(speaker: Speaker, expr: Op, so: bool) -> str:
    op = expr.op if so else _OPPOSITE[expr.op]
    left, right = expr.args
    if right.type.name == "nothing" or (isinstance(right, Lit) and right.value is None):
        return _none(speaker, left, op == "==")
    if isinstance(right, Lit) and isinstance(right.value, bool):
        return speaker.clause(left, right.value is (op == "=="))
    if isinstance(left, Count) and not left.exists and not left.units.many and op in _SO_MANY:
        return _has(speaker, left, op, right)
    empty = _emptiness(speaker, left, op, right)
    if isinstance(left, OptionRef):
        return f"the {option_name(speaker, left)} {_COMPARED[op]} {_side(speaker, right)}"
    return empty or f"{_side(speaker, left)} {_COMPARED[op]} {_side(speaker, right)}"


def _side(speaker: Speaker, expr: Expr) -> str:
    choice = isinstance(expr, Op) and expr.op == "if"
    return tight(speaker, expr) if choice else speaker.noun(expr)


def _none(speaker: Speaker, left: Expr, none: bool) -> str:
    noun = speaker.noun(left)
    if plain(noun).startswith("the "):
        short = english.bare(noun)
        return f"there is no {short}" if none else f"there is {english.a(short)}"
    if left.type.name in PEOPLE:
        return f"{noun} is {'nobody' if none else 'somebody'}"
    return f"{noun} is {'none' if none else 'something'}"


def _has(speaker: Speaker, left: Count, op: str, right: Expr) -> str:
    """`the player has at least 7 tokens in the area`."""
    owner, where = speaker.noun(left.units.owner), there(speaker, left.where)
    verb = "have" if _are_many(owner) else "has"
    one = isinstance(right, Lit) and right.value == 1
    what = units(speaker, left.units, 1 if one else 2, owner=False)
    if right == Lit(0, right.type) and op in ("==", ">"):
        return f"{owner} {verb} {'no ' if op == '==' else ''}{what}{where}"
    if isinstance(right, Lit | Local):
        return f"{owner} {verb} {_SO_MANY[op]} {speaker.noun(right)} {what}{where}"
    return f"the number of {what} of {owner}{where} {_COMPARED[op]} {tight(speaker, right)}"


def _emptiness(speaker: Speaker, left: Expr, op: str, right: Expr) -> str:
    """That there are none, or some, of what is counted."""
    if right != Lit(0, right.type) or op not in ("==", ">", "!="):
        return ""
    match left:
        case Op("size", (whole,)):
            members = counted(speaker, whole)
        case Loop("count"):
            members = english.bare(speaker.noun(left).removeprefix("the number of "))
        case Count():
            members = f"{units(speaker, left.units)}{there(speaker, left.where)}"
        case _:
            return ""
    return f"there are {'no ' if op == '==' else ''}{members}"


@clauses("in")
def _among(speaker: Speaker, expr: Op, so: bool) -> str:
    member, whole = expr.args
    word = "is" if whole.type.name == "range" else "is one of"
    word = "is among" if word == "is one of" and whole.type.name == "map" else word
    return f"{speaker.noun(member)} {word if so else word.replace('is', 'is not', 1)} " + (
        speaker.noun(whole)
    )


@clauses("holds")
def _holds(speaker: Speaker, expr: Op, so: bool) -> str:
    who, what = (speaker.noun(arg) for arg in expr.args)
    return f"{who} {'holds' if so else 'does not hold'} {what}"


@clauses("empty")
def _empty(speaker: Speaker, expr: Op, so: bool) -> str:
    (whole,) = expr.args
    if whole.type.name == "pile":
        return f"{speaker.noun(whole)} is {'' if so else 'not '}empty"
    return f"there are {'no ' if so else ''}{counted(speaker, whole)}"


@clauses("is_kind")
def _is_kind(speaker: Speaker, expr: Op, so: bool) -> str:
    card, kind = expr.args
    word = speaker.word(str(kind.value)) if isinstance(kind, Lit) else "card"
    return f"{speaker.noun(card)} is {'' if so else 'not '}{english.a(word)}"


@clauses("is_player")
def _is_player(speaker: Speaker, expr: Op, so: bool) -> str:
    return f"{speaker.noun(expr.args[0])} is {'' if so else 'not '}a player"


# ---- putting clauses together -------------------------------------------------------------------


@clauses("not")
def _denied(speaker: Speaker, expr: Op, so: bool) -> str:
    return speaker.clause(expr.args[0], not so)


@clauses("and", "or")
def _together(speaker: Speaker, expr: Op, so: bool) -> str:
    word = expr.op if so else {"and": "or", "or": "and"}[expr.op]
    parts = [_part(speaker, arg, so, word) for arg in flat(expr)]
    return english.listed(list(dict.fromkeys(parts)), word)


def flat(expr: Op) -> list[Expr]:
    """The parts of a chain of the same word."""
    return [
        part
        for arg in expr.args
        for part in (flat(arg) if isinstance(arg, Op) and arg.op == expr.op else [arg])
    ]


def _part(speaker: Speaker, part: Expr, so: bool, word: str) -> str:
    told = speaker.clause(part, so)
    mixed = isinstance(part, Op) and part.op in ("and", "or", "if")
    if not mixed:
        return told
    return f"either {told}" if word == "and" and " or " in told else told


@clauses("if")
def _choice(speaker: Speaker, expr: Op, so: bool) -> str:
    test, then, other = expr.args
    first, second = speaker.clause(then, so), speaker.clause(other, so)
    return f"{first} (if {speaker.clause(test)}; otherwise {second})"
