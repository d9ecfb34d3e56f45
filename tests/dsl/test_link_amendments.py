"""Amendments: what a later pack makes of earlier ones."""

from pathlib import Path
from typing import Any

import pytest

from tests.dsl.linked import BASE, codes, link_text
from ziggurat.dsl import load
from ziggurat.dsl.packs import Search
from ziggurat.dsl.report_text import human_text
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import Ruleset
from ziggurat.runtime.kernel.walking import walk


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


def test_what_is_replaced_inside_a_thing_is_still_for_its_holders() -> None:
    text = """#### pack first extends base
amend skill pottery {
  action bake "Bake" in play by p () { take this from p }
}
#### pack second extends first
replace action pottery.bake "Fire" in play by p () { take this from p }
#### pack third extends second
remove skill pottery
"""
    first, _, third = text.partition("#### pack third")
    actions = linked(first).actions
    assert (actions["pottery.bake"].title, actions["pottery.bake"].thing) == (
        "Fire",
        "skill.pottery",
    )
    assert "pottery.bake" not in linked(f"{first}#### pack third{third}").actions


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


def test_a_renamed_thing_is_found_beside_one_of_another_kind_with_its_old_name() -> None:
    text = """#### pack first extends base
woe pottery "Broken pots" { copies: 1 }
value dear(s: skill): bool = s.cost > 9
value potters_pay(): bool = dear(pottery)
#### pack second extends first
rename skill pottery to ceramics
"""
    base = linked(text).values["potters_pay"].base
    named = [one for one in walk(base) if isinstance(one, ir.ThingRef)]
    assert [(one.kind, one.id) for one in named] == [("skill", "ceramics")]


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


# ---- taking away --------------------------------------------------------------------------------


def notes(text: str, base: str = BASE) -> list[str]:
    return [one.message for one in link_text(text, base).diagnostics if one.is_note]


SPEAKING = """#### pack first extends base
amend skill sailing { needs_first: none }
rule trade {
  modify reach(p) by +1 when p holds pottery or p.fame > 3
  modify reach(p) by +2 when not p holds pottery
  allow may_enter(p, west) when p holds pottery
}
procedure praise(p: player) {
  if p holds pottery { set p.fame = 9 } else { set p.fame = 1 }
}
value crafty(p: player): int = count(s in {pottery, sailing} where p holds s)
"""


def test_nobody_holds_what_was_removed_so_conditions_are_settled() -> None:
    ruleset = linked(SPEAKING + "#### pack second extends first\nremove skill pottery\n")
    first, second = ruleset.values["reach"].contributions
    assert isinstance(first.when, ir.Op)
    assert first.when.op == ">"
    assert second.when is None
    assert ruleset.values["may_enter"].contributions == ()
    (branch,) = ruleset.procedures["praise"].body
    assert isinstance(branch, ir.If)
    (kept,) = branch.then
    assert [part.value for part in walk(kept) if isinstance(part, ir.Lit)] == [1]
    listed = ruleset.values["crafty"].base
    assert isinstance(listed, ir.Loop)
    assert isinstance(listed.source, ir.Op)
    assert len(listed.source.args) == 1


def test_what_went_is_a_note_and_no_warning() -> None:
    found = link_text(SPEAKING + "#### pack second extends first\nremove skill pottery\n")
    assert [one.severity for one in found.diagnostics] == ["note"]
    assert notes(SPEAKING + "#### pack second extends first\nremove skill pottery\n") == [
        "Removing `skill pottery` takes along 1 clause, 3 conditions and 1 member."
    ]


def test_the_pack_that_removes_something_cannot_speak_of_it() -> None:
    text = SPEAKING + "#### pack second extends first\nremove skill pottery\n"
    assert codes(text + "rule own { modify reach(p) by +1 when p holds pottery }\n") == [
        "Z414",
        "Z201",
    ]


def test_several_things_are_removed_in_one_line() -> None:
    ruleset = linked("remove woe drought\nremove skill sailing, pottery\nremove good salt, iron")
    assert not ruleset.things["skill"]
    assert not ruleset.things["good"]


