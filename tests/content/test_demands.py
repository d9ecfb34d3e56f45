"""What the family demands of a variant's data."""

from pathlib import Path

import pytest

from ziggurat import dsl
from ziggurat.dsl.packs import BUILT_IN, Search

MANIFEST = 'id = "mine"\ntitle = "Mine"\nversion = "1"\nextends = ["west"]\n'


@pytest.mark.parametrize(
    ("rules", "code", "told"),
    [
        (
            "amend civilization rome { start: adriatic_sea }",
            "Z516",
            "A civilization starts on land.",
        ),
        (
            "amend civilization rome { epochs: stone_age 0, early_bronze 3 }",
            "Z516",
            "A row of the A.S.T. says where every epoch begins.",
        ),
        ('amend civilization rome { colour: "greenish" }', "Z342", "is no colour"),
        ("amend civilization rome { epochs: stoned_age 0 }", "Z201", "no epoch called"),
        ("amend civilization rome { ranking: 11 }", "Z523", "changes nothing"),
        (
            'scenario "a name" { players romme, celt\n expect { check romme is not celt } }',
            "Z522",
            "`romme`",
        ),
    ],
)
def test_what_cannot_be_meant_is_found(rules: str, code: str, told: str, tmp_path: Path) -> None:
    home = tmp_path / "mine"
    home.mkdir()
    (home / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (home / "mine.rules").write_text(rules, encoding="utf-8")
    found = dsl.load("mine", Search((tmp_path, BUILT_IN))).diagnostics
    assert {one.code for one in found} == {code}
    assert told in found[0].message
