"""Linking again: whatever was edited, what comes of it is what a first load gives, with all places.

The pages of the catalogue of findings and the broken packs bring every form and every finding;
random edits bring what nobody thought of.
"""

import gc
import random
from collections.abc import Container, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dsl.edited import EDITS, PACKS, shipped, war_with_a_mod
from tests.dsl.linked import BASE, WHOLE, Kept, base_for, link_text
from tests.dsl.regold import cases
from tests.sampling import sampled
from ziggurat.dsl import loading
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.hashing import to_json
from ziggurat.dsl.linking.relinking import LinkedDeclarations
from ziggurat.dsl.loading import LoadResult, ParsedFiles, load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.parse import parse_source

MOVED = "\n# moved down\n"


def assert_same(found: LoadResult, fresh: LoadResult) -> None:
    """The same findings and the same rules, word for word and place for place, so the same hash."""
    assert found.diagnostics == fresh.diagnostics
    assert (found.ruleset is None) == (fresh.ruleset is None)
    if found.ruleset is not None and fresh.ruleset is not None:
        assert to_json(found.ruleset) == to_json(fresh.ruleset)


def stem(case: Path) -> str:
    return case.stem


# ---- every form and every finding ---------------------------------------------------------------


@pytest.mark.parametrize("case", sampled(cases(), 4, stem), ids=stem)
def test_a_broken_pack_over_a_base_that_moves(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    base = base_for(case.stem.partition("_")[0])
    kept = Kept()
    for here, below in (
        (text, base),
        (text, MOVED + base),
        ("", base),
        (text, base),
        (text, WHOLE),
    ):
        assert_same(link_text(here, below, kept), link_text(here, below))


def test_one_broken_pack_after_the_other() -> None:
    kept = Kept()
    single = [case for case in cases() if "#### pack" not in case.read_text(encoding="utf-8")]
    assert len(single) > 100
    for case in random.Random(1).sample(single, len(single)):
        text = case.read_text(encoding="utf-8")
        assert_same(link_text(text, kept=kept), link_text(text))


def test_what_a_later_pack_expects_of_a_scenario() -> None:
    lower = 'scenario "far" {\n  players reds, blues\n  expect { check reach(reds) == 2 }\n}\n'
    line = 'expects scenario "far" otherwise because "farther" {{ expect {{ check {} }} }}\n'
    kept = Kept()
    for check in ("reach(reds) == 3", "", "reach(blues) == 3", "reach(nobody) == 3"):
        text = f"{lower}#### pack upper extends game\namend value reach {{ base: 3 }}\n"
        text += line.format(check) if check else ""
        assert_same(link_text(text, kept=kept), link_text(text))


def test_a_position_that_scenarios_of_another_file_share() -> None:
    sources = {
        "a.rules": BASE,
        "b.rules": 'scenario "one" {\n  players reds, blues\n  given here\n'
        "  expect { check reach(reds) == 2 }\n}\n",
    }
    manifest = Source("game/pack.toml", 'id = "game"\ntitle = "g"\nversion = "1"\n', "game")
    stack = Stack((parse_manifest(manifest, "game"),), ("game",))
    kept = LinkedDeclarations()
    parsed = ParsedFiles()
    for place in ("north", "south", "nowhere", "north"):
        texts = {**sources, "c.rules": f"given here {{ place 1 man of reds in {place} }}\n"}
        files = [Source(f"game/{name}", text, "game") for name, text in texts.items()]
        again = load_sources(files, stack, (), parsed, kept)
        assert_same(again, load_sources(files, stack))


# ---- random edits -------------------------------------------------------------------------------


def edit_at_random(stack: Stack, sources: list[Source], draw: random.Random, edits: int) -> None:
    """Edit after edit, now and then mended, each compared with a first load of the same texts."""
    current = {source.path: source for source in sources}
    kept, parsed = LinkedDeclarations(), ParsedFiles()
    load_sources(sources, stack, (), parsed, kept)
    for _ in range(edits):
        original = draw.choice(sources)
        text = current[original.path].text
        if draw.random() < 0.3:
            current = {source.path: source for source in sources}
        else:
            text = draw.choice(EDITS)(text, draw)
            current[original.path] = Source(original.path, text, original.pack)
        now = list(current.values())
        assert_same(load_sources(now, stack, (), parsed, kept), load_sources(now, stack))
        parsed.forget_others(now)


def test_the_mod_is_sound() -> None:
    stack, sources = war_with_a_mod()
    assert [str(found) for found in load_sources(sources, stack).diagnostics] == []


@given(st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_random_edits_of_a_small_game(seed: int) -> None:
    edit_at_random(*war_with_a_mod(), random.Random(seed), 8)


def test_random_edits_of_a_large_game() -> None:
    edit_at_random(*shipped("west+expert"), random.Random(9), 1)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_many_random_edits_of_a_large_game(seed: int) -> None:
    edit_at_random(*shipped("west+expert"), random.Random(seed), 5)


# ---- other stacks -------------------------------------------------------------------------------


def link_parts(stack: Stack, sources: list[Source], parts: Iterable[Container[str]]) -> list[int]:
    """Link parts of a stack in turn, each compared with a first load. Return how many declarations
    were linked in each."""
    kept, parsed = LinkedDeclarations(), ParsedFiles()
    linked = []
    for chosen in parts:
        packs = tuple(pack for pack in stack.packs if pack.id in chosen)
        part = Stack(packs, tuple(pack.id for pack in packs))
        texts = [source for source in sources if source.pack in chosen]
        assert_same(load_sources(texts, part, (), parsed, kept), load_sources(texts, part))
        linked.append(len(kept.fresh))
    return linked


def test_pack_on_top_links_only_what_it_changes() -> None:
    stack, sources = war_with_a_mod()
    below, whole = stack.ids[:-1], stack.ids
    first, mod, without, _ = link_parts(stack, sources, (below, whole, below, whole))
    assert without <= mod < first / 2


def test_pack_that_adds_something_links_only_that() -> None:
    stack, sources = shipped("marches", PACKS)
    manifest = 'id = "mod"\ntitle = "Mod"\nversion = "1"\nextends = ["marches"]\n'
    mod = parse_manifest(Source("mod/pack.toml", manifest, "mod"), "mod")
    text = Source("mod/mod.rules", "value nothing(): int = 0\n", "mod")
    grown = Stack((*stack.packs, mod), ("mod",))
    assert link_parts(grown, [*sources, text], (stack.ids, grown.ids))[1] <= 3


@pytest.mark.slow
def test_parts_of_a_large_stack_in_any_order() -> None:
    stack, sources = shipped("west+expert+special_buildings")
    draw = random.Random(5)
    parts = [{*draw.sample(stack.ids, draw.randint(1, len(stack.ids)))} for _ in range(12)]
    link_parts(stack, sources, [stack.ids, *parts, stack.ids])


# ---- what is kept -------------------------------------------------------------------------------


def test_nothing_piles_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much is held in memory after many edits as after a few."""
    monkeypatch.setattr(loading, "parse_source", parse_source)  # that of tests remembers texts
    stack, sources = war_with_a_mod()
    kept, parsed = LinkedDeclarations(), ParsedFiles()
    draw = random.Random(3)

    def held(edits: int) -> tuple[int, int, int]:
        for _ in range(edits):
            at = draw.randrange(len(sources))
            path, text, pack = sources[at].path, sources[at].text, sources[at].pack
            edited = Source(path, draw.choice(EDITS)(text, draw), pack)
            load_sources([*sources[:at], edited, *sources[at + 1 :]], stack, (), parsed, kept)
        load_sources(sources, stack, (), parsed, kept)
        parsed.forget_others(sources)
        gc.collect()
        return len(kept.entries), len(kept.tables), len(gc.get_objects())

    entries, tables, objects = held(20)
    later_entries, later_tables, later_objects = held(150)
    assert (later_entries, later_tables) == (entries, tables)
    assert later_objects < objects * 1.02