SCENARIO = """#### pack first extends base
scenario "All is well, or not?" {
  players red, blue
  expect { check round == 0 }
}
#### pack second extends first
"""


def test_a_scenario_is_removed_or_replaced_by_its_title() -> None:
    assert linked(SCENARIO + 'remove scenario "All is well, or not?"').scenarios == ()
    new = "{\n players red, blue\n expect { check round > 1 }\n}"
    (scenario,) = linked(f'{SCENARIO}replace scenario "All is well, or not?" {new}').scenarios
    assert scenario.at.file == "second/second.rules"


def test_advice_is_removed_and_goes_with_its_decision() -> None:
    text = """#### pack first extends base
advice walk { prefer 1 }
advice walk.target { prefer 2 }
#### pack second extends first
"""
    assert [one.target for one in linked(text + "remove advice walk").advice] == ["walk.target"]
    assert linked(text + "remove action walk").advice == ()


def test_an_action_goes_with_its_phase_and_a_phase_from_its_turn() -> None:
    text = """#### pack first extends base
phase feast { once { say "Feast." } }
turn main { phases: play, feast }
#### pack second extends first
remove phase play
"""
    result = link_text(text)
    assert result.ruleset is not None
    assert result.ruleset.turns["main"].phases == ("feast",)
    assert "walk" not in result.ruleset.actions


# ---- every block --------------------------------------------------------------------------------


def test_titles_and_texts() -> None:
    ruleset = linked("""amend skill pottery { title: "Ceramics" }
amend action walk {
  title: "March"
  reword "You cannot reach anything." to "Nothing is near."
}
amend procedure lose { reword "{p} loses {n}." to "{n} less for {p}." }
""")
    assert ruleset.things["skill"]["pottery"].title == "Ceramics"
    walk = ruleset.actions["walk"]
    assert (walk.title, walk.needs[0].reason) == ("March", "Nothing is near.")
    tell = ruleset.procedures["lose"].body[1]
    assert isinstance(tell, ir.Step)
    assert isinstance(tell.body[0], ir.Say)
    assert tell.body[0].text.parts[1] == " less for "


def test_a_mistake_in_new_words_is_found_where_they_stand() -> None:
    text = 'amend procedure lose { reword "{p} loses {n}." to "{m} less." }'
    (found,) = link_text(text).diagnostics
    assert found.span is not None
    assert (found.span.source.pack, found.span.text) == ("game", "m")


def test_single_needs_are_removed_by_what_they_say() -> None:
    text = """#### pack first extends base
amend action walk { needs p.fame > 1 "You are unknown." }
#### pack second extends first
amend action walk { remove needs reach(p) > 0 }
"""
    (left,) = linked(text).actions["walk"].needs
    assert left.reason == "You are unknown."
    by_text = text.replace("reach(p) > 0", '"You are unknown."')
    (left,) = linked(by_text).actions["walk"].needs
    assert left.reason == "You cannot reach anything."


def test_single_clauses_are_removed_by_their_arguments() -> None:
    text = """#### pack first extends base
rule paths {
  allow may_enter(p, west)
  allow may_enter(p, north)
}
#### pack second extends first
amend rule paths { remove allow may_enter(p, west) }
"""
    assert len(linked(text).values["may_enter"].contributions) == 1


def test_a_decision_is_replaced_by_its_name() -> None:
    text = """#### pack first extends base
amend woe drought {
  strike {
    choose lost by victim from 1..3 "How many?"
    lose(victim, lost)
  }
}
#### pack second extends first
amend woe drought { replace choose lost by first(p in others(victim)) from 2..4 "Say." }
"""
    choose = linked(text).things["woe"]["drought"].bodies[0].body[0]
    assert isinstance(choose, ir.Choose)
    assert (choose.path, choose.prompt.parts) == ("drought.strike.lost", ("Say.",))
    assert choose.at.file == "second/second.rules"


