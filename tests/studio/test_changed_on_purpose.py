"""Scenarios that end differently with a later pack: told apart, accepted, and kept true."""

import io
import shutil
import sys
from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.format import format_source
from ziggurat.studio.cli import main
from ziggurat.studio.console import USAGE

PACKS = Path(__file__).parents[1] / "packs"
CHANGED = "changed.scenarios.rules"
STRENGTH = scenario("expect { check strength(reds) == 2 and reds.score == 0 }", "strength")
LIMITS = scenario(
    "given { place 1 pawn of reds in hill }\n  expect { check hill.limit == 2 }\n"
    "  reds does walk(hill, wood)\n  run phase walking\n"
    "  expect { check reds.score == 1   check count(pawn of reds in wood) > 0 }",
    "limits",
)


class Terminal(io.StringIO):
    """Somebody who types these lines."""

    def isatty(self) -> bool:
        return True


def variant(folder: Path, rules: str, name: str = "upper", extends: str = "walkers") -> None:
    (folder / name).mkdir(exist_ok=True)
    text = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\nextends = ["{extends}"]\n'
    (folder / name / "pack.toml").write_text(text, encoding="utf-8")
    (folder / name / "rules.rules").write_text(rules, encoding="utf-8")


def run(folder: Path, *arguments: str, stack: str = "upper") -> int:
    return main(["test", stack, *arguments, "--packs", str(folder)])


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{line}\n" for line in lines)))


STRONGER = "rule stronger { modify strength(p) by +1 }\n"
LARGER = "amend area hill { limit: 4 }\n"


def test_changed_is_told_apart_from_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = scenario("expect { check strength(blues) == 9 }", "wrong")
    walkers(tmp_path, STRENGTH, LIMITS, wrong)
    variant(tmp_path, STRONGER)
    assert run(tmp_path) == 1
    out = capsys.readouterr().out
    assert "CHANGED  strength" in out
    assert "by upper: upper/rules.rules:1 in stronger / modify strength / 1" in out
    assert "BROKEN  wrong" in out
    assert "1 still kept, 1 changed, 1 broken." in out


FAR_HILL = scenario("expect { check count(a in areas where a.limit == 2) == 1 }", "areas")
ROUNDS = 'option rounds "Rounds": int = 3\n' + scenario("expect { check rounds == 3 }", "rounds")
START = scenario("expect { check reds.score == 0 }", "start")
PAWNS = scenario("expect { check count(pawn of reds in reserve) == 9 }", "pawns")
AREAS = scenario("expect { check size(areas) == 2 }", "all areas")


@pytest.mark.parametrize(
    ("story", "rules", "told"),
    [
        (LIMITS, LARGER, "upper/rules.rules:1 in area hill: limit: 4\n"),
        (FAR_HILL, LARGER, "upper/rules.rules:1 in area hill: limit: 4\n"),
        (LIMITS, "amend skill lore { title: \"Old lore\" }\namend area hill { limit +1 }\n",
         "upper/rules.rules:2 in area hill: limit +1\n"),
        (FAR_HILL, 'area moor "Moor" { limit: 2 }\n', "upper/rules.rules:1 in area moor\n"),
        (ROUNDS, "amend option rounds { default: 2 }\n",
         "upper/rules.rules:1 in option rounds: default: 2\n"),
        (START, "amend attribute score { default: 1 }\n",
         "upper/rules.rules:1 in attribute player.score: default: 1\n"),
        (PAWNS, "amend piece pawn { supply: 5 }\n",
         "upper/rules.rules:1 in piece pawn: supply: 5\n"),
        (AREAS, "remove area wood\n", "upper/rules.rules:1 removes area wood\n"),
    ],
)  # fmt: skip
def test_what_only_data_changed_is_told_with_its_place(
    story: str, rules: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, story)
    variant(tmp_path, rules)
    assert run(tmp_path) == 1
    assert f"by upper: {told}" in capsys.readouterr().out


def test_the_pack_that_changed_it_is_named_among_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, STRONGER)
    variant(tmp_path, LARGER, "top", "upper")
    typed(monkeypatch, "never asked for")
    assert run(tmp_path, "--accept", stack="top") == 1
    out = capsys.readouterr().out
    assert "by upper: upper/rules.rules:1" in out
    assert "What upper changed is for upper to say." in out


def test_a_pack_that_reconciles_two_is_no_reason_to_call_it_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, LIMITS)
    variant(tmp_path, LARGER)
    variant(tmp_path, "amend area hill { limit: 5 }\n", "other")
    variant(tmp_path, "amend area hill { limit: 6 }\n", "top", 'upper", "other')
    assert run(tmp_path, stack="top") == 1
    out = capsys.readouterr().out
    assert "1 changed." in out
    assert "broken" not in out


