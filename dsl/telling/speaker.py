"""The speaker: asks for each form the function that says it, and knows what names stand for.

Expressions are said as nouns (`noun`), conditions as clauses that are so or not (`clause`), and
statements as steps (`dsl.telling.steps`). A form that nobody can say is told in its own text.
"""

import re
from collections.abc import Iterable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from ziggurat.dsl.forms.wording import HOLE
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.dsl.telling import english
from ziggurat.dsl.telling.marked import code, name, plain, reference, role
from ziggurat.runtime.kernel.forms.bundles import bundle_of
from ziggurat.runtime.kernel.forms.core import Op, OrderRef, Param
from ziggurat.runtime.kernel.forms.wording import Phrase
from ziggurat.runtime.kernel.nodes import Expr, Type
from ziggurat.runtime.kernel.registry import Registry

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.ruleset import Ruleset

NOUNS = Registry[type, str]()
OPERATIONS = Registry[str, str]()
CLAUSES = Registry[Any, str]()  # by class, or by the operation
nouns, operation, clauses = NOUNS.add, OPERATIONS.add, CLAUSES.add
PEOPLE = ("player", "owner")
_PARTICIPLES = ("ed", "en", "lost", "struck", "hit", "laid", "sold", "left", "bought")
# Names of locals that make no noun.
_NO_NOUNS = frozenset({"at", "to", "of", "on", "by", "from", "near", "over", "here", "it", "this"})
# What is given for a hole and more than these would stand badly before another word.
_SHORT = 24
_NEXT_WORD = re.compile(r" \w")
_SEVERAL = re.compile(r" (?:more )?[a-z]+s\b")
# Before the one who does something, and what they do.
_SUBJECT = re.compile(r"(?:^|[.,:;] |\b(?:that|whom|which|if|when|where) )$")
_VERB = re.compile(r" (?!as\b|its\b|always\b|towards\b)([a-z]+s)\b")
_RECKONED = (" minus ", " plus ", " times ")


