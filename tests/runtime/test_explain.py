"""Explanations: where a value comes from, and why an action is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runtime.walkers import walkers
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.proving.explain import explain_expression
from ziggurat.proving.reasons import Reason
from ziggurat.proving.refusals import explain_action
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table

PLAYER = ir.Type("player")
STRENGTH = ir.ValueCall("strength", (ir.OwnerRef("reds", PLAYER),), ir.Type("int"))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(walkers(tmp_path), ["reds", "blues"])


def hold(state: State, skill: str) -> None:
    state.give(state.table.thing_ids["skill", skill], 0)


def test_a_value_with_a_clause_that_applies(table: Table) -> None:
    state = State(table)
    hold(state, "lore")
    told = explain_expression(table, state, STRENGTH)
    assert (told.text, told.base, told.result) == ("strength(reds)", "2", "5")
    assert told.formula == "2 + count(pawn of reds on board)"
    assert told.cites == "B 1 · R-1"
    (clause,) = told.clauses
    assert (clause.source, clause.change, clause.after) == ("Lore (skill)", "+3", "5")
    assert clause.cites == "A-lore"
    assert [(one.text, one.holds) for one in clause.conditions] == [("reds holds lore", True)]


def test_a_clause_that_does_not_apply_says_why(table: Table) -> None:
    told = explain_expression(table, State(table), STRENGTH)
    (clause,) = told.clauses
    assert not clause.applies
    assert clause.after == ""
    assert [one.holds for one in clause.conditions] == [False]


def test_any_expression_names_the_values_it_was_made_from(table: Table) -> None:
    twice = ir.Op("*", (STRENGTH, ir.Lit(2, ir.Type("int"))), ir.Type("int"))
    told = explain_expression(table, State(table), twice)
    assert (told.text, told.result) == ("strength(reds) * 2", "4")
    assert [part.text for part in told.parts] == ["strength(reds)"]


def walk(table: Table, state: State, *names: str) -> str | None:
    args = tuple(table.thing_ids["area", name] for name in names)
    refusal = explain_action(table, state, "walk", 0, args)
    return None if refusal is None else refusal.reason


def test_why_an_action_is_refused(table: Table) -> None:
    state = State(table)
    assert walk(table, state) == "There is nothing to choose for “Origin”."
    state.move(table.rows["pawn"], 0, table.rows["pawn"].home, 0, 1)
    assert walk(table, state, "hill", "wood") is None
    assert walk(table, state, "hill") is None
    refused = walk(table, state, "wood", "hill")
    assert refused == "“Origin” cannot be Wood: it is not among the areas with pawns of Reds."
    hold(state, "fear")
    assert walk(table, state, "hill", "wood") == "The wood is dark."
    state.attrs[table.attributes["player.score"].slot(0)] = 5
    assert walk(table, state, "hill", "wood") == "You are tired."


def test_a_refusal_shows_the_values_it_looked_at(table: Table) -> None:
    state = State(table)
    state.move(table.rows["pawn"], 0, table.rows["pawn"].home, 0, 1)
    hold(state, "fear")
    refusal = explain_action(table, state, "walk", 0, (0, 1))
    assert refusal is not None
    assert [part.text for part in refusal.parts] == ["may_enter(reds, wood)"]
    assert refusal.rule == "walk"


def why(folder: Path, condition: str, steps: str = "") -> list[str]:
    """What decided, each reason a line, those inside another one further to the right."""
    head = 'scenario "it" {\n  players reds, blues\n  expect {'
    rules = walkers(folder, f"{head} check {condition} }}\n}}")
    table = Table(rules, ["reds", "blues"])
    state = State(table)
    pawns = table.rows["pawn"]
    for place in steps.split():
        state.move(pawns, 0, pawns.home, table.thing_ids["area", place], 1)
    (item,) = rules.scenarios[0].items
    assert isinstance(item, ir.Expect)
    told = explain_expression(table, state, item.checks[0])
    return list(lines(told.why or told.parts[0].why))


def lines(reasons: tuple[Reason, ...], indent: str = "") -> Iterator[str]:
    for one in reasons:
        yield f"{indent}{one.text}: {'yes' if one.holds else 'no'}"
        yield from lines(one.parts, f"{indent}  ")


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("count(pawn of reds in hill) >= 3", ["1 pawn of reds in hill, 3 needed: no"]),
        ("strength(reds) > 4", ["3 strength of reds, more than 4 needed: no"]),
        ("hill.limit < strength(reds)",
         ["hill.limit is 2, fewer than 3 allowed (strength(reds)): yes"]),
        ("reds.score == 0 and reds.rank != 1 and reds.rank > 7",
         ["reds.rank is 1, any number but 1 needed: no"]),
        ("reds.score == 0 and reds.rank == 1",
         ["reds.score is 0, exactly 0 needed: yes", "reds.rank is 1, exactly 1 needed: yes"]),
        ("reds.score > 0 or reds.rank <= 1 or reds.rank > 7",
         ["reds.rank is 1, at most 1 allowed: yes"]),
        ("every(p in players has count(pawn of p on board) > 0)",
         ["every(p in players has count(pawn of p on board) > 0): no",
          "  0 pawn of blues on board, more than 0 needed: no"]),
        ("not any(a in areas where a.limit > 2)",
         ["not any(a in areas where a.limit > 2): no",
          "  wood.limit is 3, more than 2 needed: yes"]),
    ],
)  # fmt: skip
def test_what_decided_is_told_with_numbers(condition: str, told: list[str], tmp_path: Path) -> None:
    assert why(tmp_path, condition, "hill") == told


def test_what_forbade_it_is_told(table: Table) -> None:
    state = State(table)
    state.move(table.rows["pawn"], 0, table.rows["pawn"].home, 0, 1)
    hold(state, "fear")
    refusal = explain_action(table, state, "walk", 0, (0, 1))
    assert refusal is not None
    assert list(lines(refusal.why)) == [
        "may_enter(reds, wood): no",
        '  forbid by Fear (skill): "The wood is dark.": no',
        "    reds holds fear: yes",
        "    wood is wood: yes",
    ]


@pytest.mark.parametrize(
    ("rules", "args", "reason"),
    [
        ('forbid may_walk(p) when p.score == 0 "The road is closed."', (), "The road is closed."),
        ('forbid may_enter(p, a) "Nobody may enter."', (0,), None),
        ('forbid may_enter(p, a) "Nobody may enter."', (0, 1), "Nobody may enter."),
        ("forbid may_walk(p)", (), "You cannot walk."),
    ],
)
def test_the_reason_of_the_author_goes_before_what_a_requirement_says(
    rules: str, args: tuple[int, ...], reason: str | None, tmp_path: Path
) -> None:
    walkers(tmp_path)
    path = tmp_path / "walkers" / "walkers.rules"
    needs = '  needs may_walk(p)    "You cannot walk."\n  needs p.score < 5'
    text = path.read_text("utf-8").replace("  needs p.score < 5", needs)
    road = f"value may_walk(p: player): bool = yes\nrule road {{ {rules} }}\n"
    path.write_text(text + road, encoding="utf-8")
    found = load("walkers", Search((tmp_path,)))
    assert found.ruleset is not None, found.diagnostics
    table = Table(found.ruleset, ("reds", "blues"))
    state = State(table)
    state.move(table.rows["pawn"], 0, table.rows["pawn"].home, 0, 1)
    refusal = explain_action(table, state, "walk", 0, args)
    assert (refusal.reason if refusal is not None else None) == reason
