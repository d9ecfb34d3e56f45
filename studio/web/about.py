"""What is kept of a table beside its save: who plays which seat, what they are called, and
the hashes of their keys. Like a save it is on the disk before anybody is told."""

import json
from pathlib import Path
from typing import Any

import attrs

from ziggurat import replace_file
from ziggurat.studio.play.seats import BOTS
from ziggurat.studio.web.keys import Keys

PERSON = "person"
POLICIES = tuple(name for name in BOTS if name != "advised")  # which is what `bot` is
FORMAT = 1


class BadTable(Exception):  # noqa: N818 - says what it is
    """A file that does not describe a table; the message is one sentence for people."""


@attrs.define
class About:
    """A table besides its game. `by` says who plays each seat: a person, or a policy; `anyway` that
    the host has taken the rules found now, whatever they were when the game began."""

    by: dict[str, str]
    names: dict[str, str]
    keys: Keys
    ended: bool = False
    anyway: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that people play."""
        return tuple(seat for seat, who in self.by.items() if who == PERSON)

    def write(self, path: Path) -> None:
        """Put it on the disk, in one move."""
        data = {
            "format": FORMAT,
            "by": self.by,
            "names": self.names,
            "keys": self.keys.hashes,
            "ended": self.ended,
            "anyway": self.anyway,
        }
        replace_file(path, json.dumps(data, indent=1).encode(), durable=True)

    @classmethod
    def read(cls, path: Path) -> "About":
        """What a file says. Raises `BadTable`."""
        try:
            data = json.loads(path.read_bytes())
            if data["format"] != FORMAT:
                raise BadTable(f"{path.name} was written by another version of Ziggurat.")
            by, names, hashes = (_texts(data[part]) for part in ("by", "names", "keys"))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as wrong:
            raise BadTable(f"{path.name} does not describe a table.") from wrong
        if not set(by.values()) <= {PERSON, *BOTS}:
            raise BadTable(f"{path.name} names players that are not known here.")
        return cls(by, names, Keys(hashes), data.get("ended") is True, data.get("anyway") is True)


def _texts(data: Any) -> dict[str, str]:
    return {str(key): str(value) for key, value in data.items()}
