"""Packs that change the same scenarios: stacked, judged, blamed, and accepted for some stacks."""

import re
from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from tests.studio.test_changed_on_purpose import (
    CHANGED,
    LARGER,
    LIMITS,
    STRENGTH,
    STRONGER,
    Terminal,
    run,
    typed,
)
from ziggurat.dsl.loading import LoadResult, load
from ziggurat.dsl.packs import Search
from ziggurat.studio.cli import main

OTHERWISE = 'expects scenario "strength"{} otherwise because "so" {{ expect {{ check {} }} }}\n'


def variant(folder: Path, name: str, rules: str, optional: str = "") -> None:
    (folder / name).mkdir(exist_ok=True)
    text = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\nextends = ["walkers"]\n'
    text += f'optional = ["{optional}"]\n' if optional else ""
    (folder / name / "pack.toml").write_text(text, encoding="utf-8")
    (folder / name / "rules.rules").write_text(rules, encoding="utf-8")


def stated(strength: int, stacks: str = "") -> str:
    return OTHERWISE.format(stacks, f"strength(reds) == {strength}")


def about_scenarios(found: LoadResult) -> list[str]:
    """How grave what is found about amendments and scenarios is."""
    return [one.severity for one in found.diagnostics if one.code[:2] in ("Z4", "Z6")]


def two_rivals(folder: Path, more: str = "") -> None:
    walkers(folder, STRENGTH)
    variant(folder, "plough", STRONGER + stated(3))
    variant(folder, "loom", STRONGER.replace("stronger", "looms") + stated(3) + more)


def test_packs_that_expect_different_outcomes_load_together(tmp_path: Path) -> None:
    two_rivals(tmp_path)
    found = load("plough+loom", Search((tmp_path,)))
    assert found.ruleset is not None
    assert not about_scenarios(found)


def test_both_are_named_and_the_combined_outcome_can_be_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two_rivals(tmp_path)
    assert run(tmp_path, stack="plough+loom") == 1
    out = capsys.readouterr().out
    assert "CHANGED  strength" in out
    assert "by plough: plough/rules.rules:1 in stronger / modify strength / 1" in out
    assert "by loom: loom/rules.rules:1 in looms / modify strength / 1" in out
    assert 'State the combined one in loom (`expects scenario "strength" in plough' in out
    two_rivals(tmp_path, stated(4, " in plough"))
    for stack in ("plough", "loom", "plough+loom", "loom+plough"):
        assert run(tmp_path, stack=stack) == 0, stack
    capsys.readouterr()


def test_outcomes_that_agree_are_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, STRENGTH)
    only_one = STRONGER.replace("by +1", "to at least 3")
    variant(tmp_path, "plough", only_one + stated(3))
    variant(tmp_path, "loom", only_one.replace("stronger", "looms") + stated(3))
    assert run(tmp_path, stack="plough+loom") == 0
    assert "by plough, loom, because so" in capsys.readouterr().out


@pytest.mark.parametrize("stack", ["guild+expert", "expert+guild"])
def test_the_pack_is_named_whatever_the_order(
    stack: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path)
    guild = scenario("expect { check strength(reds) == 2 }", "guild")
    variant(tmp_path, "guild", f"amend area wood {{ limit: 7 }}\n{guild}")
    variant(tmp_path, "expert", STRONGER)
    assert run(tmp_path, stack=stack) == 1
    out = capsys.readouterr().out
    assert "by expert: expert/rules.rules:1 in stronger / modify strength / 1" in out
    assert "1 changed." in out


def test_a_scenario_that_takes_a_game_to_pass_is_changed_by_the_pack_above(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, scenario("expect { check strength(reds) == 3 }", "of the game"))
    variant(tmp_path, "game", STRONGER)
    variant(tmp_path, "upper", STRONGER.replace("stronger", "again"))
    assert run(tmp_path, stack="game+upper") == 1
    out = capsys.readouterr().out
    assert "CHANGED  of the game" in out
    assert "by upper: upper/rules.rules:1 in again / modify strength / 1" in out
    assert "by game" not in out


