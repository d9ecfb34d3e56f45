"""A pack to begin with: a `pack.toml`, a rule, and a scenario."""

import re
from pathlib import Path

from ziggurat import MANIFEST, Search, find_packs, replace_file

_ID = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def new_pack(folder: Path, name: str, extends: str) -> tuple[str, str]:
    """The file to open, or what is wrong; nothing that is there is written over."""
    if not _ID.fullmatch(name):
        return "", f"`{name}` is no name for a pack; write it as in `my_pack`."
    place = folder / name
    if place.exists():
        return "", f"There is already something called `{name}` in that folder."
    packs = find_packs(Search.default((folder,)))
    if extends not in packs:
        return "", f"There is no pack called `{extends}` to build on."
    sources = packs[extends].cites or tuple(packs[extends].sources)
    cites = f'cites = ["{sources[0]}"]\n' if sources else ""
    title = name.replace("_", " ").capitalize()
    manifest = f'id = "{name}"\ntitle = "{title}"\nversion = "1"\nextends = ["{extends}"]\n{cites}'
    rules = place / f"{name}.rules"
    try:
        place.mkdir(parents=True)
        replace_file(place / MANIFEST, manifest.encode())
        replace_file(rules, f"# {title}: what this pack changes.\n".encode())
    except OSError as error:
        return "", f"`{place}` cannot be written: {error.strerror}."
    return str(rules), ""
