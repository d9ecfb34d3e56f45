"""Pieces that lie covered: who sees what of them, is told of them, and imagines."""

from collections.abc import Iterator

import pytest

from tests.runtime.hidden import disguised, known
from tests.runtime.packed import program as packed
from tests.runtime.shipped import program
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime.bots.determinise import imagine
from ziggurat.runtime.bots.lookahead import Searching
from ziggurat.runtime.bots.policies import Advised, Random
from ziggurat.runtime.game.covers import Asked, stacks
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.randomness import Stream

CLANS = """
kind clan owner plural clans { supply: troop -> int = {} }
kind troop piece in bag plural troops { supply: int = 0  strength: int = 1 }
clan elk "Elk" {}
clan owl "Owl" {}
clan bear "Bear" {}
troop axes "Axes" { supply: 5 }
troop bows "Bows" { supply: 3  strength: 2 }
troop riders "Riders" { supply: 5  strength: 3 }
attribute led_by of clan: player or none = none
attribute hurt of clan secret: troop -> int { sees: leads }
attribute tally of table secret: int = 0 { sees: first_of_all }
value leads(p: player or none, c: clan): bool = c.led_by is p
value first_of_all(p: player or none): bool = first(q in players) is p
option fog "Whether troops lie covered": bool = yes
cover hosts "Fog" of troop { sees: examines  top: uppermost  fits: can_lie  option: fog }
value examines(p: player or none, c: clan, a: area or none, t: troop): bool =
    c.led_by is p or c.led_by is none or t is bows
order weakest(t: troop) { strength: t.strength }
value uppermost(c: clan, a: area): troop or none =
    first(t in troops where t is not bows and any(t of c in a) by weakest)
value can_lie(c: clan, a: area or none, t: troop): bool = a is none or a is not three or t is axes
phase play "Play" {
  once {
    set elk.led_by = first(p in players)
    set owl.led_by = left_of(elk.led_by)
    place 2 axes of elk in one
    place 1 riders of elk in one
    place 2 riders of elk in two
    place 2 axes of elk in three
    place 1 bows of elk in two
    place 2 axes of bear in one
    set elk.hurt[axes] = 1
    set table.tally = 4
  }
  players p act until done
  once { end game }
}
action raise_host "Raise" in play by p (
    c from clans where it.led_by is p, t from troops where any(it of c in bag), a from areas) {
  place 1 t of c in a
  tell c.led_by "{c} raises {t} in {a}." others "{c} raises a troop in {a}."
}
"""


def clans(**options: object) -> Game:
    return start(packed(CLANS), 2, options=options)


def test_others_see_how_many_there_are_and_what_lies_on_top() -> None:
    game = clans()
    mine, theirs, nobody = (game.view(seat)["pieces"] for seat in ("player1", "player2", ""))
    assert "troop" not in mine or "elk" not in mine["troop"]
    assert mine["riders"]["elk"] == {"one": 1, "two": 2, "bag": 2}
    assert theirs["troop"]["elk"] == {"one": 2, "two": 1, "three": 1, "bag": 3}
    assert theirs["axes"]["elk"] == {"one": 1, "three": 1}
    assert theirs["riders"]["elk"] == {"two": 1}
    assert theirs["bows"]["elk"] == {"two": 1, "bag": 2}
    assert theirs["axes"]["bear"] == {"one": 2, "bag": 3}
    assert nobody["troop"] == {"elk": theirs["troop"]["elk"], "owl": {"bag": 10}}


def test_without_the_option_all_lie_open() -> None:
    game = clans(fog=False)
    assert game.view("player2")["pieces"] == game.view("player1")["pieces"]
    game.answer(["raise_host", "elk", "axes", "one"])
    assert [e["data"] for e in game.view("player2")["log"] if e["what"] == "act"] == [
        ["elk", "axes", "one"]
    ]


def test_secrets_of_things_are_seen_by_whom_the_rules_say() -> None:
    game = clans()
    one, two, nobody = (game.view(seat)["attributes"] for seat in ("player1", "player2", ""))
    ids = [game.table.thing_ids["clan", clan] for clan in ("elk", "owl", "bear")]
    assert [[i for i in ids if i in v["clan.hurt"]] for v in (one, two, nobody)] == [
        [ids[0]],
        [ids[1]],
        [ids[2]],
    ]
    assert one["table.tally"] == {0: [4]}
    assert two["table.tally"] == nobody["table.tally"] == {}


def test_what_is_built_is_told_to_its_owner_and_to_others_without_its_kind() -> None:
    game = clans()
    game.answer(["raise_host", "elk", "axes", "one"])
    mine, theirs, nobody = (game.view(seat)["log"] for seat in ("player1", "player2", ""))
    assert [e["text"] for e in mine if e["what"] == "say"] == ["Elk raises Axes in One."]
    assert [e["text"] for e in theirs if e["what"] == "say"] == ["Elk raises a troop in One."]
    assert [e["data"] for e in theirs if e["what"] == "act"] == [["elk", "hidden", "one"]]
    assert [e["text"] for e in nobody] == [e["text"] for e in theirs]
    assert game.log[-1].text == "Elk raises Axes in One."


