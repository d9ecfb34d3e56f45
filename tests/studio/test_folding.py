"""Repeated sentences are told once, and nobody is left out."""

from types import SimpleNamespace
from typing import cast

from rich.text import Text

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.log import Event
from ziggurat.studio.folding import folded
from ziggurat.studio.play.naming import Names
from ziggurat.studio.play.news import paragraphs


def said(line: int, *parts: str) -> Event:
    return Event("say", "rule", None, parts, "".join(parts), ir.At("a.rules", line, 1, line, 9))


def builds(who: str, what: str) -> Event:
    return said(1, "", who, " builds ", what, ".")


def swaps(who: str, other: str, cards: str = "3") -> Event:
    return said(2, "", who, " and ", other, " swap ", cards, " cards.")


def test_one_sentence_stays_as_it_is() -> None:
    for event in (builds("Ann", "a barn"), swaps("Ann", "Bob"), said(3, "It rains!")):
        assert folded([event]) == [event.text]


def test_endings_are_joined() -> None:
    events = [builds("Ann", "a barn"), builds("Ann", "a mill"), builds("Ann", "a house")]
    assert folded(events) == ["Ann builds a barn, a mill and a house."]
    assert folded([*events[:1], builds("Bob", "a mill")]) == [
        "Ann builds a barn.",
        "Bob builds a mill.",
    ]


def test_a_common_start_of_the_rule_is_told_once() -> None:
    events = [said(4, "In hand: ", who, " ", "1", ".") for who in ("Ann", "Bob")]
    assert folded(events) == ["In hand: Ann 1 and Bob 1."]


def test_what_many_did_is_told_once() -> None:
    events = [swaps("Ann", "Bob"), swaps("Bob", "Cid", "4"), swaps("Cid", "Ann")]
    assert folded(events) == [
        "Ann and Bob swap 3 cards.",
        "Cid and Ann swap 3 cards.",
        "Bob and Cid swap 4 cards.",
    ]
    assert folded([*events, swaps("Ann", "Bob")]) == [
        "Swap 3 cards: Ann and Bob (2 times), Cid and Ann.",
        "Bob and Cid swap 4 cards.",
    ]


def test_endings_that_are_all_alike_are_told_once() -> None:
    assert folded([builds(who, "a mill") for who in ("Ann", "Bob", "Cid")]) == [
        "Builds a mill: Ann, Bob, Cid."
    ]


def test_names_within_a_deed_keep_their_capitals() -> None:
    events = [said(5, "", who, " leaves ", "Rome", " alone.") for who in ("Ann", "Bob", "Cid")]
    assert folded(events) == ["Leaves Rome alone: Ann, Bob, Cid."]


def test_sentences_of_different_rules_are_not_mixed() -> None:
    events = [builds("Ann", "a barn"), said(3, "It rains!"), builds("Ann", "a mill")]
    assert folded(events) == ["Ann builds a barn.", "It rains!", "Ann builds a mill."]


def test_sentences_without_names_at_the_head_stay() -> None:
    events = [said(6, "The barn of ", who, " burns down.") for who in ("Ann", "Bob", "Cid")]
    assert folded(events) == [event.text for event in events]


def test_a_phase_whose_title_ends_with_a_point_gets_no_second_one() -> None:
    begins = Event("phase", "succession", None, (), "A.S.T.")
    names = cast(Names, SimpleNamespace(moment=SimpleNamespace(ruleset=None)))
    (told,) = paragraphs([begins, said(3, "It rains.")], "", names)
    assert cast(Text, told.renderable).plain == "A.S.T. It rains."
