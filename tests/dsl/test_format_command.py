"""`ziggurat fmt`: what it writes, what it leaves alone, and its exit codes."""

from pathlib import Path

import pytest

from ziggurat.studio.commands import fmt as command
from ziggurat.studio.commands.fmt import fmt
from ziggurat.studio.console import FOUND, OK, USAGE, UsageError

UNTIDY = "value  a: int = 1\n"
TIDY = "value a: int = 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "one.rules").write_text(UNTIDY)
    (tmp_path / "inner" / "two.rules").write_text(TIDY)
    (tmp_path / "notes.txt").write_text(UNTIDY)
    return tmp_path


def test_files_are_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "one.rules").chmod(0o640)
    assert fmt(folder) == OK
    assert (folder / "one.rules").read_text() == TIDY
    assert (folder / "one.rules").stat().st_mode & 0o777 == 0o640
    assert (folder / "notes.txt").read_text() == UNTIDY
    assert "2 files looked at, 1 formatted" in capsys.readouterr().out
    assert sorted(path.name for path in folder.iterdir()) == ["inner", "notes.txt", "one.rules"]


def test_check_changes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fmt(folder, check=True) == FOUND
    assert (folder / "one.rules").read_text() == UNTIDY
    assert "would be formatted" in capsys.readouterr().out
    assert fmt(folder / "inner", check=True) == OK


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_are_those_of_the_first_line(folder: Path, end: str) -> None:
    (folder / "one.rules").write_bytes(f"# One.{end}value  a: int = 1\n".encode())
    assert fmt(folder) == OK
    assert (folder / "one.rules").read_bytes() == f"# One.{end}value a: int = 1{end}".encode()
    assert fmt(folder, check=True) == OK


def test_bad_files_are_reported_and_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "inner" / "bad.rules").write_text("value  a: int == 1\n")
    assert fmt(folder) == FOUND
    assert (folder / "inner" / "bad.rules").read_text() == "value  a: int == 1\n"
    assert (folder / "one.rules").read_text() == TIDY
    assert "error[Z111]" in capsys.readouterr().out


def test_what_is_not_there_is_a_wrong_request(folder: Path) -> None:
    assert fmt(folder / "nothing.rules") == USAGE


def test_nothing_to_format_is_a_wrong_request(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError):
        fmt()


def test_a_failed_write_leaves_the_file_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match="No space left"):
        fmt(folder)
    assert (folder / "one.rules").read_text() == UNTIDY
    assert sorted(path.name for path in folder.iterdir()) == ["inner", "notes.txt", "one.rules"]


def test_a_link_goes_on_being_one(folder: Path) -> None:
    link = folder / "inner" / "link.rules"
    link.symlink_to(folder / "one.rules")
    assert fmt(link) == OK
    assert link.is_symlink()
    assert (folder / "one.rules").read_text() == TIDY


def test_files_of_a_pack_are_linked_before_and_after(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pack.toml").write_text(f'id = "{folder.name}"\ntitle = "P"\nversion = "1"\n')
    monkeypatch.setattr(command, "_links_alike", lambda *_: False)
    assert fmt(folder) == FOUND
    assert (folder / "one.rules").read_text() == UNTIDY
    assert "would link to other rules" in capsys.readouterr().out
