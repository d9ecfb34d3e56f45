"""A pack whose rules changed since the last release has a new version."""

from pathlib import Path

import pytest

from tests.upgrades.released import read_released, shipped, unchanged_versions
from ziggurat import Search

MANIFEST = 'id = "heaps"\ntitle = "Heaps"\nversion = "{}"\nplayers = "2"\n'
RULES = 'attribute score of player: int = 0\nscenario "A" { }\n'


def made(folder: Path, version: str, rules: str) -> Search:
    pack = folder / version / "heaps"
    pack.mkdir(parents=True, exist_ok=True)
    (pack / "pack.toml").write_text(MANIFEST.format(version))
    (pack / "heaps.rules").write_text(rules)
    return Search((folder / version,))


def test_packs_that_changed_since_the_last_release_have_new_versions() -> None:
    assert list(unchanged_versions(read_released(), shipped())) == []


@pytest.mark.parametrize(
    ("version", "rules", "is_named"),
    [
        ("1", RULES.replace("= 0", "= 1"), True),
        ("2", RULES.replace("= 0", "= 1"), False),
        ("1", f"# What is kept.\n\n{RULES}", False),
        ("1", RULES.replace('"A"', '"B"'), False),
    ],
)
def test_a_changed_rule_needs_a_new_version(
    tmp_path: Path, version: str, rules: str, is_named: bool
) -> None:
    released = shipped(made(tmp_path / "then", "1", RULES))
    now = shipped(made(tmp_path / "now", version, rules))
    told = list(unchanged_versions(released, now))
    assert [line.split("`")[1] for line in told] == (["heaps"] if is_named else [])
