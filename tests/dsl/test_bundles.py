"""Bundles and results as packs change them, and as they are told: resolved, compared, listed."""

from tests.dsl.linked import codes, link_text
from ziggurat.dsl.declared import declarations
from ziggurat.dsl.diff import diff
from ziggurat.dsl.printing.resolved import resolved
from ziggurat.runtime.kernel import Ruleset

BID = """
bundle bid of player { size: int = 3  note: text secret }
procedure start(p: player) {
  set p.bid = bid(note: "low")
  say "{p.bid.size} {p.bid.note}" when p.bid is not none
  clear p.bid
}
procedure nearest(p: player): area or none { give first(a in areas with man of p) }
procedure go(p: player) {
  let a = nearest(p)
  remove 1 man of p from a
  start(p)
}
"""
LATER = "#### pack later extends game\n"


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def told(before: str, after: str) -> list[tuple[str, str, str, str]]:
    found = diff(linked(before), linked(after)).entries
    sides = [(one.old.words if one.old else "", one.new.words if one.new else "") for one in found]
    return [(one.change, one.path, *side) for one, side in zip(found, sides, strict=True)]


def test_a_bundle_is_amended_field_by_field() -> None:
    ruleset = linked(f"{BID}{LATER}amend bundle bid {{ size: int = 5  goal: area or none }}")
    (lines,) = resolved(ruleset, "player.bid")
    assert lines[1:-1] == [
        ("  note: text secret", "set by game/game.rules:2"),
        ("  size: int = 5", "set by later/later.rules:1"),
        ("  goal: area or none", "set by later/later.rules:1"),
    ]
    assert "player.bid.goal" in ruleset.attributes


def test_a_field_that_is_taken_away_is_missed_where_it_was_used() -> None:
    assert codes(f"{BID}{LATER}amend bundle bid {{ remove field note }}") == ["Z304", "Z209"]


def test_a_bundle_is_compared_as_one() -> None:
    wider = BID.replace("size: int = 3", "size: int = 4")
    field = ("changed", "bundle player.bid / size", "size: int = 3", "size: int = 4")
    assert told(BID, wider) == [field]
    more = BID + "bundle storm of table { force: int }\nvalue fury(): int = storm.force\n"
    assert ("added", "bundle table.storm", "", "bundle storm of table {\n  force: int\n}") in told(
        BID, more
    )


def test_what_a_procedure_gives_is_compared() -> None:
    other = BID.replace("nearest(p: player): area or none", "nearest(p: player): area")
    old, new = "(p: player): area or none", "(p: player): area"
    assert told(BID, other) == [("changed", "procedure nearest / signature", old, new)]


def test_a_bundle_is_listed_and_what_keeps_it_is_not() -> None:
    ruleset = linked(BID)
    assert [one.id for one in declarations(ruleset, "bundle")] == ["player.bid"]
    assert not [one.id for one in declarations(ruleset, "attribute") if "bid" in one.id]
