"""Fields of pieces and of owners: declared once, said by each, read where rules need them."""

from tests.dsl.linked import link_text
from ziggurat.runtime.kernel import Expr, Ruleset

GAME = """
amend piece man { weight: 1 }
amend piece house { weight: 5 }
amend piece folk { weight: int  heavy: bool = no }
amend neutral wild { rank: 9 }
"""


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def base_of(expression: str, type_: str = "int", more: str = GAME) -> Expr:
    text = f"{more}\nvalue probe(p: player, o: owner): {type_} = {expression}"
    return linked(text).values["probe"].base


def test_what_pieces_count_is_written_out() -> None:
    meant = base_of("count(man of p on board) + 5 * count(house of p on board)")
    assert base_of("sum(weight of folk of p on board)") == meant
    assert base_of("sum(weight of house of p on board)") == base_of(
        "5 * count(house of p on board)"
    )
    assert base_of("sum(weight of ready man of p)") == base_of("count(ready man of p)")


def test_a_field_of_a_piece_can_be_read() -> None:
    assert base_of("house.weight") == base_of("5")
    assert base_of("house.heavy", "bool") == base_of("no", "bool")


def test_a_variant_changes_what_a_piece_counts() -> None:
    changed = f"{GAME}#### pack second extends game\namend piece house {{ weight +1 }}\n"
    text = "sum(weight of house of p on board)"
    assert base_of(text, more=changed) == base_of("6 * count(house of p on board)")


def test_a_field_of_the_seat_kind_is_read_of_every_owner() -> None:
    meant = "9 if o is wild else player(o).rank"
    assert base_of("o.rank") == base_of(meant)
    assert base_of("wild.rank") == base_of("9")
