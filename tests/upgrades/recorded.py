"""What earlier versions wrote (`record.py`), and what they saw of it."""

import hashlib
import json
import tarfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ziggurat import Game, Search

ARCHIVE = Path(__file__).with_name("recorded.tar.xz")
VERSIONS = ("16fcfd08", "6ca18994", "5ce15c87", "7a7f17c9", "d521ea35")
_PLACE = TemporaryDirectory(prefix="ziggurat-recorded-")


@cache
def unpacked() -> Path:
    """Return the folder with a folder for each version. Nothing may be written there."""
    folder = Path(_PLACE.name)
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder


@cache
def sidecar(version: str) -> dict[str, dict[str, Any]]:
    """Return what a version saw of the saves it wrote."""
    found: dict[str, dict[str, Any]] = json.loads(
        (unpacked() / version / "seen.json").read_text("utf-8")
    )
    return found


def saves() -> list[tuple[str, str]]:
    """Return all recorded saves by version and name, without unpacking the others."""
    with tarfile.open(ARCHIVE) as archive:
        names = [member.name for member in archive.getmembers() if member.name.endswith(".zig")]
    return [(version, name) for version, _, name in (path.partition("/") for path in names)]


def content(version: str) -> Search:
    """Return where the rules of a version are found."""
    return Search((unpacked() / version / "content",))


def sight(game: Game) -> dict[str, Any]:
    """Return what can be seen of a game, as `record.py` wrote it down."""
    lines = [event.text for event in game.events()]
    asked = game.decision
    return {
        "digest": game.state.digest(),
        "lines": len(lines),
        "log": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
        "last": lines[-1:],
        "decider": asked.decider if asked else "",
        "prompt": asked.prompt if asked else "",
        "path": asked.path if asked else "",
    }
