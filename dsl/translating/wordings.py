"""All that people read in a ruleset: found, and said in other words."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel.description import FORMS, fields_of
from ziggurat.runtime.kernel.forms.speech import Agreement, Text
from ziggurat.runtime.kernel.nodes import NOWHERE, At, Expr
from ziggurat.runtime.kernel.ruleset import Ruleset

# The parts of a ruleset with words for players, and how what is declared there is called.
SECTIONS = {
    "packs": "pack", "kinds": "kind", "things": "", "pieces": "piece", "piece_groups": "piece",
    "places": "place", "cards": "cards", "neutrals": "neutral", "attributes": "attribute",
    "options": "option", "values": "value", "procedures": "procedure", "phases": "phase",
    "actions": "action", "turns": "turn", "maps": "map", "marks": "mark", "questions": "question",
    "clarifications": "clarification", "chapters": "chapter", "covers": "cover",
}  # fmt: skip
WORDS = ("title", "reason", "prompt", "text", "others")
HOLE = re.compile(r"\{([^{}]*)\}")
# What to say instead of a wording, given what it belongs to: another one, or none to keep it.
Say = Callable[["Wording"], "Text | str | None"]


@attrs.frozen
class Wording:
    """A text of the rules as translators see it, with holes as they are written. `context` is what
    it belongs to (`trick boots`), `origin` the pack that says it."""

    context: str
    text: str
    origin: str
    at: At
    holes: dict[str, Expr] = attrs.field(eq=False, repr=False, factory=dict)


def wordings(ruleset: Ruleset) -> Iterator[Wording]:
    """Everything people read, each once."""
    seen: dict[tuple[str, str], Wording] = {}

    def keep(wording: Wording) -> None:
        seen.setdefault((wording.context, wording.text), wording)

    reworded(ruleset, keep)
    yield from seen.values()


def reworded(ruleset: Ruleset, say: Say) -> Ruleset:
    """The same rules in other words. What is said in the words it had stays the very same."""
    printer = Printer(Lexicon.of(ruleset))
    changed: dict[str, Any] = {}
    for section, word in SECTIONS.items():
        old = getattr(ruleset, section)
        if section == "packs":
            new: Any = tuple(_Words(f"{word} {one.id}", printer, say).of(one) for one in old)
        elif section == "things":
            new = {kind: _page(page, kind, printer, say) for kind, page in old.items()}
        else:
            new = _page(old, word, printer, say)
        changed[section] = new
    return attrs.evolve(ruleset, **changed)


def _page(page: dict[str, Any], word: str, printer: Printer, say: Say) -> dict[str, Any]:
    return {id_: _Words(f"{word} {id_}", printer, say).of(one) for id_, one in page.items()}


class _Words:
    """Goes through one declaration."""

    def __init__(self, context: str, printer: Printer, say: Say) -> None:
        self.context, self.printer, self.say = context, printer, say
        self.origin, self.at = "", NOWHERE

    def of(self, node: Any) -> Any:
        if type(node) is tuple:
            new = tuple(map(self.of, node))
            return node if all(a is b for a, b in zip(new, node, strict=True)) else new
        if type(node) is dict:
            return {key: self.of(one) for key, one in node.items()}
        if type(node) not in FORMS:
            return node
        self._place(node)
        changed = {name: self._said(getattr(node, name)) for name in WORDS if hasattr(node, name)}
        for name in fields_of(type(node)):
            if name not in changed:
                changed[name] = self.of(getattr(node, name))
        changed = {name: new for name, new in changed.items() if new is not getattr(node, name)}
        return attrs.evolve(node, **changed) if changed else node

    def _place(self, node: Any) -> None:
        self.at = getattr(node, "at", NOWHERE) if self.at == NOWHERE else self.at
        meta = getattr(node, "meta", None)
        if not self.origin:
            self.origin = (meta.origin if meta else "") or self.at.file.partition("/")[0]

    def _said(self, old: Any) -> Any:
        if isinstance(old, str):
            text, holes = old, dict[str, Expr]()
        elif isinstance(old, Text):
            text, holes = self._written(old)
        else:
            return old
        if not text.strip():
            return old
        new = self.say(Wording(self.context, text, self.origin, self.at, holes))
        if new is None or isinstance(old, str):
            return old if new is None else str(new)
        return new if isinstance(new, Text) else Text((new,))

    def _written(self, text: Text) -> tuple[str, dict[str, Expr]]:
        """A sentence as it is written, and what each of its holes stands for."""
        out: list[str] = []
        holes: dict[str, Expr] = {}
        for part in text.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            written = self.printer.text(part)
            of = part.of if isinstance(part, Agreement) else part
            holes[written.partition("|")[0]] = of
            out.append(f"{{{written}}}")
        return "".join(out), holes
