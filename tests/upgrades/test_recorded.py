"""What earlier versions wrote opens in this one, or is refused in a sentence and left as it is."""

import itertools
import json
import shutil
from pathlib import Path

import pytest

from tests.upgrades.recorded import VERSIONS, content, saves, sidecar, sight, unpacked
from tests.web.server import Made, running
from ziggurat import Search, load, meaning_hash, new_save, start
from ziggurat.dsl.linking.hashing import MEANING_VERSION
from ziggurat.studio.cli import main
from ziggurat.studio.console import OK, USAGE
from ziggurat.studio.saved import BEGUN, NOW, RulesChoice, open_save
from ziggurat.studio.sharing.kept import keep_rules, list_kept, unfold

PACKS_SAMPLE = {("7a7f17c9", "variant")}
NEW = ("advance", "board", "calamity", "civilization", "translation", "variant")
MEANINGS = Path(__file__).with_name("meanings.json")


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
@pytest.mark.parametrize(("version", "name"), saves())
def test_a_save_goes_on_by_the_rules_of_its_time(version: str, name: str) -> None:
    seen = sidecar(version)[name]
    save = open_save(unpacked() / version / name, content(version)).save
    assert len(save.records) == seen["records"]
    game = save.remembered()
    now = sight(game)
    assert now == {key: seen[key] for key in now}
    if game.over:
        assert list(game.ranking()) == seen["ranking"]


@pytest.mark.slow
@pytest.mark.parametrize(("version", "name"), saves())
def test_a_save_opened_now_says_what_differs_and_stays(
    version: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / Path(name).name
    shutil.copy(unpacked() / version / name, path)
    before = bytes_below(tmp_path)
    choice = None
    try:
        opened = open_save(path, Search.default())
    except RulesChoice as error:
        choice = error
    if choice is None:  # no rule has changed since
        assert version == VERSIONS[-1]
        assert len(opened.save.records) == sidecar(version)[name]["records"]
    else:
        assert "they differ in: " in str(choice)
        assert choice.fit is not None
        assert choice.advise("FILE")
        number = choice.fit.fitting
        opened = open_save(path, Search.default(), number, rules=NOW)
        assert len(opened.save.records) == number
    assert bytes_below(tmp_path) == before


def test_an_upgrade_in_the_middle_of_a_game_with_rules_that_were_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path / "library"))
    version, name = "7a7f17c9", "west-inside.zig"
    path = tmp_path / name
    shutil.copy(unpacked() / version / name, path)
    save = open_save(path, content(version)).save
    kept = keep_rules(save.game.ruleset, content(version))
    assert sum(pack.size for pack in list_kept()) <= 80_000
    save.continue_in(tmp_path / "kept.zig", kept)
    save.close()
    with pytest.raises(RulesChoice) as raised:
        open_save(tmp_path / "kept.zig", Search.default())
    assert raised.value.has_begun
    assert raised.value.changes
    opened = open_save(tmp_path / "kept.zig", Search.default(), rules=BEGUN)
    seen = sidecar(version)[name]
    now = sight(opened.save.remembered())
    assert now == {key: seen[key] for key in now}


@pytest.mark.slow
def test_a_table_of_before_waits_for_its_host(tmp_path: Path) -> None:
    version = "7a7f17c9"
    shutil.copytree(unpacked() / version / "tables", tmp_path / "tables")
    (name,) = (name for name in sidecar(version) if name.startswith("tables/"))
    id_, keys = Path(name).stem, sidecar(version)[name]["keys"]
    with running(tmp_path / "tables", search=Search.default()) as server:
        told = {"table": id_, "host": keys["host"], "view": keys["view"], "seats": []}
        table = Made(server, told)
        refused = server.get(table.path, table.host)
        assert refused.status_code == 409
        assert refused.json()["ways"]["now"] == 40
        assert table.do("go_on", by="now").status_code == 200
        assert table.view(table.host)["state"] == "playing"


@pytest.mark.parametrize(
    ("version", "pack"),
    [
        pytest.param(*made, marks=[] if made in PACKS_SAMPLE else [pytest.mark.slow])
        for made in itertools.product(("5ce15c87", "7a7f17c9"), NEW)
    ],
)
def test_packs_of_before_are_clean(
    version: str, pack: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(unpacked() / version / "packs" / f"new_{pack}")]) == OK
    assert "clean" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("version", ["5ce15c87", "7a7f17c9"])
def test_a_pack_file_of_before_is_installed(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path))
    assert main(["install", str(unpacked() / version / "pack.zip"), "--yes"]) == OK
    assert (tmp_path / "packs" / "new_advance" / "pack.toml").is_file()


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("6ca18994", "was written in format 1; this version of Ziggurat reads"),
        pytest.param("5ce15c87", "of 2 played again 2 differ", marks=pytest.mark.slow),
        pytest.param("7a7f17c9", "of 2 played again 2 differ", marks=pytest.mark.slow),
    ],
)
def test_a_journal_of_before_mixes_with_nothing(
    version: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "journal"
    shutil.copytree(unpacked() / version / "journal", folder)
    before = bytes_below(folder)
    sizes = ["--games", "3", "--players", "5", "--limit", "120", "--jobs", "1"]
    assert main(["simulate", "west", *sizes, "--out", str(folder)]) == USAGE
    assert reason in " ".join(capsys.readouterr().err.split())
    assert before.items() <= bytes_below(folder).items()


# ---- the hash of what rules mean


def meanings() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(MEANINGS.read_text("utf-8"))
    return found


@pytest.mark.parametrize(
    ("version", "stack"),
    [
        pytest.param(
            version,
            stack,
            marks=[] if (version, stack) in {("7a7f17c9", "west")} else pytest.mark.slow,
        )
        for version, stacks in meanings().items()
        for stack in stacks
    ],
)
def test_the_same_text_has_the_same_hash_as_long_as_its_version_does(
    version: str, stack: str
) -> None:
    """Where this fails, a change gave the same rules another hash: add 1 to `MEANING_VERSION`."""
    ruleset = load(stack, content(version)).ruleset
    assert ruleset is not None
    known = meanings()[version][stack]
    if known.startswith(f"{MEANING_VERSION}:"):
        assert meaning_hash(ruleset) == known


def test_examples_of_the_hash_have_its_version() -> None:
    """`python -m tests.upgrades.examples` records them again where the version is another."""
    assert set(meanings()) == set(VERSIONS)
    recorded = {
        known.partition(":")[0] for stacks in meanings().values() for known in stacks.values()
    }
    assert recorded == {str(MEANING_VERSION)}


# ---- the rules that are kept


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stack", "most"),
    [
        ("west", 80_000),
        *((stack, 120_000) for stack in ("east", "mega", "expansion_project", "seven_ages")),
    ],
)
def test_kept_rules_are_small_and_mean_the_same(
    stack: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIGGURAT_LIBRARY", str(tmp_path))
    ruleset = load(stack).ruleset
    assert ruleset is not None
    kept = keep_rules(ruleset, Search.default())
    assert set(kept) == {pack.id for pack in ruleset.packs}
    assert sum(pack.size for pack in list_kept()) <= most
    save = new_save(start(ruleset, seed=1), tmp_path / "game.zig", kept=kept)
    save.close()
    again = load(stack, unfold(save.header)).ruleset
    assert again is not None
    assert meaning_hash(again) == meaning_hash(ruleset)
