"""The hash of what decides a game: code without what says nothing, and rules."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ziggurat.dsl.files import cache_folder
from ziggurat.dsl.linking.hashing import meaning_hash, playing_hash
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.proving import deciding
from ziggurat.proving.deciding import deciding_hash, engine_hash, hash_sources

CODE = '''"""What it is for."""
import math

class Bot:
    """Decides."""
    def choose(self, options: list[int]) -> str:
        """Return the best."""
        return f"{max(options):>{len(options)}}"  # of all
'''
GAME = """kind side seat {}
side left "Left" {}
kind good { worth: int  colour: text }
good salt "Salt" { worth: 3  colour: "white" }
good wool "Wool" { worth: 2  colour: "grey" }
attribute goods of player: set of good = {}
phase choosing "Choosing" {
  each player p in players {
    choose g by p from goods "Which?"
    include g in p.goods
  }
}
value points(p: player): int = 1
turn main { phases: choosing  score: points }
"""


def hashed(code: str) -> str:
    return hash_sources([(".py", code.encode())])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("What it is for.", "Something else."),
        ("Decides.", "Plays."),
        ("Return the best.", "Answer."),
        ("  # of all", ""),
        ("import math\n\nclass", "import math\n\n\n\nclass"),
    ],
)
def test_comments_layout_and_docstrings_do_not_count(old: str, new: str) -> None:
    assert old in CODE
    assert hashed(CODE.replace(old, new)) == hashed(CODE)


@pytest.mark.parametrize(
    ("old", "new"), [("max", "min"), ("list[int]", "list[str]"), ("choose", "decide"), (":>", ":<")]
)
def test_code_counts(old: str, new: str) -> None:
    assert hashed(CODE.replace(old, new)) != hashed(CODE)


def test_a_class_that_is_only_documented_is_hashed() -> None:
    assert hashed('class Died(Exception):\n    """Gone."""\n') == hashed(
        'class Died(Exception):\n    """Away."""\n'
    )


def test_empty_texts_that_a_python_adds_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = hashed(CODE)
    parse = ast.parse

    def parse_as_another_python(data: bytes) -> ast.Module:
        tree = parse(data)
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                node.values.append(ast.Constant(""))
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                node.type_params = []
        return tree

    monkeypatch.setattr(deciding.ast, "parse", parse_as_another_python)
    assert hashed(CODE) == before


def is_running(python: str) -> bool:
    found = shutil.which(python)
    return (
        found is not None and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0
    )


def test_other_pythons_find_the_same_hash() -> None:
    """The module alone is loaded: another Python need not have what Ziggurat depends on."""
    paths = [str(path) for path in deciding._paths()]
    lines = Path(deciding.__file__).read_text(encoding="utf-8").splitlines()
    alone = "\n".join(line for line in lines if not line.startswith("from ziggurat"))
    code = (
        "from __future__ import annotations\n"
        f"{alone}\nprint(hash_sources((p.suffix, p.read_bytes()) for p in map(Path, {paths!r})))"
    )
    others = [f"python3.{minor}" for minor in range(11, 16) if minor != sys.version_info.minor]
    running = [python for python in others if is_running(python)]
    if not running:
        pytest.skip("there is no other Python here")
    for python in running:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == engine_hash()


def test_the_hash_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = engine_hash()
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path))
    engine_hash.cache_clear()
    assert engine_hash() == known
    (entry,) = (cache_folder() / deciding.FOLDER).iterdir()
    assert entry.read_text() == known
    entry.write_text("torn")
    engine_hash.cache_clear()
    assert engine_hash() == known


def linked(folder: Path, game: str):  # type: ignore[no-untyped-def]
    (folder / "tiny").mkdir(exist_ok=True)
    manifest = 'id = "tiny"\ntitle = "Tiny"\nversion = "1"\nplayers = "2-3"\n'
    (folder / "tiny" / "pack.toml").write_text(manifest)
    (folder / "tiny" / "tiny.rules").write_text(game)
    result = load("tiny", Search((folder,)))
    assert result.ruleset is not None, result.diagnostics
    return result.ruleset


ADVICE = "advice choosing.g { prefer it.worth }\n"


def test_advice_decides_games_of_bots(tmp_path: Path) -> None:
    plain, advised, other, dearer, repainted, worded = (
        linked(tmp_path, game)
        for game in (
            GAME,
            GAME + ADVICE,
            GAME + ADVICE.replace("it.worth", "0 - it.worth"),
            GAME.replace("worth: 2", "worth: 5") + ADVICE,
            GAME.replace("grey", "blue") + ADVICE,
            GAME.replace("Which?", "What?") + ADVICE,
        )
    )
    assert meaning_hash(plain) == meaning_hash(other) == meaning_hash(dearer)
    assert len({playing_hash(one) for one in (plain, advised, other, dearer)}) == 4
    assert playing_hash(repainted) == playing_hash(worded) == playing_hash(advised)
    assert deciding_hash(advised) != deciding_hash(other)


def test_another_engine_decides_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = linked(tmp_path, GAME)
    before = deciding_hash(ruleset)
    monkeypatch.setattr(deciding, "engine_hash", lambda: "another")
    assert deciding_hash(ruleset) != before
