"""Every finding that can be reported has a page, and every page is complete."""

import re
from pathlib import Path

import pytest

from tests.dsl import packed, regold, test_parse_broken
from ziggurat.dsl.codes import CATALOGUE, SECTIONS, all_codes, page

ROOT = Path(__file__).parents[2]
USED = sorted(
    {
        code
        for room in ("dsl", "runtime", "studio")
        for path in (ROOT / room).rglob("*.py")
        for code in re.findall(r"""["'](Z\d{3})["']""", path.read_text(encoding="utf-8"))
    }
)


def test_every_code_in_use_has_a_page_and_every_page_is_in_use() -> None:
    assert [code for code in USED if page(code) is None] == [], "write dsl/catalogue/CODE.md"
    assert [code for code in all_codes() if code not in USED] == []


def test_every_code_has_a_broken_pack_with_a_golden_file() -> None:
    files = [*regold.cases(), *test_parse_broken.CASES]
    cases = [path.stem for path in files] + packed.cases()
    assert [code for code in all_codes() if not any(case.startswith(code) for case in cases)] == []
    assert len(cases) >= 80


@pytest.mark.parametrize("code", all_codes())
def test_every_page_is_complete(code: str) -> None:
    found = page(code)
    assert found is not None
    assert found.code == code
    assert found.title.strip()
    assert found.severity in ("error", "warning", "note")
    assert tuple(found.sections) == SECTIONS
    assert all(found.sections.values())
    examples = [found.sections[name] for name in ("Wrong", "Right")]
    blocks = [re.findall(r"^```\w+\n(.+?)^```$", text, re.M | re.S) for text in examples]
    assert all(blocks), "both examples need a code block"
    assert blocks[0] != blocks[1]


def test_the_catalogue_holds_only_pages() -> None:
    assert sorted(path.name for path in CATALOGUE.iterdir()) == [f"{c}.md" for c in all_codes()]


def test_pages_are_found_in_any_case_and_unknown_ones_are_none() -> None:
    assert page("z012") == page("Z012")
    assert page("Z999") is None
    assert page("../../pyproject") is None


def test_a_page_is_markdown() -> None:
    found = page("Z012")
    assert found is not None
    assert found.markdown.startswith("# Z012: Unknown key in pack.toml\n\n## What it means\n\n")
