"""Amendments: what a later pack makes of earlier ones."""

from pathlib import Path
from typing import Any

import pytest

from tests.dsl.linked import BASE, codes, link_text
from ziggurat.dsl import ir, load
from ziggurat.dsl.ir import Ruleset
from ziggurat.dsl.packs import Search
from ziggurat.dsl.report import human_text


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def fields(ruleset: Ruleset, kind: str, thing: str) -> dict[str, Any]:
    return {one.field: one.value for one in ruleset.things[kind][thing].values}


def labels(body: ir.Body) -> list[str]:
    return [one.label for one in body if isinstance(one, ir.Step)]


def test_a_field_is_set_and_knows_who_set_it() -> None:
    ruleset = linked("\namend skill pottery { cost: 40 }")
    cost = ruleset.things["skill"]["pottery"].values[0]
    assert (cost.value, cost.origin, cost.at.file, cost.at.line) == (
        40,
        "game",
        "game/game.rules",
        2,
    )


def test_relative_changes_add_up_whatever_their_order() -> None:
    text = """#### pack first extends base
amend skill pottery { cost +10 }
#### pack second extends base
amend skill pottery { cost -3 }
"""
    assert fields(linked(text), "skill", "pottery")["cost"] == 37


def test_a_relative_change_of_a_default() -> None:
    assert fields(linked("amend good iron { price +2 }"), "good", "iron")["price"] == 3


def test_a_later_pack_has_the_last_word() -> None:
    text = """#### pack first extends base
amend skill pottery { cost: 40 }
#### pack second extends first
amend skill pottery { cost: 50 }
"""
    assert fields(linked(text), "skill", "pottery")["cost"] == 50


def test_clauses_are_added_and_removed() -> None:
    text = """#### pack first extends base
amend skill pottery { modify reach(holder) by +1 }
#### pack second extends first
amend skill pottery {
  remove modify reach
  modify reach(holder) by +2
}
"""
    (clause,) = linked(text).values["reach"].contributions
    assert clause.amount == ir.Lit(2, ir.Type("int"))


def test_steps_are_replaced_inserted_renamed_and_removed() -> None:
    text = """#### pack first extends base
amend procedure lose {
  replace step pay { say "{n} less." }
  insert step before_all { say "First." } before pay
  insert step after_all { say "Last." } after tell
}
#### pack second extends first
amend procedure lose {
  remove step tell
  rename step pay to paid
}
"""
    body = linked(text).procedures["lose"].body
    assert labels(body) == ["before_all", "paid", "after_all"]
    paid = body[1]
    assert isinstance(paid, ir.Step)
    assert paid.path == "lose.paid"
    assert paid.body[0].at.file == "first/first.rules"


def test_a_step_deep_inside_a_stage_is_found() -> None:
    text = """#### pack first extends base
phase feast { each player p { if p.fame > 1 { step toast { say "Cheers." } } } }
#### pack second extends first
amend phase feast { replace step toast { say "{p}!" } }
"""
    branch = linked(text).phases["feast"].stages[0].body[0]
    assert isinstance(branch, ir.If)
    step = branch.then[0]
    assert isinstance(step, ir.Step)
    assert isinstance(step.body[0], ir.Say)
    assert step.body[0].text.parts[1] == "!"


def test_the_base_of_a_value() -> None:
    text = "amend value reach { base: 5 }\namend value drought.harm { base +1 }"
    values = linked(text).values
    assert values["reach"].base == ir.Lit(5, ir.Type("int"))
    harm = values["drought.harm"].base
    assert isinstance(harm, ir.Op)
    assert harm.op == "+"


def test_what_options_and_attributes_begin_with() -> None:
    ruleset = linked("amend option long_game { default: yes }\namend attribute fame { default: 3 }")
    assert ruleset.options["long_game"].default is True
    assert ruleset.attributes["player.fame"].default == ir.Lit(3, ir.Type("int"))


def test_phases_of_a_turn() -> None:
    text = """#### pack first extends base
phase feast { once { say "Feast." } }
phase rest { once { say "Rest." } }
turn main { start: feast   phases: play, rest }
#### pack second extends first
amend turn main {
  insert feast before rest
  remove phase play
}
"""
    turn = link_text(text).ruleset
    assert turn is not None
    assert (turn.turns["main"].start, turn.turns["main"].phases) == (("feast",), ("feast", "rest"))


