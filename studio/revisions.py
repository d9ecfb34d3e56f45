"""Stacks as they were at a revision: `west@HEAD~3`.

The folders in which packs are looked for are exported from the repository they lie in, as of that
revision, and searched instead. Nothing is checked out, and nothing of the repository changes.
"""

import io
import os
import subprocess
import tarfile
from pathlib import Path

from dsl.packs import Search
from studio.console import UsageError

MARK = "@"


def split_revision(text: str) -> tuple[str, str]:
    """A stack and the revision it is wanted at, which is empty for the stack as it is."""
    stack, mark, revision = text.rpartition(MARK)
    if not mark or Path(text).is_dir():
        return text, ""
    if not stack or not revision or revision.startswith("-"):
        raise UsageError(f"`{text}` names no revision of a stack; write it as in `west@HEAD~3`.")
    return stack, revision


def at_revision(stack: str, revision: str, search: Search, into: Path) -> tuple[str, Search]:
    """The stack and where to look for its packs, after exporting them to a folder of their own."""
    found = [
        place
        for i, folder in enumerate(search.folders)
        if (place := _exported(folder, revision, into / f"search_{i}")) is not None
    ]
    elements = [
        _element(element, revision, into / f"element_{i}")
        for i, element in enumerate(stack.split("+"))
    ]
    if not found and elements == stack.split("+"):
        raise UsageError(
            f"there are no packs at the revision `{revision}`: the folders searched are not in a"
            " git repository that has it."
        )
    return "+".join(elements), Search(tuple(found))


def _element(element: str, revision: str, into: Path) -> str:
    """A folder named in a stack, as of the revision; names of packs stay as they are."""
    folder = Path(element.strip()).expanduser()
    if os.sep not in element and "/" not in element:
        return element
    place = _exported(folder, revision, into)
    if place is None:
        raise UsageError(f"there is no folder `{element}` at the revision `{revision}`.")
    return str(place)


def _exported(folder: Path, revision: str, into: Path) -> Path | None:
    """Where a folder was exported to, or None when its repository has no such folder then."""
    if not folder.is_dir():
        return None
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None:
        return None
    commit = _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if commit is None:
        raise UsageError(f"the repository of `{folder.name}` has no revision `{revision}`.")
    root = Path(top.decode().strip())
    inside = folder.resolve().relative_to(root.resolve()).as_posix()
    archive = _git(root, "archive", "--format=tar", commit.decode().strip(), "--", inside)
    if archive is None:
        return None
    into.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(into, filter="data")
    return into / inside


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git says, or None when it will not or is not there."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=False
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
