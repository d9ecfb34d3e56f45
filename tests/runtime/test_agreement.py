"""Words that agree with a number: `{n|city|cities}`."""

import pytest

from tests.runtime.packed import program
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.game.log import agreeing

SPEECH = """
phase play "Play" {{
  each player p in players {{ say "{said}" }}
  once {{ end game }}
}}
"""


def said(text: str) -> str:
    game = Game.start(program(SPEECH.format(said=text)), 2)
    return list(game.settled.events())[-1].text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{1} {1|chip|chips}", "1 chip"),
        ("{2} {2|chip|chips}", "2 chips"),
        ("{0} {0|chip|chips}", "0 chips"),
        ("{count(chip of p in one)|a|many}", "many"),
        ("{players|one plays|several play}", "several play"),
        ("{p.score > 0|none yet|at last}", "none yet"),
        ("{areas|area|areas}", "areas"),
        ("{1||s}", ""),
    ],
)
def test_a_word_goes_with_its_number(text: str, told: str) -> None:
    assert said(text) == told


@pytest.mark.parametrize("text", ["{1|chip}", "{1|a|b|c}", "{p|is|are}", "{|a|b}"])
def test_what_is_no_agreement_is_a_finding(text: str) -> None:
    with pytest.raises(AssertionError, match=r"Z323|Z301"):
        said(text)


def test_other_languages_count_otherwise() -> None:
    polish = "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2"
    words = ir.Agreement(ir.Lit(1, ir.Type("int")), ("miasto", "miasta", "miast"), polish)
    assert [agreeing(words, n) for n in (1, 2, 5, 22)] == ["miasto", "miasta", "miast", "miasta"]
