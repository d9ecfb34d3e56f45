"""Expressions in words, with no more brackets than the grammar needs.

Each kind of expression has a rank, the level of the grammar that makes it; an expression of a
lower rank than its place asks for is put in brackets.
"""

import re
from collections.abc import Iterable, Mapping

from ziggurat.dsl.ir import (
    All,
    AttrOf,
    Count,
    Expr,
    FieldOf,
    Having,
    Lit,
    Local,
    Loop,
    Op,
    OptionRef,
    OrderRef,
    OwnerRef,
    PileRef,
    Text,
    ThingRef,
    Units,
    ValueCall,
    Whereabouts,
)
from ziggurat.dsl.printing.layout import quoted
from ziggurat.dsl.printing.lexicon import Lexicon

# The levels of the grammar, loosest first.
ANY, OR, AND, NOT, COMPARED, SPAN, SUM, PRODUCT, UNARY, HAVING, POSTFIX = range(11)

_BETWEEN = {
    "or": (OR, OR, AND, "or"),
    "and": (AND, AND, NOT, "and"),
    "<": (COMPARED, SPAN, SPAN, "<"),
    "<=": (COMPARED, SPAN, SPAN, "<="),
    ">": (COMPARED, SPAN, SPAN, ">"),
    ">=": (COMPARED, SPAN, SPAN, ">="),
    "in": (COMPARED, SPAN, SPAN, "in"),
    "holds": (COMPARED, SPAN, SPAN, "holds"),
    "+": (SUM, SUM, PRODUCT, "+"),
    "-": (SUM, SUM, PRODUCT, "-"),
    "union": (SUM, SUM, PRODUCT, "+"),
    "minus": (SUM, SUM, PRODUCT, "-"),
    "*": (PRODUCT, PRODUCT, UNARY, "*"),
    "/": (PRODUCT, PRODUCT, UNARY, "/"),
    "mod": (PRODUCT, PRODUCT, UNARY, "mod"),
}
# Written as functions, under their own name.
_CALLED = frozenset(
    {"min", "max", "abs", "size", "common", "one_of", "cards", "top", "others", "left_of"}
)
_LIKE_A_LOOP = re.compile(r"\w+ in ")
_NUMBERS = frozenset({"int", "range"})