class Speaker:
    """Says the rules of one ruleset. `names` has the words for locals in sight, `holder` what a
    clause calls whoever holds its thing."""

    def __init__(self, ruleset: "Ruleset", names: Mapping[str, str] | None = None) -> None:
        self.ruleset = ruleset
        self.names = dict(names or {})
        self.printer = Printer(Lexicon.of(ruleset))

    # ---- names ----------------------------------------------------------------------------------

    def knowing(self, names: Mapping[str, str]) -> "Speaker":
        """The same speaker with more names in sight."""
        other = copy(self)
        other.names = {**self.names, **names}
        return other

    def introduced(self, params: Iterable[Param]) -> "Speaker":
        """With the parameters of a rule: `the player`, `the other player`, `the victim`."""
        speaker = self
        for param in params:
            speaker = speaker.knowing({param.name: speaker.called(param.name, param.type)})
        return speaker

    def called(self, local: str, type_: Type, article: str = "the") -> str:
        """Words for a local that comes into sight."""
        if type_.name in ("int", "bool", "text", "range", "map"):
            return name(english.words(local))
        many = type_.name in ("set", "list")
        short = local.strip("_")
        if len(short) > 1 and short not in _NO_NOUNS:
            told = self.local_word(local)
            single = " " not in told and told.endswith(_PARTICIPLES)
            if many and single and type_.item is not None:
                told = f"{told} {self.plural(type_.item.name)}"
            return role(f"the {told}")
        noun = self.plural(type_.item.name) if many and type_.item else self.word(type_.name)
        for words in (f"{article} {noun}", f"the other {noun}"):
            if role(words) not in self.names.values():
                return role(words)
        return role(f"{noun} {local}")

    def local_word(self, local: str) -> str:
        """A parameter or another local as a word; packs may have a better one."""
        said = self.phrase(local)
        table = self.ruleset
        taken = any(local in page for page in (table.values, table.procedures, table.places))
        return english.words(local) if said is None or taken else said.title

    # ---- words of the ruleset -------------------------------------------------------------------

    def phrase(self, path: str) -> Phrase | None:
        return self.ruleset.phrases.get(path)

    def word(self, id_: str) -> str:
        """A kind, a family of cards or a piece in a sentence."""
        said = self.phrase(id_)
        if said is not None:
            return said.title
        kind = self.ruleset.kinds.get(id_) or self.ruleset.pieces.get(id_)
        return (kind.title if kind else "") or english.words(id_)

    def plural(self, id_: str) -> str:
        said = self.phrase(id_)
        if said is not None and said.plural:
            return said.plural
        kind = self.ruleset.kinds.get(id_)
        if kind is not None and kind.plural and said is None:
            return english.words(kind.plural)
        return english.plural(self.word(id_))

    def label(self, path: str, title: str = "") -> str:
        """A heading for something declared, without an article."""
        said = self.phrase(path)
        if said is not None and said.label:
            return said.label
        return english.capital(title or english.words(path.rpartition(".")[2]))

    def spoken(self, word: str, path: str, phrase: str, given: Mapping[str, str]) -> str:
        """A phrase with its holes filled; the words between them refer to what it is about. A
        number that takes many words is told behind it."""
        given = {key.strip("_"): told for key, told in given.items()}
        parts: list[str] = []
        behind: list[str] = []
        at = 0
        for hole in HOLE.finditer(phrase):
            before, told = phrase[at : hole.start()], given.get(hole[1], "")
            if plain(told).startswith(("the ", "it", "that ", "this ")):
                before = before.removesuffix("the ")
            words = plain(told)
            long = len(words) > _SHORT or any(sign in words for sign in _RECKONED)
            long = long and _NEXT_WORD.match(phrase, hole.end()) is not None
            if long and hole[1] in self._numbers(path):
                behind.append(f"{name(english.words(hole[1]))} is {told}")
                told = name(english.words(hole[1]))
            parts += [self._linked(word, path, before), told]
            at = hole.end()
            if told == "1" and (several := _SEVERAL.match(phrase, at)):
                parts.append(self._linked(word, path, english.singular(several[0])))
                at = several.end()
            elif (
                self._is_several(told)
                and _SUBJECT.search(phrase[: hole.start()])
                and (verb := _VERB.match(phrase, at))
            ):
                parts.append(self._linked(word, path, f" {english.of_several(verb[1])}"))
                at = verb.end()
        parts.append(self._linked(word, path, phrase[at:]))
        return "".join(parts) + (f" (where {english.listed(behind)})" if behind else "")

    def _is_several(self, told: str) -> bool:
        """Return whether these words name somebody besides the players who is several."""
        words = plain(told).lower()
        titles = (one.title.lower() for one in self.ruleset.neutrals.values())
        return words.endswith("s") and words in titles

    def _numbers(self, path: str) -> set[str]:
        """The parameters of a value or procedure that are numbers."""
        declared = self.ruleset.values.get(path) or self.ruleset.procedures.get(path)
        params = declared.params if declared is not None else ()
        return {one.name for one in params if one.type.name == "int"}

    def _linked(self, word: str, path: str, text: str) -> str:
        inner = text.strip()
        if not word or not any(letter.isalpha() for letter in inner):
            return text
        lead = text[: len(text) - len(text.lstrip())]
        return f"{lead}{self.refer(word, path, inner)}{text[len(text.rstrip()) :]}"

    def refer(self, word: str, path: str, text: str) -> str:
        """Words that stand for a declaration; the key of an order is in its order, the field of a
        bundle in its bundle."""
        order = path.rpartition(".")[0]
        if word == "value" and path in getattr(self.ruleset.orders.get(order), "keys", ()):
            return reference("order", order, text)
        if word == "attribute" and (bundle := bundle_of(self.ruleset.bundles, path)):
            return reference("bundle", bundle.id, text)
        return reference(word, path, text)

    # ---- expressions ----------------------------------------------------------------------------

    def noun(self, expr: Any) -> str:
        """An expression as something that can be spoken of."""
        if type(expr) is Op:
            say = OPERATIONS.get(expr.op) or (_yes_or_no if expr.type.name == "bool" else None)
            return say(self, expr) if say else self.own_text(expr)
        say = NOUNS.get(type(expr))
        return say(self, expr) if say else self.own_text(expr)

    def clause(self, expr: Expr, so: bool = True) -> str:
        """A condition as a clause: that it is so, or not."""
        key = expr.op if isinstance(expr, Op) else type(expr)
        if key in CLAUSES:
            return CLAUSES[key](self, expr, so)
        return f"{self.noun(expr)} is {'' if so else 'not '}so"

    def own_text(self, node: Any) -> str:
        """The text of the rule, where no words are known."""
        return code(self.printer.text(node))

    def order(self, order: OrderRef | None) -> str:
        """` in the order of …`, or nothing."""
        if order is None:
            return ""
        declared = self.ruleset.orders[order.order]
        said = self.phrase(order.order)
        given = zip(declared.params, order.args, strict=False)
        names = {param.name: self.noun(arg) for param, arg in given}
        if said is not None:
            return f" {self.spoken('order', order.order, said.title, names)}"
        title = declared.title or english.words(declared.id)
        return f" in the order “{reference('order', order.order, title)}”"

    def where(self, condition: Expr | None, word: str = "where") -> str:
        return "" if condition is None else f" {word} {self.clause(condition)}"


def _yes_or_no(speaker: Speaker, expr: Op) -> str:
    return f"whether {speaker.clause(expr)}"