def test_where_nobody_is_told_everybody_reads_the_same() -> None:
    text = CLANS.replace("set elk.led_by = first(p in players)", "set bear.led_by = none").replace(
        "place 2 axes of elk in one", 'tell elk.led_by "Axes." others "Something."'
    )
    game = start(packed(text), 2)
    assert [e["text"] for e in game.view("player2")["log"] if e["what"] == "say"] == ["Axes."]


def test_a_veiled_position_tells_no_more() -> None:
    game = clans()
    table, two = game.table, veiled(game.table, game.state, 1)
    elk, rows = table.owner_ids["elk"], table.rows
    for row, place in (("axes", 0), ("riders", 0), ("axes", 1)):
        with pytest.raises(Unseen):
            two.count(rows[row], elk, place)
    assert two.count(rows["bows"], elk, 1) == 1
    assert two.count(rows["axes"], table.owner_ids["bear"], 0) == 2
    assert veiled(table, game.state, 0).count(rows["axes"], elk, 0) == 2


def imagined(game: Game, seat: int, number: int) -> Iterator[Game]:
    pending = next(one for one in game.pending if one.decider == seat)
    for draw in range(number):
        found = imagine(game, pending, Stream(7, draw))
        assert found is not None
        yield found[0]


def test_imagined_stacks_look_the_same_and_hold_what_can_be_there() -> None:
    game = clans()
    game.answer(["raise_host", "elk", "axes", "two"])
    game.answer("done")
    seen = game.view("player2", log=False)["pieces"]
    elk, rows = game.table.owner_ids["elk"], game.table.rows
    held = set()
    for other in imagined(game, 1, 40):
        assert other.view("player2", log=False)["pieces"] == seen
        assert other.table.totals(other.state.pieces) == game.table.totals(game.state.pieces)
        assert other.state.sums == other.table.sum_pieces(other.state.pieces)
        assert other.state.count(rows["riders"], elk, 2) == 0  # they do not fit there
        held.add(other.state.count(rows["riders"], elk, 0))
    assert held == {1, 2}  # one more axes may lie there, or in the second area


SEVEN = "seven_ages"


def between_steps(players: int, seed: int, answers: int) -> Iterator[Game]:
    """Positions in which nobody is in the middle of anything. Whether somebody can start an empire
    depends on their cards, and everybody sees who is asked."""
    game, bots = start(program(SEVEN), players, seed=seed), (Advised(seed), Random(seed))
    for number in range(answers):
        if not game.pending:
            return
        quiet = not game.state.answers and not game.position.doing
        if quiet and number % 6 == 0 and game.position.phase != "starting_empires":
            yield game
        game.decide(0, bots[number % 7 == 0].decide(game, game.pending[0]))


@pytest.mark.parametrize(
    ("seed", "answers"), [(5, 260), pytest.param(6, 1500, marks=pytest.mark.slow)]
)
def test_covered_units_change_nothing_that_others_see_or_advise(seed: int, answers: int) -> None:
    changed = 0
    for game in between_steps(3, seed, answers):
        for seat in game.table.players:
            other = disguised(game, seat, seed)
            changed += other.state.pieces != game.state.pieces
            assert known(other, seat) == known(game, seat)
            mine = [[p for p in g.pending if p.decider == seat] for g in (game, other)]
            bots = [
                [Advised(1).decide(g, p) for p in m]
                for g, m in zip((game, other), mine, strict=True)
            ]
            assert bots[0] == bots[1]
    assert changed > 10


def test_looking_ahead_depends_on_no_covered_unit() -> None:
    changed = 0
    for game in between_steps(2, 3, 220):
        pending = game.pending[0]
        other = disguised(game, pending.decider, 11)
        changed += other.state.pieces != game.state.pieces
        theirs = next(one for one in other.pending if one.decider == pending.decider)
        assert Searching(2, 40).decide(game, pending) == Searching(2, 40).decide(other, theirs)
    assert changed > 2


def test_imagined_armies_of_seven_ages_look_the_same() -> None:
    for game in between_steps(3, 9, 400):
        pending = game.pending[0]
        found = imagine(game, pending, Stream(3, 1))
        if found is None:
            continue
        other, seat = found[0], pending.decider
        names = game.table.owner_names
        assert (
            other.view(names[seat], log=False)["pieces"]
            == game.view(names[seat], log=False)["pieces"]
        )
        for stack in stacks(Asked(other.run), other.state, seat):
            if stack.place < other.table.A:
                for row in stack.hidden:
                    if other.state.count(row, stack.owner, stack.place) and row is not stack.shown:
                        thing = other.table.thing_ids["unit", row.id]
                        area = stack.place
                        assert other.inner_value("can_be_in", thing, area), row.id
