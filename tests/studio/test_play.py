"""`ziggurat play`, scripted: what somebody types, and what they see."""

import io
import re
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.packed import BASE, BEGIN, PACK, TURN
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.saves.format import SavedAnswer, parse
from ziggurat.runtime.saves.lock import SaveLock
from ziggurat.studio.cli import main
from ziggurat.studio.commands.play import _new_file
from ziggurat.studio.console import FOUND, INTERNAL, OK, USAGE
from ziggurat.studio.play.naming import Choice, WrongInput, choice, match, take
from ziggurat.studio.play.reader import completions
from ziggurat.studio.play.turns import again, answered, back

PACKS = Path(__file__).parents[1] / "packs"
Play = Callable[..., str]


@pytest.fixture
def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Play:
    """Types some lines into `ziggurat play` and returns everything it says."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))

    def run(arguments: str, *lines: str, code: int = OK) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", *arguments.split(), "--packs", str(PACKS)]) == code
        said = capsys.readouterr()
        return said.out + said.err

    return run


def saved(out: str) -> Path:
    """The file a game says it is saved in."""
    found = re.search(r"--load (\S+)", out)
    assert found
    return Path(found[1])


RACE = "race --players 3 --seed 1"


def test_a_question_has_numbered_options_and_says_how_to_go_on(play: Play) -> None:
    out = play(RACE)
    assert "The Tortoise Race: 3 players, seed 1." in out
    assert "Whom do you bet on?" in out
    assert "1  player2   2  player3" in out
    assert "Everything is saved. Continue with" in out
    assert saved(out).is_file()
    assert all(len(line) <= 80 for line in out.splitlines() if "/" not in line)


def test_a_mistake_of_the_program_is_told_as_one_and_loses_nothing(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(play(RACE, "2"))
    before = parse(file.read_bytes()).records
    assert before

    def move(state: State, *rest: Any) -> int:
        if state.frames[-1].name == "setup":
            return real(state, *rest)
        raise KeyError("g7")

    real = State.move
    monkeypatch.setattr(State, "move", move)
    out = play(f"--load {file}", *(["1", "done"] * 30), code=INTERNAL)
    assert "This is a mistake in Ziggurat, not in the rules." in " ".join(out.split())
    assert "The rules cannot go on" not in out
    assert saved(out) == file
    assert parse(file.read_bytes()).records[: len(before)] == before


def test_a_whole_game(play: Play) -> None:
    lines = ["none", *(["1", "done"] * 30)]
    out = play(RACE, *lines)
    assert "Final ranking" in out
    assert re.search(r"(wins|share first place) with \d+ points after \d+ turns", out)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("none", []),
        ("all", ["player2", "player3"]),
        ("1 2", ["player2", "player3"]),
        ("1-2", ["player2", "player3"]),
        ("player3", ["player3"]),
        ("2,1", ["player2", "player3"]),
        ("keep player2", ["player3"]),
        ("keep 1 2", []),
    ],
)
def test_sets(play: Play, typed: str, answer: list[str]) -> None:
    out = play(RACE, typed)
    records = parse(saved(out).read_bytes()).records
    assert next(r.answer for r in records if r.seat == "player1") == answer


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("foo", "`foo` is no option here."),
        ("9", "There is no option 9; they go from 1 to 2."),
        ("player", "could be player2 or player3"),
        ("bord", "Did you mean the command `board`?"),
        ("board nowhere", "`nowhere` is no name here."),
        ("/nonsense", "`nonsense` is no command here."),
        ("explain", "Explain what?"),
        ("explain 1 +", "is not an expression of the rules language"),
        ("explain pionts(me)", "Did you mean `points`?"),
        ("explain reach", "explain reach(p, c)"),
        ("undo", "There is nothing of yours to take back."),
        ("undo x", "`x` should be a number."),
        ("redo", "There is nothing to do again."),
        ("why jump", "`jump` is no action here."),
        ("why not", "Why not what? An action or an option, such as `why not"),
        ("why not jump", "`jump` is neither an action nor an option of this."),
        ("help nonsense", "is no command here."),
        ("save /no/such/folder/a.zig", "cannot be written"),
        (",,", "Whom do you bet on?"),
        ("\x00 \x07 ((", "is no option here"),
    ],
)
def test_wrong_input_gets_a_hint(play: Play, typed: str, hint: str) -> None:
    out = play(RACE, typed, "1")
    assert hint in " ".join(out.split())
    assert "Turn 1 · The race" in out


def test_an_action_in_one_line_and_step_by_step(play: Play) -> None:
    out = play(RACE, "none", "1", "buy boots", "undo", "buy", "why", "back", "buy", "9", "boots")
    assert out.count("\nBuy a trick: Boots (2).") == 2
    assert "Taken back: Buy a trick: Boots (2)." in out
    assert "Never mind." in out
    assert "There is no option 9" in out
    records = parse(saved(out).read_bytes()).records
    bought = [r.answer for r in records if r.seat == "player1" and isinstance(r.answer, dict)]
    assert {"action": "buy", "args": ["boots"]} in bought


def test_a_refusal_names_its_rule(play: Play) -> None:
    out = play(RACE, "none", "1", "buy boots", "buy boots", "rest", "rest", "buy whip and more")
    assert "cannot be Boots" in out
    assert "buy  race/race.rules:" in out
    assert "No rest now." in out
    assert "`and more` is too much" in out


def test_undo_and_redo_reach_back_to_ones_own_answers(play: Play) -> None:
    out = play(RACE, "none", "1", "undo", "undo", "redo 2", "undo 2", "1")
    assert out.count("Taken back") == 3
    assert out.count("Done again.") == 1
    done, undone = answered(parse(saved(out).read_bytes()).records)
    assert "player1" in done
    assert not undone


ERRANDS = """
action errand "Run an errand" in play by p (goal from areas "Where to?", n from 1..3 "How often?") {
  choose word by p from 1..4 "Which word?"
  choose other by p from 1..4 "And then?"
  add word + other to p.score
}
phase play "Play" { players p act until done }
option pace "How fast it goes": int = 1
"""


def errands(folder: Path) -> str:
    """A little game whose action asks for something on its way."""
    home = folder / "tiny"
    home.mkdir()
    (home / "pack.toml").write_text(PACK, encoding="utf-8")
    (home / "tiny.rules").write_text(BASE + BEGIN + TURN + ERRANDS, encoding="utf-8")
    return f"tiny --packs {folder} --players 2 --seed 1"


def test_undo_takes_back_an_act_with_all_it_asked(play: Play, tmp_path: Path) -> None:
    acts = ("errand one 1", "1", "1", "errand two 2", "2", "2")
    out = play(
        errands(tmp_path), *acts, "errand two 3", "3", "undo", "undo", "log", "undo", "redo 2"
    )
    file = saved(out)
    done, undone = answered(parse(file.read_bytes()).records)
    assert out.count("Taken back") == 3
    log = out[out.index("Taken back") :]
    assert "Run an errand (One; 1)" in log
    assert "Run an errand (Two; 2)" not in log
    assert (len(done), len(undone)) == (6, 2)


def test_undo_in_the_middle_of_a_question_forgets_what_was_begun(
    play: Play, tmp_path: Path
) -> None:
    out = play(
        errands(tmp_path), "errand one 1", "1", "1", "errand", "one", "undo", "errand", "/undo"
    )
    assert out.count("Never mind.") == 2
    assert "Taken back" not in out
    assert len(answered(parse(saved(out).read_bytes()).records)[0]) == 3


class Typist:
    """Somebody at a terminal."""

    terminal = True

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    def line(self, prompt: str, complete: object, seat: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def remember(self, save: Path) -> None:
        """Keep nothing."""

    def discard(self) -> str:
        return ""


def test_people_at_a_terminal_choose_the_options(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ("options", "pase=2", "pace=fast", "pace", "pace = 3", "", "options", "quit")
    typist = Typist(*typed)
    monkeypatch.setattr("ziggurat.studio.commands.play.reader", lambda: typist)
    out = " ".join(play(errands(tmp_path)).split())
    assert "These rules have 1 options. Enter plays them as they are" in out
    assert "How fast it goes 1 1" in out
    assert "the rules have no option `pase`. Did you mean `pace`?" in out
    assert "option `pace` is a number, not `fast`" in out
    assert "an option is given as `NAME=VALUE`, not `pace`." in out
    assert "How fast it goes: 3." in out
    assert "How fast it goes 3 1" in out


def test_options_given_are_not_asked_for(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ziggurat.studio.commands.play.reader", lambda: Typist("options", "quit"))
    out = " ".join(play(f"{errands(tmp_path)} --option pace=2").split())
    assert "Enter plays them as they are" not in out
    assert "How fast it goes 2 1" in out


def test_replay_tells_acts_and_the_last_table_once(
    play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = errands(tmp_path)
    out = play(
        arguments, "errand one 1", "1", "2", "errand two 3", "1", "1", "errand two 1", "quit"
    )
    assert main(["replay", str(saved(out)), "--packs", str(tmp_path)]) == OK
    told = capsys.readouterr().out
    assert "player1: Run an errand (One; 1), (Two; 3), (Two; 1)." in told
    assert told.count("Turn 1") == 1
    assert told.count("player2 ") == 1


def test_save_and_load(play: Play, tmp_path: Path) -> None:
    first = play(RACE, "none", f"save {tmp_path / 'copy.zig'}", "1", "quit")
    file = saved(first)
    assert (tmp_path / "copy.zig").is_file()
    out = play(f"--load {file}", "rest", "hand", "quit")
    assert "Turn 1 · Market · player1" in out
    assert "Rest." in out
    assert "Basket: 5 carrot" in out
    again = play(f"--load {tmp_path / 'copy.zig'}", "log")
    assert "Which card, player1?" in again
    assert "player1 chooses nothing." in again


def test_a_pack_named_by_its_folder(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mod = tmp_path / "mods" / "my_pack"
    mod.mkdir(parents=True)
    manifest = 'id = "my_pack"\ntitle = "Mine"\nversion = "1"\nextends = ["race"]\n'
    mod.joinpath("pack.toml").write_text(manifest)
    mod.joinpath("mine.rules").write_text("amend trick boots { price: 1 }\n")
    monkeypatch.chdir(tmp_path)
    out = play("race+./mods/my_pack --players 3 --seed 1", "explain boots.price", "none", "quit")
    assert "boots.price is 1" in out
    file = saved(out)
    assert file.parent == tmp_path / "data" / "saves"
    assert file.name.startswith("race+my_pack-")
    again = play(f"race+./mods/my_pack --load {file}", "log", "quit")
    assert "player1 chooses nothing." in again
    assert "player1 chooses nothing." in play(f"--load {file}", "log", "quit")
    other = play(f"race --load {file}", code=USAGE)
    assert "is a game of `race+my_pack`, not of `race`" in " ".join(other.split())


@pytest.fixture
def modded(play: Play, tmp_path: Path) -> tuple[Path, Path]:
    """A game with a pack of one's own, found with `--packs`: the pack and the save."""
    mod = tmp_path / "mods" / "my_pack"
    mod.mkdir(parents=True)
    manifest = 'id = "my_pack"\ntitle = "Mine"\nversion = "1"\nextends = ["race"]\n'
    mod.joinpath("pack.toml").write_text(manifest)
    mod.joinpath("mine.rules").write_text("amend trick boots { price: 1 }\n")
    out = play(f"race+my_pack --packs {mod.parent} --players 3 --seed 1", "none", "quit")
    return mod, saved(out)


