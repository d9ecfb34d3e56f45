"""What goes wrong stays where it went wrong: at one table, in one process, in one command."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest

from tests.runtime.packed import BASE, BEGIN, PACK, TURN
from tests.runtime.shipped import program
from tests.web.server import PACKS, QUICK, Made, first_answer, running
from ziggurat import Random, Search, answer_of, load_save, lock_save, new_save, start
from ziggurat.studio.cli import main
from ziggurat.studio.console import OK, USAGE, UsageError
from ziggurat.studio.web.about import PERSON, About
from ziggurat.studio.web.app import build
from ziggurat.studio.web.hall import Hall
from ziggurat.studio.web.house_key import HouseKeys
from ziggurat.studio.web.keys import Keys
from ziggurat.studio.web.serving import owned
from ziggurat.studio.web.table import Table

FAILING = """
phase play "Play" {
  each player p in players {
    choose a by p from areas "Which?"
    if a is two { add 1 / p.score to p.score }
    place 1 chip of p in a
  }
}
"""
CODE = "import sys; from ziggurat.studio.cli import main; sys.exit(main(sys.argv[1:]))"


def pack(folder: Path, text: str) -> Search:
    """A pack of one's own, where a server finds it."""
    home = folder / "packs" / "tiny"
    home.mkdir(parents=True, exist_ok=True)
    (home / "pack.toml").write_text(PACK)
    (home / "tiny.rules").write_text(BASE + BEGIN + TURN + text)
    return Search.default([folder / "packs"])


# ---- rules that fail


def test_rules_that_fail_stop_one_table(tmp_path: Path) -> None:
    search = pack(tmp_path, FAILING)
    with running(tmp_path, search=search) as server:
        table, other = server.make("tiny", 2, people=2), server.make("tiny", 2, people=2)
        key = table.seats["player1"]
        assert table.answer(key, "0.0", "one").status_code == 200
        second = table.seats["player2"]
        found = table.answer(second, "0.0", "two")
        assert found.status_code == 409
        assert found.json()["error"].startswith("The rules cannot go on: `play` at tiny/tiny.rules")
        view = table.view(key)
        assert view["state"] == "stopped"
        assert view["trouble"]["text"] == found.json()["error"]
        refused = table.answer(second, "0.0", "one")
        assert "the host can take answers back" in refused.json()["error"]
        assert other.answer(other.seats["player1"], "0.0", "one").status_code == 200
        assert table.do("undo").status_code == 200
        view = table.view(key)
        assert (view["state"], view["decisions"][0]["path"]) == ("playing", "play.a")


def test_rules_that_never_come_to_a_decision_make_no_table(tmp_path: Path) -> None:
    counting = "repeat 999999999 times { for each p in players { add 1 to p.score } }"
    search = pack(tmp_path, f"{FAILING}rule endless {{ before play {{ {counting} }} }}\n")
    with running(tmp_path, search=search) as server:
        refused = server.post("/api/tables", {"stack": "tiny", "players": 2})
        assert refused.status_code == 409
        assert "tiny/tiny.rules:" in refused.json()["error"]
        assert not list(tmp_path.glob("*.zig"))


def test_a_program_whose_advice_fails_stops_one_table(tmp_path: Path) -> None:
    search = pack(tmp_path, f"{FAILING}advice play.a {{ prefer 1 / p.score }}\n")
    with running(tmp_path, search=search) as server:
        table = server.make("tiny", 2)
        key = table.seats["player1"]
        assert table.answer(key, "0.0", "one").status_code == 200
        view = table.asked(key)
        assert view["state"] == "stopped"
        assert view["trouble"]["text"].startswith("The programs cannot go on: `")
        assert table.do("person", seat="player2").json()["key"]
        assert table.do("undo").status_code == 200
        assert table.asked(key)["state"] == "playing"


# ---- a disk that fails


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path) as server:
        table = server.make("race", 2, people=2)
        key, other = table.seats.values()

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr("ziggurat.runtime.saves.save.os.fsync", full)
            found = table.answer(key, "0.0", ["player2"])
        assert found.status_code == 503
        assert "does not count" in found.json()["error"]
        view = table.view(key)  # read from the disk again
        own = int(view["decisions"][0]["id"].partition(".")[2]) if view["decisions"] else 1
        assert table.answer(other, "0.0", []).status_code == 200
        save, _ = load_save(tmp_path / f"{table.id}.zig", search=Search.default([PACKS]))
        assert [record.seat for record in save.records].count("player1") == own


