"""Saves: nothing acknowledged is lost, nothing wrong is loaded, one sentence for people."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random as Dice

import attrs
import pytest

from ziggurat.dsl.loading import load as load_stack
from ziggurat.dsl.packs import Search
from ziggurat.runtime.bots.policies import Random
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.errors import Refused
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.runtime.saves import format as save_format
from ziggurat.runtime.saves import save as saves
from ziggurat.runtime.saves.format import BadSave, SavedAnswer
from ziggurat.runtime.saves.lock import SaveInUse, lock_path, lock_save
from ziggurat.runtime.saves.save import Save

PACKS = Path(__file__).parent.parent / "packs"


@pytest.fixture(scope="module")
def program() -> Program:
    result = load_stack("race", Search.default([PACKS]))
    assert result.ruleset is not None, result.diagnostics
    return compile_ruleset(result.ruleset)


def new_save(program: Program, path: Path, seed: int = 3) -> Save:
    game = start(program, seats=["ana", "ben", "cleo"], seed=seed)
    save = Save(path, saves.header_of(game, "0.1.0", {}), game)
    save.create()
    return save


def play_on(save: Save, number: int, seed: int = 5) -> None:
    bot = Random(seed)
    for _ in range(number):
        if not save.game.pending:
            return
        face = save.game.decisions[0]
        save.answer(face.name(bot.decide(save.game, save.game.pending[0])), face.decider)


def reload(program: Program, path: Path, to: int | None = None) -> tuple[Save, list[str]]:
    return saves.load(path, lambda stack: program, to)


def test_a_loaded_game_is_the_saved_game(program: Program, tmp_path: Path) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 25)
    loaded, told = reload(program, save.path)
    assert loaded.game.state == save.game.state
    assert told == []
    play_on(loaded, 1000)
    play_on(save, 1000)
    assert loaded.game.over
    assert loaded.game.state.digest() == save.game.state.digest()


def test_undo_and_redo_survive_saving(program: Program, tmp_path: Path) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 20)
    before = save.game.state
    assert save.undo(7) == 7
    assert save.redo(7) == 7
    assert save.game.state == before
    save.undo(3)
    loaded, _ = reload(program, save.path)
    assert loaded.game.state == save.game.state
    assert loaded.redo(3) == 3
    assert loaded.game.state == before


def test_a_snapshot_shortens_loading_and_undo_still_reaches_back(
    program: Program, tmp_path: Path
) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 12)
    save.write_snapshot()
    play_on(save, 3)
    loaded, _ = reload(program, save.path)
    assert loaded.game.answered == 3
    assert loaded.game.state == save.game.state
    assert loaded.undo(10) == 10
    assert save.undo(10) == 10
    assert loaded.game.state == save.game.state


def test_a_snapshot_that_cannot_be_written_loses_no_answer(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = new_save(program, tmp_path / "a.zig")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(saves, "replace_file", refuse)
    monkeypatch.setattr(saves, "SNAPSHOT_EVERY", 5)
    play_on(save, 25)
    assert not saves.snapshot_path(save.path).exists()
    loaded, told = reload(program, save.path)
    assert loaded.game.state == save.game.state
    assert told == []


def test_a_snapshot_that_does_not_fit_is_ignored(program: Program, tmp_path: Path) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 12)
    save.write_snapshot()
    side = saves.snapshot_path(save.path)
    good = side.read_bytes()
    for bad in (b"", b"{}", good[:-20], good.replace(b'"draws": ', b'"draws": 1'), b"\xff\x00"):
        side.write_bytes(bad)
        loaded, _ = reload(program, save.path)
        assert loaded.game.state == save.game.state


def test_every_truncation_loads_a_sound_beginning_or_is_refused(
    program: Program, tmp_path: Path
) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 6)
    whole = save.path.read_bytes()
    full = save_format.parse(whole).records
    copy = tmp_path / "b.zig"
    header_end = whole.find(b"\n", whole.find(save_format.ANSWERS.encode())) + 1
    for length in range(len(whole)):
        copy.write_bytes(whole[:length])
        if length < header_end:
            with pytest.raises(BadSave):
                reload(program, copy)
            assert copy.read_bytes() == whole[:length]
        else:
            loaded, told = reload(program, copy)
            assert tuple(loaded.records) == full[: len(loaded.records)]
            assert bool(told) == (not whole[:length].endswith(b"\n"))


def test_every_flipped_bit_is_noticed(program: Program, tmp_path: Path) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 4)
    whole = save.path.read_bytes()
    copy = tmp_path / "b.zig"
    dice = Dice(1)
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << dice.randrange(8)
        copy.write_bytes(damaged)
        try:
            loaded, told = reload(program, copy)
        except BadSave:
            continue
        # Only the last line end may go: then the last answer is as good as cut off.
        assert place == len(whole) - 1
        assert told
        assert len(loaded.records) == 3


def test_other_rules_are_named(program: Program, tmp_path: Path) -> None:
    save = new_save(program, tmp_path / "a.zig")
    packs = tuple(attrs.evolve(p, text_hash="else") for p in program.ruleset.packs)
    changed = attrs.evolve(program.ruleset, packs=packs)
    assert reload(compile_ruleset(changed), save.path)[1] == [
        "These packs are not as they were, but their rules mean the same: race 1.0.0."
    ]
    attributes = dict(reversed(changed.attributes.items()))
    other = compile_ruleset(attrs.evolve(changed, attributes=attributes))
    with pytest.raises(BadSave, match="race"):
        reload(other, save.path)


def test_a_save_of_before_is_held_to_the_texts(program: Program, tmp_path: Path) -> None:
    save = new_save(program, tmp_path / "a.zig")
    save.header = attrs.evolve(save.header, rules="")
    save = Save(save.path, save.header, save.game)
    save.create()
    assert reload(program, save.path)[1] == []
    packs = tuple(attrs.evolve(p, version="2") for p in program.ruleset.packs)
    other = compile_ruleset(attrs.evolve(program.ruleset, packs=packs))
    with pytest.raises(BadSave, match=r"race 1\.0\.0 \(now 2\)"):
        reload(other, save.path)


def test_newer_formats_and_foreign_files_are_refused(program: Program, tmp_path: Path) -> None:
    save = new_save(program, tmp_path / "a.zig")
    text = save.path.read_bytes()
    for bad, reason in (
        (text.replace(b"format = 3", b"format = 4"), "format 4.*later version"),
        (b"", "not a saved game"),
        (b"hello\n", "not a saved game"),
        (bytes(range(256)) * 20, "not a saved game"),
        (b"x = 1\n--- answers --- 0\n", "not a saved game"),
    ):
        save.path.write_bytes(bad)
        with pytest.raises(BadSave, match=reason):
            reload(program, save.path)
        assert save.path.read_bytes() == bad
    with pytest.raises(BadSave, match="cannot be read"):
        reload(program, tmp_path / "absent.zig")


def test_an_edited_answer_says_up_to_where_the_save_is_sound(
    program: Program, tmp_path: Path
) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 8)
    lines = save.path.read_text().splitlines(keepends=True)
    lines[-3] = lines[-3].replace('["', '["x', 1)
    save.path.write_text("".join(lines))
    with pytest.raises(BadSave, match=r"a\.zig@5` is the game up to there"):
        reload(program, save.path)
    loaded, _ = reload(program, save.path, to=5)
    assert len(loaded.records) == 5


def test_an_illegal_answer_with_a_right_checksum_is_refused(
    program: Program, tmp_path: Path
) -> None:
    save = new_save(program, tmp_path / "a.zig")
    play_on(save, 3)
    save.record(SavedAnswer("ana", {"action": "fly", "args": []}))
    with pytest.raises(BadSave, match="Answer 4"):
        reload(program, save.path)


def write_until_killed(save: Save, pipe: int) -> None:
    """In a child: play for ever, telling through the pipe how many answers are safe."""
    bot = Random(9)
    game: Game = save.game
    while True:
        if not game.pending:
            save.undo(min(30, game.answered))
            os.write(pipe, len(save.records).to_bytes(4, "big"))
            continue
        face = game.decisions[0]
        save.answer(face.name(bot.decide(game, game.pending[0])), face.decider)
        os.write(pipe, len(save.records).to_bytes(4, "big"))


@pytest.mark.parametrize("rounds", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_a_process_killed_while_saving_loses_nothing(
    program: Program, tmp_path: Path, rounds: int
) -> None:
    dice = Dice(rounds)
    for number in range(rounds):
        path = tmp_path / f"{number}.zig"
        save = new_save(program, path)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                write_until_killed(save, writer)
            finally:
                os._exit(1)
        os.close(writer)
        told = b""
        moment = 4 * dice.randrange(60)
        while len(told) < moment and (chunk := os.read(reader, 4)):
            told += chunk
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while chunk := os.read(reader, 65536):
            told += chunk
        os.close(reader)
        safe = int.from_bytes(told[-4:], "big") if len(told) >= 4 else 0
        loaded, _ = reload(program, path)
        assert len(loaded.records) >= safe


def test_answers_come_to_the_disk_together(program: Program, tmp_path: Path) -> None:
    """Several answers are what they are one by one; those before a wrong one are recorded."""
    one, other = new_save(program, tmp_path / "a.zig"), new_save(program, tmp_path / "b.zig")
    play_on(one, 12)
    other.answer_all((record.seat, record.answer) for record in one.records)
    assert other.path.read_bytes() == one.path.read_bytes()
    assert other.game.state == one.game.state
    face = one.game.decisions[0]
    right = face.name(Random(1).decide(one.game, one.game.pending[0]))
    with pytest.raises(Refused):
        other.answer_all([(face.decider, right), ("nobody", 1)])
    assert other.records[-1] == SavedAnswer(face.decider, right)
    loaded, told = reload(program, other.path)
    assert (loaded.game.state, told) == (other.game.state, [])


def test_a_save_has_one_writer(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "a.zig"
    play_on(new_save(program, path), 5)
    holder, _ = saves.load(path, lambda _: program, holder="`ziggurat play`")
    whole = path.read_bytes()
    (tmp_path / "link.zig").symlink_to(path)
    own = os.getpid()
    for name in ("a.zig", "link.zig"):
        file = tmp_path / name
        with pytest.raises(BadSave, match=f"played already .`ziggurat play`, process {own}"):
            saves.load(file, lambda _: program, holder="a table")
        with pytest.raises(BadSave, match=f"--load {file}@5` goes on in another file"):
            saves.load(file, lambda _: program, holder="a table")
    assert reload(program, path)[0].records == holder.records
    assert reload(program, path, 3)[0].records == holder.records[:3]
    assert path.read_bytes() == whole
    play_on(holder, 3)
    holder.close()
    assert not lock_path(path).exists()
    again, _ = saves.load(path, lambda _: program, holder="a table")
    assert len(again.records) == 8
    again.close()


def test_a_dead_process_holds_no_save(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "a.zig"
    new_save(program, path)
    code = (
        "import sys, time; from pathlib import Path; from ziggurat import lock_save;"
        "lock = lock_save(Path(sys.argv[1]), 'somebody'); print('locked', flush=True);"
        "time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(SaveInUse, match=f"somebody, process {process.pid}"):
            lock_save(path, "me")
        process.kill()
        process.wait()
    assert lock_path(path).exists()
    lock_save(path, "me").release()
    assert not lock_path(path).exists()


def test_readers_leave_a_line_alone_that_is_being_written(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "a.zig"
    save = new_save(program, path)
    play_on(save, 5)
    sound = path.read_bytes()
    with path.open("ab") as file:
        file.write(b'6 ["ana", ')
    cut = path.read_bytes()
    loaded, told = reload(program, path)
    assert "cut off" in told[0]
    assert path.read_bytes() == cut
    play_on(loaded, 1)
    assert path.read_bytes().startswith(sound + b"6 [")
    assert len(reload(program, path)[0].records) == 6


def test_a_save_that_cannot_be_written_is_refused_before_anything_is_played(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.zig"
    play_on(new_save(program, path), 4)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ziggurat.runtime.saves.save.lock_save", refuse)
    with pytest.raises(BadSave, match=r"cannot be written \(Permission denied\).*a.zig@4"):
        saves.load(path, lambda _: program, holder="me")