def test_a_save_without_its_packs_goes_on_by_those_that_were_kept(
    play: Play, modded: tuple[Path, Path], tmp_path: Path
) -> None:
    mod, file = modded
    assert str(tmp_path) not in file.read_text()
    here = play(f"--load {file} --packs {mod.parent}", "log", "quit")
    assert "player1 chooses nothing." in here
    assert "began with" not in here
    told = " ".join(play(f"--load {file}", "explain boots.price", "quit").split())
    assert "This save needs the pack `my_pack` 1. Say where it is with `--packs`." in told
    assert "By the rules it began with, which were kept." in told
    assert "boots.price is 1" in told
    shutil.rmtree(tmp_path / "data" / "rules")
    missing = " ".join(play(f"--load {file}", code=USAGE).split())
    assert "This save needs the pack `my_pack` 1. Say where it is with `--packs`." in missing


def test_rules_of_a_save_without_kept_ones_are_kept_when_it_opens(
    play: Play, modded: tuple[Path, Path], tmp_path: Path
) -> None:
    """As of saves from before rules were kept."""
    mod, file = modded
    shutil.rmtree(tmp_path / "data" / "rules")
    play(f"--load {file} --packs {mod.parent}", "quit")
    shutil.rmtree(mod)
    told = play(f"--load {file}", "explain boots.price", "quit")
    assert "By the rules it began with, which were kept." in " ".join(told.split())
    assert "boots.price is 1" in told


