"""The page *Host it for your club* is true: its files work as they stand there, ports aside."""

import configparser
import json
import re
import shlex
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import attrs
import httpx
import pytest

from tests.web.browser import launched
from tests.web.nginx import PAGE, files_of_page, free_port, make_certificate, nginx
from tests.web.server import PACKS, running
from ziggurat.studio.web.limits import Limits

CODE = "import sys; from ziggurat.studio.cli import main; sys.exit(main(sys.argv[1:]))"
ZIGGURAT = [sys.executable, "-c", CODE]


def test_the_page_has_every_limit() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| ([0-9.]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name: float(value) for name, value in rows} == attrs.asdict(Limits())


@contextmanager
def served(command: str, changes: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Run a command of the page with other paths and ports; its address, prefix and house key."""
    for said, meant in changes.items():
        assert said in command
        command = command.replace(said, meant)
    words = shlex.split(command)[1:]
    process = subprocess.Popen(
        [*ZIGGURAT, *words, "--packs", str(PACKS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"The lobby: (https?://[^/]+)(/\S*)#(\S+)", line)
            if found:
                yield found[1], found[2], found[3]
                break
        else:
            raise AssertionError(process.communicate()[1])
    finally:
        process.terminate()
        assert process.wait(60) == 0


def play(http: httpx.Client, prefix: str, key: str) -> None:
    """Make a table through a proxy, look on, and play at it until both have answered."""
    asked = {"stack": "race", "players": 2, "seats": [{"by": "person"}, {"by": "person"}]}
    made = http.post(f"{prefix}api/tables", json=asked, headers=bearer(key))
    assert made.status_code == 201, made.text
    path = f"{prefix}api/tables/{made.json()['table']}"
    keys = [one["key"] for one in made.json()["seats"]]
    for own in keys:
        with http.stream("GET", f"{path}/events", headers=bearer(own)) as stream:
            lines = stream.iter_lines()
            view = json.loads(next(line for line in lines if line.startswith("data:"))[5:])
            body = {"decision": view["decisions"][0]["id"], "answer": []}
            done = http.post(f"{path}/answer", json=body, headers=bearer(own))
            assert done.status_code == 200, done.text
            assert any(line.startswith("data:") for line in lines)  # it comes through at once
    page = http.get(f"{prefix}t/{made.json()['table']}")
    links = re.findall(r'(?:href|src)="([^"]+)"', page.text)
    assert links
    assert {http.get(link).status_code for link in links} == {200}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.mark.slow
def test_the_server_runs_behind_nginx_as_the_page_says(tmp_path: Path) -> None:
    files, port, inner = files_of_page(), free_port(), free_port()
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[method-assign, assignment]
    unit.read_string(files["ziggurat.service"])
    changes = {
        "/var/lib/ziggurat/tables": str(tmp_path / "tables"),
        "--port 8000": f"--port {inner}",
        "https://example.org/": f"https://localhost:{port}/",
    }
    trust = make_certificate(tmp_path)
    with (
        served(unit["Service"]["ExecStart"], changes) as (home, prefix, key),
        nginx(tmp_path, files["ziggurat.conf"], port, {8000: inner}),
        httpx.Client(base_url=home, verify=trust, timeout=60) as http,
    ):
        assert (home, prefix) == (f"https://localhost:{port}", "/games/")
        play(http, prefix, key)
        assert http.get(f"{prefix}metrics").status_code == 401
        assert http.post(f"{prefix}api/tables", json={"stack": "race"}).status_code == 401
        direct = httpx.get(f"http://127.0.0.1:{inner}/health", headers=bearer(key))
        assert direct.json() == {"status": "ok"}


@pytest.mark.slow
def test_a_proxy_may_take_the_path_away_or_tell_nothing(tmp_path: Path) -> None:
    files, port, inner = files_of_page(), free_port(), free_port()
    text = re.sub(r"    proxy_set_header (Host|X-).*\n", "", files["ziggurat.conf"])
    text = text.replace("127.0.0.1:8000;", "127.0.0.1:8000/;")
    command = f"ziggurat serve --folder {tmp_path / 'tables'} --port {inner}"
    command += f" --url https://localhost:{port}/games/"
    trust = make_certificate(tmp_path)
    with (
        served(command, {}) as (home, prefix, key),
        nginx(tmp_path, text, port, {8000: inner}),
        httpx.Client(base_url=home, verify=trust, timeout=60) as http,
    ):
        http.headers["Origin"] = home
        play(http, prefix, key)


@pytest.mark.slow
def test_two_servers_behind_one_nginx(tmp_path: Path) -> None:
    files, port = files_of_page(), free_port()
    inner = {8001: free_port(), 8002: free_port()}
    trust = make_certificate(tmp_path)
    with ExitStack() as stack:
        for command in files["two-servers.sh"].splitlines():
            number = int(command.partition("--port ")[2].split()[0])
            changes = {
                "/var/lib/ziggurat": str(tmp_path),
                f"--port {number}": f"--port {inner[number]}",
                "https://example.org/": f"https://localhost:{port}/",
            }
            home, prefix, key = stack.enter_context(served(command, changes))
        stack.enter_context(nginx(tmp_path, files["two-servers.conf"], port, inner))
        with httpx.Client(base_url=home, verify=trust, timeout=60) as http:
            for number in range(6):
                for _ in range(number):  # new tables go round: any number of requests between two
                    assert http.get(f"{prefix}static/icon.svg").status_code == 200
                play(http, prefix, key)
        tables = [path.stem for path in tmp_path.glob("[ab]/*.zig")]
        assert {(path.parent.name, path.name[0]) for path in tmp_path.glob("[ab]/*.zig")} == {
            ("a", "a"),
            ("b", "b"),
        }
        assert len(tables) == 6


@pytest.mark.slow
def test_a_browser_plays_below_a_path(tmp_path: Path) -> None:
    """The whole page, with its links, behind nginx."""
    files, port, inner = files_of_page(), free_port(), free_port()
    make_certificate(tmp_path)
    command = f"ziggurat serve race --players 2 --folder {tmp_path / 'tables'} --port {inner}"
    command += f" --url https://localhost:{port}/games/ --proxy 127.0.0.1"
    with (
        served(command, {}) as (home, prefix, key),
        nginx(tmp_path, files["ziggurat.conf"], port, {8000: inner}),
        launched() as browser,
    ):
        context = browser.new_context(ignore_https_errors=True)
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{home}{prefix}#{key}")
        page.locator(".house tr[data-table]").wait_for()
        page.locator(".game input").first.wait_for()
        page.locator(".make").click()
        page.locator("a.go").click()
        page.locator(".asking").wait_for()
        assert page.url.startswith(f"{home}{prefix}t/")
        page.locator("a.brand").click()
        page.locator(".tables-list a").first.wait_for()
        assert page.url == f"{home}{prefix}"
        context.close()
        assert not wrong


@pytest.mark.slow
def test_a_copy_made_while_people_play_is_whole(tmp_path: Path) -> None:
    script = tmp_path / "backup.sh"
    script.write_text(files_of_page()["backup.sh"])
    tables, copy, archive = tmp_path / "tables", tmp_path / "copy", tmp_path / "backup.tar.gz"
    tables.mkdir()
    with running(tables) as server:
        made = [server.make("race", 2, people=2) for _ in range(3)]
        for table in made:
            assert table.answer(next(iter(table.seats.values())), "0.0", []).status_code == 200
        subprocess.run(["sh", str(script), str(tables), str(archive)], check=True)
    copy.mkdir()
    with tarfile.open(archive) as packed:
        packed.extractall(copy, filter="data")
    with running(copy) as server:
        for table in made:
            table.server = server
            key = next(iter(table.seats.values()))
            assert table.answer(key, "0.0", []).json()["error"] == "This was answered already."


def test_the_container_file_names_commands_that_are_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = files_of_page()["Containerfile"]
    words = dict(re.findall(r"^(ENTRYPOINT|CMD|HEALTHCHECK CMD) (\[.*\])$", lines, re.MULTILINE))
    health = json.loads(words["HEALTHCHECK CMD"])
    told = subprocess.run(
        [*ZIGGURAT, *[str(tmp_path) if word == "/tables" else word for word in health[1:]]],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.startswith("Table")
    start = [
        *json.loads(words["ENTRYPOINT"])[1:],
        *json.loads(words["CMD"]),
        "--limit",
        "nothing=1",
    ]
    refused = subprocess.run([*ZIGGURAT, *start], capture_output=True, text=True, check=False)
    assert "there is no limit `nothing`" in refused.stderr  # everything before it makes sense
