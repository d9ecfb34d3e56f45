"""The formatter: one layout, and three promises that it keeps or says so."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from ziggurat.dsl import format as dsl_format
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.format import format_checked, format_source
from ziggurat.dsl.parse import parse_source

TIMES = count(1)
ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "content").rglob("*.rules"), *(ROOT / "docs").rglob("*.rules")])


def check(before: str, after: str) -> None:
    """`before` is laid out as `after`, and `after` stays as it is."""
    found = format_checked(Source("test.rules", before))
    assert found.findings == ()
    assert found.text == after
    assert format_source(Source("test.rules", after)) == after


def test_nothing_stays_nothing() -> None:
    check("", "")
    check("\n\n \n", "")
    check("\n\n# only this\n\n\n", "# only this\n")


def test_blanks_between_words() -> None:
    check(
        "value  a( p:player ,q :area ):int=1+ 2*-3  -b [ q ]\n",
        "value a(p: player, q: area): int = 1 + 2 * -3 - b[q]\n",
    )
    check(
        "value a: range = -1 .. count( token of p in b )\n",
        "value a: range = -1..count(token of p in b)\n",
    )
    check("value a: set of area={ b , c }\n", "value a: set of area = {b, c}\n")
    check("value a: area->int={ b:1,c : 2 }\n", "value a: area -> int = {b: 1, c: 2}\n")
    check("value a: bool = not(b)and (c or d)\n", "value a: bool = not (b) and (c or d)\n")
    check(
        "amend kind_of b {\n  cost  + 10\n  cost -5\n}\n",
        "amend kind_of b {\n  cost +10\n  cost -5\n}\n",
    )
    check("value a: int = 1   cites W  \"1\",E \"2\"   tags A-1,B-2\n",
          "value a: int = 1  cites W \"1\", E \"2\" tags A-1, B-2\n")  # fmt: skip


def test_blocks_and_blank_lines() -> None:
    check(
        'phase a "A" {\n\n\n needs yes\n\n\n once { stop }\n\n}\n\n\n\nphase b "B" {}\n',
        'phase a "A" {\n  needs yes\n\n  once { stop }\n}\n\nphase b "B" {}\n',
    )
    check("procedure a() {\nif b { c() }\nelse {\nd() } }\n",
          "procedure a() {\n  if b {\n    c()\n  } else {\n    d()\n  }\n}\n")  # fmt: skip


def test_fields_that_share_a_line_go_on_sharing_it() -> None:
    check("thing a {\n  b: 1 c: 2   d: e 3, f 4\n  g: 5\n}\n",
          "thing a {\n  b: 1  c: 2  d: e 3, f 4\n  g: 5\n}\n")  # fmt: skip
    long = "x" * 60
    check(f"thing a {{ b: {long} c: {long} }}\n", f"thing a {{\n  b: {long}\n  c: {long}\n}}\n")


def test_comments_stay_where_they_belong() -> None:
    check(
        "# first\n\n\n#second\nphase a {#on the head\n# above\n needs yes# behind\n"
        "# last\n}# after\n# end\n",
        "# first\n\n#second\nphase a {  #on the head\n  # above\n  needs yes  # behind\n"
        "  # last\n}  # after\n# end\n",
    )
    check(
        "action a in b by p (\n  # one\n  c from d, # two\n  e from f) {\n  stop\n}\n",
        "action a in b by p (\n    # one\n    c from d,  # two\n    e from f) {\n  stop\n}\n",
    )
    check("value a: int =  # why\n  3\n", "value a: int =  # why\n    3\n")
    check("thing a {\n  b: 1  # one\n  c: 2\n}\n", "thing a {\n  b: 1  # one\n  c: 2\n}\n")
    check("procedure a() {\n  if b {\n    c()\n  } # so\n  else {\n    d()\n  }\n}\n",
          "procedure a() {\n  if b {\n    c()\n  }  # so\n  else {\n    d()\n  }\n}\n")  # fmt: skip


def test_comments_around_else() -> None:
    before, after = "procedure a() {\n  if b {\n    c()\n  }\n", "  {\n    d()\n  }\n}\n"
    check(
        f"{before} # or\n else # so\n # then\n{after}",
        f"{before}  # or\n  else  # so\n  # then\n{after}",
    )


def test_long_lines_are_broken_where_sentences_have_parts() -> None:
    names = "a_rather_long_name, another_rather_long_name"
    check(
        f"procedure a() {{\n  choose b by chooser({names}) from options({names}) where it"
        ' "Which?"\n}\n',
        f"procedure a() {{\n  choose b by chooser({names})\n      from options({names}) where it"
        ' "Which?"\n}\n',
    )
    check(
        "procedure a() {\n  select b by p from areas with unit of p such that connected by"
        " borders(it), total points(it) is n relaxing from the last\n}\n",
        "procedure a() {\n  select b by p from areas with unit of p\n      such that connected by"
        " borders(it),\n      total points(it) is n\n      relaxing from the last\n}\n",
    )
    check(
        "action a in b by p (first_parameter from some_set where it != p, second_parameter from"
        " other_set, third from x) {\n  stop\n}\n",
        "action a in b by p (\n    first_parameter from some_set where it != p,\n"
        "    second_parameter from other_set,\n    third from x) {\n  stop\n}\n",
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_promises_hold_for_every_real_file(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    found = format_checked(source)
    assert found.findings == ()
    again = format_checked(Source(path.name, found.text))
    assert again.text == found.text
    file, _ = parse_source(Source(path.name, found.text))
    assert [*map(str, file.comments)] == [*map(str, parse_source(source)[0].comments)]


def test_a_file_with_mistakes_is_left_alone() -> None:
    found = format_checked(Source("test.rules", "value  a: int = \n"))
    assert found.text == "value  a: int = \n"
    assert [finding.code for finding in found.findings] == ["Z103"]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda text: text.replace("1", "2"), "change what the rules say"),
        (lambda text: text.replace("# why", ""), "comment"),
        (lambda text: text + "\n" * next(TIMES), "second run"),
        (lambda text: text.replace("int", "int ="), "change what the rules say"),
    ],
)
def test_a_promise_that_would_break_is_a_refusal(
    monkeypatch: pytest.MonkeyPatch, spoil: Callable[[str], str], reason: str
) -> None:
    lay_out = dsl_format.lay_out
    monkeypatch.setattr(dsl_format, "lay_out", lambda reading: spoil(lay_out(reading)))
    text = "value a:   int = 1  # why\n"
    found = format_checked(Source("test.rules", text))
    assert found.text == text
    assert [finding.code for finding in found.findings] == ["Z130"]
    assert reason in found.findings[0].message
