"""Telling: what was linked, printed, is what an author could have written, and means the same."""

from typing import Any

import attrs
import pytest

from tests.dsl.linked import BASE, link_text
from tests.sampling import slow
from tests.stacks import linked as linked_stack
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.forms.clauses import contribution_text
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.packs import Search, resolve_stack
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.layout import Line, lay_out
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.dsl.printing.whole import ruleset_text
from ziggurat.runtime.kernel import NO_META, OpenPlace, Ruleset

STACKS = ("west+expert", "east", "seven_ages")


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [str(found.message) for found in result.diagnostics]
    return result.ruleset


EXPRESSIONS = [
    ("int", "1 + 2 * 3"),
    ("int", "(1 + 2) * 3"),
    ("int", "1 - (2 - 3)"),
    ("int", "7 / 2 + 7 / 2 rounded up - 7 mod 2"),
    ("int", "-reach(p)"),
    ("int", "-(-(-reach(p))) - -(-reach(p))"),
    ("int", "3 if may_enter(p, a) else 4 if a.coast else 5"),
    ("int", "(3 if a.coast else 4) + 1"),
    ("bool", "not (a.coast and may_enter(p, a)) or a.limit > 2"),
    ("bool", "a.coast and (may_enter(p, a) or a.limit == 2)"),
    ("bool", "a not in p.liked and a is not north"),
    ("bool", "p holds pottery and not p holds sailing"),
    ("bool", "(a in near(a)) is yes"),
    ("int", "count(ready man of p in a) + count(folk of others(p) on board)"),
    ("bool", "any(man of wild in a.land)"),
    ("set of area", "areas with man of p"),
    ("set of area", "areas with man of p + {north, south} - {west}"),
    ("set of area", "{b in a.land where b.limit > 1}"),
    ("set of int", "{b.limit for b in areas}"),
    ("bool", "every(b in areas has b.coast)"),
    ("bool", "any(b in areas where b.limit > 1)"),
    ("int", "sum(b.limit for b in areas where b.coast)"),
    ("int", "max(1, a.limit, min(2, 3)) + max(b.limit for b in areas)"),
    ("player or none", "first(q in others(p) where q.fame > 2 by by_rank)"),
    ("range", "1..a.limit + 1"),
    ("set of int", "{n in 0..3 where n != 2}"),
    ("int", "p.owed[crafts] + table.round"),
    ("bool", "any(c in cards(pile) where c is good and c.price > 2)"),
    ("bool", "top(pile) is none and long_game"),
    ("bool", "one_of(common(near(a), p.liked)) is none"),
]


@pytest.mark.parametrize(("type_", "text"), EXPRESSIONS)
def test_expressions_read_as_written(type_: str, text: str) -> None:
    ruleset = linked(f"value v(p: player, a: area): {type_} = {text}")
    assert Printer(Lexicon.of(ruleset)).text(ruleset.values["v"].base) == text


def test_an_argument_that_begins_like_a_loop_is_in_brackets() -> None:
    text = "sure((a in p.liked or a.coast)) and sure(a.coast or a in p.liked)"
    sure = "value sure(b: bool): bool = b\n"
    ruleset = linked(f"{sure}value v(p: player, a: area): bool = {text}")
    assert Printer(Lexicon.of(ruleset)).text(ruleset.values["v"].base) == text


BODIES = [
    "let n = 3\nset p.fame = n\nadd 2 to p.fame\nsubtract n from p.owed[crafts]",
    "include a in p.liked\nexclude a from p.liked",
    "move 2 ready man of p from a to north as spent\nmove all man of p from a to north",
    "place 1 house of p in a\nremove all folk of p from board\nturn all man of p in a as ready",
    "place 1 ship of p in stock\nmove 1 man of p from dock to a",
    "put top(pile) under pile\nput cards(pile) on top of pile\nshuffle pile",
    "pick c at random from cards(pile) where it is woe\npick 2 cs at random from areas",
    "give pottery to p\ntake sailing from p",
    "for each b in areas where b.coast {\n  skip if b is a\n  leave unless b.limit > 1\n}",
    "for each group in others(p) grouped by by_rank {\n  stop\n}",
    "repeat while p.fame > 0 at most 9 times {\n  subtract 1 from p.fame\n}",
    "repeat 3 times {\n  lose(p, 1)\n}",
    "if a.coast {\n  stop\n} else if a.limit > 2 {\n  end game\n} else {\n  recall p\n}",
    'step pay "Pay" {\n  lose(p, 1)\n}',
    'choose b by p from areas where it != a by nearest "Where {p}?" optionally ask always',
    'choose 2 bs by p from areas "Two"\nchoose up to 3 cs by p from areas',
    "choose at least 1 bs by p from areas\nchoose any number of cs by p from areas secretly",
    'may p pay "Pay {a}?" when p.fame > 0 {\n  stop\n} otherwise {\n  lose(p, 2)\n}',
    'divide 3 lost among areas by p "Lose" allowing 0..count(man of p in it)',
    "select gone by p from areas such that connected by near(it), total it.limit is 3, "
    "total 1 at most 2 and total it.limit at least 1 relaxing from the last",
    'say "{p} is in {a.limit}."\ntell p "Only you: {a}."',
    "drought.strike(p)",
]


@pytest.mark.parametrize("text", BODIES)
def test_statements_read_as_written(text: str) -> None:
    source = "order nearest(a: area) { limit: a.limit }\n"
    indented = text.replace("\n", "\n  ")
    ruleset = linked(f"{source}procedure go(p: player, a: area) {{\n  {indented}\n}}")
    told = lay_out(Printer(Lexicon.of(ruleset)).block(ruleset.procedures["go"].body))
    assert told == text.replace("it != a", "it is not a")


