"""Record what a version of Ziggurat writes, for later versions to open.

    PYTHONPATH=OLD/src python tests/upgrades/record.py OLD FOLDER
    python tests/upgrades/record.py --archive FOLDERS…

OLD is a checkout of that version. The folder gets saves of every shipped game (one just begun, one
inside a step with an answer taken back and a snapshot, one finished), a save from a scenario, a
table folder, a pack file, new packs, a journal, and the rules they were played with; and
`seen.json`: what the version that wrote them saw. The archive that the tests read has a folder for
each version.
"""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import ziggurat
from ziggurat import Advised, answer_of, load, new_save, start

GAMES = {"west": 5, "east": 5, "mega": 12, "expansion_project": 5, "seven_ages": 3}
BEGUN, INSIDE = 3, 60  # answers
MOST = 20_000
SCENARIO = "west"
NEW = ("advance", "board", "calamity", "civilization", "translation", "variant")
ARCHIVE = Path(__file__).with_name("recorded.tar.xz")


def sight(game: Any) -> dict[str, Any]:
    """Return what can be seen of a game: its position, log, standing and question."""
    lines = [event.text for event in game.events()]
    asked = game.decision
    return {
        "digest": game.state.digest(),
        "lines": len(lines),
        "log": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
        "last": lines[-1:],
        "ranking": list(game.ranking()) if game.over else [],
        "decider": asked.decider if asked else "",
        "prompt": asked.prompt if asked else "",
        "path": asked.path if asked else "",
    }


def answer(save: Any, bot: Any) -> None:
    decision = save.game.decision
    save.answer(answer_of(bot, save.game, decision), decision.decider)


def record_game(stack: str, players: int, folder: Path) -> dict[str, Any]:
    """Write the three saves of a game, and return what was seen at the end of each."""
    ruleset = load(stack).ruleset
    seen: dict[str, Any] = {}
    for name in ("begun", "inside", "finished"):
        path = folder / f"{stack}-{name}.zig"
        save = new_save(start(ruleset, players, seed=11), path)
        bot = Advised(7)
        while save.game.decision and len(save.records) < MOST:
            number = len(save.records)
            if name == "begun" and number == BEGUN:
                break
            if name == "inside" and number >= INSIDE and save.game.state.answers:
                save.write_snapshot()
                save.undo(1)
                answer(save, bot)
                break
            answer(save, bot)
        save.close()
        if name == "finished":
            path.with_name(path.name + ".snapshot").unlink(missing_ok=True)
        seen[path.name] = {"stack": stack, "records": len(save.records), **sight(save.game)}
        print(path.name, len(save.records), save.game.over, path.stat().st_size, flush=True)
    return seen


def record_scenario(folder: Path) -> dict[str, Any]:
    """Write a save that began where a scenario had come to, if this version can."""
    if not hasattr(ziggurat, "start_at"):
        return {}
    ruleset = load(SCENARIO).ruleset
    for scenario in ruleset.scenarios:
        try:
            game = ziggurat.start_at(ruleset, scenario.title)
        except ziggurat.BadQuestion:
            continue
        path = folder / "scenario.zig"
        save = new_save(game, path, scenario=scenario.title)
        bot = Advised(7)
        for _ in range(20):
            answer(save, bot)
        save.close()
        return {path.name: {"stack": SCENARIO, "records": len(save.records), **sight(save.game)}}
    return {}


def run(*words: str, folder: Path) -> bool:
    """Run a command of the version that is recorded."""
    command = [sys.executable, "-m", "ziggurat", *words]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        print("not recorded:", *words, (done.stderr or done.stdout).strip().splitlines()[-1:])
    return done.returncode == 0


def record_packs(folder: Path) -> None:
    """Write the packs that `new` makes, and one of them as a file."""
    (folder / "packs").mkdir()
    for kind in NEW:
        run("new", kind, f"new_{kind}", "--on", "west", "--yes", folder=folder / "packs")
    made = sorted(path for path in (folder / "packs").iterdir() if path.is_dir())
    if made:
        run("pack", str(made[0]), "--output", str(folder / "pack.zip"), folder=folder)


def record_table(folder: Path) -> dict[str, Any]:
    """Write the folder of a table in the browser, with some answers given."""
    try:
        from ziggurat.studio.web.about import About
        from ziggurat.studio.web.keys import Keys
    except ImportError:
        return {}
    (folder / "tables").mkdir()
    ruleset = load("west").ruleset
    path = folder / "tables" / "abcdefgh2345.zig"
    game = start(ruleset, 5, seed=3)
    save = new_save(game, path, people=game.seats)
    bot = Advised(7)
    for _ in range(40):
        answer(save, bot)
    save.close()
    keys = Keys()
    given = {"host": keys.give("host"), "view": keys.give("view")}
    About(dict.fromkeys(game.seats, "person"), {}, keys).write(path.with_suffix(".json"))
    return {"tables/" + path.name: {"stack": "west", "keys": given, "records": 40, **sight(game)}}


def record_journal(folder: Path) -> None:
    """Write the journal of a short simulation, without the tables that are made of it."""
    run("simulate", "west", "--games", "2", "--players", "5", "--jobs", "1", "--limit", "120",
        "--out", "journal", folder=folder)  # fmt: skip
    for left in [*(folder / "journal").iterdir()]:
        if left.is_dir():
            shutil.rmtree(left)
        elif left.name not in ("games.jsonl", "simulation.json"):
            left.unlink()


def record(checkout: Path, folder: Path) -> None:
    """Write everything into a folder."""
    print(ziggurat.__file__)
    folder.mkdir(parents=True)
    seen: dict[str, Any] = {}
    for stack, players in GAMES.items():
        if (checkout / "content" / stack).is_dir():
            seen |= record_game(stack, players, folder)
    seen |= record_scenario(folder)
    seen |= record_table(folder)
    record_packs(folder)
    record_journal(folder)
    for path in sorted((checkout / "content").rglob("*")):
        if path.name == "pack.toml" or path.suffix == ".rules":
            target = folder / "content" / path.relative_to(checkout / "content")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (folder / "seen.json").write_text(json.dumps(seen, indent=1, ensure_ascii=False))


def pack_folders(folders: list[Path], out: Path) -> None:
    """Pack recorded folders into one archive, the same file of all versions together."""
    names = {path.relative_to(folder) for folder in folders for path in folder.rglob("*")}
    with tarfile.open(out, "w:xz", preset=9) as archive:
        for name in sorted(names):
            for folder in folders:
                if (folder / name).is_file():
                    data = (folder / name).read_bytes()
                    entry = tarfile.TarInfo((folder.name / name).as_posix())
                    entry.size = len(data)
                    archive.addfile(entry, io.BytesIO(data))
    print(out, out.stat().st_size)


if __name__ == "__main__":
    if sys.argv[1] == "--archive":
        pack_folders([Path(folder) for folder in sys.argv[2:]], ARCHIVE)
    else:
        os.environ.setdefault("ZIGGURAT_CACHE", tempfile.mkdtemp())
        record(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
