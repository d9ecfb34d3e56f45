"""The JSON Schema of `pack.toml` for editors agrees with what Ziggurat reads."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from ziggurat.dsl.manifest import KEYS, NEEDED

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "pack.json").read_text(encoding="utf-8"))
MANIFESTS = sorted(
    path for folder in ("content", "docs/examples", "tests/packs")
    for path in (ROOT / folder).rglob("pack.toml")
)  # fmt: skip
GOOD = {"id": "mine", "title": "Mine", "version": "1.0"}


def is_valid(manifest: object) -> bool:
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(manifest)


def test_schema_is_valid_and_complete() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert set(SCHEMA["properties"]) == set(KEYS)
    assert set(SCHEMA["required"]) == set(NEEDED)


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_manifest_is_valid(path: Path) -> None:
    assert is_valid(tomllib.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "wrong",
    [
        {"extend": ["west"]},
        {"id": "My Pack"},
        {"version": "newest"},
        {"version": 1.0},
        {"players": "some"},
        {"extends": "west"},
        {"extends": ["../west"]},
        {"extends": [1]},
        {"conflicts": {"expert": 3}},
        {"incomplete": "yes"},
        {"sources": "W"},
    ],
    ids=str,
)
def test_mistake_is_invalid(wrong: dict[str, object]) -> None:
    assert is_valid(GOOD)
    assert not is_valid({**GOOD, **wrong})


@pytest.mark.parametrize("key", NEEDED)
def test_missing_key_is_invalid(key: str) -> None:
    assert not is_valid({name: value for name, value in GOOD.items() if name != key})
