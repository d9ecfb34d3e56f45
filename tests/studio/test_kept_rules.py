"""`ziggurat packs` lists the rules that were kept for saves, and removes them."""

import json
import lzma
from pathlib import Path

import pytest

from tests.runtime.shipped import program
from ziggurat import BadSave, Search, new_save, start
from ziggurat.studio.cli import main
from ziggurat.studio.console import OK, USAGE
from ziggurat.studio.saved import BEGUN, RulesChoice, open_save
from ziggurat.studio.sharing.archive import MOST_TOGETHER
from ziggurat.studio.sharing.kept import keep_rules, list_kept

PACKS = Path(__file__).parents[1] / "packs"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A save among the user's data whose rules were kept."""
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))
    search = Search.default([PACKS])
    game = start(program("race"), players=2, seed=1)
    path = tmp_path / "saves" / "game.zig"
    path.parent.mkdir()
    new_save(game, path, search=search, kept=keep_rules(game.ruleset, search)).close()
    return path


def test_kept_rules_are_listed_and_removed(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack,) = list_kept()
    assert main(["packs", "--kept"]) == OK
    assert pack.name in capsys.readouterr().out
    assert main(["packs", "--forget", pack.name]) == USAGE
    assert f"1 save needs `{pack.name}`" in " ".join(capsys.readouterr().err.split())
    assert list_kept() == [pack]
    saved.unlink()
    assert main(["packs", "--forget", pack.name]) == OK
    assert list_kept() == []


def test_rules_that_saves_need_are_removed_only_on_request(saved: Path) -> None:
    (pack,) = list_kept()
    assert main(["packs", "--forget", pack.name, "--yes"]) == OK
    assert list_kept() == []


def test_rules_that_were_not_kept_cannot_be_removed(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = list_kept()
    assert main(["packs", "--forget", kept[0].name, "--forget", "nothing", "--yes"]) == USAGE
    assert "no rules called `nothing` were kept" in " ".join(capsys.readouterr().err.split())
    assert list_kept() == kept


# ---- kept rules that are not as they were


def refusal(path: Path) -> str:
    """Return why a save does not go on by the rules it began with; it stays as it is."""
    before = path.read_bytes()
    with pytest.raises(BadSave) as raised:
        open_save(path, Search.default([PACKS]), rules=BEGUN)
    assert path.read_bytes() == before
    return str(raised.value)


def test_kept_rules_that_somebody_changed_are_not_used(saved: Path) -> None:
    (pack,) = list_kept()
    data = json.loads(lzma.decompress(pack.path.read_bytes()))
    data["files"]["race.rules"] += "\n"
    pack.path.write_bytes(lzma.compress(json.dumps(data).encode()))
    assert "were changed since; they are not used" in refusal(saved)


def test_damaged_kept_rules_count_as_missing(saved: Path) -> None:
    (pack,) = list_kept()
    pack.path.write_bytes(pack.path.read_bytes()[:-20])
    assert refusal(saved).startswith("None of the rules this save began with were kept; missing:")


def test_rules_of_which_a_part_is_missing_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "library"))
    game = start(program("west"), players=5, seed=1)
    path = tmp_path / "game.zig"
    new_save(game, path, kept=keep_rules(game.ruleset, Search.default())).close()
    (goods,) = (pack for pack in list_kept() if pack.name.startswith("west_goods-"))
    goods.path.unlink()
    assert refusal(path).startswith("Only some of the rules this save began with were kept;")
    assert "`west_goods` 0.3.0" in refusal(path)


def test_rules_that_unpack_to_more_than_packs_can_be_are_refused(saved: Path) -> None:
    (pack,) = list_kept()
    pack.path.write_bytes(lzma.compress(b"0" * (MOST_TOGETHER + 1)))
    assert "None of the rules" in refusal(saved)


def test_kept_rules_that_this_version_cannot_load_are_no_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "library"))
    search = Search.default([PACKS])
    game = start(program("race"), players=2, seed=1)
    path = tmp_path / "game.zig"
    with monkeypatch.context() as patched:
        written = "ziggurat.studio.sharing.kept.keep_playing_text"
        patched.setattr(written, lambda source: f"{source.text}\nolder syntax\n")
        kept = keep_rules(game.ruleset, search)
    new_save(game, path, search=search, kept=kept).close()
    assert "cannot be loaded by this version of Ziggurat" in refusal(path)
    with pytest.raises(RulesChoice) as raised:
        open_save(path, Search.default())  # where there is no such pack
    assert not raised.value.has_begun
    assert "this version cannot load them" in " ".join(raised.value.changes)
    assert "--as-begun" not in raised.value.advise(str(path))
