"""Packs with one mistake on disk, in `pack.toml` or in a stack: all that `ziggurat check` says.

`python -m tests.dsl.regold` writes the golden files anew.
"""

import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.dsl.packed import BROKEN, MANIFEST, cases, golden, mine, shown
from ziggurat.dsl.codes import page
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Search, resolve_stack
from ziggurat.studio.cli import main

ECHOES = {"Z008": "Z201"}  # too many findings of another code is what Z008 is about


@pytest.mark.parametrize("case", cases())
def test_what_the_author_is_told(case: str) -> None:
    told = shown(case)
    assert told == golden(case).read_text(encoding="utf-8")
    found = re.findall(r"^(?:error|warning)\[(Z\d+)\]", told, re.MULTILINE)
    assert [code for code in found if code != ECHOES.get(case[:4])] == [case[:4]]


def test_golden_files_belong_to_cases() -> None:
    assert sorted(BROKEN.glob("*.txt")) == [golden(case) for case in cases()]


@pytest.mark.parametrize(
    ("owner", "door", "finding"),
    [
        (Path, "open", "error[Z001]: This file cannot be read: permission denied.\n"),
        (os, "scandir", "error[Z001]: This folder cannot be read.\n --> mine/:1:1\n"),
    ],
)
def test_what_may_not_be_read_ends_with_two(
    owner: Any,
    door: str,
    finding: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever runs the tests may read everything, so the doors are locked by hand."""
    monkeypatch.chdir(tmp_path)
    mine("a.rules", b"value rate: int = 2\n")()
    assert main(["check", "./mine"]) == 0
    real = getattr(owner, door)

    def locked(path: Any, *rest: Any) -> Any:
        if str(path).endswith(("mine", ".rules")):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(owner, door, locked)
    assert main(["check", "./mine"]) == 2
    assert finding in capsys.readouterr().out


# ---- the examples of the catalogue --------------------------------------------------------------


def example(code: str, section: str) -> tuple[str, str]:
    """The language and the text of an example."""
    found = page(code)
    assert found is not None
    language, text = re.findall(r"^```(\w+)\n(.+?)^```$", found.sections[section], re.M | re.S)[0]
    return language, text


def of_manifest(text: str) -> list[str]:
    """The codes of a `pack.toml`, of which an example shows only some lines."""
    said = {line.split()[0] for line in text.splitlines()}
    missing = [line for line in MANIFEST.splitlines() if line.split()[0] not in said]
    pack = parse_manifest(Source("pack.toml", "\n".join([*missing, text])), "mine")
    return [found.code for found in pack.findings]


def of_command(text: str) -> list[str]:
    stack = text.removeprefix("ziggurat check ").strip()
    return [found.code for found in resolve_stack(stack, Search())[1]]


@pytest.mark.parametrize("code", ["Z006", "Z011", "Z012", "Z013", "Z015", "Z017", "Z018", "Z019"])
def test_the_examples_of_pack_toml(code: str) -> None:
    wrong = of_manifest(example(code, "Wrong")[1])
    assert set(wrong) == {code}
    assert of_manifest(example(code, "Right")[1]) == []


@pytest.mark.parametrize("code", ["Z020", "Z023", "Z025", "Z026", "Z028", "Z029"])
def test_the_examples_of_stacks(code: str) -> None:
    assert of_command(example(code, "Wrong")[1]) == [code]
    assert of_command(example(code, "Right")[1]) == []
