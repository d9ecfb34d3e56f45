"""The page of the language: its examples are one game and a variant of it, and show everything."""

import re
from pathlib import Path
from typing import Any

import pytest

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.grammar import lark_parser
from ziggurat.dsl.loading import LoadResult, load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.parse import read
from ziggurat.dsl.report_text import human_text
from ziggurat.dsl.syntax import Declaration, Node

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
BLOCKS = re.findall(
    r"^```rules( variant)?\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S
)
GAME = "\n".join(text for variant, text in BLOCKS if not variant)
VARIANT = "\n".join(text for variant, text in BLOCKS if variant)


def link(packs: dict[str, str]) -> LoadResult:
    manifests = []
    for name in packs:
        extends = "" if name == "west" else 'extends = ["west"]\noptional = ["expert"]\n'
        extends = extends or 'players = "2-3"\n'
        text = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\n{extends}cites = ["W"]\n'
        text += '[sources]\nW = "Rules"\n'
        manifests.append(parse_manifest(Source(f"{name}/pack.toml", text, name), name))
    sources = [Source(f"{name}/page.rules", text, name) for name, text in packs.items()]
    return load_sources(sources, Stack(tuple(manifests), tuple(packs)))


def errors(result: LoadResult) -> str:
    return human_text([found for found in result.diagnostics if found.is_error])


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_every_example_is_read(number: int) -> None:
    assert human_text(read(Source("page.rules", BLOCKS[number][1])).findings) == ""


def test_the_examples_are_one_game() -> None:
    assert errors(link({"west": GAME})) == ""


def test_the_amendments_are_a_variant_of_it() -> None:
    assert errors(link({"west": GAME, "harder": VARIANT})) == ""


def shown(node: Any) -> set[str]:
    """The forms of the grammar that are used in a tree."""
    if isinstance(node, (tuple, list)):
        return {form for one in node for form in shown(one)}
    if isinstance(node, Declaration):
        inner = (node.params, node.heads, node.type, node.default, node.metas, node.items)
        return {"decl"} | shown(inner)
    return {node.rule} | shown(node.parts) if isinstance(node, Node) else set()


def test_every_form_of_the_grammar_is_shown() -> None:
    forms = {str(rule.alias) for rule in lark_parser().rules if rule.alias}
    used = shown(read(Source("page.rules", GAME + VARIANT)).file.tops)
    assert forms - used == {"decl_by_title"}  # scenarios, which are read as declarations
