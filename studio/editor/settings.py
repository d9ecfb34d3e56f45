"""Which stack a file is checked in: what a setting says, what its pack says, or what suits it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from ziggurat import Pack, Search, find_packs, is_pack, load_pack


@attrs.frozen
class Settings:
    """What an editor may set: a stack to check in, and more folders with packs."""

    stack: str = ""
    packs: tuple[Path, ...] = ()
    hints: bool = True

    @classmethod
    def read(cls, given: Any) -> "Settings":
        """Settings as clients send them, in a section of their own or not; what is no setting is
        left aside."""
        if isinstance(given, Mapping) and isinstance(given.get("ziggurat"), Mapping):
            given = given["ziggurat"]
        if not isinstance(given, Mapping):
            return cls()
        stack, packs, hints = given.get("stack"), given.get("packs"), given.get("inlayHints")
        listed = packs if isinstance(packs, Sequence) and not isinstance(packs, str) else ()
        folders = [one for one in listed if isinstance(one, str)]
        return cls(
            stack.strip() if isinstance(stack, str) else "",
            tuple(Path(folder).expanduser() for folder in folders),
            hints if isinstance(hints, bool) else True,
        )


def pack_folder(path: Path) -> Path | None:
    """The folder of the pack that a file belongs to."""
    return next((folder for folder in path.parents if is_pack(folder)), None)


def search_for(folder: Path, settings: Settings, texts: Mapping[str, str]) -> Search:
    """Where to look for packs: where this one lies, where settings say, and the usual places. Of
    several packs with its id, this one is meant."""
    beside = folder.parent
    above = beside.parent if beside.name in ("variants", "boards") else beside
    search = Search.default((above, *(one for one in settings.packs if one.is_dir())))
    return search.showing(texts).preferring(folder)


def stack_for(folder: Path, settings: Settings, search: Search) -> str:
    """The stack in which the pack of a folder is checked."""
    pack = load_pack(folder, shown=search.shown)
    if settings.stack and _holds(settings.stack, pack, search):
        return settings.stack
    if pack.stack:
        return pack.stack
    if not pack.incomplete:
        return pack.id
    packs = find_packs(search)
    games = {one.id: one for one in packs.values() if not one.incomplete}
    for need in pack.optional:
        if need.id in games:
            return f"{need.id}+{pack.id}"
    for game in games.values():
        if pack.id in _below(game, packs):
            return game.id
    return pack.id


def _holds(stack: str, pack: Pack, search: Search) -> bool:
    packs = find_packs(search)
    parts = [part.strip() for part in stack.split("+")]
    below = {one for part in parts if part in packs for one in _below(packs[part], packs)}
    return pack.id in (*parts, *below)


def _below(pack: Pack, packs: Mapping[str, Pack]) -> set[str]:
    """The ids of all packs that a pack builds on."""
    found: set[str] = set()
    waiting = [pack]
    while waiting:
        one = waiting.pop()
        for need in (*one.extends, *one.requires):
            if need.id not in found and need.id in packs:
                found.add(need.id)
                waiting.append(packs[need.id])
    return found
