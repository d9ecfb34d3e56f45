"""`ziggurat list` and `ziggurat resolve`: a ruleset looked at from outside."""

import re
from pathlib import Path

import pytest

from tests.dsl.linked import BASE
from ziggurat.studio.cli import main

MANIFEST = 'id = "{id}"\ntitle = "{id}"\nversion = "1"\n{more}'
HARD = """amend skill pottery {
  cost: 150
  modify reach(holder) by +1
}
amend value reach { base: 3 }
amend procedure lose { replace step pay { say "{n} less." } }
advice walk { prefer target.limit }
rule late { modify by_rank.late(p) by +1
  before lose(p, n) { say "Oh." }
}
# How lucky somebody is.
# (It never lasts.)
value luck(p: player, a: area): int = a.limit  tags S-7
value thirst(p: player): int = 1  # always

procedure march_off(p: player) {
  choose way by p from areas "Where to, {p}?"
  may p home "Go home" when luck(p, way) > thirst(p) { say "{p} goes home." }
}
scenario "nobody has luck" {
  players reds, blues
  run march_off(reds)
  expect { check reds.fame == 0 }
}
"""


@pytest.fixture(autouse=True)
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two packs on the search path, the second of which amends the first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZIGGURAT_PACKS", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    for name, more, text in (
        ("small", "", BASE),
        ("hard", 'extends = ["small"]\n', HARD),
        ("bad", 'extends = ["small"]\n', "value x(p: player): int = y(p)\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.toml").write_text(MANIFEST.format(id=name, more=more))
        (tmp_path / name / f"{name}.rules").write_text(text)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_list_counts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list", "small")
    rows = dict(line.split()[:2] for line in out.splitlines()[1:])
    assert code == 0
    assert (rows["area"], rows["piece"], rows["skill"]) == ("3", "3", "2")


@pytest.mark.parametrize("word", ["skill", "skills"])
def test_list_of_a_kind(capsys: pytest.CaptureFixture[str], word: str) -> None:
    code, out, _ = run(capsys, "list", "hard", word)
    assert code == 0
    assert out.splitlines()[1].split() == ["pottery", "Pottery", "small"]


def rows(out: str) -> dict[str, list[str]]:
    """The cells of a list by the first one, cut where its headings begin."""
    heading, *lines = out.splitlines()
    starts = [found.start() for found in re.finditer(r"\S+( \S+)*", heading)]
    told = {}
    for line in lines:
        first, *others = (
            line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)
        )
        told[first] = others
    return told


def test_a_list_tells_what_a_rule_takes_and_is_and_its_comment(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "list", "hard", "values")
    assert out.splitlines()[0].split() == ["Name", "Takes", "Is", "Comment", "From", "Tags"]
    told = rows(out)
    assert told["reach"] == ["p: player", "int", "", "small", ""]
    assert told["luck"] == ["p: player, a: area", "int", "How lucky somebody is.", "hard", "S-7"]
    assert told["thirst"] == ["p: player", "int", "always", "hard", ""]
    _, out, _ = run(capsys, "list", "small", "attributes")
    assert rows(out)["player.owed"][0] == "group -> int of player"


def test_a_list_of_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list", "hard", "decisions")
    told = rows(out)
    assert code == 0
    assert told["march_off.way"] == ["choose", "p", "Where to, {p}?", "hard/hard.rules:17"]
    assert told["march_off.home"][:3] == ["may", "p", "Go home"]
    assert told["walk"] == ["act", "p in play", "Walk", "small/small.rules:66"]
    assert told["walk.target"][0] == "pick"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--find", "LUCK"], ["luck", "nobody_has_luck"]),
        (["--find", "lucky"], ["luck"]),
        (["values", "--find", "lucky"], ["luck"]),
        (["decisions", "--find", "where to"], ["march_off.way"]),
        (["--find", "Where to"], ["march_off.way"]),
        (["--find", "S-7"], ["luck"]),
    ],
)
def test_a_search_prints_names_in_a_pipe(
    capsys: pytest.CaptureFixture[str], arguments: list[str], found: list[str]
) -> None:
    code, out, _ = run(capsys, "list", "hard", *arguments)
    assert code == 0
    assert out.splitlines() == found


def test_a_search_in_vain(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "list", "hard", "--find", "unicorn")
    assert code == 2
    assert "nothing that is listed of `hard` has `unicorn` in it." in " ".join(err.split())


def test_list_of_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list", "small", "options")
    assert code == 0
    assert "A longer game" in out
    assert "no or yes" in out


def test_list_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "list", "small", "skilss")
    assert code == 2
    assert "Did you mean `skills`?" in err


