"""The semantic difference: what was amended is exactly what is shown, and nothing else ever is."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dsl.linked import BASE, link_text
from ziggurat.dsl.diff import CHANGES, Difference, diff, section_names
from ziggurat.runtime.kernel import Ruleset

PLAIN = link_text("").ruleset
Shown = tuple[str, str, str, str]


def linked(text: str, base: str = BASE) -> Ruleset:
    result = link_text(text, base)
    assert result.ruleset is not None, [str(found.message) for found in result.diagnostics]
    return result.ruleset


def shown(difference: Difference) -> list[Shown]:
    return [
        (e.change, e.path, e.old.words if e.old else "", e.new.words if e.new else "")
        for e in difference.entries
    ]


def check(before: str, after: str, *expected: Shown) -> Difference:
    """Two games on the same base differ by just this, and the other way round likewise."""
    a, b = linked(before), linked(after)
    found = diff(a, b)
    assert shown(found) == list(expected)
    assert set(diff(b, a).entries) == set(found.mirrored().entries)
    return found


@pytest.mark.parametrize(
    ("amendment", "expected"),
    [
        (
            "amend skill pottery { cost: 40 }",
            ("changed", "skill pottery / cost", "cost: 30", "cost: 40"),
        ),
        (
            "amend skill pottery { worth: crafts 10, arts 5 }",
            ("changed", "skill pottery / worth", "worth: crafts 10", "worth: crafts 10, arts 5"),
        ),
        (
            "amend skill sailing { needs_first: none }",
            (
                "changed",
                "skill sailing / needs_first",
                "needs_first: pottery",
                "needs_first: none",
            ),
        ),
        (
            "amend skill pottery { modify reach(holder) by +1 }",
            ("added", "skill pottery / modify reach", "", "modify reach(holder) by +1"),
        ),
        (
            "amend value reach { base: 3 }",
            ("changed", "value reach / base", "= 2", "= 3"),
        ),
        (
            "amend value drought.harm { base: 4 }",
            ("changed", "woe drought / value harm / base", "= 2", "= 4"),
        ),
        (
            "amend procedure lose { replace step pay { remove n house of p from board } }",
            (
                "changed",
                "procedure lose / step pay",
                "remove n man of p from board",
                "remove n house of p from board",
            ),
        ),
        (
            "amend woe drought { strike { lose(victim, 1) } }",
            (
                "changed",
                "woe drought / strike",
                "lose(victim, drought.harm(victim))",
                "lose(victim, 1)",
            ),
        ),
        (
            "value luck(p: player): int = 3",
            ("added", "value luck", "", "value luck(p: player): int = 3"),
        ),
        ("remove good iron", ("removed", "good iron", "good iron {\n  copies: 2\n}", "")),
        (
            "rename good iron to bronze",
            ("renamed", "good bronze", "good iron", "good bronze"),
        ),
        (
            "rename skill pottery to clay",
            ("renamed", "skill clay", "skill pottery", "skill clay"),
        ),
        ("rename value reach to grasp", ("renamed", "value grasp", "value reach", "value grasp")),
        (
            "rename woe drought to thirst",
            ("renamed", "woe thirst", "woe drought", "woe thirst"),
        ),
        (
            "amend procedure lose { rename step pay to settle }",
            ("renamed", "procedure lose / step settle", "step pay", "step settle"),
        ),
        (
            "rule wet { forbid may_enter(p, a) when a.coast }",
            (
                "added",
                "rule wet",
                "",
                "rule wet {\n  forbid may_enter(p, a) when a.coast\n}",
            ),
        ),
        (
            "amend piece man { supply: 30 }",
            ("changed", "piece man / supply", "supply: 20", "supply: 30"),
        ),
        (
            "replace option long_game: bool = yes",
            ("changed", "option long_game / default", "= no", "= yes"),
        ),
        (
            "amend action walk { remove needs }",
            ("removed", "action walk / needs", "needs reach(p) > 0", ""),
        ),
        (
            "amend phase play { once { shuffle pile } }",
            ("added", "phase play / stage 2", "", "once {\n  shuffle pile\n}"),
        ),
    ],
)
def test_what_was_amended_is_what_is_shown(amendment: str, expected: Shown) -> None:
    check("", f"#### pack later extends base\n{amendment}\n", expected)


WORDING = """
value luck(p: player): int = p.fame + 1        cites W "1" tags R-1-1
order by_fame(p: player) { most: 0 - p.fame }
procedure share(p: player, n: int) {
  # Everybody gets something.
  for each q in others(p) where q.fame > n { add n to q.fame }
  choose taken by p from areas where it.coast "Which one?"
  step close "Close" { say "Done with {taken}." }
}
phase rest "Rest" { each player p by by_fame { share(p, 1) } }
skill weaving "Weaving" {
  cost: 5   worth: crafts 1, arts 2
  modify reach(holder) by +1
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Which one?", "Which of these?"),
        ('"Weaving"', '"Weaver\'s art"'),
        ('cites W "1" tags R-1-1', 'cites W "2" tags R-2-2'),
        ("# Everybody gets something.\n", ""),
        (" where q.fame > n { add n to q.fame }", "\n  where q.fame > n {\n  add n to q.fame\n  }"),
        ("share(p: player, n: int)", "share(p: player,\n   n: int)"),
        ("Done with {taken}.", "That was that."),
        ("crafts 1, arts 2", "arts 2, crafts 1"),
        ("each q in others(p) where q.fame > n { add n to q.fame }",
         "each other in others(p) where other.fame > n { add n to other.fame }"),
        ("choose taken by", "choose given by"),
        ("luck(p: player): int = p.fame", "luck(q: player): int = q.fame"),
        ("each player p by by_fame { share(p, 1) }", "each player q by by_fame { share(q, 1) }"),
    ],
)  # fmt: skip
def test_layout_wording_citations_and_local_names_never_count(old: str, new: str) -> None:
    assert old in WORDING
    after = WORDING.replace(old, new)
    if "choose given" in after:
        after = after.replace("{taken}", "{given}")
    check(WORDING, after)