def test_packs_below_the_folder_of_a_save_are_found(play: Play, modded: tuple[Path, Path]) -> None:
    mod, file = modded
    home = file.parent / "mods" / "my_pack"
    home.parent.mkdir()
    mod.rename(home)
    out = play(f"race+my_pack --packs {home.parent} --players 3 --seed 1", "none", "quit")
    text = saved(out).read_text()
    assert 'folder = "mods/my_pack"' in text
    moved = file.parent.with_name("moved")
    file.parent.rename(moved)
    again = play(f"--load {moved / saved(out).name}", "explain boots.price", "quit")
    assert "boots.price is 1" in again
    assert "kept" not in again


def test_wording_does_not_forbid_a_game_that_runs(play: Play, modded: tuple[Path, Path]) -> None:
    mod, file = modded
    rules = mod / "mine.rules"
    rules.write_text("# Cheap boots.\n" + rules.read_text())
    again = play(f"--load {file} --packs {mod.parent}", "log", "quit")
    assert "but their rules mean the same: my_pack 1." in " ".join(again.split())
    assert "player1 chooses nothing." in again


def test_other_rules_forbid_a_game_unless_they_are_wanted_anyway(
    play: Play, modded: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    mod, file = modded
    mod.joinpath("mine.rules").write_text("amend trick boots { price: 4 }\n")
    before = file.read_bytes()
    loading = f"--load {file} --packs {mod.parent}"
    kept = " ".join(play(loading, "explain boots.price", "quit").split())
    assert "they differ in: my_pack 1. All" in kept
    assert "my_pack 1: 1 rule changed. ~ Boots: price was: price: 1 now: price: 4" in kept
    assert "boots.price is 1" in kept
    assert f"--load {file} --as-begun" in kept
    begun = " ".join(play(f"{loading} --as-begun", "explain boots.price", "quit").split())
    assert "they differ in" not in begun
    assert "boots.price is 1" in begun
    assert f"--load {file} --as-begun" in begun
    assert file.read_bytes() == before
    again = play(f"{loading} --anyway", "explain boots.price", "2", "quit")
    assert "boots.price is 4" in again
    assert "--as-begun" not in again
    assert file.read_bytes() == before
    other = saved(again)
    assert other != file
    assert "boots.price is 4" in play(f"--load {other} --packs {mod.parent}", "explain boots.price")
    assert "boots.price is 4" in play(f"--load {other}", "explain boots.price")
    shutil.rmtree(file.parent.parent / "rules")
    for command in ("replay", "explain race boots.price --state"):
        packs = ["--packs", str(PACKS), "--packs", str(mod.parent)]
        assert main([*command.split(), str(file), *packs]) == USAGE
        said = " ".join(capsys.readouterr().err.split())
        assert "None of the rules this save began with were kept;" in said
        assert "`--anyway` goes on by those found now" in said
    refused = " ".join(play(loading, code=USAGE).split())
    assert "None of the rules this save began with were kept; missing: `race` " in refused
    assert "`--packs FOLDER` goes on by packs of that time." in refused
    assert "`--anyway` goes on by those found now, in a new file" in refused


def test_going_on_from_an_earlier_answer_leaves_the_save_as_it_is(
    play: Play, modded: tuple[Path, Path]
) -> None:
    _, file = modded
    before = file.read_bytes()
    out = play(f"--load {file}@0", "log", "quit")
    assert "player1 chooses nothing." not in out
    assert saved(out).name == f"{file.stem}-at-0.zig"
    number = len(parse(before).records)
    assert "player1 chooses nothing." in play(f"--load {file}@{number}", "log", "quit")
    assert file.read_bytes() == before
    assert "is no number of answers" in play(f"--load {file}@first", code=USAGE)


def test_a_full_disk_loses_nothing_that_was_saved(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(play(RACE, "none", "1", "quit"))
    before = parse(file.read_bytes()).records

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    out = play(f"--load {file}", "rest", code=FOUND)
    monkeypatch.undo()
    assert "could not be saved (No space left on device)" in " ".join(out.split())
    assert parse(file.read_bytes()).records[: len(before)] == before


def test_seats_belong_to_the_save(play: Play) -> None:
    file = saved(play(RACE, "none", "1", "quit"))
    out = play(f"--load {file}@5 --seats 2=me", "quit")
    branch = saved(out)
    assert "--seats" not in out
    assert parse(branch.read_bytes()).header.people == ("player2",)
    assert "Market · player2" in play(f"--load {branch}", "quit")
    other = play(f"--load {file} --seats 2=me,3=search", "quit")
    assert "--seats player2=me,player3=search" in other[other.index("Continue with") :]
    assert "--seats" not in play(f"--load {file} --seats 1=me", "quit")


def test_games_that_begin_at_once_have_files_of_their_own(play: Play, tmp_path: Path) -> None:
    begin = threading.Barrier(8)

    def new_file(_: int) -> SaveLock:
        begin.wait()
        return _new_file("race-now")

    with ThreadPoolExecutor(8) as pool:
        locks = list(pool.map(new_file, range(8)))
    names = [f"race-now{f'-{n}' if n > 1 else ''}.zig" for n in range(1, 9)]
    assert sorted(lock.path.name for lock in locks) == sorted(names)
    for lock in locks:
        lock.path.touch()
        lock.release()
    last = _new_file("race-now")
    assert last.path == tmp_path / "data" / "saves" / "race-now-9.zig"
    last.release()


def test_a_damaged_save_names_what_is_sound_of_it(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(play(RACE, "none", "1", "quit"))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:-2], lines[-2].replace(b"player", b"plaier"), lines[-1]]))
    sound = len(lines) - 2 - next(n for n, line in enumerate(lines) if line.startswith(b"---")) - 1
    out = " ".join(play(f"--load {file}", code=USAGE).split())
    assert f"Answer {sound + 1} of this save was changed or damaged" in out
    assert f"`{file}@{sound}` is the game up to there." in out
    play(f"--load {file}@{sound}", "quit")
    for words in ([f"{file}@{sound}"], [str(file), "--to", str(sound)]):
        assert main(["replay", *words, "--packs", str(PACKS)]) == OK
    assert main(["replay", f"{file}@1", "--to", "1", "--packs", str(PACKS)]) == USAGE
    assert "say how many answers once" in capsys.readouterr().err


