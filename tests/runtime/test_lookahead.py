"""Players that look ahead: they find what advice misses, see no more than their seat, and end."""

from pathlib import Path
from typing import Any

import pytest

from tests.runtime.hidden import disguised, known
from tests.runtime.packed import BEGIN, program
from tests.runtime.shipped import arrive, journey, seats
from tests.runtime.shipped import program as shipped
from ziggurat.proving.arena import Arena, Trial
from ziggurat.runtime.bots import lookahead
from ziggurat.runtime.bots.determinise import imagine
from ziggurat.runtime.bots.lookahead import Searching, legal
from ziggurat.runtime.bots.policies import Advised, Random, play
from ziggurat.runtime.bots.seat_values import best_to_play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.randomness import Stream

EFFORT = 300
END = "phase over { once { end game } }\n"
# The good way is long: three acts that bring nothing, and then more than the short one.
LADDER = """
attribute rung of player: int = 0
phase play "Play" { players p act until done { if p.rung >= 3 { add 9 to p.score } } }
action climb "Climb" in play by p () {
  needs p.rung < 3 "You are on top."
  add 1 to p.rung
}
action grab "Grab" in play by p () {
  needs p.rung == 0 and p.score < 1 "No."
  add 1 to p.score
}
turn main { start: begin  phases: play, over  ranking: ranked  score: result }
"""
CHOICE = """
phase play "Play" {
  each player p in players {
    choose a by p from areas "Where?"
    add a.limit to p.score
  }
}
turn main { start: begin  phases: play, over  ranking: ranked  score: result OUTLOOK }
"""


def made(text: str) -> Any:
    return program(BEGIN + END + text, turn=False)


def chosen(text: str, effort: int = EFFORT) -> Any:
    game = start(made(text), 2)
    return game, Searching(1, effort).decide(game, game.pending[0])


def area(game: Game, name: str) -> int:
    return game.table.thing_ids["area", name]


def test_what_advice_thinks_little_of_is_found() -> None:
    text = CHOICE.replace("OUTLOOK", "") + "advice play.a { prefer 0 - it.limit }\n"
    game, answer = chosen(text)
    assert Advised(1).decide(game, game.pending[0]) != area(game, "two")
    assert answer == area(game, "two")


def test_positions_are_judged_by_the_outlook_that_the_turn_names() -> None:
    text = CHOICE.replace("OUTLOOK", " outlook: dread")
    text += "value dread(p: player): int = 0 - p.score\nadvice play.a { prefer it.limit }\n"
    game, answer = chosen(text)
    assert Advised(1).decide(game, game.pending[0]) == area(game, "two")
    assert answer != area(game, "two")


def test_an_outlook_that_cannot_be_worked_out_is_told() -> None:
    text = (
        CHOICE.replace("OUTLOOK", " outlook: dread")
        + "value dread(p: player): int = 1 / (p.score - p.score)\n"
    )
    game = start(made(text), 2)
    with pytest.raises(RulesError, match=r"tiny\.rules.*by 0"):
        Searching(1, EFFORT).decide(game, game.pending[0])


def test_all_acts_of_a_turn_are_looked_at_together() -> None:
    game = start(made(LADDER + "advice grab { prefer 5 }\nadvice climb { prefer p.rung }\n"), 2)
    bots = [Searching(1, EFFORT), Advised(1)]
    play(game, bots)
    assert game.scores() == {"player1": 9, "player2": 1}


def test_without_any_advice_it_tries_what_is_legal() -> None:
    game = start(made(LADDER.replace("p.rung >= 3", "p.rung >= 1")), 2)
    play(game, [Searching(1, EFFORT), Advised(1)])
    assert game.scores()["player1"] > game.scores()["player2"] == 0


def test_in_another_game_it_plays_better_than_advice() -> None:
    """A war game without an outlook: positions are judged by the score."""
    ahead = 0
    for seed in range(4):
        game = start(shipped("marches"), 2, seed=seed)
        bots = [Advised(seed)] * 2
        bots[seed % 2] = Searching(seed, EFFORT)
        play(game, bots)
        mine, other = game.seats[seed % 2], game.seats[1 - seed % 2]
        ahead += game.scores()[mine] - game.scores()[other]
    assert ahead > 0


@pytest.mark.parametrize("stack", ["west", "expansion_project"])
def test_at_the_end_of_a_game_the_outlook_is_the_score(stack: str) -> None:
    game = start(shipped(stack), seats(stack)[0], seed=3)
    play(game, Advised(3), limit=40_000)
    assert game.over
    hopes = {seat: game.value("outlook", seat) for seat in game.seats}
    assert hopes == {seat: 100 * score for seat, score in game.scores().items()}


def test_the_same_seed_gives_the_same_game() -> None:
    ends = []
    for _ in range(2):
        game = start(shipped("race"), 3, seed=5)
        play(game, Searching(5, EFFORT))
        ends.append((game.digest, game.answered))
    assert ends[0] == ends[1]


