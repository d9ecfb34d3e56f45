"""Rules read like a rulebook: what they cite and their tags stand beside them, not between them."""

import re
from pathlib import Path

import pytest

from tests.stacks import linked
from ziggurat import decision_points

CONTENT = Path(__file__).parents[2] / "content"
_TAG = "[A-Z]+(?:-[A-Za-z0-9]+)+"
_ONLY_CITES = re.compile(rf'\s*+(?!["{{])(?:cites|tags|{_TAG}|[A-Z]\w* "[^"]*"|"[^"]*"|[ ,{{])+')


def test_lines_that_only_cite_are_three_in_a_hundred_at_most() -> None:
    files = sorted(CONTENT.rglob("*.rules"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    only = [line for line in lines if _ONLY_CITES.fullmatch(line)]
    assert len(only) * 100 <= 3 * len(lines), f"{len(only)} of {len(lines)} lines"


def test_what_counts_as_a_line_that_only_cites() -> None:
    cites = ('cites "6.7"', '  cites W "6.1" tags R-1', "  tags A-1, A-2,", "  A-3, A-b-4 {")
    assert all(_ONLY_CITES.fullmatch(line) for line in (*cites, '  E "6.2" tags A-1'))
    others = ("", "}", '    "A title"  tags A-1 {', "value a: int = 1  tags A-1", "# A-1")
    assert not any(_ONLY_CITES.fullmatch(line) for line in others)


@pytest.mark.parametrize(
    "stack", ["west+expert+special_buildings", "east", "mega", "expansion_project"]
)
def test_whatever_people_are_asked_is_asked_in_words(stack: str) -> None:
    assert not [point.path for point in decision_points(linked(stack)) if not point.prompt]