def test_why_an_action_is_not_offered(play: Play) -> None:
    out = " ".join(play(RACE, "why not buy", "none", "why not buy", "quit").split())
    assert out.count("buy is allowed by its own rules") == 2
    assert "This is done in market, and now it is" in out


def test_why_a_line_of_the_log_is_there(play: Play) -> None:
    out = play(RACE, "none", "1", "log", "why last", "why 3", "why 11", "why 999", "quit")
    assert re.search(r"^   11    player3 comes to Brook\.$", out, re.MULTILINE)
    assert "12. Market  race/race.rules:" in out
    assert "player3 is in players, 1 of 3 by behind: yes" in out
    assert "1: player2 has decided." in out
    assert "6: player3 has decided." in out
    assert "there is no line 999; the log has" in " ".join(out.split())


def test_why_an_option_is_not_offered(play: Play) -> None:
    out = " ".join(play(RACE, "why not player1", "why not player2", "why not dog", "quit").split())
    assert "player1 for" in out
    assert "is refused:" in out
    assert "is offered" in out
    assert "`dog` is neither an action nor an option of this." in out


def test_options_are_kept_with_the_game(play: Play) -> None:
    out = play(f"{RACE} --option hand_size=4", "none", "hand", "quit")
    assert dict(parse(saved(out).read_bytes()).header.options) == {"hand_size": 4}
    again = play(f"--load {saved(out)}", "hand", "quit")
    assert "Hand: 2 Crawl (1), 2 Walk (2)" in again


