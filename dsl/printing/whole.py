"""A whole ruleset as one text: what a stack of packs amounts to, after all amendments."""

from collections.abc import Iterator

from ziggurat.dsl.ir import Ruleset
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.expressions import Teller
from ziggurat.dsl.printing.layout import Line, lay_out
from ziggurat.dsl.printing.lexicon import Lexicon


def ruleset_text(ruleset: Ruleset) -> str:
    """Every declaration in words; linked again, it is the same ruleset."""
    declarations = Declarations(ruleset, Teller(Lexicon.of(ruleset)))
    return "".join(f"{lay_out(lines)}\n\n" for lines in _everything(ruleset, declarations))


def _everything(ruleset: Ruleset, tell: Declarations) -> Iterator[list[Line]]:
    yield from (tell.kind(one) for one in ruleset.kinds.values())
    yield from (tell.cards(one) for one in ruleset.cards.values())
    yield from (tell.piece(one) for one in ruleset.pieces.values())
    yield from (tell.piece_group(one) for one in ruleset.piece_groups.values())
    yield from (tell.place(one) for one in ruleset.places.values())
    yield from (tell.neutral(one) for one in ruleset.neutrals.values())
    yield from (tell.attribute(one) for one in ruleset.attributes.values())
    yield from (tell.option(one) for one in ruleset.options.values())
    home_of, keys = tell.index.home_of, tell.index.order_keys
    for value in ruleset.values.values():
        if value.id not in keys and home_of(value) is None:
            yield tell.value(value)
    yield from (tell.order(one) for one in ruleset.orders.values() if home_of(one) is None)
    yield from (tell.thing(one) for page in ruleset.things.values() for one in page.values())
    yield from (tell.rule(home) for home in tell.index.rules())
    yield from (tell.procedure(one) for one in ruleset.procedures.values() if home_of(one) is None)
    yield from (tell.phase(one) for one in ruleset.phases.values())
    yield from (tell.action(one) for one in ruleset.actions.values() if home_of(one) is None)
    yield from (tell.turn(one) for one in ruleset.turns.values())
    yield from (tell.map(one) for one in ruleset.maps.values())
    yield from (tell.mark(one) for one in ruleset.marks.values())
