"""Record how everything behaves now, and hold it to that later.

python -m tests.baseline rulesets           write the linked rules of every stack, without places
python -m tests.baseline rulesets --check   say where they differ from what was written
python -m tests.baseline games              record the golden games that are awaited
python -m tests.baseline saves NAME         record saves, a table and packs as version NAME
python -m tests.baseline all NAME           all three
"""

import argparse
import io
import json
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden import catalogue
from tests.golden import record as golden
from tests.stacks import stacks
from tests.upgrades import record, recorded
from ziggurat.dsl.linking.hashing import to_json
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search

ROOT = Path(__file__).parents[1]
RULESETS = Path(__file__).with_name("rulesets.tar.xz")
PACKS = Path(__file__).with_name("packs")


def every_stack() -> list[str]:
    """Return the stacks that ship, those of golden games, and the small games of the tests."""
    games = [*catalogue.CATALOGUE, *catalogue.awaited()]
    return sorted({stack for stack, _ in stacks()} | {game.stack for game in games})


def rules_of(stack: str) -> str:
    """Return the linked rules of a stack as JSON, a line for each declaration."""
    result = load(stack, Search.default([PACKS]))
    assert result.ruleset is not None, [str(finding) for finding in result.diagnostics]
    plain = json.loads(to_json(result.ruleset, places=False))
    del plain["packs"]  # with hashes of their texts
    return "\n".join(_lines(plain))


def _lines(plain: dict[str, Any]) -> Iterator[str]:
    for part, value in plain.items():
        whole = value.items() if isinstance(value, dict) else [("", value)]
        for name, one in whole:
            yield f"{part} {name} {json.dumps(one, ensure_ascii=False)}"


def write_rulesets(path: Path, names: list[str]) -> None:
    """Write the rules of stacks into one archive."""
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for stack in names:
            data = rules_of(stack).encode()
            entry = tarfile.TarInfo(f"{stack}.txt")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
            print(stack, len(data), flush=True)


def differences(path: Path) -> Iterator[str]:
    """Yield a sentence for each stack whose rules are not those of an archive."""
    with tarfile.open(path) as archive:
        for entry in archive:
            stack = entry.name.removesuffix(".txt")
            file = archive.extractfile(entry)
            assert file is not None
            old, new = _by_name(file.read().decode()), _by_name(rules_of(stack))
            names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
            if names:
                first = names[0]
                was, now = old.get(first, "nothing"), new.get(first, "nothing")
                at = next(
                    (n for n, pair in enumerate(zip(was, now, strict=False)) if pair[0] != pair[1]),
                    min(len(was), len(now)),
                )
                start = max(0, at - 60)
                yield (
                    f"{stack}: {len(names)} declarations differ, {first} first:\n"
                    f"  was …{was[start : at + 80]}\n  now …{now[start : at + 80]}"
                )


def _by_name(text: str) -> dict[str, str]:
    pairs = (line.split(" ", 2) for line in text.splitlines())
    return {f"{part} {name}".strip(): value for part, name, value in pairs}


def record_games() -> int:
    """Record the golden games that have no record yet; with it they are in the catalogue."""
    for game in catalogue.awaited():
        if not game.path.exists():
            print(golden.renew(game, keep=False, answers=False)[1], flush=True)
    return 0


def record_saves(version: str) -> int:
    """Add what this version writes to the archive of all versions."""
    with tempfile.TemporaryDirectory() as place:
        folders = [recorded.unpacked() / name for name in recorded.VERSIONS]
        record.record(ROOT, Path(place) / version)
        record.pack_folders([*folders, Path(place) / version], recorded.ARCHIVE)
    print(f"Add {version!r} to VERSIONS in tests/upgrades/recorded.py.")
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.baseline", description=__doc__)
    parser.add_argument("what", choices=["rulesets", "games", "saves", "all"])
    parser.add_argument("version", nargs="?", default="", help="the name of what saves are of")
    parser.add_argument("--check", action="store_true", help="compare rulesets, write nothing")
    parser.add_argument("--archive", type=Path, default=RULESETS, help="where rulesets are kept")
    parser.add_argument("--stack", action="append", help="only this stack; several times if wanted")
    given = parser.parse_args(arguments)
    if given.what in ("saves", "all") and not given.version:
        parser.error("say the name of the version whose saves these are")
    if given.check:
        if given.what != "rulesets":
            parser.error("only rulesets are compared; `pytest -m slow` replays games and saves")
        if not given.archive.exists():
            parser.error(f"{given.archive} is not there; record the rulesets first")
        found = list(differences(given.archive))
        print("\n".join(found) or "All rulesets are as they were.")
        return 1 if found else 0
    if given.what in ("rulesets", "all"):
        write_rulesets(given.archive, given.stack or every_stack())
    if given.what in ("games", "all"):
        record_games()
    if given.what in ("saves", "all"):
        record_saves(given.version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