@pytest.mark.skipif(sys.platform != "linux", reason="limits the files of another process")
def test_reading_goes_on_while_the_disk_is_full(tmp_path: Path) -> None:
    import resource

    with running(tmp_path) as server:
        table = server.make("race", 2, people=2)
    words = ["serve", "--port", "0", "--folder", str(tmp_path), "--packs", str(PACKS)]
    command = [sys.executable, "-c", CODE, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        home = process.stdout.readline().split()[-1]
        usual = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, usual[1]))
        with httpx.Client(base_url=home, timeout=20) as http:
            key, _ = table.seats.values()
            sent: Any = {"headers": {"Authorization": f"Bearer {key}"}}
            answer = {"decision": "0.0", "answer": ["player2"]}
            for _ in range(2):
                seen = http.get(table.path, **sent)
                assert seen.status_code == 200, seen.text
                refused = http.post(f"{table.path}/answer", json=answer, **sent)
                assert refused.status_code == 503
                assert refused.json()["error"] == (
                    "This does not count, because it cannot be saved: File too large."
                )
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, usual)
            assert http.post(f"{table.path}/answer", json=answer, **sent).status_code == 200
    finally:
        process.kill()
        process.communicate()


# ---- more tables than are kept in memory


def test_tables_make_room_while_others_come(tmp_path: Path) -> None:
    limits = attrs.evolve(QUICK, awake=3)
    with running(tmp_path, limits) as server, ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(lambda _: server.make("race", 2, people=2), range(16)))

        def look(table: Made) -> dict[str, Any]:
            return table.view(table.host)

        assert {view["state"] for view in pool.map(look, tables * 2)} == {"playing"}
        assert len(server.hall._awake) <= 3 + 8  # those that came at the same time


# ---- processes that die


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
def test_a_save_is_written_by_its_table_or_by_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    search = pack(tmp_path, FAILING)
    with running(tmp_path, search=search) as server:
        table = server.make("tiny", 2, people=2)
        file = tmp_path / f"{table.id}.zig"
        packs = ["--packs", str(tmp_path / "packs")]
        assert main(["play", "--load", str(file), *packs]) == USAGE
        told = " ".join(capsys.readouterr().err.split())
        assert "being played already (a table of `ziggurat serve`, process" in told
        assert main(["replay", str(file), *packs]) == OK
        assert table.do("reload").status_code == 200
        assert main(["play", "--load", str(file), *packs]) == USAGE
        key = table.seats["player1"]
        assert table.answer(key, table.view(key)["decisions"][0]["id"], "one").status_code == 200
    lock = lock_save(file, "`ziggurat play`")
    with running(tmp_path, search=search) as server:
        refused = server.get(table.path, key)
        assert refused.status_code == 409
        assert "This table is played elsewhere (`ziggurat play`" in refused.json()["error"]
        lock.release()
        assert server.get(table.path, key).status_code == 200


