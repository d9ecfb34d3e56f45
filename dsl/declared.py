"""What a ruleset declares, by the words that declare it."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ziggurat.runtime.kernel import At, Meta, Ruleset, plain_attributes

# The words of the language itself, and where a ruleset keeps what they declare.
TABLES = {
    "kind": "kinds", "piece": "pieces", "place": "places", "cards": "cards", "neutral": "neutrals",
    "attribute": "attributes", "bundle": "bundles", "option": "options", "value": "values",
    "order": "orders", "procedure": "procedures", "phase": "phases", "action": "actions",
    "turn": "turns", "advice": "advice", "scenario": "scenarios", "map": "maps", "mark": "marks",
    "open": "open_places", "question": "questions", "clarification": "clarifications",
    "phrase": "phrases", "chapter": "chapters", "cover": "covers",
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


def declaring_words(ruleset: Ruleset) -> list[str]:
    """Every word that declares something in this ruleset."""
    return [*TABLES, RULE, *ruleset.kinds]


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
    table: Any = (
        plain_attributes(ruleset) if word == "attribute" else getattr(ruleset, TABLES[word])
    )
    keys = {key for order in ruleset.orders.values() for key in order.keys}
    for node in table.values() if isinstance(table, Mapping) else table:
        id_ = node.target if word == "advice" else node.id
        if word != "value" or id_ not in keys:
            yield Declared(word, id_, node)
