"""What is written for programs contains nothing else, is valid, and names files that exist."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from tests.outputs.python_tools import installed
from tests.runtime.walkers import scenario, walkers
from ziggurat.studio.cli import main

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
GOOD = scenario("tags R-1\n  expect { check strength(reds) == 2 }", "strength")
BAD = scenario("expect { check strength(reds) == 3 }", "wrong \ufffe")
FAULTY = scenario("expect { check strenght(reds) == 3 }", "misspelt")

# Of Jenkins, under the licence at its beginning.
JUNIT = Path(__file__).with_name("junit-10.xsd")
OURS = ("file", "line")  # on test cases: not in the schema, but reporters of build servers use them
VALIDATE = "import sys, xmlschema; xmlschema.validate(sys.stdin.read(), sys.argv[1])"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def moved(tmp_path: Path) -> Path:
    """A pack in a folder of another name."""
    walkers(tmp_path, GOOD)
    scenarios = tmp_path / "walkers" / "walkers.scenarios.rules"
    scenarios.write_text("\n".join((GOOD, BAD, FAULTY)), encoding="utf-8")
    (tmp_path / "walkers").rename(tmp_path / "größer")
    return tmp_path / "größer"


def read_json(text: str, kind: str) -> Any:
    found = json.loads(text)
    schema = json.loads((SCHEMAS / f"{kind}.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(found)
    return found


def read_junit(text: str) -> ElementTree.Element:
    suite = ElementTree.fromstring(text.encode())
    assert suite.tag == "testsuite"
    assert re.fullmatch(r"\d+\.\d{3}", suite.attrib["time"])
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert int(suite.attrib[name]) == len([*suite.iter(tag)])
    return suite


def assert_valid(text: str) -> None:
    """Check a suite, without what is ours, against the schema of Jenkins."""
    suite = ElementTree.fromstring(text.encode())
    for case in suite.iter("testcase"):
        for name in OURS:
            case.attrib.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-c", VALIDATE, str(JUNIT)],
        input=ElementTree.tostring(suite, encoding="unicode"), capture_output=True, text=True,
        env=installed("xmlschema"), check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def paths(value: Any) -> Iterator[str]:
    match value:
        case {"path": str(path)}:
            yield path
    for one in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from paths(one)


def test_scenarios_as_json(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "./größer", "--format", "json"]) == 1
    told = read_json(capsys.readouterr().out, "test")
    assert len(told["scenarios"]) == 3
    assert len({tuple(one) for one in told["scenarios"]}) == 1
    assert {*paths(told)} == {"größer/walkers.scenarios.rules"}


def test_scenarios_as_junit(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "./größer", "--format", "junit"]) == 1
    suite = read_junit(capsys.readouterr().out)
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["3", "1", "1"]
    (failure,) = suite.iter("failure")
    assert failure.get("message") == "expected strength(reds) == 3: strength(reds) is 2"
    assert {Path(case.attrib["file"]).is_file() for case in suite} == {True}


@pytest.mark.slow
def test_junit_is_valid(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for code, *arguments in ((1, "./größer"), (2, "./größer", "nothing like it"), (2, "nothing")):
        assert main(["test", *map(str, arguments), "--format", "junit"]) == code
        assert_valid(capsys.readouterr().out)


@pytest.mark.parametrize("format", ["json", "junit"])
def test_no_scenarios_and_no_stack(
    format: str, moved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def written(code: int, *arguments: str) -> tuple[Any, str]:
        assert main(["test", *arguments, "--format", format]) == code
        out, error = capsys.readouterr()
        assert len(error.strip().splitlines()) == 1
        return (read_json(out, "test") if format == "json" else read_junit(out)), error

    empty, error = written(2, "./größer", "nothing like it")
    assert "no scenarios" in error
    assert (empty["scenarios"] if format == "json" else [*empty]) == []
    (moved / "walkers.rules").write_text("value {", encoding="utf-8")
    broken, error = written(2, "./größer")
    assert "mended" in error
    if format == "json":
        assert {*paths(broken)} == {"größer/walkers.rules"}
    else:
        assert broken.get("errors") == "1"
        assert "größer/walkers.rules:1" in str(next(broken.iter("error")).text)
    written(2, "nothing")


def test_check(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "./größer", "--format", "json"]) == 1
    told = read_json(capsys.readouterr().out, "check")
    assert {*paths(told)} == {"größer/walkers.scenarios.rules", "größer/walkers.rules"}
    (error,) = (one for one in told["findings"] if one["severity"] == "error")
    assert error["location"]["file"] == "walkers.scenarios.rules"
    assert main(["check", "./größer"]) == 1
    assert "--> größer/walkers.scenarios.rules:" in capsys.readouterr().out


def test_diff(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (moved / "walkers.scenarios.rules").unlink()
    other = moved.with_name("other")
    shutil.copytree(moved, other)
    rules = other / "walkers.rules"
    text = rules.read_text(encoding="utf-8") + "value news(): int = 1\n"
    rules.write_text(text, encoding="utf-8")
    assert main(["diff", "./größer", "./other", "--format", "json"]) == 0
    (entry,) = read_json(capsys.readouterr().out, "diff")["entries"]
    assert (entry["change"], entry["path"]) == ("added", "value news")


def test_diff_of_what_cannot_be_loaded(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@localhost", "-C", str(moved.parent)]
    for arguments in (["init", "-q"], ["add", "größer"], ["commit", "-qm", "Begin"]):
        subprocess.run([*git, *arguments], check=True)
    for stack, path in (("./größer", "größer/"), ("./größer@HEAD", "HEAD:größer/")):
        assert main(["diff", stack, "./größer", "--format", "json"]) == 2
        out, error = capsys.readouterr()
        assert "mended" in error
        names = ("walkers.scenarios.rules", "walkers.rules")
        assert {*paths(read_json(out, "check"))} == {path + name for name in names}
    assert main(["diff", "./größer", "./größer", "--format", "html"]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert "--> größer/walkers.scenarios.rules" in error