STEPS = """
procedure go(p: player) {
  let n = 1
  if p.fame > 2 {
    set p.fame = 0
    lose(p, 3)
  }
  step first { lose(p, 1) }
  step second { lose(p, 2) }
  lose(p, n)
}
order keys(p: player) { fame: p.fame   rank: p.rank   luck: 0 }
phase morning "Morning" { once { shuffle pile } }
phase noon "Noon" { perform play when long_game }
phase evening "Evening" { once { set table.round = 1 } }
turn main { start: morning   phases: play, noon, evening }
"""


def edited(old: str, new: str) -> str:
    assert old in STEPS
    return STEPS.replace(old, new)


def test_only_the_lines_that_differ_are_shown() -> None:
    found = check(
        STEPS,
        edited("lose(p, 3)", "lose(p, 4)").replace("lose(p, n)", "lose(p, n + 1)"),
        (
            "changed",
            "procedure go / body",
            "lose(p, 3)\n⋯\nlose(p, n)",
            "lose(p, 4)\n⋯\nlose(p, n + 1)",
        ),
    )
    (entry,) = found.entries
    assert entry.hunks == (("lose(p, 3)", "lose(p, 4)"), ("lose(p, n)", "lose(p, n + 1)"))
    assert entry.old is not None
    assert (entry.old.at.file, entry.old.at.line) == ("game/game.rules", 6)


def test_a_block_that_came_is_shown_whole() -> None:
    check(
        STEPS,
        edited("  let n = 1\n", "  let n = 1\n  if long_game {\n    lose(p, 9)\n  }\n"),
        ("changed", "procedure go / body", "", "if long_game {\n  lose(p, 9)\n}"),
    )


def test_steps_that_changed_places() -> None:
    after = edited(
        "  step first { lose(p, 1) }\n  step second { lose(p, 2) }\n",
        "  step second { lose(p, 2) }\n  step first { lose(p, 1) }\n",
    )
    found = diff(linked(STEPS), linked(after))
    assert [(e.change, e.path) for e in found.entries] in (
        [("moved", "procedure go / step first")],
        [("moved", "procedure go / step second")],
    )


