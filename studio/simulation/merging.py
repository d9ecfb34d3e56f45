"""Simulations of different days or machines as one."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ziggurat import GameRecord
from ziggurat.studio.console import UsageError
from ziggurat.studio.simulation.asked import plain
from ziggurat.studio.simulation.journal import Journal, read_settings
from ziggurat.studio.simulation.lines import read_line

SHOWN = 5  # seeds that are named
Key = tuple[str, int]


def common_settings(folders: Sequence[Path]) -> dict[str, Any]:
    """Return the settings of all these simulations. Raises `UsageError` if they are not equal."""
    first, *others = folders
    merged = _settings(first)
    for folder in others:
        settings = _settings(folder)
        for name in ("players", "policy", "limit"):
            if settings[name] != merged[name]:
                raise _differ(first, folder, name, merged[name], settings[name])
        for stack, ruleset in settings["rulesets"].items():
            known = merged["rulesets"].setdefault(stack, ruleset)
            for name in ("engine", "rules", "options", "values"):
                if known.get(name) != ruleset.get(name):
                    what = f"{name} of {stack}"
                    raise _differ(first, folder, what, known.get(name), ruleset.get(name))
    return merged


def _settings(folder: Path) -> dict[str, Any]:
    settings = read_settings(folder)
    if not settings:
        raise UsageError(f"`{folder}` holds no simulation to merge.")
    return settings


def _differ(first: Path, other: Path, what: str, one: Any, two: Any) -> UsageError:
    return UsageError(
        f"`{first}` and `{other}` cannot be merged: they differ in {what} ({one}; {two})."
    )


def merge(journal: Journal, settings: dict[str, Any], folders: Sequence[Path]) -> None:
    """Write the games of all folders into an empty journal, each once.

    Raises `UsageError` if two games of one seed are not the same; nothing is written then.
    """
    sources = [Journal(folder) for folder in folders]
    several = _in_several(sources)
    journal.begin(settings, _merged(sources, several))


def _in_several(sources: Sequence[Journal]) -> set[Key]:
    """Return the games that are in more than one folder. Raises `UsageError` for unequal ones."""
    seen: set[Key] = set()
    several: set[Key] = set()
    for source in sources:
        for head, _ in source.heads():
            key = (head.stack, head.seed)
            (several if key in seen else seen).add(key)
    digests: dict[Key, bytes] = {}
    unequal: set[Key] = set()
    for source in sources:
        for record in source.records(several):
            key = (record["stack"], record["seed"])
            if digests.setdefault(key, _digest(record)) != _digest(record):
                unequal.add(key)
    if unequal:
        names = [f"{seed} of `{stack}`" for stack, seed in sorted(unequal)]
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        raise UsageError(
            f"these folders have different games with one seed: {', '.join(names[:SHOWN])}{more}."
            " `--verify all` in each of them says which are wrong."
        )
    return several


def _merged(sources: Sequence[Journal], several: set[Key]) -> Iterator[bytes]:
    written: set[Key] = set()
    for source in sources:
        for head, line in source.lines():
            key = (head.stack, head.seed)
            if key in written or read_line(line) is None:
                continue
            if key in several:
                written.add(key)
            yield line


def _digest(record: GameRecord) -> bytes:
    text = json.dumps(plain(record), sort_keys=True)
    return hashlib.sha256(text.encode()).digest()
