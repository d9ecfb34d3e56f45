"""Who sees what is secret, written down here once more from the rules of the games alone.

Views ask rules who may see something (`sees` of a place, an attribute or a cover), and so does the
kit of `hidden`; neither can notice that these rules are wrong. What a view shows is compared here
with a list of what players hide in the games that ship, and with what a conflict lets them see.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tests.runtime.hidden import disguised, known
from tests.runtime.shipped import STACKS, program
from tests.runtime.test_invariants import asked
from tests.sampling import sampled
from ziggurat.runtime.bots.lookahead import Searching
from ziggurat.runtime.bots.policies import Advised, Policy, Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.game.log import describe
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import NOBODY, ONLOOKER

# Cards nobody may look at, and cards for their player alone, by the stacks in which they are.
FACE_DOWN = {"box", "draw_pile", "stall", "deck", "left_out", "pool"}
HELD = {
    "hand": "",
    "disasters": "",
    "packet": "",
    "passed_on": "",
    "drawn": "",
    "played": "seven_ages",
    "identity": "spies",
}
# What a player chose in secret, by the stacks in which it is a secret.
CHOSEN = {
    "player.purchase.laid": "",
    "player.purchase.stand_in": "",
    "player.offer.cards": "",
    "player.answer.cards": "",
    "player.drawn": "short_game",
    "player.bets": "race",
    "player.glory": "secret_victory",
    "player.force": "seven_ages",
    "player.fronts": "seven_ages",
    "player.captain": "seven_ages",
    "player.passed": "seven_ages",
    "player.spares": "seven_ages",
    "player.marks": "seven_ages",
    "player.alone": "seven_ages",
    "player.cadence": "seven_ages",
    "player.cadence.none_at": "seven_ages",
    "player.cadence.low_at": "seven_ages",
    "player.cadence.high_at": "seven_ages",
    "player.markers": "clans",
    "player.coins": "harbours",
    "player.bid": "harbours",
    "player.in_favour": "spies",
    "player.sabotages": "spies",
}
# What is known only to whoever moves an empire, while it moves.
ON_THE_MARCH = ("area.moved", "table.strides", "table.troupe")
# What is known only to whoever rules an empire.
OF_THE_RULER = "empire.moored"
FIGHTS = re.compile(r"(.+) fights (.+) in (.+)\.")


def hold_secrets(game: Game, stack: str, seat: int) -> None:
    """Raise if a seat's view shows what the rules of the game hide from it."""
    names = game.table.owner_names
    shown = game.view(ONLOOKER if seat == NOBODY else names[seat], log=False)
    for place in FACE_DOWN & shown["piles"].keys():
        assert not any(isinstance(cards, list) for cards in shown["piles"][place].values()), place
    for place in held_in(stack) & shown["piles"].keys():
        open_to = [who for who, cards in shown["piles"][place].items() if isinstance(cards, list)]
        assert open_to == ([] if seat == NOBODY else [names[seat]]), place
    for attribute, values in shown["attributes"].items():
        if CHOSEN.get(attribute, "-") in stack:
            assert set(values) <= {seat}, attribute
    if "seven_ages" in stack:
        hold_fog(game, seat, shown)


def held_in(stack: str) -> set[str]:
    return {place for place, where in HELD.items() if where in stack}


def hold_fog(game: Game, seat: int, shown: dict[str, Any]) -> None:
    """The same for what the fog of war covers, and for the moves that come to covered units."""
    moment, table = game.shown(seat), game.table
    empires = {table.things[thing].id: thing for thing in table.kind_range["empire"]}
    rules = {
        id_: moment.attrs[table.attributes["empire.ruler"].slot(e)] for id_, e in empires.items()
    }
    moving = moment.attrs[table.attributes["table.moving"].slot(0)]
    for attribute in ON_THE_MARCH:
        moves = moving is not None and rules[table.things[moving].id] == seat
        assert not shown["attributes"][attribute] or moves, attribute
    own = {thing for id_, thing in empires.items() if rules[id_] == seat}
    assert set(shown["attributes"][OF_THE_RULER]) <= own
    commanded = commanded_stack(game, seat, rules)
    common = table.fields["unit", "common"]
    covered = [unit for unit, thing in unit_ids(game).items() if not common[thing]]
    for empire, ruler in rules.items():
        if ruler in (None, seat):
            continue
        seen: Counter[str] = Counter()
        for unit in covered:
            seen.update(shown["pieces"].get(unit, {}).get(empire, {}))
        for place, number in seen.items():
            top = 0 if place == "pool" else 1
            assert number <= top or (empire, place) == commanded, (empire, place)


