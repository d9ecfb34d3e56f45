"""Decisions while a step runs.

A step runs with the answers it has been given so far. At a decision without one it either answers
itself (one legal answer, nothing to choose from, a neutral owner) or raises a `DecisionRequest`,
which carries everything that is needed to show the decision. Answers that a step gave itself are
kept with the others, so that its next run does not work them out again. A recorded answer is (site,
answer, decider); the decider is None where nobody was asked.
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import attrs

from ziggurat.runtime.kernel.registry import Registry
from ziggurat.runtime.kernel.state import COPIED, State, cells

MISSING = object()
# What finds the legal answers of `select` and `divide`; `runtime.solver` registers itself.
SOLVERS = Registry[str, Any]()
Constraints = tuple[tuple[tuple[Any, ...], ...], ...]


class DecisionRequest(Exception):  # noqa: N818 - a request, not an error
    """Somebody must decide.

    `options` are candidates in this table's numbers, `moment` is the position in the middle of the
    step, which the decider should look at. `kind` is the tag that other programs see.
    """

    kind: ClassVar[str]

    def __init__(
        self,
        site: int,
        decider: int,
        options: Sequence[Any],
        holes: tuple[Any, ...],
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
        self.least = least
        self.most = most
        self.optional = optional
        self.solver = solver
        self.moment: State | None = None

    def capture_state(self, moment: State) -> None:
        """Keep the position of the step that stopped here, and release the frames it ran in."""
        self.moment = moment
        self.__traceback__ = None

    def allows(self, answer: Any) -> bool:
        """Return whether an answer, in this table's numbers, is legal."""
        raise NotImplementedError


class ChooseOneRequest(DecisionRequest):
    """A choice of one option, or of none if it is optional."""

    kind = "choose"

    def allows(self, answer: Any) -> bool:
        return answer in self.options or (self.optional and answer is None)


class MayRequest(ChooseOneRequest):
    """A choice between yes and no."""

    kind = "may"


class ChooseSomeRequest(DecisionRequest):
    """A choice of `least` to `most` options."""

    kind = "choose_some"

    def allows(self, answer: Any) -> bool:
        known = all(member in self.options for member in answer)
        return known and (self.least or 0) <= len(answer) <= (self.most or 0)


class SelectRequest(DecisionRequest):
    """A choice of options that meet constraints together."""

    kind = "select"

    def allows(self, answer: Any) -> bool:
        index = {member: number for number, member in enumerate(self.options)}
        if any(member not in index for member in answer):
            return False
        return bool(self.solver.complete(frozenset(index[member] for member in answer)))


class DivideRequest(DecisionRequest):
    """An amount for each option, with a given total."""

    kind = "divide"

    def allows(self, answer: Any) -> bool:
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
    ask: DecisionRequest | None = None
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


def canonical(answer: Any, ask: DecisionRequest | None = None) -> Any:
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
            if not isinstance(ask, DivideRequest):
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


def _asked(state: State, ask: DecisionRequest) -> Any:
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
    return _asked(state, ChooseOneRequest(site, by, options, holes, optional=optional))


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
    return _asked(state, ChooseSomeRequest(site, by, options, holes, low, high))


def may(state: State, site: int, by: int | None, possible: bool, holes: tuple[Any, ...]) -> Any:
    """A neutral owner does what it may; nobody does nothing."""
    if not possible or by is None:
        return _settled(state, site, by, 0)
    if by >= len(state.table.players):
        return _settled(state, site, by, 1)
    return _asked(state, MayRequest(site, by, (1, 0), holes))


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
    return _asked(state, SelectRequest(site, by, options, holes, solver=solver))


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
    return _asked(state, DivideRequest(site, by, members, holes, total, total, solver=solver))


NAMES: dict[str, Any] = {
    "MISSING": MISSING,
    "recorded": recorded,
    "choose": choose,
    "choose_some": choose_some,
    "may": may,
    "select": select,
    "divide": divide,
}
