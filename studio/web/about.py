"""What is kept of a table beside its save: who plays which seat, what they are called, and
the hashes of their keys. Like a save it is on the disk before anybody is told."""

import json
import re
from pathlib import Path
from typing import Any

import attrs

from ziggurat import replace_file
from ziggurat.studio.play.seats import BOTS
from ziggurat.studio.web.keys import Keys

PERSON = "person"
POLICIES = tuple(name for name in BOTS if name != "advised")  # which is what `bot` is
FORMAT = 1
MOVED = 2  # of tables that go on in another save, which earlier versions would not look for
_SAVE = re.compile(r"[a-z0-9]{12}-at-[0-9]+(-[0-9]+)?\.zig")


class BadTable(Exception):  # noqa: N818 - says what it is
    """A file that does not describe a table; the message is one sentence for people."""


@attrs.define
class About:
    """A table besides its game.

    `by` says who plays each seat: a person, or a policy. `save` names the file that the game goes
    on in, where that is not the one it began in, and `as_begun` says that it goes on by the rules
    it began with. `over` says that the game was over when the table last went to sleep.
    `anyway` is only read: before version 0.3 a table that its host had brought to
    other rules went on in the save of before.
    """

    by: dict[str, str]
    names: dict[str, str]
    keys: Keys
    ended: bool = False
    anyway: bool = False
    save: str = ""
    as_begun: bool = False
    over: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that people play."""
        return tuple(seat for seat, who in self.by.items() if who == PERSON)

    def write(self, path: Path) -> None:
        """Put it on the disk, in one move."""
        data = {
            "format": MOVED if self.save else FORMAT,
            "by": self.by,
            "names": self.names,
            "keys": self.keys.hashes,
            "ended": self.ended,
            "anyway": self.anyway,
            "save": self.save,
            "as_begun": self.as_begun,
            "over": self.over,
        }
        replace_file(path, json.dumps(data, indent=1).encode(), durable=True)

    @classmethod
    def read(cls, path: Path) -> "About":
        """What a file says. Raises `BadTable`."""
        try:
            data = json.loads(path.read_bytes())
            if data["format"] not in (FORMAT, MOVED):
                raise BadTable(
                    f"{path.name} has the format {data['format']!r:.20}, which this version of"
                    " Ziggurat does not know: a later version wrote it."
                )
            save = str(data.get("save", ""))
            if save and not _SAVE.fullmatch(save):
                raise ValueError(save)
            by, names, hashes = (_texts(data[part]) for part in ("by", "names", "keys"))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as wrong:
            raise BadTable(f"{path.name} does not describe a table.") from wrong
        if not set(by.values()) <= {PERSON, *BOTS}:
            raise BadTable(f"{path.name} names players that are not known here.")
        ended, anyway, as_begun, over = (
            data.get(word) is True for word in ("ended", "anyway", "as_begun", "over")
        )
        return cls(by, names, Keys(hashes), ended, anyway, save, as_begun, over)


def _texts(data: Any) -> dict[str, str]:
    return {str(key): str(value) for key, value in data.items()}