def test_each_of_several_packs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, "first", STRONGER)
    variant(tmp_path, "second", STRONGER.replace("stronger", "again"))
    variant(tmp_path, "third", LARGER)
    assert run(tmp_path, stack="first+second+third") == 1
    out = capsys.readouterr().out
    assert "by first: " in out
    assert "by second: " in out
    assert "by third: " not in out


def test_packs_that_change_it_only_together_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, "first", 'option hard "Hard": bool = no\n')
    rule = "for first\nrule b { modify strength(p) by +1 }\n"
    variant(tmp_path, "second", rule, "first")
    assert run(tmp_path, stack="first+second") == 1
    assert "by second: second/rules.rules:2 in b / modify strength / 1" in capsys.readouterr().out


def test_packs_below_those_that_change_it_together_are_not_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `moors` there is no `second` either, and the scenario passes."""
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, "first", 'option hard "Hard": bool = no\n')
    variant(tmp_path, "moors", 'area moor "Moor" { limit: 1 }\n')
    rules = "rule c { modify strength(p) by +5 when p.rank == 9 }\n"
    rules += "for first\nrule b { modify strength(p) by +1 }\n"
    variant(tmp_path, "second", rules, "first")
    manifest = tmp_path / "second" / "pack.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('["walkers"]', '["moors"]'), encoding="utf-8")
    assert run(tmp_path, stack="first+second") == 1
    out = capsys.readouterr().out
    assert "by second: second/rules.rules:3 in b / modify strength / 1" in out
    assert "in c / modify" not in out
    assert "by first: that it is in the stack" in out
    assert "by moors" not in out


def test_only_changes_that_suffice_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, STRENGTH)
    rules = """rule stronger {
  cites walkers.B "9"
  tags R-9
  modify strength(p) by +1
  modify strength(p) by +2 when p.rank == 2
}
amend value strength { tags R-8 }
rule more { modify strength(p) by +5 }
"""
    variant(tmp_path, "upper", rules.replace("walkers.B", "B"))
    assert run(tmp_path) == 1
    out = capsys.readouterr().out
    assert "upper/rules.rules:4 in stronger / modify strength / 1" in out
    assert "in more / modify strength / 1" in out
    assert "modify strength / 2" not in out
    assert "R-8" not in out
    assert "cites" not in out


def test_parts_of_a_game_are_not_named_for_what_a_pack_upon_it_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the game, what a part of it says ends otherwise, too."""
    walkers(tmp_path, scenario("expect { check size(areas) == 3 }", "areas"))
    variant(tmp_path, "moors", 'area moor "Moor" { limit: 1 }\n')
    manifest = tmp_path / "walkers" / "pack.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(f"incomplete = true\n{text}", encoding="utf-8")
    variant(tmp_path, "third", "remove area moor\n")
    manifest = tmp_path / "third" / "pack.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("walkers", "moors"), encoding="utf-8")
    assert run(tmp_path, stack="third") == 1
    out = capsys.readouterr().out
    assert "CHANGED  areas" in out
    assert "by third: third/rules.rules:1 removes area moor" in out
    assert "by moors" not in out


# ---- narrower statements ------------------------------------------------------------------------


def test_a_narrower_statement_wins_where_it_applies(tmp_path: Path) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, "hard", STRONGER)
    rules = (
        f"{STRONGER.replace('stronger', 'mine')}{stated(4, ' in hard')}{stated(3)}"
        "amend area hill { limit: 5 }\n"
        "for hard\namend area hill { limit: 6 }\nwithout hard\namend skill lore { cost: 4 }\n"
    )
    variant(tmp_path, "upper", rules, "hard")
    for stack, limit, cost in (("upper", 5, 4), ("hard+upper", 6, 1)):
        found = load(stack, Search((tmp_path,)))
        assert found.ruleset is not None, found.diagnostics
        things = found.ruleset.things
        assert ("limit", limit) in [(v.field, v.value) for v in things["area"]["hill"].values]
        values = [(v.field, v.value) for v in things["skill"]["lore"].values]
        assert (("cost", 4) in values) is (cost == 4)
    assert run(tmp_path, stack="upper") == 0


