"""Statements of balance reports are right as often as they claim (`benchmarks/calibration.py`)."""

import re

import pytest

from benchmarks import calibration
from benchmarks.calibration import Effort
from benchmarks.pool import read


def test_levels_are_rarely_told_apart() -> None:
    """More than 12 of 100, and more than 6 of 40, come by chance in less than 0.3 % at 5 %."""
    assert calibration.mistakes_about_chance(3, 10, 100) <= 0.12
    assert calibration.mistakes_about_chance(9, 10, 100) <= 0.12
    assert calibration.mistakes_of_comparing(read("west5"), 14, 40, whole=False).main <= 6 / 40
    assert calibration.mistakes_of_comparing(read("west5"), 20, 4, whole=True).whole <= 2 / 4


def test_mistakes_would_be_found() -> None:
    """Whoever always wins is named, so the share of mistakes can be something else than 0."""
    rules, games = read("west5").rules, read("west5").games[:40]
    won = [
        calibration.rank(game, [("side 1", 9), ("side 2", number)])
        for number, game in enumerate(games, -40)
    ]
    report = calibration.Report((calibration.summarize(rules, won),))
    assert any("1 won more often" in line for line in calibration.unlike_chance(report))


def test_intervals_hold() -> None:
    assert min(calibration.coverage_of_means(10, 200).values()) >= 0.89
    assert calibration.coverage_of_gaps(30, 200) >= 0.89
    assert min(calibration.coverage_of_differences(10, 100).values()) >= 0.84
    assert all(calibration.coverage_of_shares(games) >= 0.95 for games in (10, 30))
    drawn = calibration.coverage_in_reports(read("west5"), 10, 10)
    assert min(alone for alone, _ in drawn.values()) >= 0.7


def test_stated_power_is_what_is_measured() -> None:
    for case in calibration.powers(read("west5"), 8, 60, 40):
        assert abs(case.stated - case.measured) <= 0.25
    points, _ = calibration.powers(read("west5"), 16, 60, 10)
    assert min(points.stated, points.measured) >= 0.7


def test_measured_figures_keep_what_reports_claim() -> None:
    """These are the figures of the page, which the next test makes anew."""
    rows = re.findall(r"^\| (.+) \|$", written(), re.MULTILINE)
    cells = [row.split(" | ") for row in rows if "---" not in row]
    mistakes = [row for row in cells if row[1:2] in (["5 %"], ["10 %"])]
    assert len(mistakes) == 10
    for _, most, measured in mistakes:
        # Three standard errors of few reports more than is claimed.
        assert max(percents(measured)) <= (8.0 if most == "5 %" else 14.0)
    means = [row for row in cells if row[0].startswith(("mean, ", "share, ", "difference of "))]
    assert len(means) == 10
    for _, *measured in means:
        assert min(percents(" ".join(measured))) >= 93
    (widths,) = [row[1:] for row in cells if row[0].startswith("width ")]
    assert max(map(float, widths)) <= 1.2
    powers = [percents(f"{stated} {shown}") for _, _, stated, shown in cells[-12:]]
    assert all(abs(stated - shown) <= 12 for stated, shown in powers)


@pytest.mark.slow
def test_tables_of_the_page_are_measured() -> None:
    assert calibration.text(Effort()) == written()


def written() -> str:
    return calibration.written(calibration.PAGE.read_text(encoding="utf-8"))


def percents(text: str) -> list[float]:
    return [float(part) for part in re.findall(r"([\d.]+) %", text)]
