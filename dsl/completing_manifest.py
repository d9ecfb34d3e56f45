"""What may be written in a `pack.toml`: its keys, and the packs that there are."""

import re
from collections.abc import Mapping

from ziggurat.dsl.completing import Candidate
from ziggurat.dsl.manifest import KEYS, Pack

_PACK_LISTS = frozenset({"extends", "requires", "optional", "conflicts"})
_KEY = re.compile(r"^\s*(\w+)\s*=", re.MULTILINE)


def manifest_completions(text: str, offset: int, packs: Mapping[str, Pack]) -> list[Candidate]:
    """All that may stand where a word begins."""
    before = text[:offset]
    line = before.rpartition("\n")[2]
    used = _KEY.findall(before)
    in_list = used and before.rfind("[", before.rfind(used[-1])) > before.rfind("]")
    key = used[-1] if used and (in_list or "=" in line) else ""
    if not key:
        if line.strip():
            return []
        given = set(_KEY.findall(text))
        return [Candidate(one, "key", one) for one in KEYS if one not in given]
    if key in _PACK_LISTS or key == "stack":
        return [Candidate(one, "pack", one) for one in packs]
    if key == "cites":
        sources = {source: None for pack in packs.values() for source in pack.sources}
        return [Candidate(one, "source", one) for one in sources]
    if key == "incomplete":
        return [Candidate(one, "word") for one in ("true", "false")]
    return []
