"""The packs against the specification: its ids, its chart, its limits of length.

`spec.json` holds ids and tables only; `make_spec.py` writes it from the specification's chapters.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.stacks import linked
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.packs import BUILT_IN
from ziggurat.dsl.parse import parse_source
from ziggurat.dsl.syntax import Declaration
from ziggurat.proving.coverage import tagged
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.walking import walk

SPEC = json.loads((Path(__file__).parent / "spec.json").read_text(encoding="utf-8"))
EDITIONS = ("west", "east")
STACKS = (*EDITIONS, "mega", "west+expert", "west+short_game", "mega+short_game")


# ---- every id has a scenario

NO_SCENARIO = {
    "M-10": "special buildings are an expansion, not part of the combined game",
    "C-regression-4": "special buildings are an expansion, not part of either edition",
    "Q-133": "the market of three and four players is not part of these stacks",
    "Q-01": "costs, colours and credits are data (test_data.py)",
    "Q-03": "the rows of the A.S.T. are data (test_data.py)",
    "Q-04": "the maps are data (test_data.py)",
    "Q-06": "games whose books are not among the sources; the packs' notes say so",
}
# What is so because nothing says otherwise has a scenario, but stands beside no rule.
NO_RULE = {
    "M-11": "the table of eighteen is made of the rows of both editions",
    "M-20": "a supply that never binds is not counted",
}


@cache
def named(stack: str) -> set[str]:
    return {tag for scenario in linked(stack).scenarios for tag in scenario.meta.tags}


def test_every_id_has_a_scenario_or_a_reason() -> None:
    tags = set().union(*map(named, STACKS))
    missing = {*SPEC["rules"], *SPEC["questions"]} - tags
    assert missing == set(NO_SCENARIO)


def test_every_id_stands_beside_a_rule() -> None:
    """Not those of test vectors, which are examples, nor those of readings of what is not there."""
    tags = {tag for stack in STACKS for tag in tagged(linked(stack))}
    rules = {id_ for id_ in SPEC["rules"] if not id_.startswith("T-")}
    assert {*rules, *SPEC["questions"]} - tags == {*NO_SCENARIO, *NO_RULE}


def test_tags_are_ids_of_the_specification() -> None:
    known = {*SPEC["rules"], *SPEC["questions"], *SPEC["differences"]}
    assert set().union(*map(named, STACKS)) <= known


# ---- every option is a reading that can be played


@pytest.mark.parametrize("stack", STACKS)
def test_every_option_is_played_otherwise_in_a_scenario(stack: str) -> None:
    """Yes where the default is no, and another number where it is a number."""
    ruleset = linked(stack)
    played = {option for one in ruleset.scenarios for option in one.options}
    missed = [
        option.id
        for option in ruleset.options.values()
        if not any(id_ == option.id and value != option.default for id_, value in played)
    ]
    assert missed == []


# ---- the chart of advances and calamities

# Values of calamities of which more is better for the holder; of all others more is worse.
RELIEF = {
    "volcanic_eruption.spared",
    "civil_war.kept",
    "cyclone.spared",
    "civil_disorder.kept",
    "iconoclasm_and_heresy.may_discard",
    "regression.may_destroy",
    "piracy.safe",
}
# What follows from general attributes besides the bracketed rows, as the specification lists it.
IN_FIGHTS = ("metalworking", "advanced_military", "naval_warfare")
WHERE_CITIES_GIVE_WAY = ("reduce_city", "suffer")
Row = tuple[str, str, str, str, frozenset[str]]


class Reach:
    """All that a calamity comes to, and of whom it asks its own values."""

    def __init__(self, ruleset: ir.Ruleset, calamity: ir.Thing) -> None:
        self.ruleset = ruleset
        self.values: set[str] = set()
        self.procedures: set[str] = set()
        self.roles: dict[str, set[str]] = {}
        self._own = f"{calamity.id}."
        waiting: list[Any] = [body.body for body in calamity.bodies]
        while waiting:
            part = waiting.pop()
            self._note_roles(part)
            for node in walk(part):
                waiting.extend(self._new(node))

    def _new(self, node: Any) -> Iterator[Any]:
        match node:
            case ir.ValueCall(value=value):
                yield from self._value(value)
            case ir.OrderRef(order=order):
                for key in self.ruleset.orders[order].keys:
                    yield from self._value(key)
            case ir.Do(procedure=id_) | ir.Result(procedure=id_) if id_ not in self.procedures:
                self.procedures.add(id_)
                yield self.ruleset.procedures[id_].body

    def _value(self, id_: str) -> Iterator[Any]:
        if id_ not in self.values:
            self.values.add(id_)
            yield self.ruleset.values[id_].base

    def _note_roles(self, part: Any) -> None:
        """Asked of the victim, of candidates beside them, or of whoever is hit."""
        candidates = {
            id(call)
            for node in walk(part)
            if isinstance(node, ir.Choose) and node.where is not None
            for call in walk(node.where)
        }
        for node in walk(part):
            if isinstance(node, ir.ValueCall) and node.value.startswith(self._own) and node.args:
                victim = isinstance(node.args[0], ir.Local) and node.args[0].name == "victim"
                asked = {"p"} if victim else {"s"} if id(node) in candidates else {"p", "s"}
                self.roles.setdefault(node.value, set()).update(asked)


def card_rows(ruleset: ir.Ruleset, calamity: ir.Thing, reach: Reach) -> Iterator[Row]:
    """What advances do to a calamity's own values; a rule that does so serves an option."""
    for id_ in sorted(reach.roles):
        for clause in ruleset.values[id_].contributions:
            kind, _, advance = clause.thing.partition(".")
            if kind != "advance":
                assert any(isinstance(node, ir.OptionRef) for node in walk(clause.when))
                continue
            more, number = change(clause)
            sign = "+" if more == (id_ in RELIEF) else "−"
            roles = frozenset(reach.roles[id_] & when_primary(clause))
            yield advance, calamity.id, sign, number, roles


