"""`ziggurat diff`: what it prints in each format, and the exit code it ends with."""

import html.parser
import json
import subprocess
from pathlib import Path

import pytest

from ziggurat.studio.cli import main

MANIFEST = 'id = "{id}"\ntitle = "{id}"\nversion = "1"\n[sources]\nW = "Rulebook"\n'
RULES = """
kind skill holdable plural skills {{ cost: int }}
skill pottery "Pottery" {{
  cites W "9 Pottery"
  cost: {cost}
  # Clay carries far.
  # Everybody knows.
  modify reach(holder) by +{reach}
}}
kind nation seat plural nations {{ rank: int }}
nation reds "The Reds" {{ rank: 1 }}
value reach(p: player) "How far one gets": int = 2    cites W "3"
"""


def write(folder: Path, id_: str, cost: int = 30, reach: int = 1) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "pack.toml").write_text(MANIFEST.format(id=id_), encoding="utf-8")
    (folder / "all.rules").write_text(RULES.format(cost=cost, reach=reach), encoding="utf-8")


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two packs beside each other, which is also the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZIGGURAT_PACKS", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    write(tmp_path / "first", "first")
    write(tmp_path / "second", "second", cost=45, reach=2)
    return tmp_path


def test_the_terminal_shows_both_sides_in_words(
    packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", "first", "second"]) == 0
    assert capsys.readouterr().out == (
        "first → second: 1 rule differs; data of 1 skill\n"
        "  W: Rulebook\n"
        "\n"
        "Pottery (skill) (2) ────────────────────────────────────────────────────────────\n"
        "~ Pottery: changes “How far one gets”  changed\n"
        "  W 9 Pottery\n"
        "  Clay carries far. Everybody knows.\n"
        "  skill pottery / modify reach  first/all.rules:8 → second/all.rules:8\n"
        "    - modify reach(holder) by +1\n"
        "    + modify reach(holder) by +2\n"
        "~ Pottery: cost  changed, data\n"
        "  W 9 Pottery\n"
        "  skill pottery / cost  first/all.rules:5 → second/all.rules:5\n"
        "    - cost: 30\n"
        "    + cost: 45\n"
    )


def test_a_wide_terminal_shows_them_side_by_side(
    packs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    main(["diff", "first", "second"])
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if "cost: 30" in line]
    assert "cost: 45" in line
    assert max(map(len, lines)) <= 120


def test_nothing_is_wider_than_the_terminal(
    packs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    main(["diff", "first", "second"])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 40


def test_numbers_only(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "first", "second", "--stat"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[-2:] == [
        "2 changed",
        "first → second: 1 rule differs; data of 1 skill",
    ]
    assert told.splitlines()[1].split() == ["skills", "2"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["first", "second"], 0),
        (["first", "second", "--exit-code"], 1),
        (["first", "first", "--exit-code"], 0),
        (["first", "second", "--exit-code", "--only", "values"], 0),
        (["first", "nowhere"], 2),
        (["first", "second", "--only", "skils"], 2),
        (["first", "second", "--format", "pdf"], 2),
    ],
)
def test_exit_codes(packs: Path, arguments: list[str], code: int) -> None:
    assert main(["diff", *arguments]) == code


def test_an_unknown_section_gets_a_hint(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["diff", "first", "second", "--only", "skils"])
    assert "Did you mean `skills`?" in capsys.readouterr().err


def test_a_ruleset_against_itself(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["diff", "first", "first"])
    assert capsys.readouterr().out == "first → first: no difference\n"


def test_folders_of_packs(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "./first", "./second", "--exit-code"]) == 1
    assert "./first → ./second" in capsys.readouterr().out


