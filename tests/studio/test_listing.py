"""Lists: ids come out whole, at every width and in pipes."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ziggurat.studio.cli import main
from ziggurat.studio.listing import best_first, show_list

WORDS = st.text("abcdefghij_", min_size=1, max_size=40)
SENTENCES = st.lists(WORDS, max_size=9).map(" ".join)
ROWS = st.lists(st.tuples(WORDS, SENTENCES, WORDS), max_size=6)
HEADINGS = ("Name", "Title", "From")


def shown(rows: list[tuple[str, ...]], width: int, terminal: bool) -> str:
    screen = io.StringIO()
    out = Console(file=screen, width=width, force_terminal=terminal, color_system=None)
    show_list(out, HEADINGS, rows)
    return screen.getvalue()


@given(ROWS, st.integers(1, 120))
def test_no_word_is_cut_at_any_width(rows: list[tuple[str, str, str]], width: int) -> None:
    words = shown(rows, width, terminal=True).split()
    assert sorted(words) == sorted(" ".join([*HEADINGS, *map(" ".join, rows)]).split())


@given(ROWS, st.integers(1, 120))
def test_a_row_is_one_line_in_a_pipe(rows: list[tuple[str, str, str]], width: int) -> None:
    lines = shown(rows, width, terminal=False).splitlines()
    assert [line.split() for line in lines] == [" ".join(row).split() for row in [HEADINGS, *rows]]


def test_what_looks_like_markup_is_shown_as_it_is() -> None:
    assert "[bold]x" in shown([("a", "[bold]x", "b")], 80, terminal=True)


@pytest.mark.parametrize("width", ["20", "80"])
def test_the_commands(
    width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert main(["packs"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [
        line.split()[1] for line in listed if line.startswith(("east ", "expert ", "west_b"))
    ] == [
        "game",
        "variant",
        "part",
    ]
    assert main(["list", "west", "options"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert any(line.startswith("volcano_counts_cities ") for line in listed)
    assert all(line[0] != " " for line in listed)


@pytest.mark.parametrize(
    ("find", "found"),
    [
        ("tie", ["who", "break_tie", "ties", "cities"]),
        ("breaks a tie", ["who"]),
        ("TIES", ["ties", "cities"]),
        ("first", ["break_tie", "who"]),
        ("*", []),
    ],
)
def test_whole_words_come_first(find: str, found: list[str]) -> None:
    rows = [("cities", "", ""), ("ties", "", ""), ("who", "breaks a tie", "first"),
            ("break_tie", "First", "")]  # fmt: skip
    order = best_first(rows, [""] * 4, find, (0, 1))

    assert [name for name, *_ in order] == found


def test_a_search_knows_the_words_of_the_rulebook(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "west", "procedures", "--find", "unsuccessful"]) == 0
    assert capsys.readouterr().out.split() == ["fail_attack"]
    assert main(["list", "west", "values", "--find", "maintenance"]) == 0
    assert capsys.readouterr().out.split() == ["ship_upkeep"]