def change(clause: ir.Contribution) -> tuple[bool, str]:
    """Whether a clause makes its value more, and by how much; a permission has no number."""
    if clause.op == "allow":
        return True, ""
    assert clause.op == "by", clause.path
    match clause.amount:
        case ir.Lit(value=number):
            return number > 0, str(abs(number))
        case ir.Op(op="neg", args=(ir.Lit(value=number),)):
            return False, str(number)
    raise AssertionError(clause.path)


def when_primary(clause: ir.Contribution) -> set[str]:
    for node in walk(clause.when):
        if isinstance(node, ir.Op) and any(
            isinstance(arg, ir.Local) and arg.name == "primary" for arg in node.args
        ):
            return {"p"} if node.op in ("==", "is") else {"s"}
    return {"p", "s"}


def thing_id(title: str) -> str:
    return {"Earthquake": "volcanic_eruption"}.get(title, title.lower().replace(" ", "_"))


def spec_rows() -> Iterator[Row]:
    """The chart without its bracketed rows; `–` (nobody else is ever hit) is the primary victim."""
    for advance, calamity, sign, number, role in SPEC["matrix"]:
        if not sign.startswith("("):
            numbers = re.findall(r"\d+", number)
            choice = "choice" in number or not numbers
            roles = frozenset("p" if role == "–" else role.split()[0].replace(",", ""))
            shown = "" if choice else numbers[0]
            yield thing_id(advance), thing_id(calamity), sign, shown, roles


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_chart_of_the_packs_is_that_of_the_specification(edition: str) -> None:
    ruleset = linked(edition)
    found = [
        row
        for calamity in ruleset.things["calamity"].values()
        for row in card_rows(ruleset, calamity, Reach(ruleset, calamity))
    ]
    assert sorted(found) == sorted(spec_rows())
    minors = {
        id_
        for id_, thing in ruleset.things["calamity"].items()
        if any(one.field == "minor" and one.value is True for one in thing.values)
    }
    assert len(minors) == 8
    assert not {calamity for _, calamity, *_ in found} & minors


@pytest.mark.parametrize("edition", EDITIONS)
def test_general_attributes_touch_what_the_specification_says(edition: str) -> None:
    ruleset = linked(edition)
    found, expected = set(), set()
    for advance, calamity, sign, *_ in SPEC["matrix"]:
        if sign.startswith("("):
            expected.add((thing_id(advance), thing_id(calamity)))
    expected |= {(advance, "barbarian_hordes") for advance in IN_FIGHTS}
    for calamity in ruleset.things["calamity"].values():
        reach = Reach(ruleset, calamity)
        for id_ in reach.values - set(reach.roles):
            for clause in ruleset.values[id_].contributions:
                if clause.thing.startswith("advance."):
                    found.add((clause.thing.partition(".")[2], calamity.id))
        if reach.procedures & set(WHERE_CITIES_GIVE_WAY):
            expected.add(("agriculture", calamity.id))
    assert found == expected


# ---- short enough to be read


def lengths(word: str) -> dict[str, int]:
    """The lines of each declaration in `core`, as it is laid out."""
    found = {}
    for path in sorted((BUILT_IN / "core").rglob("*.rules")):
        text = path.read_text(encoding="utf-8")
        for top in parse_source(Source(path.name, text))[0].tops:
            if isinstance(top, Declaration) and top.word == word:
                found[top.id] = text.count("\n", top.start, top.end) + 1
    return found


@pytest.mark.parametrize(("word", "number", "most"), [("calamity", 24, 25), ("advance", 51, 20)])
def test_calamities_and_advances_are_short(word: str, number: int, most: int) -> None:
    found = lengths(word)
    assert len(found) == number
    assert {id_: lines for id_, lines in found.items() if lines > most} == {}
