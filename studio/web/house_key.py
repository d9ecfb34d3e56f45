"""The key of the house: who has it may make tables and put them away. It outlives the server."""

import os
import re
import sys
from pathlib import Path

from ziggurat import replace_file
from ziggurat.studio.console import UsageError
from ziggurat.studio.web.keys import Keys, fresh_key, hashed
from ziggurat.studio.web.refusals import Refusal

HOUSE, LOCAL = "house", "local"
FILE = "house.key"
KEY = re.compile(r"[A-Za-z0-9_-]{20,200}")


class HouseKeys:
    """Who may make tables and put them away: everybody, or whoever has the key of the house.

    A program on this machine that can read the folder of the tables has a key of its own.
    """

    def __init__(self, key: str = "", file: Path | None = None) -> None:
        self._keys, self._file = Keys(), file
        self.local = self._keys.give(LOCAL)
        if key:
            self._keys.hashes[HOUSE] = hashed(key)

    @property
    def is_open(self) -> bool:
        """Return whether no key is needed to make tables."""
        return not self._keys.has(HOUSE)

    def admits(self, key: str) -> bool:
        """Return whether a key is one of the house."""
        return self._keys.role(key) is not None

    def replace(self) -> str:
        """Return a new key of the house; the old one is void. Raise `Refusal`, OSError."""
        if self._file is None:
            raise Refusal(409, "This server has no house key.")
        key = replace_house_key(self._file)
        self._keys.hashes[HOUSE] = hashed(key)
        return key


def read_house_key(path: Path) -> str:
    """Return the key of the house from its file, which is made if there is none.

    Raise `UsageError` if others can read the file, or if it holds no key.
    """
    try:
        if not path.exists():
            return replace_house_key(path)
        mode = path.stat().st_mode & 0o777
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise UsageError(f"the house key `{path}` cannot be read: {error.strerror}.") from error
    if mode & 0o077 and sys.platform != "win32":
        raise UsageError(
            f"others can read the house key `{path}` (mode {mode:03o}); `chmod 600 {path}`, and"
            " `ziggurat tables new-key` if somebody may have read it."
        )
    if not KEY.fullmatch(text):
        raise UsageError(
            f"`{path}` holds no house key; remove it, and the server makes one when it starts."
        )
    return text


def replace_house_key(path: Path) -> str:
    """Write a new key, which only the owner of the file can read, and return it. Raise OSError."""
    key = fresh_key()
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    replace_file(path, f"{key}\n".encode(), durable=True)
    path.chmod(0o600)
    return key
