"""Broken packs, one mistake each: what their authors are told, word for word.

`python -m tests.dsl.regold` writes the golden files anew.
"""

import re
from pathlib import Path

import pytest

from tests.dsl.linked import BASE, WHOLE, base_for, codes, link_text
from tests.dsl.regold import cases, shown
from ziggurat.dsl.codes import all_codes, page

LINKER = [code for code in all_codes() if code[1] in "234567"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.stem)
def test_what_the_author_is_told(case: Path) -> None:
    assert shown(case) == case.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.stem)
def test_one_mistake_is_one_finding(case: Path) -> None:
    code = case.stem.partition("_")[0]
    assert codes(case.read_text(encoding="utf-8"), base_for(code)) == [code]


def test_the_base_is_sound() -> None:
    assert BASE
    assert link_text("").diagnostics == ()
    assert link_text("", WHOLE).diagnostics == ()


@pytest.mark.parametrize("code", LINKER)
def test_the_examples_of_the_catalogue(code: str) -> None:
    found = page(code)
    assert found is not None
    wrong, right = (
        re.findall(r"^```rules\n(.+?)^```$", found.sections[name], re.M | re.S)[0]
        for name in ("Wrong", "Right")
    )
    base = base_for(code)
    assert codes(wrong, base) == [code]
    assert codes(right, base) == []
    assert link_text(wrong, base).diagnostics[0].severity == found.severity