def test_what_it_looks_at_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    game = start(shipped("race"), 4, seed=2)
    play(game, Advised(1), limit=9)
    looked = 0
    answer = type(game.run).answer

    def counted(*args: Any) -> Any:
        nonlocal looked
        looked += 1
        return answer(*args)

    Searching(1, 0).decide(game, game.pending[0])  # learns about the table
    monkeypatch.setattr(type(game.run), "answer", counted)
    Searching(1, EFFORT).decide(game, game.pending[0])
    assert 0 < looked <= EFFORT + lookahead.LONGEST


ENDLESS = """
attribute rung of player: int = 0
phase play "Play" { players p act until done }
action fidget "Fidget" in play by p () { set p.rung = 1 - p.rung }
action grab "Grab" in play by p () {
  needs p.score < 1 "No."
  add 1 to p.score
}
advice grab { prefer 5 }
turn main { start: begin  phases: play, over  ranking: ranked  score: result }
"""


def test_acts_that_lead_nowhere_are_not_repeated() -> None:
    text = ENDLESS + "advice fidget { prefer 1 when p.score < 1 }\n"
    game = start(made(text), 2)
    assert play(game, Searching(1, EFFORT), limit=100) < 20
    assert game.over


def test_a_course_without_an_end_is_given_up() -> None:
    game = start(made(ENDLESS + "advice fidget { prefer 9 }\n"), 2)
    assert Searching(1, EFFORT).decide(game, game.pending[0]) == ("fidget", ())


def test_an_answer_from_elsewhere_is_checked() -> None:
    game = start(made(LADDER), 2)
    pending = game.pending[0]
    assert legal(game, pending, None)
    assert legal(game, pending, ("climb", ()))
    assert not legal(game, pending, ("fly", ()))
    assert not legal(game, pending, (1, 2))
    asked = start(made(CHOICE.replace("OUTLOOK", "")), 2)
    assert legal(asked, asked.pending[0], area(asked, "one"))
    assert not legal(asked, asked.pending[0], {1: 2})


# ---- what is hidden


def positions(stack: str, players: int, folder: Path, stops: int) -> list[Game]:
    found = journey(stack, players, "advised", stops)
    return [arrive(stack, stop, folder / f"{n}.zig").game for n, stop in enumerate(found)]


def same_answers(game: Game, seed: int, effort: int) -> int:
    """Hold what is found in positions that look the same to be the same; in how many."""
    held = 0
    for number, pending in enumerate(game.pending):
        seat = pending.decider
        other = disguised(game, seat, seed)
        assert known(other, seat) == known(game, seat)
        answers = []
        for one in (game, other):
            mine = next(p for p in one.pending if p.decider == seat)
            answers.append(Searching(seed, effort).decide(one, mine))
        assert answers[0] == answers[1], (number, pending.phase)
        held += 1
    return held


def test_it_answers_the_same_in_positions_that_look_the_same() -> None:
    held = 0
    for seed in range(3):
        game, bot = start(shipped("race"), 3, seed=seed), Random(seed)
        while game.pending and held < 60 * (seed + 1):
            held += same_answers(game, seed, EFFORT)
            game.decide(0, bot.decide(game, game.pending[0]))
    assert held > 30


@pytest.mark.parametrize(
    ("stack", "stops", "effort"),
    [("west", 4, 60), pytest.param("east", 12, 800, marks=pytest.mark.slow)],
)
def test_it_answers_the_same_in_large_games(
    stack: str, stops: int, effort: int, tmp_path: Path
) -> None:
    for number, game in enumerate(positions(stack, seats(stack)[0], tmp_path, stops)[1:]):
        assert same_answers(game, number, effort)


@pytest.mark.parametrize("stack", ["race", "west"])
def test_imagined_positions_look_the_same_and_are_others(stack: str, tmp_path: Path) -> None:
    others = 0
    for game in positions(stack, seats(stack)[0], tmp_path, 6):
        for pending in game.pending:
            found = imagine(game, pending, Stream(7, 1))
            if found is None:
                continue
            other, number = found
            assert other.pending[number].decider == pending.decider
            name = game.table.owner_names[pending.decider]
            here, there = game.view(name), other.view(name)
            for what in ("pieces", "holds", "piles", "attributes", "waiting"):
                assert here[what] == there[what]
            assert sorted(sum(other.state.piles, ())) == sorted(sum(game.state.piles, ()))
            whereis = [other.state.whereis[card] for pile in other.state.piles for card in pile]
            piles = [n for n, pile in enumerate(other.state.piles) for _ in pile]
            assert whereis == piles
            assert other.state.seed != game.state.seed
            others += other.state.piles != game.state.piles
    assert others


SECRETS = """
attribute favour of player secret: area or none = none
phase play "Play" {
  all players p at once {
    choose a by p from areas "Which?"
    set p.favour = a
  }
  each player p in players {
    choose b by p from areas "Where?"
    place 1 chip of p in b
  }
}
turn main { start: begin  phases: play, over  ranking: ranked  score: result }
"""


