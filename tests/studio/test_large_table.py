"""Eighteen at a table: what people read fits a terminal of 100 columns."""

import pytest

from ziggurat.studio.cli import main

COLUMNS = 100


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))


def test_a_demonstration(capsys: pytest.CaptureFixture[str]) -> None:
    told = ["demo", "--stack", "mega", "--players", "18", "--option", "last_turn=4"]
    assert main(told) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= COLUMNS
    heading = next(number for number, line in enumerate(lines) if "Treasury" in line)
    assert len({line.split()[0] for line in lines[heading + 1 : heading + 19]}) == 18
