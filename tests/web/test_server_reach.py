"""Behind a proxy, below a path, at a public address: who comes, and who may make tables."""

import re
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest

from tests.web.server import QUICK, Server, running
from ziggurat.studio.cli import main
from ziggurat.studio.console import USAGE, UsageError
from ziggurat.studio.web.house_key import FILE, HouseKeys, read_house_key, replace_house_key
from ziggurat.studio.web.limits import Limits
from ziggurat.studio.web.reach import Proxies, PublicUrl, Reach
from ziggurat.studio.web.serving import Place, again

URL = "https://example.org/games/"
PUBLIC = Reach(url=PublicUrl.parse(URL), proxies=Proxies.parse(["127.0.0.1"]))
BROWSER = {"Host": "example.org", "Origin": "https://example.org"}


def page_links(server: Server, path: str, **headers: str) -> list[str]:
    """Return the addresses of the files that a page is made of."""
    page = server.get(path, **headers)
    assert page.status_code == 200
    return re.findall(r'(?:href|src)="([^"]+)"', page.text)


# ---- a public address, and a path below which everything is


@pytest.mark.parametrize("prefix", ["/games", ""])
def test_everything_is_found_below_a_path(tmp_path: Path, prefix: str) -> None:
    """Whether the proxy leaves the path in the address or takes it away."""
    with running(tmp_path, reach=PUBLIC) as server:
        links = page_links(server, f"{prefix}/", **BROWSER)
        assert all(link.startswith("/games/static/") for link in links)
        for link in links:
            found = server.get(link.replace("/games", prefix, 1), **BROWSER)
            assert (found.status_code, found.headers["cache-control"]) == (
                200,
                "public, max-age=31536000, immutable",
            )
        made = server.post(f"{prefix}/api/tables", {"stack": "race", "players": 2}, **BROWSER)
        assert made.status_code == 201
        foreign = {**BROWSER, "Origin": "https://example.com"}
        assert server.post(f"{prefix}/api/tables", {}, **foreign).status_code == 403
        assert server.get(f"{prefix}/", Host="example.com").status_code == 421
        found = server.get("/games", **BROWSER)
        assert (found.status_code, found.headers["location"]) == (308, "/games/")


