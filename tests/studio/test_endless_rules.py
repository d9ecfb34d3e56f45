"""Rules that never come to a decision: every command names the rule and ends with exit code 1."""

from pathlib import Path

import pytest

from tests.runtime.walkers import walkers
from ziggurat.studio.cli import main

ENDLESS = 'rule r "R" {{ before walking {{ {} }} }}\n'
TELLING = 'repeat 2000 times { repeat 2000 times { say "x" } }'
COUNTING = "repeat 999999999 times { for each p in players { add 1 to p.score } }"


@pytest.mark.parametrize("body", [TELLING, COUNTING])
@pytest.mark.parametrize(
    "command", [("demo",), ("simulate", "--games", "1", "--policy", "random"), ("play",)]
)
def test_rules_that_never_come_to_a_decision_are_a_mistake_of_their_author(
    command: tuple[str, ...],
    body: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walkers(tmp_path)
    upper = tmp_path / "upper"
    upper.mkdir()
    manifest = 'id = "upper"\ntitle = "Upper"\nversion = "1"\nextends = ["walkers"]\n'
    (upper / "pack.toml").write_text(manifest, encoding="utf-8")
    (upper / "r.rules").write_text(ENDLESS.format(body), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    name, *rest = command
    assert main([name, "upper", *rest, "--packs", str(tmp_path)]) == 1
    told = capsys.readouterr()
    said = told.out + told.err
    assert "upper/r.rules:1" in said
    assert "mistake of the program" not in said
    assert "Traceback" not in said
