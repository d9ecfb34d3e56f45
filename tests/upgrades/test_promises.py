"""What `docs/compatibility.md` promises is held by tests that are there."""

import json
import re
from pathlib import Path

from tests.upgrades.promises import RECORD, addresses, commands

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "compatibility.md").read_text("utf-8")
PROMISES = json.loads(RECORD.read_text("utf-8"))
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)::(test_\w+)`")


def test_every_promise_names_a_test_that_is_there() -> None:
    table, _, _ = PAGE.partition("\n## ")
    rows = re.findall(r"^\| (?!What \|)(.+) \|$", table, re.M)
    assert len(rows) >= 8
    for row in rows:
        named = NAMED.findall(row)
        assert named, row
        for file, test in named:
            assert f"def {test}(" in (ROOT / file).read_text("utf-8"), test


def test_commands_and_options_are_still_there() -> None:
    now = commands()
    gone = {
        name: [option for option in options if option not in now.get(name, ())]
        for name, options in PROMISES["commands"].items()
        if name not in now or not set(options) <= set(now[name])
    }
    assert gone == {}


def test_addresses_of_the_server_are_still_there() -> None:
    assert set(PROMISES["addresses"]) - set(addresses()) == set()
