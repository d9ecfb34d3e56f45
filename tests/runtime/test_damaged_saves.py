"""Damaged saves of a real game: a clear refusal or a correct load, never anything else."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.runtime.shipped import load, new_save, play_on, program
from ziggurat.runtime.bots.policies import Advised
from ziggurat.runtime.saves import format as save_format
from ziggurat.runtime.saves.format import BadSave


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    save = new_save(program("west"), 5, 3, tmp_path_factory.mktemp("west") / "game.zig")
    play_on(save, 40, Advised(3))
    save.close()
    return save.path.read_bytes()


def check(whole: bytes, damaged: Iterable[bytes], path: Path) -> int:
    """How many are refused in a sentence; the others are a beginning of the game, and load."""
    records = save_format.parse(whole).records
    refused, digests = 0, {}
    for data in damaged:
        try:
            found = save_format.parse(data).records
        except BadSave:
            refused += 1
            continue
        assert found == records[: len(found)]
        if len(found) not in digests:
            path.write_bytes(data)
            game = load("west", path).game
            assert game.answered == len(found)
            digests[len(found)] = game.state.digest()
    assert len(set(digests.values())) == len(digests)
    return refused


def test_truncated_at_every_byte(whole: bytes, tmp_path: Path) -> None:
    cut = (whole[:length] for length in range(len(whole)))
    header = whole.find(b"\n", whole.find(save_format.ANSWERS.encode())) + 1
    assert check(whole, cut, tmp_path / "game.zig") == header


def flipped(whole: bytes, step: int) -> Iterable[bytes]:
    for bit in range(0, len(whole) * 8, step):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_bits_flipped(whole: bytes, step: int, tmp_path: Path) -> None:
    damaged = list(flipped(whole, step))
    last = len([bit for bit in range(0, len(whole) * 8, step) if bit // 8 == len(whole) - 1])
    assert check(whole, damaged, tmp_path / "game.zig") == len(damaged) - last


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"format = 3", b"format = 4", "format 4"),
        (b"format = 3", b"format = 2", "lacks .scenario."),
        (b"format = 3", b'format = "x"', "format 'x'"),
        (b"seed = 3", b"seed = 4", "changed or damaged"),
        (b'stack = "west"', b'stack = "east"', "changed or damaged"),
    ],
)
def test_headers_of_others(
    whole: bytes, old: bytes, new: bytes, reason: str, tmp_path: Path
) -> None:
    assert old in whole
    path = tmp_path / "game.zig"
    path.write_bytes(whole.replace(old, new))
    with pytest.raises(BadSave, match=reason):
        load("west", path)


@pytest.mark.parametrize("other", ["east", "west+expert"])
def test_other_packs_are_named(whole: bytes, other: str, tmp_path: Path) -> None:
    path = tmp_path / "game.zig"
    path.write_bytes(whole)
    with pytest.raises(BadSave, match=r"not those of this save.*(west|expert)"):
        load(other, path)
