"""What the language costs: phases compiled from the rules against the same written by hand.

The compiled phases run step by step as the scheduler would run them, with the answers already
given; the scheduler itself is measured with the decisions.
"""

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from benchmarks.by_hand import ByHand
from benchmarks.measure import Claim, against, seconds, times
from benchmarks.positions import recorded
from ziggurat.runtime.kernel.program import Bound
from ziggurat.runtime.kernel.requests import DecisionRequest
from ziggurat.runtime.kernel.state import State

Answers = tuple[Any, ...]
REPEATS = 30


@attrs.frozen
class Case:
    """A position, who is concerned, and the answers of every step."""

    state: State
    members: tuple[int, ...]
    answers: tuple[Answers, ...]


@attrs.frozen
class Task:
    """One phase: its name, the phase it is recorded before, who or what it is done for in the
    rules, one step of it in the rules, and the whole by hand."""

    name: str
    before: str
    members: Callable[[Bound, State], Sequence[int]]
    step: Callable[[Bound, State, int], None]
    by_hand: Callable[[ByHand, State, Sequence[int]], None]


def _tax(bound: Bound, state: State, player: int) -> None:
    rate = bound["value", "tax_rate"](state, player).start
    bound["procedure", "collect_taxes"](state, player, rate)


def _support(bound: Bound, state: State, player: int) -> None:
    rate = bound["value", "support_rate"](state, player)
    bound["procedure", "check_support"](state, player, rate)


def _players_of(phase: str) -> Callable[[Bound, State], list[int]]:
    """The players of the first stage of a phase that goes through players."""

    def members(bound: Bound, state: State) -> list[int]:
        stages = (bound.get("stage", phase, number, "items") for number in range(9))
        found: list[int] = next(filter(None, stages))(state)
        return found

    return members


def _growing(bound: Bound, state: State) -> list[int]:
    """Those with enough tokens to grow everywhere; the others would have to choose."""
    found = _players_of("population_expansion")(bound, state)
    return [player for player in found if not asks(bound, TASKS[1], state, player)]


TASKS = (
    Task(
        "tax collection", "tax_collection",
        _players_of("tax_collection"),
        _tax, lambda hand, state, members: hand.tax_collection(state),
    ),
    Task(
        "population expansion", "population_expansion", _growing,
        lambda bound, state, player: bound["procedure", "expand"](state, player),
        lambda hand, state, members: hand.expansion(state, members),
    ),
    Task(
        "census", "population_expansion", lambda bound, state: (0,),
        lambda bound, state, _: bound["stage", "population_expansion", 1, "body"](state),
        lambda hand, state, members: hand.taking_census(state),
    ),
    Task(
        "token conflict", "conflict",
        lambda bound, state: bound["value", "battlefields"](state),
        lambda bound, state, area: bound["procedure", "fight"](state, area),
        lambda hand, state, members: hand.conflict(state),
    ),
    Task(
        "surplus", "city_construction", lambda bound, state: (0,),
        lambda bound, state, _: bound["procedure", "remove_all_surplus"](state),
        lambda hand, state, members: hand.surplus(state),
    ),
    Task(
        "support", "surplus_and_support",
        _players_of("surplus_and_support"),
        _support, lambda hand, state, members: hand.support(state),
    ),
)  # fmt: skip


def answer(bound: Bound, ask: DecisionRequest) -> Any:
    """The first option; but no ship is lost for a token, and no token anywhere else."""
    path = bound.program.sites[ask.site].path
    if path == "lose_one.sink":
        return 0
    return ask.holes[0] if path == "lose_one.site" else ask.options[0]


def asks(bound: Bound, task: Task, state: State, member: int) -> bool:
    try:
        task.step(bound, state.copy(), member)
    except DecisionRequest:
        return True
    return False


def answers(bound: Bound, task: Task, state: State, member: int) -> Answers:
    """Everything that is decided in a step, also what the step decides itself; it then happens."""
    given: Answers = ()
    while True:
        work = state.copy()
        work.answers = given
        try:
            task.step(bound, work, member)
        except DecisionRequest as ask:
            given = (*work.answers, (ask.site, answer(bound, ask), ask.decider))
        else:
            given = work.answers
            state.answers, state.cursor = given, 0
            task.step(bound, state, member)
            return given


def cases(bound: Bound, task: Task, positions: Sequence[State]) -> list[Case]:
    found = []
    for state in positions:
        members = tuple(task.members(bound, state))
        work = state.copy()
        given = tuple(answers(bound, task, work, member) for member in members)
        if members:
            found.append(Case(state, members, given))
    return found


def run_rules(bound: Bound, task: Task, case: Case, state: State) -> None:
    members = case.members if task.members is _growing else task.members(bound, state)
    for member, given in zip(members, case.answers, strict=True):
        state.answers, state.cursor = given, 0
        task.step(bound, state, member)


def language() -> list[Claim]:
    game, found = recorded()
    bound, hand = game.run.bound, ByHand(game.table)
    claims = []
    all_ours = all_theirs = 0.0
    for task in TASKS:
        some = cases(bound, task, found.get(task.before, []))
        compare(bound, hand, task, some)

        def ours(states: list[State], task: Task = task, some: list[Case] = some) -> None:
            for case, state in zip(some, states, strict=True):
                run_rules(bound, task, case, state)

        def theirs(states: list[State], task: Task = task, some: list[Case] = some) -> None:
            for case, state in zip(some, states, strict=True):
                task.by_hand(hand, state, case.members)

        def copies(some: list[Case] = some) -> list[State]:
            return [case.state.copy() for case in some]

        one, other = against(ours, theirs, REPEATS, copies)
        all_ours, all_theirs = all_ours + one, all_theirs + other
        what = f"{task.name}, {len(some)} positions, against plain Python"
        claims.append(_claim(what, one, other))
    return [*claims, _claim("all of these", all_ours, all_theirs)]


def _claim(what: str, ours: float, theirs: float) -> Claim:
    ratio = ours / theirs if theirs else 0.0
    return Claim(what, seconds(ours), seconds(theirs), times(ratio), "≤ 1.50 ×", ratio <= 1.5)


def compare(bound: Bound, hand: ByHand, task: Task, some: list[Case]) -> None:
    """Both must leave the same position behind."""
    changed = False
    for case in some:
        one, other = case.state.copy(), case.state.copy()
        run_rules(bound, task, case, one)
        task.by_hand(hand, other, case.members)
        assert one.pieces == other.pieces, task.name
        assert (one.attrs, one.held, one.piles) == (other.attrs, other.held, other.piles), task.name
        changed = changed or one.pieces != case.state.pieces or one.attrs != case.state.attrs
    assert changed, f"Nothing happens in the positions for {task.name}."
