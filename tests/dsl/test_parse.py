"""Parsing: every mistake in one run, nothing spurious, and whatever can be read is in the tree."""

import re

import pytest

from tests.effort import for_text, within
from ziggurat.dsl.codes import all_codes, page
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.grammar import END, lark_parser, vocabulary
from ziggurat.dsl.parse import parse_expression, parse_source
from ziggurat.dsl.syntax import Declaration, File, Node
from ziggurat.dsl.syntax_errors import expectation
from ziggurat.dsl.tables import keywords, literals, tables

PROCEDURE = "procedure p{n}(p: player) {{\n  let n = size(hand(p))\n  {line}\n  stop\n}}\n"


def parse(text: str) -> tuple[File, list[str]]:
    """The file, and `code line:column marked text` of each finding."""
    file, findings = parse_source(Source("test.rules", text))
    shown = []
    for finding in findings:
        assert finding.span is not None
        shown.append(
            f"{finding.code} {finding.span.line}:{finding.span.column} {finding.span.text}"
        )
    return file, shown


def ids(file: File) -> list[str]:
    return [top.id for top in file.tops if isinstance(top, Declaration)]


# ---- what is read -------------------------------------------------------------------------------


def test_an_empty_file_is_a_file() -> None:
    assert parse("")[1] == []
    assert parse("\n\n  # nothing\n")[0].tops == ()


def test_comments_are_kept_with_their_places() -> None:
    text = "# one\nvalue a: int = 1  # two\n\n  # three  \n"
    file, found = parse(text)
    assert found == []
    assert [*map(str, file.comments)] == ["# one", "# two", "# three"]
    assert [file.span(comment).text for comment in file.comments] == ["# one", "# two", "# three"]


def test_positions_are_offsets_of_the_text() -> None:
    text = 'phase one "One" {\n  needs yes\n    and no\n}\n'
    file, _ = parse(text)
    phase = file.tops[0]
    assert isinstance(phase, Declaration)
    assert phase.items is not None
    assert file.span(phase).text == text.rstrip()
    assert file.span(phase.items[0]).text == "needs yes\n    and no"


def test_a_tag_is_a_tag_only_after_tags() -> None:
    _, found = parse("value a: int = X-4-b  tags X-4-b, Y-1\n")
    assert found == []


def test_words_of_the_language_are_names_where_nothing_else_fits() -> None:
    _, found = parse(
        "action a in b by p (to from players, give: 2 from to) {\n  set p.a = to\n  stop\n}\n"
    )
    assert found == []


def test_expressions_on_their_own() -> None:
    node = parse_expression("size(give) + 1")
    assert isinstance(node, Node)
    assert node.rule == "plus"
    assert [parse_expression(bad) for bad in ("", "1 +", "(1", "a b c", "“x”")] == [None] * 5


# ---- what is wrong ------------------------------------------------------------------------------


def test_every_mistake_is_found_in_one_run() -> None:
    lines = [
        "let a == 3",
        "n++",
        "chose x by p from areas",
        "let b = max(n 3)",
        "say “x”",
        "let c",
    ]
    text = "".join(PROCEDURE.format(n=n, line=line) for n, line in enumerate(lines))
    file, found = parse(text)
    assert [one.split()[0] for one in found] == ["Z111", "Z112", "Z102", "Z119", "Z108", "Z103"]
    assert ids(file) == [f"p{n}" for n in range(len(lines))]


def test_what_is_broken_is_dropped_and_its_neighbours_stay() -> None:
    file, found = parse("procedure a() {\n  let x = 1\n  let y 2\n  let z = 3\n}\n")
    assert found == ["Z101 3:9 2"]
    top = file.tops[0]
    assert isinstance(top, Declaration)
    assert [str(item.parts[0]) for item in top.items or () if isinstance(item, Node)] == ["x", "z"]


def test_a_block_under_a_broken_head_is_read() -> None:
    file, found = parse('phase one "One" : : {\n  once {\n    let x == 1\n  }\n  perform two\n}\n')
    assert [one.split()[0] for one in found] == ["Z101", "Z111"]
    top = file.tops[0]
    assert isinstance(top, Declaration)
    assert top.id == "one"
    assert [item.rule for item in top.items or () if isinstance(item, Node)] == ["once", "perform"]


