"""The extension for VS Code: its manifest agrees with what it brings and with the server.

Its activation is not tested here: that takes VS Code itself, which no package of npm brings along.
What it speaks to, the server, is tested through the protocol (`test_server.py`).
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ziggurat.studio.editor.lenses import EXPLAIN as EXPLAIN_SCENARIO
from ziggurat.studio.editor.lenses import MUTANTS, RUN, SHOW
from ziggurat.studio.editor.server import build
from ziggurat.studio.editor.settings import Settings
from ziggurat.studio.editor.textmate import SCOPE

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
CODE = (FOLDER / "src" / "extension.ts").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def manifest() -> Any:
    return json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


def test_every_file_of_the_manifest_is_there(manifest: Any) -> None:
    brought = manifest["contributes"]
    paths = [one["path"] for one in (*brought["grammars"], *brought["snippets"])]
    paths += [one["configuration"] for one in brought["languages"]]
    for path in paths:
        json.loads((FOLDER / path).read_text(encoding="utf-8"))
    assert brought["grammars"][0]["scopeName"] == SCOPE
    assert brought["languages"][0]["extensions"] == [".rules"]


def test_every_command_is_registered(manifest: Any) -> None:
    declared = {one["command"] for one in manifest["contributes"]["commands"]}
    registered = set(re.findall(r'^ {4}"(ziggurat\.\w+)":', CODE, re.MULTILINE))
    assert declared <= registered
    assert {SHOW, EXPLAIN_SCENARIO} <= registered  # lenses send them, and only an editor can
    used = {one["command"] for one in manifest["contributes"]["menus"]["editor/context"]}
    assert used <= declared


def test_what_the_extension_asks_the_server_knows() -> None:
    known = set(build().protocol.fm.commands)
    asked = set(re.findall(r'ask<[^(]*>\(\s*"(ziggurat\.\w+)"', CODE))
    assert asked
    assert asked | {RUN, MUTANTS} <= known


def test_no_command_is_registered_by_both(manifest: Any) -> None:
    """The client registers what the server offers; a second one of that name would not start."""
    registered = set(re.findall(r'^ {4}"(ziggurat\.\w+)":', CODE, re.MULTILINE))
    assert registered.isdisjoint(build().protocol.fm.commands)


def test_settings_are_those_that_the_server_reads(manifest: Any) -> None:
    declared = set(manifest["contributes"]["configuration"]["properties"])
    assert declared == {f"ziggurat.{one}" for one in ("command", "stack", "packs", "inlayHints")}
    given = {"ziggurat": {"stack": " west ", "packs": ["a", 3], "inlayHints": False}}
    assert Settings.read(given) == Settings("west", (Path("a"),), False)
    assert Settings.read(None) == Settings.read({"stack": 3, "packs": "a"}) == Settings()


def test_the_problem_matcher_reads_what_is_printed(manifest: Any) -> None:
    (matcher,) = manifest["contributes"]["problemMatchers"]
    first, second = (re.compile(one["regexp"]) for one in matcher["pattern"])
    found = first.match("error[Z012]: A pack has no key called `extend`.")
    assert found
    assert found.groups() == ("error", "Z012", "A pack has no key called `extend`.")
    place = second.match("  --> expert/pack.toml:4:1")
    assert place
    assert place.groups() == ("expert/pack.toml", "4", "1")


def test_the_lock_names_no_place_to_download_from() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert [name for name, one in lock["packages"].items() if "resolved" in one] == []
