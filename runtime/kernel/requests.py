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

from ziggurat.runtime.kernel.registry import Registry
from ziggurat.runtime.kernel.state import COPIED, State, cells

MISSING = object()
# What finds the legal answers of `select` and `divide`; `runtime.solver` registers itself.
SOLVERS = Registry[str, Any]()
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

    def stopped(self, moment: State) -> None:
        """A step stopped here. The frames it ran in refer to this, and must not be kept alive."""
        self.moment = moment
        self.__traceback__ = None

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

    `thread` is the number of the player's body in an `all at once` stage, `menu` what the player
    may do."""

    decider: int
    phase: str = ""
    ask: Ask | None = None
    thread: int | None = None
    menu: Any = None


class Open(Sequence[Pending]):
    """The decisions that are pending, at least one; the others are found when they are wanted."""

    def __init__(self, first: Pending, more: Iterator[Pending]) -> None:
        self._found = [first]
        self._more = more

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: Any) -> Any:
        return self._found[0] if index == 0 else self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> list[Pending]:
        self._found.extend(self._more)
        return self._found


def canonical(answer: Any, ask: Ask | None = None) -> Any:
    """Return an answer in the form in which equal answers look the same, whoever gave them.

    Yes and no are numbers, and a division names every member, also those that get nothing.
    """
    match answer:
        case bool():
            return int(answer)
        case tuple():
            return tuple(map(canonical, answer))
        case dict():
            amounts = {canonical(member): amount for member, amount in answer.items()}
            if ask is None or ask.kind != "divide":
                return amounts
            return {member: amounts.get(member, 0) for member in map(canonical, ask.options)}
    return answer


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


def _asked(state: State, ask: Ask) -> Any:
    """Use the answer given before if it still holds; otherwise stop and ask."""
    cursor = state.cursor
    if state.checking and cursor < len(state.answers):
        site, answer, _ = state.answers[cursor]
        if site == ask.site and ask.allows(answer):
            state.cursor = cursor + 1
            return answer
    state.answers = state.answers[:cursor]
    raise ask


def _settled(state: State, site: int, by: int | None, own: Any) -> Any:
    """The step answers itself, and keeps the answer with the others."""
    cursor = state.cursor
    own = canonical(own)
    state.spend(1 + (cursor + cells(own)) // COPIED, site)
    mine = (site, own, None)
    is_new = not state.checking or state.answers[cursor : cursor + 1] != (mine,)
    if is_new:
        state.answers = (*state.answers[:cursor], mine)
    state.cursor = cursor + 1
    if state.onlooker is not None and is_new:
        state.onlooker(site, by, own)
    return own


# What is left to a neutral owner, or to nobody (none), is settled by the first option.


def choose(
    state: State,
    site: int,
    by: int | None,
    options: Sequence[Any],
    holes: tuple[Any, ...],
    optional: bool,
    always: bool,
) -> Any:
    if not options:
        return _settled(state, site, by, None)
    forced = len(options) == 1 and not optional and not always
    if forced or by is None or by >= len(state.table.players):
        return _settled(state, site, by, options[0])
    return _asked(state, Ask(site, by, options, holes, optional=optional))


def choose_some(
    state: State,
    site: int,
    by: int | None,
    options: Sequence[Any],
    holes: tuple[Any, ...],
    least: int | None,
    most: int | None,
    always: bool,
) -> Any:
    size = len(options)
    high = size if most is None else max(0, min(most, size))
    low = max(0, min(least or 0, high))
    if high == 0:
        return _settled(state, site, by, ())
    nobody = by is None or by >= len(state.table.players)
    if low == size and (nobody or not always):
        return _settled(state, site, by, tuple(sorted(options)))
    if by is None or nobody:
        return _settled(state, site, by, tuple(sorted(options[: max(low, 1)])))
    return _asked(state, Ask(site, by, options, holes, "choose_some", low, high))


def may(state: State, site: int, by: int | None, possible: bool, holes: tuple[Any, ...]) -> Any:
    """A neutral owner does what it may; nobody does nothing."""
    if not possible or by is None:
        return _settled(state, site, by, 0)
    if by >= len(state.table.players):
        return _settled(state, site, by, 1)
    return _asked(state, Ask(site, by, (1, 0), holes, "may"))


def select(
    state: State,
    site: int,
    by: int | None,
    options: tuple[int, ...],
    holes: tuple[Any, ...],
    constraints: Constraints,
    relax: bool,
) -> Any:
    if not options:
        return _settled(state, site, by, ())
    index = {member: number for number, member in enumerate(options)}
    wishes = [[_wish(part, index) for part in parts] for parts in constraints]
    solver = SOLVERS["select"](range(len(options)), wishes, relax)
    forced = solver.forced()
    if forced is None and (by is None or by >= len(state.table.players)):
        forced = solver.example()
    if forced is not None or by is None:
        return _settled(state, site, by, tuple(sorted(options[number] for number in forced or ())))
    return _asked(state, Ask(site, by, options, holes, "select", solver=solver))


def _wish(part: tuple[Any, ...], index: dict[int, int]) -> tuple[Any, ...]:
    """Neighbours are candidates too: those that are not cannot be picked."""
    if part[0] == "connected":
        return (part[0], [[index[m] for m in near if m in index] for near in part[1]])
    return part


def divide(
    state: State,
    site: int,
    by: int | None,
    members: tuple[int, ...],
    holes: tuple[Any, ...],
    total: int,
    allowed: Sequence[Sequence[int]],
) -> Any:
    if not members:
        return _settled(state, site, by, {})
    solver = SOLVERS["divide"](max(total, 0), [tuple(amounts) for amounts in allowed])
    forced = solver.forced()
    if forced is not None:
        return _settled(state, site, by, dict(zip(members, forced, strict=True)))
    if by is None or by >= len(state.table.players):
        own: dict[int, int] = {}
        for number, member in enumerate(members):
            own[member] = solver.choices(number, dict(enumerate(own.values())))[0]
        return _settled(state, site, by, own)
    return _asked(
        state, Ask(site, by, members, holes, "divide", solver=solver, least=total, most=total)
    )


NAMES: dict[str, Any] = {
    "MISSING": MISSING,
    "recorded": recorded,
    "choose": choose,
    "choose_some": choose_some,
    "may": may,
    "select": select,
    "divide": divide,
}
