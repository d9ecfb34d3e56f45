"""Pages that show files and commands are true: the files are made, the commands say what is shown.

A block with `file="…"` is written there; each command of a `console` block runs where the page has
come to, and what it says has the lines shown, in their order. A line may be the beginning of one.
"""

import re
import shlex
from pathlib import Path

import pytest
from rich.console import Console

from tests.sampling import slow
from ziggurat.studio.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGES = (
    "own-game.md", "pack-toml.md", "sharing.md",
    *map(slow, (
        "first-pack.md", "templates.md",
        "civilization.md", "calamity.md", "board.md", "taking-away.md", "house-rules.md",
        "edition.md", "seven-ages.md", "balance.md",
    )),
)  # fmt: skip
WIDTH = 100
EXACT = ("first-pack.md",)  # whoever copies it gets this and nothing else
BLOCK = re.compile(r'^```(\w+)(?: file="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ziggurat (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def terminal() -> Console:
    """Return the console of a terminal: lists are other ones in a pipe."""
    return Console(force_terminal=True, color_system=None, width=WIDTH)


@pytest.mark.parametrize("page", PAGES)
def test_commands_say_what_the_page_says(
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "home"))
    monkeypatch.setattr("ziggurat.studio.commands.list.console", terminal)
    commands = 0
    for language, file, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if file:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text, encoding="utf-8")
        for line, shown in COMMAND.findall(text) if language == "console" else ():
            main(shlex.split(line))
            printed = capsys.readouterr()
            lines = [line.rstrip() for line in (printed.out + printed.err).splitlines()]
            if page in EXACT:
                assert shown.rstrip() == "\n".join(lines).rstrip(), line
            told = iter(lines)
            for wanted in shown.splitlines():
                assert any(one.startswith(wanted) for one in told), (line, wanted, printed)
            commands += 1
    assert commands > 1


def test_every_key_has_a_row() -> None:
    from ziggurat.dsl.manifest import KEYS

    page = (DOCS / "pack-toml.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \| (?:text|list|table|true)", page, re.MULTILINE)) == {
        *KEYS
    }