def test_accepting_asks_for_each_reason_and_makes_the_test_green(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, STRENGTH, LIMITS)
    variant(tmp_path, STRONGER + LARGER)
    typed(monkeypatch, 'they are "stronger"  now', "")
    assert run(tmp_path, "--accept") == 1
    out = capsys.readouterr().out
    assert "was  strength(reds) == 2 and reds.score == 0" in out
    assert "is   strength(reds) == 3 and reds.score == 0" in out
    assert "1 changed on purpose." in out
    path = tmp_path / "upper" / CHANGED
    text = path.read_text(encoding="utf-8")
    assert "limits" not in text
    typed(monkeypatch, "hills are larger")
    assert run(tmp_path, "--accept") == 0
    text = path.read_text(encoding="utf-8")
    assert "because \"they are 'stronger' now\"" in text
    assert format_source(Source(CHANGED, text)) == text
    capsys.readouterr()
    assert run(tmp_path) == 0
    out = capsys.readouterr().out
    assert "2 changed on purpose." in out
    assert "by upper, because hills are larger" in out


def test_only_what_changed_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walkers(tmp_path, LIMITS)
    variant(tmp_path, LARGER)
    typed(monkeypatch, "hills are larger")
    assert run(tmp_path, "--accept") == 0
    assert (tmp_path / "upper" / CHANGED).read_text(encoding="utf-8") == (
        'expects scenario "limits" otherwise because "hills are larger" {\n'
        "  expect {\n    check hill.limit == 4\n  }\n}\n"
    )


def test_without_a_terminal_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, STRONGER)
    monkeypatch.setattr(sys, "stdin", io.StringIO("because\n"))
    assert run(tmp_path, "--accept") == 2
    assert "nothing is written" in capsys.readouterr().err
    assert not (tmp_path / "upper" / CHANGED).exists()


@pytest.mark.parametrize(
    ("rules", "stack"),
    [
        ("amend value nothing { base: 3 }\n", "upper"),
        ("amend value {\n", "upper"),
        ("", "upper+nowhere"),
    ],
)
def test_where_a_stack_does_not_load_nothing_is_written(
    rules: str, stack: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    walkers(tmp_path, STRENGTH)
    variant(tmp_path, STRONGER + rules)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    typed(monkeypatch, "because")
    assert main(["test", stack, "--packs", str(tmp_path), "--accept"]) == USAGE
    out, wrong = capsys.readouterr()
    assert out.count("error[") == 1
    assert wrong == f"ziggurat: `{stack}` cannot be used before that is mended.\n"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_a_scenario_whose_script_does_not_fit_is_removed_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, LIMITS, STRENGTH)
    variant(tmp_path, 'rule shut { forbid may_enter(p, a) when a is wood "Shut." }\n')
    typed(monkeypatch, "")
    assert run(tmp_path, "--accept") == 1
    out = capsys.readouterr().out
    assert "Its script does not fit any more" in out
    assert "Nothing is written." in out
    typed(monkeypatch, "the wood is shut")
    assert run(tmp_path, "--accept") == 0
    text = (tmp_path / "upper" / CHANGED).read_text(encoding="utf-8")
    assert text == '# the wood is shut\nremove scenario "limits"\n'
    capsys.readouterr()
    assert run(tmp_path) == 0
    assert "1 still kept." in capsys.readouterr().out


POWERS = scenario(
    """cases who, power {
    case reds, 2
    case "the others": blues, 2
  }
  expect { check strength(who) == power }""",
    "all: powers",
)


def test_one_line_is_for_all_cases_of_a_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, POWERS)
    line = 'expects scenario "all: powers" otherwise because "more" {{ expect {{ check {} }} }}\n'
    variant(tmp_path, STRONGER + line.format("strength(who) == power + 1"))
    assert run(tmp_path) == 0
    assert "2 changed on purpose." in capsys.readouterr().out


def test_one_case_is_accepted_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, POWERS)
    variant(tmp_path, "rule stronger { modify strength(p) by +1 when p.rank == 2 }\n")
    typed(monkeypatch, "the others grow")
    assert run(tmp_path, "--accept") == 0
    assert (tmp_path / "upper" / CHANGED).read_text(encoding="utf-8") == (
        'expects scenario "all: powers" case "the others" otherwise because "the others grow" {\n'
        "  expect {\n    check strength(blues) == 3\n  }\n}\n"
    )
    capsys.readouterr()
    assert run(tmp_path) == 0
    assert "1 still kept, 1 changed on purpose." in capsys.readouterr().out


def test_what_is_said_of_a_case_goes_before_what_is_said_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, POWERS)
    line = 'expects scenario "all: powers"{} otherwise because "more" {{ expect {{ check {} }} }}\n'
    mine = line.format(' case "who reds, power 2"', "strength(who) == 4")
    stronger = STRONGER + "rule reds_too { modify strength(p) by +1 when p.rank == 1 }\n"
    variant(tmp_path, stronger + mine + line.format("", "strength(who) == power + 1"))
    assert run(tmp_path) == 0
    variant(tmp_path, stronger + line.format("", "strength(who) == power + 1"))
    assert run(tmp_path) == 1


