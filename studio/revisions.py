"""Stacks as they were at a revision: `west@HEAD~3`.

The folders in which packs are looked for are exported from the repository they lie in, as of that
revision, and searched instead. Nothing is checked out, and nothing of the repository changes.
"""

import io
import subprocess
import tarfile
from pathlib import Path

from ziggurat import Search, find_packs
from ziggurat.studio.console import UsageError

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
    """The stack and where to look for its packs, after exporting them to a folder of their own.

    The revision is one of the repository the stack's packs lie in; packs from elsewhere stay as
    they are.
    """
    root = _repository(stack, search)
    if root is None:
        raise UsageError(
            f"`{stack}` lies in no git repository, so it has no revision `{revision}`."
        )
    commit = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if commit is None:
        raise UsageError(f"the repository of `{stack}` has no revision `{revision}`.")
    then = _Past(root, commit, into)
    folders = [then.folder(folder) if folder.is_dir() else folder for folder in search.folders]
    elements = [then.element(element, revision) for element in stack.split("+")]
    return "+".join(elements), Search(tuple(folder for folder in folders if folder is not None))


def _repository(stack: str, search: Search) -> Path | None:
    """The repository of the first pack of a stack that lies in one."""
    known = find_packs(search)
    elements = [element.strip() for element in stack.split("+")]
    places = [Path(e).expanduser() if "/" in e else Path(known[e].path) if e in known else None
              for e in elements]  # fmt: skip
    for place in (*places, *search.folders):
        if place is not None and place.is_dir() and (root := _root(place)) is not None:
            return root
    return None


def _root(folder: Path) -> Path | None:
    top = _git(folder, "rev-parse", "--show-toplevel")
    return None if top is None else Path(top).resolve()


class _Past:
    """A repository as of a commit; folders are exported from it one by one."""

    def __init__(self, root: Path, commit: str, into: Path) -> None:
        self.root = root
        self.commit = commit
        self.into = into
        self.number = 0

    def folder(self, folder: Path) -> Path | None:
        """A folder as it was then; None if it was not there, itself if it lies elsewhere."""
        if _root(folder) != self.root:
            return folder
        inside = folder.resolve().relative_to(self.root).as_posix()
        archive = _output(self.root, "archive", "--format=tar", self.commit, "--", inside)
        if archive is None:
            return None
        self.number += 1
        place = self.into / str(self.number)
        place.mkdir()
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(place, filter="data")
        return place / inside

    def element(self, element: str, revision: str) -> str:
        """A folder named in a stack, as it was then; names of packs stay as they are."""
        if "/" not in element:
            return element
        folder = Path(element.strip()).expanduser()
        place = self.folder(folder) if folder.is_dir() else None
        if place is None:
            raise UsageError(f"there is no folder `{element}` at the revision `{revision}`.")
        return str(place)


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says, or None when it will not or is not there."""
    told = _output(folder, *arguments)
    return None if told is None else told.decode(errors="replace").strip()


def _output(folder: Path, *arguments: str) -> bytes | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=False
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
