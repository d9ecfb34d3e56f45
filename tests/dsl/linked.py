"""Linking texts in tests: one helper, many tiny cases.

A text may hold several packs, each begun by a line such as `#### pack second extends base`; what
stands before the first such line is the pack `game`. `with_base` puts a small sound game, the pack
`base`, below them, so that a case can be as short as its mistake.
"""

import re
from pathlib import Path

import attrs

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.relinking import LinkedDeclarations
from ziggurat.dsl.loading import LoadResult, ParsedFiles, load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Stack

BROKEN = Path(__file__).parent / "broken"
BASE = (BROKEN / "base.txt").read_text(encoding="utf-8")
WHOLE = BASE + (BROKEN / "whole.txt").read_text(encoding="utf-8")
# What is never used or reached is found only in a whole game.
OF_WHOLE = frozenset(
    ["Z501", "Z502", "Z503", "Z507", "Z509", "Z511", "Z512", "Z518", "Z519", "Z521", "Z702"]
)
_PACK = re.compile(r"^#### pack (\w+)(?: extends (\w+))?\n", re.MULTILINE)


@attrs.frozen
class Kept:
    """What linking a text leaves for the next one."""

    parsed: ParsedFiles = attrs.field(factory=ParsedFiles)
    linked: LinkedDeclarations = attrs.field(factory=LinkedDeclarations)


def link_text(text: str, base: str = BASE, kept: Kept | None = None) -> LoadResult:
    """Load the packs of a text on top of the base."""
    packs = [("base", "", base)] if base else []
    first, *rest = _PACK.split(text)
    if first.strip():
        packs.append(("game", "base" if base else "", first))
    for name, extends, body in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        packs.append((name, extends or ("base" if base else ""), body))
    sources = [Source(f"{name}/{name}.rules", body, name) for name, _, body in packs]
    manifests = [parse_manifest(_manifest(name, extends), name) for name, extends, _ in packs]
    stack = Stack(tuple(manifests), tuple(name for name, *_ in packs))
    if kept is None:
        return load_sources(sources, stack)
    return load_sources(sources, stack, (), kept.parsed, kept.linked)


def _manifest(name: str, extends: str) -> Source:
    needs = f'extends = ["{extends}"]\n' if extends else ""
    text = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\n{needs}[sources]\nW = "Rulebook"\n'
    return Source(f"{name}/pack.toml", text, name)


def base_for(code: str) -> str:
    """The game on which the example of a code builds."""
    return WHOLE if code in OF_WHOLE else BASE


def codes(text: str, base: str = BASE) -> list[str]:
    return [found.code for found in link_text(text, base).diagnostics]
