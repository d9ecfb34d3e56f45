"""The parser's tables: kept between runs, and done without where Lark's insides are others."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lark.parsers.lalr_parser import LALR_Parser

from tests.dsl import linked, test_parse_broken
from tests.dsl.test_parse_lark import FILES, name
from tests.sampling import sampled, slow
from ziggurat.dsl import grammar, lexer, messages, syntax_errors, table_parser, tables
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.lark_fallback import LarkParser, agrees_with_lark
from ziggurat.dsl.parse import parse_expression, parse_source, read
from ziggurat.dsl.recovery import Recovery
from ziggurat.dsl.report_text import human_text
from ziggurat.dsl.syntax import outline

REMEMBERED: list[Any] = [
    tables.tables, tables._found, tables.literals, tables.keywords, tables.item_starts,
    table_parser.compiled_tables, lexer.literals, syntax_errors.spelling, messages._item_words,
]  # fmt: skip


def forget() -> None:
    for function in REMEMBERED:
        function.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new place for tables, and nothing remembered of the old one."""
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path / "cache"))
    forget()
    yield tmp_path / "cache"
    forget()


def fresh() -> tables.Tables:
    forget()
    found = tables.tables()
    assert found is not None
    return found


# ---- kept -----------------------------------------------------------------------------------


def test_tables_are_kept_and_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fresh()
    assert len([*folder.iterdir()]) == 1
    monkeypatch.setattr(tables, "work_out", lambda: pytest.fail("they were there"))
    again = fresh()
    assert (again.actions, again.gotos, again.rules) == (first.actions, first.gotos, first.rules)


def test_damaged_tables_are_worked_out_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fresh()
    (kept,) = folder.iterdir()
    whole = kept.read_bytes()
    packed = json.loads(whole.partition(b"\n")[2])
    monkeypatch.setattr(tables, "work_out", lambda: packed)
    for damaged in (b"", b"\xff\x00", b"abc\n{}", whole[:-100], b"\n" + whole):
        kept.write_bytes(damaged)
        assert fresh().actions == first.actions
        assert kept.read_bytes() == whole


def test_without_a_place_for_them_tables_still_work(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert fresh().starts == {"start": 0, "expr": fresh().starts["expr"]}


# ---- Lark's own parser in their place ---------------------------------------------------------


@pytest.mark.parametrize("path", sampled(FILES, 8, name), ids=name)
def test_both_parsers_make_one_tree(path: Path) -> None:
    reading = read(Source(path.name, path.read_text(encoding="utf-8")))
    parser = LarkParser(reading.tokens, on_mistake=Recovery(reading.tokens, []))
    assert outline(parser.run().parts) == outline(reading.file.tops)
    assert (parser.blocks, parser.line_ends) == (reading.blocks, reading.line_ends)
    assert parser.read_as_names == reading.names


@pytest.fixture
def strange_lark(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A Lark that calls its tables something else."""

    def gone(parser: Any) -> Any:
        raise AttributeError("_parse_table")

    hidden = property(gone, lambda parser, value: None)
    monkeypatch.setattr(LALR_Parser, "_parse_table", hidden, raising=False)
    grammar.lark_with_positions.cache_clear()
    yield folder
    grammar.lark_with_positions.cache_clear()


def test_a_strange_lark_reads_rules(strange_lark: Path) -> None:
    assert tables.tables() is None
    assert linked.link_text("").diagnostics == ()
    found = linked.link_text("area far {")
    assert [(one.code, one.span and one.span.start) for one in found.diagnostics] == [("Z104", 9)]
    assert parse_expression("1 +") is None
    assert outline(parse_expression("a + 1"))[1] == "plus"
    assert [path.name for path in strange_lark.iterdir()] != []


def test_that_there_are_no_tables_is_kept(
    strange_lark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tables.tables() is None
    forget()
    monkeypatch.setattr(tables, "work_out", lambda: pytest.fail("it was known"))
    assert tables.tables() is None


def test_a_strange_lark_finds_what_is_wrong(strange_lark: Path) -> None:
    """The same findings, word for word."""
    assert tables.tables() is None
    cases = [case for case in test_parse_broken.CASES if not case.stem.startswith("Z130")]
    for case in cases:
        _, findings = parse_source(Source(case.name, case.read_text(encoding="utf-8")))
        assert human_text(findings) == case.with_suffix(".txt").read_text(encoding="utf-8")


def _without_names(packed: dict[str, Any]) -> None:
    for rule in packed["rules"]:
        rule[1] = rule[0]


def _with_other_steps(packed: dict[str, Any]) -> None:
    for rule in packed["rules"]:
        rule[3] = rule[3][::-1]


def _with_other_words(packed: dict[str, Any]) -> None:
    packed["literals"]["whence"] = packed["literals"].pop("when")


def _with_missing_gotos(packed: dict[str, Any]) -> None:
    packed["gotos"] = [{} for _ in packed["gotos"]]


@pytest.mark.parametrize(
    "change",
    [_without_names, *map(slow, (_with_other_steps, _with_other_words, _with_missing_gotos))],
)
def test_tables_that_mean_something_else_are_noticed(
    change: Callable[[dict[str, Any]], None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tables.work_out()
    assert packed is not None
    assert agrees_with_lark(tables._unpack(packed))
    change(packed)
    assert not agrees_with_lark(tables._unpack(packed))
    monkeypatch.setattr(tables, "work_out", lambda: packed)
    forget()
    assert tables.tables() is None
