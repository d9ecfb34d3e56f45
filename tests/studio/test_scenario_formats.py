"""`ziggurat test` for programs, again for what failed, and beside a scenario that is faulty."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.studio.cli import main

GOOD = scenario("tags R-1\n  expect { check strength(reds) == 2 }", "strength")
BAD = scenario("expect { check strength(reds) == 3 }", "wrong")
FAULTY = scenario("expect { check strenght(reds) == 3 }", "misspelt")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path / "cache"))


def ran(folder: Path, *arguments: str) -> int:
    return main(["test", "walkers", *arguments, "--packs", str(folder)])


def write(folder: Path, *scenarios: str) -> None:
    (folder / "walkers" / "walkers.scenarios.rules").write_text("\n".join(scenarios))


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD, BAD)
    assert ran(tmp_path, "--format", "json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["stack"] == "walkers"
    good, bad = told["scenarios"]
    assert (good["title"], good["became"], good["fine"]) == ("strength", "still kept", True)
    assert good["cites"] == "R-1"
    assert (bad["title"], bad["became"], bad["fine"]) == ("wrong", "broken", False)
    assert bad["failure"]["actual"] == "strength(reds) is 2"


def test_junit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD, BAD)
    assert ran(tmp_path, "--format", "junit") == 1
    suite = ElementTree.fromstring(capsys.readouterr().out)
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    good, bad = suite.findall("testcase")
    assert good.get("name") == "strength"
    assert good.find("failure") is None
    failure = bad.find("failure")
    assert failure is not None
    assert "strength(reds) is 2" in str(failure.text)
    assert bad.get("file") == str(tmp_path / "walkers" / "walkers.scenarios.rules")
    assert "strength(reds) is 2" in str(failure.get("message"))
    assert ran(tmp_path, "strength", "--format", "junit") == 0


def test_formats_are_for_scenarios_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD)
    assert ran(tmp_path, "--format", "json", "--coverage") == 2
    assert "tells of scenarios only" in capsys.readouterr().err


def test_only_what_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path, GOOD, BAD)
    assert ran(tmp_path, "--failed") == 0
    assert "failed when it was last run" in capsys.readouterr().out
    assert ran(tmp_path) == 1
    assert ran(tmp_path, "strength") == 0
    capsys.readouterr()
    assert ran(tmp_path, "--failed") == 1
    out = capsys.readouterr().out
    assert "BROKEN  wrong" in out
    assert out.endswith("\n1 broken.\n")
    write(tmp_path, GOOD, BAD.replace("== 3", "== 2"))
    assert ran(tmp_path, "--failed") == 0
    assert "1 still kept." in capsys.readouterr().out
    assert ran(tmp_path, "--failed") == 0
    assert "failed when it was last run" in capsys.readouterr().out


def test_a_faulty_scenario_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walkers(tmp_path)
    write(tmp_path, FAULTY, GOOD)
    assert ran(tmp_path) == 1
    out = capsys.readouterr().out
    assert "BROKEN  misspelt" in out
    assert "expected: the scenario can be read" in out
    assert "strenght" in out
    assert "1 still kept, 1 broken." in out
    assert ran(tmp_path, "strength") == 0
    assert ran(tmp_path, "misspelt") == 1


def test_a_faulty_rule_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walkers(tmp_path)
    write(tmp_path, FAULTY, GOOD, "value wrong(): int = nothing_like_it")
    assert ran(tmp_path) == 2
    assert "cannot be used before that is mended" in capsys.readouterr().err


def test_what_was_run_is_kept_until_a_text_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkers(tmp_path, GOOD, BAD)
    assert ran(tmp_path) == 1
    first = capsys.readouterr().out
    with monkeypatch.context() as patched:
        patched.setattr("ziggurat.studio.commands.test.load_tested", None)
        assert ran(tmp_path) == 1
        assert capsys.readouterr().out == first
        assert ran(tmp_path, "strength") == 0
        assert "1 still kept." in capsys.readouterr().out
        assert ran(tmp_path, "nothing like it") == 2
    write(tmp_path, GOOD, BAD.replace("== 3", "== 2"))
    assert ran(tmp_path) == 0
    for entry in (tmp_path / "cache" / "programs").iterdir():
        entry.write_bytes(b"damaged")
    assert ran(tmp_path) == 0
