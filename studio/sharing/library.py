"""The user's own folder of packs: what is in it, putting packs in and taking them out.

A pack is put together in a hidden folder beside its place and moved there in one step, so nobody
sees half of it. A version that is replaced is kept in another hidden folder. The next run removes
what an interrupted one has left, and restores a pack that it was replacing.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from ziggurat import Pack, is_pack, library_folder, load_pack

NOTE = ".installed.json"
STAGING = ".install-"
OLDER = ".older"  # versions that were replaced


def installed() -> dict[str, Pack]:
    """The packs in the user's folder by their ids."""
    folder = library_folder()
    names = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [load_pack(one) for one in names if not one.name.startswith(".") and is_pack(one)]
    return {pack.id: pack for pack in found}


def came_from(pack: Pack) -> str:
    """Where an installed pack came from, as far as it is known."""
    try:
        said = json.loads((Path(pack.path) / NOTE).read_text(encoding="utf-8"))
        return str(said["from"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


@contextmanager
def staged(id_: str, files: Mapping[str, bytes], source: str) -> Iterator[Path]:
    """The pack in a hidden folder, to be looked at; `settle` moves it to its place."""
    library = library_folder()
    made = [one for one in (library, *library.parents) if not one.exists()]
    library.mkdir(parents=True, exist_ok=True)
    _clear(library)
    try:
        with tempfile.TemporaryDirectory(dir=library, prefix=STAGING) as place:
            folder = Path(place) / id_
            for name, data in files.items():
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            (folder / NOTE).write_text(json.dumps({"from": source}) + "\n", encoding="utf-8")
            yield folder
    finally:
        for one in made:  # those that nothing was put in
            with suppress(OSError):
                one.rmdir()


def settle(folder: Path) -> Path | None:
    """Move what was staged to its place, and return where the version it replaces is kept.

    The replaced version comes back if the move does not succeed.
    """
    target = library_folder() / folder.name
    if not target.exists():
        folder.rename(target)
        return None
    pack = load_pack(target)
    kept = library_folder() / OLDER / f"{pack.id}-{pack.version}" / pack.id
    if kept.parent.exists():
        shutil.rmtree(kept.parent)
    kept.parent.mkdir(parents=True)
    try:
        target.rename(kept)
        folder.rename(target)
    except BaseException:
        _restore(kept)
        raise
    return kept


def _restore(kept: Path) -> None:
    """Put a replaced version back to its place if nothing is there."""
    if kept.exists() and not (library_folder() / kept.name).exists():
        kept.rename(library_folder() / kept.name)
    for folder in (kept.parent, kept.parent.parent):
        with suppress(OSError):
            folder.rmdir()


def older_versions(id_: str) -> list[Path]:
    """Return the folders of the versions of a pack that were replaced."""
    return sorted((library_folder() / OLDER).glob(f"*/{id_}"))


def remove_older(id_: str) -> None:
    """Remove the versions of a pack that were replaced."""
    for folder in older_versions(id_):
        shutil.rmtree(folder.parent)
    with suppress(OSError):
        (library_folder() / OLDER).rmdir()


def remove(pack: Pack) -> None:
    """Remove a pack in one step, after its older versions, which would otherwise come back."""
    remove_older(pack.id)
    with tempfile.TemporaryDirectory(dir=library_folder(), prefix=STAGING) as place:
        Path(pack.path).rename(Path(place) / pack.id)


def _clear(library: Path) -> None:
    """Remove what an interrupted run has left, and restore the pack that it was replacing."""
    replaced = sorted((library / OLDER).glob("*/*"), key=lambda kept: kept.parent.stat().st_mtime)
    for kept in reversed(replaced):
        _restore(kept)
    for left in library.glob(f"{STAGING}*"):
        shutil.rmtree(left, ignore_errors=True)