def test_a_seat_can_look_ahead(play: Play) -> None:
    """A turn of two bots, advised and looking ahead; the answers of both are saved."""
    file = saved(play("race --players 3 --seed 1 --seats 1=me,3=search", "2", "1"))
    assert {"player2", "player3"} <= {record.seat for record in parse(file.read_bytes()).records}


def test_two_people_at_one_keyboard(play: Play) -> None:
    arguments = "race --players 3 --seed 1 --seats 1=me,2=me,3=random"
    out = play(arguments, "", "none", "", "1", "", "hand", "hand 2", "1", "", "hand")
    assert out.index("Pass the keyboard to player1.") < out.index("Pass the keyboard to player2.")
    assert out.count("Whom do you bet on?") == 2
    assert "\x1b" not in out
    file = saved(out)
    more = play(f"--load {file}")
    assert "Pass the keyboard to player" in more


def test_what_is_hidden_stays_hidden(play: Play) -> None:
    out = play(
        RACE, "none", "explain cards(hand(player2))", "explain size(hand(player2))",
        "explain player2.bets", "explain top(deck)", "explain cards(hand(me))", "log", "1",
        "explain progress", "score 2", "score player2", "board meadow",
    )  # fmt: skip
    assert out.count("That depends on something you may not see.") == 3
    assert "size(cards(hand(player2))) is 0" in out
    assert "cards(hand(player1)) is [crawl#" in out
    assert "progress(player1) is 1" in out
    assert "player2 has decided." in play(RACE, "none", "1", "log")


