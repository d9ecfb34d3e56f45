"""The cache of compiled rulesets: quick, never wrong, never in the way."""

import multiprocessing
import shutil
from pathlib import Path
from typing import Any

import attrs
import pytest
import tomli_w

from ziggurat.dsl.ir import PackInfo
from ziggurat.dsl.manifest import KEYS
from ziggurat.dsl.packs import Search
from ziggurat.runtime import cache
from ziggurat.runtime.game import start
from ziggurat.runtime.policies import Random, play

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
