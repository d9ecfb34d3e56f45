"""One writer for each save: a file beside it that is locked for as long as the game is played.

The system unlocks the file when its process ends, however that happens, so a file that is left over
keeps nobody out. It says who has locked it.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from ziggurat.dsl.files import lock_file

LONGEST = 200


class SaveInUse(Exception):  # noqa: N818 - says what is the case
    """Somebody else writes this save; the message says who."""


class SaveLock:
    """The right to write the save at a path."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file

    def release(self) -> None:
        """Let others write the save."""
        with suppress(OSError):  # on Windows a file that is open cannot be removed
            lock_path(self.path).unlink()
        self._file.close()


def lock_path(path: Path) -> Path:
    """Return the file that is locked for a save; links to a save lead to the same one."""
    target = path.resolve()
    return target.with_name(target.name + ".lock")


def lock_save(path: Path, holder: str) -> SaveLock:
    """Lock a save for `holder`, such as "`ziggurat play`".

    Raise `SaveInUse` if another process or table has it, OSError if nothing can be written there.
    """
    beside = lock_path(path)
    while True:
        file = beside.open("a+b", buffering=0)
        if not lock_file(file):
            raise SaveInUse(_read_holder(file) or "another process")
        if _is_at(file, beside):
            break
        file.close()  # its last holder removed it while we waited for it
    with suppress(OSError):  # a full disk; who holds the lock is only told to others
        file.truncate(0)
        file.write(f"{holder}, process {os.getpid()}".encode())
    return SaveLock(path, file)


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _read_holder(file: IO[bytes]) -> str:
    """Read who has locked a file, and close it."""
    with file:
        file.seek(0)
        return " ".join(file.read(LONGEST).decode(errors="replace").split())
