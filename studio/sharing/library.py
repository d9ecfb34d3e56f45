"""The user's own folder of packs: what is in it, putting packs in and taking them out.

A pack is put together in a hidden folder beside its place and moved there in one step, so whoever
looks sees all of it or nothing. What an interrupted run left in a hidden folder is cleared away by
the next one, and a pack that was being replaced is put back.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from ziggurat import MANIFEST, Pack, is_pack, library_folder, load_pack

NOTE = ".installed.json"
STAGING = ".install-"
BEFORE = "before"


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


def settle(folder: Path) -> None:
    """Move what was staged to its place; an earlier version comes back if that does not succeed."""
    target = library_folder() / folder.name
    before = folder.parent / BEFORE / folder.name
    if target.exists():
        before.parent.mkdir()
        target.rename(before)
    try:
        folder.rename(target)
    except BaseException:
        if before.exists():
            before.rename(target)
        raise


def remove(pack: Pack) -> None:
    """Take a pack away, in one step for whoever looks."""
    with tempfile.TemporaryDirectory(dir=library_folder(), prefix=STAGING) as place:
        Path(pack.path).rename(Path(place) / pack.id)


def _clear(library: Path) -> None:
    """What was left by a run that could not end: a pack it was replacing is put back."""
    for left in library.glob(f"{STAGING}*"):
        for before in left.glob(f"{BEFORE}/*/{MANIFEST}"):
            if not (library / before.parent.name).exists():
                before.parent.rename(library / before.parent.name)
        shutil.rmtree(left, ignore_errors=True)
