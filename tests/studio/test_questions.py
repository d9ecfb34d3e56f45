"""`list STACK questions`, `explain Q-1`, and what `diff` tells besides rules."""

import json
from pathlib import Path

import pytest

from tests.dsl.linked import BASE
from ziggurat.studio.cli import main

MANIFEST = 'id = "{id}"\ntitle = "{id}"\nversion = "1"\nplayers = "2"\n{more}\n'
SMALL = """
turn main { phases: play }
rule school { after play { for each p in players where long_game { give pottery to p } } }
question Q-1 "How long is a game?" {
  A "4" says "Games are short."
  reading "Short" { long_game: no }
  reading "Long" { long_game: yes }
  reading "Endless" not built because "somebody wants to go home"
}
question Q-10 "Is anybody famous?" {
  cites A "9"
  reading "Nobody is"
  shown by "nobody is famous"
}
question Q-9 "Is anybody rich?"  cites A "8" { reading "Nobody is" }
clarification D-1 "Nobody is famous at first" {
  A "9" says "Nobody is famous."
  B "9a" says "All are unknown."
  shown by "nobody is famous"
}
clarification D-2 "Nobody knows why" { A "1" says "Nothing." }
scenario "nobody is famous" {
  tags Q-1, Q-9, D-2
  players reds, blues
  expect { check reds.fame == 0 }
}
scenario "somebody is famous" {
  tags Q-1
  players reds, blues
  options { long_game: yes }
  expect { check reds.fame == 1 }
}
"""
FIRST = 'question Q-2 "Who begins?"  cites A "2" { reading "Reds" }\n'
SECOND = """amend option long_game { default: yes }
question Q-3 "Who ends?" {
  cites B "3"
  reading "Blues"
}
"""


@pytest.fixture(autouse=True)
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZIGGURAT_PACKS", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    sources = '[sources]\nA = "The first book"\nB = "The second book"'
    for name, more, text in (
        ("small", sources, BASE + SMALL),
        ("first", 'extends = ["small"]\ncites = ["A"]', FIRST),
        ("second", 'extends = ["small"]\ncites = ["B"]', SECOND),
        ("other", 'optional = ["first"]', 'question Q-4 "Why?"  cites A "1" { reading "So" }\n'),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.toml").write_text(MANIFEST.format(id=name, more=more))
        (tmp_path / name / f"{name}.rules").write_text(text)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def words(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def test_the_list_tells_how_questions_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list", "small", "questions")
    assert code == 0
    heading, first, *rest = out.splitlines()
    assert heading.split() == ["Name", "Question", "Read", "as", "Or", "From", "Cites"]
    told = "Long (with long_game: yes); Endless (somebody wants to go home)"
    assert words(first) == f"Q-1 How long is a game? Short {told} small A 4"
    assert [line.split()[0] for line in rest] == ["Q-9", "Q-10"]


def test_clarifications_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list", "small", "clarifications")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["D-1", "D-2"]


def test_a_question_is_explained_in_a_stack(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", "small", "Q-1")
    told = words(out)
    assert code == 0
    assert told.startswith("Q-1 in small: How long is a game? A 4")
    assert "A 4 says: Games are short." in told
    assert "played: Short long_game: no by default (small) └── ✓ nobody is famous" in told
    assert "by option: Long with long_game: yes └── ✗ somebody is famous" in told
    assert told.endswith("not built: Endless somebody wants to go home")


def test_another_default_is_told_with_the_pack_that_set_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "explain", "second", "Q-1")
    assert "played: Long long_game: yes by default (second)" in words(out)


def test_without_a_stack_the_packs_that_speak_of_it_tell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert words(run(capsys, "explain", "Q-1")[1]).startswith("Q-1 in small:")
    assert words(run(capsys, "explain", "Q-3")[1]).startswith("Q-3 in second:")
    assert words(run(capsys, "explain", "Q-4")[1]).startswith("Q-4 in first+other:")
    told = words(run(capsys, "explain", "D-1")[1])
    assert "B 9a says: All are unknown." in told
    assert "✓ nobody is famous" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["small", "Q-11"], "`small` has no question Q-11. Did you mean `Q-1`?"),
        (["Q-7777"], "no pack declares a question Q-7777"),
        (["nowhere", "Q-1"], "`nowhere` cannot be used"),
    ],
)
def test_what_nobody_asks(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    code, _, err = run(capsys, "explain", *arguments)
    assert code == 2
    assert told in words(err)


def test_the_difference_tells_answers_and_words_and_counts_neither(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "diff", "first", "second")
    assert out.startswith("first → second: 1 rule differs; 3 questions, 1 clarification\n")
    told = words(out)
    assert "~ How long is a game? changed" in told
    assert "- Who begins? removed" in told
    assert "- played: Reds" in told
    assert "+ Who ends? added" in told
    assert "≈ Nobody is famous at first clarified A 9 → B 9a clarification D-1" in told
    assert "D-2" not in told
    code, out, _ = run(capsys, "diff", "first", "first", "--exit-code")
    assert (code, out) == (0, "first → first: no difference\n")


def test_the_difference_of_answers_alone(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("diff", "first", "second", "--only", "clarifications", "--exit-code")
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert out.startswith("first → second: no difference; 1 clarification\n")


def test_the_difference_for_programs_and_pages(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "diff", "first", "second", "--format", "json")[1])
    assert told["counts"]["changed"] == len(told["entries"]) == 1
    seen = [(one["section"], one["path"], one["change"], one["title"]) for one in told["besides"]]
    assert seen[1] == ("questions", "question Q-2", "removed", "Who begins?")
    assert seen[3] == (
        "clarifications", "clarification D-1", "clarified", "Nobody is famous at first",
    )  # fmt: skip
    clarified = told["besides"][3]
    assert clarified["old"]["cites"] == [{"source": "A", "place": "9"}]
    assert clarified["hunks"] == [{"old": "Nobody is famous.", "new": "All are unknown."}]
    page = run(capsys, "diff", "first", "second", "--format", "html")[1]
    assert '<article data-sort="clarification">' in page
    assert "Who begins? <small>removed</small></h3>" in page
    text = run(capsys, "diff", "first", "second", "--format", "markdown")[1]
    assert "### Nobody is famous at first\n\n*clarified; A 9 → B 9a*\n" in text
    numbers = run(capsys, "diff", "first", "second", "--stat")[1]
    assert "clarifications" not in numbers.splitlines()[0]
    assert numbers.splitlines()[-1].endswith("3 questions, 1 clarification")