def test_replace_keeps_the_place_and_takes_everything_else_anew() -> None:
    text = """replace woe drought "Great drought" {
  copies: 3
  value harm(p: player): int = 9
  strike { lose(victim, harm(victim)) }
}"""
    ruleset = linked(text)
    assert list(ruleset.things["woe"]) == ["drought"]
    assert ruleset.things["woe"]["drought"].title == "Great drought"
    assert ruleset.values["drought.harm"].base == ir.Lit(9, ir.Type("int"))


def test_remove_takes_all_that_stands_inside() -> None:
    ruleset = linked("remove woe drought")
    assert ruleset.things["woe"] == {}
    assert "drought.harm" not in ruleset.values


def test_rename_is_understood_in_earlier_packs() -> None:
    text = """#### pack first extends base
skill trade "Trade" {
  cost: 5
  needs_first: pottery
  modify drought.harm(holder) by -1
}
#### pack second extends first
rename skill pottery to ceramics
rename woe drought to dry_year
"""
    ruleset = linked(text)
    assert fields(ruleset, "skill", "trade")["needs_first"] == "skill.ceramics"
    assert len(ruleset.values["dry_year.harm"].contributions) == 1


def test_a_kind_gets_a_field_of_another_pack() -> None:
    text = "amend kind skill { level: int = 1 }\namend skill pottery { level: 2 }"
    ruleset = linked(text)
    assert fields(ruleset, "skill", "pottery")["level"] == 2


def test_a_thing_gets_a_declaration_of_another_pack() -> None:
    text = "amend woe drought { value depth(p: player): int = harm(p) }"
    assert "drought.depth" in linked(text).values


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("amend skill pottery { cost: 4 }", "amend skill pottery { cost +1 }"),
        ("amend skill sailing { cost: 4 }", "remove skill sailing"),
        ("amend value reach { base: 4 }", "amend value reach { base: 3 }"),
        ("replace value reach(p: player): int = 3", "amend value reach { base: 4 }"),
        ("amend woe drought { strike { stop } }", "amend woe drought { strike { stop } }"),
        ("amend skill sailing { remove field cost }", "replace skill sailing { cost: 1 }"),
        ("rename skill sailing to boats", "amend skill sailing { cost: 4 }"),
        (
            "amend skill sailing { remove field needs_first }",
            "amend skill sailing { needs_first: none }",
        ),
        (
            "amend skill sailing { needs_first: none }",
            "amend skill sailing { remove field needs_first }",
        ),
    ],
)
def test_packs_without_an_order_may_not_change_the_same(first: str, second: str) -> None:
    text = f"#### pack first extends base\n{first}\n#### pack second extends base\n{second}\n"
    assert set(codes(text)) & {"Z404", "Z402"}
    assert len(codes(text)) == 1


REMOVES = "amend skill pottery { remove modify reach }"
ADDS = "amend skill pottery { modify reach(holder) by +5 }"


@pytest.mark.parametrize(("first", "second"), [(REMOVES, ADDS), (ADDS, REMOVES)])
def test_removing_a_clause_that_an_unrelated_pack_adds(first: str, second: str) -> None:
    """Which of them is read first is an accident, and would decide whether the new one stays."""
    game = "amend skill pottery { modify reach(holder) by +1 }\n"
    text = f"{game}#### pack first extends game\n{first}\n#### pack second extends game\n{second}\n"
    (finding,) = link_text(text).diagnostics
    assert finding.code == "Z404"
    assert finding.span is not None
    assert [finding.span.source.pack, *(n.span.source.pack for n in finding.notes if n.span)] == [
        "second",
        "first",
    ]
    assert codes(text.replace("second extends game", "second extends first")) == []


def test_the_clash_shows_both_places_on_disk(tmp_path: Path) -> None:
    """Packs in a stack are in an order of reading, which is no order between them."""
    for name, needs, text in (
        ("game", "", BASE),
        ("first", '"game"', "amend skill pottery { cost: 40 }\n"),
        ("second", '"game"', "# mine\namend skill pottery { cost: 50 }\n"),
        ("third", '"first"', "amend skill pottery { cost: 60 }\n"),
    ):
        (tmp_path / name).mkdir()
        manifest = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\nextends = [{needs}]\n'
        (tmp_path / name / "pack.toml").write_text(manifest)
        (tmp_path / name / f"{name}.rules").write_text(text)
    search = Search((tmp_path,))
    for stack in ("game+first+second", "game+second+first"):
        shown = human_text(load(stack, search).diagnostics)
        assert shown.count("error[Z404]") == 1
        assert "amend skill pottery { cost: 40 }" in shown
        assert "amend skill pottery { cost: 50 }" in shown
    assert load("game+first+third", search).diagnostics == ()
