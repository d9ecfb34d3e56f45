"""What holds for all tests."""

import os
import sys
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".pytest_cache"

# Tests start many processes. Where no bytecode is kept, each would compile all modules again.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(CACHE / "ziggurat-bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, settings

from ziggurat.dsl import loading
from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.files import write_cached
from ziggurat.dsl.syntax import File
from ziggurat.runtime.saves import cache

pytest_plugins = ["tests.costs"]

# What somebody has installed is not there for tests; what they keep themselves goes away with them.
_library = tempfile.TemporaryDirectory(prefix="ziggurat-library-")
os.environ["ZIGGURAT_LIBRARY"] = _library.name

# Programs that tests compile are kept in the checkout, and many more of them than anybody plays:
# those of every stack, and those of every pack that a test makes.
_programs = CACHE / "ziggurat-programs"
if write_cached(_programs / "probe", b""):  # others may be able to write into a shared checkout
    os.environ["ZIGGURAT_CACHE"] = str(_programs)
cache.KEPT = 300

# The same files are linked in hundreds of tests; a process parses each of them once.
_parse = lru_cache(2000)(loading.parse_source)


def _parse_once(source: Source) -> tuple[File, list[Diagnostic]]:
    file, findings = _parse(source)
    return file, [*findings]


loading.parse_source = _parse_once

# No test depends on how busy the machine is; what a fixture gives serves all examples of a test.
settings.register_profile(
    "patient",
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
    ],
)  # fmt: skip
# What people are told is compared with what they are told in English.
os.environ["LANGUAGE"] = "en"
# The same change passes or fails the same way every time it is checked; at home chance looks on.
settings.register_profile("repeatable", parent=settings.get_profile("patient"), derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "patient")


# These import modules that only POSIX systems have.
collect_ignore = [] if os.name == "posix" else ["studio/test_terminal.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if os.name != "posix" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="this system is not POSIX"))


@pytest.fixture(scope="session", autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """Fail at the end if a test has left a thread or a process running."""
    before = {*threading.enumerate()}
    yield
    threads = {*threading.enumerate()} - before
    assert [thread.name for thread in threads if not thread.daemon] == []
    assert _running_children() == []


def _running_children() -> list[str]:
    """Return the commands of child processes, where the system lists them. The helper that cleans
    up after `multiprocessing` ends with this process."""
    found = []
    for file in Path("/proc/self/task").glob("*/children"):
        for pid in file.read_text(encoding="ascii").split():
            with suppress(OSError):  # it has just ended
                command = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
                if command and "multiprocessing." not in command:
                    found.append(command.replace("\0", " "))
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """The whole suite uses every core; a part of it begins at once, without workers.

    Workers begin with neighbouring tests and take from each other when they are done, so most
    stacks are linked and compiled by one of them only.
    """
    option = config.option
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    part = named or option.keyword or getattr(option, "lf", False)
    if option.numprocesses is None and not (part or option.collectonly or option.usepdb):
        option.numprocesses = "logical"
        option.dist = "worksteal" if option.dist == "no" else option.dist
