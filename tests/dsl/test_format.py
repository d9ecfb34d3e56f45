"""The formatter: one layout, and three promises that it keeps or says so."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import sampled
from ziggurat.dsl import format as dsl_format
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.format import format_checked, format_source
from ziggurat.dsl.format_wrapping import WIDTH
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


def test_lists_stand_apart_and_positions_close() -> None:
    check("value a: bool = [ b,c ]==[ ] and d [1] in[e] [2]\n",
          "value a: bool = [b, c] == [] and d[1] in [e][2]\n")  # fmt: skip


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


def test_an_action_with_several_parameters_has_them_one_to_a_line() -> None:
    broken = "action a in b by p (\n    c from d,\n    n from 1..3) {\n  stop\n}\n"
    check("action a in b by p (c from d, n from 1..3) { stop }\n", broken)
    check("action a in b by p (\n c from f(x, y)) {\n  stop\n}\n",
          "action a in b by p (c from f(x, y)) {\n  stop\n}\n")  # fmt: skip
    inner = "  action a_long_name in some_phase by somebody (\n      {0} from options({0})) {{\n"
    name = "a_parameter_with_a_name_"
    check(
        f"thing t {{\n action a_long_name in some_phase by somebody ({name} from options({name}))"
        " {\n stop\n}\n}\n",
        f"thing t {{\n{inner.format(name)}    stop\n  }}\n}}\n",
    )


TAGS = "tags A-rather-long-tag-1, A-rather-long-tag-2, A-rather-long-tag-3"


def test_citations_and_tags_of_a_declaration_that_have_no_room_move_into_its_block() -> None:
    check(
        f'value a(p: player, q: player): int = 7  cites W "1", E "2" {TAGS}  # why\n',
        f'value a(p: player, q: player): int = 7 {{  # why\n  cites W "1", E "2" {TAGS}\n}}\n',
    )
    check(
        f'thing a "Something with a title of some length"  {TAGS} {{\n  # first\n  b: 1\n}}\n',
        f'thing a "Something with a title of some length" {{\n  {TAGS}\n  # first\n  b: 1\n}}\n',
    )
    title = '"Something with a title of some length"'
    cited = f'cites W "{"1" * 20}", E "{"2" * 20}"'
    check(
        f"thing a {title}  {cited} {{ tags A-1 }}\n",
        f"thing a {title} {{\n  {cited} tags A-1\n}}\n",
    )
    more = TAGS.replace("-tag-", "-tag-again-").removeprefix("tags ")
    check(
        f'value a: int = 7  cites W "1", E "2" {TAGS}, {more[:22]}\n',
        f'value a: int = 7 {{\n  cites W "1", E "2"\n  {TAGS}, {more[:22]}\n}}\n',
    )


def test_what_only_a_title_names_has_more_room_for_its_citations() -> None:
    long = f'scenario "Something told in a sentence"  {TAGS} {{'
    assert 100 < len(long) <= 120
    check(f"{long}\n  players a, b\n}}\n", f"{long}\n  players a, b\n}}\n")
    longer = 'scenario "Something that is told in a sentence of its own that is longer"'
    assert len(f"{longer}  {TAGS} {{") > 120
    check(
        f"{longer}  {TAGS} {{\n  players a, b\n}}\n",
        f"{longer} {{\n  {TAGS}\n  players a, b\n}}\n",
    )


def test_a_line_is_rather_broken_before_what_citations_follow_than_inside_them() -> None:
    check(
        f"value a(p: player): int = number(p) + other(p)  {TAGS}\n",
        f"value a(p: player): int =\n    number(p) + other(p)  {TAGS}\n",
    )
    check(
        f"rule a {{\n  modify something_long(holder) by adding a.land {TAGS}\n}}\n",
        f"rule a {{\n  modify something_long(holder)\n      by adding a.land  {TAGS}\n}}\n",
    )
    check(
        f"value a: set of area = {{b in areas where not free(b) or it_falls_here(b)}} {TAGS}\n",
        f"value a: set of area = {{b in areas where not free(b)\n"
        f"    or it_falls_here(b)}}  {TAGS}\n",
    )
    said = '"Something that is said when this is forbidden, and it takes a while."'
    check(
        f"rule a {{\n  forbid b(p) {said} {TAGS}\n}}\n",
        f"rule a {{\n  forbid b(p)\n      {said}  tags A-rather-long-tag-1,\n"
        "      A-rather-long-tag-2, A-rather-long-tag-3\n}\n",
    )


def test_comments_among_citations_stay_there() -> None:
    check(
        "value a(p: player, q: player): int = 7  tags A-rather-long-tag-1,  # one\n"
        "    A-rather-long-tag-2, A-rather-long-tag-3, A-rather-long-tag-4\n",
        "value a(p: player, q: player): int = 7  tags A-rather-long-tag-1,  # one\n"
        "    A-rather-long-tag-2, A-rather-long-tag-3, A-rather-long-tag-4\n",
    )


def test_citations_and_the_tags_below_them_share_a_line() -> None:
    check('phase a {\n  cites W "1"\n  tags A-1, A-2\n  needs yes\n}\n',
          'phase a {\n  cites W "1" tags A-1, A-2\n  needs yes\n}\n')  # fmt: skip
    for kept in ('cites W "1"  # so\n  tags A-1', 'cites W "1"\n\n  tags A-1',
                 'tags A-1\n  cites W "1"', 'cites W "1"\n  # so\n  tags A-1'):  # fmt: skip
        check(f"phase a {{\n  {kept}\n}}\n", f"phase a {{\n  {kept}\n}}\n")
    check('phase a {\n  tags A-1 cites W "1"\n  tags A-2 tags A-3\n}\n',
          'phase a {\n  tags A-1\n  cites W "1" tags A-2\n  tags A-3\n}\n')  # fmt: skip
    cited = f'cites W "{"1" * 20}", E "2"'
    check(f"phase a {{\n  {cited}\n  {TAGS}\n}}\n", f"phase a {{\n  {cited}\n  {TAGS}\n}}\n")
    check(f"phase a {{\n  {cited} {TAGS}\n}}\n", f"phase a {{\n  {cited}\n  {TAGS}\n}}\n")


@given(st.integers(1, 90), st.integers(1, 40), st.integers(1, 30), st.integers(0, 3))
def test_tags_stay_together_at_every_length(name: int, amount: int, tag: int, many: int) -> None:
    tags = "tags " + ", ".join(f"A-{'x' * tag}" for _ in range(many + 1))
    head = f"value {'n' * name}: int = {'9' * amount}"
    found = format_checked(Source("test.rules", f"{head} {tags}\n"))
    assert found.findings == ()
    lines = found.text.splitlines()
    if 2 + len(tags) <= WIDTH:
        assert [line.strip().endswith(tags) for line in lines].count(True) == 1
    assert all(len(line) <= WIDTH for line in lines) or len(head) + 2 > WIDTH
    assert format_source(Source("test.rules", found.text)) == found.text


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sampled(FILES, 4, name), ids=name)
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


def test_signs_of_changes_stay_with_what_they_add_and_take() -> None:
    check("amend area a { land + b   - c  +d }\n", "amend area a { land +b -c +d }\n")
    check("amend area a { row for iron  + 1 }\n", "amend area a { row for iron +1 }\n")