def test_a_rule_can_be_without_a_pack(tmp_path: Path) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, "hard", LARGER)
    variant(tmp_path, "upper", STRONGER.replace("stronger", "stronger without hard"), "hard")
    assert run(tmp_path, stack="upper") == 1
    assert run(tmp_path, stack="hard+upper") == 0


def test_a_scenario_can_be_for_some_stacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path)
    variant(tmp_path, "hard", LARGER)
    strong = scenario("expect { check strength(reds) == 3 }", "strong")
    weak = scenario("expect { check strength(reds) == 2 }", "weak")
    variant(
        tmp_path,
        "upper",
        f"{strong.replace(' {', ' in hard {', 1)}\n{weak.replace(' {', ' without hard {', 1)}\n"
        f"for hard\n{STRONGER}",
        "hard",
    )
    assert run(tmp_path, stack="upper") == 0
    assert run(tmp_path, stack="hard+upper") == 0
    assert capsys.readouterr().out.count("1 still kept.") == 2


@pytest.mark.parametrize(
    "line",
    [
        stated(3).replace('"strength"', '"strenght"'),
        stated(3).replace("otherwise", 'case "none" otherwise').replace('" case', '" case'),
        stated(3).replace("check", "check 1 == 1 }\nexpect { check"),
        stated(3) + stated(4),
    ],
)
def test_what_is_said_of_scenarios_keeps_nobody_from_playing(line: str, tmp_path: Path) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, "upper", STRONGER + line)
    found = load("upper", Search((tmp_path,)))
    assert found.ruleset is not None, found.diagnostics
    assert about_scenarios(found) == ["warning"]


# ---- accepting for some stacks ------------------------------------------------------------------


def accept(folder: Path, stack: str, monkeypatch: pytest.MonkeyPatch, *reasons: str) -> int:
    typed(monkeypatch, *reasons)
    return main(["test", stack, "--accept", "--packs", str(folder)])


def test_what_holds_only_with_another_pack_is_accepted_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, STRENGTH, LIMITS)
    variant(tmp_path, "hard", 'option hard "Hard": bool = no\n')
    variant(tmp_path, "upper", f"{LARGER}for hard\n{STRONGER}", "hard")
    assert accept(tmp_path, "hard+upper", monkeypatch, "harder", "larger") == 0
    text = (tmp_path / "upper" / CHANGED).read_text(encoding="utf-8")
    assert 'expects scenario "strength" in hard otherwise because "harder" {' in text
    assert 'expects scenario "limits" otherwise because "larger" {' in text
    assert run(tmp_path, stack="upper") == 0
    assert run(tmp_path, stack="hard+upper") == 0
    capsys.readouterr()


def test_scenarios_of_an_optional_pack_are_accepted_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path)
    variant(tmp_path, "hard", scenario("expect { check strength(reds) == 2 }", "hard one"))
    variant(tmp_path, "upper", STRONGER, "hard")
    assert accept(tmp_path, "hard+upper", monkeypatch, "stronger") == 0
    text = (tmp_path / "upper" / CHANGED).read_text(encoding="utf-8")
    assert 'expects scenario "hard one" in hard otherwise' in text
    assert not about_scenarios(load("upper", Search((tmp_path,))))
    capsys.readouterr()


def test_what_is_removed_for_some_stacks_stands_below_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, LIMITS, STRENGTH)
    variant(tmp_path, "hard", 'option hard "Hard": bool = no\n')
    shut = 'for hard\nrule shut { forbid may_enter(p, a) when a is wood "Shut." }\n'
    variant(tmp_path, "upper", shut, "hard")
    assert accept(tmp_path, "hard+upper", monkeypatch, "the wood is shut") == 0
    path = tmp_path / "upper" / CHANGED
    assert path.read_text("utf-8") == 'for hard\n# the wood is shut\nremove scenario "limits"\n'
    assert run(tmp_path, stack="upper") == 0
    variant(tmp_path, "upper", shut + "without hard\n" + STRONGER, "hard")
    assert accept(tmp_path, "upper", monkeypatch, "stronger") == 0
    text = path.read_text("utf-8")
    assert text.startswith('expects scenario "strength" without hard otherwise')
    assert text.endswith('for hard\n# the wood is shut\nremove scenario "limits"\n')
    assert run(tmp_path, stack="hard+upper") == 0
    capsys.readouterr()