def test_stages_of_a_phase() -> None:
    text = """#### pack first extends base
phase feast {
  once { say "One." }
  once { say "Two." }
}
#### pack second extends first
amend phase feast {
  replace stage 2 { each player p { say "{p}." } }
  insert stage { once { say "Zero." } } before 1
  insert stage { once { say "Last." } } after 3
  remove stage 2
}
"""
    stages = linked(text).phases["feast"].stages
    assert [stage.kind for stage in stages] == ["once", "each", "once"]
    assert stages[2].at.file == "second/second.rules"


def test_parameters_of_an_action() -> None:
    text = """amend action walk {
  replace parameter target from origin.land "Whither?"
  insert parameter _haste from 1..2 after target
}
"""
    params = linked(text).actions["walk"].params
    assert [(one.name, one.prompt) for one in params] == [
        ("origin", ""),
        ("target", "Whither?"),
        ("_haste", ""),
    ]


def test_members_of_relations_change_on_both_sides() -> None:
    text = """#### pack first extends base
amend area south { land +west }
#### pack second extends base
amend area north { land -west }
"""
    ruleset = linked(text)
    assert fields(ruleset, "area", "west")["land"] == ("area.south",)
    assert fields(ruleset, "area", "north")["land"] == ("area.south",)
    assert fields(ruleset, "area", "south")["land"] == ("area.north", "area.west")


def test_two_packs_may_add_the_same_member() -> None:
    text = """#### pack first extends base
amend area south { land +west }
#### pack second extends base
amend area south { land +west }
"""
    assert fields(linked(text), "area", "south")["land"] == ("area.north", "area.west")


def test_entries_of_maps() -> None:
    text = """#### pack first extends base
amend skill pottery { worth for arts: 5 }
#### pack second extends base
amend skill pottery { worth for crafts +10 }
"""
    worth = dict(fields(linked(text), "skill", "pottery")["worth"])
    assert worth == {"group.crafts": 20, "group.arts": 5}
    taken = linked("amend skill pottery { worth -crafts }")
    assert fields(taken, "skill", "pottery")["worth"] == ()


# ---- reconciling --------------------------------------------------------------------------------


def _packs(folder: Path, *packs: tuple[str, str, str]) -> Search:
    for name, extends, rules in packs:
        (folder / name).mkdir()
        needs = ", ".join(f'"{one}"' for one in extends.split())
        (folder / name / "pack.toml").write_text(
            f'id = "{name}"\ntitle = "{name}"\nversion = "1"\nextends = [{needs}]\n'
        )
        (folder / name / "all.rules").write_text(rules)
    return Search((folder,))


CLASH = (
    ("first", "base", "amend skill pottery { cost: 40 }"),
    ("second", "base", "amend skill pottery { cost +5 }"),
)


@pytest.mark.parametrize(
    ("third", "extends", "cost"),
    [
        ("amend skill pottery { cost: 45 }", "first second", 45),
        ("amend skill pottery { cost: 45 }", "second", None),
        ("amend skill pottery { cost +1 }", "first second", None),
        ("amend skill sailing { cost: 45 }", "first second", None),
    ],
)
def test_only_who_extends_both_may_settle_a_clash(
    tmp_path: Path, third: str, extends: str, cost: int | None
) -> None:
    search = _packs(tmp_path, ("base", "", BASE), *CLASH, ("third", extends, third))
    result = load("first+second+third", search)
    if cost is None:
        assert "Z404" in [one.code for one in result.diagnostics]
        return
    assert result.ruleset is not None
    assert fields(result.ruleset, "skill", "pottery")["cost"] == cost


@pytest.mark.parametrize("third", ["remove skill sailing", "replace skill sailing { cost: 9 }"])
def test_a_removal_and_a_change_are_settled(tmp_path: Path, third: str) -> None:
    search = _packs(
        tmp_path,
        ("base", "", BASE),
        ("first", "base", "remove skill sailing"),
        ("second", "base", "amend skill sailing { cost: 5 }"),
        ("third", "first second", third),
    )
    ruleset = load("third", search).ruleset
    assert ruleset is not None
    assert ("sailing" in ruleset.things["skill"]) == third.startswith("replace")


# ---- triggers on blocks -------------------------------------------------------------------------


