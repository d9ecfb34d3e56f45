"""Reports on generated games in which nobody has an advantage, and on the same with a handicap."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import pytest

from ziggurat import Arena, Trial
from ziggurat.studio.simulation import workers
from ziggurat.studio.simulation.conclusions import unlike_chance
from ziggurat.studio.simulation.judging import Report
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.summary import Summary

RULES = """kind side seat plural sides {{ luck: int = 0 }}
{sides}
kind roll plural rolls {{ steps: int }}
{rolls}
attribute round of table: int = 0
attribute run of player: int = 0
value points(p: player) "Points": int = p.run
order ahead(p: player) {{ {order} }}
phase choosing {{ each player p {{
  choose mine by p from sides where count(q in players where q.side is it) < {seats_of_a_side}
      "Who are you?"
  set p.side = mine
  add mine.luck to p.run
}} }}
phase running "Running" {{
  each player p {{
    choose bold by p from 0..1 "Roll again?"
    pick r at random from rolls
    add r.steps to p.run
    if bold == 1 {{
      pick again at random from rolls
      set p.run = p.run - r.steps + again.steps
    }}
  }}
  once {{
    add 1 to round
    if round >= 3 {{ end game }}
  }}
}}
turn main {{ start: choosing  phases: running  ranking: ahead  score: points  shows: points }}
"""


@attrs.frozen
class Level:
    """A symmetric game: so many seats and sides, and how finely the ranking tells them apart."""

    name: str
    seats: int = 3
    sides: int = 3
    rolls: int = 1000
    order: str = "far: -p.run"

    @property
    def seats_of_a_side(self) -> int:
        return -(-self.seats // self.sides)


GAMES = (
    Level("apart"),
    Level("ties", rolls=2),
    Level("level", order="same: 0"),
    Level("shared", seats=4, sides=2),
    Level("crowd", seats=5, sides=3, rolls=3),
)
POLICIES = ("advised", "random", "mixed", "search", "one_search")


def arena(folder: Path, level: Level, policy: str, luck: int = 0) -> Arena:
    """Lay out a symmetric game, in which the first side begins with so many points more."""
    sides = [f'side side{number} "Side {number}" {{ luck: {luck if number == 0 else 0} }}'
             for number in range(level.sides)]  # fmt: skip
    rolls = [f'roll roll{number} "{number}" {{ steps: {number} }}' for number in range(level.rolls)]
    home = folder / level.name
    home.mkdir(parents=True, exist_ok=True)
    (home / "pack.toml").write_text(
        f'id = "{level.name}"\ntitle = "Level"\nversion = "1"\nplayers = "1-9"\n', encoding="utf-8"
    )
    text = RULES.format(
        sides="\n".join(sides),
        rolls="\n".join(rolls),
        order=level.order,
        seats_of_a_side=level.seats_of_a_side,
    )
    (home / "level.rules").write_text(text, encoding="utf-8")
    return workers.arena(Trial(str(home), (str(folder),), level.seats, policy, (), 500))


def reports(played: Arena, number: int, games: int) -> Iterator[list[str]]:
    """Yield who is said to win more or less often than by chance, for so many seeds."""
    rules = Rules.of(played.program)
    for seed in range(1, number + 1):
        side = Summary(played.side.stack, rules)
        first = 1000 * seed
        side.add_all(played.play(first + game) for game in range(games))
        assert side.finished == games
        yield list(unlike_chance(Report((side,)))) if side.has_winners else []


def name_sides_and_seats(found: Sequence[str]) -> bool:
    return any(line.lower().startswith(("side", "seat")) for line in found)


# More than 20 of 200, and more than 4 of 20, come by chance in 0.2 and 0.3 % of all cases at 5 %.
@pytest.mark.parametrize("level", GAMES, ids=lambda level: level.name)
@pytest.mark.parametrize(
    ("number", "games", "most"), [(20, 12, 4), pytest.param(200, 40, 20, marks=pytest.mark.slow)]
)
def test_reports_on_level_games_name_nobody(
    tmp_path: Path, level: Level, number: int, games: int, most: int
) -> None:
    found = list(reports(arena(tmp_path, level, "random"), number, games))
    assert sum(map(name_sides_and_seats, found)) <= most


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("level", [GAMES[1], GAMES[3]], ids=lambda level: level.name)
def test_no_policy_is_mistaken_for_a_side(tmp_path: Path, level: Level, policy: str) -> None:
    found = list(reports(arena(tmp_path, level, policy), 200, 15))
    assert sum(map(name_sides_and_seats, found)) <= 20


@pytest.mark.parametrize(
    "level", [level for level in GAMES if level.name != "level"], ids=lambda level: level.name
)
@pytest.mark.parametrize(
    ("number", "games", "least"), [(8, 20, 7), pytest.param(200, 40, 190, marks=pytest.mark.slow)]
)
def test_reports_name_the_side_that_is_helped(
    tmp_path: Path, level: Level, number: int, games: int, least: int
) -> None:
    check_that_helped_side_is_named(tmp_path, level, "random", number, games, least)


# The only bot that looks ahead mostly takes the side that is helped, so few others play it.
@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("level", [GAMES[1], GAMES[3]], ids=lambda level: level.name)
def test_reports_name_the_side_that_is_helped_under_every_policy(
    tmp_path: Path, level: Level, policy: str
) -> None:
    games = 60 if policy == "one_search" else 30
    check_that_helped_side_is_named(tmp_path, level, policy, 200, games, 190)


def check_that_helped_side_is_named(
    folder: Path, level: Level, policy: str, number: int, games: int, least: int
) -> None:
    """Raise unless the first side is named in enough reports, and no other as winning more."""
    found = list(reports(arena(folder, level, policy, luck=2 * level.rolls), number, games))
    winners = [
        {line.split(" won ")[0] for line in lines if line.startswith("Side") and " more " in line}
        for lines in found
    ]
    helped = [{name.partition(" (")[0] for name in names} for names in winners]
    assert sum(names == {"Side 0"} for names in helped) >= least
    assert set().union(*helped) == {"Side 0"}
