"""The page about adding to the language, applied to a copy of the project: its forms are there."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
STATEMENT, EXPRESSION, COMPILING, SCENARIO = re.split(r"^## ", PAGE, flags=re.M)[1:]
BLOCK = re.compile(
    r'^```\w+ file="(?P<file>[^"]+)"(?: after="(?P<after>[^"]+)")?\n(?P<text>.*?)^```$', re.M | re.S
)
PACK = re.compile(r"^```rules pack\n(.*?)^```$", re.M | re.S)
MANIFEST = 'id = "heaps"\ntitle = "Heaps"\nversion = "1"\nplayers = "2"\n'
TRIED = """
from ziggurat.dsl.linking.hashing import content_hash
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.dsl.printing.whole import ruleset_text
from ziggurat.runtime.kernel.program import walked_program
from ziggurat.proving.scenarios import run_scenario
from ziggurat.runtime.programs import compile_ruleset
from pathlib import Path

folder = Path("packs")
ruleset = load("heaps", Search((folder,))).ruleset
for program in (compile_ruleset(ruleset), walked_program(ruleset)):
    print(run_scenario(program, ruleset.scenarios[0]).failure)
(folder / "heaps" / "heaps.rules").write_text(ruleset_text(ruleset), encoding="utf-8")
again = load("heaps", Search((folder,))).ruleset
print(content_hash(again) == content_hash(ruleset))
print(len(compile_ruleset(ruleset).walked))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with everything on the page done."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for room in ("src", "dsl", "runtime", "proving", "docs", "tests"):
        leave = shutil.ignore_patterns("__pycache__", "golden", "content", "studio", "broken*")
        shutil.copytree(ROOT / room, folder / room, ignore=leave)
    for block in BLOCK.finditer(STATEMENT + EXPRESSION):
        add(folder / block["file"], block["text"], block["after"])
    pack = folder / "packs" / "heaps"
    pack.mkdir(parents=True)
    (pack / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (pack / "heaps.rules").write_text(PACK.findall(SCENARIO)[0], encoding="utf-8")
    return folder


def add(file: Path, text: str, after: str | None) -> None:
    """Put lines at the end of a file, or after the one line that says so."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    found = [n for n, line in enumerate(lines) if after is not None and after in line]
    assert len(found) == (after is not None), f"{file} has {len(found)} lines with {after}"
    place = found[0] + 1 if found else len(lines)
    lines.insert(place, text if found else f"\n\n{text}")
    file.write_text("".join(lines), encoding="utf-8")


def run(copy: Path, *command: str) -> str:
    paths = os.pathsep.join([str(copy / "src"), str(copy)])
    around = {**os.environ, "PYTHONPATH": paths, "ZIGGURAT_CACHE": str(copy / "cache")}
    done = subprocess.run(
        [sys.executable, *command], cwd=copy, env=around, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def touched(section: str) -> Iterator[str]:
    return (block["file"] for block in BLOCK.finditer(section))


def test_a_statement_touches_four_files_and_an_expression_three() -> None:
    assert len(set(touched(STATEMENT))) == 4
    assert len(set(touched(EXPRESSION))) == 3
    assert set(touched(COMPILING)) == {"runtime/compiler/forms/cards.py"}


def test_files_the_page_names_are_there() -> None:
    named = re.findall(r"`((?:dsl|runtime|proving|docs|tests)/[\w./]+)`", PAGE)
    assert named
    assert [file for file in named if not (ROOT / file).is_file()] == []


def test_new_forms_are_walked_until_they_are_compiled(copy: Path) -> None:
    *results, walked = run(copy, "-c", TRIED).split()
    assert results == ["None", "None", "True"]
    assert int(walked) > 0
    rules = copy / "packs" / "heaps" / "heaps.rules"
    rules.write_text(PACK.findall(SCENARIO)[0], encoding="utf-8")
    for block in BLOCK.finditer(COMPILING):
        add(copy / block["file"], block["text"], block["after"])
    assert run(copy, "-c", TRIED).split() == ["None", "None", "True", "0"]


def test_the_new_forms_have_all_their_parts(copy: Path) -> None:
    names = "Reverse or bottom or language or page"
    tests = ("tests/test_forms.py", "tests/dsl/test_language_page.py", "-k", names)
    said = run(copy, "-m", "pytest", "-v", "-p", "no:xdist", *tests)
    assert "test_a_form_has_all_its_parts[Reverse] PASSED" in said
    assert "test_an_operation_has_all_its_parts[bottom] PASSED" in said
