"""A real browser for tests, windows with a wire of their own, and somebody who clicks."""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.web.server import Server
from tests.web.tap import Tap

try:
    from playwright.sync_api import TimeoutError, sync_playwright
except ImportError:
    sync_playwright = None

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "there is no browser to test with: `apt-get install chromium` (or set ZIGGURAT_BROWSER to the"
    " path of one), and `pip install playwright`"
)
ARGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = int(os.environ.get("ZIGGURAT_PATIENCE", "120000"))  # milliseconds, on whatever machine
OFFERS = """
() => {
  const panel = document.querySelector(".asking");
  // A page that has not drawn its panel yet offers nothing.
  if (!panel) return { busy: true };
  const found = (wanted) => [...panel.querySelectorAll(wanted)].map((one) => one.textContent);
  return {
    drawn: panel.dataset.drawn,
    decision: panel.dataset.decision || "",
    busy: panel.classList.contains("busy"),
    options: found(".options button.option:not(:disabled)"),
    pressed: found(".options button.option[aria-pressed='true']").length,
    confirm: found(".foot .confirm:not(:disabled)"),
    end: found(".foot .end, .foot .none"),
    fill: found(".foot .fill"),
    actions: found(".options.actions button.option").length,
  };
}
"""


def browser_path() -> str:
    """Where a browser is. Skips the test if there is none."""
    found = os.environ.get("ZIGGURAT_BROWSER") or next(filter(None, map(shutil.which, NAMES)), "")
    if not found:
        pytest.skip(MISSING)
    return found


@contextmanager
def launched() -> Iterator[Any]:
    """A browser while it runs."""
    if sync_playwright is None:
        pytest.skip(MISSING)
    path = browser_path()
    with TemporaryDirectory(prefix="ziggurat-browser-") as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=path, args=ARGS, headless=False, env={**os.environ, "HOME": folder}
        )
        try:
            yield browser
        finally:
            browser.close()


class Window:
    """One window of a browser: a page, its wire, and what went wrong in it."""

    def __init__(
        self, browser: Any, server: Server, width: int = 1200, height: int = 850, **more: Any
    ) -> None:
        self.tap = Tap(server.home)
        size = {"width": width, "height": height}
        self.context = browser.new_context(viewport=size, reduced_motion="reduce", **more)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._said)

    def _said(self, message: Any) -> None:
        # A connection that a test cuts, or an answer that is refused, is told by the browser, too.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.wrong.append(message.text)

    def open(self, path: str) -> "Window":
        self.page.goto(f"{self.tap.home}{path}")
        return self

    def close(self) -> None:
        self.context.close()
        self.tap.close()

    # ---- what it offers

    def offers(self) -> dict[str, Any]:
        return dict(self.page.evaluate(OFFERS))

    def asked(self) -> dict[str, Any]:
        """What it offers, once it asks something."""
        self.page.wait_for_function(
            "() => document.querySelector('.asking')?.dataset.decision"
            " && document.querySelector('.asking .options, .asking .shares')"
        )
        return self.offers()

    def click(self, wanted: str, number: int = 0) -> None:
        """Click something in the panel, and wait until it has been drawn anew. If others answer and
        it is drawn anew by itself, what was meant may be gone: then nothing is clicked."""
        self.page.wait_for_selector(".asking")
        drawn = self.offers()["drawn"]
        while self.offers()["drawn"] == drawn:
            try:
                self.page.locator(f".asking {wanted}").nth(number).click(timeout=2000)
            except TimeoutError:
                continue
            self.page.wait_for_function(
                "(drawn) => document.querySelector('.asking').dataset.drawn !== drawn", arg=drawn
            )

    def click_until(self, wanted: str, then: str, number: int = 0) -> None:
        """Click something in the panel until there is what shall come of it."""
        while not self.page.locator(then).count():
            self.click(wanted, number)


class Clicker:
    """Plays by clicking whatever a page offers, by chance; acts a few times before they end it."""

    def __init__(self, window: Window, seed: int, eager: float = 0.4) -> None:
        self.window, self.eager = window, eager
        self._chance = random.Random(seed)
        self.clicks = 0

    def step(self) -> bool:
        """Click once, if there is anything to click."""
        found = self.window.offers()
        if found["busy"] or not found["decision"]:
            return False
        self.clicks += 1
        if found["confirm"] and (not found["options"] or self._chance.random() < 0.5):
            self.window.click(".foot .confirm:enabled")
        elif found["fill"]:
            self.window.click(".foot .fill")
        elif found["actions"] and found["end"] and self._chance.random() > self.eager:
            self.window.click(".foot .end")
        elif found["options"] and (found["pressed"] < 4 or not found["confirm"]):
            number = self._chance.randrange(len(found["options"]))
            self.window.click(".options button.option:enabled", number)
        elif found["confirm"]:
            self.window.click(".foot .confirm:enabled")
        elif found["end"]:
            self.window.click(".foot .end, .asking .foot .none")
        else:
            return False
        return True


def link(table: str, *keys: str) -> str:
    """The address of a table with keys."""
    return f"/t/{table}#{'.'.join(keys)}"
