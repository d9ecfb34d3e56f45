"""Maps and marks: declared by packs, amended like everything else, and no part of the game."""

from tests.dsl.linked import WHOLE, codes, link_text
from tests.dsl.test_language_page import PAGE
from ziggurat.dsl.diff import diff
from ziggurat.dsl.linking.hashing import content_hash, from_json, to_json
from ziggurat.dsl.printing.whole import ruleset_text
from ziggurat.dsl.symbols import LAYOUTS, SHIFTS, SYMBOLS, is_colour, is_path
from ziggurat.runtime.kernel import Ruleset

LOOKS = """
map board "The board" of area {
  layout: hexes   shifted: odd_rows   at: 2 * limit, limit + 1   water: coast   borders: land
}
mark limits "limit" of area = none if coast else limit { symbol: disc   colour: "#fff" }
mark coasts "coast" of area = coast {
  fill: "#8fb7cf"   hatch: "#123456"   line: "#abcdef"   symbol: wave, "M-3 0L3 0Z"
  colour: "#111111", ""   ink: "#222222"   letter: "x"   size: 7
}
mark crowds "crowd" of area = any(man of owners in this) { symbol: star }
mark nations of nation { colour: "#c0392b" }
mark men "man" of man { symbol: shield }
mark wilds of wild { colour: "#222222" }
"""


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [str(found.message) for found in result.diagnostics]
    return result.ruleset


def test_looks_are_no_part_of_the_game() -> None:
    assert content_hash(linked(LOOKS)) == content_hash(linked("# nothing"))


def test_looks_are_kept_and_told_as_written() -> None:
    ruleset = linked(LOOKS)
    again = from_json(to_json(ruleset))
    assert (again.maps, again.marks) == (ruleset.maps, ruleset.marks)
    told = link_text("", ruleset_text(ruleset)).ruleset
    assert told is not None
    assert ruleset_text(told) == ruleset_text(ruleset)
    assert {mark.sort for mark in ruleset.marks.values()} == {"place", "piece", "seat", "neutral"}


def test_a_pack_changes_the_looks_of_another() -> None:
    later = """#### pack first
{looks}
#### pack second extends first
amend mark limits {{ symbol: square  shows: limit + 1 }}
amend map board {{ shifted: even_rows }}
remove mark crowds
"""
    changed = linked(later.format(looks=LOOKS))
    assert changed.marks["limits"].symbols == ("square",)
    assert changed.maps["board"].shifted == "even_rows"
    assert "crowds" not in changed.marks
    found = {entry.path for entry in diff(linked(LOOKS), changed).entries}
    assert found == {
        "mark limits / symbol", "mark limits / default", "map board / shifted", "mark crowds"
    }  # fmt: skip


def test_marks_read_what_nothing_else_does() -> None:
    attribute = "attribute burnt of area: bool = no\n"
    mark = "mark burnt of area = this.burnt { symbol: flame }\n"
    assert codes(attribute, WHOLE) == ["Z518"]
    assert codes(attribute + mark, WHOLE) == []


def test_every_word_of_maps_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = page[page.index("## Maps and marks") : page.index("## Nothing breaks on none")]
    assert [word for word in (*SYMBOLS, *LAYOUTS, *SHIFTS) if word not in told] == []


def test_shapes_are_paths_and_colours_are_colours() -> None:
    assert all(is_path(shape) for shape in SYMBOLS.values())
    assert not any(is_path(text) for text in ("", "M", "x", 'M0 0"/><script>', "M0 0url(#a)"))
    assert all(is_colour(text) for text in ("", "#123", "#a0B1c2"))
    assert not any(
        is_colour(text) for text in ("red", "#12", "#1234", "#12345g", "123456", '#123"')
    )
