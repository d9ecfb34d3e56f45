"""The page about testing is true: its scenarios pass, and its commands say what it says."""

import re
from pathlib import Path

import pytest

from tests.sampling import slow
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.parse import parse_source
from ziggurat.studio.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "testing.md").read_text(encoding="utf-8")
MANIFEST = PAGE.partition("```toml\n")[2].partition("```")[0]
VARIANT = 'id = "stout_walls"\ntitle = "Stout walls"\nversion = "1"\nextends = ["rulings"]\n'
# In the order of the page: text of one of the packs, or a command with what it says.
STEPS = re.findall(r"```(rules|rules variant|console)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [number for number, (what, _) in enumerate(STEPS) if what == "console"]


def packs(folder: Path, steps: list[tuple[str, str]]) -> None:
    """What the page has of both packs up to a command; of the rulings, all that it has."""
    texts = {
        "rulings": [text for what, text in STEPS if what == "rules"],
        "stout_walls": [text for what, text in steps if what == "rules variant"],
    }
    for name, manifest in (("rulings", MANIFEST), ("stout_walls", VARIANT)):
        (folder / name).mkdir()
        (folder / name / "pack.toml").write_text(manifest, encoding="utf-8")
        (folder / name / "rules.rules").write_text("".join(texts[name]), encoding="utf-8")


@pytest.mark.parametrize(
    "at",
    [COMMANDS[0], *map(slow, COMMANDS[1:])],
    ids=lambda at: STEPS[at][1].partition("\n")[0][2:],
)
def test_commands_say_what_the_page_says(
    at: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packs(tmp_path, STEPS[:at])
    monkeypatch.chdir(tmp_path)
    command, *told = STEPS[at][1].strip().split("\n")
    arguments = re.findall(r'"([^"]*)"|(\S+)', command.removeprefix("$ ziggurat "))
    main([quoted or plain for quoted, plain in arguments])
    lines = iter(capsys.readouterr().out.splitlines())
    for line in told:
        assert any(line == one.rstrip() for one in lines), line


def test_it_has_five_scenarios_upon_west_and_one_upon_them() -> None:
    for what, number in (("rules", 5), ("rules variant", 1)):
        text = "".join(text for kind, text in STEPS if kind == what)
        tops = parse_source(Source("page.rules", text))[0].tops
        assert sum(getattr(top, "word", "") == "scenario" for top in tops) == number
