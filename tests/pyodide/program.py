"""Print what the engine computes: golden games, findings, a diff. Run by CPython and by Pyodide."""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import ziggurat
from tests.golden.catalogue import CATALOGUE
from tests.golden.games import Replay, read

GAMES = ("race-3-441", "clans-2-442", "west-5-5", "seven_ages-3-403")
BROKEN = "value two(): int = 1 + one\nkind good { worth: colour }\nvalue deep(): int = "


def findings(terms: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pack.toml").write_text('id = "little"\ntitle = "Little"\nversion = "1"\n')
        (Path(folder) / "little.rules").write_text(BROKEN + " + ".join(["1"] * terms))
        shown = ziggurat.render_json(ziggurat.load(folder).diagnostics)
    codes = [finding["code"] for finding in json.loads(shown)["findings"]]
    return " ".join(codes)


def replay(name: str) -> str:
    """Replay a golden game, which compares every digest with the record, and return the last."""
    golden = next(golden for golden in CATALOGUE if golden.name == name)
    lines = read(golden)
    Replay(golden, lines).run()
    return lines[-1]


def difference(old: str, new: str) -> str:
    rulesets = [ziggurat.load(stack).ruleset for stack in (old, new)]
    entries = ziggurat.diff(*rulesets).entries
    return hashlib.sha256(repr([str(entry) for entry in entries]).encode()).hexdigest()


results = {
    "findings": findings(3),
    "deep findings": findings(100_000),
    **{name: replay(name) for name in GAMES},
    "diff": difference("west", "west+expert"),
}
print(json.dumps({"results": results, "lark": "lark" in sys.modules}))
