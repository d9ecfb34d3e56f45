"""Games as rows, and positions set up by hand, as programs of people use them."""

from pathlib import Path

import pytest

import ziggurat
from tests.stacks import compiled, linked

FIVE = ["minoa", "assyria", "hatti", "hellas", "egypt"]


@pytest.fixture(scope="module")
def west() -> ziggurat.Program:
    return compiled("west")


def test_all_turns_as_rows(west: ziggurat.Program) -> None:
    game = ziggurat.start(west, seats=FIVE, seed=7)
    ziggurat.play(game, ziggurat.Advised(1), limit=150)
    rows = ziggurat.turn_rows(game)
    turns = sorted({row["turn"] for row in rows})
    assert turns == list(range(game.turn_number + 1))
    assert len(rows) == 5 * len(turns)
    assert [row["ended"] for row in rows] == [row["turn"] < turns[-1] for row in rows]
    last = {row["seat"]: row["victory_points"] for row in rows[-5:]}
    assert last == game.scores()


def test_rows_of_a_record_are_those_of_the_game(west: ziggurat.Program) -> None:
    trial = ziggurat.Trial("west", (), players=5, policy="advised", options=(), limit=80)
    record = ziggurat.Arena(west, trial).play(seed=3)
    game = ziggurat.start(west, 5, seed=3)
    ziggurat.play(game, ziggurat.Advised(3), limit=80)
    names = ziggurat.measured(west.ruleset)
    mine = [{name: row[name] for name in names} for row in ziggurat.turn_rows(game)]
    theirs = [
        {name: row[name] for name in names} for row in ziggurat.record_rows(record, west.ruleset)
    ]
    assert mine == theirs


def test_a_position_set_up_by_hand(tmp_path: Path) -> None:
    ruleset = linked("west")
    given = ["place 4 token of hatti in argos", "set hatti.step = 3"]
    game = ziggurat.start_from(ruleset, ["hatti", "egypt"], given, phase="movement")
    assert game.count("token", "hatti", "argos") == 4
    assert (game.position.phase, game.decision.decider) == ("movement", "hatti")
    rows = ziggurat.turn_rows(game)
    assert [row["tokens_on_board"] for row in rows] == [4, 0]
    with pytest.raises(ValueError, match="Only a game that stands at its beginning"):
        ziggurat.new_save(game, tmp_path / "no.zig")
    assert not (tmp_path / "no.zig").exists()


@pytest.mark.parametrize(
    ("players", "given", "phase", "said"),
    [
        (["hatty", "egypt"], [], "", "nobody can play `hatty`. Did you mean `hatti`?"),
        (["hatti", "egypt"], [], "movment", "Did you mean `movement`?"),
        (["hatti", "egypt"], ["place 2 tokken of hatti in argos"], "", "these rules can answer"),
        (["hatti", "egypt"], ["place 99 token of hatti in argos"], "", "not so many pieces"),
    ],
)
def test_positions_that_cannot_be(
    players: list[str], given: list[str], phase: str, said: str
) -> None:
    with pytest.raises(ziggurat.BadQuestion) as wrong:
        ziggurat.start_from(linked("west"), players, given, phase)
    assert said in str(wrong.value)


def test_hashes(west: ziggurat.Program) -> None:
    one, two = (ziggurat.start(west, seats=FIVE, seed=7) for _ in range(2))
    assert one.digest == two.digest
    assert one.at_beginning
    one.answer("done")
    assert one.digest != two.digest
    assert not one.at_beginning