def test_resolve_says_who_set_what(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "resolve", "hard", "pottery")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].endswith("# declared in small/small.rules:24")
    assert "  cost: 150   # set by hard/hard.rules:2" in lines
    assert "  worth: crafts 10   # set by small/small.rules:24" in lines
    assert "  modify reach(holder) by +1   # set by hard/hard.rules:3" in lines


def test_resolve_keeps_to_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    _, out, _ = run(capsys, "resolve", "hard", "pottery")
    assert "  modify reach(holder) by +1\n    # set by hard/hard.rules:3\n" in out
    assert all(len(line) <= 50 for line in out.splitlines())


def test_resolve_a_value_with_all_that_changes_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "resolve", "hard", "value reach")
    assert code == 0
    assert "the base   # set by hard/hard.rules:5" in out
    assert "modify reach(holder) by +1   # by skill.pottery, hard/hard.rules:3" in out


def test_resolve_a_procedure_shows_foreign_steps(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "resolve", "hard", "lose")
    assert code == 0
    assert "# set by hard/hard.rules:6" in out


@pytest.mark.parametrize(
    "path", ["by_rank", "play", "walk", "man", "hand", "player.fame", "kind.area"]
)
def test_resolve_anything(capsys: pytest.CaptureFixture[str], path: str) -> None:
    code, out, _ = run(capsys, "resolve", "small", path)
    assert code == 0
    assert "# declared in small/small.rules:" in out


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("lose.pay", "step pay {   # lose.pay, written in hard/hard.rules:6"),
        ("procedure lose.pay", 'say "{n} less."'),
        ("step lose.tell", "step tell {   # lose.tell, written in small/small.rules:"),
        ("play.1", "by by_rank until done\n  # play.1, written in small/small.rules:"),
        ("pottery / modify reach / 1", "modify reach(holder) by +1   # pottery / modify reach / 1"),
        ("pottery / modify reach", "written in hard/hard.rules:3"),
        ("advice walk", "prefer target.limit   # set by hard/hard.rules:7"),
        ("rule late", "modify by_rank.late(p) by +1   # set by hard/hard.rules:8"),
        ("late / before lose / 1", "before lose(p, n) {   # late / before lose / 1"),
    ],
)
def test_resolve_a_part(capsys: pytest.CaptureFixture[str], path: str, shown: str) -> None:
    code, out, _ = run(capsys, "resolve", "hard", path)
    assert code == 0
    assert shown in out


GONE = """remove woe drought
amend procedure lose {
  remove step tell
}
amend action walk { replace parameter origin from areas }
"""


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("drought", "`drought` is gone: less removes `woe drought` (less/less.rules:1)."),
        ("woe drought", "less removes `woe drought` (less/less.rules:1)."),
        ("drought.harm", "`drought.harm` is gone: less removes `woe drought`"),
        ("value drought.harm", "less removes `woe drought` (less/less.rules:1)."),
        ("lose.tell", "`lose.tell` is gone: less changes `procedure lose` (less/less.rules:3)."),
    ],
)
def test_resolve_says_who_removed_what(
    path: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "less").mkdir()
    manifest = MANIFEST.format(id="less", more='extends = ["small"]\n')
    (tmp_path / "less" / "pack.toml").write_text(manifest)
    (tmp_path / "less" / "less.rules").write_text(GONE)
    code, out, _ = run(capsys, "resolve", "less", path)
    assert (code, told in out) == (0, True)
    assert run(capsys, "resolve", "less", "skill drought")[0] == 2


def test_resolve_a_misspelt_part(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "resolve", "hard", "lose.pya")
    assert code == 2
    assert "Did you mean `lose.pay`?" in err


WORDS = (
    "kind piece place cards neutral attribute option value order procedure phase action advice rule"
)


@pytest.mark.parametrize("word", WORDS.split())
def test_everything_that_is_listed_can_be_resolved(
    capsys: pytest.CaptureFixture[str], word: str
) -> None:
    _, out, _ = run(capsys, "list", "hard", word)
    names = [line.split()[0] for line in out.splitlines()[1:]]
    assert names
    for name in names:
        assert run(capsys, "resolve", "hard", f"{word} {name}")[0] == 0


def test_resolve_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "resolve", "small", "potery")
    assert code == 2
    assert "Did you mean `pottery`?" in err


@pytest.mark.parametrize("command", [("list", "bad"), ("resolve", "bad", "x")])
def test_a_broken_ruleset_is_shown_to_be_broken(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    code, out, err = run(capsys, *command)
    assert code == 2
    assert "error[Z204]" in out
    assert err == "ziggurat: `bad` cannot be used before that is mended.\n"