def test_a_case_whose_script_does_not_fit_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = """cases end {
    case wood
  }
  given { place 1 pawn of reds in hill }
  reds does walk(hill, end)
  run phase walking
  expect { check any(pawn of reds in end) }"""
    walkers(tmp_path, scenario(body, "walks"))
    variant(tmp_path, 'rule shut { forbid may_enter(p, a) when a is wood "Shut." }\n')
    typed(monkeypatch, "the wood is shut")
    assert run(tmp_path, "--accept") == 1
    out = capsys.readouterr().out
    assert 'Take the whole table away (`remove scenario "walks"`) and write another.' in out
    assert "Nothing is written." in out


def test_a_line_that_no_longer_differs_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, STRENGTH)
    line = 'expects scenario "strength" otherwise because "stronger" {{ expect {{ check {} }} }}\n'
    variant(tmp_path, line.format("strength(reds) < 4"))
    assert run(tmp_path) == 1
    out = capsys.readouterr().out
    assert "it ends as it was written; take this line away" in out
    assert "upper/rules.rules:1" in out
    variant(tmp_path, STRONGER + line.format("strength(reds) == 5"))
    assert run(tmp_path) == 1
    out = capsys.readouterr().out
    assert "BROKEN  strength" in out
    assert "strength(reds) is 3" in out
    variant(tmp_path, STRONGER + line.format("strength(reds) == 3"))
    assert run(tmp_path) == 0


@pytest.mark.slow
def test_a_variant_of_two_clauses_on_west(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(PACKS / "milder_west", tmp_path / "milder_west")
    about = ("Famine", "--packs", str(tmp_path))
    assert main(["test", "milder_west", *about]) == 1
    out = capsys.readouterr().out
    assert "by milder_west: milder_west/milder.rules:2 in famine.damage" in out
    changed = out.count("CHANGED  ")
    assert changed >= 5
    assert "broken" not in out
    typed(monkeypatch, *["famine takes less"] * changed)
    assert main(["test", "milder_west", "--accept", *about]) == 0
    unfit = capsys.readouterr().out.count("Its script does not fit any more")
    assert unfit > 0  # one hears of 15 damage
    assert main(["test", "milder_west", *about]) == 0
    assert f"{changed - unfit} changed on purpose." in capsys.readouterr().out


# ---- scenarios that do not fit any more ---------------------------------------------------------

PAYING = "reds chooses 1 for toll.pay\n  run toll(reds, 2)\n  expect { check reds.score == 1 }"
TOLL = scenario(PAYING, "toll")
OWN = scenario('area lane "Lane" { limit: 1 }\n  expect { check lane.limit == 1 }', "a lane")
CALLED = "procedure toll(p: player) { choose pay by p from 0..1 }\n"
MORE = "amend action walk { insert parameter n from 1..2 after target\n  add n to p.score }\n"
LESS = "action walk in walking by p (target from areas) { place 1 pawn of p in target }\n"
HEIGHTS = """amend kind area { height: int }
amend area hill { height: 2 }
amend area wood { height: 1 }
"""


@pytest.mark.parametrize(
    ("story", "rules", "changed"),
    [
        (LIMITS, MORE, "action walk"),
        (LIMITS, f"replace {LESS}", "action walk"),
        (TOLL, f"replace {CALLED}", "procedure toll"),
        (TOLL, "amend procedure toll { replace step pay { let pay = n } }\n", "procedure toll"),
        (OWN, HEIGHTS, "kind area"),
    ],
)
def test_a_scenario_of_what_takes_something_else_now_is_changed(
    story: str, rules: str, changed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, story, STRENGTH)
    variant(tmp_path, rules)
    assert main(["check", "upper", "--packs", str(tmp_path)]) == 0
    assert "takes along 1 scenario" in capsys.readouterr().out
    assert run(tmp_path) == 1
    out = capsys.readouterr().out
    assert "by upper: upper/rules.rules:1 in " + changed in out
    assert "1 still kept, 1 changed." in out


def test_a_scenario_that_does_not_fit_is_removed_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, TOLL, STRENGTH)
    variant(tmp_path, f"replace {CALLED}")
    typed(monkeypatch, "one is enough")
    assert run(tmp_path, "--accept") == 0
    assert "Its script does not fit any more" in capsys.readouterr().out
    text = (tmp_path / "upper" / CHANGED).read_text(encoding="utf-8")
    assert text == '# one is enough\nremove scenario "toll"\n'
    assert run(tmp_path) == 0


def test_what_does_not_fit_in_its_own_pack_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, STRENGTH)
    wrong = scenario("run toll(reds)\n  expect { check reds.score == 0 }", "wrong")
    variant(tmp_path, f'amend procedure toll {{ title: "A toll" }}\n{wrong}\n')
    assert main(["check", "upper", "--packs", str(tmp_path)]) == 1
    assert "error[Z302]" in capsys.readouterr().out
