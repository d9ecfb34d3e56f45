"""One mistake a file: its one finding, as an author sees it, is a golden file somebody has read.

After a change of messages, `python -m tests.dsl.test_parse_broken` writes them anew. Read the
difference!
"""

from pathlib import Path

import pytest

from dsl.codes import all_codes
from dsl.diagnostics import Diagnostic, Source
from dsl.parse import parse_source
from dsl.report import human_text

BROKEN = Path(__file__).with_name("broken_syntax")
CASES = sorted(BROKEN.glob("*.rules"))
# A file that is too large is refused by size, and a file that is not formatted is not broken.
WITHOUT_CASE = {"Z130"}


def findings(case: Path) -> list[Diagnostic]:
    return parse_source(Source(case.name, case.read_text(encoding="utf-8")))[1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_broken_file_has_one_finding(case: Path) -> None:
    found = findings(case)
    assert [finding.code for finding in found] == [case.stem[:4]]
    assert human_text(found) == case.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_syntax_code_has_a_case() -> None:
    codes = {code for code in all_codes() if code.startswith("Z1")}
    assert {case.stem[:4] for case in CASES} == codes - WITHOUT_CASE
    assert len(CASES) >= 40


def test_golden_files_belong_to_cases() -> None:
    assert sorted(BROKEN.glob("*.txt")) == [case.with_suffix(".txt") for case in CASES]


if __name__ == "__main__":
    for each in CASES:
        each.with_suffix(".txt").write_text(human_text(findings(each)), encoding="utf-8")
