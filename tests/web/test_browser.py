"""The page in a real browser: people play together by clicking, and nobody learns too much."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.web.browser import Clicker, Window, launched, link
from tests.web.server import Made, Server, running

POLLS = 20_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def windows(browser: Any, server: Server) -> Iterator[list[Window]]:
    """Windows that a test opens; nothing may have gone wrong in any of them."""
    found: list[Window] = []
    yield found
    for window in found:
        window.close()
    assert [window.wrong for window in found if window.wrong] == []


def opened(windows: list[Window], browser: Any, server: Server, path: str, **more: Any) -> Window:
    window = Window(browser, server, **more)
    windows.append(window)
    return window.open(path)


def play(made: Made, clickers: Sequence[Clicker], most: int) -> None:
    """Everybody clicks when they may, until it is over or there were so many clicks."""
    for _ in range(POLLS):
        if sum(one.clicks for one in clickers) >= most:
            return
        if any(one.step() for one in clickers):
            continue
        if made.view(made.onlooker)["state"] != "playing":
            return
        clickers[0].window.page.wait_for_timeout(20)
    raise AssertionError("the game stands still")


# ---- a whole game, and what is hidden


class Secrets:
    """Which cards every seat has ever been allowed to see, worked out from the game itself."""

    def __init__(self, made: Made) -> None:
        self._made = made
        self.seen: dict[str, set[str]] = {}
        self._looked = 0

    def look(self) -> None:
        """Go through all positions since the last time."""
        table = self._made.server.hall._awake[self._made.id]
        with table.lock:
            game = table.game.copy()
        for number in range(self._looked, game.answered + 1):
            past = game.copy()
            past.undo(game.answered - number)
            for seat in game.seats:
                piles = past.view(seat, log=False)["piles"].values()
                cards = (one for pile in piles for one in pile.values() if isinstance(one, list))
                self.seen.setdefault(seat, set()).update(*cards)
        self._looked = game.answered + 1

    def check(self, seat: str, window: Window) -> None:
        """Nothing has come over the wire of a window that others have seen and its seat has not."""
        came = window.tap.text
        self.look()
        others = set().union(*self.seen.values()) - self.seen[seat]
        assert [card for card in others if re.search(rf"\b{re.escape(card)}\b", came)] == []

    def checked_own(self, seat: str, window: Window) -> None:
        """The search finds what is there: one's own cards have come."""
        assert self.seen[seat]
        assert [card for card in self.seen[seat] if card not in window.tap.text] == []


def whole_game(
    browser: Any, server: Server, windows: list[Window], made: Made, most: int, every: int
) -> None:
    """Three people click until the game is over (or so often); every so many clicks their wires are
    searched for what is hidden from them."""
    clickers = []
    for number, key in enumerate(made.seats.values()):
        window = opened(windows, browser, server, link(made.id, key))
        clickers.append(Clicker(window, number))
    secrets = Secrets(made)
    while made.view(made.onlooker)["state"] == "playing":
        clicked = sum(one.clicks for one in clickers)
        if clicked >= most:
            break
        play(made, clickers, clicked + every)
        for seat, window in zip(made.seats, windows, strict=True):
            secrets.check(seat, window)
    for seat, window in zip(made.seats, windows, strict=True):
        keys = {*made.seats.values(), made.host, made.onlooker} - {made.seats[seat]}
        assert not [key for key in keys if key in window.tap.text]
    assert sum(one.clicks for one in clickers) > 10
    if made.view(made.onlooker)["state"] == "over":
        for seat, window in zip(made.seats, windows, strict=True):
            window.page.wait_for_selector(".ranks")
            secrets.checked_own(seat, window)
        ranks = {str(window.page.locator(".ranks").text_content()) for window in windows}
        assert len(ranks) == 1


