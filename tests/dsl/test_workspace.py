"""Loading again: only texts that changed are parsed again; the answer is that of a first load."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.dsl.linked import BASE
from ziggurat import dsl
from ziggurat.dsl.loading import LoadResult, ParsedFiles
from ziggurat.dsl.packs import Search

MANIFEST = 'id = "{0}"\ntitle = "{0}"\nversion = "1"\n{1}[sources]\nW = "Rulebook"\n'


@pytest.fixture
def search(tmp_path: Path) -> Search:
    packs = {
        "base": {"world.rules": BASE, "words.rules": "value courage(p: player): int = 3\n"},
        "upper": {"more.rules": "amend skill pottery { cost: 40 }\n"},
    }
    for name, files in packs.items():
        folder = tmp_path / name
        folder.mkdir()
        extends = 'extends = ["base"]\n' if name == "upper" else ""
        (folder / "pack.toml").write_text(MANIFEST.format(name, extends))
        for path, text in files.items():
            (folder / path).write_text(text)
    return Search((tmp_path,))


def told(result: LoadResult) -> list[str]:
    return [f"{one.code} {one.span}" for one in result.diagnostics]


def test_only_what_changed_is_parsed_again(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    first = workspace.load()
    assert told(first) == []
    assert sorted(workspace.parsed) == ["base/words.rules", "base/world.rules", "upper/more.rules"]
    again = workspace.load()
    assert workspace.parsed == ()
    assert again.ruleset == first.ruleset
    workspace.edit("base/words.rules", "value courage(p: player): int = 4\n")
    other = workspace.load()
    assert workspace.parsed == ("base/words.rules",)
    assert other.ruleset is not None
    assert first.ruleset is not None
    assert other.ruleset.values["courage"] != first.ruleset.values["courage"]
    workspace.close("base/words.rules")
    assert workspace.load().ruleset == first.ruleset


def test_what_a_removal_takes_along_comes_and_goes(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    words = "rule craft { modify reach(p) by +1 when p holds sailing }\n"
    workspace.edit("base/words.rules", words)
    whole = workspace.load()
    for removal in ("remove skill sailing\n", "\nremove skill sailing\n"):
        workspace.edit("upper/more.rules", removal)
        fresh = dsl.Workspace("upper", search)
        fresh.edit("base/words.rules", words)
        fresh.edit("upper/more.rules", removal)
        again, first = workspace.load(), fresh.load()
        assert told(again) == told(first) == [f"Z414 upper/more.rules:{removal.count(chr(10))}:14"]
        assert again.diagnostics == first.diagnostics
        assert again.ruleset == first.ruleset
    workspace.edit("upper/more.rules", "amend skill pottery { cost: 40 }\n")
    assert workspace.load().ruleset == whole.ruleset


def test_findings_come_and_go_with_the_text(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    workspace.edit("upper/more.rules", "amend skill pottry { cost: 40 }\n")
    assert [one.code for one in workspace.load().diagnostics] == ["Z402"]
    workspace.edit("upper/more.rules", "amend skill pottery { cost: }\n")
    broken = workspace.load()
    assert broken.ruleset is None
    assert workspace.parsed == ("upper/more.rules",)
    assert told(workspace.load()) == told(broken)
    workspace.edit("upper/more.rules", "amend skill pottery { cost: 41 }\n")
    assert told(workspace.load()) == []


def test_it_is_what_a_first_load_gives(search: Search) -> None:
    """After any edits: nothing of an earlier text is left."""
    texts = [
        "value courage(p: player): int = 4\n",
        "\n\n# moved down\nvalue courage(p: player): int = 4\n",
        "value courage(p: player): int = reach(p) +\n",
        "value reach(p: player): int = 5\n",
        "",
    ]
    workspace = dsl.Workspace("upper", search)
    for text in [*texts, *texts[::-1]]:
        workspace.edit("base/words.rules", text)
        found = workspace.load()
        (search.folders[0] / "base" / "words.rules").write_text(text)
        fresh = dsl.load("upper", search)
        assert told(found) == told(fresh)
        assert found.ruleset == fresh.ruleset
        assert places(found) == places(fresh)


def agree(workspace: dsl.Workspace, search: Search, path: str, text: str) -> LoadResult:
    """Save an edit, and compare with a first load."""
    (search.folders[0] / path).write_text(text)
    found, fresh = workspace.load(), dsl.load("upper", search)
    assert found.diagnostics == fresh.diagnostics
    assert places(found) == places(fresh)
    return found


def test_only_what_an_edit_concerns_is_linked_again(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    workspace.load()
    assert len(workspace.linked) > 20
    (search.folders[0] / "base/user.rules").write_text(
        "value doubled(p: player): int = 2 * courage(p)\n"
        "value trebled(p: player): int = 2 * doubled(p)\n"
    )
    workspace.load()
    workspace.load()
    assert workspace.linked == ()
    agree(workspace, search, "base/words.rules", "\nvalue courage(p: player): int = 5\n")
    assert workspace.linked == ("value courage",)
    agree(workspace, search, "base/words.rules", "value courage(p: player): text = 5\n")
    assert set(workspace.linked) == {"value courage", "value doubled"}
    agree(workspace, search, "base/words.rules", "value corage(p: player): int = 5\n")
    assert set(workspace.linked) == {"value corage", "value doubled"}
    agree(workspace, search, "upper/more.rules", "amend skill pottery { cost: 41 }\n")
    assert set(workspace.linked) == {"skill pottery"}


def test_notes_point_at_where_things_are_now(search: Search) -> None:
    """A finding in a file that did not change speaks of one that moved."""
    workspace = dsl.Workspace("upper", search)
    agree(workspace, search, "base/words.rules", "value n: int = pottery.cost\n")
    for lines in ("", "\n", "\n\n\n"):
        found = agree(workspace, search, "upper/more.rules", f"{lines}remove skill pottery\n")
        (needing,) = (one for one in found.diagnostics if one.is_error)
        assert [note.span.line for note in needing.notes if note.span] == [len(lines) + 1]


def test_what_another_pack_expects_is_linked_with_the_scenario(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    scenario = 'scenario "one" {{ players red, blue  expect {{ check {} == 1 }} }}\n'
    agree(workspace, search, "base/words.rules", scenario.format(1))
    for number in (1, 2, "nobody"):
        expects = (
            f'expects scenario "one" otherwise because "so" {{ expect {{ check {number} == 2 }} }}'
        )
        agree(workspace, search, "upper/more.rules", f"{expects}\n")
        assert 'scenario "one"' in workspace.linked


def test_what_goes_with_a_removal_is_told_where_the_removal_is_now(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    scenario = 'scenario "one" { players red, blue  expect { check pottery.cost == 40 } }\n'
    agree(workspace, search, "base/words.rules", scenario)
    for lines in ("", "\n", "\n\n", ""):
        agree(workspace, search, "upper/more.rules", f"{lines}remove skill pottery\n")
    agree(workspace, search, "upper/more.rules", "")


def test_a_better_suggestion_turns_up(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    agree(workspace, search, "base/words.rules", "value hope(p: player): int = curage(p)\n")
    found = agree(workspace, search, "upper/more.rules", "value courage(p: player): int = 1\n")
    assert found.diagnostics[0].suggestion == "Did you mean `courage`?"


def test_a_manifest_concerns_everything(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    found = agree(
        workspace, search, "base/words.rules", 'value hope(p: player): int = 1 cites X "3"\n'
    )
    assert [one.code for one in found.diagnostics] == ["Z220"]
    manifest = MANIFEST.format("base", "") + 'X = "Another"\n'
    assert agree(workspace, search, "base/pack.toml", manifest).diagnostics == ()


def places(result: LoadResult) -> Any:
    """With every position, which equality leaves out."""
    return result.ruleset and attrs.asdict(result.ruleset)


def test_files_and_manifests_are_read_again(search: Search) -> None:
    workspace = dsl.Workspace("upper", search)
    workspace.load()
    folder = search.folders[0] / "base"
    (folder / "new.rules").write_text("value hope(p: player): int = 1\n")
    assert told(workspace.load()) == []
    assert workspace.parsed == ("base/new.rules",)
    (folder / "words.rules").unlink()
    found = workspace.load().ruleset
    assert found is not None
    assert "courage" not in found.values
    (folder / "pack.toml").write_text("id = 3")
    assert workspace.load().ruleset is None


def test_stacks_share_what_was_parsed(search: Search) -> None:
    parsed = ParsedFiles()
    dsl.load("base", search, parsed)
    assert len(parsed.fresh) == 2
    assert dsl.load("upper", search, parsed).ruleset == dsl.load("upper", search).ruleset
    assert parsed.fresh == ["upper/more.rules"]
