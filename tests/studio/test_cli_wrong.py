"""Wrong requests of every command: one message for people and exit code 2, never a traceback."""

import shlex
from pathlib import Path

import pytest

from ziggurat.studio.cli import main
from ziggurat.studio.commands import COMMANDS
from ziggurat.studio.console import INTERNAL, OK, USAGE

RACE = Path(__file__).parents[1] / "packs" / "race"
EXPRESSION = "'steps(player1)'"
# How each command is asked for the ruleset of a stack, as far as it is.
OF_STACK = {
    "demo": "demo --stack {0}",
    "play": "play {0}",
    "simulate": "simulate {0} --games 1",
    "test": "test {0}",
    "explain": f"explain {{0}} {EXPRESSION}",
    "list": "list {0}",
    "resolve": "resolve {0} x",
    "diff": "diff {0} ./race",
    "map": "map {0}",
}
WRONG = [
    *(line.format(stack) for line in OF_STACK.values() for stack in
      ("nowhere", "''", "./race+", "./broken", "./folder", "./file", "./race/race.rules")),
    *(f"{command} --nonsense" for command in COMMANDS),
    *(f"{command} --packs nowhere" for command in ("packs", "check", "demo")),
    "nonsense", "--nonsense",
    "demo extra", "packs extra", "list ./race kind extra", "play ./race extra",
    "demo --players 0", "demo --players 99 --stack ./race", "demo --players many", "demo --seed x",
    "demo --stack ./race --option hand_size", "demo --stack ./race --option nothing=1",
    "demo --stack ./race --option hand_size=many",
    "play", "play ./race --seats", "play ./race --seats 1", "play ./race --seats 1=you",
    "play ./race --seats 9=me", "play ./race --seats nobody=me", "play ./race --seats 1=me,1=bot",
    "play ./race --seats 1=bot", "play --load nowhere", "play --load folder", "play --load file",
    "play --load bytes", "play --load file --option hand_size=3",
    "replay", "replay nowhere", "replay folder", "replay file", "replay bytes",
    "replay file --to -1",
    "simulate", "simulate ./race --games 0", "simulate ./race --jobs 0",
    "simulate ./race --policy clever", "simulate ./race --compare ./race",
    "simulate ./race --compare nowhere", "simulate ./race --games 1 --out file",
    "simulate ./race --games 1 --out file/below", "simulate ./race --games 1 --out taken",
    "simulate ./race --games 1 --jobs 1 --out blocked",
    "check nowhere", "check nowhere.rules", "check --format nonsense", "check ./broken",
    "fmt", "fmt nowhere",
    "explain nonsense", "explain Z999", "explain ./race 'x('", "explain ./race nonsense",
    f"explain ./race {EXPRESSION} --holding player1",
    *(f"explain ./race {EXPRESSION} --state {file}" for file in
      ("nowhere", "folder", "file", "bytes", "file@1", "file@x", "nowhere@1")),
    f"explain ./race {EXPRESSION} --scenario nowhere", f"explain ./race {EXPRESSION} --depth -1",
    "test ./race --format nonsense", "play --load file@x", "play --load nowhere@3",
    "list ./race nonsense", "resolve ./race nonsense", "resolve ./race",
    "diff ./race", "diff ./race ./race --only nonsense", "diff ./race ./race --format nonsense",
    "diff ./race ./race -o folder", "diff ./race ./race -o nowhere/below",
    "diff ./race ./race --games 1", "diff ./race@nonsense ./race", "diff ./race@ ./race",
    "diff ./race ./race --stat --format json", "diff ./race ./race --behaviour --format html",
    "diff ./race ./race --behaviour --games x",
    "map west -o folder", "map west -o nowhere/below", "map west --state nowhere",
    "map west --state folder", "map west --state file",
]  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with everything one could point at by mistake."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    Path("race").symlink_to(RACE)
    Path("folder").mkdir()
    Path("file").write_text("nothing of use\n", encoding="utf-8")
    Path("bytes").write_bytes(bytes(range(256)))
    Path("broken").mkdir()
    Path("broken/pack.toml").write_text("[[", encoding="utf-8")
    Path("taken").mkdir()
    Path("taken/games.jsonl").write_text("{}\n", encoding="utf-8")
    Path("blocked/report.html").mkdir(parents=True)


@pytest.mark.parametrize("line", WRONG)
@pytest.mark.usefixtures("here")
def test_a_wrong_request(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)) == USAGE
    told = capsys.readouterr()
    assert "Traceback" not in told.out + told.err
    assert told.err.count("\n") == 1 if told.err else "error[Z" in told.out
    assert not Path("data").exists()


def test_every_command_is_asked_wrongly() -> None:
    assert {line.split()[0] for line in WRONG} >= set(COMMANDS)


def test_a_full_disk_is_no_mistake_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ziggurat.studio.simulation.journal.os.fsync", full)
    given = ["simulate", str(RACE), "--games", "2", "--jobs", "1", "--out", str(tmp_path)]
    assert main(given) == USAGE
    told = capsys.readouterr().err
    assert told.startswith("ziggurat: the disk of")
    assert told.count("\n") == 1


def test_too_many_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["packs", "one", "two"]) == USAGE
    assert "too many words: `one`, `two`." in capsys.readouterr().err
    assert main(["packs"]) == OK != INTERNAL