def test_three_people_and_two_bots_play_a_whole_game(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("race", 5, people=3)
    whole_game(browser, server, windows, made, 2_000, 1)
    assert made.view(made.onlooker)["state"] == "over"


@pytest.mark.slow
def test_three_people_and_two_bots_play_an_edition_for_hundreds_of_clicks(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    """By chance, so badly: it would take thousands of clicks to the end."""
    made = server.make("west+short_game", 5, people=3)
    whole_game(browser, server, windows, made, 300, 50)
    assert made.view(made.onlooker)["moment"]["turn"] > 1


def documents(window: Window) -> list[dict[str, Any]]:
    """The view documents that came over a wire."""
    found = re.findall(r"^data: (\{.*\})\n\n", window.tap.text, re.MULTILINE)
    return [one for one in map(json.loads, found) if "standings" in one]


def test_what_is_decided_secretly_stays_so(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    """Bets are secret: who made one sees it noted, and nobody else is sent a trace of it."""
    made = server.make("race", 3, people=2)
    first, second = (
        opened(windows, browser, server, link(made.id, key)) for key in made.seats.values()
    )
    first.asked()
    first.click_until("button.option", ".option[aria-pressed=true]", 1)
    first.click_until(".confirm", ".asking:not([data-decision='0.0'])")
    second.asked()
    second.click_until(".confirm", ".asking:not([data-decision='0.0'])")
    play(made, [Clicker(first, 1), Clicker(second, 2)], 4)
    seat = next(iter(made.seats))
    assert told_of(seat, first) == ({"bets"}, {f"{seat} chooses player3."})
    assert told_of(seat, second) == (set(), {f"{seat} has decided."})
    assert '"bets"' not in second.tap.text


def told_of(seat: str, window: Window) -> tuple[set[str], set[str]]:
    """Return the notes and log lines about somebody's bet that came over a wire.

    They come in whole documents and in changes, so all that was sent is searched.
    """
    sent = list(map(json.loads, re.findall(r"^data: (.*)\n\n", window.tap.text, re.MULTILINE)))
    parts = [part for one in sent for part in parts_of(one)]
    lines = [part for part in parts if part.get("seat") == seat and "text" in part]
    titles = {part.get("title") for part in parts if isinstance(part.get("title"), str)}
    told = {line["text"] for line in lines if line.get("rule") == "setup.friends"}
    return titles & {"bets"}, told


def parts_of(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a piece of JSON."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from parts_of(part)


def test_what_packs_show_of_options_comes_without_drawing_them_anew(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    """It comes later than the question: whoever is about to press something finds it there."""
    made = server.make("race", 3, people=1)
    (key,) = made.seats.values()
    assert made.answer(key, "0.0", []).status_code == 200
    asked = made.asked(key)["decisions"][0]
    window = Window(browser, server)
    windows.append(window)
    held: list[Any] = []
    window.page.route("**/shown", lambda route: held.append(route))
    window.open(link(made.id, key))
    drawn = window.asked()["drawn"]
    button = window.page.locator("button.option").first.element_handle()
    while not held:
        window.page.wait_for_timeout(20)
    things = {one["thing"]: [{"title": "Odds", "value": 7}] for one in asked["options"]}
    held[0].fulfill(json={"phase": [], "things": things})
    window.page.wait_for_selector(".option .detail:has-text('Odds 7')")
    assert window.offers()["drawn"] == drawn
    assert button.evaluate("(one) => one.isConnected && one.textContent.includes('Odds 7')")


# ---- another family of games


def test_the_war_game_on_hexes_is_played_on_its_board(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("marches", 2)
    window = opened(windows, browser, server, link(made.id, *made.seats.values()))
    page = window.page
    window.asked()
    before = made.view(next(iter(made.seats.values())))["pieces"]
    for _ in range(2):  # from where, and where to: the second click completes the march
        page.wait_for_selector(".board .light")
        drawn = window.offers()["drawn"]
        page.locator(".board .light").first.dispatch_event("click")
        page.wait_for_function(
            "(drawn) => document.querySelector('.asking').dataset.drawn !== drawn", arg=drawn
        )
    page.wait_for_function("() => document.querySelector('.here.changed')")
    assert made.view(next(iter(made.seats.values())))["pieces"] != before
    play(made, [Clicker(window, 3, eager=0.6)], 40)
    assert page.locator(".line.phase").count() > 2


def test_a_march_is_put_together_with_mouse_and_keys(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    """Click Knossos, then where to, then how many; and the same with keys alone."""
    made = server.make("west", 5, seats=[{"plays": "minoa", "by": "person"}])
    key = made.seats["minoa"]
    window = opened(windows, browser, server, link(made.id, key), width=1400)
    page = window.page
    window.asked()
    page.wait_for_selector(".light[data-place=knossos]")
    page.locator(".light[data-place=knossos] path").first.click()
    page.locator(".options.actions button.option", has_text="March").click()
    page.wait_for_selector(".options.numbers")  # there is but one way to go: it is taken
    assert page.locator(".crumbs li").all_text_contents() == ["March", "Knossos", "Phaestos"]
    page.locator(".options.numbers button.option", has_text="1").click()
    page.wait_for_selector(".here[data-place=phaestos]")
    standing = {one["place"] for one in made.view(key)["pieces"] if one["owner"] == "minoa"}
    assert {"knossos", "phaestos"} <= standing
    page.locator("[data-tab=standings]").click()  # rows of the A.S.T., with epochs along them
    page.wait_for_selector(".ladder .here")
    assert page.locator(".ladder .here").count() == 5
    assert page.locator(".stretch").first.text_content() == "Stone Age"
    assert page.locator(".ladder figcaption").text_content() == (
        "Minoa: 0, Stone Age. Early Bronze Age begins with 6."
    )
    page.keyboard.press("u")  # and taken back
    page.wait_for_selector(".here[data-place=phaestos]", state="detached")
    page.wait_for_selector(".light[data-place=knossos]")
    page.keyboard.press("b")
    assert page.evaluate("() => document.activeElement.dataset.place") == "knossos"
    page.keyboard.press("Enter")
    page.wait_for_selector(".foot .back")
    page.keyboard.press("q")
    page.keyboard.press("1")
    page.wait_for_selector(".options.numbers")
    page.keyboard.press("Escape")  # back to where there was a choice
    page.wait_for_selector(".options.actions")
    page.keyboard.press("1")
    page.wait_for_selector(".options.numbers")
    page.keyboard.press("1")
    page.wait_for_selector(".here[data-place=phaestos]")
    page.keyboard.press("q")
    asked = window.asked()["decision"]
    page.keyboard.press("D")  # bots have their turn; whoever plays with keys goes on with them then
    page.wait_for_function(
        "(asked) => ![asked, ''].includes(document.querySelector('.asking').dataset.decision)",
        arg=asked,
    )
    window.asked()
    assert page.evaluate("() => document.activeElement.closest('.asking') !== null")


def test_what_can_be_chosen_is_brought_into_sight(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("marches", 2)
    window = opened(windows, browser, server, link(made.id, *made.seats.values()), width=400)
    page = window.page
    page.wait_for_selector(".board .light")
    for _ in range(6):
        page.get_by_label("Magnify").click()
    inside = """() => { const frame = document.querySelector(".board").getBoundingClientRect();
        return [...document.querySelectorAll(".light")].filter((one) => {
          const box = one.getBoundingClientRect();
          return box.right > frame.left && box.left < frame.right && box.bottom > frame.top
            && box.top < frame.bottom; }).length; }"""
    corners = [(350, 350), (-350, 350), (-350, -350), (350, -350)]
    while corners and page.evaluate(inside):  # to a corner with nothing to choose
        dx, dy = corners.pop()
        for _ in range(12):
            page.mouse.move(200 - dx / 2, 280 - dy / 2)
            page.mouse.down()
            page.mouse.move(200 + dx / 2, 280 + dy / 2, steps=2)
            page.mouse.up()
    away = page.evaluate(inside)
    drawn = window.offers()["drawn"]
    window.page.locator(".options.actions button.option").first.click()
    page.wait_for_function(
        "(drawn) => document.querySelector('.asking').dataset.drawn !== drawn", arg=drawn
    )
    assert away == 0
    assert page.evaluate(inside) > 0


def test_keys_go_from_one_lit_place_to_the_next(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("marches", 2)
    window = opened(windows, browser, server, link(made.id, *made.seats.values()))
    window.page.wait_for_selector(".board .light")
    lit = window.page.locator(".board .light").count()
    assert lit > 1
    window.page.keyboard.press("b")
    seen = set()
    for key in ["ArrowDown"] * lit + ["ArrowRight"] * lit + ["ArrowUp"] * lit + ["ArrowLeft"] * lit:
        seen.add(window.page.evaluate("() => document.activeElement.dataset.place"))
        window.page.keyboard.press(key)
    assert len(seen) > 1
    assert None not in seen


# ---- windows come and go


def test_a_window_that_is_loaded_again_shows_the_same(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("race", 2, people=2)
    window = opened(windows, browser, server, link(made.id, next(iter(made.seats.values()))))
    before = window.asked()
    window.page.reload()
    after = window.asked()
    assert after["options"] == before["options"]
    assert after["decision"] == before["decision"]


def test_a_lost_connection_is_taken_up_again(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("race", 2, people=2)
    first, second = made.seats.values()
    window = opened(windows, browser, server, link(made.id, first))
    window.asked()
    window.tap.cut()
    window.page.wait_for_selector(".link.lost:not([hidden])")
    for key in (first, second):  # elsewhere the game goes on
        asked = made.asked(key)["decisions"][0]
        assert made.answer(key, asked["id"], []).status_code == 200
    wanted = made.asked(first)["decisions"][0]["prompt"]
    window.tap.mend()
    window.page.wait_for_selector(".link.lost", state="hidden")
    window.page.wait_for_function(
        "(prompt) => document.querySelector('.asking h2')?.textContent === prompt", arg=wanted
    )


def test_two_tabs_of_one_seat_answer_once(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("race", 2, people=2)
    key = next(iter(made.seats.values()))
    one, other = (opened(windows, browser, server, link(made.id, key)) for _ in range(2))
    for window in (one, other):
        window.asked()
    one.click(".foot .confirm:enabled")
    other.page.wait_for_function("() => !document.querySelector('.asking').dataset.decision")
    records = server.hall._awake[made.id].save.records
    assert [one.seat for one in records] == [next(iter(made.seats))]
    again = made.answer(key, "0.0", [])
    assert again.status_code == 409
    assert "already" in again.json()["error"]


def test_an_answer_from_a_tab_that_is_behind_is_refused_and_told(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("race", 2, people=2)
    key = next(iter(made.seats.values()))
    window = opened(windows, browser, server, link(made.id, key))
    asked = window.asked()
    window.page.route("**/events", lambda route: None)  # this tab hears of nothing new
    window.page.reload()
    window.page.evaluate(
        "async ([path, key]) => { const found = await fetch(path, {headers: {Authorization:"
        " `Bearer ${key}`}}); window.kept = await found.json(); }",
        [made.path, key],
    )
    assert made.answer(key, asked["decision"], []).status_code == 200
    refused = window.page.evaluate(
        "async ([path, key]) => { const found = await fetch(`${path}/answer`, {method: 'POST',"
        " headers: {Authorization: `Bearer ${key}`, 'Content-Type': 'application/json'}, body:"
        " JSON.stringify({decision: window.kept.decisions[0].id, answer: []})});"
        " return [found.status, (await found.json()).error]; }",
        [made.path, key],
    )
    assert refused == [409, "This was answered already."]


def test_a_seat_is_taken_by_a_program_and_given_back(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("race", 2, people=2)
    (seat, key), (_, rival) = made.seats.items()
    host = opened(windows, browser, server, link(made.id, rival, made.host))
    player = opened(windows, browser, server, link(made.id, key))
    player.asked()
    host.page.locator(".tool.host").click()
    host.page.locator(f".host-seats [data-seat={seat}] .to-bot").click()
    player.page.wait_for_function("() => !document.querySelector('.asking').dataset.decision")
    host.page.locator(f".host-seats [data-seat={seat}] .to-person").click()
    host.page.locator(f".host-seats [data-seat={seat}] .to-bot").wait_for()
    host.page.keyboard.press("Escape")
    play(made, [Clicker(host, 1), Clicker(player, 2)], 6)
    assert made.view(made.host)["state"] in ("playing", "over")
    assert {one["by"] for one in made.view(made.host)["owners"] if one["player"]} == {"person"}


# ---- everything from packs and people is text


def test_markup_in_names_is_text(browser: Any, server: Server, windows: list[Window]) -> None:
    name = "<img src=x onerror=window.hacked=1>"
    made = server.make("race", 2, seats=[{"by": "person", "name": name}])
    window = opened(windows, browser, server, link(made.id, *made.seats.values()))
    window.asked()
    window.page.locator(".person").first.click()
    window.page.wait_for_selector("dialog")
    assert name in str(window.page.locator("dialog").text_content())
    assert window.page.locator("img").count() == 0
    assert window.page.evaluate("() => window.hacked") is None


# ---- the lobby


def test_a_table_is_made_in_the_lobby(browser: Any, server: Server, windows: list[Window]) -> None:
    window = opened(windows, browser, server, "/")
    page = window.page
    page.locator(".game", has_text="The Tortoise Race").click()
    page.wait_for_function("() => document.querySelector('[data-option=hand_size]')")
    page.locator("select[name=players]").select_option("3")
    page.locator(".seat-row .by").nth(1).select_option("person")
    page.locator(".make").click()
    page.wait_for_selector(".links")
    links = [one.get_attribute("value") for one in page.query_selector_all(".links input")]
    assert len(links) == 3
    assert len(set(links)) == 3
    page.locator(".go").click()
    window.asked()
    assert page.locator(".person").count() == 3


@pytest.mark.parametrize("path", ["/", "/workshop?stack=race", "/replay", "TABLE"])
def test_nothing_is_wider_than_a_small_screen(
    browser: Any, server: Server, windows: list[Window], path: str
) -> None:
    if path == "TABLE":
        made = server.make("race", 3)
        path = link(made.id, *made.seats.values())
    window = opened(windows, browser, server, path, width=360, is_mobile=True, has_touch=True)
    window.page.wait_for_selector(".make, .outline, .asking h2, .intro + .card:not([hidden])")
    wide = "() => [document.documentElement.scrollWidth, innerWidth]"
    found, room = window.page.evaluate(wide)
    assert found <= room == 360
    nameless = window.page.evaluate(
        "() => [...document.querySelectorAll('button, a, input, select')].filter((one) =>"
        " !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length))"
        ".map((one) => one.outerHTML)"
    )
    assert nameless == []


def test_nothing_moves_for_whoever_wants_it_so(
    browser: Any, server: Server, windows: list[Window]
) -> None:
    made = server.make("marches", 2)
    window = opened(windows, browser, server, link(made.id, *made.seats.values()))
    window.page.wait_for_selector(".board .light path")
    style = "() => getComputedStyle(document.querySelector('.light path')).animationName"
    assert window.page.evaluate(style) == "none"
