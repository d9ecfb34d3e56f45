"""The stacks that ship: every edition by itself, and every variant on each edition it is for."""

from collections.abc import Iterator
from functools import cache, lru_cache

from tests.kept import kept
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import BUILT_IN, Pack, Search, find_packs, read_sources, resolve_stack
from ziggurat.runtime.kernel import Ruleset
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.saves.cache import cached, stack_key

KEPT = 4  # stacks that a worker holds in memory; the others are read from the disk again


@cache
def packs() -> dict[str, Pack]:
    return find_packs(Search((BUILT_IN,)))


@lru_cache(maxsize=KEPT)
def linked(stack: str) -> Ruleset:
    """Return the rules of a stack with their scenarios."""
    return kept(f"{_key(stack)}.ruleset", lambda: _link(stack))


@lru_cache(maxsize=2 * KEPT)
def compiled(stack: str, trace: bool = False) -> Program:
    """Return the program of a stack, the same entry of the cache that commands use."""
    program = cached(_key(stack, trace), lambda: linked(stack), trace)
    assert program is not None
    return program


def _link(stack: str) -> Ruleset:
    result = load(stack, Search((BUILT_IN,)))
    assert result.ruleset is not None, [finding.message for finding in result.diagnostics]
    return result.ruleset


@cache
def _key(stack: str, trace: bool = False) -> str:
    resolved, findings = resolve_stack(stack, Search((BUILT_IN,)))
    assert resolved is not None, [finding.message for finding in findings]
    return stack_key(resolved, read_sources(resolved)[0], trace)


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
