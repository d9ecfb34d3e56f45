"""Where a name that a test gives is seen, and what stands for it in the ruleset."""

import pytest

from tests.dsl.linked import codes, link_text
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel import Ruleset


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


@pytest.mark.parametrize(
    "seen",
    [
        "any(o in owners where o is player p and p.fame > 3)",
        "every(o in owners has o is player p and p.fame > 3)",
        "wild is player p and p.fame > 3 and p.fame < 9",
        "yes if wild is player p and p.fame > 3 else wild is player p and p.fame > 4",
        "3 in {p.fame for o in owners where o is player p}",
        "(wild is player p and p.fame > 3) or (wild is player p and p.fame < 3)",
        "wild is player _p and yes",
    ],
)
def test_a_name_is_seen_where_the_test_has_succeeded(seen: str) -> None:
    assert codes(f"value probe(): bool = {seen}") == []


@pytest.mark.parametrize(
    ("unseen", "found"),
    [
        ("wild is player p or p.fame > 3", ["Z329", "Z201"]),
        ("not (wild is player p and p.fame > 3) or p.fame > 3", ["Z201"]),
        ("p.fame > 3 and wild is player p", ["Z201", "Z513"]),
        ("yes if wild is player p else p.fame > 3", ["Z201", "Z513"]),
        ("wild is player p and wild is player p", ["Z214", "Z513", "Z513"]),
        ("{o in owners where o is player p} is {} and p.fame > 3", ["Z201", "Z513"]),
        ("may_enter(first(q in players), north) == (wild is player p)", ["Z329"]),
    ],
)
def test_a_name_is_not_seen_elsewhere(unseen: str, found: list[str]) -> None:
    assert sorted(codes(f"value probe(): bool = {unseen}")) == sorted(found)


def test_a_name_ends_with_its_block() -> None:
    after = "procedure go(o: owner) { if o is player p { lose(p, 1) } else { lose(p, 1) } }"
    assert codes(after) == ["Z201"]
    assert codes("procedure go(o: owner) { if o is player p { let p = wild } }") == [
        "Z513",
        "Z214",
        "Z513",
    ]
    assert codes(
        "procedure go(o: owner) { if o is player p { lose(o, p.fame) }\n lose(p, 1) }"
    ) == ["Z201"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("if o is player p { lose(p, 1) }", "if o is player p { lose(p, 1) }"),
        (
            "if n > 1 and o is player p { lose(p, 1) }",
            "if n > 1 and o is player { let p = player(o) lose(p, 1) }",
        ),
        (
            "if o is player p and p.fame > n { lose(o, 1) }",
            "if o is player and player(o).fame > n { lose(o, 1) }",
        ),
        (
            "for each x in owners where x is player p { lose(p, n) }",
            "for each x in owners where x is player { let p = player(x) lose(p, n) }",
        ),
    ],
)
def test_what_is_told_means_the_same(written: str, told: str) -> None:
    procedure = "procedure go(o: owner, n: int) {{ {} }}"
    body = linked(procedure.format(written)).procedures["go"].body
    printer = Printer(Lexicon.of(linked("")))
    lines = " ".join(line.text.strip() for line in printer.block(body))
    assert lines == told.replace(" }", "")
    retold = told.replace("let p", "\nlet p").replace(") lose", ")\nlose")
    assert linked(procedure.format(retold)).procedures["go"].body == body


def test_a_holder_is_a_player() -> None:
    value = "value cost_of(o: owner): int = 1\n"
    clause = "amend skill pottery { modify cost_of(holder) by +holder.fame }"
    assert codes(value + clause) == []


def test_an_empty_set_may_become_one_of_owners() -> None:
    assert (
        codes("procedure go() { let s = {}\n let s = owners\n for each o in s { lose(o, 1) } }")
        == []
    )


def test_advice_sees_what_was_found_out() -> None:
    advice = "advice walk { prefer q.fame when first(o in owners where o is not p) is player q }"
    assert codes(advice) == []


def test_what_owners_and_players_have_in_common_are_players() -> None:
    assert codes("value both(): set of player = common(owners, players)") == []
    assert codes("value both(): set of player = common(players, owners)") == []