def test_phases_of_a_turn() -> None:
    check(
        STEPS,
        edited("phases: play, noon, evening", "phases: noon, evening, play"),
        ("moved", "turn main / phase play", "play, first", "play, after evening"),
    )
    check(
        STEPS,
        edited("phases: play, noon, evening", "phases: play, evening"),
        ("removed", "turn main / phase noon", "noon", ""),
    )


def test_keys_of_an_order() -> None:
    check(
        STEPS,
        edited("fame: p.fame   rank: p.rank   luck: 0", "rank: p.rank   luck: 1   fame: p.fame"),
        ("moved", "order keys / key fame", "fame: p.fame, first", "fame: p.fame, after luck: 1"),
        ("changed", "order keys / key luck", "luck: 0", "luck: 1"),
    )


def test_stages_keep_together_when_another_comes_between() -> None:
    check(
        STEPS,
        edited(
            "{ once { set table.round = 1 } }",
            "{ each player p { lose(p, 1) }\n once { set table.round = 2 } }",
        ),
        (
            "changed",
            "phase evening / stage 2",
            "set table.round = 1",
            "set table.round = 2",
        ),
        ("added", "phase evening / stage 1", "", "each player p {\n  lose(p, 1)\n}"),
    )


def test_clauses_of_one_thing_about_one_value() -> None:
    clauses = "modify reach(holder) by +1\nmodify reach(holder) by +2 when holder.fame > {}\n"
    text = "skill weaving { cost: 5\n" + clauses + "}"
    check(
        text.replace("{}", "1"),
        text.replace("{}", "3"),
        (
            "changed",
            "skill weaving / modify reach 2",
            "modify reach(holder) by +2 when holder.fame > 1",
            "modify reach(holder) by +2 when holder.fame > 3",
        ),
    )


def test_what_stands_in_a_thing_goes_with_it() -> None:
    woe = (
        "woe plague {\n  copies: 1\n  value deaths(p: player): int = 3\n"
        "  strike { lose(victim, deaths(victim)) }\n}"
    )
    found = diff(linked(""), linked(woe))
    assert [(e.change, e.section, e.path) for e in found.entries] == [
        ("added", "woes", "woe plague")
    ]
    new = found.entries[0].new
    assert new is not None
    assert "value deaths(p: player): int = 3" in new.words


def test_a_renamed_thing_that_also_changed() -> None:
    old = (
        "skill weaving {\n  cost: 5   worth: crafts 1\n"
        "  modify reach(holder) by +1\n  allow may_enter(holder, north)\n}"
    )
    new = old.replace("weaving", "cloth").replace("cost: 5", "cost: 6")
    check(
        old,
        new,
        ("renamed", "skill cloth", "skill weaving", "skill cloth"),
        ("changed", "skill cloth / cost", "cost: 5", "cost: 6"),
    )


def test_next_to_nothing_in_common_is_no_rename() -> None:
    found = diff(linked("value one(p: player): int = 0"), linked("value two(p: player): int = 0"))
    assert [entry.change for entry in found.entries] == ["removed", "added"]


def test_many_of_the_same_kind_go_pair_by_pair() -> None:
    old = "".join(
        f"good {name} {{ copies: {n}  price: 7 }}\n" for name, n in (("a", 8), ("b", 9), ("c", 9))
    )
    new = old.replace("good a", "good x").replace("good b", "good y").replace("good c", "good z")
    found = diff(linked(old), linked(new))
    assert [(e.old and e.old.words, e.new and e.new.words) for e in found.entries] == [
        ("good a", "good x"),
        ("good b", "good y"),
        ("good c", "good z"),
    ]


def test_a_ruleset_does_not_differ_from_itself() -> None:
    assert PLAIN is not None
    assert not diff(PLAIN, PLAIN)