def test_programs_think_again_when_their_process_dies(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table = server.make("race", 3)
        (key,) = table.seats.values()
        for _ in range(4):
            view = table.asked(key)
            for pid in _children():
                os.kill(pid, signal.SIGKILL)
            decision = view["decisions"][0]
            assert table.answer(key, decision["id"], first_answer(decision)).status_code == 200
        assert table.asked(key)["state"] == "playing"


def _children() -> list[int]:
    """The processes that think for this one."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            words = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == os.getpid() and b"ziggurat.studio.web.thinker" in words:
            found.append(int(stat.parent.name))
    return found


# ---- packs that change


def test_a_table_goes_on_with_changed_rules_where_its_answers_hold(tmp_path: Path) -> None:
    search = pack(tmp_path, FAILING)
    with running(tmp_path, search=search) as server:
        table = server.make("tiny", 2, people=2)
        key = table.seats["player1"]
        assert table.answer(key, "0.0", "one").status_code == 200
        pack(tmp_path, FAILING.replace("1 / p.score", "1"))
        assert table.do("reload").json() == {"done": "reload"}
        second = table.seats["player2"]
        asked = table.view(second)["decisions"][0]["id"]
        assert table.answer(second, asked, "two").status_code == 200
        pack(tmp_path, FAILING.replace('areas "Which', '{two, three} "Which'))
        refused = table.do("reload")
        assert refused.json()["error"] == (
            "The table goes on as it was: answer 1 does not hold by the rules found now."
        )
        assert table.view(key)["state"] == "playing"
        pack(tmp_path, FAILING.replace("1 / p.score", "1"))
    with running(tmp_path, search=search) as server:
        table.server = server
        assert table.view(key)["state"] == "playing"


# ---- who may make tables


def test_tables_are_made_by_whoever_has_the_key_of_the_house(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"stack": "race", "players": 2}

    async def statuses() -> list[int]:
        hall = Hall(tmp_path, Search.default([PACKS]), QUICK)
        app: Any = build(hall, keys=HouseKeys("secret"))
        found = []
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://127.0.0.1"
        ) as client:
            for key in ("", "Bearer wrong", "Bearer secret"):
                headers = {"Authorization": key}
                answer = await client.post("/api/tables", json=asked, headers=headers)
                found.append(answer.status_code)
        await hall.close()
        return found

    assert asyncio.run(statuses()) == [401, 401, 201]


# ---- the command


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--port 99999", "a port is a number from 0 to 65535, not 99999."),
        ("--port -1", "a port is a number from 0 to 65535, not -1."),
        ("--host nowhere.invalid", "`nowhere.invalid` is no address of this machine."),
        ("--host 192.0.2.1", "port 8000 of 192.0.2.1 cannot be used"),
        ("--folder /dev/null/tables", "tables cannot be kept in `/dev/null/tables`"),
        ("nowhere", "`nowhere` cannot be played before that is mended."),
        ("west --players 40", "`west` is for 5 to 9 players, not 40."),
        ("west --seats rome=wizard", "who plays is me, bot"),
        ("--players 5", "name its ruleset, as in `ziggurat serve west`."),
        ("west --option nothing=1", "the rules have no option `nothing`."),
        ("--saves /nowhere", "`/nowhere` is no folder."),
        ("--packs /nowhere", "there is no folder `/nowhere` to look for packs in."),
    ],
)
def test_a_request_that_makes_no_sense(
    words: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = words.split()
    if "--folder" not in given:
        given += ["--folder", str(tmp_path)]
    assert main(["serve", *given]) == USAGE
    said = " ".join(capsys.readouterr().err.split())
    assert told in said
    assert "Traceback" not in said


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--folder", str(tmp_path)]) == USAGE
    assert "`--port 0` takes a free one." in " ".join(capsys.readouterr().err.split())


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    another = pytest.raises(UsageError, match="another server keeps its tables")
    with owned(tmp_path), another, owned(tmp_path):
        pass
    with owned(tmp_path):
        pass


def test_ctrl_c_says_where_tables_are(tmp_path: Path) -> None:
    words = ["serve", "race", "--players", "3", "--seats", "1=me,2=random", "--port", "0"]
    words += ["--folder", str(tmp_path / "my tables"), "--packs", str(PACKS)]
    with subprocess.Popen(
        [sys.executable, "-c", CODE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        process.send_signal(signal.SIGINT)
        rest, wrong = process.communicate(timeout=60)
    said = "".join(lines)
    assert process.returncode == 0
    assert re.fullmatch(r"\S+ INFO table \w+: made \(race, 3 players\)\n", wrong)
    assert said.count("#") == 3  # the host, a person, onlookers
    assert "player2: a program" in said
    assert f"The tables are in {tmp_path / 'my tables'}. Go on with" in rest
    assert f"ziggurat serve --folder '{tmp_path / 'my tables'}'" in rest
    assert f"--packs {PACKS}" in rest


# ---- many at once


def test_many_threads_at_one_table_spoil_nothing(tmp_path: Path) -> None:
    """Whoever looks while somebody answers sees a whole position, and changes none."""
    save = new_save(start(program("race"), players=3, seed=5), tmp_path / "game.zig")
    about = About(dict.fromkeys(save.game.seats, PERSON), {}, Keys())
    table = Table("abcdefghijkm", save, about, tmp_path / "game.json")
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            for seat in ("player1", "player2", ""):
                table.asks(seat)
                table.document(seat)

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for looker in lookers:
        looker.start()
    bot = Random(3)
    try:
        while not save.game.over:
            with table.lock:
                decision = save.game.decisions[0]
                answer = answer_of(bot, save.game, decision)
            assert table.answer_all(len(save.records), [(decision.decider, answer)])
    finally:
        done.set()
        for looker in lookers:
            looker.join()
    again, told = load_save(save.path, lambda _: program("race"))
    assert (again.game.digest, told) == (save.game.digest, [])
