"""Citations given once: for all sources a pack means, and for the rules below a line."""

from typing import Any

from tests.dsl.linked import BASE
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Stack
from ziggurat.runtime.kernel import Cite, Ruleset

SOURCES = '[sources]\nW = "West"\nE = "East"\n'


def linked(*texts: str, below: str = "") -> Ruleset:
    """A pack that means W and E above a base that means W alone, with these files."""
    manifests = [
        f'id = "base"\ntitle = "Base"\nversion = "1"\ncites = ["W"]\n{SOURCES}',
        'id = "mine"\ntitle = "Mine"\nversion = "1"\nextends = ["base"]\ncites = ["W", "E"]\n',
    ]
    packs = [
        parse_manifest(Source(f"{name}/pack.toml", text, name), name)
        for name, text in zip(("base", "mine"), manifests, strict=True)
    ]
    base = BASE + 'value low(): int = 1  cites "1"\n' + below
    files = [Source(f"mine/{number}.rules", text, "mine") for number, text in enumerate(texts)]
    sources = [Source("base/base.rules", base, "base"), *files]
    result = load_sources(sources, Stack(tuple(packs), ("base", "mine")))
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def told(one: Any) -> list[str]:
    return [f"{cite.source} {cite.place}" for cite in one.meta.cites]


def cited(ruleset: Ruleset, name: str) -> list[str]:
    return told(ruleset.values[name])


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


def test_what_stands_in_a_block_cites_what_the_block_cites() -> None:
    ruleset = linked(
        "kind storm { body blow(p: player) }\n"
        'storm gale "Gale"  tags S-1 {\n'
        "  value force(): int = 1\n"
        '  value far(): int = 1  cites W "9"\n'
        '  cites "5"\n'
        '  blow { tags S-2\n    say "{p} is blown away." }\n'
        "  modify force() by +1  tags S-3\n"
        '  modify far() by +1  cites W "7"\n'
        "  before gather {}\n"
        "}\n"
        'phase gather "Gather"  cites W "3" {\n'
        "  needs size(players) > 1\n"
        '  needs size(players) > 2  cites W "4"\n'
        '  once { tags G-1\n    say "Gather." }\n'
        "  players p act until done\n"
        "}\n"
        'action wait "Wait" in gather by p  cites W "6" { needs size(players) > 1 }\n'
        'procedure end() { cites W "8"\n  step last { say "It ends." } }\n'
        'order turns(p: player)  cites W "2" { one: 1 }\n'
    )
    gale, gather = ruleset.things["storm"]["gale"], ruleset.phases["gather"]
    both = ["W 5", "E 5"]
    assert told(gale) == told(gale.bodies[0]) == told(gather.triggers[0]) == both
    assert gale.bodies[0].meta.tags == ("S-2",)
    assert told(ruleset.values["gale.force"]) == both
    assert told(ruleset.values["gale.far"]) == ["W 9"]
    clauses = [ruleset.values[name].contributions[0] for name in ("gale.force", "gale.far")]
    assert [told(clause) for clause in clauses] == [both, ["W 7"]]
    assert [told(need) for need in gather.needs] == [["W 3"], ["W 4"]]
    assert [told(stage) for stage in gather.stages] == [["W 3"], ["W 3"]]
    assert told(ruleset.actions["wait"].needs[0]) == ["W 6"]
    assert told(ruleset.procedures["end"].body[0]) == ["W 8"]
    assert told(ruleset.values["turns.one"]) == ["W 2"]


def test_a_line_holds_for_what_stands_in_a_rule_below_it() -> None:
    ruleset = linked('cites "2"\nrule r "R"  tags A-1 { value low(): int = 1 }\n')
    assert cited(ruleset, "r.low") == ["W 2", "E 2"]


def test_a_line_holds_for_amendments_below_it() -> None:
    ruleset = linked(
        'cites E "2"\n'
        "amend rule high {\n  tags A-1\n  modify low() by +2\n}\n"
        "amend value low {\n  tags A-2\n  base: 2\n}\n",
        below='rule high  cites "3" { modify low() by +1 }\n',
    )
    clauses = ruleset.values["low"].contributions
    assert [told(clause) for clause in clauses] == [["W 3"], ["E 2"]]
    assert cited(ruleset, "low") == ["W 1", "E 2"]


def test_the_clauses_of_a_rule_have_its_tags() -> None:
    ruleset = linked(
        'rule r "R"  cites W "4" tags A-1 {\n  modify low() by +1\n'
        "  modify low() by +2  tags A-2\n}\n"
    )
    clauses = ruleset.values["low"].contributions
    assert [clause.meta.tags for clause in clauses] == [("A-1",), ("A-2",)]
    assert [told(clause) for clause in clauses] == [["W 4"], ["W 4"]]


def test_who_amends_a_block_cites_for_themselves() -> None:
    ruleset = linked(
        "amend value low { base: 2 }\n"
        "amend rule high {\n  modify low() by +2\n  value mid(): int = 1\n}\n"
        "amend rule higher {\n  modify low() by +3\n  value top(): int = 1\n"
        '  cites E "8"\n}\n',
        below='rule high  cites "3" { modify low() by +1 }\n'
        'rule higher  cites "4" { modify low() by +1 }\n',
    )
    first, added, second, cited_there = ruleset.values["low"].contributions
    assert [told(one) for one in (first, added, second, cited_there)] == [
        ["W 3"], [], ["W 4"], ["E 8"],
    ]  # fmt: skip
    assert cited(ruleset, "high.mid") == []
    assert cited(ruleset, "higher.top") == ["E 8"]
