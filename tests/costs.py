"""Report how much processor time each test file, test function and fixture takes.

`pytest --costs` prints the tables after a run; `--costs 20` only the twenty largest rows of each.
The numbers are processor time of the workers and of the processes they waited for, so they do not
depend on how busy the machine is.
"""

import os
from collections import defaultdict
from collections.abc import Generator
from typing import Any

import pytest


def cpu_seconds() -> float:
    """Return the processor time of this process and of the children it has waited for."""
    return sum(os.times()[:4])


class CostRecorder:
    """Measures collection, fixtures and tests. Workers send their tables to the controller."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.rows: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(
            lambda: defaultdict(lambda: [0.0, 0])
        )

    def add(self, table: str, row: str, seconds: float, times: int = 1) -> None:
        entry = self.rows[table][row]
        entry[0] += seconds
        entry[1] += times

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        before = cpu_seconds()
        report = yield
        if isinstance(collector, pytest.File):
            self.add("collection", collector.nodeid, cpu_seconds() - before)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, Any, Any]:
        # Fixtures that this one requests are set up before this hook runs, not inside it.
        before = cpu_seconds()
        try:
            return (yield)
        finally:
            spent = cpu_seconds() - before
            name = f"{fixturedef.baseid or 'pytest'}::{fixturedef.argname}"
            self.add("fixtures", name, spent)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        before = cpu_seconds()
        result = yield
        spent = cpu_seconds() - before
        self.add("files", item.nodeid.partition("::")[0], spent)
        self.add("tests", item.nodeid.partition("[")[0], spent)
        return result

    def pytest_sessionfinish(self) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["costs"] = {t: dict(r) for t, r in self.rows.items()}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})  # a crashed worker has none
        for table, rows in output.get("costs", {}).items():
            for row, (seconds, times) in rows.items():
                self.add(table, row, seconds, times)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        most = self.config.getoption("costs")
        for table in ("files", "tests", "fixtures", "collection"):
            rows = sorted(self.rows[table].items(), key=lambda row: -row[1][0])
            total = sum(seconds for _, (seconds, _) in rows)
            terminalreporter.section(f"processor time: {table}, {total:.0f} s in all")
            for name, (seconds, times) in rows[: most or None]:
                terminalreporter.write_line(f"{seconds:8.1f} s {int(times):6}  {name}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--costs", type=int, nargs="?", const=0, metavar="ROWS",
        help="print the processor time of test files, fixtures and collection (all rows, or ROWS)",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("costs") is not None:
        config.pluginmanager.register(CostRecorder(config))
