"""What generated code saves itself: counts without loops, values remembered until something they
read changes. None of it may be noticed."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runtime.packed import program
from ziggurat.proving.reference_program import reference_program
from ziggurat.runtime.game import Game, start
from ziggurat.runtime.lowering.declarations import Lowering, declarations
from ziggurat.runtime.program import Bound, Program
from ziggurat.runtime.state import State

WORDS = """
kind good card plural goods { copies: int = 3   worth: int = 3 }
good salt "Salt" { }
good wine "Wine" { worth: 5 }
cards card { faces: good }
place hand of player { cards: card }
place deck of table hidden { cards: card }
attribute owed of player: player -> int = {}
attribute seen of player: set of area = {}
attribute fleeting of player: int = 0 { lasts: phase }
phase play "Play" { once { end game } }
"""
NOTED = """
value spread(p: player): int = sum(count(chip of p in a) * a.limit for a in areas)
value turned(p: player): int = count(a in areas where any(down chip of p in a))
value rich(p: player): int = sum(c.worth for c in cards(hand(p)))
value skilled(p: player): int = count(q in players where q holds craft and q is not p)
value debts(p: player): int = sum(p.owed[q] for q in {r in players where r.score >= 0})
value sights(p: player): int = sum(a.limit for a in p.seen)
value passing(p: player): int = sum(n for n in 1..p.fleeting)
value altogether(p: player): int =
    sum(spread(q) + rich(q) - debts(p) for q in {r in players where r.score < 5})
value room_in(p: player, some: set of area): int =
    sum(a.limit - count(chip of p in a) for a in some)