def test_a_bundle_is_told_as_one_and_its_secrets_to_its_owner(play: Play, tmp_path: Path) -> None:
    home = tmp_path / "tiny"
    home.mkdir()
    (home / "pack.toml").write_text(PACK, encoding="utf-8")
    more = """
attribute seen of player: int = 4
bundle bid "Bid" of player { hidden: int secret  size: int = 7  open: bool = yes  gone: int }
phase play "Play" {
  each player p in players { set p.bid = bid(hidden: 55) }
  each player p in players {
    choose n by p from 1..3 "How many?"
    set p.score = n + p.seen + p.bid.hidden + p.bid.size + p.bid.gone + (1 if p.bid.open else 0)
  }
  once { end game }
}"""
    (home / "tiny.rules").write_text(BASE + BEGIN + TURN + more, encoding="utf-8")
    out = play(f"{home} --players 2 --seed 1", "score me", "score player2", "quit")
    mine, theirs = re.findall(r"Noted: (.+)", out)
    assert mine == "seen 4 · Bid (hidden 55, size 7, open)"
    assert theirs == "seen 4 · Bid (size 7, open)"


CART = "Paying in one step: the sets that fit, then treasury"


def test_the_end_of_an_act_asks_about_what_was_begun(
    play: Play,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    saves = tmp_path / "data" / "saves"

    def shop(*lines: str) -> tuple[str, Any]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", "west", "--scenario", f"{CART}@given"]) == OK
        (file,) = saves.glob("*.zig")
        records = parse(file.read_bytes()).records
        file.unlink()
        return capsys.readouterr().out, [record.answer for record in records]

    out, answers = shop("pick_up pottery", "done", "back", "0", "", "foo", "buy", "yes", "quit")
    assert out.count("You have begun something, and `done` gives it up.") == 3
    assert "Purchase: in the cart Pottery" in out
    assert " 1  buy   Buy what is in the cart" in out
    assert "`foo` is no action here." in out
    assert [one["action"] for one in answers[:2]] == ["pick_up", "buy"]
    assert shop("pick_up pottery", "done", "3", "quit")[1][1] == "done"
    out, answers = shop("pick_up pottery", "put_back", "done", "quit")
    assert "You have begun" not in out
    assert answers[2] == "done"


def test_payment_that_rules_choose_is_shown_and_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], play: Play
) -> None:
    def shop(*lines: str) -> tuple[str, list[Any]]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", "west", "--scenario", f"{CART}@given"]) == OK
        (file,) = (tmp_path / "data" / "saves").glob("*.zig")
        records = parse(file.read_bytes()).records
        file.unlink()
        return capsys.readouterr().out, [record.answer for record in records]

    out, answers = shop("pick_up pottery", "buy", "no", "buy", "yes", "quit")
    assert out.count("red: gives (Lead ×3; treasury: population token ×6)") == 2
    assert re.search(
        r"red: Purchase \(in the cart Pottery; Means \d+; In the cart 60; Paid 0\)", out
    )
    assert [one["action"] for one in answers[:2]] == ["pick_up", "buy"]
    out, answers = shop("buy pottery", "no", "buy pottery", "yes", "quit")  # both in one line
    assert out.count("red: gives (Lead ×3; treasury: population token ×6)") == 2
    assert [one["action"] for one in answers[:2]] == ["pick_up", "buy"]
    out, answers = shop("pick_up pottery", "lay_enough", "settle", "quit")  # laid by oneself
    assert "gives" not in out
    assert answers[2]["action"] == "settle"


