"""Questions and clarifications of the packs, against the specification and the rules."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from tests.stacks import linked, packs, stacks
from ziggurat.dsl.diff import diff
from ziggurat.dsl.readings import BY_OPTION, HOLDS, ReadingHere, places, readings
from ziggurat.runtime import kernel as ir

SPEC = json.loads((Path(__file__).parent / "spec.json").read_text(encoding="utf-8"))
STACKS = sorted(stack for stack, _ in stacks())
QUESTION = re.compile(r"\bQ-\d+[a-z]?\b")


@cache
def declared() -> dict[str, ir.Question]:
    return {id_: one for stack in STACKS for id_, one in linked(stack).questions.items()}


@cache
def clarified() -> dict[str, ir.Clarification]:
    return {id_: one for stack in STACKS for id_, one in linked(stack).clarifications.items()}


def cited() -> set[str]:
    """Every question that a file of rules speaks of, in a tag or a comment."""
    files = (Path(pack.path) / file for pack in packs().values() for file in pack.files)
    return {id_ for file in files for id_ in QUESTION.findall(file.read_text(encoding="utf-8"))}


def test_every_question_that_is_cited_is_declared() -> None:
    assert cited() - declared().keys() == set()


def test_every_question_of_the_specification_is_declared() -> None:
    assert set(SPEC["questions"]) - declared().keys() == set()


def test_every_difference_of_words_alone_is_a_clarification() -> None:
    only_words = {id_ for id_, sort in SPEC["differences"].items() if "C" in sort.split("/")}
    assert clarified().keys() == only_words


def test_every_question_names_its_source() -> None:
    assert [id_ for id_, question in declared().items() if not places(question)] == []


def test_every_clarification_quotes_both_books() -> None:
    sources = {
        id_: {statement.source for statement in clarification.says}
        for id_, clarification in clarified().items()
    }
    assert {*map(frozenset, sources.values())} == {frozenset("WE")}


@pytest.mark.parametrize("stack", STACKS)
def test_an_option_for_a_question_is_one_of_its_readings(stack: str) -> None:
    """The default is the reading that is played, and any other value another one. One option is
    there for whatever is read: it says when an agreed game ends."""
    ruleset = linked(stack)
    unsound = [
        option.id
        for question in ruleset.questions.values()
        for option in ruleset.options.values()
        if question.id in option.meta.tags and not _told(ruleset, question, option)
    ]
    assert set(unsound) <= {"last_turn"}


def _told(ruleset: ir.Ruleset, question: ir.Question, option: ir.Option) -> bool:
    said = {
        value: one.state
        for one in readings(ruleset, question)
        for id_, value in one.reading.options
        if id_ == option.id
    }
    return said.pop(option.default, "") == HOLDS and {*said.values()} == {BY_OPTION}


def test_what_is_told_besides_is_the_same_from_the_other_side() -> None:
    west, east = linked("west"), linked("east")
    told = diff(west, east)
    assert {one.section for one in told.besides} == {"questions", "clarifications", "advice"}
    assert told.mirrored().besides == diff(east, west).besides


def test_a_reading_of_one_edition_is_told_in_that_edition() -> None:
    west, east = linked("west"), linked("east")
    assert west.questions.keys() - east.questions.keys() == {
        "Q-07", "Q-08", "Q-11", "Q-35", "Q-51", "Q-92",
    }  # fmt: skip
    assert east.questions.keys() - west.questions.keys() == {"Q-02", "Q-10", "Q-17", "Q-24"}
    assert len(west.questions["Q-95"].readings) == len(east.questions["Q-95"].readings) + 1


def test_every_question_of_the_expansion_project_is_declared_there() -> None:
    assert set(SPEC["expansion_questions"]) - linked("expansion_project").questions.keys() == set()


def test_every_reading_of_the_expansion_project_that_is_built_is_shown() -> None:
    ruleset = linked("expansion_project")
    assert [
        (question.id, one.text)
        for question in ruleset.questions.values()
        if question.id in SPEC["expansion_questions"]
        for one in readings(ruleset, question)
        if one.state in (HOLDS, BY_OPTION) and not one.scenarios and not _elsewhere(one)
    ] == []


def _elsewhere(one: ReadingHere) -> bool:
    """What other editions play: it asks for nothing, and is not played here."""
    return one.state == BY_OPTION and not one.reading.options