def test_what_is_no_game_can_be_compared(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pack that leaves a rule to others, now and at a revision, and with what lies beside it."""
    write(packs / "part", "part")
    rules = packs / "part" / "all.rules"
    open_value = 'open value luck(p: player) "How lucky one is": int\n'
    rules.write_text(rules.read_text(encoding="utf-8") + open_value, encoding="utf-8")
    git(packs, "init", "-q")
    git(packs, "add", ".")
    git(packs, "commit", "-q", "-m", "part")
    rules.write_text(rules.read_text(encoding="utf-8").replace("30", "35"), encoding="utf-8")
    assert main(["diff", "part@HEAD", "part", "--exit-code"]) == 1
    assert "+ cost: 35" in capsys.readouterr().out
    assert main(["diff", "part", "part", "--behaviour"]) == 2


def test_a_folder_is_compared_with_what_lies_beside_it(
    packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, cost in (("here", 30), ("there", 50)):
        (packs / place).mkdir()
        write(packs / place / "below", "below", cost=cost)
        (packs / place / "above").mkdir()
        manifest = MANIFEST.format(id="above").replace(
            "[sources]", 'extends = ["below"]\n[sources]'
        )
        (packs / place / "above" / "pack.toml").write_text(manifest, encoding="utf-8")
    assert main(["diff", "here/above", "there/above", "--exit-code"]) == 1
    told = capsys.readouterr().out
    assert "- cost: 30" in told
    assert "+ cost: 50" in told


def test_json_has_the_documented_shape(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["diff", "first", "second", "--format", "json"])
    told = json.loads(capsys.readouterr().out)
    assert {key: told[key] for key in ("version", "old", "new")} == {
        "version": 1,
        "old": "first",
        "new": "second",
    }
    assert told["counts"] == {"changed": 2, "added": 0, "removed": 0, "renamed": 0, "moved": 0}
    assert told["entries"][0] == {
        "path": "skill pottery / cost",
        "section": "skills",
        "change": "changed",
        "title": "Pottery: cost",
        "chapter": "Pottery (skill)",
        "sentence": "Pottery (skill) 2",
        "comments": {"old": "", "new": ""},
        "sort": "data",
        "felt": True,
        "old": {
            "path": "skill pottery / cost",
            "title": "Pottery: cost",
            "words": "cost: 30",
            "location": {"file": "first/all.rules", "line": 5, "column": 3},
            "cites": [{"source": "W", "place": "9 Pottery"}],
            "tags": [],
        },
        "new": {
            "path": "skill pottery / cost",
            "title": "Pottery: cost",
            "words": "cost: 45",
            "location": {"file": "second/all.rules", "line": 5, "column": 3},
            "cites": [{"source": "W", "place": "9 Pottery"}],
            "tags": [],
        },
        "hunks": [{"old": "cost: 30", "new": "cost: 45"}],
    }


def test_every_field_of_the_json_is_documented(
    packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["diff", "first", "second", "--format", "json"])
    told = json.loads(capsys.readouterr().out)
    page = (Path(__file__).parents[2] / "docs" / "diff-json.md").read_text(encoding="utf-8")
    entry = told["entries"][0]
    for field in {*told, *entry, *entry["old"], *entry["old"]["location"], *entry["hunks"][0]}:
        assert f'"{field}"' in page


def test_markdown(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["diff", "first", "second", "--format", "markdown"])
    told = capsys.readouterr().out
    assert told.startswith(
        "# first → second\n\n1 rule differs; data of 1 skill.\n\n- W: Rulebook\n"
    )
    assert "## Pottery (skill) (2)\n\n### Pottery: changes “How far one gets”\n" in told
    assert "> Clay carries far. Everybody knows.\n" in told
    assert "```diff\n- cost: 30\n+ cost: 45\n```\n" in told


class _Page(html.parser.HTMLParser):
    """Counts what is opened and closed, and remembers what is loaded from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)
        self.loaded += [value or "" for name, value in attrs if name in ("src", "srcset")]
        self.loaded += [v or "" for n, v in attrs if n == "href" and not (v or "").startswith("#")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_is_one_sound_page(packs: Path) -> None:
    assert main(["diff", "first", "second", "--format", "html", "-o", "diff.html"]) == 0
    written = (packs / "diff.html").read_text(encoding="utf-8")
    page = _Page()
    page.feed(written)
    assert page.open == []
    assert page.loaded == []
    assert "url(" not in written
    assert "prefers-color-scheme: dark" in written
    assert "skill pottery / cost" in page.text
    assert 'type="search"' in written
    for sort in ("felt", "data"):
        assert f'<input type="checkbox" name="{sort}" checked>' in written
        assert f'<article data-sort="{sort}">' in written


def test_a_file_that_cannot_be_written(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "first", "second", "-o", "no/such/folder.txt"]) == 2
    assert "cannot be written" in capsys.readouterr().err


