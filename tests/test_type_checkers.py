"""Type checkers find the packages of a checkout that is installed for development."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hatch_build import PACKAGES, link_packages
from tests.editor import npm

CHECKOUT = Path(__file__).parents[1]


def lay_out(root: Path) -> Path:
    for name in PACKAGES:
        (root / name).mkdir(parents=True)
        (root / name / "__init__.py").touch()
    (root / "src" / "ziggurat").mkdir(parents=True)
    return root


def test_packages_are_linked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = lay_out(tmp_path)
    for _ in range(2):
        link_packages(root)
        for name in PACKAGES:
            assert (root / "src" / "ziggurat" / name / "__init__.py").samefile(
                root / name / "__init__.py"
            )
    assert capsys.readouterr().err == ""


@pytest.mark.posix
def test_links_of_moved_checkout_are_made_anew(tmp_path: Path) -> None:
    root = lay_out(tmp_path)
    link = root / "src" / "ziggurat" / "dsl"
    link.symlink_to(tmp_path / "gone", target_is_directory=True)
    link_packages(root)
    assert link.samefile(root / "dsl")


def test_missing_links_are_only_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link_packages(tmp_path)
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == len(PACKAGES)
    assert errors[0].startswith("Type checkers will not find `dsl`: ")


@pytest.mark.slow
def test_pyright_finds_nothing(tmp_path: Path) -> None:
    environment = npm.install("pyright@1")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(
        [*listed, "pyproject.toml", "src", *PACKAGES], cwd=CHECKOUT, capture_output=True, check=True
    ).stdout
    for name in filter(None, os.fsdecode(files).split("\0")):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((CHECKOUT / name).read_bytes())
    link_packages(tmp_path)
    pyright = Path(environment["NODE_PATH"], "pyright", "index.js")
    done = subprocess.run(
        ["node", str(pyright), "--pythonpath", sys.executable, "--outputjson"],
        cwd=tmp_path, capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert [(one["file"], one["message"]) for one in report["generalDiagnostics"]] == []
    assert report["summary"]["filesAnalyzed"] > 500
