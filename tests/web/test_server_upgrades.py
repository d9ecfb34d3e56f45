"""Tables whose rules changed while the server was away: nothing is lost, and their host chooses."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import Window, launched, link
from tests.web.server import Made, Server, running
from tests.web.test_server_trouble import FAILING, pack
from ziggurat import Search, read_header
from ziggurat.studio.sharing.kept import list_kept

PLAYING = FAILING.replace("1 / p.score", "1")
DOUBLED = PLAYING.replace("add 1 to", "add 2 to")
NARROWED = PLAYING.replace('areas "Which', '{two, three} "Which')


def begun(folder: Path, search: Search) -> Made:
    """A table with two answers, one of which adds to a score."""
    with running(folder, search=search) as server:
        table = server.make("tiny", 2, people=2)
        first, second = table.seats.values()
        assert table.answer(first, "0.0", "one").status_code == 200
        assert table.answer(second, "0.0", "two").status_code == 200
    return table


def reopened(table: Made, server: Server) -> Any:
    """What the host of a table is told that does not load."""
    table.server = server
    assert server.get(table.path, table.seats["player1"]).json() == {
        "error": "This table waits for its host, who has to choose how it goes on.",
        "source": "",
    }
    told = server.get(table.path, table.host)
    assert told.status_code == 409
    return told.json()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.zig")}


def score(table: Made, seat: str) -> Any:
    (row,) = table.view(table.host)["standings"]["rows"][seat][:1]
    return row


def test_answers_after_a_reload_are_there_when_the_server_starts_again(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    before = files(tmp_path)
    with running(tmp_path, search=search) as server:
        table.server = server
        assert table.view(table.host)["state"] == "playing"
        pack(tmp_path, DOUBLED)
        assert table.do("reload").status_code == 200
        first = table.seats["player1"]
        asked = table.view(first)["decisions"][0]["id"]
        assert table.answer(first, asked, "three").status_code == 200
        log = table.view(table.host)["log"]
    assert before.items() <= files(tmp_path).items()  # the save of before is as it was
    with running(tmp_path, search=search) as server:
        table.server = server
        assert table.view(table.host)["log"] == log


def test_the_host_goes_on_by_the_rules_it_began_with(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    before = files(tmp_path)
    pack(tmp_path, NARROWED)
    with running(tmp_path, search=search) as server:
        told = reopened(table, server)
        assert "Answer 1 does not fit" in told["error"]
        assert told["ways"]["begun"]
        assert (told["ways"]["now"], told["ways"]["answers"]) == (0, 2)
        assert any("1 rule changed" in line for line in told["ways"]["changes"])
        assert files(tmp_path) == before
        assert table.do("go_on", by="begun").json() == {"done": "go_on"}
        first = table.seats["player1"]
        asked = table.view(first)["decisions"][0]
        assert [option["value"] for option in asked["options"]] == ["one", "two", "three"]
        assert table.answer(first, asked["id"], "one").status_code == 200
    with running(tmp_path, search=search) as server:
        table.server = server
        assert table.view(table.host)["state"] == "playing"
        assert len(files(tmp_path)) == 1


def test_the_host_goes_on_by_the_rules_of_now_as_far_as_answers_fit(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    before = files(tmp_path)
    pack(tmp_path, NARROWED)
    with running(tmp_path, search=search) as server:
        reopened(table, server)
        assert table.do("go_on", by="now").json() == {"done": "go_on"}
        first = table.seats["player1"]
        asked = table.view(first)["decisions"][0]
        assert [option["value"] for option in asked["options"]] == ["two", "three"]
        assert table.answer(first, asked["id"], "two").status_code == 200
    after = files(tmp_path)
    (new,) = after.keys() - before.keys()
    assert new == f"{table.id}-at-0.zig"
    assert before.items() <= after.items()
    assert read_header(tmp_path / new).rules != read_header(tmp_path / f"{table.id}.zig").rules
    with running(tmp_path, search=search) as server:
        table.server = server
        assert table.view(first)["state"] == "playing"


def test_the_host_archives_a_table_with_its_rules_inside(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    pack(tmp_path, NARROWED)
    with running(tmp_path, search=search) as server:
        reopened(table, server)
        assert table.do("archive").json() == {"done": "archive"}
        assert server.get(table.path, table.host).status_code == 404
    assert files(tmp_path) == {}
    assert not list(tmp_path.glob(f"{table.id}*"))
    assert read_header(tmp_path / "archive" / f"{table.id}.zig").inside


def test_a_table_whose_packs_are_mended_loads_when_its_host_tries_again(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    pack(tmp_path, NARROWED)
    with running(tmp_path, search=search) as server:
        reopened(table, server)
        pack(tmp_path, PLAYING)
        assert table.do("reload").status_code == 200
        assert table.view(table.host)["state"] == "playing"


def test_a_damaged_table_goes_on_from_before_the_damage(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    path = tmp_path / f"{table.id}.zig"
    damaged = path.read_bytes().replace(b'["player2", "two"]', b'["player2", "one"]')
    path.write_bytes(damaged)
    with running(tmp_path, search=search) as server:
        told = reopened(table, server)
        assert "the 1 before it are sound" in told["error"]
        assert str(tmp_path) not in told["error"]
        assert table.do("go_on", by="begun").status_code == 400
        assert table.do("go_on", by="now").json() == {"done": "go_on"}
        assert table.view(table.seats["player2"])["decisions"][0]["path"] == "play.a"
    assert path.read_bytes() == damaged


def test_only_the_host_of_a_table_that_waits_may_choose(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    with running(tmp_path, search=search) as server:
        table.server = server
        assert table.do("go_on", by="now").status_code == 409
    pack(tmp_path, NARROWED)
    with running(tmp_path, search=search) as server:
        reopened(table, server)
        for key, status in ((table.seats["player1"], 403), ("", 401)):
            refused = server.post(f"{table.path}/host", {"do": "archive"}, key)
            assert refused.status_code == status
        assert table.do("go_on", by="anything").status_code == 400


@pytest.mark.parametrize("by", ["begun", "now"])
def test_a_full_disk_leaves_a_table_that_waits_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    pack(tmp_path, DOUBLED)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with running(tmp_path, search=search) as server:
        reopened(table, server)
        with monkeypatch.context() as patched:
            patched.setattr("ziggurat.studio.web.about.replace_file", full)
            assert table.do("go_on", by=by).status_code == 503
        reopened(table, server)
        assert table.do("go_on", by=by).status_code == 200
        assert table.view(table.host)["state"] == "playing"


def test_rules_of_tables_are_kept_once(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    before = len(list_kept())
    with running(tmp_path, search=search) as server:
        for _ in range(2):
            server.make("tiny", 2, people=2)
    assert len(list_kept()) <= before + 1


def test_rules_of_a_table_without_kept_ones_are_kept_when_it_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of tables from before rules were kept."""
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "library"))
    with running(tmp_path, search=search) as server:
        table.server = server
        assert table.view(table.host)["state"] == "playing"
    pack(tmp_path, NARROWED)
    with running(tmp_path, search=search) as server:
        assert reopened(table, server)["ways"]["begun"]


def test_the_page_lets_the_host_choose(tmp_path: Path) -> None:
    search = pack(tmp_path, PLAYING)
    table = begun(tmp_path, search)
    pack(tmp_path, DOUBLED)
    with running(tmp_path, search=search) as server, launched() as browser:
        window = Window(browser, server)
        try:
            window.open(link(table.id, table.seats["player1"], table.host))
            told = window.page.locator(".stuck")
            told.wait_for()
            assert "All 2 answers fit" in told.inner_text()
            assert "1 rule changed" in told.inner_text()
            window.page.locator("button.begun").click()
            window.asked()
            window.open(link(table.id, table.seats["player1"]))
            window.asked()
        finally:
            window.close()
        assert window.wrong == []
