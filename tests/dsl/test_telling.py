"""Rules in English: sentences made from the rules, with the words that packs declare."""

from collections.abc import Iterator
from functools import cache

import pytest

from tests.dsl.test_language_page import GAME, link
from ziggurat.dsl.loading import load
from ziggurat.dsl.telling import english, marked
from ziggurat.dsl.telling.conditions import permission
from ziggurat.dsl.telling.marked import pieces, plain
from ziggurat.dsl.telling.sentences import Sentences
from ziggurat.dsl.telling.speaker import CLAUSES, NOUNS, OPERATIONS
from ziggurat.dsl.telling.steps import STEPS, Told, lines
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import FORMS
from ziggurat.runtime.kernel.walking import walk


@cache
def page() -> Sentences:
    """The game of the language page."""
    return Sentences(link({"west": GAME}).ruleset)


@cache
def west() -> Sentences:
    ruleset = load("west").ruleset
    assert ruleset is not None
    return Sentences(ruleset)


def texts(steps: tuple[Told, ...]) -> Iterator[str]:
    for one in steps:
        yield one.said
        yield from texts(one.inner)


def clauses(sentences: Sentences, kind: str, id_: str) -> list[str]:
    found = sentences.card(sentences.ruleset.things[kind][id_]).entries
    return [plain(one.text) for one in found if one.sort == "clause"]


# ---- every form has words -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "cls", [cls for cls, about in FORMS.items() if about.sort == "statement"], ids=str
)
def test_every_statement_is_said(cls: type) -> None:
    assert cls in STEPS


@pytest.mark.parametrize(
    "cls",
    [cls for cls, about in FORMS.items() if about.sort == "expression" and cls is not ir.Op],
    ids=lambda c: c.__name__,
)
def test_every_expression_is_said(cls: type) -> None:
    assert cls in NOUNS or cls in CLAUSES


def test_every_operation_is_said() -> None:
    used = {node.op for node in walk(page().ruleset) if isinstance(node, ir.Op)}
    assert {op for op in used if op not in OPERATIONS and op not in CLAUSES} == set()


def test_nothing_of_the_language_page_is_told_in_its_own_text() -> None:
    sentences = page()
    told = [text for one in sentences.ruleset.procedures.values()
            for text in texts(sentences.procedure(one))]  # fmt: skip
    told += [sentences.value(one) for one in sentences.ruleset.values.values()]
    told += [text for one in sentences.ruleset.phases.values()
             for text in texts(sentences.phase(one))]  # fmt: skip
    assert [text for text in told if any(one.sort == marked.CODE for one in pieces(text))] == []


def test_what_nobody_can_say_is_told_in_its_own_text() -> None:
    strange = ir.Op("strange", (ir.Lit(1, ir.Type("int")),), ir.Type("int"))
    (found,) = pieces(page().speaker.noun(strange))
    assert (found.sort, found.text) == (marked.CODE, "strange(1)")


# ---- clauses ------------------------------------------------------------------------------------


def test_a_clause_is_a_sentence_of_its_thing() -> None:
    found = clauses(west(), "advance", "engineering")
    assert (
        "The number of tokens that the attacker needs to attack a city of the holder: +1,"
        " unless the attacker holds Engineering." in found
    )
    assert "The city of the holder that an earthquake hits is reduced, not destroyed." in found


def test_clauses_of_all_sorts() -> None:
    found = clauses(page(), "advance", "engineering")
    assert "The tax rate of the holder: 1 less to 1 more." in found
    assert "The harbours of the holder: also One." in found
    assert "The harbours of the holder: not Two." in found
    assert "The hand limit of the holder: times 2." in found
    assert "The hand limit of the holder: at least 9." in found
    assert "The holder may cross open water." in found
    assert "The player may not enter (the area), if the limit of the area is 0." in found


def test_values_before_anything_changes_them() -> None:
    values = west().ruleset.values
    assert plain(west().value(values["attack_tokens"])) == (
        "The number of tokens that the attacker needs to attack a city of the defender: 7."
    )
    assert plain(west().value(values["may_cross_open_sea"])) == (
        "Ships of the player may not cross open sea."
    )
    assert plain(west().value(values["harbour"])) == (
        "A ship may stop in the area if the area is land in play."
    )


def test_below_its_value_a_clause_is_short_if_it_is_clear_who_is_meant() -> None:
    values = west().ruleset.values
    famine, attack = values["famine.damage"], values["attack_tokens"]
    told = [plain(west().change(famine, clause)) for clause in famine.contributions]
    assert told == ["−5.", "+5, if the holder is the first victim.", "−5."]
    told = [plain(west().change(attack, clause)) for clause in attack.contributions]
    assert all("the holder" in one and "attack a city" in one for one in told)


