"""Which files belong to a pack that is shared, and which names they may have on every system."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

# A pack is data: rules, words for people, translations, pictures. Nothing that runs or unpacks.
ENDINGS = frozenset(
    {".rules", ".toml", ".md", ".txt", ".po", ".pot", ".template", ".svg", ".png", ".jpg", ".webp"}
)
TEXTS = ENDINGS - {".png", ".jpg", ".webp"}
WITHOUT_ENDING = frozenset({"LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS"})
LONGEST = 180
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)


def belongs(name: str) -> bool:
    """Whether a file of a folder is shared with the pack; what begins with a dot is not."""
    path = PurePosixPath(name)
    if any(part.startswith(".") and part != ".editorconfig.template" for part in path.parts):
        return False
    return path.suffix in ENDINGS or path.name in WITHOUT_ENDING


def name_problem(name: str) -> str:
    """Why a file of this name is not portable or leads out of the pack; empty if all is well."""
    if not name or name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "is not a name inside the pack"
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "leads out of the pack"
    if _FORBIDDEN.search(name) or any(not letter.isprintable() for letter in name):
        return "has letters that not every system allows in names"
    if any(part[-1] in ". " or part[0] == " " for part in parts):
        return "has a part that begins or ends with a dot or a space"
    if any(_DEVICE.match(part) for part in parts):
        return "has a name that Windows keeps for a device"
    if len(name) > LONGEST or unicodedata.normalize("NFC", name) != name:
        return "is too long, or not written in the usual form of its letters"
    return ""


def clash(names: Iterable[str]) -> tuple[str, str] | None:
    """Two names that are one on systems which do not tell capitals, or a file that is a folder."""
    seen: dict[str, str] = {}
    for name in sorted(names):
        key = unicodedata.normalize("NFC", name).casefold()
        if key in seen:
            return seen[key], name
        seen[key] = name
    for key, name in seen.items():
        above = key.rpartition("/")[0]
        while above:
            if above in seen:
                return seen[above], name
            above = above.rpartition("/")[0]
    return None