def test_sections_and_counts() -> None:
    found = diff(
        linked(""), linked("amend skill pottery { cost: 40 }\nvalue luck(p: player): int = 3")
    )
    assert [one.section for one in found.entries] == ["values", "skills"]
    assert found.counts() == {"added": 1, "changed": 1}
    assert [entry.path for entry in found.only({"skills"}).entries] == ["skill pottery / cost"]
    assert PLAIN is not None
    assert {"values", "skills", "areas", "phases", "options"} <= set(section_names(PLAIN))


def test_both_sides_say_where_they_stand_and_what_they_cite() -> None:
    rule = 'value luck(p: player): int = {}   cites W "6.{}" tags R-1-{}\n'
    found = diff(linked(rule.format(1, 1, 1)), linked(rule.format(2, 2, 2)))
    (entry,) = found.entries
    assert entry.old is not None
    assert entry.new is not None
    assert [cite.place for cite in entry.old.cites + entry.new.cites] == ["6.1", "6.2"]
    assert (entry.old.tags, entry.new.tags) == (("R-1-1",), ("R-1-2",))
    assert entry.new.at.file == "game/game.rules"


# ---- generated amendments -----------------------------------------------------------------------

FIELDS = {"pottery": ("skill", "cost"), "sailing": ("skill", "cost"), "salt": ("good", "copies"),
          "north": ("area", "limit"), "reds": ("nation", "rank")}  # fmt: skip


@st.composite
def amendments(draw: st.DrawFn) -> dict[str, int]:
    names = draw(st.sets(st.sampled_from(sorted(FIELDS)), min_size=1))
    return {name: draw(st.integers(100, 999)) for name in names}


@settings(max_examples=25)
@given(amendments(), st.integers(3, 9))
def test_generated_amendments_are_shown_exactly(changes: dict[str, int], reach: int) -> None:
    text = "#### pack later extends base\n" + "".join(
        f"amend {FIELDS[name][0]} {name} {{ {FIELDS[name][1]}: {number} }}\n"
        for name, number in changes.items()
    )
    text += f"amend value reach {{ base: {reach} }}\n"
    assert PLAIN is not None
    found = diff(PLAIN, linked(text))
    expected = {f"{FIELDS[name][0]} {name} / {FIELDS[name][1]}" for name in changes}
    assert {entry.path for entry in found.entries} == {*expected, "value reach / base"}
    assert {entry.change for entry in found.entries} == {"changed"}
    assert set(diff(linked(text), PLAIN).entries) == set(found.mirrored().entries)


@settings(max_examples=25)
@given(st.data())
def test_reformatting_changes_nothing(data: st.DataObject) -> None:
    """Blanks, comments and empty lines anywhere a line may break."""

    def loose(match: re.Match[str]) -> str:
        return data.draw(st.sampled_from(["\n", "\n\n", "   # so\n", "\n# thus\n\n", " \t\n"]))

    assert PLAIN is not None
    assert not diff(PLAIN, linked("", re.sub("\n", loose, BASE)))


def test_every_change_has_a_name() -> None:
    assert set(CHANGES) == {"added", "removed", "changed", "renamed", "moved"}


FLOOD = 'woe flood "Flood" {\n  copies: 1\n  strike { lose(victim, 1) }\n}\n'
EVERY = "rule omens { after woe.strike(v) when v.fame > 2 { recall v } }\n"


def test_what_watches_a_whole_kind_is_told_once() -> None:
    words = (
        "rule omens {\n  after woe.strike(victim) when victim.fame > 2 {\n    recall victim\n  }\n}"
    )
    check(FLOOD, FLOOD + EVERY, ("added", "rule omens", "", words))
    more = EVERY.replace("recall v", "lose(v, 1)\n  stop if woe is flood\n  recall v")
    told = linked(FLOOD + more), linked(FLOOD + more.replace("lose(v, 1)", "lose(v, 2)"))
    assert shown(diff(*told)) == [
        ("changed", "rule omens / after woe.strike", "lose(victim, 1)", "lose(victim, 2)")
    ]


def test_a_new_thing_under_a_watch_is_no_new_watch() -> None:
    found = diff(linked(EVERY), linked(FLOOD + EVERY))
    assert [entry.path for entry in found.entries] == ["woe flood"]
