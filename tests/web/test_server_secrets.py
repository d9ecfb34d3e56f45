"""Nothing hidden leaves the server: positions that differ only in what a seat may not see give the
same bytes, in documents as in what is refused."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.hidden import disguised
from tests.runtime.shipped import BOTS, journey, program, seats
from ziggurat import ONLOOKER, Game, load_save, new_save, play, start
from ziggurat.studio.web.about import PERSON, About
from ziggurat.studio.web.keys import Keys
from ziggurat.studio.web.refusals import Refusal
from ziggurat.studio.web.table import Table

STOPS = 14


def table_of(game: Game, folder: Path) -> Table:
    """A table at which a game stands, all its seats people's."""
    fresh = start(game.run.bound.program, seats=game.table.seats)
    save = new_save(fresh, folder / "game.zig")
    save.game = game
    about = About(dict.fromkeys(game.seats, PERSON), dict.fromkeys(game.seats, ""), Keys())
    return Table("abcdefghijkm", save, about, folder / "game.json")


def somewhere(stack: str, data: st.DataObject, folder: Path) -> Game:
    """A game in the middle, as a server finds it."""
    bot = data.draw(st.sampled_from(["advised", "random"]))
    if stack == "race":  # which is over before a journey comes to its first stop
        game = start(program(stack), players=3, seed=data.draw(st.integers(0, 99)))
        play(game, BOTS[bot](1), limit=data.draw(st.integers(0, 40)))
        return game
    stops = journey(stack, seats(stack)[0], bot, STOPS)
    save, snapshot = stops[data.draw(st.integers(0, len(stops) - 1))]
    path = folder / "journey.zig"
    path.write_bytes(save)
    path.with_name("journey.zig.snapshot").write_bytes(snapshot)
    return load_save(path, lambda _: program(stack))[0].game


@pytest.mark.parametrize("stack", ["race", "marches", "west", "east"])
@given(data=st.data())
@settings(max_examples=5)
def test_hidden_things_change_no_byte(
    stack: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    game = somewhere(stack, data, folder)
    seat = data.draw(st.integers(-1, len(game.seats) - 1))
    other = disguised(game, seat, data.draw(st.integers(0, 1000)))
    name = ONLOOKER if seat < 0 else game.seats[seat]
    here, there = table_of(game, folder), table_of(other, folder)
    one, two = here.document(name), there.document(name)
    assert one.text() == two.text()
    assert one.version == two.version
    for asked, again in zip(here._asked(name), there._asked(name), strict=True):
        assert asked[0] == again[0]
        for answer in _answers(game, data):
            assert _told(here, name, asked[0], answer) == _told(there, name, asked[0], answer)


def _answers(game: Game, data: st.DataObject) -> list[Any]:
    """Answers that are not allowed, made of names of the game."""
    names = st.sampled_from(
        [
            *(thing.id for kind in game.ruleset.things.values() for thing in kind.values()),
            *game.owners,
            *(game.table.card_name(card) for card in range(len(game.table.face))),
            0,
            1,
        ]
    )
    several = st.lists(names, max_size=3)
    action = st.sampled_from([*game.ruleset.actions, "done"])
    acts = st.fixed_dictionaries({"action": action, "args": st.lists(names | several, max_size=4)})
    return data.draw(st.lists(names | several | acts, min_size=1, max_size=6))


def _told(table: Table, seat: str, asked: str, answer: Any) -> Any:
    """What comes of an answer: that it is refused and why, or that it is not."""
    decision = table._asked_by(seat, asked)
    if decision.check(answer) is None:
        return "allowed"
    try:
        table.answer(seat, asked, answer)
    except Refusal as refusal:
        return refusal.status, refusal.text, refusal.source
    raise AssertionError("an answer was refused, and taken")


@pytest.mark.parametrize("stack", ["race", "west"])
@given(data=st.data())
@settings(max_examples=6)
def test_options_on_the_way_tell_nothing_hidden(
    stack: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whoever asks for options with arguments that were not offered gets the same refusal."""
    folder = tmp_path_factory.mktemp("tables")
    game = somewhere(stack, data, folder)
    deciding = [one.decider for one in game.decisions]
    if not deciding:
        return
    name = data.draw(st.sampled_from(deciding))
    other = disguised(game, game.owners.index(name), data.draw(st.integers(0, 1000)))
    here, there = table_of(game, folder), table_of(other, folder)
    (asked,) = here._asked(name)
    for answer in _answers(game, data):
        question = {"decision": asked[0], "chosen": answer}
        if isinstance(answer, dict):
            question = {"decision": asked[0], **answer}
        assert _next(here, name, question) == _next(there, name, question)


def _next(table: Table, seat: str, question: dict[str, Any]) -> Any:
    try:
        return json.dumps(table.options(seat, question))
    except Refusal as refusal:
        return refusal.status, refusal.text


def test_a_seed_is_in_no_document(tmp_path: Path) -> None:
    game = start(program("race"), players=3, seed=987654321987654321)
    table = table_of(game, tmp_path)
    for seat in (ONLOOKER, *game.seats):
        assert "987654321987654321" not in table.document(seat).text()
        assert "bets" not in table.document(seat).text()


def test_a_decision_made_secretly_is_seen_by_nobody_else(tmp_path: Path) -> None:
    """Whom somebody bets on changes no byte of what others are sent, nor how often."""
    games = {}
    for bet in ([], ["player2"], ["player2", "player3"]):
        save = new_save(start(program("race"), players=3, seed=7), tmp_path / "game.zig")
        table = table_of(save.game, tmp_path)
        table._take(save)
        table.answer("player1", "0.0", bet)
        games[len(bet)] = [table.document(seat).text() for seat in (ONLOOKER, "player2")]
        for seat in ("player2", "player3"):
            table.answer(seat, "0.0", [])
        games[len(bet)] += [table.document(seat).text() for seat in (ONLOOKER, "player2")]
        assert ("player2, player3" in table.document("player1").text()) == (len(bet) == 2)
    assert games[0] == games[1] == games[2]


@pytest.mark.parametrize("order", list(permutations(["player1", "player2", "player3"])))
def test_what_is_decided_secretly_is_seen_by_nobody_else_whoever_is_quicker(
    order: tuple[str, ...], tmp_path: Path
) -> None:
    """After each answer: a stream may send any of these documents, whenever it comes to it."""
    games = []
    for number, bet in enumerate(([], ["player3"], ["player2", "player3"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        save = new_save(start(program("race"), players=3, seed=7), folder / "game.zig")
        table = table_of(save.game, folder)
        table._take(save)
        seen = []
        for seat in order:
            table.answer(seat, "0.0", bet if seat == "player1" else [])
            documents = [table.document(one) for one in (ONLOOKER, "player2", "player3")]
            seen.append([(one.version, one.text(), one.lines.lines) for one in documents])
        games.append(seen)
    assert games[0] == games[1] == games[2]