# ---- steps --------------------------------------------------------------------------------------


def test_steps_are_numbered_and_stand_in_each_other() -> None:
    sentences = west()
    told = [*lines(sentences.procedure(sentences.ruleset.procedures["come_ashore"]))]
    assert told[0] == "1. The area is the area where the ship of the player is now."
    assert told[1].endswith("(where n is the number of tokens of the player in the ship at sea).")
    assert told[2] == "3. Otherwise:"
    assert told[3].startswith("   1. Move 1 sailed ship of the player from the area to")


def test_who_decides_and_what_comes_of_it() -> None:
    sentences = west()
    fire = sentences.card(sentences.ruleset.things["calamity"]["city_in_flames"])
    (block,) = [one for one in fire.entries if one.sort == "block"]
    assert [*lines(block.steps)] == [
        "1. If the number of cities of the victim is at most 0, nothing more happens.",
        "2. The victim may decide, if the number of tokens in the treasury of the victim is at"
        " least 10: “City in Flames strikes you. Do you pay 10 treasury to save your city?”:",
        "   1. If they do, the victim loses 10 treasury.",
        "   2. Otherwise, the victim loses 1 city, destroyed, in all areas.",
    ]


def test_a_phase_says_who_acts_and_in_which_order() -> None:
    sentences = west()
    told = [*lines(sentences.phase(sentences.ruleset.phases["tax_collection"]))]
    assert told[0] == "1. All at the same time, each player who has cities on the board:"
    assert told[3].startswith("2. One after the other in the order of the A.S.T.-ranking, each")


def test_of_those_chosen_from_a_number_that_takes_many_words_comes_last() -> None:
    sentences = west()
    cyclone = sentences.card(sentences.ruleset.things["calamity"]["cyclone"])
    told = [line for one in cyclone.entries for line in lines(one.steps)]
    assert any("from the struck areas up to the number of those cities" in one for one in told)
    assert not any("as many as up to" in one for one in told)


def test_several_besides_the_players_do_what_several_do() -> None:
    speaker = west().speaker
    for phrase, told in (
        ("{o} removes surplus", "the Barbarians remove surplus"),
        ("tokens that {o} needs", "tokens that the Barbarians need"),
        ("the attack of {o} fails", "the attack of the Barbarians fails"),
        ("{o} as such", "the Barbarians as such"),
    ):
        assert plain(speaker.spoken("", "", phrase, {"o": "the Barbarians"})) == told
    assert plain(speaker.spoken("", "", "{o} removes", {"o": "the player"})) == "the player removes"


# ---- words --------------------------------------------------------------------------------------


def test_sentences_refer_to_what_they_speak_of() -> None:
    (sentence,) = (
        one.text
        for one in west().card(west().ruleset.things["advance"]["mining"]).entries
        if one.id.startswith("mining / modify slave_revolt")
    )
    assert ("value", "slave_revolt.rate") in {(one.sort, one.id) for one in pieces(sentence)}
    assert "".join(one.text for one in pieces(sentence)) == plain(sentence)


@pytest.mark.parametrize(
    ("clause", "no"),
    [
        ("ships may cross", "ships may not cross"),
        ("it is so", "it is not so"),
        ("they have a ship", "they do not have a ship"),
        ("{p} counts", "{p} does not count"),
        ("all sleep", "it is not so that all sleep"),
    ],
)
def test_saying_that_it_is_not_so(clause: str, no: str) -> None:
    assert english.denied(clause) == no


@pytest.mark.parametrize(
    ("noun", "many"), [("city", "cities"), ("day", "days"), ("box", "boxes"), ("token", "tokens")]
)
def test_several_of_something(noun: str, many: str) -> None:
    assert english.plural(noun) == many


@pytest.mark.parametrize(
    ("verb", "many"),
    [("needs", "need"), ("is", "are"), ("loses", "lose"), ("passes", "pass"), ("carries", "carry")],
)
def test_what_several_do(verb: str, many: str) -> None:
    assert english.of_several(verb) == many


def test_a_denied_phrase_is_used() -> None:
    speaker = page().speaker
    assert plain(permission(speaker, "poor", {"p": "Rome"}, False)) == "Rome counts for much"
    assert plain(permission(speaker, "poor", {"p": "Rome"}, True)) == "Rome counts for little"


def test_a_card_has_the_fields_of_its_chapter_in_its_order() -> None:
    card = page().card(page().ruleset.things["advance"]["agriculture"])
    assert [(one.label, plain(one.text)) for one in card.fields] == [
        ("Cost", "120"),
        ("Groups", "Crafts, Science"),
        ("Credits", "Crafts 10, Science 5"),
    ]
