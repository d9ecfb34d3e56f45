"""A whole ruleset as one text: what a stack of packs amounts to, after all amendments."""

from collections.abc import Iterator
from typing import Any

from ziggurat.dsl.declared import RULE, declarations, declaring_words
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.layout import Line, lay_out
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel import Ruleset, plain_attributes


def ruleset_text(ruleset: Ruleset) -> str:
    """Every declaration as text; linked again, it is the same ruleset."""
    page = Declarations(ruleset, Printer(Lexicon.of(ruleset)))
    return "".join(f"{lay_out(lines)}\n\n" for lines in _everything(ruleset, page))


def declaration_texts(ruleset: Ruleset) -> dict[tuple[str, str], str]:
    """The text of each declaration as the stack leaves it, by the word that declares it and its
    id; of advice and scenarios there is none."""
    page = Declarations(ruleset, Printer(Lexicon.of(ruleset)))
    found: dict[tuple[str, str], str] = {}
    for word in declaring_words(ruleset):
        for one in () if word in ("advice", "scenario", "open") else declarations(ruleset, word):
            lines = page.rule(one.node) if word == RULE else page.lines(one.node)
            found[word, one.id] = lay_out(lines)
    return found


def _everything(ruleset: Ruleset, page: Declarations) -> Iterator[list[Line]]:
    kinds, cards, pieces = ruleset.kinds, ruleset.cards, (ruleset.pieces, ruleset.piece_groups)
    settings = plain_attributes(ruleset), ruleset.bundles, ruleset.options
    tables: list[Any] = [kinds, cards, *pieces, ruleset.places, ruleset.neutrals, *settings]
    for table in tables:
        yield from (page.lines(one) for one in table.values() if not getattr(one, "kind", ""))
    keys = page.index.order_keys
    yield from _alone(page, {key: one for key, one in ruleset.values.items() if key not in keys})
    yield from _alone(page, ruleset.orders)
    yield from (page.lines(one) for things in ruleset.things.values() for one in things.values())
    yield from map(page.rule, page.index.rules())
    yield from _alone(page, ruleset.procedures)
    yield from map(page.lines, ruleset.phases.values())
    yield from _alone(page, ruleset.actions)
    boards = ruleset.covers, ruleset.maps, ruleset.marks
    for table in (ruleset.turns, *boards, ruleset.phrases, ruleset.chapters):
        yield from map(page.lines, table.values())


def _alone(page: Declarations, table: dict[str, Any]) -> Iterator[list[Line]]:
    """The declarations that stand in no thing."""
    return (page.lines(one) for one in table.values() if page.index.home_of(one) is None)
