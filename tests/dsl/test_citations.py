"""Citations given once: for all sources a pack means, and for the rules below a line."""

from tests.dsl.linked import BASE
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.ir import Cite, Ruleset
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Stack

SOURCES = '[sources]\nW = "West"\nE = "East"\n'


def linked(*texts: str) -> Ruleset:
    """A pack that means W and E above a base that means W alone, with these files."""
    manifests = [
        f'id = "base"\ntitle = "Base"\nversion = "1"\ncites = ["W"]\n{SOURCES}',
        'id = "mine"\ntitle = "Mine"\nversion = "1"\nextends = ["base"]\ncites = ["W", "E"]\n',
    ]
    packs = [
        parse_manifest(Source(f"{name}/pack.toml", text, name), name)
        for name, text in zip(("base", "mine"), manifests, strict=True)
    ]
    below = Source("base/base.rules", BASE + 'value low(): int = 1  cites "1"\n', "base")
    files = [Source(f"mine/{number}.rules", text, "mine") for number, text in enumerate(texts)]
    result = load_sources([below, *files], Stack(tuple(packs), ("base", "mine")))
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def cited(ruleset: Ruleset, name: str) -> list[str]:
    return [f"{cite.source} {cite.place}" for cite in ruleset.values[name].meta.cites]


def test_a_citation_without_a_source_means_those_of_its_own_pack() -> None:
    ruleset = linked('value high(): int = 1  cites "2", W "3"\n')
    assert ruleset.values["high"].meta.cites == (Cite("W", "2"), Cite("E", "2"), Cite("W", "3"))
    assert cited(ruleset, "low") == ["W 1"]


def test_a_line_holds_for_the_rules_below_it_that_have_tags_and_no_citation() -> None:
    ruleset = linked(
        "value before(): int = 1  tags A-1\n"
        'cites "2"\n'
        "value one(): int = 1  tags A-1\n"
        'value own(): int = 1  cites W "9" tags A-1\n'
        "value helper(): int = 1\n"
        "value inside(): int = 1 { tags A-2 }\n"
        'cites E "3"\n'
        "value three(): int = 1  tags A-3\n",
        "value elsewhere(): int = 1  tags A-1\n",
    )
    names = ("before", "one", "own", "helper", "inside", "three", "elsewhere")
    expected = [[], ["W 2", "E 2"], ["W 9"], [], ["W 2", "E 2"], ["E 3"], []]
    assert [cited(ruleset, name) for name in names] == expected
    assert ruleset.values["one"].meta.tags == ("A-1",)


def test_a_line_holds_for_a_replacement_below_it() -> None:
    ruleset = linked('cites "2"\nreplace value low(): int = 2  tags A-1\n')
    assert cited(ruleset, "low") == ["W 2", "E 2"]


def test_what_a_thing_holds_is_not_below_the_line() -> None:
    ruleset = linked('cites "2"\nrule r "R"  tags A-1 { value low(): int = 1  tags A-2 }\n')
    assert cited(ruleset, "r.low") == []