def test_triggers_wait_for_the_block_of_one_thing_or_of_all() -> None:
    ruleset = linked("""woe flood "Flood" { strike { lose(victim, 1) } }
amend woe flood { copies: 1 }
rule omens {
  before drought.strike(v) when v.fame > 2 { say "{v} prays." }
  after woe.strike(v) { say "{woe} is over for {v}." }
}
""")
    found = {
        thing.id: [(one.when, one.path) for body in thing.bodies for one in body.triggers]
        for thing in ruleset.things["woe"].values()
    }
    assert found == {
        "drought": [
            ("before", "omens / before drought.strike / 1"),
            ("after", "omens / after drought.strike / 1"),
        ],
        "flood": [("after", "omens / after flood.strike / 1")],
    }


def test_a_trigger_on_the_block_of_a_removed_thing_goes_along() -> None:
    text = """#### pack first extends base
rule omens { before drought.strike(v) { say "{v} prays." } }
#### pack second extends first
remove woe drought
"""
    assert notes(text) == ["Removing `woe drought` takes along 1 clause."]


STAGES = """#### pack first extends base
phase feast "Feast" {
  each player p {
    choose rate by p from 1..3
    let owed = rate + 1
    lose(p, owed)
  }
  perform play
  repeat play up to 2 times
  once { drought.strike(first(p in players by by_rank)) }
}
#### pack second extends first
"""


def told(body: ir.Body) -> list[str]:
    """What is said in a body, and where a procedure or a block is called."""
    found = []
    for one in walk(body):
        if isinstance(one, ir.Say):
            found.append("".join(part for part in one.text.parts if isinstance(part, str)))
        elif isinstance(one, ir.Do | ir.DoBody):
            found.append("call")
    return found


@pytest.mark.parametrize(
    ("amendment", "expected"),
    [
        ('insert step oh { say "Oh." } before lose', ["Oh.", "call"]),
        ('insert step oh { say "Oh." } after owed', ["Oh.", "call"]),
        ('insert step oh { say "Oh." } after rate', ["Oh.", "call"]),
        ('replace step lose { say "{owed} are spared." }', [" are spared."]),
        ("remove step lose", []),
    ],
)
def test_steps_without_a_label_are_known_by_what_they_name_or_call(
    amendment: str, expected: list[str]
) -> None:
    feast = linked(f"{STAGES}amend phase feast {{ {amendment} }}").phases["feast"]
    assert told(feast.stages[0].body) == expected


def test_the_call_of_a_block_is_known_by_its_path() -> None:
    text = STAGES + 'amend phase feast { insert step oh { say "Oh." } after drought.strike }'
    assert told(linked(text).phases["feast"].stages[3].body) == ["call", "Oh."]


@pytest.mark.parametrize(
    ("amendment", "expected"),
    [
        ("remove stage rate", ["perform", "repeat", "once"]),
        ("replace stage lose { once { end game } }", ["once", "perform", "repeat", "once"]),
        ("remove stage drought.strike", ["each", "perform", "repeat"]),
        ("remove stage 3", ["each", "perform", "once"]),
        ("insert stage { once { end game } } after owed\nremove stage 5",
         ["each", "once", "perform", "repeat"]),
    ],
)  # fmt: skip
def test_stages_are_known_by_what_is_in_them(amendment: str, expected: list[str]) -> None:
    feast = linked(f"{STAGES}amend phase feast {{\n{amendment}\n}}").phases["feast"]
    assert [stage.kind for stage in feast.stages] == expected


INSERTS = "amend phase feast { insert stage { once { end game } } before rate }\n"


@pytest.mark.parametrize(
    ("other", "clash"),
    [
        ("remove stage drought.strike", False),
        ("insert stage { once { end game } } before rate", False),
        ("remove stage 2", True),
    ],
)
def test_packs_that_name_stages_clash_only_with_those_that_count_them(
    other: str, clash: bool
) -> None:
    text = f"{STAGES}{INSERTS}#### pack third extends first\namend phase feast {{ {other} }}"
    assert codes(text) == (["Z404"] if clash else [])
