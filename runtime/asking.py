"""Decisions while a step runs.

A step runs with the answers it has been given so far. At a decision without one it either answers
itself (one legal answer, nothing to choose from, a neutral owner) or raises `Ask`, which carries
everything that is needed to show the decision. Answers a step gave itself are kept with the others,
so that the next run of the step does not work them out again; a recorded answer is (site, answer,
decider), the decider being None where nobody was asked.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from runtime.errors import RulesError
from runtime.state import State

MISSING = object()
Constraints = tuple[tuple[tuple[Any, ...], ...], ...]


class Ask(Exception):  # noqa: N818 - a request, not an error
    """Somebody must decide. `options` are candidates in this table's numbers, `moment` the
    position in the middle of the step, which is what the decider should look at."""

    def __init__(
        self,
        site: int,
        decider: int,
        options: Sequence[Any],
        holes: tuple[Any, ...],
        kind: str = "choose",
        least: int | None = None,
        most: int | None = None,
        optional: bool = False,
        solver: Any = None,
    ) -> None:
        super().__init__(site)
        self.site = site
        self.decider = decider
        self.options = options
        self.holes = holes
        self.kind = kind
        self.least = least
        self.most = most
        self.optional = optional
        self.solver = solver
        self.moment: State | None = None

    def allows(self, answer: Any) -> bool:
        """Is the answer, in this table's numbers, a legal one?"""
        if self.kind in ("choose", "may"):
            return answer in self.options or (self.optional and answer is None)
        if self.kind == "choose_some":
            known = all(member in self.options for member in answer)
            return known and (self.least or 0) <= len(answer) <= (self.most or 0)
        if self.kind == "select":
            index = {member: number for number, member in enumerate(self.options)}
            if any(member not in index for member in answer):
                return False
            return bool(self.solver.complete(frozenset(index[member] for member in answer)))
        if set(answer) - set(self.options):
            return False
        amounts = {number: answer.get(m, 0) for number, m in enumerate(self.options)}
        return bool(self.solver.complete(amounts))


@attrs.define(eq=False)
class Pending:
    """A decision somebody has to make: an `ask` of a step, or without one, what to do next.

    `thread` is the number of the player's body in an `all at once` stage; `found` and `more` are
    the actions known to be possible and where further ones come from."""

    decider: int
    phase: str = ""
    ask: Ask | None = None
    thread: int | None = None
    found: list[Any] = attrs.field(factory=list)
    more: Iterator[Any] = attrs.field(factory=lambda: iter(()))

    def actions(self) -> list[Any]:
        """The actions that are possible now, found when first asked for."""
        self.found.extend(self.more)
        return self.found


def recorded(state: State, site: int) -> Any:
    """The answer given earlier to this decision of the step, MISSING if there is none.

    While an `all at once` stage is carried out, answers are looked at again (`checking`): the
    position may have changed since they were given.
    """
    cursor = state.cursor
    if state.checking or cursor >= len(state.answers):
        return MISSING
    state.cursor = cursor + 1
    return state.answers[cursor][1]


def _settle(state: State, ask: Ask, own: Any) -> Any:
    """Use the answer given before, or our own; otherwise stop and ask."""
    cursor = state.cursor
    if own is MISSING:
        if state.checking and cursor < len(state.answers):
            site, answer, _ = state.answers[cursor]
            if site == ask.site and ask.allows(answer):
                state.cursor = cursor + 1
                return answer
        state.answers = state.answers[:cursor]
        raise ask
    mine = (ask.site, own, None)
    if not state.checking or state.answers[cursor : cursor + 1] != (mine,):
        state.answers = (*state.answers[:cursor], mine)
    state.cursor = cursor + 1
    return own


def _decides(state: State, by: int | None) -> bool:
    if by is None:
        raise RulesError("A decision was left to nobody (none).")
    return by < len(state.table.players)


def choose(
    state: State,
    site: int,
    by: int,
    options: Sequence[Any],
    holes: tuple[Any, ...],
    optional: bool,
    always: bool,
) -> Any:
    own = MISSING
    if not options:
        own = None
    elif not _decides(state, by) or (len(options) == 1 and not optional and not always):
        own = options[0]
    return _settle(state, Ask(site, by, options, holes, optional=optional), own)


def choose_some(
    state: State,
    site: int,
    by: int,
    options: Sequence[Any],
    holes: tuple[Any, ...],
    least: int | None,
    most: int | None,
    always: bool,
) -> Any:
    size = len(options)
    high = size if most is None else max(0, min(most, size))
    low = max(0, min(least or 0, high))
    own: Any = MISSING
    if size == 0 or high == 0:
        own = ()
    elif low == size and not (always and _decides(state, by)):
        own = tuple(sorted(options))
    elif not _decides(state, by):
        own = tuple(sorted(options[: max(low, 1)]))
    return _settle(state, Ask(site, by, options, holes, "choose_some", low, high), own)


def may(state: State, site: int, by: int, possible: bool, holes: tuple[Any, ...]) -> Any:
    own: Any = MISSING
    if not possible:
        own = 0
    elif not _decides(state, by):
        own = 1
    return _settle(state, Ask(site, by, (1, 0), holes, "may"), own)


def select(
    state: State,
    site: int,
    by: int,
    options: tuple[int, ...],
    holes: tuple[Any, ...],
    constraints: Constraints,
    relax: bool,
) -> Any:
    from runtime.solve import solve_select

    index = {member: number for number, member in enumerate(options)}
    wishes = [[_wish(part, index) for part in parts] for parts in constraints]
    solver = solve_select(range(len(options)), wishes, relax)
    forced = solver.forced()
    own: Any = MISSING
    if not options:
        own = ()
    elif forced is not None:
        own = tuple(sorted(options[number] for number in forced))
    elif not _decides(state, by):
        own = tuple(sorted(options[number] for number in solver.example()))
    return _settle(state, Ask(site, by, options, holes, "select", solver=solver), own)


def _wish(part: tuple[Any, ...], index: dict[int, int]) -> tuple[Any, ...]:
    """Neighbours are candidates too: those that are not cannot be picked."""
    if part[0] == "connected":
        return (part[0], [[index[m] for m in near if m in index] for near in part[1]])
    return part


def divide(
    state: State,
    site: int,
    by: int,
    members: tuple[int, ...],
    holes: tuple[Any, ...],
    total: int,
    allowed: Sequence[Sequence[int]],
) -> Any:
    from runtime.solve import solve_divide

    solver = solve_divide(max(total, 0), [tuple(amounts) for amounts in allowed])
    forced = solver.forced()
    own: Any = MISSING
    if not members:
        own = {}
    elif forced is not None:
        own = {member: forced[number] for number, member in enumerate(members)}
    elif not _decides(state, by):
        own = {}
        for number, member in enumerate(members):
            taken = {n: own[m] for n, m in enumerate(members[:number])}
            own[member] = solver.choices(number, taken)[0]
    ask = Ask(site, by, members, holes, "divide", solver=solver)
    ask.least = ask.most = total
    return _settle(state, ask, own)


NAMES: dict[str, Any] = {
    "MISSING": MISSING,
    "recorded": recorded,
    "choose": choose,
    "choose_some": choose_some,
    "may": may,
    "select": select,
    "divide": divide,
}