def test_what_others_keep_to_themselves_is_blank_or_asked_again() -> None:
    game = start(made(SECRETS), 3)
    game.decide(0, area(game, "two"))  # while all decide at once
    found = imagine(game, game.pending[0], Stream(1, 1))
    assert found is not None
    assert [one.decider for one in found[0].pending] == [0, 1, 2]
    for _ in range(2):
        game.decide(0, area(game, "two"))
    found = imagine(game, game.pending[0], Stream(1, 1))
    assert found is not None
    assert [found[0].attribute("favour", name) for name in game.seats] == ["two", None, None]


# ---- where all act freely

# Everybody says truly how much is in their purse. Advice robs the poorest.
MARKET = """
attribute purse of player secret: int = 0
attribute said of player: int = 0
attribute robbed of player: bool = no
phase deal "Deal" {
  each player p in players {
    add 3 to table.note
    set p.purse = table.note
    set p.said = table.note
  }
}
phase play "Play" { players p act freely until all pass }
action rob "Rob" in play by p (q from others(p) "Whom?") {
  needs not p.robbed "Once."
  set p.robbed = yes
  add q.purse to p.score
}
advice rob { prefer 20 - q.said }
turn main { start: begin, deal  phases: play, over  ranking: ranked  score: result SUPPOSING }
"""
BELIEVE = "procedure believe(p: player) { for each q in others(p) { STEP } }\n"


@pytest.mark.parametrize(
    ("step", "victim"),
    [
        ("", 1),  # without it, advice is followed
        ("set q.purse = q.said", 2),
        ("set q.said = 0", 1),  # they would see it, so it is not used
        ("place 1 chip of q in one", 1),
        ("set q.purse = 12 - q.said", 1),
    ],
)
def test_what_is_said_is_supposed_where_all_act_freely(step: str, victim: int) -> None:
    text = MARKET.replace("SUPPOSING", " supposing: believe" if step else "")
    game = start(made(text + (BELIEVE.replace("STEP", step) if step else "")), 3)
    assert Advised(1).decide(game, game.pending[0]) == ("rob", (1,))
    assert Searching(1, EFFORT).decide(game, game.pending[0]) == ("rob", (victim,))
    assert game.attribute("purse", "player2") == 6


def test_a_supposition_that_cannot_be_worked_out_is_told() -> None:
    text = MARKET.replace("SUPPOSING", " supposing: believe")
    text += BELIEVE.replace("STEP", "set q.purse = 1 / (q.said - q.said)")
    game = start(made(text), 3)
    with pytest.raises(RulesError, match=r"tiny\.rules.*by 0"):
        Searching(1, EFFORT).decide(game, game.pending[0])


def test_hands_agree_with_what_stewards_cry() -> None:
    game = start(shipped("west"), 5, seed=4)
    bot, found = Advised(4), 0
    while found < 12 and game.pending:
        pending = game.pending[0]
        mine = game.table.owner_names[pending.decider]
        if game.position.freely and (one := imagine(game, pending, Stream(found, 1))):
            other = one[0]
            for seat in game.seats:
                if seat != mine and game.attribute("crier", seat):
                    sorts = game.attribute("cries.sorts", seat)
                    assert sorts
                    for sort in sorts:
                        cried = game.value("held", seat, sort)
                        assert other.value("held", seat, sort) == cried
                    found += 1
        game.decide(0, bot.decide(game, pending))
    assert found >= 12


def test_what_to_play_is_learned_from_other_games() -> None:
    text = """
kind tribe seat plural tribes { strength: int }
tribe weak "Weak" { strength: 1 }
tribe fair "Fair" { strength: 2 }
tribe strong "Strong" { strength: 5 }
phase choosing "Choosing" {
  each player p in players {
    choose t by p from tribes where every(q in players has q.tribe is not it) "Which?"
    set p.tribe = t
  }
}
phase play "Play" { each player p in players { add p.tribe.strength to p.score } }
turn main { start: choosing  phases: play, over  ranking: ranked  score: result }
advice choosing.t { prefer 0 - it.strength }
"""
    game = start(made(text), 2)
    assert best_to_play(game.run, game.pending[0]) == game.table.thing_ids["tribe", "strong"]
    assert Searching(1).decide(game, game.pending[0]) == game.table.thing_ids["tribe", "strong"]


def test_nobody_is_told_of_what_is_only_thought() -> None:
    told: list[object] = []
    game = start(shipped("race"), 3, seed=1)
    play(game, Advised(1), limit=4)
    game.watch = told.append
    game.state.onlooker = lambda *one: told.append(one)
    Searching(1, EFFORT).decide(game, game.pending[0])
    assert not told
    assert game.watch is not None
    assert game.state.onlooker is not None


def test_games_that_are_watched_hear_nothing_of_what_was_only_thought() -> None:
    records = []
    for _ in range(2):
        side = Trial("race", (), 3, "one_search", (), 2_000)
        records.append(Arena(shipped("race"), side).play(4))
    assert records[0]["outcome"] == "finished"
    policies = [player["policy"] for player in records[0]["players"]]
    assert policies == ["advised", "search", "advised"]
    assert sum(times for *_, times in records[0]["decisions"]) == records[0]["answers"]
    assert len(records[0]["values"]) == records[0]["turns"] + 1
    for record in records:
        record.pop("seconds")
    assert records[0] == records[1]