class Teller:
    """Tells expressions in the words of a lexicon.

    `wording` says whether titles, prompts and reasons are told too, which never change what a rule
    means. `aliases` gives locals other names: `holder` for the parameter a clause is about.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        wording: bool = True,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.lexicon = lexicon
        self.wording = wording
        self.aliases = aliases or {}

    def called(self, aliases: Mapping[str, str]) -> "Teller":
        """The same teller with other names for some locals."""
        return type(self)(self.lexicon, self.wording, {**self.aliases, **aliases})

    def local(self, name: str) -> str:
        return self.aliases.get(name, name)

    def tell(self, expr: Expr, rank: int = ANY) -> str:
        """An expression where the grammar wants at least this rank."""
        text, found = self._told(expr)
        return text if found >= rank else f"({text})"

    def _told(self, expr: Expr) -> tuple[str, int]:
        name = self.lexicon.name
        match expr:
            case Lit():
                return _literal(expr)
            case Local():
                return self.local(expr.name), POSTFIX
            case ThingRef():
                return name(expr.kind, expr.id), POSTFIX
            case OwnerRef():
                return name("neutral", expr.id), POSTFIX
            case All():
                return self.lexicon.plural(expr.of), POSTFIX
            case OptionRef():
                return name("option", expr.id), POSTFIX
            case FieldOf():
                return f"{self.tell(expr.of, POSTFIX)}.{expr.field}", POSTFIX
            case AttrOf():
                of = self.tell(expr.of, POSTFIX) if expr.of else "table"
                return f"{of}.{self.lexicon.attribute(expr.attr)}", POSTFIX
            case ValueCall():
                return f"{name('value', expr.value)}({self.listed(expr.args)})", POSTFIX
            case PileRef():
                return self.pile(expr), POSTFIX
            case Op():
                return self._op(expr)
            case Count():
                fn = "any" if expr.exists else "count"
                return f"{fn}({self.units(expr.units)}{self.place(expr.where)})", POSTFIX
            case Having():
                source = self.tell(expr.source, POSTFIX)
                return f"{source} with {self.units(expr.units)}", HAVING
            case Loop():
                return self._loop(expr)
            case _:
                raise TypeError(f"no words for {type(expr).__name__}")

    def listed(self, args: Iterable[Expr]) -> str:
        """Arguments of a call; one that begins with `x in S` would be read as a loop."""
        told = (self.tell(arg) for arg in args)
        return ", ".join(f"({one})" if _LIKE_A_LOOP.match(one) else one for one in told)

    def pile(self, pile: PileRef) -> str:
        place = self.lexicon.name("place", pile.place)
        return place if pile.key is None else f"{place}({self.tell(pile.key)})"

    def units(self, units: Units) -> str:
        """`ready token of p`."""
        state = f"{units.state} " if units.state else ""
        owner = self.tell(units.owner, POSTFIX)
        return f"{state}{self.lexicon.pieces(units.pieces)} of {owner}"

    def place(self, where: Whereabouts) -> str:
        """` in a`, ` on board`, or nothing at all for everywhere."""
        if where.kind == "everywhere":
            return ""
        return " on board" if where.kind == "board" else f" in {self.whereabouts(where)}"

    def whereabouts(self, where: Whereabouts) -> str:
        if where.expr is not None:
            return self.tell(where.expr, POSTFIX)
        return "board" if where.kind == "board" else self.lexicon.name("place", where.id)

    def order(self, order: OrderRef | None) -> str:
        """` by removal(a)`, or nothing."""
        if order is None:
            return ""
        args = f"({self.listed(order.args)})" if order.args else ""
        return f" by {self.lexicon.name('order', order.order)}{args}"

    def where(self, condition: Expr | None, word: str = "where") -> str:
        """` where …`, ` when …`, or nothing."""
        return "" if condition is None else f" {word} {self.tell(condition)}"

    def text(self, text: Text) -> str:
        """A sentence with its holes, in quotes."""
        parts = (part if isinstance(part, str) else f"{{{self.tell(part)}}}" for part in text.parts)
        return quoted("".join(parts))

    def _op(self, expr: Op) -> tuple[str, int]:
        op, args = expr.op, expr.args
        if op in _BETWEEN:
            rank, left, right, sign = _BETWEEN[op]
            return f"{self.tell(args[0], left)} {sign} {self.tell(args[1], right)}", rank
        if op in ("==", "!="):
            return self._equal(expr), COMPARED
        if op in _CALLED:
            return f"{op}({self.listed(args)})", POSTFIX
        match op:
            case "not":
                return self._not(args[0])
            case "neg":
                return f"-{self.tell(args[0], POSTFIX)}", UNARY
            case "/up":
                told = f"{self.tell(args[0], PRODUCT)} / {self.tell(args[1], UNARY)} rounded up"
                return told, PRODUCT
            case "if":
                field = shared_field(expr)
                if field is not None:
                    return f"{self.tell(field.of, POSTFIX)}.{field.field}", POSTFIX
                test, then, other = args
                told = f"{self.tell(then, OR)} if {self.tell(test, OR)} else {self.tell(other)}"
                return told, ANY
            case "range":
                return f"{self.tell(args[0], SUM)}..{self.tell(args[1], SUM)}", SPAN
            case "set" | "list":
                return "{" + ", ".join(self.tell(arg, SUM) for arg in args) + "}", POSTFIX
            case "map":
                pairs = zip(args[::2], args[1::2], strict=True)
                told = ", ".join(f"{self.tell(k, SUM)}: {self.tell(v, SUM)}" for k, v in pairs)
                return "{" + told + "}", POSTFIX
            case "index":
                return f"{self.tell(args[0], POSTFIX)}[{self.tell(args[1])}]", POSTFIX
            case "is_kind":
                return f"{self.tell(args[0], SPAN)} is {self._kind(args[1])}", COMPARED
            case "is_player":
                return f"{self.tell(args[0], SPAN)} is player", COMPARED
            case "face":
                return f"{self.tell(args[0], POSTFIX)}.{self._kind(args[1])}", POSTFIX
        return f"{op}({self.listed(args)})", POSTFIX

    def _equal(self, expr: Op) -> str:
        """Numbers are compared by signs, everything else by words."""
        left, right = expr.args
        signs = {"==": "==", "!=": "!="} if left.type.name in _NUMBERS else _WORDS
        return f"{self.tell(left, SPAN)} {signs[expr.op]} {self.tell(right, SPAN)}"

    def _not(self, denied: Expr) -> tuple[str, int]:
        if isinstance(denied, Op) and denied.op in ("in", "is_kind", "is_player"):
            told, _ = self._op(denied)
            subject = self.tell(denied.args[0], SPAN)
            rest = told[len(subject) + 1 :]
            rest = f"not {rest}" if denied.op == "in" else f"is not {rest.removeprefix('is ')}"
            return f"{subject} {rest}", COMPARED
        return f"not {self.tell(denied, NOT)}", NOT

    def _kind(self, kind: Expr) -> str:
        return self.lexicon.name("kind", str(kind.value)) if isinstance(kind, Lit) else "?"

    def _loop(self, loop: Loop) -> tuple[str, int]:
        if is_conversion(loop):
            return self._told(loop.source)
        var = self.local(loop.var)
        source = f"{var} in {self.tell(loop.source, SPAN)}"
        rest = self.where(loop.where) + self.order(loop.order)
        if loop.fn == "every":
            body = self.tell(loop.body) if loop.body else "yes"
            source = f"{var} in {{{source}{rest}}}" if rest else source
            return f"every({source} has {body})", POSTFIX
        if loop.body is not None:
            source = f"{self.tell(loop.body, SUM)} for {source}"
        if loop.fn == "set":
            return f"{{{source}{rest}}}", POSTFIX
        return f"{loop.fn}({source}{rest})", POSTFIX


_WORDS = {"==": "is", "!=": "is not"}


def is_conversion(loop: Loop) -> bool:
    """A list used as a set, or the other way round: nobody writes that, the linker sees to it."""
    nothing_more = loop.where is None and loop.order is None and loop.body is None
    return nothing_more and loop.fn in ("set", "list") and loop.var == "it"


def shared_field(expr: Expr) -> FieldOf | None:
    """A field that cards of several kinds have: written once, linked as one case for each kind."""
    match expr:
        case Op("if", (Op("is_kind", (card, Lit(kind))), FieldOf(of, owner, name) as field, rest)):
            if (card, kind) != (of, owner):
                return None
            last = rest if isinstance(rest, FieldOf) else shared_field(rest)
            return field if last is not None and (last.of, last.field) == (of, name) else None
    return None


def _literal(lit: Lit) -> tuple[str, int]:
    match lit.value:
        case None:
            return "none", POSTFIX
        case bool():
            return ("yes" if lit.value else "no"), POSTFIX
        case int():
            return str(lit.value), POSTFIX if lit.value >= 0 else UNARY
        case text:
            return quoted(text), POSTFIX