def test_a_pack_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, "upper", STRONGER)

    def refuse(path: Path, data: bytes) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("ziggurat.proving.acceptance.replace_file", refuse)
    assert accept(tmp_path, "upper", monkeypatch, "stronger") == 2
    assert "nothing is written" in capsys.readouterr().err
    assert not (tmp_path / "upper" / CHANGED).exists()


def test_an_interrupted_question_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, STRENGTH, LIMITS)
    variant(tmp_path, "upper", STRONGER + LARGER)

    class Interrupted(Terminal):
        def readline(self, size: int | None = -1, /) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    assert main(["test", "upper", "--accept", "--packs", str(tmp_path)]) == 130
    assert not (tmp_path / "upper" / CHANGED).exists()
    capsys.readouterr()


def test_check_says_which_scenarios_the_defaults_of_another_pack_contradict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = scenario("expect { check rounds == 3 }", "three rounds")
    walkers(tmp_path)
    variant(tmp_path, "long", 'option rounds "Rounds": int = 3\n' + rounds)
    variant(tmp_path, "short", "for long\namend option rounds { default: 2 }\n", "long")
    check = ["check", "long+short", "--packs", str(tmp_path)]
    assert main(check) == 0
    out = capsys.readouterr().out
    assert "Scenarios that the defaults of another pack contradict (1):\n  three rounds" in out
    assert run(tmp_path, stack="long+short") == 1
    capsys.readouterr()
    assert main(check) == 0
    out = capsys.readouterr().out
    assert "Scenarios that failed in the last test run (1):\n  three rounds" in out
    assert main(["check", "long", "--packs", str(tmp_path)]) == 0
    assert "three rounds" not in capsys.readouterr().out


# ---- what a difference says went ----------------------------------------------------------------


