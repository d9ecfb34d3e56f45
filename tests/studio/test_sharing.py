"""`ziggurat pack`, `install`, `uninstall`: a pack goes from one to another whole, or not at all."""

import hashlib
import io
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ziggurat
from ziggurat import Search, package_folders
from ziggurat.studio.cli import main
from ziggurat.studio.console import UsageError
from ziggurat.studio.sharing import archive, library
from ziggurat.studio.sharing.names import clash, name_problem

RACE = Path(__file__).parents[1] / "packs"
HEAD = 'id = "mud"\ntitle = "Mud"\nversion = "1.0"\nextends = ["race"]\nauthors = ["Ana"]\n'
RULES = "amend option hand_size { default: 3 }\n"
KNOWN = "6c2923c9dd1a32fc1ee5fc95a648a521f2d1cacee2718c0d7bffaad3e1a9ba46"
SCENARIO = 'scenario "three cards" {\n  players ana, ben\n  expect { check hand_size == 3 }\n}\n'


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "home"))
    monkeypatch.setenv("ZIGGURAT_PACKS", str(RACE))


@pytest.fixture
def mud() -> Path:
    folder = Path("work/mud")
    folder.mkdir(parents=True)
    folder.joinpath("pack.toml").write_text(HEAD)
    folder.joinpath("mud.rules").write_text(RULES)
    folder.joinpath("mud.scenarios.rules").write_text(SCENARIO)
    return folder


def in_library() -> dict[str, list[str]]:
    """Every file of every folder in the library, hidden ones too."""
    place = Path("home/packs")
    return {
        one.name: sorted(file.name for file in one.rglob("*"))
        for one in (place.iterdir() if place.is_dir() else ())
    }


# ---- one file ------------------------------------------------------------------------------------


def test_the_same_pack_is_the_same_bytes(mud: Path) -> None:
    """Also elsewhere, later, saved on Windows, with other permissions, and beside other files."""
    assert main(["pack", str(mud)]) == 0
    first = Path("mud-1.0.zip").read_bytes()
    other = Path("elsewhere/mud")
    shutil.copytree(mud, other)
    for path in other.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        path.chmod(0o700)
        os.utime(path, (1, 1))
    (other / ".git").mkdir()
    (other / ".git" / "config").write_text("x")
    (other / "game.zig").write_text("a saved game")
    assert main(["pack", str(other), "-o", "again.zip"]) == 0
    assert Path("again.zip").read_bytes() == first
    # What these very bytes are is the same on every machine: nothing packs them.
    with zipfile.ZipFile("mud-1.0.zip") as made:
        assert {info.compress_type for info in made.infolist()} == {zipfile.ZIP_STORED}
        assert {info.date_time for info in made.infolist()} == {archive.DATE}
        assert made.namelist() == ["ziggurat.json", "mud.rules", "mud.scenarios.rules", "pack.toml"]
    assert hashlib.sha256(first).hexdigest() == KNOWN


