"""Nobody loses anything by accident: what is asked before it cannot be taken back."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.packed import BASE, BEGIN, PACK, TURN
from tests.web.browser import Window, launched, link
from tests.web.prepared import prepared
from tests.web.server import PACKS, Made, Server, running
from ziggurat import Decision, Game, Search

SEATS = ["minoa", "hatti", "assyria", "hellas", "rome"]
ME = "minoa"
SIZES = [(1400, 900), (390, 844)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


def at(action: str, turn: int) -> Any:
    """Whether a person may do something now, from a turn on."""

    def fits(game: Game, decision: Decision) -> bool:
        acts = decision.kind == "act" and decision.decider == ME
        return acts and game.turn_number >= turn and action in decision.actions()

    return fits


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    """A table before a deal, and others before purchases; the keys of a seat by table."""
    folder = tmp_path_factory.mktemp("tables")
    search = Search.default([PACKS])
    keys = {}
    for id_, fits in (("deal", at("agree", 1)), ("shop", at("pick_up", 2))):
        made = prepared(folder, search, "west", SEATS, [ME], fits, 3, f"{id_}game")
        for width, _ in SIZES:
            for kind in ("zig", "json"):
                shutil.copy(folder / f"{id_}game.{kind}", folder / f"{id_}{width:04}game.{kind}")
            keys[f"{id_}{width:04}game"] = made[f"seat:{ME}"]
    with running(folder, search=search) as server:
        yield server, keys


def opened(
    browser: Any, tables: tuple[Server, dict[str, str]], id_: str, size: tuple[int, int]
) -> Window:
    server, keys = tables
    name = f"{id_}{size[0]:04}game"
    window = Window(browser, server, width=size[0], height=size[1])
    return window.open(link(name, keys[name]))


@pytest.mark.parametrize("size", SIZES)
def test_terms_stand_beside_the_button(browser: Any, tables: Any, size: tuple[int, int]) -> None:
    window = opened(browser, tables, "deal", size)
    page = window.page
    window.asked()
    page.locator(".options.actions button.option", has_text="Agree").first.click()
    page.wait_for_selector(".terms")
    mine, theirs = page.locator(".terms li").all_text_contents()
    assert mine.startswith("Minoa: Offer (all its cards ")
    assert "certainly" in theirs
    assert "all its cards" not in theirs
    assert "Your sets after the exchange, at least" in theirs
    before = page.locator(".asking").get_attribute("data-decision")
    page.locator(".foot .back").click()
    page.wait_for_selector(".options.actions")
    assert page.locator(".asking").get_attribute("data-decision") == before
    page.locator(".options.actions button.option", has_text="Agree").first.click()
    page.locator(".foot .confirm", has_text="Agree").click()
    page.wait_for_function(
        "(before) => document.querySelector('.asking').dataset.decision !== before", arg=before
    )
    window.close()
    assert not window.wrong


@pytest.mark.parametrize("size", SIZES)
def test_done_with_a_full_cart_asks(browser: Any, tables: Any, size: tuple[int, int]) -> None:
    window = opened(browser, tables, "shop", size)
    page = window.page
    window.asked()
    page.locator(".options.actions button.option", has_text="Put an advance in the cart").click()
    page.locator(".options button.option", has_text="Pottery").click()
    page.wait_for_selector(".foot .end")
    page.locator(".may-undo").wait_for()  # and how it is taken back
    page.locator(".foot .end").click()
    page.wait_for_selector(".begun")
    assert page.locator(".begun li").all_text_contents() == ["Purchase: in the cart Pottery"]
    page.locator(".foot .back").click()
    page.wait_for_selector(".foot .end")
    page.locator(".may-undo button").click()
    page.wait_for_selector(".options.actions button.option >> text=Buy", state="detached")
    page.locator(".foot .end").click()  # nothing is begun now, so nothing is asked
    page.wait_for_selector(".begun", state="detached")
    window.close()
    assert not window.wrong


FAIR = """
attribute given of player: int = 0
action give "Give" in play by p (friend from others(p) "To whom?", n from 1..3 "How many?") {
  needs p.given < 9 "You have been given enough."
  add n to friend.given
  say "{friend} has {friend.given} now."
}
action thank "Thank" in play by p () {
  needs p.given > 0
  set p.given = 0
}
phase play "Play" { players p act freely until all pass }
"""


@pytest.mark.parametrize("size", SIZES)
def test_what_was_begun_is_kept_when_others_act(
    browser: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    home = tmp_path / "packs" / "tiny"
    home.mkdir(parents=True)
    (home / "pack.toml").write_text(PACK, encoding="utf-8")
    (home / "tiny.rules").write_text(BASE + BEGIN + TURN + FAIR, encoding="utf-8")
    with running(tmp_path, search=Search.default([home.parent])) as server:
        made = server.make("tiny", 3, people=2)
        mine, theirs = made.seats.values()
        window = Window(browser, server, width=size[0], height=size[1])
        page = window.open(link(made.id, mine)).page

        def give(number: int) -> None:
            asked = made.asked(theirs)["decisions"][0]["id"]
            answer = {"action": "give", "args": [next(iter(made.seats)), number]}
            assert made.answer(theirs, asked, answer).status_code == 200

        window.asked()
        page.locator(".options.actions button.option", has_text="Give").click()
        page.locator(".options button.option").first.click()
        page.locator(".crumbs li").nth(1).wait_for()
        page.reload()
        page.locator(".crumbs li").nth(1).wait_for()
        give(3)  # so that something more can be done
        page.get_by_text("has 3 now.").first.wait_for(state="attached")
        assert page.locator(".crumbs li").count() == 2
        for _ in range(2):
            give(3)  # so that nothing more can be given
        page.locator("#notices", has_text="what you had begun was not answered").wait_for()
        assert made.do("undo").status_code == 200  # so that it can be begun again
        page.locator(".options.actions button.option", has_text="Give").click()
        page.locator(".crumbs li").wait_for()
        window.tap.cut()
        give(3)
        window.tap.mend()
        page.reload()
        page.locator("#notices", has_text="what you had begun was not answered").wait_for()
        window.close()
        assert not window.wrong


def test_a_page_loads_itself_anew_after_an_upgrade(
    browser: Any, tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds what was begun before, and does so once."""
    server, _ = tables
    made: Made = server.make("race", 2, people=2)
    window = Window(browser, server).open(link(made.id, next(iter(made.seats.values()))))
    page = window.page
    window.asked()
    page.evaluate("window.before = true")
    monkeypatch.setattr("ziggurat.studio.web.live.page_version", lambda: "0123456789abcdef")
    window.tap.cut()
    window.tap.mend()
    page.wait_for_function("() => !window.before")
    window.asked()
    page.evaluate("window.before = true")
    page.wait_for_function("() => document.documentElement.dataset.link === 'open'")
    assert page.evaluate("window.before")
    window.close()
    assert not window.wrong


def test_what_cannot_be_taken_back_is_asked_first(browser: Any, tables: Any) -> None:
    server, _ = tables
    made: Made = server.make("race", 3)
    window = Window(browser, server).open(link(made.id, made.host))
    page = window.page
    for refused in (True, False):
        page.locator(".tool.host").click()
        page.locator("button.danger", has_text="End this table").click()
        page.locator("dialog", has_text="Nobody can play on here").wait_for()
        assert made.view(made.onlooker)["state"] == "playing"
        if refused:
            page.locator("dialog button.quiet", has_text="No, go back").click()
            page.keyboard.press("Escape")
        else:
            page.locator("button.sure").click()
    page.locator("#notices", has_text="The table has ended.").wait_for()
    assert made.view(made.onlooker)["state"] == "ended"
    window.close()
