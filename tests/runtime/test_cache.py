"""The cache of compiled rulesets: quick, never wrong, never in the way."""

import hashlib
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
import tomli_w

from ziggurat.dsl import files
from ziggurat.dsl.manifest import KEYS
from ziggurat.dsl.packs import Search
from ziggurat.runtime.bots.policies import Random, play
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel import PackInfo
from ziggurat.runtime.saves import cache

PACKS = Search((Path(__file__).parent.parent / "packs",))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path))
    return tmp_path


def played() -> str:
    program, _ = cache.load_program("race", PACKS)
    assert program is not None
    game = start(program, 3, seed=4)
    play(game, Random(4))
    return game.state.digest()


def entries(folder: Path) -> list[Path]:
    return list((folder / cache.FOLDER).glob("*"))


def test_the_second_time_nothing_is_linked(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    first = played()
    assert len(entries(folder)) == 1
    monkeypatch.setattr(cache, "load_sources", None)
    assert played() == first


def test_a_file_that_cannot_be_read_is_no_part_of_what_is_kept(folder: Path) -> None:
    packs = folder / "packs"
    shutil.copytree(PACKS.folders[0] / "race", packs / "race")
    search = Search((packs,))
    assert cache.load_program("race", search)[0] is not None
    (packs / "race" / "more.rules").write_bytes(b"caf\xe9")
    program, findings = cache.load_program("race", search)
    assert program is None
    assert [finding.code for finding in findings if finding.is_error] == ["Z003"]


@pytest.mark.parametrize("damage", [b"", b"x" * 100, None])
def test_damaged_entries_are_built_anew(damage: bytes | None, folder: Path) -> None:
    first = played()
    (entry,) = entries(folder)
    good = entry.read_bytes()
    bad = good[: len(good) // 2] if damage is None else damage
    entry.write_bytes(bad)
    assert played() == first
    (entry,) = entries(folder)
    assert entry.read_bytes() != bad
    assert len(entry.read_bytes()) > 1000


class Forged:
    """An entry that makes a folder when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.trace),)


STRANGER = 12345


def open_folder(folder: Path, entry: Path) -> None:
    (folder / cache.FOLDER).chmod(0o777)


def open_parent(folder: Path, entry: Path) -> None:
    folder.chmod(0o777)


def open_file(folder: Path, entry: Path) -> None:
    entry.chmod(0o666)


def give_folder_away(folder: Path, entry: Path) -> None:
    os.chown(folder / cache.FOLDER, STRANGER, STRANGER)


def give_parent_away(folder: Path, entry: Path) -> None:
    os.chown(folder, STRANGER, STRANGER)


def give_file_away(folder: Path, entry: Path) -> None:
    os.chown(entry, STRANGER, STRANGER)


def share_with_group(folder: Path, entry: Path) -> None:
    os.chown(folder / cache.FOLDER, -1, STRANGER)
    (folder / cache.FOLDER).chmod(0o770)


def link_to_other_file(folder: Path, entry: Path) -> None:
    entry.rename(folder / "downloaded")
    entry.symlink_to(folder / "downloaded")


def link_of_stranger(folder: Path, entry: Path) -> None:
    (folder / cache.FOLDER).rename(folder / "downloads")
    (folder / cache.FOLDER).symlink_to(folder / "downloads", target_is_directory=True)
    os.chown(folder / cache.FOLDER, STRANGER, STRANGER, follow_symlinks=False)


@pytest.mark.skipif(not hasattr(os, "chown"), reason="this system has other permissions")
@pytest.mark.parametrize(
    "expose",
    [
        open_folder, open_parent, open_file, give_folder_away, give_parent_away, give_file_away,
        share_with_group, link_to_other_file, link_of_stranger,
    ],
)  # fmt: skip
def test_entry_that_others_can_have_written_is_not_unpickled(
    expose: Callable[[Path, Path], None], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = played()
    (entry,) = entries(folder)
    body = pickle.dumps(Forged(folder / "forged"))
    entry.write_bytes(hashlib.sha256(body).digest() + body)
    try:
        expose(folder, entry)
    except PermissionError:
        pytest.skip("only an administrator can give files away")
    files._refuse_cache.cache_clear()
    assert [played(), played()] == [first, first]
    assert not (folder / "forged").exists()
    if expose is not link_to_other_file:
        (message,) = caplog.messages
        assert message.startswith("The cache is not used: ")


def test_cache_in_folder_that_others_share_safely_is_used(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Like `/tmp`: everybody may write there, but nobody can touch what belongs to others."""
    folder.chmod(0o1777)
    monkeypatch.setenv("ZIGGURAT_CACHE", str(folder / "own"))
    first = played()
    monkeypatch.setattr(cache, "load_sources", None)
    assert played() == first
    assert caplog.messages == []


def test_untrusted_cache_is_said_in_one_line(folder: Path) -> None:
    folder.chmod(0o777)
    command = [sys.executable, "-m", "ziggurat", "demo", "race", "--brief"]
    done = subprocess.run(
        [*command, "--packs", str(PACKS.folders[0])], capture_output=True, text=True, check=False
    )
    assert done.stderr == (
        f"The cache is not used: others can write into {folder}."
        " ZIGGURAT_CACHE can name a folder that only you can write.\n"
    )
    assert done.returncode == 0


def test_a_changed_compiler_makes_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.key([("a", "b")])
    assert before != cache.key([("ab", "")])
    assert before != cache.key([("a", "b")], trace=True)
    monkeypatch.setattr(cache, "compiler_version", lambda: "another")
    assert cache.key([("a", "b")]) != before


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    blocked = folder / "file"
    blocked.write_text("")
    monkeypatch.setenv("ZIGGURAT_CACHE", str(blocked))
    assert played()


def test_several_processes_at_once(folder: Path) -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.starmap(played, [()] * 4)
    assert len(set(found)) == 1
    assert len(entries(folder)) == 1


def test_a_stack_with_mistakes_has_no_program() -> None:
    program, found = cache.load_program("nowhere", PACKS)
    assert program is None
    assert found


# Another answer for each key of a `pack.toml`, and what shows it in a program.
EDITS: dict[str, Any] = {
    "id": "race",
    "title": "Another title",
    "edition": "1999",
    "version": "9.9",
    "engine": ">=0",
    "players": "3-4",
    "licence": "none",
    "notes": "Something.",
    "language": "de",
    "stack": "race",
    "extends": ["under"],
    "requires": ["under"],
    "optional": ["under"],
    "conflicts": ["over"],
    "authors": ["Somebody"],
    "cites": (),
    "sources": {"A": "A book"},
    "incomplete": False,
}


def manifest_of(folder: Path, **changes: Any) -> PackInfo:
    """What the program of a copy of the pack `race` knows of its `pack.toml`, after an edit."""
    pack = folder / "packs" / "race"
    shutil.copytree(PACKS.folders[0] / "race", pack, dirs_exist_ok=True)
    under = pack.parent / "under"
    under.mkdir(exist_ok=True)
    under.joinpath("pack.toml").write_text('id = "under"\ntitle = "Under"\nversion = "1"\n')
    told = {"id": "race", "title": "A race", "version": "1.0"} | changes
    pack.joinpath("pack.toml").write_text(tomli_w.dumps(told))
    program, findings = cache.load_program("race", Search((pack.parent,)))
    assert program is not None, findings
    return next(pack for pack in program.ruleset.packs if pack.id == "race")


@pytest.mark.parametrize("field", KEYS)
def test_an_edited_manifest_is_seen(field: str, folder: Path) -> None:
    before = manifest_of(folder)
    after = manifest_of(folder, **{field: EDITS[field]})
    if field == "id":
        assert after == before  # a pack with another id is another pack, not an edited one
        return
    assert after.text_hash != before.text_hash
    if field == "sources":
        assert dict(after.sources) == EDITS[field]
    elif field in attrs.fields_dict(PackInfo):
        assert getattr(after, field) == EDITS[field]


def test_a_stack_is_found_again_however_it_is_written(folder: Path) -> None:
    played()
    found, _ = cache.load_program(str(PACKS.folders[0] / "race"), PACKS)
    assert found is not None
    assert len(entries(folder)) == 1