def unit_ids(game: Game) -> dict[str, int]:
    return {game.table.things[thing].id: thing for thing in game.table.kind_range["unit"]}


def commanded_stack(game: Game, seat: int, rules: dict[str, Any]) -> tuple[str, str] | None:
    """Return the stack that a seat was named to command in the conflict that goes on, if any.

    A conflict begins with its sentence in the log, and lasts while both sides have units there.
    """
    moment, table, code = game.shown(seat), game.table, game.run.bound.program
    titles = {thing.title: thing.id for thing in table.things if thing.kind in ("empire", "area")}
    events = (describe(code, table, event, seat) for event in moment.news if event[0] == "say")
    fights = [match for event in events if event and (match := FIGHTS.fullmatch(event.text))]
    named = [who for site, who, _ in moment.answers if code.sites[site].path == "oppose.proxy"]
    if not fights or not named or named[-1] != seat:
        return None
    attacker, defender, area = (titles[title] for title in fights[-1].groups())
    if rules[defender] not in (None, rules[attacker]):
        return None  # its own player commands it
    place = next(n for n in range(table.A) if table.things[n].id == area)
    rows = [table.rows[unit] for unit in unit_ids(game)]
    sides = [table.owner_ids[side] for side in (attacker, defender)]
    lasts = all(any(moment.count(row, side, place) for row in rows) for side in sides)
    return (defender, area) if lasts else None


