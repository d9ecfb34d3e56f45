"""Pages that people read have no faults that axe finds, light and dark, wide and narrow."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editor import npm
from tests.web.browser import launched, link
from tests.web.server import running
from ziggurat.studio.cli import main

WIDTHS = (1400, 390)
SCHEMES = ("light", "dark")
RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((one) =>
    `${one.id}: ${one.nodes.length} × ${one.nodes[0].target} ${one.nodes[0].failureSummary}`);
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    environment = npm.install("axe-core@4")
    return (Path(environment["NODE_PATH"]) / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


def write_book(folder: Path) -> Path:
    assert main(["book", "seven_ages", "-o", str(folder / "book")]) == 0
    return folder / "book" / "index.html"


def write_diff(folder: Path) -> Path:
    page = folder / "diff.html"
    assert main(["diff", "west", "west+expert", "--format", "html", "-o", str(page)]) == 0
    return page


def write_report(folder: Path) -> Path:
    games = folder / "games"
    command = [sys.executable, "-m", "ziggurat", "simulate", "race", "--games", "4", "--out"]
    packs = Path(__file__).parents[1] / "packs"
    subprocess.run([*command, str(games), "--packs", str(packs)], check=True, capture_output=True)
    return games / "report.html"


def write_docs(folder: Path) -> Path:
    assert main(["docs", "-o", str(folder / "site"), "--no-open"]) == 0
    return folder / "site" / "index.html"


@pytest.mark.slow
@pytest.mark.parametrize("write", [write_book, write_diff, write_report, write_docs])
def test_pages_are_accessible(
    write: Callable[[Path], Path], axe: str, browser: Any, tmp_path: Path
) -> None:
    assert all_faults(browser, write(tmp_path).as_uri(), axe) == {}


@pytest.mark.slow
def test_tables_are_accessible(axe: str, browser: Any, tmp_path: Path) -> None:
    with running(tmp_path) as server:
        made = server.make("race", 2)
        seat = next(iter(made.seats.values()))
        pages = {
            "lobby": ("/", "main h1"),
            "host": (link(made.id, made.host), ".place h1"),
            "seat": (link(made.id, seat), ".place h1"),
        }
        found = {
            name: faults
            for name, (path, drawn) in pages.items()
            if (faults := all_faults(browser, f"{server.home}{path}", axe, drawn))
        }
    assert found == {}


def all_faults(
    browser: Any, address: str, axe: str, drawn: str = "body"
) -> dict[tuple[int, str], list[str]]:
    """Return what axe finds on a page in every width and scheme."""
    return {
        (width, scheme): faults
        for width in WIDTHS
        for scheme in SCHEMES
        if (faults := faults_of(browser, address, axe, width, scheme, drawn))
    }


def faults_of(
    browser: Any, address: str, axe: str, width: int, scheme: str, drawn: str
) -> list[str]:
    """Return what axe finds on a page once something is drawn on it."""
    size = {"width": width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(drawn)
        page.evaluate(axe)
        return list(page.evaluate(RUN))
    finally:
        context.close()