def test_help_and_the_other_commands(play: Play) -> None:
    out = play(RACE, "help", "help undo", "?", "board", "board all", "board brook", "score", "")
    for word in ("board [all|PLACE]", "explain EXPRESSION", "Tab key", "t tortoise", "muddy"):
        assert word in out
    assert out.count("Whom do you bet on?") == 2


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ("", "play what?"),
        ("race --players 9", "is for 2 to 6 players"),
        ("race --seats rome", "must look like `rome=me`"),
        ("race --seats rome=me", "nobody can play `rome`"),
        ("race --seats 7=me", "there is no seat 7"),
        ("race --seats 1=random", "nobody would play"),
        ("--load nothing.zig", "nothing.zig cannot be read"),
        ("race --option hand_sise=3", "Did you mean `hand_size`?"),
        ("--load nothing.zig --option hand_size=3", "options of a saved game are settled"),
    ],
)
def test_requests_that_make_no_sense(play: Play, arguments: str, hint: str) -> None:
    assert hint in " ".join(play(arguments, code=USAGE).split())


def test_an_empty_line_asks_again_inside_a_question_too(play: Play) -> None:
    seat = "west --players 5 --seed 3 --seats minoa=me"
    once = play(seat, "march", "cancel").count("How many tokens?  (")
    assert "number> cancel" in play(seat, "march", "cancel")
    assert play(seat, "march", "", "?", "cancel").count("How many tokens?  (") == once + 2 == 3


def test_numbers_stay_with_their_names(play: Play) -> None:
    out = play("west --players 5 --seed 3 --seats minoa=me", "help")
    head = out[out.index("Minoa: Cities 0") :].partition("Knossos")[0]
    assert "Points 0" in head
    assert "a slash makes it a" in " ".join(out.split())
    assert not any(line.strip() in ("makes it a", "0") for line in out.splitlines())


