"""`ziggurat test` and `ziggurat explain STACK EXPRESSION`, as somebody types them."""

from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.studio.cli import main

GOOD = scenario("tags R-1\n  expect { check strength(reds) == 2 }", "strength")
BAD = scenario("expect { check strength(reds) == 3 }", "wrong")


def run(folder: Path, *arguments: str) -> int:
    return main([*arguments, "--packs", str(folder)])


def test_all_scenarios_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "test", "walkers") == 0
    assert "1 still kept." in capsys.readouterr().out


def test_a_failure_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD, BAD)
    assert run(tmp_path, "test", "walkers") == 1
    out = capsys.readouterr().out
    assert "BROKEN  wrong" in out
    assert "strength(reds) is 2" in out
    assert run(tmp_path, "test", "walkers", "strength") == 0


def test_no_such_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "test", "walkers", "nothing like it") == 2
    assert "no scenarios" in capsys.readouterr().err


def test_coverage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "test", "walkers", "--coverage") == 1
    out = capsys.readouterr().out
    assert "1 of 4 tags have a scenario." in out
    assert "R-2  walkers/walkers.rules:" in out
    assert "\n  toll\n" in out


def test_mutation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "test", "walkers", "--mutate", "5") == 1
    out = capsys.readouterr().out
    assert "of 5 wrong rules were noticed" in out


def test_fewer_than_no_mutants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "test", "walkers", "--mutate", "-4") == 2
    assert "for --mutate. Must be >= 0." in capsys.readouterr().err


def test_each_clause_of_a_pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = "given { place 1 pawn of reds in hill }   expect { check strength(reds) == 3 }"
    walkers(tmp_path, GOOD, scenario(alone, "a pawn"))
    asked = ("test", "walkers", "--pack", "walkers", "--coverage")
    assert run(tmp_path, *asked) == 1
    out = capsys.readouterr().out
    assert "\n  run  strength  walkers/walkers.rules:" in out
    assert "\n  never run  toll  walkers/walkers.rules:" in out
    assert run(tmp_path, *asked, "--mutate", "0", "--jobs", "1") == 1
    out = capsys.readouterr().out
    assert "\n  checked  strength  walkers/walkers.rules:" in out
    assert " clauses were checked: each change tried is noticed." in out


def test_mutants_that_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = 'mutant "{}" changes nothing because "of a reason"\n'
    names = ("ranks: the key ranks.rank left out", "strength: 2 made 1", "strength: 5 made 4")
    walkers(tmp_path, GOOD, *map(listed.format, names))
    assert run(tmp_path, "test", "walkers", "--mutate", "0", "--jobs", "1") == 1
    out = capsys.readouterr().out
    assert "1 more change nothing, as their packs say." in out
    assert 'this mutant is noticed, by "strength": strength: 2 made 1\n' in out
    assert "these rules have no such mutant: strength: 5 made 4\n" in out
    assert "ranks.rank left out" not in out


def test_only_the_scenarios_of_a_pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "test", "walkers", "--pack", "walkers") == 0
    assert "1 still kept." in capsys.readouterr().out
    assert run(tmp_path, "test", "walkers", "--pack", "walker") == 2
    assert "has no pack `walker`. Did you mean `walkers`?" in capsys.readouterr().err


def test_a_value_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "explain", "walkers", "strength(reds)", "--holding", "reds=lore") == 0
    out = capsys.readouterr().out
    assert "strength(reds) is 5" in out
    assert "+3 by Lore (skill), makes 5" in out
    assert "reds holds lore: yes" in out


LEARNING = """
procedure learn(p: player, s: skill) {
  give s to p
  choose gain by p from 1..3  "How much?"
  add gain to p.score
}
"""


def test_what_is_held_is_held_with_what_it_brings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, LEARNING)
    asked = ("explain", "walkers", "reds.score + strength(reds)", "--holding", "reds=lore")
    assert run(tmp_path, *asked) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Note: Reds chooses 1 for learn.gain, the first option." in out
    assert "reds.score + strength(reds) is 6" in out


def test_the_first_example_of_an_edition(capsys: pytest.CaptureFixture[str]) -> None:
    held = ("--holding", "parthia=pottery", "--holding", "parthia=masonry")
    assert main(["explain", "east", "price(parthia, agriculture)", *held]) == 0
    assert "price(parthia, agriculture) is 90" in capsys.readouterr().out
    assert main(["explain", "west", "may_advance(rome)", "--given", "set rome.step = 4"]) == 0
    out = capsys.readouterr().out
    assert "0 ast cities of rome, 2 needed (early_bronze.cities): no" in out
    assert len(out.splitlines()) < 20


def test_what_is_held_without_what_it_brings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, LEARNING, LEARNING.replace("learn(", "study("))
    assert run(tmp_path, "explain", "walkers", "reds.score", "--holding", "reds=lore") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Note: reds holds lore and nothing it brings: learn, study all give it." in out
    assert "reds.score is 0" in out


def test_an_explanation_is_a_page_unless_more_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sums = "\n".join(
        f"value sum{n}(p: player): int = sum{n - 1}(p) + strength(p) + {n}" for n in range(1, 20)
    )
    long = " + ".join(f"sum{n}(reds)" for n in range(8, 20))
    walkers(tmp_path, f"value sum0(p: player): int = 0\n{sums}")
    assert run(tmp_path, "explain", "walkers", long) == 0
    page = capsys.readouterr().out.splitlines()
    assert len(page) <= 41
    assert page[-1].endswith("more with `--depth 2`")
    assert run(tmp_path, "explain", "walkers", long, "--depth", "3") == 0
    assert len(capsys.readouterr().out.splitlines()) > 80


def test_a_position_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    step = "place 2 pawn of reds in hill"
    assert run(tmp_path, "explain", "walkers", "strength(reds) * 2", "--given", step) == 0
    assert "strength(reds) * 2 is 8" in capsys.readouterr().out


def test_a_refusal_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    asked = ("explain", "walkers", "walk(hill, wood)", "--players", "reds,blues")
    step = ("--given", "place 1 pawn of reds in hill")
    assert run(tmp_path, *asked, *step) == 0
    assert "is allowed by its own rules" in capsys.readouterr().out
    assert run(tmp_path, *asked, *step, "--holding", "reds=fear") == 0
    assert "The wood is dark." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("expression", "said"),
    [("strength(", "not an expression"), ("strenght(reds)", "strength")],
)
def test_what_cannot_be_explained(
    expression: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path, GOOD)
    assert run(tmp_path, "explain", "walkers", expression) in (1, 2)
    captured = capsys.readouterr()
    assert said in captured.out + captured.err


def test_a_stack_alone_is_not_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "walkers"]) == 2
    assert "name a stack and the value" in capsys.readouterr().err