CLAUSES = [
    "modify reach(holder) by +1",
    "modify reach(holder) by -2 when holder.fame > 3 and not holder holds sailing",
    "modify reach(q) by +1 when any(man of q in north)",
    "modify reach(holder) to 5",
    "modify reach(holder) to at least 2",
    "modify reach(holder) by times 2",
    "modify span(holder) by extending -1..1",
    "modify near(a) by adding {north, south}",
    "modify by_rank.late(holder) by +1",
    "allow may_enter(holder, north)",
    "forbid may_enter(p, a) when any(q in others(p) where q holds pottery and any(man of q in a))",
]


@pytest.mark.parametrize("text", CLAUSES)
def test_clauses_read_as_written(text: str) -> None:
    ruleset = linked(f"amend skill pottery {{\n  {text}\n}}")
    (told,) = [
        contribution_text(Printer(Lexicon.of(ruleset)), value, clause)
        for value in ruleset.values.values()
        for clause in value.contributions
    ]
    # A clause speaks of its value's parameters, whatever the author called them.
    assert told == text.replace("reach(q)", "reach(p)").replace("of q in north", "of p in north")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("pace(3) to 4", "modify pace(3) to 4"),
        ("pace(n) to 4 when n == 3", "modify pace(3) to 4"),
        ("pace(n) to n * 2 when n == 3", "modify pace(n) to n * 2 when n == 3"),
    ],
)
def test_a_parameter_the_change_speaks_of_keeps_its_name(change: str, told: str) -> None:
    values = "value pace(n: int): int = 1\nvalue used(): int = pace(3)\n"
    pace = linked(f"{values}amend skill pottery {{ modify {change} }}").values["pace"]
    (clause,) = pace.contributions
    printer = Printer(Lexicon.of(linked(values)))
    assert contribution_text(printer, pace, clause) == told


def test_without_wording_only_meaning_is_told() -> None:
    ruleset = linked(
        'procedure go(p: player) { choose n by p from 1..2 "How many?"\n say "{n}."\n'
        ' if n > 1 { say "Two." }\n tell p "You took {n}."\n step end_it "End" { lose(p, n) } }'
    )
    printer = Printer(Lexicon.of(ruleset), wording=False)
    assert [line.text for line in printer.block(ruleset.procedures["go"].body)] == [
        "choose n by p from 1..2",
        'tell p "{n}"',
        "step end_it {",
        "lose(p, n)",
    ]


def test_a_thing_is_told_with_all_that_stands_in_it() -> None:
    ruleset = linked(
        "amend skill pottery { modify reach(holder) by +1\n"
        " after lose(holder, n) { add n to holder.fame } }"
    )
    told = Declarations(ruleset, Printer(Lexicon.of(ruleset)))
    assert lay_out(told.lines(ruleset.things["skill"]["pottery"])) == (
        'skill pottery "Pottery" {\n'
        "  cost: 30\n"
        "  worth: crafts 10\n"
        "  modify reach(holder) by +1\n"
        "  after lose(holder, n) {\n"
        "    add n to holder.fame\n"
        "  }\n"
        "}"
    )


def test_lines_cut_from_blocks_stay_readable() -> None:
    lines = [Line(1, "if yes {"), Line(2, "stop"), Line(1, "else {"), Line(1, "skip")]
    assert lay_out(lines) == "if yes {\n  stop\n} else { … }\nskip"


# ---- telling and linking again ------------------------------------------------------------------


def bare(node: Any) -> Any:
    """A node without citations and paths of packs, which a single text cannot have."""
    if isinstance(node, tuple):
        return tuple(bare(part) for part in node)
    if not attrs.has(type(node)):
        return node
    changes = {
        field.name: bare(getattr(node, field.name))
        for field in attrs.fields(type(node))
        if field.name not in ("at", "meta", "origin")
    }
    return attrs.evolve(node, **changes, **({"meta": NO_META} if hasattr(node, "meta") else {}))


def pages(ruleset: Ruleset) -> dict[str, Any]:
    """Everything a single text can tell: neither scenarios, advice and questions, nor that a place
    was open which another pack has answered."""
    names = [field.name for field in attrs.fields(Ruleset)]
    tables = {name: getattr(ruleset, name) for name in names}
    things = tables.pop("things")
    tables |= {f"things of {kind}": page for kind, page in things.items()}
    return {
        f"{name} {key}": bare(one)
        for name, table in tables.items()
        if isinstance(table, dict) and name not in ("questions", "clarifications", "rule_titles")
        for key, one in table.items()
        if not (isinstance(one, OpenPlace) and one.answer)
    }


def assert_same_when_told(ruleset: Ruleset, text: str, again: Ruleset | None) -> None:
    assert again is not None, text
    before, after = pages(ruleset), pages(again)
    assert before.keys() == after.keys()
    assert [key for key in before if before[key] != after[key]] == []


def test_a_told_game_links_to_the_same() -> None:
    ruleset = linked('rule wet { forbid may_enter(p, a) when a.coast "Too wet." }')
    text = ruleset_text(ruleset)
    assert_same_when_told(ruleset, text, link_text(text, base="").ruleset)
    assert "piece folk {" in text
    assert BASE not in text


@pytest.mark.parametrize("name", [STACKS[0], *map(slow, STACKS[1:])])
def test_told_packs_link_to_the_same(name: str) -> None:
    ruleset = linked_stack(name)
    text = ruleset_text(ruleset)
    stack, _ = resolve_stack(name, Search.default())
    assert stack is not None
    again = load_sources([Source("told.rules", text, stack.packs[-1].id)], stack).ruleset
    assert_same_when_told(ruleset, text, again)