def test_help_stays_in_its_columns(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = play(RACE, "none", "help", "quit")
    assert f"{'  board [all|PLACE]':<29}the board: what stands where,\n{'':<29}all of it" in out
    assert "Enter shows" in play(f"{RACE} --seats 1=me,2=me", "?")


def test_the_great_game(play: Play) -> None:
    out = play(
        "west --players 5 --seed 3 --seats minoa=me,2=random",
        "board", "board all", "march knossos lemnos 1", "march knossos nowhere", "march kno lesbos",
        "march", "1", "cancel", "march", "back", "why", "why march", "hand", "score", "done",
    )  # fmt: skip
    assert "Minoa" in out
    assert "Turn 1 · Movement · Minoa" in out
    assert "Knossos (3) you" in out
    assert "[W 6.3, E 6.3]" in out
    assert " : you gain" not in out  # in some phase, always
    assert "core/phases/movement.rules:" in out
    assert all(len(line) <= 80 for line in out.splitlines() if "/" not in line)
    wrong = play("west --players 5 --seats rome=me", code=USAGE)
    assert "nobody can play `rome` in a game of 5" in wrong


# ---- the parts


def some(*names: str) -> list[Choice]:
    return [choice(name, name.title(), name) for name in names]


def test_names_are_matched() -> None:
    areas = some("upper egypt", "upper_gaul", "rome", "romania")
    assert match("rome", areas).value == "rome"
    assert match("Upper-Egypt", areas).value == "upper egypt"
    assert match("gaul", areas).value == "upper_gaul"
    assert take(["upper", "gaul", "3"], areas) == (areas[1], 2)
    with pytest.raises(WrongInput, match="could be Rome or Romania"):
        match("ro", areas)
    with pytest.raises(WrongInput, match="Did you mean `romania`"):
        match("romanai", areas)


def test_words_are_completed() -> None:
    known = {"": ["march", "done"], "march": ["rome", "romania"], "march ": ["rome", "romania"]}
    assert completions("ma", known.__getitem__) == [("march", 2)]
    assert completions("march ro", known.__getitem__) == [("romania", 2), ("rome", 2)]
    assert completions("march rome,rom", known.__getitem__) == [("romania", 3), ("rome", 3)]


def test_answers_are_taken_back_together() -> None:
    records = [
        SavedAnswer("ann", 1),
        SavedAnswer("bot", 1),
        SavedAnswer("bot", 1),
        SavedAnswer("ann", 2),
    ]
    done, _ = answered(records)
    assert back(done, ["ann"]) == 1
    assert back(done[:-1], ["ann"]) == 3
    assert back([], ["ann"]) == 0
    done, undone = answered([*records, SavedAnswer("undo", 4)])
    assert done == []
    assert again(undone, ["ann"]) == 3
    assert again(undone[:1], ["ann"]) == 1
    assert again([], ["ann"]) == 0


def test_a_score_that_counts_hidden_cards_is_told_to_nobody_else(play: Play) -> None:
    """Sets in hands score there: others see a question mark, and rows as the seats are."""
    out = play(
        "expansion_project --players 5 --seed 1 --seats 3=me", "score", "score thrace", "quit"
    )
    table = re.search(r"Open points Points\n((?:.+\n){5})", out)
    assert table
    assert [row.split()[-1] for row in table[1].splitlines()] == ["?", "?", "0", "?", "?"]
    assert "Thrace: Cities 0" in out
    assert out.count("Points ?") == 1


DEAL = "An offer, an answer, a deal: three cards each, and the calamity remembers its giver"


def test_terms_are_shown_before_anything_is_given_away(
    play: Play,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    red = ["", "make_offer bone frog amber 3", "make_offer bone*2 envy amber 3", "pass"]
    blue = ["", "make_answer red amber,amber wax", "pass"]
    agreed = ["", "agree", "no", "agree", "foo", "yes", "quit"]
    lines = "".join(f"{line}\n" for line in (*red, *blue, *agreed))
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    seats = ["--seats", "red=me,blue=me"]
    assert main(["play", "west", "--scenario", f"{DEAL}@given", *seats]) == OK
    out = " ".join(capsys.readouterr().out.split())
    asked = out.partition("Agree? These are the terms.")[2]
    terms = asked.partition("yes or no> no Never mind.")[0]
    assert (
        "red: Offer (all its cards Bone, Bone, Envy; certainly Bone, Bone; cards as said 3;"
        " would like Amber)"
    ) in terms
    assert "blue: Answer (to red; certainly Amber, Amber; cards 3; Your sets after" in terms
    assert "something went wrong" not in out
    assert "Wax" not in terms  # what the other side does not name stays hidden
    assert "`foo` is no answer here." in asked
    assert "Agree: blue. You lose Envy, 2 Bone. You gain 2 Amber, Wax." in asked
    (file,) = (tmp_path / "data" / "saves").glob("*.zig")
    answers = [record.answer for record in parse(file.read_bytes()).records]
    assert [one["action"] for one in answers if isinstance(one, dict)] == [
        "make_offer", "make_answer", "agree",
    ]  # fmt: skip


def test_the_shop_tells_prices_and_what_an_advance_does(
    play: Play,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = ("pick_up", "pottery", "explain pottery", "quit")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert main(["play", "west", "--scenario", f"{CART}@given"]) == OK
    out = capsys.readouterr().out
    assert re.search(r"\d+  Pottery \(60\): Price 60", out)
    assert re.search(r"Means \d+ · In the cart 0 · Paid 0", out)
    assert re.search(r"Means \d+ · In the cart 60 · Paid 0", out)
    assert "`explain NAME` tells what one does." in out
    assert "The damage that the holder takes from Famine" in out.partition("explain pottery")[0]
    assert "The damage that the holder takes from Famine: −5." in out


def test_nobody_takes_back_what_another_player_answered(play: Play) -> None:
    seats = f"{RACE} --seats 1=me,2=me"
    out = play(seats, "", "none", "1", "", "undo", "quit")
    assert "Taken back" not in out
    assert "answered last, and nobody else can take that back." in out
    out = play(seats, "", "1", "undo", "2", "", "quit")  # before the keyboard is passed
    assert "Taken back: Whom do you bet on? player2." in out


def test_words_that_people_try_point_to_the_command(play: Play) -> None:
    out = " ".join(play(RACE, "map", "hint", "rules").split())
    assert "The board is shown by `board`." in out
    assert "`why` says what is behind this question" in out
    assert "`ziggurat book` writes the whole book" in out
