"""Forged saves with valid checksums: each is refused in a sentence or loads, and never raises."""

import json
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w

from tests.runtime.shipped import PACKS, play_on
from ziggurat.dsl.packs import Search
from ziggurat.proving.explained import load_save, new_save
from ziggurat.runtime.bots.policies import Advised
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.saves.cache import load_program
from ziggurat.runtime.saves.format import ANSWERS, BadSave, chain, parse
from ziggurat.runtime.saves.save import snapshot_path

SEED = 2026
ODD: tuple[Any, ...] = (
    None, True, -1, 3, 10**30, float("inf"), float("nan"), 1.5, "", "x", "rome", "\ud800",
    "\x1b[2J", "a" * 5000, [], [[]], [None], ["x", 3], {}, {"": []}, {"action": "march"},
    {"action": []}, {"action": "march", "args": 3}, {"action": None, "args": []}, "done", "pass",
)  # fmt: skip
DEEP = "[" * 3000 + "]" * 3000


@pytest.fixture(scope="module")
def race() -> Program:
    program, _ = load_program("race", Search.default([PACKS]))
    assert program is not None
    return program


@pytest.fixture(scope="module")
def whole(race: Program, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    game = start(race, seats=["ana", "ben", "cleo"], seed=3)
    save = new_save(game, tmp_path_factory.mktemp("race") / "game.zig", {}, ["ana"])
    play_on(save, 12, Advised(3))
    save.close()
    return save.path.read_bytes()


def seal(header: str, bodies: list[str]) -> bytes:
    """Write a save of a header and lines, with the checksums they need."""
    total = chain("", header)
    lines = [f"{header}\n{ANSWERS} {total}\n"]
    for body in bodies:
        total = chain(total, body)
        lines.append(f"{body} {total}\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of plain data."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from places(part, (*path, key))


def change(data: Any, path: tuple[Any, ...], dice: Random) -> None:
    """Put something odd in a place, or take away what is there."""
    for key in path[:-1]:
        data = data[key]
    if dice.random() < 0.2:
        del data[path[-1]]
    else:
        data[path[-1]] = deepcopy(dice.choice(ODD))


def forge_header(header: str, dice: Random) -> str:
    data = tomllib.loads(header)
    for _ in range(dice.choice((1, 1, 2, 5))):
        change(data, dice.choice(list(places(data))), dice)
    try:
        text = "# A saved game of Ziggurat.\n" + tomli_w.dumps(data)
        text.encode()
    except (TypeError, ValueError):  # TOML has no such thing
        text = dice.choice(
            (f"format = {DEEP}", "seed = inf", header.replace("seed = 3", "seed = 1e9"))
        )
    return text


def forge_lines(bodies: list[str], dice: Random) -> list[str]:
    forged = list(bodies)
    at = dice.randrange(len(forged))
    number, _, text = forged[at].partition(" ")
    data = json.loads(text)
    match dice.randrange(6):
        case 0:
            text = json.dumps(dice.choice(ODD))
        case 1:
            text = dice.choice((f'["ana", {DEEP}]', DEEP, "", "{", '["ana", 1', '["ana", NaN]'))
        case 2:
            text = json.dumps([dice.choice((*ODD, "undo", "redo", "ben")), data[1]])
        case 3:
            text = json.dumps([dice.choice(("undo", "redo")), dice.choice((*ODD, 1, 2, 10**9))])
        case 4:
            text += dice.choice((" =", " =x", " =" + "0" * 16, " = = ="))
        case _:
            path = dice.choice([(1,), *((1, *p) for p in places(data[1]))] if isinstance(
                data[1], dict | list) else [(1,)])  # fmt: skip
            change(data, path, dice)
            text = json.dumps(data)
    forged[at] = f"{number} {text}"
    return forged


def forge(whole: bytes, number: int) -> Iterator[bytes]:
    head, _, rest = whole.decode().partition(f"\n{ANSWERS} ")
    bodies = [line.rpartition(" ")[0] for line in rest.splitlines()[1:]]
    dice = Random(SEED)
    for _ in range(number):
        is_header = dice.random() < 0.5
        header = forge_header(head, dice) if is_header else head
        yield seal(header, bodies if is_header else forge_lines(bodies, dice))


@pytest.mark.parametrize("number", [200, pytest.param(2_000, marks=pytest.mark.slow)])
def test_a_forged_save_is_refused_or_loads(
    race: Program, whole: bytes, number: int, tmp_path: Path
) -> None:
    path = tmp_path / "game.zig"
    refused = 0
    for data in forge(whole, number):
        path.write_bytes(data)
        reason = ""
        try:
            save, _ = load_save(path, lambda header: race)
            assert list(save.game.events()) or not save.records
        except BadSave as error:
            reason = str(error)
            refused += 1
        assert reason.isprintable()
    assert refused > number / 2


def test_a_forged_answer_names_its_number(race: Program, whole: bytes, tmp_path: Path) -> None:
    head, _, rest = whole.decode().partition(f"\n{ANSWERS} ")
    bodies = [line.rpartition(" ")[0] for line in rest.splitlines()[1:]]
    path = tmp_path / "game.zig"
    for text in ("[]", '["ana"]', '[3, "x"]', DEEP, '["undo", true]', '["redo", 0]'):
        path.write_bytes(seal(head, [*bodies[:4], f"5 {text}"]))
        with pytest.raises(BadSave, match=r"Answer 5\b"):
            load_save(path, lambda header: race)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("seed = 3", "seed = inf", "sensible `seed`"),
        ("[options]", "options = 3", "sensible `options`"),
        ('stack = "race"', "stack = []", "sensible `stack`"),
        ("people = [", "people = [3, ", "sensible `people`"),
    ],
)
def test_a_forged_header_names_the_part(
    race: Program, whole: bytes, old: str, new: str, reason: str, tmp_path: Path
) -> None:
    head = whole.decode().partition(f"\n{ANSWERS} ")[0]
    assert old in head
    path = tmp_path / "game.zig"
    path.write_bytes(seal(head.replace(old, new), []))
    with pytest.raises(BadSave, match=reason):
        load_save(path, lambda header: race)


@pytest.mark.parametrize("number", [150, pytest.param(2_000, marks=pytest.mark.slow)])
def test_a_flipped_bit_of_a_snapshot_never_shows(
    race: Program, whole: bytes, number: int, tmp_path: Path
) -> None:
    """Whatever is changed in a snapshot, its log included, the game is what its answers say."""
    path = tmp_path / "game.zig"
    path.write_bytes(whole)
    save, _ = load_save(path, lambda header: race)
    save.write_snapshot()
    position, events = save.game.digest, [event.text for event in save.game.events()]
    sound = snapshot_path(path).read_bytes()
    dice = Random(SEED)
    for _ in range(number):
        data = bytearray(sound)
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        snapshot_path(path).write_bytes(data)
        game = load_save(path, lambda header: race)[0].game
        assert game.digest == position
        assert [event.text for event in game.events()] == events
    assert len(parse(whole).records) == 12
