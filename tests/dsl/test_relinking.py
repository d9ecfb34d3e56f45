"""Linking again: whatever was edited, what comes of it is what a first load gives, with all places.

The pages of the catalogue of findings and the broken packs bring every form and every finding;
random edits bring what nobody thought of.
"""

import gc
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dsl.linked import WHOLE, Kept, base_for, link_text
from tests.dsl.regold import cases
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.hashing import content_hash, to_json
from ziggurat.dsl.linking.relinking import LinkedDeclarations
from ziggurat.dsl.loading import LoadResult, ParsedFiles, load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import BUILT_IN, Search, Stack, read_sources, resolve_stack

PACKS = Path(__file__).parents[1] / "packs"
MOVED = "\n# moved down\n"


def assert_same(found: LoadResult, fresh: LoadResult) -> None:
    """The same findings and the same rules, word for word and place for place."""
    assert found.diagnostics == fresh.diagnostics
    assert (found.ruleset is None) == (fresh.ruleset is None)
    if found.ruleset is not None and fresh.ruleset is not None:
        assert content_hash(found.ruleset) == content_hash(fresh.ruleset)
        assert to_json(found.ruleset) == to_json(fresh.ruleset)


# ---- every form and every finding ---------------------------------------------------------------


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.stem)
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


# ---- random edits -------------------------------------------------------------------------------


def _lines(text: str, draw: random.Random) -> tuple[list[str], int]:
    lines = text.split("\n")
    return lines, draw.randrange(len(lines))


def insert_line(text: str, draw: random.Random) -> str:
    lines, at = _lines(text, draw)
    return "\n".join([*lines[:at], "", *lines[at:]])


def drop_line(text: str, draw: random.Random) -> str:
    lines, at = _lines(text, draw)
    return "\n".join([*lines[:at], *lines[at + 1 :]])


def repeat_line(text: str, draw: random.Random) -> str:
    lines, at = _lines(text, draw)
    return "\n".join([*lines[: at + 1], *lines[at:]])


def drop_declaration(text: str, draw: random.Random) -> str:
    parts = _declarations(text)
    del parts[draw.randrange(len(parts))]
    return "".join(parts)


def swap_declarations(text: str, draw: random.Random) -> str:
    parts = _declarations(text)
    draw.shuffle(parts)
    return "".join(parts)


def _declarations(text: str) -> list[str]:
    return re.split(r"(?m)^(?=[a-z])", text)


def rename(text: str, draw: random.Random) -> str:
    words = sorted(set(re.findall(r"\b[a-z_]{3,}\b", text))) or ["none"]
    old, other = draw.choice(words), draw.choice(words)
    new = draw.choice([f"{old}x", old[:-1], other])
    return re.sub(rf"\b{old}\b", new, text, count=draw.choice([0, 1]))


def other_number(text: str, draw: random.Random) -> str:
    places = list(re.finditer(r"\b\d+\b", text))
    if not places:
        return text + "\n"
    place = draw.choice(places)
    return f"{text[: place.start()]}{draw.randrange(12)}{text[place.end() :]}"


def break_it(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice('{}()".:,=@ ') + text[at:]


EDITS: list[Callable[[str, random.Random], str]] = [
    insert_line, drop_line, repeat_line, drop_declaration, swap_declarations, rename, rename,
    other_number, other_number, break_it,
]  # fmt: skip


MOD = """
value fords(p: player): int = count(h in hexes where h.terrain is woods and any(army of p in h))
amend terrain hills {
  defence +1
  forbid may_enter(p, h) when h.terrain is hills and fords(p) > 2
}
amend value armies { base +1 }
amend value hold { base: count(army of players in h) + h.terrain.defence + 1 }
amend turn main { insert dawn before movement }
amend advice march { prefer 2 when fords(p) > 0 }
phase dawn "Dawn" { each player p by turns { trace(p) } }
rename phase dusk to nightfall
rename terrain walls to town_walls
remove advice attack
rule fog {
  modify strength(p, target) by -1 when target.terrain is woods
  before rout(winner, field) { say "{winner} comes out of the fog." }
  after dusk { say "Night." }
}
scenario "the fog" {
  players north, south
  given { place 2 army of north in h0503 }
  run trace(north)
  expect { check strength(north, h0504) == 2 }
}
"""


def war_with_a_mod() -> tuple[Stack, list[Source]]:
    """A small game, and a pack that changes it in many ways."""
    game, sources = shipped("marches", PACKS)
    manifest = 'id = "mod"\ntitle = "Mod"\nversion = "1"\nextends = ["marches"]\n'
    mod = parse_manifest(Source("mod/pack.toml", manifest, "mod"), "mod")
    return Stack((*game.packs, mod), ("mod",)), [*sources, Source("mod/mod.rules", MOD, "mod")]


def shipped(name: str, folder: Path = BUILT_IN) -> tuple[Stack, list[Source]]:
    stack, problems = resolve_stack(name, Search((folder,)))
    assert stack is not None
    assert not problems
    return stack, read_sources(stack)[0]


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
@settings(max_examples=12, deadline=None)
def test_random_edits_of_a_small_game(seed: int) -> None:
    edit_at_random(*war_with_a_mod(), random.Random(seed), 8)


def test_random_edits_of_a_large_game() -> None:
    edit_at_random(*shipped("west+expert"), random.Random(9), 3)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_many_random_edits_of_a_large_game(seed: int) -> None:
    edit_at_random(*shipped("west+expert"), random.Random(seed), 5)


# ---- what is kept -------------------------------------------------------------------------------


def test_nothing_piles_up() -> None:
    """As much is held in memory after many edits as after a few."""
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
