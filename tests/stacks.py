"""The stacks that ship: every edition by itself, and every variant on each edition it is for."""

from collections.abc import Iterator
from functools import cache

from ziggurat.dsl.packs import BUILT_IN, Pack, Search, find_packs


@cache
def packs() -> dict[str, Pack]:
    return find_packs(Search((BUILT_IN,)))


def stacks() -> Iterator[tuple[str, str]]:
    """Stacks, and how the files of the variant in them begin (empty: an edition by itself)."""
    for pack in packs().values():
        if pack.players:
            yield pack.id, ""
            continue
        for need in (*pack.extends, *pack.optional):
            if need.id in packs() and packs()[need.id].players:
                yield f"{need.id}+{pack.id}", f"{pack.id}/"
