"""What commands do on machines with other consoles, file systems and habits than ours."""

import errno
import io
import json
import os
import socket
import sys
from pathlib import Path

import pytest

from tests.runtime.packed import BASE, BEGIN, PACK, TURN
from ziggurat.dsl import files
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.packs import Search, resolve_stack
from ziggurat.studio import console, language
from ziggurat.studio.cli import main
from ziggurat.studio.console import BROKEN_PIPE, OK, USAGE
from ziggurat.studio.web.serving import Place, listen

RACE = Path(__file__).parents[1] / "packs" / "race"
CHOICE = 'phase play "Play" { each player p in players { add 1 to p.score } }\n'
SCENARIO = 'scenario "zwölf Äpfel → ≥ 3" { players player1, player2 expect { check 1 == 1 } }\n'


@pytest.fixture
def variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack on the race whose words the code pages of Windows do not all have."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "größer"
    folder.mkdir()
    (folder / "pack.toml").write_text(
        'id = "bigger"\ntitle = "Größer → 日本"\nversion = "1"\nextends = ["race"]\n',
        encoding="utf-8",
    )
    rules = 'option weather "Wie es ist → 日本": int = 1\n'
    (folder / "more.rules").write_text(rules, encoding="utf-8")
    return folder


class Console(io.TextIOWrapper):
    """The standard output of a console of Western Europe."""

    def __init__(self) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding="cp1252", newline="\n")


def printed(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> bytes:
    out = Console()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        main(arguments)
    out.flush()
    return out.bytes.getvalue()


@pytest.mark.parametrize("format", ["html", "json", "markdown"])
def test_what_programs_read_is_the_same_on_a_console_as_in_a_file(
    format: str, variant: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("diff", str(RACE), str(variant), "--format", format, "--packs", str(RACE.parent))
    shown = printed(monkeypatch, *asked)
    assert main([*asked, "-o", "file"]) == OK
    assert shown == Path("file").read_bytes()
    assert "→ 日本" in shown.decode("utf-8")


def test_findings_and_results_for_programs_are_utf_8(
    variant: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (variant / "more.rules").write_text(SCENARIO, encoding="utf-8")
    packs = ("--packs", str(RACE.parent))
    for format in ("json", "junit"):
        told = printed(monkeypatch, "test", str(variant), "--format", format, *packs)
        assert "zwölf Äpfel → ≥ 3" in told.decode("utf-8")
    (variant / "more.rules").write_text('option a "ä → 日本": nothing = 1\n', encoding="utf-8")
    told = printed(monkeypatch, "check", str(variant), "--format", "json", *packs)
    assert json.loads(told.decode("utf-8"))
    assert b"?" not in printed(monkeypatch, "check", str(variant), "--format", "github", *packs)


def test_a_closed_pipe_on_windows_is_a_broken_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def flush(self) -> None:
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr("ziggurat.studio.cli._silence", lambda: None)
    monkeypatch.setattr(sys, "stdout", Closed())
    assert main(["packs"]) == USAGE
    monkeypatch.setattr(console, "WINDOWS", True)
    assert main(["packs"]) == BROKEN_PIPE


# ---- files that others hold, and disks that are full --------------------------------------------


def test_a_file_that_another_program_holds_is_replaced_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    waited: list[float] = []
    replace = Path.replace

    def refuse_twice(path: Path, target: Path) -> Path:
        if len(waited) < 2:
            raise PermissionError(errno.EACCES, "Access is denied", str(path))
        return replace(path, target)

    monkeypatch.setattr(files.time, "sleep", waited.append)
    monkeypatch.setattr(Path, "replace", refuse_twice)
    files.replace_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert len(waited) == 2


def test_a_file_that_stays_held_is_named_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(errno.EACCES, "Access is denied", str(path))

    monkeypatch.setattr(files.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError) as caught:
        files.replace_file(tmp_path / "file", b"new")
    assert caught.value.filename == str(tmp_path / "file")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("there", [False, True])
def test_a_full_disk_leaves_what_was_there(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "map.svg"
    if there:
        picture.write_text("old", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("ziggurat.dsl.files._move", full)
    with pytest.raises(console.UsageError, match=r"map\.svg` cannot be written: No space left"):
        console.write_file(picture, "new")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["old"] * there


def test_a_written_file_is_as_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    console.write_file(tmp_path / "map.svg", "new")
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1
    console.write_file(Path(os.devnull), "new")


# ---- names --------------------------------------------------------------------------------------


def test_a_plus_in_the_path_of_a_folder_within_a_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("a+b/tiny")
    folder.mkdir(parents=True)
    (folder / "pack.toml").write_text(PACK, encoding="utf-8")
    (folder / "tiny.rules").write_text(BASE + BEGIN + TURN + CHOICE, encoding="utf-8")
    alone, _ = resolve_stack("./a+b/tiny", Search(()))
    assert alone is not None
    stack, findings = resolve_stack("race+./a+b/tiny", Search((RACE.parent,)))
    assert stack is None
    assert [finding.code for finding in findings] == ["Z007"]
    assert "`./a+b/tiny` has a `+`" in findings[0].message
    assert "--packs" in (findings[0].suggestion or "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("file", ["pack.toml", "tiny.rules"])
def test_files_that_powershell_wrote_are_named_as_such(
    file: str, encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pack.toml").write_text(PACK, encoding="utf-8")
    (tmp_path / "tiny.rules").write_text(BASE, encoding="utf-8")
    text = (tmp_path / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(text, encoding=encoding)
    assert main(["check", str(tmp_path)]) != OK
    told = capsys.readouterr().out
    assert "Z003" in told
    assert "UTF-16" in told
    assert "PowerShell" in told
    assert "Z004" not in told


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/ann/my%20packs/a.rules", "/home/ann/my packs/a.rules"),
        ("file:///home/ann/100%2525/a.rules", "/home/ann/100%25/a.rules"),
        ("file://localhost/a.rules", "/a.rules"),
        ("file://server/share/a.rules", "//server/share/a.rules"),
        ("file:////server/share/a.rules", "//server/share/a.rules"),
        ("untitled:a.rules", None),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="paths of other systems have backslashes")
def test_addresses_of_files_keep_their_server(uri: str, path: str | None) -> None:
    from ziggurat.studio.editor.places import path_of

    assert path_of(uri) == (None if path is None else Path(path))


def test_windows_says_its_language_in_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert language._of_system({"en", "de"}) == "en"
    monkeypatch.setattr(language, "_of_windows", lambda: ["de_DE"])
    assert language._of_system({"en", "de"}) == "de"
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert language._of_system({"en", "de"}) == "en"


def test_a_port_is_taken_from_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[int] = []

    class Noting(socket.socket):
        def setsockopt(self, level: int, option: int, value: object) -> None:  # type: ignore[override]
            asked.append(option)

    monkeypatch.setattr("socket.socket", Noting)
    monkeypatch.setattr("socket.SO_EXCLUSIVEADDRUSE", -5, raising=False)
    listen(Place("127.0.0.1", 0, tmp_path)).close()
    assert asked == [-5]


def test_text_and_pictures_are_not_utf_16() -> None:
    from ziggurat.dsl.texts import decode, is_utf_16

    for data in (b"", b"a", b"ab", b"plain text", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\0" * 20):
        assert not is_utf_16(data)
    assert decode(b"caf\xe9", "a.rules", "")[1][0].code == "Z003"
    assert isinstance(decode(b"a", "a.rules", "")[0], Source)
