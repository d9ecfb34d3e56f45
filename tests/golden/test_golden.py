"""The golden games happen again exactly, and where one does not, the rule is named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.golden.catalogue import CATALOGUE, Golden
from tests.golden.games import AGAIN, PHASE, Divergence, Replay, compare, read, record, write
from tests.golden.record import ending

PACKS = str(Path(__file__).parents[1] / "packs")
RACE = Golden("race", 3, seed=4, packs=(PACKS,))
BYTES = 60_000


def sample() -> Iterator[Any]:
    """Yield all golden games; only the shortest of an edition, of its other readings, and of a
    stack with as many variants as there are on it, are fast."""
    sampled = set()
    stacks = {frozenset(golden.stack.split("+")) for golden in CATALOGUE}
    inner = {stack for stack in stacks if len(stack) > 1 and any(stack < more for more in stacks)}
    for golden in sorted(CATALOGUE, key=lambda golden: golden.path.stat().st_size):
        kind = (golden.stack, golden.otherwise)
        is_slow = kind in sampled or frozenset(golden.stack.split("+")) in inner
        marks = pytest.mark.slow if is_slow else ()
        sampled.add(kind)
        yield pytest.param(golden, marks=marks, id=golden.name)


@pytest.mark.parametrize("golden", [*sample()])
def test_it_happens_again(golden: Golden) -> None:
    try:
        Replay(golden, read(golden)).run()
    except Divergence as parted:
        pytest.fail(f"{parted}\n{AGAIN}", pytrace=False)


def test_files_are_small() -> None:
    sizes = {golden.name: golden.path.stat().st_size for golden in CATALOGUE}
    assert {name: size for name, size in sizes.items() if size >= BYTES} == {}


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return record(RACE)


def test_a_record_comes_true(lines: list[str]) -> None:
    Replay(RACE, lines).run()
    assert "over" in lines[-1]


def test_files_are_the_same_every_time(
    lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.golden.catalogue.GAMES", tmp_path)
    write(RACE, lines)
    first = RACE.path.read_bytes()
    write(RACE, lines)
    assert RACE.path.read_bytes() == first
    assert read(RACE) == lines


def parting(lines: list[str]) -> Divergence:
    with pytest.raises(Divergence) as caught:
        Replay(RACE, lines).run()
    return caught.value


def test_another_position_names_turn_and_phase(lines: list[str]) -> None:
    at = next(n for n, line in enumerate(lines) if line.startswith(f"{PHASE} 2 market"))
    changed = [*lines]
    changed[at] = lines[at].replace("market ", "market 0")
    parted = parting(changed)
    assert (parted.turn, parted.phase) == (2, "market")
    assert parted.was == changed[at]
    assert "turn 2, phase market" in str(parted)


def test_another_answer_is_found_at_the_end_of_its_phase(lines: list[str]) -> None:
    at = next(n for n, line in enumerate(lines) if line.startswith("run.c "))
    path, decider, _ = lines[at].split(" ", 2)
    other = next(
        line.split(" ", 2)[2] for line in lines if line.startswith("run.c ") and line != lines[at]
    )
    parted = parting([*lines[:at], f"{path} {decider} {other}", *lines[at + 1 :]])
    assert (parted.turn, parted.phase) == (1, "run")
    assert parted.rule == "run.c"


def test_another_decision_is_named(lines: list[str]) -> None:
    at = next(n for n, line in enumerate(lines) if line.startswith("run.c "))
    parted = parting([*lines[:at], "run.d 0 1", *lines[at + 1 :]])
    assert parted.rule == "run.c"
    assert parted.now.startswith("run.c")


def test_a_longer_or_shorter_game_is_noticed(lines: list[str]) -> None:
    asked = [n for n, line in enumerate(lines) if line.startswith("run.c ")]
    assert parting([*lines[: asked[-1]], lines[-1]]).rule == "run.c"
    assert "end of the game" in parting([*lines[:-1], "run.c 0 1", lines[-1]]).now


def test_what_changed_is_told(lines: list[str]) -> None:
    other = record(Golden("race", 3, seed=5, packs=(PACKS,)))
    parted = compare(RACE, lines, other)
    assert parted is not None
    assert parted.was != parted.now
    assert compare(RACE, lines, lines) is None
    assert "turns, over, player" in ending(lines)


def variant(folder: Path, rules: str) -> Golden:
    """The race with a pack on top of it."""
    pack = folder / "more"
    pack.mkdir()
    head = 'id = "more"\ntitle = "More"\nversion = "1"\nextends = ["race"]\n'
    (pack / "pack.toml").write_text(head, encoding="utf-8")
    (pack / "more.rules").write_text(rules, encoding="utf-8")
    return Golden("race+more", 3, seed=4, packs=(PACKS, str(folder)))


def test_what_does_not_matter_to_play_does_not_part(lines: list[str], tmp_path: Path) -> None:
    rules = """
option weather "How it is": int = 1
attribute mood of player: int = 0
attribute age of spot: int = 3
piece flag "flag" { supply: 4  home: stable }
"""
    Replay(variant(tmp_path, rules), lines).run()


def test_the_rule_that_changed_is_named(lines: list[str], tmp_path: Path) -> None:
    rules = """
rule bounty "Bounty" {
  after advance(p, steps) when steps > 1 { move 1 carrot of p from basket to mouth }
}
"""
    with pytest.raises(Divergence) as caught:
        Replay(variant(tmp_path, rules), lines).run()
    assert caught.value.phase in ("run", "market")
    assert caught.value.turn >= 1
