"""Differences as people read them: what is marked, what stands together, and where."""

import attrs
import pytest

from tests.dsl.linked import link_text
from ziggurat.dsl.comparing.arrangement import Arrangement, arrange
from ziggurat.dsl.diff import diff
from ziggurat.runtime.kernel import Ruleset

GAME = """kind side seat {{}}
side left "Left" {{}}
side right "Right" {{}}
kind rune holdable plural runes {{ cost: int  colour: text = "" }}
kind motto plural mottos {{ text: text }}
motto peace "Peace" {{ text: "peace" }}
rune sun "The Sun" {{
  cost: {cost}
  colour: "{colour}"
  modify gain(holder) by +1{clause_tag}
}}
piece coin {{ supply: 9  home: purse }}
place purse of player
place chest of player
option generous "Twice as much": bool = no
option mild "Little by little": bool = {mild}
value gain(p: player) "What one gets": int = {gain}  tags R-1
value bound(): int = {bound}
value idle_number(p: player): int = {idle}
value wish(p: player): int = {wish}
phase dawn "Dawn" {{
  once {{ say "{said}" }}
}}
phase income "Income" {{
  each player p {{
    choose n by p from 0..gain(p) "{prompt}"
    {step}
    place min(n, bound()) coin of p in chest
    {more}
  }}
  once {{ end game }}
}}
advice income.n {{ prefer {preferred} }}
turn main {{ start: dawn  phases: income }}
{extra}"""
PLAIN = {
    "cost": "3", "colour": "red", "clause_tag": "", "mild": "no", "gain": "2", "bound": "5",
    "idle": "1", "wish": "1", "said": "It dawns.", "prompt": "How many?", "step": "", "more": "",
    "preferred": "wish(p) + it", "extra": "",
}  # fmt: skip


def linked(**changes: str) -> Ruleset:
    text = GAME.format(**{**PLAIN, **changes})
    result = link_text(text, base="")
    assert result.ruleset is not None, [one.message for one in result.diagnostics]
    return result.ruleset


def between(old: dict[str, str], new: dict[str, str]) -> Arrangement:
    a, b = linked(**old), linked(**new)
    return arrange(diff(a, b), a, b)


def told(found: Arrangement) -> list[tuple[str, str, str, bool]]:
    """Heading, path, sort and whether it is felt."""
    return [
        (chapter.title, one.entry.path, one.sort, one.felt)
        for chapter in found.chapters
        for provision in chapter.provisions
        for one in provision.told
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"gain": "3"}, [("Income", "value gain / base", "rule", True)]),
        ({"gain": "4 if generous else 2"}, [("Income", "value gain / base", "rule", False)]),
        ({"mild": "yes"}, [("Options", "option mild / default", "rule", True)]),
        ({"idle": "2"}, [("Values", "value idle_number / base", "advice", False)]),
        ({"wish": "2"}, [("Values", "value wish / base", "advice", False)]),
        ({"cost": "4"}, [("Runes", "rune sun / cost", "data", False)]),
        ({"colour": "blue"}, [("Runes", "rune sun / colour", "data", False)]),
        ({"said": "Dawn."}, [("Wording", "phase dawn / stage", "wording", False)]),
        ({"preferred": "it"}, [("Advice", "advice income.n", "advice", False)]),
        (
            {"extra": 'motto war "War" { text: "war" }'},
            [("Mottos", "motto war", "data", False)],
        ),
        (
            {"more": "if generous { place 1 coin of p in chest }"},
            [("Income", "phase income / stage 1", "rule", False)],
        ),
        (
            {"extra": "rule late { modify bound() by +1 when generous }"},
            [("Income", "rule late", "rule", False)],
        ),
        (
            {"extra": "rule hoping { modify wish(p) by +1 }"},
            [("Rules", "rule hoping", "advice", False)],
        ),
        (
            {"extra": "rule early { modify bound() by +1 when not generous }"},
            [("Income", "rule early", "rule", True)],
        ),
    ],
)
def test_what_a_change_is_told_to_be(
    changes: dict[str, str], expected: list[tuple[str, str, str, bool]]
) -> None:
    """Seen from either side."""
    assert told(between({}, changes)) == expected
    assert [one[1:] for one in told(between(changes, {}))] == [one[1:] for one in expected]


def test_a_number_that_decides_a_condition_is_felt() -> None:
    """Both numbers settle what is asked of them, in two ways: the value is what differs."""
    more = "if bound() > 3 { place 1 coin of p in chest }"
    found = between({"more": more}, {"more": more, "bound": "2"})
    assert told(found) == [("Income", "value bound / base", "rule", True)]


@pytest.mark.parametrize(("condition", "felt"), [("rich_on", True), ("not rich_on", False)])
def test_option_is_felt_where_rule_that_it_enables_is(condition: str, felt: bool) -> None:
    option = "option rich_on: bool = yes\n"
    rule = f"rule rich {{ modify gain(_p) by +1 when {condition} }}\n"
    found = told(between({}, {"extra": option + rule}))
    assert ("option rich_on", felt) in [(path, felt) for _, path, _, felt in found]


def test_only_wording_and_advice_are_no_difference() -> None:
    found = between({}, {"prompt": "How many coins?", "preferred": "0"})
    assert not found.difference
    assert [one[2] for one in told(found)] == ["wording", "advice"]
    (wording, _) = found.difference.besides
    assert wording.hunks == (
        (
            'choose n by p from 0..gain(p) "How many?"',
            'choose n by p from 0..gain(p) "How many coins?"',
        ),
    )


def test_titles_are_wording() -> None:
    a = linked()
    b = attrs.evolve(
        a, values={**a.values, "gain": attrs.evolve(a.values["gain"], title="Income of a player")}
    )
    (entry,) = diff(a, b).besides
    assert (entry.section, entry.path) == ("wording", "value gain / title")
    assert entry.hunks == (("What one gets", "Income of a player"),)


def test_a_tag_joins_and_comes_before_citations() -> None:
    extra = """rule lucky "Luck" { modify gain(p) by +1 when generous  tags R-1 }
value helping(): int = 2
rule helped "Help" { modify gain(p) by helping()  tags R-2 }"""
    found = between({}, {"extra": extra, "gain": "7"})
    provisions = [{one.entry.path for one in each.told} for each in found.provisions()]
    assert provisions == [
        {"value gain / base", "rule lucky"},
        {"rule helped", "value helping"},
    ]
    assert [one.title for one in found.provisions()] == ["What one gets", "Help"]
    assert found.counts()["rules"] == 2


def test_an_option_stands_with_the_rule_that_asks_for_it() -> None:
    extra = """option bold "Boldly": bool = no  tags Q-9
rule bolder "Boldness" { modify gain(p) by +1 when bold  tags R-3 }"""
    (one,) = between({}, {"extra": extra}).provisions()
    assert [each.entry.path for each in one.told] == ["rule bolder", "option bold"]


def test_parts_of_one_thing_have_its_title() -> None:
    found = between({}, {"cost": "4", "colour": "blue"})
    assert [(one.title, len(one.told)) for one in found.provisions()] == [("The Sun", 2)]
