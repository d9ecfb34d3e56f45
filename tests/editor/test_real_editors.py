"""Editors that nobody here wrote, set up as `docs/editor.md` says, on letters, line ends and packs.

Each of them does the same with two open packs, the lower of which has unsaved text: it breaks a
word behind letters that take two or four bytes, lets the server mend it, asks about it, formats the
file, and renames what the word stands for from the pack above.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.debian import CannotUnpackError
from tests.editor import npm
from tests.editor.isles import RULES, lay_out
from tests.editor.newer_editors import find_editor
from ziggurat import Source, format_source

PAGE = Path(__file__).parents[2] / "docs" / "editor.md"
CRAFT = "craft masonry"
LOWER = (
    RULES.replace('"{p} has room', '"🏝🏝 größer {strength(p)}: {p} has room')
    .replace("kind craft holdable { cost: int }", "kind craft holdable { cost: int = 1 }")
    .replace(
        CRAFT, f'craft sails "Größe 🏝" {{ modify keep(holder, a) by strength(holder) }}\n{CRAFT}'
    )
)
UPPER = 'procedure boast(p: player) { say "🏝 Übermut {strength(p)}." }\n'
NOTE = "# ungespeichert 🏝 größer"
VSCODE = ("vscode-jsonrpc@8", "vscode-languageserver-textdocument@1")


def settings(language: str) -> str:
    """The settings that the page gives for an editor."""
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(block)


def command(client: str, folder: Path) -> tuple[list[str], dict[str, str]]:
    """Return how to start a client with its script, and the variables that it needs."""
    if client == "vscode":
        return ["node", str(npm.SCRIPTS / "vscode.js")], npm.install(*VSCODE)
    try:
        editor = find_editor(client)
    except CannotUnpackError as error:
        pytest.skip(str(error))
    language = {"nvim": "lua", "emacs": "elisp"}[client]
    file = folder / f"settings.{language}"
    # One of the settings is for those who want another stack than the pack says.
    kept = [line for line in settings(language).split("\n") if "only if you want" not in line]
    file.write_text("\n".join(kept), encoding="utf-8")
    options: Sequence[str] = (
        ["-u", str(file), "-i", "NONE", "-n", "--headless",
         "-c", f"luafile {npm.SCRIPTS / 'neovim.lua'}"]
        if client == "nvim"
        else ["--batch", "-Q", "-l", str(file), "-l", str(npm.SCRIPTS / "emacs.el")]
    )  # fmt: skip
    return [*editor.command, *options], {**os.environ, **editor.environment}


def write(path: Path, text: str, line_end: str) -> None:
    path.write_bytes(text.replace("\n", line_end).encode())


@pytest.mark.slow
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("client", ["nvim", "emacs", "vscode"])
def test_editor_keeps_texts_whole(client: str, line_end: str, tmp_path: Path) -> None:
    root = tmp_path / "packs"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    lower = lay_out(root)
    upper = root / "far" / "far.rules"
    upper.parent.mkdir()
    manifest = 'id = "far"\ntitle = "Far"\nversion = "1"\nextends = ["isles"]\n'
    upper.with_name("pack.toml").write_text(manifest, encoding="utf-8")
    write(lower, LOWER, line_end)
    write(upper, UPPER, line_end)
    task = {
        "root": str(root), "lower": str(lower), "upper": str(upper), "unsaved": NOTE,
        "word": "strength", "slip": "strenght", "after": "(holder)", "mark": "Größe",
        "above": "strength(p)}", "renamed": "power(p)}",
        "remedy": "Change to `strength`", "new": "power",
        "format_from": "  if free > p.fame", "format_to": "       if free > p.fame",
    }  # fmt: skip
    result = perform(client, task, tmp_path)
    assert result["finding"] == "strenght"
    assert "value strength(p: player): int" in result["hover"]
    assert result["completed"] == next(line for line in LOWER.split("\n") if "Größe" in line)
    assert result["definition"][0] == "isles.rules"
    assert result["definition"][1].startswith("value strength(p: player)")
    assert result.get("servers", 1) == 1
    assert result.get("comment", "# %s").replace(" ", "") == "#%s"

    formatted = format_source(Source("isles.rules", f"{NOTE}\n{LOWER}"))
    for path, text in ((lower, formatted), (upper, UPPER)):
        renamed = re.sub(r"\bstrength\b(?! is)", "power", text)
        assert path.read_bytes().decode() == renamed.replace("\n", line_end)


def perform(client: str, task: dict[str, str], folder: Path) -> Any:
    """Let a client perform a task. Return what it reports."""
    start, environment = command(client, folder)
    paths = {"TASK": folder / "task.json", "RESULT": folder / "result.json"}
    paths["TASK"].write_text(json.dumps(task, ensure_ascii=False), encoding="utf-8")
    home = folder / "home"
    home.mkdir()
    environment |= {key: str(path) for key, path in paths.items()}
    environment |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home)}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        start, env=environment, capture_output=True, text=True, check=False, timeout=900,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert paths["RESULT"].exists(), done.stdout + done.stderr
    result = json.loads(paths["RESULT"].read_text(encoding="utf-8"))
    assert "problem" not in result, result["problem"] + done.stderr
    return result