def test_what_is_left_out_is_told(mud: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (mud / "game.zig").write_text("a saved game")
    (mud / "run.py").write_text("print('no')")
    assert main(["pack", str(mud)]) == 0
    told = capsys.readouterr().out
    assert "left out: game.zig" in told
    assert "left out: run.py" in told


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("mud.rules", "amend option hand_sizes { default: 3 }\n", "must be mended first"),
        ("pack.toml", HEAD.replace("race", "no_such_pack"), "must be mended first"),
        ("con.md", "a device", "Windows keeps for a device"),
        ("locale/de.po", 'msgid "half', "mud/locale/de.po:1: this is not a line"),
    ],
)
def test_a_pack_with_findings_makes_no_file(
    mud: Path, file: str, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (mud / file).parent.mkdir(exist_ok=True)
    (mud / file).write_text(text)
    assert main(["pack", str(mud)]) == 2
    assert told in capsys.readouterr().err
    assert not Path("mud-1.0.zip").exists()


def test_a_file_that_cannot_be_written(mud: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", str(mud), "-o", "no/such/place.zip"]) == 2
    assert "`no/such/place.zip`: No such file or directory." in capsys.readouterr().err


def test_no_links_and_no_other_folders(mud: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", "work"]) == 2
    assert "no `pack.toml`" in capsys.readouterr().err
    (mud / "notes.md").symlink_to("pack.toml")
    assert main(["pack", str(mud)]) == 2
    assert "is a link" in capsys.readouterr().err


# ---- there and back ------------------------------------------------------------------------------


def test_from_one_to_another(mud: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", str(mud)]) == 0
    assert main(["check", "mud"]) == 2
    assert main(["install", "mud-1.0.zip"]) == 0
    told = capsys.readouterr().out
    assert "by: Ana" in told
    assert "race → mud: 1 changed" in told
    assert "option hand_size" in told
    assert in_library() == {
        "mud": [".installed.json", "mud.rules", "mud.scenarios.rules", "pack.toml"]
    }
    assert main(["check", "mud", "--strict"]) == 0
    assert main(["test", "mud", "three cards"]) == 0
    capsys.readouterr()
    assert main(["packs"]) == 0
    assert f"installed from {Path('mud-1.0.zip').absolute()}" in capsys.readouterr().out
    assert main(["uninstall", "mud"]) == 0
    assert main(["check", "mud"]) == 2
    assert in_library() == {}


def test_a_folder_is_installed_like_its_file(mud: Path) -> None:
    (mud / ".git").mkdir()
    assert main(["install", str(mud)]) == 0
    assert in_library()["mud"] == [
        ".installed.json", "mud.rules", "mud.scenarios.rules", "pack.toml"
    ]  # fmt: skip


def version(mud: Path, number: str, more: str = "") -> Path:
    (mud / "pack.toml").write_text(HEAD.replace("1.0", number) + more)
    return mud


def test_versions(mud: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", str(version(mud, "1.0"))]) == 0
    assert main(["install", str(version(mud, "1.2"))]) == 0
    assert "replaces 1.0" in capsys.readouterr().out
    assert main(["install", str(version(mud, "1.1"))]) == 2
    assert "which is older" in capsys.readouterr().err
    assert library.installed()["mud"].version.public == "1.2"
    assert main(["install", str(mud), "--replace"]) == 0
    assert library.installed()["mud"].version.public == "1.1"
    assert set(in_library()) == {"mud", library.OLDER}


# ---- updates


def older() -> list[str]:
    return [folder.parent.name for folder in library.older_versions("mud")]


def test_update_shows_changes_and_keeps_the_old_version(
    mud: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", str(version(mud, "1.0"))]) == 0
    (mud / "mud.rules").write_text(RULES.replace("3", "4"))
    capsys.readouterr()
    assert main(["install", str(version(mud, "1.1"))]) == 0
    out = capsys.readouterr().out
    assert "1.0 → 1.1: 1 changed" in out
    assert "The old version is kept." in out
    assert older() == ["mud-1.0"]
    (kept,) = library.older_versions("mud")
    assert main(["install", "--replace", str(kept)]) == 0
    assert library.installed()["mud"].version.public == "1.0"
    assert older() == ["mud-1.0", "mud-1.1"]
    assert main(["uninstall", "mud", "--older"]) == 0
    assert set(in_library()) == {"mud"}
    assert main(["uninstall", "mud", "--older"]) == 2


def test_uninstall_removes_older_versions(mud: Path) -> None:
    for number in ("1.0", "1.1"):
        assert main(["install", str(version(mud, number))]) == 0
    assert main(["uninstall", "mud"]) == 0
    assert in_library() == {}


def test_update_names_packs_that_would_have_errors(
    mud: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mud / "mud.rules").write_text(RULES + "value depth(): int = 3\n")
    assert main(["install", str(version(mud, "1.0"))]) == 0
    boots = Path("work/boots")
    boots.mkdir()
    (boots / "pack.toml").write_text(
        'id = "boots"\ntitle = "B"\nversion = "1"\nextends = ["mud"]\n'
    )
    (boots / "boots.rules").write_text("amend value depth { base: 1 }\n")
    assert main(["install", str(boots)]) == 0
    (mud / "mud.rules").write_text(RULES)
    capsys.readouterr()
    assert main(["install", str(version(mud, "1.1"))]) == 2
    printed = capsys.readouterr()
    assert "with boots 1: 1 error" in printed.out
    assert "`boots` cannot be used with this version." in " ".join(printed.err.split())
    assert library.installed()["mud"].version.public == "1.0"
    assert main(["install", str(mud), "--replace"]) == 0


def test_save_goes_on_by_the_version_it_began_with(
    mud: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    saves = tmp_path / "data" / "saves"
    saves.mkdir(parents=True)
    assert main(["install", str(version(mud, "1.0"))]) == 0
    ruleset = ziggurat.load("mud").ruleset
    assert ruleset is not None
    game = ziggurat.start(ziggurat.compile_ruleset(ruleset), players=2, seed=1)
    ziggurat.new_save(game, saves / "game.zig")
    (mud / "mud.rules").write_text(RULES.replace("3", "4"))
    assert main(["install", str(version(mud, "1.1"))]) == 0
    assert "1 save: can go on by the old version, which is kept" in capsys.readouterr().out
    assert main(["replay", str(saves / "game.zig"), "--as-begun"]) == 0


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('engine = ">=99"\n', "is written for version >=99"),
        ('requires = ["sand"]\n', "no pack called `sand`"),
        ('requires = ["other>=2"]\n', "needs `other` >=2"),
        ('requires = ["other"]\n[conflicts]\nother = "Mud sticks."\n', "Mud sticks."),
    ],
)
def test_what_does_not_fit_is_told_before(
    mud: Path, more: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Path("work/other")
    other.mkdir()
    other.joinpath("pack.toml").write_text('id = "other"\ntitle = "O"\nversion = "1"\n')
    more_packs = ["--packs", "work"]
    assert main(["install", str(version(mud, "1.0", more)), *more_packs]) == 2
    printed = capsys.readouterr()
    assert told in " ".join(printed.out.split())
    assert printed.err.startswith("ziggurat: nothing was installed: ")
    assert in_library() == {}


def test_clashes_with_what_is_there(mud: Path, capsys: pytest.CaptureFixture[str]) -> None:
    west = Path("work/west")
    west.mkdir()
    west.joinpath("pack.toml").write_text('id = "west"\ntitle = "W"\nversion = "1"\n')
    west.joinpath("a.rules").write_text("")
    assert main(["install", str(west)]) == 2
    assert "there is a pack `west` already, which came with Ziggurat" in capsys.readouterr().err
    race = Path("work/race")
    shutil.copytree(RACE / "race", race)
    assert main(["install", str(race)]) == 2
    assert "there is a pack `race` already, which is found in" in capsys.readouterr().err
    assert in_library() == {}


def test_packs_that_others_need(mud: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = Path("work/deep")
    deep.mkdir()
    deep.joinpath("pack.toml").write_text(
        'id = "deep"\ntitle = "Deep"\nversion = "1"\nextends = ["mud<2"]\n'
    )
    deep.joinpath("a.rules").write_text("amend option hand_size { default: 4 }\n")
    assert main(["install", str(deep)]) == 2
    assert main(["install", str(mud)]) == 0
    assert main(["install", str(deep)]) == 0
    assert main(["uninstall", "mud"]) == 2
    assert "needed by `deep`" in capsys.readouterr().err
    assert main(["install", str(version(mud, "2.0"))]) == 2
    assert "Uninstall `deep` first" in capsys.readouterr().err
    assert main(["uninstall", "deep"]) == 0
    assert main(["uninstall", "mud"]) == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [("west", "came with Ziggurat"), ("race", "it is in"), ("muds", "Did you mean `mud`?")],
)
def test_what_is_not_installed_is_not_uninstalled(
    mud: Path, name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", str(mud)]) == 0
    assert main(["uninstall", name]) == 2
    assert told in capsys.readouterr().err
    assert list(in_library()) == ["mud"]


def test_somebody_may_say_no(
    mud: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["perhaps", "no", "no"])

    class Person:
        def line(self, *_: object) -> str:
            return next(answers)

    monkeypatch.setattr("ziggurat.studio.commands.install.at_a_terminal", lambda: True)
    monkeypatch.setattr("ziggurat.studio.new.answers.reader", Person)
    assert main(["install", str(mud)]) == 0
    assert "Nothing was installed." in capsys.readouterr().out
    assert in_library() == {}
    assert main(["install", str(mud), "--yes"]) == 0
    monkeypatch.setattr("ziggurat.studio.commands.uninstall.at_a_terminal", lambda: True)
    assert main(["uninstall", "mud"]) == 0
    assert list(in_library()) == ["mud"]
    assert main(["uninstall", "mud", "--yes"]) == 0
    assert in_library() == {}


# ---- interrupted ---------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["write_bytes", "rename"])
@pytest.mark.parametrize("before", [False, True])
def test_an_interrupted_install_changes_nothing(
    mud: Path, where: str, before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every file that is written and every folder that is moved."""
    if before:
        assert main(["install", str(mud)]) == 0
    kept = in_library()
    version(mud, "1.5")
    for stop in range(4):
        steps = iter(range(100))
        real: Callable[..., object] = getattr(Path, where)

        def interrupted(path: Path, *more: object, real=real, steps=steps, stop=stop) -> object:  # type: ignore[no-untyped-def]
            if next(steps) == stop:
                raise KeyboardInterrupt
            return real(path, *more)

        with monkeypatch.context() as patched:
            patched.setattr(Path, where, interrupted)
            code = main(["install", str(mud)])
        if code == 0:
            break
        assert code == 130
        assert in_library() == kept
    else:
        pytest.fail("it never came through")
    assert library.installed()["mud"].version.public == "1.5"


def test_a_killed_install_is_cleared_away(mud: Path) -> None:
    """What a process left that could not even clean up: half a pack, and one it was replacing."""
    assert main(["install", str(mud)]) == 0
    (Path("home/packs/.install-x") / "mud").mkdir(parents=True)
    replaced = Path("home/packs") / library.OLDER / "mud-1.0"
    replaced.mkdir(parents=True)
    Path("home/packs/mud").rename(replaced / "mud")
    assert main(["check", "mud"]) == 2
    other = Path("work/other")
    other.mkdir()
    other.joinpath("pack.toml").write_text('id = "other"\ntitle = "O"\nversion = "1"\n')
    other.joinpath("pack.toml").write_text(HEAD.replace('"mud"', '"other"'))
    assert main(["install", str(other)]) == 0
    assert sorted(in_library()) == ["mud", "other"]
    assert main(["check", "mud"]) == 0


# ---- hostile archives ----------------------------------------------------------------------------

Entries = list[tuple[str | zipfile.ZipInfo, bytes]]
GOOD: Entries = [("pack.toml", HEAD.encode()), ("mud.rules", RULES.encode())]


def zipped(entries: Entries, packing: int = zipfile.ZIP_STORED, listed: bool = True) -> bytes:
    """A zip as a stranger makes it, with a list that fits."""
    names = {str(getattr(name, "filename", name)): data for name, data in entries}
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in names.items()}
    head = json.dumps({"format": 1, "files": sums}).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as made:
        for name, data in [*([("ziggurat.json", head)] if listed else []), *entries]:
            made.writestr(name, data)
    return out.getvalue()


def odd(name: str, mode: int = 0, flags: int = 0) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.flag_bits |= flags
    return info


def flagged(data: bytes, bit: int) -> bytes:
    """The same with a bit set in the flags of every entry."""
    out = bytearray(data)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(mark)
        while place >= 0:
            out[place + at] |= bit & 0xFF
            place = data.find(mark, place + 4)
    return bytes(out)


def with_end(number: int, size: int) -> bytes:
    """A zip whose end tells other numbers."""
    data = zipped(GOOD)
    end = list(struct.unpack("<4s4H2LH", data[-22:]))
    end[3] = end[4] = number
    end[5] = size
    return data[:-22] + struct.pack("<4s4H2LH", *end)


def many_entries(number: int) -> bytes:
    """So many entries that share one file, the directory by itself."""
    local = zipped([("a.md", b"")], listed=False)
    start = local.index(b"PK\x01\x02")
    entry = local[start : local.index(b"PK\x05\x06")]
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 100, 100, len(entry) * number, start, 0)
    return local[:start] + entry * number + end


def large(size: int) -> bytes:
    return zipped([*GOOD, ("x.md", bytes(size))], zipfile.ZIP_DEFLATED)


def hostile() -> Iterator[tuple[str, bytes | Callable[[], bytes], str]]:
    climbing = ["../x.rules", "a/../../x.rules", "/etc/x.rules", "C:/x.rules", "..\\x.rules",
                "a//x.rules", "./x.rules", "\\\\host\\x.rules"]  # fmt: skip
    for name in climbing:
        yield f"climbs: {name}", zipped([*GOOD, (name, b"")]), "x.rules` "
    yield "a link", zipped([*GOOD, (odd("x.rules", stat.S_IFLNK | 0o777), b"/etc/passwd")]), "link"
    yield "a device", zipped([*GOOD, (odd("x.rules", stat.S_IFCHR | 0o777), b"")]), "link or no"
    yield "a pipe", zipped([*GOOD, (odd("x.rules", stat.S_IFIFO | 0o777), b"")]), "link or no"
    yield "a folder", zipped([*GOOD, ("x/", b"")]), "leads out"
    yield (
        "twice",
        zipped([*GOOD, ("mud.rulez", b"")], listed=False).replace(b"rulez", b"rules"),
        "twice",
    )
    yield "capitals", zipped([*GOOD, ("MUD.rules", b"")]), "one name on some systems"
    yield "file and folder", zipped([*GOOD, ("mud.rules/x.rules", b"")]), "one name on some"
    for name in ("con.rules", "a/NUL.md", "com1.txt", "lpt9.rules"):
        yield f"device name: {name}", zipped([*GOOD, (name, b"")]), "keeps for a device"
    yield "dots at the end", zipped([*GOOD, ("a./x.rules", b"")]), "a dot or a space"
    yield "odd letters", zipped([*GOOD, ("a\u202e.rules", b"")]), "not every system"
    yield "a stream", zipped([*GOOD, ("mud.rules:x.rules", b"")]), "not every system"
    yield "not composed", zipped([*GOOD, ("u\u0308.rules", b"")]), "usual form"
    yield "long", zipped([*GOOD, ("a" * 300 + ".rules", b"")]), "too long"
    yield "a program", zipped([*GOOD, ("x.py", b"")]), "does not belong"
    yield "nested", zipped([*GOOD, ("x.zip", zipped(GOOD))]), "does not belong"
    yield "hidden", zipped([*GOOD, (".installed.json", b"")]), "does not belong"
    yield "bomb", lambda: large(60_000_000), "unpacked it is larger"
    yield "large file", lambda: large(9_000_000), "is larger than"
    yield "odd packing", zipped(GOOD, zipfile.ZIP_BZIP2), "not usual"
    yield "secret", flagged(zipped(GOOD), 0x1), "not usual"
    latin = zipped([*GOOD, ("xx.rules", b"")], listed=False).replace(b"xx.rules", b"\xe9x.rules")
    yield "not UTF-8", latin, "not in UTF-8"
    spoilt = flagged(latin, 0)
    place = spoilt.rindex(b"PK\x01\x02", 0, spoilt.rindex(b"\xe9x.rules")) + 9
    yield "broken UTF-8", spoilt[:place] + b"\x08" + spoilt[place + 1 :], "no whole file"
    yield "cut off", zipped(GOOD)[:-30], "no whole file"
    yield "cut in the middle", zipped(GOOD)[:60], "no whole file"
    yield "empty", b"", "no whole file"
    yield "a text", b"id = 'mud'\n", "no whole file"
    yield "said: many", with_end(65_000, 10), "says that it has 65,000"
    yield "said: zip64", with_end(0xFFFF, 10), "larger than a pack can be"
    yield "directory elsewhere", with_end(3, 900_000), "no whole file"
    yield "a million entries", lambda: many_entries(1_000_000), "is larger than"
    yield "half a million", lambda: many_entries(500_000), "is longer than it is for any pack"
    yield "thousands of entries", lambda: many_entries(10_000), "it has 10,000 files"
    yield "changed", zipped(GOOD).replace(b"hand_size", b"hand_sizf"), "no whole file"
    head = b'{"format": 1, "files": {}}'
    yield "another list", zipped([*GOOD, ("ziggurat.json", head)], listed=False), "was changed"
    yield "no list", zipped(GOOD, listed=False), "Unpack it yourself"
    yield "odd list", zipped([*GOOD, ("ziggurat.json", b"[" * 99_999)], listed=False), "be read"
    later = b'{"format": 2, "files": {}}'
    yield "later", zipped([*GOOD, ("ziggurat.json", later)], listed=False), "another version"
    yield "no manifest", zipped(GOOD[1:]), "no `pack.toml`"
    yield "no id", zipped([("pack.toml", b"title = 'x'")]), "does not say an id"
    yield "odd id", zipped([("pack.toml", b"id = '../x'")]), "does not say an id"
    yield "device id", zipped([("pack.toml", b"id = 'con'")]), "does not say an id"
    yield "binary", zipped([("pack.toml", b"\xff\xfe\x00")]), "does not say an id"
    yield "wrong rules", zipped([GOOD[0], ("a.rules", b"\xff\x00")]), "must be mended"


@pytest.mark.parametrize(("data", "told"), [
    pytest.param(data, told, id=name) for name, data, told in hostile()
])  # fmt: skip
def test_hostile_archives_leave_nothing_behind(
    data: bytes | Callable[[], bytes], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.zip").write_bytes(data if isinstance(data, bytes) else data())
    assert main(["install", "bad.zip", "--yes"]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert [one.name for one in tmp_path.iterdir()] == ["bad.zip"]


@given(st.data())
def test_a_spoilt_archive_is_refused_or_means_the_same(tmp_path: Path, data: st.DataObject) -> None:
    """Whatever bytes are changed, lost or added: one message, and never other files."""
    whole = archive.packed({str(name): text for name, text in GOOD})
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    spoilt = whole[:start] + data.draw(st.binary(max_size=40)) + whole[end:]
    place = tmp_path / "spoilt.zip"
    place.write_bytes(spoilt)
    with suppress(UsageError):
        assert archive.unpacked(place) == dict(GOOD)


def test_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    for name in ("pipe", "nowhere.zip", "."):
        assert main(["install", name]) == 2
        assert "is neither the file nor the folder of a pack." in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a/b.rules", "ü.md", "LICENSE", "templates/x/a.rules.template"])
def test_good_names(name: str) -> None:
    assert name_problem(name) == ""
    assert clash([name, "other.md"]) is None


# ---- with Python packages ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "inner"),
    [
        ("my_rules:packs", ""), ("my_rules.packs", ""),
        ("my_rules.inner:packs", "inner"), ("my_rules.inner.packs", "inner"),
        ("my_rules:inner.packs", "inner"), ("my_rules . inner : packs", "inner"),
    ],
)  # fmt: skip
def test_python_package_brings_packs_without_running(
    value: str, inner: str, mud: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    packs = site / "my_rules" / inner / "packs"
    shutil.copytree(mud, packs / "mud")
    for folder in {site / "my_rules", packs.parent, packs}:
        (folder / "__init__.py").write_text("raise SystemExit('a pack runs nothing')\n")
    info = site / "my_rules-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-rules\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        f"[ziggurat.packs]\nmine = {value}\ngone = no_such_package\nodd = os.path\n"
    )
    environment = os.environ | {"PYTHONPATH": str(site)}
    command = [sys.executable, "-c", "from ziggurat.studio.cli import main; main(['packs'])"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("mud ")]
    assert line.rstrip().endswith("package my-rules")


def test_the_library_is_searched_before_what_came_along(mud: Path) -> None:
    assert main(["install", str(mud)]) == 0
    folders = Search.default(["given"]).folders
    assert folders[:3] == (Path("given"), RACE, Path("home/packs").absolute())
    assert folders[3:-1] == tuple(package_folders())