def positions(game: Game, bots: list[Policy], answers: int) -> Iterator[Game]:
    """Every position of a game, also those inside a step, played by bots in turn."""
    for number in range(answers):
        if not game.pending:
            return
        yield game
        bot = bots[number // 7 % len(bots)]
        game.decide(0, bot.decide(game, game.pending[0]))


# The kit, which exchanges cards, cannot tell what is known of them: where a trade has told what the
# cards are worth that lie face down, spies know each other, or a card that follows suit is the only
# choice and so plays itself. Answers given while an empire starts fit no other cards.
TOLD = {"trading", "starting_empires", "proposal", "mission", "trick"}
Tally = Counter[tuple[int, str]]
FOGGY = ("seven_ages", "seven_ages+secret_victory")
SECRETIVE = (*STACKS, "clans", "harbours", "spies", "whist")


def hold_all(stack: str, players: int, seed: int, answers: int, bots: list[Policy]) -> Tally:
    """Hold all that is secret in a game, and that what is hidden could be otherwise.

    Return how many positions were tried of each seat (`NOBODY`: of an onlooker), how many of them
    inside a step, and how many were compared with one that differs in what is hidden.
    """
    tally: Tally = Counter()
    game = start(program(stack), players, seed=seed)
    for number, position in enumerate(positions(game, bots, answers)):
        for seat in (*position.table.players, NOBODY):
            hold_secrets(position, stack, seat)
            tally[seat, "tried"] += 1
            tally[seat, "inside"] += bool(position.state.answers)
        if number % 4 == 0 and position.pending[0].phase not in TOLD:
            seat = number // 4 % players
            other = disguised(position, seat, number)
            if asked(other) == asked(position):
                assert known(other, seat) == known(position, seat)
                tally[seat, "compared"] += 1
    assert tally[NOBODY, "inside"] > answers // 20 or stack not in FOGGY
    return tally


@pytest.mark.parametrize("stack", FOGGY)
def test_a_game_by_bots_keeps_secrets(stack: str) -> None:
    hold_all(stack, 3, 5, 80, [Random(1), Advised(1)])


@pytest.mark.parametrize("stack", sampled(SECRETIVE, 4))
def test_every_secret_of_a_pack_is_on_the_list(stack: str) -> None:
    rules = program(stack).ruleset
    places = {place.id: place.seen for place in rules.places.values() if place.cards}
    assert {place for place, seen in places.items() if seen == "hidden"} <= FACE_DOWN
    assert {place for place, seen in places.items() if seen == "secret"} <= held_in(stack)
    secrets = {attribute.id for attribute in rules.attributes.values() if attribute.secret}
    chosen = {attribute for attribute, where in CHOSEN.items() if where in stack}
    assert secrets <= chosen | ({*ON_THE_MARCH, OF_THE_RULER} if stack in FOGGY else set())


@pytest.mark.slow
@pytest.mark.parametrize("stack", SECRETIVE)
def test_games_by_all_sorts_of_bots_keep_secrets(stack: str) -> None:
    assert hold_games(stack, 400)[NOBODY, "tried"] > 80


def hold_games(stack: str, answers: int) -> Tally:
    """Hold secrets in games of few and of more players by random, advised and searching bots."""
    tally: Tally = Counter()
    numbers = program(stack).ruleset.players
    for number in {numbers[0], max(numbers[0], min(5, numbers[-1]))}:
        tally += hold_all(stack, number, 9, 30, [Searching(1, 20), Random(2)])
        enough = tally[NOBODY, "tried"] + min(answers, 100)
        for seed in range(number, number + 20):  # some games are over after a few answers
            tally += hold_all(stack, number, seed, answers, [Random(seed), Advised(seed)])
            if tally[NOBODY, "tried"] >= enough:
                break
    return tally


# ---- conflicts between two empires of one player, which somebody else is named to command


def civil_war(drawn: int = 0) -> Game:
    """Return a game in which ana's red and ana's orange stand in Germany and in Latium, with as
    many cards left in the deck as will be drawn before it is shuffled anew."""
    game = start(program("seven_ages"), seats=["ana", "bo", "cleo"], seed=3)
    table = game.table
    armies = {"red": ("sword", "knight"), "orange": ("spear", "sword", "chariot", "knight")}

    def muster(state: State) -> None:
        for owner, units in armies.items():
            thing = table.thing_ids["empire", owner]
            state.attrs[table.attributes["empire.ruler"].slot(thing)] = 0
            state.attrs[table.attributes["empire.nation"].slot(thing)] = table.kind_range["nation"][
                len(owner)
            ]
            state.attrs[table.attributes["empire.level"].slot(thing)] = 17
            for unit, area in product(units, ("germany", "latium")):
                rows, whose = table.rows[unit], table.owner_ids[owner]
                goal = table.thing_ids["area", area]
                state.move(rows, whose, table.place_ids["pool"], goal, 1)
        deck, discards = (table.pile_base[pile] for pile in ("deck", "discards"))
        if drawn:
            state.put(state.piles[deck][drawn:], discards)

    game.edit(muster)
    return game


def attack(game: Game, area: str) -> None:
    """Let red begin a conflict with orange, and stop where somebody is to be named."""
    red, field = game.table.thing_ids["empire", "red"], game.table.thing_ids["area", area]
    game.call(("procedure", "fight"), red, field)
    assert game.decisions[0].path == "oppose.proxy"


def test_who_commanded_once_sees_nothing_while_another_is_named() -> None:
    game = civil_war()
    attack(game, "germany")
    game.answer("cleo")
    play(game, Random(1))
    assert not game.pending
    attack(game, "latium")
    for seat in (*game.table.players, NOBODY):
        hold_secrets(game, "seven_ages", seat)
    game.answer("bo")
    for seat in (*game.table.players, NOBODY):
        hold_secrets(game, "seven_ages", seat)
    assert "chariot" in game.view("bo")["pieces"]


@pytest.mark.parametrize("drawn", [0, 1])
def test_the_kit_leaves_what_a_step_has_shown(drawn: int) -> None:
    """Whoever is named sees units that were covered when the step began; and where the deck has
    been shuffled within the step, the cards drawn since are known."""
    game = civil_war(drawn)
    draws = game.state.draws
    attack(game, "germany")
    game.answer("cleo")
    compared = 0
    while game.pending:
        for seat in game.table.players:
            for seed in range(3):
                other = disguised(game, seat, seed)
                if asked(other) == asked(game):  # other cards may let somebody interject
                    compared += 1
                    assert known(other, seat) == known(game, seat), game.decisions[0].path
        game.decide(0, Random(1).decide(game, game.pending[0]))
    assert compared > 20
    assert (game.state.draws > draws) == bool(drawn)
