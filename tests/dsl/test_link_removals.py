"""What goes with a removed thing, and what needs it: data, lists, maps, defaults."""

from typing import Any

from tests.dsl.linked import link_text
from ziggurat.dsl.diagnostics import Diagnostic
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import Ruleset

GUILDS = """#### pack first extends base
kind guild {
  craft: skill or none = none
  others: list of skill = []
  fees: skill -> int = {}
  friend: skill or none = pottery
  dues: skill -> int = {pottery: 3, sailing: 4}
}
guild potters "Potters" { craft: pottery  others: sailing, pottery  fees: pottery 3, sailing 5 }
value all_crafts(p: player): list of skill = [sailing, pottery]
value prices(p: player): skill -> int = {pottery: 2}
#### pack second extends first
amend guild potters { fees for pottery +2 }
#### pack third extends first
"""
REMOVED = GUILDS + "remove skill pottery\n"


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def only(text: str, code: str) -> Diagnostic:
    (found,) = (one for one in link_text(text).diagnostics if one.code == code)
    return found


def fields(ruleset: Ruleset, kind: str, thing: str) -> dict[str, Any]:
    return {one.field: one.value for one in ruleset.things[kind][thing].values}


def test_what_may_be_none_is_none_now() -> None:
    assert fields(linked(REMOVED), "skill", "sailing")["needs_first"] is None
    assert fields(linked(REMOVED), "guild", "potters")["craft"] is None


def test_lists_and_maps_lose_it() -> None:
    potters = fields(linked(REMOVED), "guild", "potters")
    assert potters["others"] == ("skill.sailing",)
    assert potters["fees"] == (("skill.sailing", 5),)
    values = linked(REMOVED).values
    crafts, prices = values["all_crafts"].base, values["prices"].base
    assert isinstance(crafts, ir.Op)
    assert [one.id for one in crafts.args if isinstance(one, ir.ThingRef)] == ["sailing"]
    assert isinstance(prices, ir.Op)
    assert (prices.op, prices.args) == ("map", ())


def test_defaults_lose_it() -> None:
    guild = {one.name: one.default for one in linked(REMOVED).kinds["guild"].fields}
    friend, dues = guild["friend"], guild["dues"]
    assert isinstance(friend, ir.Lit)
    assert friend.value is None
    assert isinstance(dues, ir.Op)
    assert len(dues.args) == 2


def test_each_loss_is_told_once() -> None:
    assert only(REMOVED, "Z414").message == (
        "Removing `skill pottery` takes along 6 members and 3 references."
    )


NEEDING = """#### pack first extends base
kind guild { craft: skill  colour: skill or none = none }
guild potters "Potters" { craft: pottery }
guild painters "Painters" { craft: pottery }
scenario "a guild of its own" {
  players reds, blues
  guild carvers "Carvers" { craft: pottery }
  expect { check round == 0 }
}
#### pack second extends first
remove skill pottery
"""


def test_fields_that_must_name_it_are_one_finding_where_it_is_removed() -> None:
    found = only(NEEDING, "Z409")
    assert found.span is not None
    assert found.span.source.pack == "second"
    assert [note.message for note in found.notes] == [
        "`craft` of `guild potters`.",
        "`craft` of `guild painters`.",
    ]
    assert "1 scenario" in only(NEEDING, "Z414").message


def test_nothing_is_lacking_where_it_is_said_anew() -> None:
    text = NEEDING + "amend guild potters { craft: sailing }\nremove guild painters\n"
    assert fields(linked(text), "guild", "potters")["craft"] == "skill.sailing"


NAMESAKES = """#### pack first extends base
group pottery "Pots" {}
kind guild { craft: skill or none = none  line: group }
guild potters "Potters" { craft: pottery  line: pottery }
value first_craft(): skill = sailing
value crafts(): set of skill = {pottery, sailing}
value count_if(g: guild): int =
    (1 if g.craft is pottery else 2) + (4 if pottery in crafts() else 8) + size(crafts())
value lines(): int = count(g in groups where g is pottery)
scenario "a skill is asked for" {
  players reds, blues
  expect { check first_craft() is not pottery }
}
scenario "something else has that name" {
  players reds, blues
  expect { check lines() == 1 }
}
#### pack second extends first
remove skill pottery
"""


def test_what_has_the_same_name_stays() -> None:
    ruleset = linked(NAMESAKES)
    assert fields(ruleset, "guild", "potters") == {"craft": None, "line": "group.pottery"}
    assert [one.title for one in ruleset.scenarios] == ["something else has that name"]
    assert only(NAMESAKES, "Z414").message == (
        "Removing `skill pottery` takes along 1 scenario, 2 conditions, 1 member and 2 references."
    )


OF_SOMETHING = """#### pack first extends base
kind fort {}
fort tower "Tower" {}
place cellar of fort open { cards: deck_card }
attribute height of fort: int = 0
mark ships "ship" of ship { letter: "S" }
#### pack second extends first
remove kind fort
remove piece ship
"""


def test_what_is_of_something_removed_goes_along() -> None:
    ruleset = linked(OF_SOMETHING)
    assert "cellar" not in ruleset.places
    assert "fort.height" not in ruleset.attributes
    assert not ruleset.marks
    told = [one.message for one in link_text(OF_SOMETHING).diagnostics]
    assert told == [
        "Removing `kind fort` takes along 1 thing, 1 place and 1 attribute.",
        "Removing `piece ship` takes along 1 mark.",
    ]