def test_a_difference_says_what_went_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path)
    keys = "  first: p.rank\n  then: 0 - p.score\n  last: 3 * p.score\n"
    rules = f"# What comes before.\nreplace order ranks(p: player)  tags R-9 {{\n{keys}}}\n"
    variant(tmp_path, "lower", rules)
    variant(
        tmp_path,
        "upper",
        "# Rank alone decides.\namend order ranks {\n  remove field then\n  remove field last\n}\n"
        "amend value strength { base: 4 }  # four, as in our book\n"
        "# Lore is dear.\namend skill lore { cost: 3 }\namend skill fear { cost: 4 }\n",
        "lower",
    )
    assert main(["diff", "lower", "lower+upper", "--packs", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "Ranks  changed" in out
    assert "was: What comes before.\n  now: Rank alone decides." in out
    assert "- order ranks / key then" in out
    assert "four, as in our book" in out
    assert main(book(tmp_path)) == 0
    page = (tmp_path / "book" / "index.html").read_text(encoding="utf-8")
    now, before = page.split('id="order-ranks"')[1].split("<summary>Before</summary>")[:2]
    assert "Rank alone decides." in now
    assert "What comes before." not in now
    assert "What comes before." in before.split("</details>")[0]
    assert "3 times the score" in before.split("</details>")[0]
    assert re.findall('id="skill-([a-z]+)">|Lore is dear', page) == ["lore", "", "fear"]


def test_of_a_phase_it_is_a_stage_that_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path)
    rests = "replace phase walking {\n  players p act by ranks until done\n  once { rest() }\n}\n"
    variant(tmp_path, "lower", rests + "procedure rest() { }\n")
    variant(tmp_path, "upper", "amend phase walking { remove stage 2 }\n", "lower")
    assert main(["diff", "lower", "lower+upper", "--packs", str(tmp_path)]) == 0
    assert "Walking: a stage  removed" in capsys.readouterr().out


def book(folder: Path) -> list[str]:
    return ["book", "lower+upper", "--packs", str(folder), "-o", str(folder / "book")]


@pytest.mark.parametrize(
    ("old", "new"),
    [("gift(a, holder, w)", "gift(holder, b, w)"), ("gift(a, b, wood)", "gift(a, b, hill)")],
)
def test_a_clause_about_other_arguments_is_no_new_form_of_one_that_went(
    old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path)
    gift = "value gift(a: player, b: player, w: area): int = 0\n"
    variant(tmp_path, "lower", f"{gift}amend skill lore {{ modify {old} by +1 }}\n")
    other = f"remove modify {old}\n  modify {new} by +2"
    variant(tmp_path, "upper", f"amend skill lore {{\n  {other}\n}}\n", "lower")
    assert main(["diff", "lower", "lower+upper", "--packs", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "“gift”  removed" in out
    assert "“gift”  added" in out
    assert main(book(tmp_path)) == 0
    page = (tmp_path / "book" / "index.html").read_text(encoding="utf-8")
    clauses = page.split('id="skill-lore"')[1].split("</ul>")[0]
    assert 'class="was"' not in clauses
    assert re.search('<li class="in-clause new"><b>Gift:.*2', clauses)
    assert re.search('<li class="gone"><s>Gift:.*1', clauses)


# ---- what amendments are counted as -------------------------------------------------------------


def test_clauses_and_tags_of_amendments_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path)
    rules = """amend value strength {
  base: 4
  tags S-1, S-2
}
amend skill lore { modify strength(holder) by +2  tags S-3 }
"""
    mine = scenario("expect { check strength(reds) == 4 }", "mine")
    variant(tmp_path, "upper", rules + mine.replace(" {", " tags S-2 {", 1) + "\n")
    run(tmp_path, "--coverage", "--pack", "upper", stack="upper")
    out = capsys.readouterr().out
    assert "1 of 3 tags have a scenario." in out
    assert "S-1  upper/rules.rules:3" in out
    assert "S-3  upper/rules.rules:5" in out
    assert "run  strength  upper/rules.rules:2" in out
    assert "never run  lore / modify strength / " in out
    assert "1 of 2 clauses were run." in out


# ---- what goes along ----------------------------------------------------------------------------

ADVICE = """value liking(p: player, k: skill): int = 0
rule likes "Likes" {
  modify liking(p, fear) by +2 * tolls(p)
  modify liking(p, lore) by +3
}
"""


def advised(folder: Path, rules: str) -> LoadResult:
    walkers(folder)
    path = folder / "walkers" / "liking.advice.rules"
    path.write_text(ADVICE + "value tolls(p: player): int = p.score\n", encoding="utf-8")
    variant(folder, "upper", rules)
    return load("upper", Search((folder,)))


def test_advice_about_something_removed_goes_along(tmp_path: Path) -> None:
    found = advised(tmp_path, "remove value tolls\n")
    assert found.ruleset is not None, found.diagnostics
    (clause,) = found.ruleset.values["liking"].contributions
    assert clause.path.startswith("likes / modify liking")
    assert any("1 clause" in one.message for one in found.diagnostics if one.code == "Z414")


def test_clauses_of_one_rule_are_removed_by_their_arguments(tmp_path: Path) -> None:
    both = "remove modify liking(p, fear)\n  remove modify liking(p, lore)"
    found = advised(tmp_path, f"amend rule likes {{\n  {both}\n}}\n")
    assert found.ruleset is not None, found.diagnostics
    assert not found.ruleset.values["liking"].contributions


def test_the_same_clause_is_not_removed_twice(tmp_path: Path) -> None:
    both = "remove modify liking(p, fear)\n  remove modify liking"
    found = advised(tmp_path, f"amend rule likes {{\n  {both}\n}}\n")
    assert [one.code for one in found.diagnostics if one.is_error] == ["Z404"]
