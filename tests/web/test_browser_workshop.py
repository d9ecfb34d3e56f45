"""The workshop and replays in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import Window, launched, link
from tests.web.server import PACKS, Server, first_answer, running
from ziggurat import Advised, Search, answer_of, load_program, new_save, start

MANIFEST = 'id = "mine"\ntitle = "My race"\nversion = "1"\nextends = ["race"]\n'
RULES = "amend trick boots { price: 1 }\n"
SHORTER = "amend option hand_size { default: 1 }\n"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    (folder / "mine").mkdir()
    (folder / "mine" / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (folder / "mine" / "rules.rules").write_text(RULES, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, packs: Path) -> Iterator[Server]:
    search = Search.default([PACKS, packs])
    saves = tmp_path_factory.mktemp("saves")
    program, _ = load_program("race", search)
    assert program is not None
    save = new_save(start(program, players=3, seed=5), saves / "race.zig", search=search)
    policy = Advised(5)
    while (decision := save.game.decision) is not None:
        save.answer(answer_of(policy, save.game, decision), decision.decider)
    save.close()
    with running(tmp_path_factory.mktemp("tables"), search=search, saves=saves) as found:
        yield found


@pytest.fixture
def window(browser: Any, server: Server) -> Iterator[Window]:
    found = Window(browser, server, width=1300)
    yield found
    found.close()
    assert found.wrong == []


def text(window: Window, wanted: str) -> str:
    window.page.wait_for_selector(wanted)
    return str(window.page.locator(wanted).first.text_content())


def test_a_ruleset_is_looked_into(window: Window) -> None:
    window.open("/workshop?stack=race")
    page = window.page
    page.wait_for_selector(".outline-list")
    page.get_by_label("Find a declaration").fill("whip")
    page.locator(".entry[data-path=whip]").click()
    assert text(window, ".rule-card h3") == "Whip"
    assert "rule=whip" in page.url
    page.locator(".rule-card a", has_text="reach").first.click()
    page.wait_for_selector(".changes")
    assert text(window, ".declaration h2") == "Reach"
    assert page.locator(".changes li b").all_text_contents() == ["boots", "whip"]
    page.reload()  # what one looks at has an address
    assert text(window, ".declaration h2") == "Reach"


def test_two_rulesets_are_compared(window: Window) -> None:
    window.open("/workshop?stack=race&view=diff&left=race&right=race%2Bmine")
    assert "Boots" in text(window, ".provision h4")
    assert window.page.locator(".hunks .old mark").all_text_contents() == ["2"]
    assert window.page.locator(".hunks .new mark").all_text_contents() == ["1"]


def test_a_scenario_is_walked_through(window: Window) -> None:
    window.open("/workshop?stack=race&view=scenarios")
    page = window.page
    page.locator(".entry", has_text="boots help in the mud").click()
    page.wait_for_selector(".walk .here[data-place=brook]")
    page.get_by_label("Next step").click()
    page.wait_for_selector(".walk .here[data-place=bog]")
    page.get_by_label("Next step").click()
    assert text(window, ".walk-told .kicker") == "Expected, and so it is"
    page.get_by_label("Step", exact=True).fill("0")
    page.wait_for_selector(".walk .here[data-place=brook]")


def test_findings_come_while_a_pack_is_written(window: Window, packs: Path) -> None:
    file = packs / "mine" / "rules.rules"
    window.open("/workshop?stack=race%2Bmine&view=findings")
    window.page.wait_for_selector(".all-well")
    file.write_text("amend trick boots { prize: 1 }\n", encoding="utf-8")
    assert "prize" in text(window, ".finding.error mark")
    file.write_text(RULES, encoding="utf-8")
    window.page.wait_for_selector(".all-well")


def test_a_running_table_is_reloaded_where_its_answers_hold(
    server: Server, window: Window, packs: Path
) -> None:
    file = packs / "mine" / "rules.rules"
    made = server.make("race+mine", 2, people=2)
    for _ in range(2):
        for key in made.seats.values():
            found = made.view(key)["decisions"]
            if found:
                made.answer(key, found[0]["id"], first_answer(found[0]))
    page = window.page
    window.open(link(made.id, next(iter(made.seats.values())), made.host))
    page.wait_for_selector(".asking h2")
    page.locator(".tool.host").click()
    file.write_text("amend trick boots { price: 3 }\n", encoding="utf-8")
    page.locator(".reload").click()
    page.locator(".notice", has_text="every answer still holds").wait_for()
    file.write_text(RULES + SHORTER, encoding="utf-8")
    page.locator(".reload").click()
    page.wait_for_selector(".notice.wrong")
    assert page.locator(".notice.wrong p").first.text_content()
    assert made.view(made.host)["state"] == "playing"
    file.write_text(RULES, encoding="utf-8")


def test_a_save_has_a_slider_and_every_position_an_address(window: Window) -> None:
    window.open("/replay")
    page = window.page
    page.locator("a", has_text="race").click()
    page.wait_for_selector(".replay-told:not(.working)")
    page.get_by_label("Turn", exact=True).fill("2")
    page.wait_for_function(
        "() => document.querySelector('.replay-told').textContent.startsWith('Turn 2,')"
    )
    told, address = text(window, ".replay-told"), page.url
    standing = page.locator(".pieces .here").evaluate_all(
        "(all) => all.map((one) => one.dataset.place)"
    )
    page.get_by_label("One answer on").click()
    page.wait_for_function(
        "(told) => document.querySelector('.replay-told').textContent !== told", arg=told
    )
    assert page.url != address
    window.open("/replay")
    page.wait_for_selector(".intro")
    page.goto(address)
    page.wait_for_selector(".pieces .here")
    assert text(window, ".replay-told") == told
    again = page.locator(".pieces .here").evaluate_all(
        "(all) => all.map((one) => one.dataset.place)"
    )
    assert again == standing
    page.locator("[data-tab=standings]").click()
    page.wait_for_selector(".chart .serie")


def test_a_page_that_is_not_there_says_so(window: Window) -> None:
    window.open("/replay/nothing")
    assert "nothing here" in text(window, ".failed h1")
    window.open("/t/nothing#key")
    assert text(window, ".failed h1")
