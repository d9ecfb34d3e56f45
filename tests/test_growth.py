"""Effort grows in proportion to packs: a small sample of `benchmarks/growth.py`."""

from functools import partial
from pathlib import Path

import pytest

from benchmarks.growth import SUBJECTS, Subject
from tests.effort import lines_run
from ziggurat.dsl.comparing.provisions import Link, joined

# Reading and linking have tests of their own; maps and packs upon core take a while.
SAMPLE = [
    subject
    for subject in SUBJECTS
    if subject.name.startswith(("completion", "code lenses", "an edit", "colours", "diff"))
    and "core" not in subject.name
]
SIZE = 16


@pytest.mark.parametrize("subject", SAMPLE, ids=lambda subject: subject.name)
def test_effort_grows_in_proportion(subject: Subject, tmp_path: Path) -> None:
    """From one double size to the next the effort that is added doubles, too."""
    check_growth(subject, SIZE, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_effort_of_larger_packs_grows_in_proportion(subject: Subject, tmp_path: Path) -> None:
    check_growth(subject, 3 * SIZE, tmp_path)


def test_joining_differences_grows_in_proportion() -> None:
    """Joined are pairs with a tag of their own, and what only one of them uses."""

    def links(number: int) -> list[Link]:
        pairs = [
            Link(frozenset({f"R-{n // 2}"}), frozenset(), frozenset({("value", f"v{n}")}),
                 frozenset()) for n in range(number)
        ]  # fmt: skip
        helpers = [
            Link(frozenset(), frozenset(), frozenset({("value", f"h{n}")}),
                 frozenset({("value", f"v{n}")})) for n in range(number)
        ]  # fmt: skip
        return [*pairs, *helpers]

    assert all(len(group) == 4 for group in joined(links(20)))
    lines = []
    for number in (50, 100, 200):
        sample = links(number)
        lines.append(lines_run(partial(joined, sample)))
    check_lines(lines)


def check_growth(subject: Subject, size: int, folder: Path) -> None:
    lines = []
    for number, factor in enumerate((1, 1, 2, 4)):  # the first time also fills caches
        home = folder / str(number)
        home.mkdir()
        lines.append(lines_run(subject.prepare(home, size * factor)))
    check_lines(lines[1:])


def check_lines(lines: list[int]) -> None:
    small, middle, large = lines
    assert large - middle <= 1.15 * 2 * (middle - small), (small, middle, large)
