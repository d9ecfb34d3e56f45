"""What holds for all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# What somebody has installed is not there for tests.
os.environ["ZIGGURAT_LIBRARY"] = str(Path(__file__).parent / "no_library")

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