# ---- several side by side -----------------------------------------------------------------------


@pytest.fixture
def third(packs: Path) -> None:
    write(packs / "third", "third", cost=45, reach=3)


@pytest.mark.usefixtures("third")
@pytest.mark.parametrize("width", ["120", "60"])
def test_a_column_for_each(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert main(["diff", "first", "second", "third", "--exit-code"]) == 1
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "first | second | third: 1 rule differs; data of 1 skill"
    if width == "120":
        assert "first second third" in lines
        assert "cost: 30 cost: 45 as second" in lines
    else:
        at = lines.index("cost: 30")
        assert lines[at - 1 : at + 5] == [
            "first:", "cost: 30", "second:", "cost: 45", "third:", "as second",
        ]  # fmt: skip
    assert max(map(len, lines)) <= int(width)


@pytest.mark.usefixtures("third")
def test_columns_in_other_formats(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = {}
    for format in ("json", "markdown", "html"):
        assert main(["diff", "first", "second", "third", "--format", format]) == 0
        told[format] = capsys.readouterr().out
    data = json.loads(told["json"])
    assert data["editions"] == ["first", "second", "third"]
    rows = {one["path"]: one for one in data["rows"]}
    cells = rows["skill pottery / modify reach"]["cells"]
    assert [cell["state"] for cell in cells] == ["first", "changed", "changed"]
    assert [cell["hunks"] for cell in cells][2] == ["modify reach(holder) by +3"]
    page = (Path(__file__).parents[2] / "docs" / "diff-json.md").read_text(encoding="utf-8")
    for field in {*data, *rows["skill pottery / cost"], *cells[0]}:
        assert f"`{field}`" in page, field
    assert "| | first | second | third |\n|---|---|---|---|\n" in told["markdown"]
    cost = "<code>cost: 30</code> | <code>cost: 45</code> | as second |"
    assert f"| `skill pottery / cost` | {cost}" in told["markdown"]
    sound = _Page()
    sound.feed(told["html"])
    assert sound.open == sound.loaded == []
    assert "<th>third</th>" in told["html"]


@pytest.mark.usefixtures("third")
def test_numbers_of_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "first", "second", "third", "first", "--stat"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[:2] == [["Section", "second", "third", "first"], ["skills", "2", "2"]]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["first"], "two stacks or more"),
        ([], "two stacks or more"),
        (["first", "second", "first", "--behaviour"], "compares two stacks"),
    ],
)
def test_too_few_and_too_many(
    packs: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main(["diff", *arguments]) == 2
    assert told in capsys.readouterr().err


# ---- revisions ----------------------------------------------------------------------------------


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def history(packs: Path) -> Path:
    """The first pack with a past: it was cheaper two commits ago."""
    git(packs, "init", "-q")
    for cost in (10, 20, 30):
        write(packs / "first", "first", cost=cost)
        git(packs, "add", ".")
        git(packs, "commit", "-q", "-m", f"cost {cost}")
    return packs


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("first@HEAD~2", "first", ["- cost: 10", "+ cost: 30"]),
        ("first@HEAD~2", "first@HEAD~1", ["- cost: 10", "+ cost: 20"]),
        ("./first@HEAD~1", "./first", ["- cost: 20", "+ cost: 30"]),
    ],
)
def test_a_pack_at_a_revision(
    history: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, words: list[str]
) -> None:
    assert main(["diff", old, new, "--exit-code"]) == 1
    told = capsys.readouterr().out
    assert told.startswith(f"{old} → {new}: data of 1 skill\n")
    assert all(word in told for word in words)


def test_the_present_revision_is_no_difference(history: Path) -> None:
    assert main(["diff", "first@HEAD", "first", "--exit-code"]) == 0


@pytest.mark.parametrize("old", ["first@no_such_thing", "first@--help", "@HEAD", "first@"])
def test_revisions_that_make_no_sense(
    history: Path, capsys: pytest.CaptureFixture[str], old: str
) -> None:
    assert main(["diff", old, "first"]) == 2
    assert "revision" in capsys.readouterr().err


def test_a_revision_without_a_repository(
    packs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(packs / "nowhere"))
    assert main(["diff", "first@HEAD", "first"]) == 2
    assert "revision" in capsys.readouterr().err