def test_files_of_another_version_are_asked_for_again(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        links = page_links(server, "/t/abcdefghijkm")
        assert all(link.startswith("/static/") for link in links)
        script = next(link for link in links if link.endswith("/main.js"))
        other = "/static/0123456789abcdef/main.js"
        assert server.get(other).headers["cache-control"] == "no-cache"
        assert server.get(other).text == server.get(script).text
        assert server.get("/static/main.js").text == server.get(script).text
        assert server.get("/static/0123456789abcdef/..%2fapp.py").status_code == 404


def test_a_proxy_that_tells_nothing_is_enough(tmp_path: Path) -> None:
    """A plain `proxy_pass` sends its own name of the server, and the page of the public address."""
    with running(tmp_path, reach=Reach(url=PublicUrl.parse(URL))) as server:
        origin = {"Origin": "https://example.org", "Sec-Fetch-Site": "same-origin"}
        assert server.post("/api/tables", {"stack": "race"}, **origin).status_code == 201


def test_a_page_of_another_version_is_told_so(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table = server.make("race", 2)

        def first_line(**headers: str) -> str:
            given = {"Authorization": f"Bearer {table.onlooker}", **headers}
            with server.http.stream("GET", f"{table.path}/events", headers=given) as stream:
                return next(line for line in stream.iter_lines() if line.startswith("event:"))

        own = page_links(server, "/")[0].split("/")[2]
        assert first_line() == first_line(**{"Ziggurat-Page": own}) == "event: view"
        assert first_line(**{"Ziggurat-Page": "0123456789abcdef"}) == "event: upgraded"


# ---- what a proxy tells


def test_limits_know_the_address_that_a_proxy_tells(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = attrs.evolve(QUICK, tables_made=0.0001, tables_at_once=1)
    with running(tmp_path, limits, reach=PUBLIC) as server:

        def make(address: str) -> int:
            more = {**BROWSER, "X-Forwarded-For": address}
            return server.post("/api/tables", {"stack": "race"}, **more).status_code

        with caplog.at_level("INFO", "ziggurat.web"):
            assert [make("192.0.2.1"), make("192.0.2.1"), make("192.0.2.2")] == [201, 429, 201]
            # Whatever a visitor writes stands before what the proxy adds.
            assert make("198.51.100.9, 192.0.2.1") == 429
            assert make("rubbish, 2001:db8::7, 127.0.0.1") == 201
        told = [one.getMessage() for one in caplog.records]
        assert any("from 192.0.2.1:" in line for line in told)
    with running(tmp_path, limits) as server:  # nobody else is taken at their word

        def make_directly(address: str) -> int:
            more = {"X-Forwarded-For": address}
            return server.post("/api/tables", {"stack": "race"}, **more).status_code

        assert [make_directly("192.0.2.3"), make_directly("192.0.2.4")] == [201, 429]


def test_one_address_behind_a_proxy_leaves_room_for_others(tmp_path: Path) -> None:
    limits = attrs.evolve(QUICK, connections_of_address=1, strangers=2, strangers_of_address=1)
    with running(tmp_path, limits, reach=PUBLIC) as server:
        table = server.make("race", 2)
        first = {"X-Forwarded-For": "192.0.2.1", "Authorization": f"Bearer {table.onlooker}"}
        with httpx.stream("GET", f"{server.home}{table.path}/events", headers=first) as stream:
            lines = stream.iter_lines()
            assert next(lines)
            found = httpx.get(f"{server.home}/api/rulesets", headers=first)
            assert found.status_code == 503
            other = {"X-Forwarded-For": "192.0.2.2"}
            assert httpx.get(f"{server.home}/api/rulesets", headers=other).status_code == 200


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("X-Forwarded-For", "nobody"),
        ("X-Forwarded-Proto", "gopher"),
        ("X-Forwarded-Host", "a b"),
        ("X-Forwarded-Prefix", "games/<b>"),
    ],
)
def test_a_proxy_that_tells_nonsense_is_refused(tmp_path: Path, header: str, value: str) -> None:
    with running(tmp_path, reach=PUBLIC) as server:
        found = server.get("/", **{header: value})
        assert (found.status_code, found.json()["error"].split(" of ")[0]) == (
            400,
            f"The header {header}",
        )
        told = {"X-Forwarded-Host": "example.org", "X-Forwarded-Prefix": "/club/"}
        links = page_links(server, "/", **told, **{"X-Forwarded-Proto": "https"})
        assert links[0].startswith("/club/static/")


# ---- the key of the house


def test_the_house_key_outlives_the_server(tmp_path: Path) -> None:
    file = tmp_path / FILE
    key = read_house_key(file)
    assert (file.stat().st_mode & 0o777, read_house_key(file)) == (0o600, key)
    asked: Any = {"stack": "race", "players": 2}
    keys = HouseKeys(key, file)
    with running(tmp_path, keys=keys, reach=PUBLIC) as server:

        def make(*given: str) -> list[int]:
            return [server.post("/api/tables", asked, one).status_code for one in given]

        assert make("", "x", key) == [401, 401, 201]
        new = keys.replace()
        assert make(key, new) == [401, 201]
    assert read_house_key(file) == new
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.posix
def test_a_house_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key"
    replace_house_key(file)
    file.chmod(0o640)
    with pytest.raises(UsageError, match="others can read the house key"):
        read_house_key(file)
    file.write_text("short")
    file.chmod(0o600)
    with pytest.raises(UsageError, match="holds no house key"):
        read_house_key(file)
    with pytest.raises(UsageError, match="cannot be read: Not a directory"):
        read_house_key(file / "house.key")


@pytest.mark.parametrize(
    ("place", "needs"),
    [
        (Place("127.0.0.1", 0, Path()), False),
        (Place("0.0.0.0", 0, Path()), True),
        (Place("127.0.0.1", 0, Path(), PUBLIC), True),
        (Place("127.0.0.1", 0, Path(), Reach(("example.org",))), True),
        (Place("127.0.0.1", 0, Path(), house_key=Path("key")), True),
    ],
)
def test_who_needs_the_house_key(place: Place, needs: bool) -> None:
    assert place.needs_key == needs


def test_the_command_to_go_on_with_names_everything() -> None:
    place = Place("127.0.0.1", 8000, Path("tables"), PUBLIC, None, Path("key"))
    assert again(place, "", [], ["tables=9"]) == (
        "ziggurat serve --folder tables --url https://example.org/games/ --proxy 127.0.0.1/32"
        " --house-key key --limit tables=9 --port 8000"
    )


# ---- what is refused at the start


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--url https://example.org/games", "does not end with a slash; an address is like"),
        ("--url example.org/", "does not begin with `https://` or `http://`"),
        ("--url https://example.org:x/", "cannot be read"),
        ("--url https:///games/", "does not name a host"),
        ("--url https://me:pw@example.org/", "does not name a host"),
        ("--url https://example.org/?a=/", "has a `?` or `#`"),
        ('--url https://example.org/a"b/', "has a path of other characters than letters"),
        ("--proxy nginx", "`--proxy nginx` is no address of a proxy; one is like `127.0.0.1`"),
        ("--ids Ab", "ids of tables begin with one to 4 of the letters and digits abc"),
        ("--ids abcde", "ids of tables begin with one to 4 of the letters and digits abc"),
        ("--limit tabels=3", "there is no limit `tabels`. Did you mean `tables`?"),
        ("--limit xyz=3", "*Host it for your club* in the documentation lists all of them."),
        ("--limit tables=many", "this limit is a whole number above 0, as in tables=200."),
        ("--limit answers=nan", "this limit is a number above 0, as in answers=20.0."),
        ("--limit streams=900", "do not fit into 800 connections"),
        ("--house-key /dev/null/key", "the house key `/dev/null/key` cannot be read"),
    ],
)
def test_what_cannot_be_served_is_refused_at_the_start(
    words: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*words.split(), "--port", "0", "--folder", str(tmp_path)]
    assert main(["serve", *given]) == USAGE
    said = " ".join(capsys.readouterr().err.split())
    assert told in said
    assert "Traceback" not in said


def test_limits_are_options() -> None:
    assert Limits.parse(["tables=500", "answers=2"]) == attrs.evolve(
        Limits(), tables=500, answers=2.0
    )
