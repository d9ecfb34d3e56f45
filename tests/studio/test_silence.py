"""`ziggurat simulate` tells with every report what of the rules nobody used."""

import re
from pathlib import Path
from typing import Any

import pytest

from ziggurat import all_options, load
from ziggurat.dsl.packs import Search
from ziggurat.studio.cli import main
from ziggurat.studio.simulation.journal import Journal
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.silence import Silence, Used, listed

PACKS = Path(__file__).parents[1] / "packs"
FAIR = """id = "fair"
title = "A fair"
version = "1"
extends = ["race"]
"""
# A trick nobody wants, an ability nobody uses, questions that are always answered alike.
RULES = """
kind prize plural prizes { size: int }
prize apple "Apple" { size: 1 }
prize melon "Melon" { size: 2 }
trick crown "Crown" {
  price: 5
  action bow "Bow" in market by p () { say "{p} bows." }
}
trick drum "Drum" {
  price: 1
  action beat "Beat the drum" in market by p (loud from {yes, no}, won from prizes) {
    needs not p.rested "Quiet."
    set p.rested = yes
    say "{p} beats the drum for {won}."
  }
}
phase fair "Fair" {
  each player p in players {
    may p dance "Dance?" { say "{p} dances." }
    choose tip by p from 0..6 "How much?"
    choose wish by p from prizes optionally
    say "{p} gives {tip} and wishes {wish}."
  }
}
amend turn main { insert fair after market }
advice fair.dance { prefer 1 when it }
advice fair.tip { prefer 0 - abs(it - 2) }
advice fair.wish { prefer it.size }
advice drum.beat { prefer 9 when loud and won is melon }
advice crown.bow { prefer 0 }
"""


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pack, and in `out` the games that were played with it."""
    room = tmp_path_factory.mktemp("fair")
    (room / "fair").mkdir()
    (room / "fair" / "pack.toml").write_text(FAIR, encoding="utf-8")
    (room / "fair" / "fair.rules").write_text(RULES, encoding="utf-8")
    return room


def simulate(room: Path, *more: str) -> Path:
    out = room / "-".join(["out", *more]).replace("--", "")
    given = ["race+fair", "--packs", str(room), "--packs", str(PACKS), "--out", str(out)]
    assert main(["simulate", *given, "--players", "3", "--jobs", "1", "--games", "5", *more]) == 0
    return out


def rules(room: Path) -> Rules:
    ruleset = load("race+fair", Search.default([room, PACKS])).ruleset
    assert ruleset is not None
    return Rules(ruleset)


def silence(room: Path, out: Path) -> Silence:
    used = Used()
    for record in Journal(out).records():
        used.add(record)
    return Silence(rules(room), used)


def test_what_nobody_used_is_told(fair: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = silence(fair, simulate(fair))
    assert list(found.unheld()) == [("Tricks nobody held", ["Crown", "Whip"])]
    assert found.undone(possible=True) == [
        "Rest (rest, possible in 5 of 5 games, no advice about it)"
    ]
    assert found.undone(possible=False) == ["Bow (crown.bow)"]
    assert found.untaken() == [
        "buy.t: crown, whip",
        "drum.beat.loud: no",
        "drum.beat.won: apple",
        "fair.dance: no",
        "fair.tip: 0–1, 3–6",
        "fair.wish: apple, none",
    ]
    assert found.unasked() == []
    told = " ".join(capsys.readouterr().out.split())
    assert "Never used in these games of race+fair, so they say nothing about it:" in told
    assert "Tricks nobody held (2): Crown, Whip" in told
    assert "fair.tip: 0–1, 3–6" in told


def test_the_page_tells_it_with_how_often_abilities_were_used(fair: Path) -> None:
    out = simulate(fair)
    found = {one.action: one for one in silence(fair, out).abilities()}
    assert (found["drum.beat"].held, found["drum.beat"].used) == (5, 5)
    assert (found["crown.bow"].held, found["crown.bow"].used) == (0, 0)
    text = (out / "report.html").read_text(encoding="utf-8")
    part = text[text.index('<section id="silence">') :].partition("</section>")[0]
    assert "<li>fair.wish: apple, none</li>" in part
    assert "Bow: [p] bows." in part
    assert re.search(r"Beat the drum.*?>5<.*?>5<.*?100", part, re.DOTALL)
    assert 'href="#silence"' in text


def test_bots_that_try_anything_leave_little(
    fair: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = silence(fair, simulate(fair, "--policy", "random"))
    assert found.undone(possible=True) == []
    assert not [one for one in found.untaken() if not one.startswith(("buy", "crown"))]


def test_a_ruleset_of_which_all_was_used_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["race", "--packs", str(PACKS), "--out", str(tmp_path), "--policy", "random"]
    assert main(["simulate", *given, "--games", "20", "--jobs", "1", "--players", "4"]) == 0
    assert "Everything these rules have to hold, to do and to answer was used." in (
        " ".join(capsys.readouterr().out.split())
    )


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("buy.t", ("boots", "whip", "crown", "drum")),
        ("drum.beat.loud", ("no", "yes")),
        ("drum.beat.won", ("apple", "melon")),
        ("drum.beat.noise", ()),
        ("fair.tip", ()),
    ],
)
def test_what_may_be_named_comes_from_the_declarations(
    fair: Path, path: str, known: tuple[str, ...]
) -> None:
    assert sorted(all_options(rules(fair).ruleset, path)) == sorted(known)


@pytest.mark.parametrize(
    ("names", "told"),
    [(["2", "10", "1", "3"], "1–3, 10"), (["yes"], "yes"), (["7", "none", "b"], "b, none, 7")],
)
def test_numbers_are_told_in_rows(names: list[Any], told: str) -> None:
    assert listed(names) == told
