"""Tables are listed and put away: by a command, by their host, with the key of the house."""

import threading
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.web.server import PACKS, QUICK, Made, Server, running
from ziggurat.studio.cli import main
from ziggurat.studio.console import OK, USAGE
from ziggurat.studio.web import control
from ziggurat.studio.web.control import announced
from ziggurat.studio.web.house_key import FILE, HouseKeys, read_house_key
from ziggurat.studio.web.serving import owned

OPTIONS = ("--packs", str(PACKS))


def run(folder: Path, *words: str) -> int:
    return main(["tables", *words, "--folder", str(folder), *OPTIONS])


def opened(server: Server, keys: HouseKeys, folder: Path) -> Any:
    """Announce a server of a test as `serve` does."""
    return announced(folder, "127.0.0.1", int(server.home.rpartition(":")[2]), keys.local)


def test_the_files_of_tables_are_put_away_without_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path) as server:
        one, two = (server.make("race", 2, people=2) for _ in range(2))
        assert one.do("end").status_code == 200
    assert run(tmp_path) == OK
    told = capsys.readouterr().out
    assert f"{one.id} race" in " ".join(told.split())
    assert [line.split()[2] for line in told.splitlines() if line[:3] in (one.id[:3], two.id[:3])]
    assert " ended " in told
    assert run(tmp_path, "archive", one.id) == USAGE  # nobody can be asked
    assert "`--yes` does it without asking." in " ".join(capsys.readouterr().err.split())
    assert run(tmp_path, "archive", one.id, "--yes") == OK
    assert (tmp_path / "archive" / f"{one.id}.zig").is_file()
    assert run(tmp_path, "delete", two.id, "--yes") == OK
    assert not list(tmp_path.glob("*.zig"))
    assert not list(tmp_path.glob("*.json"))
    capsys.readouterr()
    assert run(tmp_path, "delete", two.id, "--yes") == USAGE
    assert "there is no table" in capsys.readouterr().err


def test_a_running_server_puts_its_tables_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = HouseKeys(read_house_key(tmp_path / FILE), tmp_path / FILE)
    limits = attrs.evolve(QUICK, tables=2)
    with (
        running(tmp_path, limits, keys=keys) as server,
        owned(tmp_path),
        opened(server, keys, tmp_path),
    ):
        server.http.headers["Authorization"] = f"Bearer {keys.local}"
        one, two = (server.make("race", 2, people=2) for _ in range(2))
        refused = server.post("/api/tables", {"stack": "race"})
        assert (refused.status_code, "`ziggurat tables`" in refused.json()["error"]) == (429, True)
        with one.events(one.onlooker) as events, two.events(two.onlooker) as others:
            assert next(events)
            assert next(others)
            assert run(tmp_path) == OK
            assert capsys.readouterr().out.count(" playing ") == 2
            assert run(tmp_path, "archive", one.id, "--yes") == OK
            assert run(tmp_path, "delete", two.id, "--yes") == OK
            assert next(events) == {}  # its links are void
            assert next(others) == {}
        assert server.get(one.path, one.host).status_code == 404
        assert (tmp_path / "archive" / f"{one.id}.zig").is_file()
        assert not (tmp_path / f"{two.id}.zig").exists()
        assert server.post("/api/tables", {"stack": "race"}).status_code == 201
        before = read_house_key(tmp_path / FILE)
        assert run(tmp_path, "new-key", "--yes") == OK
        assert read_house_key(tmp_path / FILE) in capsys.readouterr().out
        assert server.get("/api/tables", before).status_code == 401
        assert server.get("/api/tables", read_house_key(tmp_path / FILE)).status_code == 200
    assert not (tmp_path / control.FILE).exists()


def test_a_server_that_does_not_answer_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with owned(tmp_path), announced(tmp_path, "127.0.0.1", 1, "key"):
        assert (tmp_path / control.FILE).stat().st_mode & 0o077 == 0
        assert run(tmp_path) == USAGE
        assert "http://127.0.0.1:1 does not answer" in capsys.readouterr().err
    assert run(tmp_path / "nowhere") == USAGE
    assert "there are no tables" in capsys.readouterr().err
    assert run(tmp_path, "archive") == USAGE
    assert "name the tables to archive" in capsys.readouterr().err


def test_files_that_were_deleted_by_hand_make_room(tmp_path: Path) -> None:
    with running(tmp_path, attrs.evolve(QUICK, tables=1)) as server:
        table = server.make("race", 2)
        assert server.post("/api/tables", {"stack": "race"}).status_code == 429
        for path in tmp_path.glob(f"{table.id}*"):
            path.unlink()
        assert server.post("/api/tables", {"stack": "race"}).status_code == 201
        assert server.get(table.path, table.host).status_code == 404


@pytest.mark.parametrize("how", ["archive", "delete"])
def test_a_host_puts_a_table_away(tmp_path: Path, how: str) -> None:
    with running(tmp_path) as server:
        table: Made = server.make("race", 2, people=2)
        key = next(iter(table.seats.values()))
        refused = server.post(f"{table.path}/host", {"do": how}, key)
        assert refused.status_code == 403
        assert table.do(how).json() == {"done": how}
        assert server.get(table.path, key).status_code == 404
        assert table.do(how).status_code == 404
        assert (tmp_path / "archive" / f"{table.id}.zig").exists() == (how == "archive")


def test_nobody_lists_or_removes_tables_without_the_key(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table = server.make("race", 2)
        for key in ("", table.host, "wrong"):
            assert server.get("/api/tables", key).status_code == 401
            asked = {"do": "delete", "table": table.id}
            assert server.post("/api/house", asked, key).status_code == 401
        assert table.view(table.host)["state"] == "playing"


def test_tables_are_put_away_while_others_come(tmp_path: Path) -> None:
    """Whoever comes to a table meanwhile finds it or finds it gone, and nothing is left awake."""
    with running(tmp_path) as server:
        tables = [server.make("race", 2) for _ in range(6)]
        statuses: set[int] = set()

        def look() -> None:
            for table in tables * 5:
                statuses.add(server.get(table.path, table.onlooker).status_code)

        lookers = [threading.Thread(target=look) for _ in range(3)]
        for looker in lookers:
            looker.start()
        for table in tables:
            assert table.do("delete").status_code == 200
        for looker in lookers:
            looker.join()
        assert statuses <= {200, 404}
        assert not server.hall._awake
    assert not list(tmp_path.glob("*.zig"))
