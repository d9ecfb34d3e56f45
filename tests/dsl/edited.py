"""Edits by chance, and games to be edited."""

import random
import re
from collections.abc import Callable
from pathlib import Path

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import BUILT_IN, Search, Stack, read_sources, resolve_stack

PACKS = Path(__file__).parents[1] / "packs"


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
expects scenario "a zone of control stops whoever enters it" otherwise because "there is fog" {
  expect { check count(spent army of north in h0505) == 1 }
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
