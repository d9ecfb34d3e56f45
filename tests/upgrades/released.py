"""The packs of the last release, and which of them changed without a new version.

    python -m tests.upgrades.released RELEASE

records the packs that come with Ziggurat as those of a release.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from ziggurat import Search, Source, find_packs, keep_playing_text

RECORD = Path(__file__).with_name("released.json")


@attrs.frozen
class ReleasedPack:
    """A version of a pack, and the hash of its rules."""

    version: str
    rules: str


def shipped(search: Search | None = None) -> dict[str, ReleasedPack]:
    """Return the packs that come with Ziggurat, as they are now."""
    return {
        id_: ReleasedPack(str(pack.version), hash_rules(id_, Path(pack.path)))
        for id_, pack in find_packs(search or Search()).items()
    }


def hash_rules(id_: str, folder: Path) -> str:
    """Return a hash of the rules of a pack; comments, scenarios and empty lines do not count."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.rules")):
        name = f"{id_}/{path.relative_to(folder).as_posix()}"
        text = keep_playing_text(Source(name, path.read_text("utf-8"), id_))
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        if lines:
            digest.update("\n".join([name, *lines, ""]).encode())
    return digest.hexdigest()


def unchanged_versions(
    released: Mapping[str, ReleasedPack], now: Mapping[str, ReleasedPack]
) -> Iterator[str]:
    """Yield what to do about each pack whose rules changed and whose version did not."""
    for id_, pack in released.items():
        if id_ in now and pack.version == now[id_].version and pack.rules != now[id_].rules:
            yield (
                f"The rules of `{id_}` are not those of its released version {pack.version}: give"
                " it a new version in its pack.toml."
            )


def read_released() -> dict[str, ReleasedPack]:
    """Return the packs of the last release; none before the first."""
    data = json.loads(RECORD.read_text("utf-8"))
    return {id_: ReleasedPack(**pack) for id_, pack in data["packs"].items()}


def write_released(release: str, packs: Mapping[str, ReleasedPack]) -> None:
    """Record the packs of a release."""
    data = {"release": release, "packs": {id_: attrs.asdict(packs[id_]) for id_ in sorted(packs)}}
    RECORD.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    write_released(sys.argv[1], shipped())