value free(p: player): int = room_in(p, areas) + room_in(p, {one}) + wide({one}) * wide(areas)
value wide(some: set of area): int = sum(a.limit for a in some)
skill craft "Craft" { }
procedure march(p: player) { move 2 chip of p from one to two }
procedure leave(p: player) { remove all chip of players from areas }
procedure flip(p: player) { turn 1 chip of p in one as down }
procedure draw(p: player) { put top(deck) in hand(p) }
procedure learn(p: player) { give craft to p }
procedure unlearn(p: player) { take craft from p }
procedure borrow(p: player) { for each q in others(p) { add 2 to p.owed[q] } }
procedure settle(p: player) { set p.owed = {} }
procedure look(p: player) { include two in p.seen }
procedure win(p: player) { add 5 to p.score }
procedure hurry(p: player) { add 1 to p.fleeting }
"""
VALUES = ("spread", "turned", "rich", "skilled", "debts", "sights", "passing", "altogether",
          "free")  # fmt: skip
CHANGES = ("march", "leave", "flip", "draw", "learn", "unlearn", "borrow", "settle", "look", "win",
           "hurry")  # fmt: skip
MADE: dict[str, Program] = {}


def made(text: str) -> Program:
    if text not in MADE:
        MADE[text] = program(WORDS + text)
    return MADE[text]


def playing(text: str) -> tuple[Bound, State]:
    """Compiled rules, and a position to run them on."""
    game = start(made(text), 3)
    state = game.state.copy()
    table = game.table
    state.put(state.piles[0], table.pile("deck"))
    return game.run.bound, state


def read(bound: Bound, state: State) -> list[Any]:
    return [bound["value", name](state, player) for name in VALUES for player in range(3)]


@given(st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 2)), min_size=1, max_size=12))
def test_what_is_noted_follows_every_change(changes: list[tuple[str, int]]) -> None:
    bound, state = playing(NOTED)
    read(bound, state)
    for change, player in changes:
        assert state.notes
        bound["procedure", change](state, player)
        assert read(bound, state) == read(bound, state.copy()), change
    state.reset("phase", bound.program.voids)
    assert read(bound, state) == read(bound, state.copy())


def test_what_ends_with_a_phase_makes_nothing_else_void() -> None:
    bound, state = playing(NOTED)
    read(bound, state)
    noted = {group: len(notes) for group, notes in state.notes.items() if notes}
    (about,) = bound.program.voids["player.fleeting"]
    state.reset("phase", bound.program.voids)
    assert {group: len(notes) for group, notes in state.notes.items() if notes} == noted
    bound["procedure", "hurry"](state, 0)
    read(bound, state)
    state.reset("phase", bound.program.voids)
    assert not state.notes[about]
    assert {group: len(notes) for group, notes in state.notes.items() if notes} == {
        group: size for group, size in noted.items() if group != about
    }


@pytest.mark.parametrize("change", CHANGES)
def test_copies_share_notes_until_one_of_them_changes(change: str) -> None:
    bound, state = playing(NOTED)
    before = read(bound, state)
    other = state.fork()
    bound["procedure", change](other, 1)
    read(bound, other)
    assert read(bound, state) == before


def test_something_is_changed_by_each_of_these() -> None:
    bound, state = playing(NOTED)
    untouched = {"unlearn", "settle"}
    for change in CHANGES:
        work = state.copy()
        bound["procedure", change](work, 0)
        assert (read(bound, work) == read(bound, state)) == (change in untouched), change


def test_tracing_adds_counters_and_nothing_else() -> None:
    ruleset = made(NOTED).ruleset
    played, traced = (
        Lowering(ruleset, trace).unit("game/game.rules", declarations(ruleset))
        for trace in (False, True)
    )
    assert any(traced.clauses)
    assert not any(played.clauses)
    assert {file: _without_counters(body) for file, body in traced.files.items()} == {
        file: [ast.dump(one) for one in body] for file, body in played.files.items()
    }


class _Uncounted(ast.NodeTransformer):
    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | None:
        target = node.target
        counts = isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
        return None if counts and target.value.id == "T" else node


def _without_counters(body: list[ast.stmt]) -> list[str]:
    return [ast.dump(_Uncounted().visit(one)) for one in body]


SMALL = """
value strangers(p: player, a: area): int = count(chip of owners in a) - count(chip of p in a)
value rivals(o: owner): set of owner = owners - {o}
value alone(p: player, a: area): bool = not any(chip of rivals(p) in a)
value room(p: player, a: area): int = a.limit
value daring(p: player): bool = no
value timid(p: player): bool = yes
skill craft "Craft" {
  modify room(holder, a) by +2 when a.limit < 3
  allow daring(holder)
}
skill guile "Guile" {
  modify room(holder, a) to 7
  forbid timid(holder) "No."
}
"""
EXPRESSIONS = (
    "strangers(p, one)",
    "strangers(p, two) + strangers(p, two) * strangers(p, one)",
    "count(chip of rivals(p) in one)",
    "count(chip of rivals(p) in bag)",
    "1 if alone(p, two) else 0",
    "count(chip of p on board)",
    "count(chip of owners on board)",
    "count(down chip of p on board)",
    "1 if any(chip of p on board) else 0",
    "size(areas with chip of p)",
    "room(p, one) + room(p, two)",
    "room(p, first(a in areas where a.limit > 2))",
    "room(p, first(a in areas where a.limit > 9))",
    "1 if daring(p) else 0",
    "1 if timid(p) and not daring(p) else 0",
    "6 / p.score if p.score > 0 and 6 / p.score > 1 else 1",
    "1 if any(a in areas where alone(p, a)) and p.score > 0 or daring(p) else 0",
    "(room(p, one) if room(p, one) > 3 and room(p, two) > 3 else room(p, two)) + room(p, one)",
)
POSITIONS: tuple[tuple[str, ...], ...] = (
    (),
    ("give craft to p", "move 2 chip of p from one to two"),
    ("give guile to p", "add 2 to p.score"),
    ("give craft to p", "give guile to p", "remove all chip of players from areas"),
    ("turn 2 chip of p in one as down", "place 3 chip of house in two"),
)


@pytest.mark.parametrize("done", POSITIONS)
def test_small_values_and_counts_are_what_the_reference_says(done: tuple[str, ...]) -> None:
    values = "".join(f"value v{n}(p: player): int = {text}\n" for n, text in enumerate(EXPRESSIONS))
    steps = "procedure prepare(p: player) {\n" + "\n".join(done) + "\n}\n"
    compiled = made(SMALL + values + steps)
    walked = reference_program(compiled.ruleset, compiled.sites)
    found = [told(start(rules, 3)) for rules in (compiled, walked)]
    assert found[0] == found[1]


def told(game: Game) -> dict[str, Any]:
    game.call(("procedure", "prepare"), 1)
    seats = game.table.owner_names[:3]
    return {
        f"{text} of {seat}": game.value(f"v{n}", seat)
        for n, text in enumerate(EXPRESSIONS)
        for seat in seats
    }
