"""The cache of compiled rulesets: quick, never wrong, never in the way."""

import multiprocessing
from pathlib import Path

import pytest

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
