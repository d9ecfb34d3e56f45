"""One mistake a file: its one finding, as an author sees it, is a golden file somebody has read.

After a change of messages, `python -m tests.dsl.test_parse_broken` writes them anew. Read the
difference!
"""

import re
from pathlib import Path
from unittest.mock import patch

import pytest

from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.format import format_checked
from ziggurat.dsl.parse import Reading, parse_source
from ziggurat.dsl.report_text import human_text

BROKEN = Path(__file__).with_name("broken_syntax")
CASES = sorted(BROKEN.glob("*.rules"))


def findings(case: Path) -> list[Diagnostic]:
    source = Source(case.name, case.read_text(encoding="utf-8"))
    if case.stem.startswith("Z130"):
        return badly_formatted(source)
    return parse_source(source)[1]


def badly_formatted(source: Source) -> list[Diagnostic]:
    """What a formatter is told that loses the comments of a sound file."""

    def forgetful(reading: Reading) -> str:
        return re.sub(" *#.*", "", reading.file.source.text)

    with patch("ziggurat.dsl.format.lay_out", forgetful):
        return list(format_checked(source).findings)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_broken_file_has_one_finding(case: Path) -> None:
    found = findings(case)
    assert [finding.code for finding in found] == [case.stem[:4]]
    assert human_text(found) == case.with_suffix(".txt").read_text(encoding="utf-8")


def test_golden_files_belong_to_cases() -> None:
    assert sorted(BROKEN.glob("*.txt")) == [case.with_suffix(".txt") for case in CASES]


if __name__ == "__main__":
    for each in CASES:
        each.with_suffix(".txt").write_text(human_text(findings(each)), encoding="utf-8")
