"""`ziggurat book`: a rulebook and a reference from the packs, looked at as a browser sees them."""

import json
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ziggurat import Comments, Search, load
from ziggurat.studio.book.book import write
from ziggurat.studio.book.changes import CHANGED, NEW, compare
from ziggurat.studio.book.model import Book
from ziggurat.studio.cli import main

PACKS = Path(__file__).parents[1] / "packs"
SMALL = ("race", "marches")
BROWSER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
PRIVATE = re.compile("[\ue000-\uf8ff]")


def made(stack: str, folder: Path) -> Path:
    """The folder with both pages of a stack."""
    assert main(["book", stack, "-o", str(folder), "--packs", str(PACKS)]) == 0
    return folder


@pytest.fixture(scope="module")
def west(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("west", tmp_path_factory.mktemp("west"))


@pytest.fixture(scope="module")
def expert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("west+expert", tmp_path_factory.mktemp("expert"))


@cache
def book_of(stack: str) -> Book:
    search = Search.default((PACKS,))
    ruleset = load(stack, search).ruleset
    assert ruleset is not None
    return write(ruleset, Comments(stack, search))


class Links(HTMLParser):
    """The anchors of a page and where its links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.goals: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.goals.add(str(given["href"]))


def check_links(folder: Path) -> None:
    pages = {file.name: Links(file.read_text("utf-8")) for file in folder.glob("*.html")}
    assert set(pages) == {"index.html", "reference.html"}
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), name
        for goal in page.goals:
            file, _, place = goal.partition("#")
            assert not place or place in pages[file or name].ids, f"{name}: {goal}"
            assert file in ("", *pages), goal


# ---- what is in it ------------------------------------------------------------------------------


@pytest.mark.parametrize("stack", SMALL)
def test_little_games_have_books(stack: str, tmp_path: Path) -> None:
    check_links(made(stack, tmp_path))


def test_every_link_leads_somewhere(west: Path, expert: Path) -> None:
    check_links(west)
    check_links(expert)


def test_pages_need_nothing_else(west: Path) -> None:
    for page in west.glob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r"<(?:script|link|img|iframe)\b|@import|url\(\s*[\"']?http", text)
        assert not PRIVATE.search(text)


def test_every_phase_thing_option_and_question_is_in_the_book() -> None:
    book = book_of("west")
    ruleset = load("west").ruleset
    assert ruleset is not None
    told = {item.key for _, item in book.items()}
    told |= {row.key for chapter in book.chapters for part in chapter.parts
             if part.table for row in part.table.rows}  # fmt: skip
    wanted = {("phase", id_) for turn in ruleset.turns.values() for id_ in turn.phases}
    wanted |= {(kind, id_) for kind, page in ruleset.things.items() for id_ in page}
    wanted |= {("option", id_) for id_ in ruleset.options}
    wanted |= {("question", id_) for id_ in ruleset.questions}
    wanted |= {("action", id_) for id_, one in ruleset.actions.items() if "." not in id_}
    assert wanted - told == set()


def test_the_chapters_of_a_game_come_in_the_order_in_which_it_is_learned() -> None:
    ids = [chapter.id for chapter in book_of("west").chapters]
    assert ids[0] == "sequence"
    assert ids.index("phase-setup") < ids.index("phase-tax_collection") < ids.index("common")
    assert ids.index("phase-succession") < ids.index("kind-advance") < ids.index("map")
    assert ids[-2:] == ["options", "questions"]


def test_what_only_advice_asks_is_not_in_the_book() -> None:
    told = {item.key for _, item in book_of("west").items()}
    assert ("value", "attack_tokens") in told
    assert ("value", "merit") not in told


def test_a_card_has_its_fields_its_sentences_and_its_place(west: Path) -> None:
    page = (west / "index.html").read_text("utf-8")
    card = page[page.index('id="advance-engineering"') :]
    card = re.sub(r"<[^>]+>", "", card[: card.index("</article>")])
    assert "Price160" in re.sub(r"\s", "", card)
    assert (
        "The number of tokens that the attacker needs to attack a city of the holder: +1, unless"
        " the attacker holds Engineering." in card
    )
    assert "W 9 Engineering" in card
    assert re.search(r"core/advances/\w+\.rules:\d+", card)
    assert "modify attack_tokens(attacker, holder) by +1" in card


def test_the_reference_tells_who_reads_and_changes(west: Path) -> None:
    page = (west / "reference.html").read_text("utf-8")
    entry = page[page.index('id="value-attack-tokens"') :]
    entry = entry[: entry.index("</article>")]
    assert re.search(r"Read by</dt><dd>.*procedure attack_city", entry)
    assert re.search(r"Changed by</dt><dd>.*advance engineering", entry)


def test_the_page_about_it_is_true(capsys: pytest.CaptureFixture[str]) -> None:
    page = (PACKS.parents[1] / "docs" / "book.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(code, {})
    printed = capsys.readouterr().out
    assert "needs to attack a city of the defender: 7." in printed
    assert "Engineering ['The city of the holder" in printed
    assert "('advance', 'engineering')" in printed


# ---- what a variant changes ---------------------------------------------------------------------


def test_what_a_variant_changes_is_marked_and_nothing_else() -> None:
    changes = compare(book_of("west"), book_of("west+expert"))
    assert changes.rows["epoch", "early_bronze"].sort == CHANGED
    assert changes.rows["epoch", "early_bronze"].was is not None
    assert changes.items["option", "falls_into_stone_age"].sort == NEW
    assert ("epoch", "stone_age") not in changes.rows
    words = {word for word, _ in changes.items}
    inside = {"in-played", "in-reading", "in-says", "in-change"}
    assert words <= {"option", "question", "clarification", *inside}
    assert not changes.gone


def test_changes_stand_in_the_margin(expert: Path, west: Path) -> None:
    page = (expert / "index.html").read_text("utf-8")
    row = page[page.index('<tr class="changed" id="epoch-early-bronze">') :]
    assert "<s>2</s>" in row[: row.index("</tr>")]
    assert '<aside class="mark new">New <br>The Expert side of the A.S.T.</aside>' in page
    assert 'class="mark' not in (west / "index.html").read_text("utf-8")


def test_what_a_variant_takes_away_is_named() -> None:
    changes = compare(book_of("west"), book_of("west+without_minoa"))
    assert changes.base == "Western Empires"
    here = {row.key for chapter in book_of("west+without_minoa").chapters
            for part in chapter.parts if part.table for row in part.table.rows}  # fmt: skip
    assert ("civilization", "minoa") not in here


# ---- requests that make no sense ----------------------------------------------------------------


def test_a_stack_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["book", "nowhere", "-o", str(tmp_path / "x")]) == 2
    assert not (tmp_path / "x").exists()
    assert "nowhere" in "".join(capsys.readouterr())


def test_a_folder_that_is_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "taken"
    file.write_text("mine", encoding="utf-8")
    assert main(["book", "race", "-o", str(file), "--packs", str(PACKS)]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert file.read_text("utf-8") == "mine"


# ---- a real browser -----------------------------------------------------------------------------

# A frame of the width in question: browsers keep their own windows wider than a telephone.
FRAME = """<!doctype html><iframe src="page.html" style="border:0;width:{}px;height:900px"></iframe>
<script>onmessage = event => {{ document.title = "SEEN " + event.data; }}</script>"""
LOOK = """<script>
const beyond = one => one.getBoundingClientRect().right > innerWidth + 1
  && !one.closest(".scroll") && !one.closest("svg");
const wide = [...document.querySelectorAll("body *")].filter(beyond);
const lost = [...document.querySelectorAll('a[href^="#"]')].filter(one =>
  !document.getElementById(decodeURIComponent(one.getAttribute("href").slice(1))));
parent.postMessage(JSON.stringify({
  width: innerWidth, page: document.documentElement.scrollWidth,
  wide: wide.slice(0, 5).map(one => one.className), lost: lost.length,
  height: document.documentElement.scrollHeight}), "*");
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no chromium here to look at the pages with")
@pytest.mark.parametrize(
    ("name", "width"), [("index.html", 360), ("index.html", 1400), ("reference.html", 360)]
)
def test_a_browser_sees_no_overflow(expert: Path, tmp_path: Path, width: int, name: str) -> None:
    text = (expert / name).read_text("utf-8")
    (tmp_path / "page.html").write_text(text.replace("</body>", f"{LOOK}</body>"), "utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME.format(width), "utf-8")
    done = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}",
         "--window-size=1600,1000", "--virtual-time-budget=20000", "--dump-dom", frame.as_uri()],
        capture_output=True, text=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    found = re.search(r"<title>SEEN (.*?)</title>", done.stdout)
    assert found is not None, done.stderr[-500:]
    seen = json.loads(found[1])
    assert seen["width"] in range(width - 20, width + 1)  # a bar to scroll with may take a little
    assert (seen["lost"], seen["wide"]) == (0, [])
    assert seen["page"] <= width
    assert seen["height"] > 2000
