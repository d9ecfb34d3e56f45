"""Places, findings, the ways they are shown, and the guesses offered with them."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, Source, Span, did_you_mean, nearest
from ziggurat.dsl.report import render_github, render_json, summary
from ziggurat.dsl.report_text import human_text, render_human

TEXT = 'value rate = 2\n\tmodify rat by +1\nlast "line"'
SOURCE = Source("west/taxes.rules", TEXT, "west")


def at(word: str, source: Source = SOURCE) -> Span:
    start = source.text.index(word)
    return source.span(start, start + len(word))


def error(message: str = "There is no value called `rat`.", span: Span | None = None) -> Diagnostic:
    return Diagnostic("Z201", message, span or at("rat by").source.span(23, 26))


# Places


@pytest.mark.parametrize(
    ("offset", "position"),
    [(0, (1, 1)), (14, (1, 15)), (15, (2, 1)), (len(TEXT), (3, 12)), (999, (3, 12)), (-5, (1, 1))],
)
def test_positions_count_from_one(offset: int, position: tuple[int, int]) -> None:
    assert SOURCE.position(offset) == position


def test_lines_have_no_ends() -> None:
    source = Source("x", "one\r\ntwo\n")
    assert [source.line(n) for n in (0, 1, 2, 3, 4)] == ["", "one", "two", "", ""]
    assert source.line_count == 3


def test_a_span_knows_where_it_is() -> None:
    span = at("modify")
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 2, 2, 8)
    assert (span.text, span.excerpt()) == ("modify", "\tmodify rat by +1")
    assert str(span) == "west/taxes.rules:2:2"


@given(st.text(alphabet="ab\n\té漢", max_size=60), st.data())
def test_position_and_offset_are_inverse(text: str, data: st.DataObject) -> None:
    source = Source("x", text)
    offset = data.draw(st.integers(0, len(text)))
    assert source.offset(*source.position(offset)) == offset


# Findings


def test_findings_are_ordered_by_file_and_place_and_each_kept_once() -> None:
    other = Source("core/a.rules", "abc")
    nowhere = Diagnostic("Z020", "There is no pack called `x`.", None)
    late, early = error("late", at("last")), error("early", at("value"))
    first = error("first file", other.span(1, 2))
    findings = Findings([late, early, first, nowhere, error("late", at("last"))])
    assert list(findings) == [nowhere, first, early, late]
    assert len(findings) == 4


def test_a_file_shows_a_hundred_findings_and_says_so() -> None:
    source = Source("x.rules", "a" * 500)
    many = [error(f"number {n}", source.span(n, n + 1)) for n in range(150)]
    shown = list(Findings(many))
    assert len(shown) == 101
    assert shown[:100] == many[:100]
    assert (shown[-1].code, shown[-1].severity) == ("Z008", "error")
    assert "50 more findings" in shown[-1].message


def test_warnings_never_hide_an_error() -> None:
    source = Source("x.rules", "a" * 500)
    many = [
        Diagnostic("Z501", f"number {n}", source.span(n, n + 1), severity="warning")
        for n in range(150)
    ]
    last = error("the error", source.span(400, 401))
    shown = list(Findings([*many, last]))
    assert last in shown
    assert shown[-1].severity == "warning"
    assert Findings(many).has_errors is False
    assert Findings([*many, last]).has_errors is True


# Shown to people


def test_human_shows_line_caret_notes_and_help() -> None:
    diagnostic = Diagnostic(
        "Z201",
        "There is no value called `rat`.",
        SOURCE.span(23, 26),
        "Did you mean `rate`?",
        (Note("`rate` is declared here.", at("rate")), Note("Values are named in lower case.")),
    )
    assert human_text([diagnostic]) == (
        "error[Z201]: There is no value called `rat`.\n"
        " --> west/taxes.rules:2:9\n"
        "  |\n"
        "2 |     modify rat by +1\n"
        "  |            ^^^\n"
        "  = note: `rate` is declared here.\n"
        " --> west/taxes.rules:1:7\n"
        "  |\n"
        "1 | value rate = 2\n"
        "  |       ^^^^\n"
        "  = note: Values are named in lower case.\n"
        "  = help: Did you mean `rate`?\n"
        "\n"
    )


def test_wide_letters_keep_the_caret_in_place() -> None:
    source = Source("x.rules", 'title "漢字" oops')
    line, caret = human_text([error(span=at("oops", source))]).splitlines()[3:5]
    assert cell_len(line[: line.index("oops")]) == caret.index("^")


def test_control_characters_never_reach_the_terminal() -> None:
    source = Source("x\x1b[2J.rules", "\x1b[31mred")
    text = human_text([error("an \x1b[31m escape", source.span(0, 3))])
    assert "\x1b" not in text


def test_a_place_without_text_shows_only_its_name() -> None:
    text = human_text([error("gone", Source("west/x.rules", "").span(0, 0))])
    assert text == "error[Z201]: gone\n --> west/x.rules:1:1\n\n"


def test_a_finding_over_several_lines_underlines_the_first() -> None:
    text = human_text([error(span=SOURCE.span(6, 30))])
    assert "1 | value rate = 2\n  |       ^^^^^^^^\n" in text


@given(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=300),
    st.integers(0, 300),
    st.integers(0, 300),
)
def test_any_text_is_shown_within_eighty_columns(text: str, a: int, b: int) -> None:
    start, end = sorted((min(a, len(text)), min(b, len(text))))
    shown = human_text([error("A message.", Source("x.rules", text).span(start, end))])
    assert all(cell_len(line) <= 80 for line in shown.split("\n"))
    assert shown.isprintable() or shown.replace("\n", "").isprintable()


def test_a_long_line_is_cut_around_the_caret() -> None:
    source = Source("x.rules", "a " * 200_000 + "oops" + " b" * 200_000)
    line, caret = human_text([error(span=at("oops", source))]).splitlines()[3:5]
    assert line[caret.index("^") :].startswith("oops")
    assert len(line) <= 80


def test_long_messages_are_wrapped() -> None:
    text = human_text([error("word " * 60)])
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize(("terminal", "coloured"), [(True, True), (False, False)])
def test_colour_only_on_a_terminal(
    terminal: bool, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = io.StringIO()
    render_human([error()], Console(file=stream, force_terminal=terminal, width=80))
    assert ("\x1b[" in stream.getvalue()) is coloured


@pytest.mark.parametrize(
    ("errors", "warnings", "expected"),
    [
        (0, 0, "0 errors"),
        (1, 0, "1 error"),
        (0, 2, "2 warnings"),
        (2, 1, "2 errors and 1 warning"),
    ],
)
def test_summary(errors: int, warnings: int, expected: str) -> None:
    found = [error()] * errors + [Diagnostic("Z501", "m", None, severity="warning")] * warnings
    assert summary(found) == expected


# Shown to programs


def test_json_has_its_documented_shape() -> None:
    note = Note("here", at("rate"))
    diagnostic = Diagnostic("Z201", "Nö.", SOURCE.span(23, 26), "help", (note,))
    shape = json.loads(render_json([diagnostic, Diagnostic("Z020", "m", None, severity="warning")]))
    assert (shape["version"], shape["errors"], shape["warnings"]) == (2, 1, 1)
    assert shape["findings"][0] == {
        "code": "Z201",
        "severity": "error",
        "message": "Nö.",
        "suggestion": "help",
        "location": {
            "path": "west/taxes.rules",
            "pack": "west",
            "file": "taxes.rules",
            "line": 2,
            "column": 9,
            "end_line": 2,
            "end_column": 12,
            "start": 23,
            "end": 26,
        },
        "notes": [
            {
                "message": "here",
                "location": {
                    "path": "west/taxes.rules",
                    "pack": "west",
                    "file": "taxes.rules",
                    "line": 1,
                    "column": 7,
                    "end_line": 1,
                    "end_column": 11,
                    "start": 6,
                    "end": 10,
                },
            }
        ],
    }
    assert shape["findings"][1]["location"] is None


def test_github_annotations_are_escaped_and_located() -> None:
    diagnostic = Diagnostic("Z201", "100%\nwrong", SOURCE.span(23, 26), "try: a, b")
    assert render_github([diagnostic]) == (
        "::error file=west/taxes.rules,line=2,endLine=2,col=9,endColumn=11,title=Z201"
        "::100%25%0Awrong%0Ahelp: try: a, b\n"
    )
    moved = render_github([diagnostic], lambda source: f"content/{source.path}")
    assert "file=content/west/taxes.rules," in moved
    assert render_github([diagnostic], lambda source: None).startswith("::error title=Z201::")


# Guesses


@pytest.mark.parametrize(
    ("word", "candidates", "expected"),
    [
        ("tax_rat", ["tax_rate", "tax_revolt", "rates"], "tax_rate"),
        ("rate_tax", ["tax_rate", "rate"], "tax_rate"),
        ("Tax_Rate", ["tax_rate"], "tax_rate"),
        ("tax-rate", ["tax_rate"], "tax_rate"),
        ("pottrey", ["pottery", "poetry"], "pottery"),
        ("citys", ["cities", "city"], "city"),
        ("may_cross", ["may_cross_open_sea", "may_build"], "may_cross_open_sea"),
        ("xyz", ["abc", "def"], None),
        ("a", ["b", "c"], None),
        ("go", ["do", "to"], None),
        ("", ["a"], None),
        ("rate", ["rate"], None),
        ("x" * 5000, ["x" * 4999], None),
        ("rata", ["ratb", "ratc"], "ratb"),
    ],
)
def test_nearest(word: str, candidates: list[str], expected: str | None) -> None:
    assert nearest(word, candidates) == expected
    assert nearest(word, reversed(candidates)) == expected


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("tax.rate", "Did you mean `tax_collection.rate`?"),
        ("war.kept", "Did you mean `civil_war.kept` or `war_of_two.kept`?"),
        ("tax.kept", None),  # nothing that is kept has to do with taxes
        ("rate", None),  # a bare name may be anything
        ("war.pile", None),  # four are as good as none
    ],
)
def test_a_path_far_off_is_known_by_its_words(word: str, told: str | None) -> None:
    wars = [f"war_{n}.pile" for n in ("one", "two", "three", "four")]
    known = ["tax_collection.rate", "civil_war.kept", "war_of_two.kept", "flood.rated", *wars]
    assert did_you_mean(word, known) == told


def test_did_you_mean_is_a_sentence() -> None:
    assert did_you_mean("ratte", ["rate"]) == "Did you mean `rate`?"
    assert did_you_mean("unlike", ["rate"]) is None


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=8))
def test_a_guess_is_always_one_of_the_candidates(word: str, candidates: list[str]) -> None:
    assert nearest(word, candidates) in {*candidates, None}
