"""The stacks that ship: every edition by itself, and every variant on each edition it is for."""

from collections.abc import Iterator
from functools import cache

from ziggurat.dsl.ir import Ruleset
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import BUILT_IN, Pack, Search, find_packs


@cache
def packs() -> dict[str, Pack]:
    return find_packs(Search((BUILT_IN,)))


@cache
def linked(stack: str) -> Ruleset:
    """The rules of a stack, linked once in every process of a test run."""
    found = load(stack, Search((BUILT_IN,)))
    assert found.ruleset is not None, [finding.message for finding in found.diagnostics]
    return found.ruleset


def stacks() -> Iterator[tuple[str, str]]:
    """Stacks, and how the files of the variant in them begin (empty: an edition by itself)."""
    for pack in packs().values():
        if pack.id in editions():
            yield pack.id, ""
            continue
        for need in (*pack.extends, *pack.optional):
            if need.id in editions():
                yield f"{need.id}+{pack.id}", f"{pack.id}/"


@cache
def editions() -> tuple[str, ...]:
    """The packs that are games by themselves; a variant may say its players, too."""
    return tuple(id_ for id_, pack in packs().items() if pack.players and not pack.incomplete)
