"""Rulesets for commands: loaded, or shown to be broken; and their declarations by name."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from ziggurat import dsl
from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.ir import At, Meta, Ruleset
from ziggurat.dsl.loading import LoadResult
from ziggurat.dsl.report import render_human
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.options import search_path

# The words of the language itself, and where a ruleset keeps what they declare.
TABLES = {
    "kind": "kinds", "piece": "pieces", "place": "places", "cards": "cards", "neutral": "neutrals",
    "attribute": "attributes", "option": "options", "value": "values", "order": "orders",
    "procedure": "procedures", "phase": "phases", "action": "actions", "turn": "turns",
    "advice": "advice", "scenario": "scenarios", "map": "maps", "mark": "marks",
}  # fmt: skip
RULE = "rule"


@attrs.frozen
class Declared:
    """One declaration of a ruleset under the word that declares it."""

    word: str
    id: str
    node: Any

    @property
    def title(self) -> str:
        return str(getattr(self.node, "title", ""))

    @property
    def meta(self) -> Meta:
        found: Meta = getattr(self.node, "meta", Meta())
        return found

    @property
    def at(self) -> At:
        found: At = self.node.at
        return found


def loaded(stack: str, folders: tuple[Path, ...]) -> Ruleset:
    """The ruleset of a stack. Broken packs are shown, and then there is nothing to work with."""
    return whole(dsl.load(stack, search_path(folders)), stack)


def whole(result: LoadResult, stack: str) -> Ruleset:
    """The ruleset that was loaded; without one its findings are printed."""
    if result.ruleset is None:
        render_human(result.diagnostics, console())
        raise UsageError(f"`{stack}` cannot be used before that is mended.")
    return result.ruleset


def title_of(ruleset: Ruleset) -> str:
    """The titles of the packs that were asked for, without those they build on."""
    asked = {Path(part).name for part in ruleset.stack.split("+")}
    titles = [pack.title for pack in ruleset.packs if pack.id in asked]
    return " + ".join(titles) or ruleset.stack


def words(ruleset: Ruleset) -> list[str]:
    """Every word that declares something in this ruleset."""
    return [*TABLES, RULE, *ruleset.kinds]


def word_of(ruleset: Ruleset, written: str) -> str:
    """A word of the language or a kind, in the singular or the plural."""
    plurals = {f"{word}s": word for word in (*TABLES, RULE)}
    plurals |= {kind.plural: kind.id for kind in ruleset.kinds.values()}
    known = words(ruleset)
    if written in known or written in plurals:
        return plurals.get(written, written)
    advice = did_you_mean(written, (*known, *plurals)) or f"There are: {', '.join(known)}."
    raise UsageError(f"nothing is declared as `{written}`. {advice}")


def declarations(ruleset: Ruleset, word: str) -> Iterator[Declared]:
    """All declarations of one word, in link order."""
    if word in ruleset.kinds:
        for thing in ruleset.things[word].values():
            yield Declared(word, thing.id, thing)
        return
    if word == RULE:
        from ziggurat.dsl.printing.index import Index

        for home in Index(ruleset).rules():
            yield Declared(word, home.id, home)
        return
    table = getattr(ruleset, TABLES[word])
    keys = {key for order in ruleset.orders.values() for key in order.keys}
    for node in table.values() if isinstance(table, Mapping) else table:
        id_ = node.target if word == "advice" else node.id
        if word != "value" or id_ not in keys:
            yield Declared(word, id_, node)


def spoken(at: At) -> str:
    return f"{at.file}:{at.line}"