def test_a_block_under_a_broken_step_leaves_no_trace() -> None:
    file, found = parse("procedure a() {\n  for ech x in y {\n    let z == 1\n  }\n  stop\n}\n")
    assert [one.split()[0] for one in found] == ["Z118", "Z111"]
    top = file.tops[0]
    assert isinstance(top, Declaration)
    assert [item.rule for item in top.items or () if isinstance(item, Node)] == ["stop"]


def test_lost_braces_do_not_spread() -> None:
    text = "".join(PROCEDURE.format(n=n, line="if n > 3 {" if n == 1 else "skip") for n in range(9))
    file, found = parse(text)
    assert found == ["Z104 8:12 {"]
    assert ids(file) == [f"p{n}" for n in range(9)]


def test_a_hundred_mistakes_in_a_large_file() -> None:
    lines = ["let a == 3", "x = 4", "stop )", "chose x by p from areas", 'say "hello']
    text = "".join(
        PROCEDURE.format(n=n, line=lines[n // 8 % 5] if n % 8 == 0 else "skip  # " + "x" * 240)
        for n in range(800)
    )
    assert len(text) > 200_000
    file, found = within(for_text(text), lambda: parse(text))
    assert len(found) == 100
    assert len(file.tops) == 800


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{" * 10_000, "Z109"),
        ("value a: int = " + "(" * 10_000 + "1" + ")" * 10_000, "Z109"),
        ("value a: int = " + "not " * 10_000 + "yes", "Z109"),
        ("value a: int = " + " + ".join(["1"] * 10_000), "Z109"),
        ("procedure a() {\n" + "if b { c() } else " * 5_000 + "{ d() }\n}\n", "Z109"),
        ("x" * 1_000_001, "Z002"),
        ("\0" * 1_000, "Z107"),
        ("}" * 100_000, "Z105"),
        ('"' * 99_999, "Z106"),
        ("say '" * 50_000, "Z108"),
        ("\n " * 300_000, ""),
        ("(\n" * 60, "Z104"),
    ],
    ids=lambda value: value[:20],
)
def test_hostile_texts_end_soon(text: str, code: str) -> None:
    _, found = within(for_text(text), lambda: parse(text))
    assert (found[-1].split()[0] if found else "") in (code, "Z101")
    assert (code in {one.split()[0] for one in found}) is bool(code)


# ---- what is said -------------------------------------------------------------------------------


def test_every_part_of_the_grammar_has_a_plain_name() -> None:
    parts = vocabulary()["parts"]
    spelt = set(literals().values())
    terminals = {terminal.name for terminal in lark_parser().terminals} | {END}
    assert [name for name in terminals if name not in parts and name not in spelt] == []
    assert [name for name in parts if name not in terminals] == []
    grouped = {part for group in vocabulary()["groups"] for part in (*group["of"], *group["also"])}
    assert grouped - {"*"} <= terminals


def test_expectations_are_short_and_plain() -> None:
    for row in tables().actions:
        said = expectation(row)
        assert said
        assert said.count(",") <= 6
        assert not re.search(r"[A-Z]{3}|_NL|ANON|\$", said)


def test_the_words_that_cannot_be_names_are_words_of_the_language() -> None:
    assert set(vocabulary()["reserved"]["words"]) <= set(keywords())


def codes_of(example: str) -> tuple[list[str], list[str]]:
    """The codes found in an example as a file, and as the lines of a procedure."""
    whole = [one.split()[0] for one in parse(example)[1]]
    inside = [one.split()[0] for one in parse(f"procedure a() {{\n{example}\n}}\n")[1]]
    return whole, inside


@pytest.mark.parametrize("code", [code for code in all_codes() if "Z101" <= code < "Z130"])
def test_the_examples_of_the_catalogue_are_true(code: str) -> None:
    found = page(code)
    assert found is not None
    wrong, right = (
        found.sections[name].removeprefix("```rules\n").removesuffix("\n```")
        for name in ("Wrong", "Right")
    )
    assert [] in codes_of(right)
    if code != "Z109":  # its example is only described
        assert any(code in codes for codes in codes_of(wrong))
