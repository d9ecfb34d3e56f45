"""What there is to say about a name: what it is, what it takes and gives, where it stands in the
rulebook, who changes it."""

from typing import Any

import attrs

from ziggurat.dsl.declared import Declared
from ziggurat.dsl.linking.mentions import BODY, FIELD, LOCAL
from ziggurat.dsl.linking.named import Names
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.dsl.survey import comment_at, decision_points, signature
from ziggurat.runtime.kernel.nodes import At

_PAGES = {
    "kind": "kinds", "piece": "pieces", "place": "places", "cards": "cards", "neutral": "neutrals",
    "attribute": "attributes", "bundle": "bundles", "option": "options", "value": "values",
    "order": "orders", "procedure": "procedures", "phase": "phases", "action": "actions",
    "turn": "turns", "map": "maps", "mark": "marks", "question": "questions",
    "clarification": "clarifications", "cover": "covers",
}  # fmt: skip


@attrs.frozen
class Change:
    """A clause or a trigger that changes something, in its own words, and where it stands."""

    by: str
    text: str
    at: At


@attrs.frozen
class Description:
    """`head` is what is declared, on one line; `value` what it is to begin with, as written;
    `cites` the places of the rulebook; `comment` what its author says beside it."""

    head: str
    title: str = ""
    value: str = ""
    cites: str = ""
    comment: str = ""
    at: At | None = None
    changes: tuple[Change, ...] = ()


def described(names: Names, word: str, path: str) -> Description | None:
    """What can be said of a name; None if nothing can."""
    if word == LOCAL:
        return None
    if word in (FIELD, BODY):
        return _part_of_kind(names, word, path)
    if word == "decision":
        return _decision(names, path)
    node = _node(names, word, path)
    if node is None:
        return _bare(names, word, path)
    one = Declared(word, path, node)
    takes, gives = signature(names.ruleset, one)
    head = f"{word} {path}" + (f"({takes})" if takes else "") + (f": {gives}" if gives else "")
    cites = ", ".join(f"{cite.source} {cite.place}" for cite in one.meta.cites)
    return Description(
        head, one.title, _begins(names, node), cites, _comment(names, one.at), one.at,
        tuple(_changes(names, node)),
    )  # fmt: skip


def changes_of(names: Names, word: str, path: str) -> tuple[Change, ...]:
    """The clauses and triggers that others bring to a value, a procedure or a phase."""
    node = _node(names, word, path)
    return tuple(_changes(names, node)) if node is not None else ()


def _node(names: Names, word: str, path: str) -> Any:
    ruleset = names.ruleset
    if word in ruleset.things:
        return ruleset.things[word].get(path)
    if word == "scenario":
        return next((one for one in ruleset.scenarios if one.id == path), None)
    page = getattr(ruleset, _PAGES[word]) if word in _PAGES else {}
    if word == "piece" and path not in page:
        page = ruleset.piece_groups
    return page.get(path)


def _begins(names: Names, node: Any) -> str:
    """What a value is before anything changes it, and what a thing says of itself, as written."""
    base = getattr(node, "base", None)
    if base is not None:
        return "" if base.at.line == 0 else Printer(Lexicon.of(names.ruleset)).text(base)
    values = getattr(node, "values", ())
    return ", ".join(f"{one.field} {_plain(one.value)}" for one in values if _plain(one.value))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(_plain, value))
    return str(value).partition(".")[2] or str(value) if isinstance(value, str) else str(value)


def _changes(names: Names, node: Any) -> list[Change]:
    found: list[Change] = []
    for one in (*getattr(node, "contributions", ()), *getattr(node, "triggers", ())):
        source = names.source(one.at.file)
        text = source.line(one.at.line).strip().rstrip("{").rstrip() if source else one.path
        found.append(Change(one.thing.rpartition(".")[2], text, one.at))
    return found


def _comment(names: Names, at: At) -> str:
    source = names.source(at.file)
    return " ".join(comment_at(source.lines, at)) if source is not None else ""


def _part_of_kind(names: Names, word: str, path: str) -> Description | None:
    kind, _, name = path.partition(".")
    found = names.ruleset.kinds.get(kind)
    write = Lexicon.of(names.ruleset).type
    for field in found.fields if found is not None and word == FIELD else ():
        if field.name == name:
            printer = Printer(Lexicon.of(names.ruleset))
            default = printer.text(field.default) if field.default else ""
            head = f"{name}: {write(field.type)} of {kind}"
            return Description(head, "", default, "", _comment(names, field.at), field.at)
    for body in found.bodies if found is not None and word == BODY else ():
        if body.name == name:
            takes = ", ".join(f"{one.name}: {write(one.type)}" for one in body.params)
            gives = f": {write(body.type)}" if body.type else ""
            return Description(f"body {name}({takes}){gives} of {kind}")
    return None


def _decision(names: Names, path: str) -> Description | None:
    for point in decision_points(names.ruleset):
        if point.path == path:
            return Description(f"{point.verb} {path} by {point.by}", point.prompt, at=point.at)
    return None


def _bare(names: Names, word: str, path: str) -> Description | None:
    """What is not in the ruleset as such: packs, sources, labelled steps, rules."""
    for pack in names.world.stack.packs:
        if word == "pack" and pack.id == path:
            return Description(f"pack {path} {pack.version}", pack.title, "", "", pack.notes)
        if word == "source" and path in pack.sources:
            return Description(f"source {path}", pack.sources[path])
    decl = names.find(word, path)
    if decl is not None:
        return Description(decl.spoken, decl.title)
    if word == "step":
        return Description(f"step {path}", names.world.steps.get(path, ""))
    return None
