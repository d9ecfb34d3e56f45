"""What generated code saves itself: counts without loops, values remembered until something they
read changes, small values put in where they are called. None of it may be noticed."""

import ast
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runtime.packed import program
from ziggurat.runtime.compiler.declarations import Lowering, declarations
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.program import Bound, Program, walked_program
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.programs import compile_ruleset

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
    walked = walked_program(compiled.ruleset, compiled.sites)
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


# ---- straight code

STRAIGHT = """
value half(p: player, a: area): int = a.limit / 2
value low(p: player, a: area): bool = a.limit < 3 and count(chip of p in a) > 0
value level(p: player, a: area): int = 2
value daily(p: player): int = 6 / p.score
value wide(p: player, some: list of area): int =
    sum(level(p, a) + half(p, a) + (daily(p) if low(p, a) else 0) for a in some)
value shared(p: player, some: list of area): int = sum(a.limit * daily(p) for a in some)
value chosen(p: player, n: int): int = n if p.score > 5 else 0
value eager(p: player, some: list of area): int = size(list(a in some)) + chosen(p, daily(p))
value highest(p: player, some: list of area): int =
    max(level(p, a) - count(chip of p in a) for a in some where not low(p, a))
value lowest(p: player, some: list of area): int = min(half(p, a) - 3 for a in some)
value first_low(p: player, some: list of area): area or none = first(a in some where low(p, a))
value every_low(p: player, some: list of area): bool = every(a in some has low(p, a))
value any_low(p: player, some: list of area): bool = any(a in some where low(p, a))
value lows(p: player, some: list of area): set of area = {a in some where low(p, a)}
value near_lows(p: player, some: list of area): list of int =
    list(count(b in a.near where low(p, b)) for a in some)
value sorted_lows(p: player, some: list of area): list of area =
    list(a in some by steep_from(p, first_low(p, some)))
order steep_from(p: player, b: area or none, a: area) {
  near: 0 if a in first_low(p, {a, b}).near else 1
  level: 0 - level(p, a)
  limit: 0 - a.limit
}
skill craft "Craft" {
  modify level(holder, a) by +2 when low(holder, a)
  modify level(holder, a) to at most 3
}
procedure march(p: player) { move 2 chip of p from one to two }
"""
PUT_IN = ("wide", "shared", "eager", "highest", "lowest", "first_low", "every_low", "any_low",
          "lows", "near_lows", "sorted_lows")  # fmt: skip


def both(text: str) -> list[Bound]:
    """The same rules with values put in and with all of them called."""
    made = made_straight(text)
    return [start(one, 3).run.bound for one in made]


def made_straight(text: str) -> tuple[Program, Program]:
    straight = made(text)
    return straight, compile_ruleset(straight.ruleset, straight=False)


def outcome(bound: Bound, name: str, state: State, *args: Any) -> Any:
    try:
        return bound["value", name](state, *args)
    except ZeroDivisionError as wrong:
        return str(wrong)


@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("score", [0, 2])
@pytest.mark.parametrize("some", [(), (0,), (2, 1), (0, 1, 2), (1, 1, 2)])
def test_what_is_put_in_gives_the_same(holds: bool, score: int, some: tuple[int, ...]) -> None:
    """A division by 0 too, and only where somebody asks for it."""
    straight, called = both(STRAIGHT)
    state = start(made(STRAIGHT), 3).state.copy()
    state.attrs[state.table.attributes["player.score"].slot(1)] = score
    if holds:
        state.give(state.table.thing_ids["skill", "craft"], 1)
    for moved in (False, True):
        if moved:
            straight["procedure", "march"](state, 1)
        for name in PUT_IN:
            found = [outcome(bound, name, state.copy(), 1, some) for bound in (straight, called)]
            assert found[0] == found[1], name
            assert type(found[0]) is type(found[1])


def function(bound: Bound, name: str) -> CodeType:
    """What works a value out that is noted."""
    found = bound["fresh", name]
    assert isinstance(found, FunctionType)
    return found.__code__


def test_small_values_are_put_in_and_loops_are_statements() -> None:
    straight, called = both(STRAIGHT)
    names = {straight["value", name].__name__ for name in ("low", "half")}
    for name in PUT_IN[:8]:
        code = function(straight, name)
        assert names.isdisjoint(code.co_names), name
        assert not any(isinstance(one, CodeType) for one in code.co_consts), name
    lowest = function(called, "lowest")
    # A comprehension is a function of its own before Python 3.12.
    inner = [one for one in lowest.co_consts if isinstance(one, CodeType)]
    assert not names.isdisjoint(name for code in (lowest, *inner) for name in code.co_names)


def test_what_a_loop_does_not_change_is_worked_out_once_and_never_in_vain() -> None:
    straight, _ = both(STRAIGHT)
    calls = 0

    def daily(*args: Any) -> int:
        nonlocal calls
        calls += 1
        return 7

    space: dict[str, Any] = straight["value", "shared"].__globals__
    space[straight["value", "daily"].__name__] = daily
    state = start(made(STRAIGHT), 3).state.copy()
    assert straight["value", "shared"](state, 1, (0, 1, 2)) == 7 * (2 + 3 + 2)
    assert calls == 1
    assert straight["value", "shared"](state, 1, ()) == 0
    assert calls == 1


def test_what_is_nested_deep_is_worked_out_as_well() -> None:
    sums = "1"
    for n in range(18):
        sums = f"sum({sums} for n{n} in 1..1)"
    loops = "size({a in areas where any(b in areas where b.limit > 1)})"
    text = (
        f"value sums(p: player): int = {sums}\n"
        f"value terms(p: player): int = {' + '.join(['p.score', *['1'] * 90])}\n"
        f"value all_of(p: player): bool = {' and '.join([f'{loops} > 2'] * 30)}\n"
    )
    for bound in both(text):
        state = start(made(text), 3).state.copy()
        found = [bound["value", name](state, 1) for name in ("sums", "terms", "all_of")]
        assert found == [1, 90, True]


NESTED = """
value nested(p: player): int =
    level(p, one) +
    daily(p)
"""


def test_a_mistake_is_told_by_the_line_it_stands_on() -> None:
    text = STRAIGHT + NESTED
    found = []
    for bound in both(text):
        with pytest.raises(ZeroDivisionError) as caught:
            bound["value", "nested"](start(made(text), 3).state.copy(), 1)
        found.append(bound.as_rules_error(caught.value, "nested"))
    assert isinstance(found[0], RulesError)
    line = made(text).ruleset.values["daily"].at.line
    assert [(one.at.line, str(one)) for one in found] == [(line, str(found[0]))] * 2
