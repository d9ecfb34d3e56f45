"""Players that are programs: `random` for testing, `advised` for sensible play.

A policy looks at a game and one of its pending decisions, and answers in the table's numbers.
Policies enumerate lazily: an action is put together parameter by parameter, and whether an option
leads to a complete action is asked only of those that are wanted.
"""

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, cycle
from math import comb
from operator import itemgetter
from typing import Any, Protocol

from ziggurat.runtime.bots.advice import ActAdvice, ready_advice
from ziggurat.runtime.game.decisions import Decision
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.actions import Args, Menu, Plan
from ziggurat.runtime.kernel.errors import RUNTIME_FAILURES
from ziggurat.runtime.kernel.randomness import Stream
from ziggurat.runtime.kernel.requests import (
    ChooseSomeRequest,
    DecisionRequest,
    DivideRequest,
    Pending,
    SelectRequest,
)
from ziggurat.runtime.kernel.signatures import Function
from ziggurat.runtime.kernel.state import FUEL

TRIES = 20
WORST = -(1 << 30)
NOTHING = object()  # no option leads anywhere


class Policy(Protocol):
    """Anything that can decide."""

    def decide(self, game: Game, pending: Pending) -> Any: ...


class Custom:
    """A policy made of a function: it is given the game and the decision, and answers plainly."""

    def __init__(self, answer: Callable[[Game, Decision], Any]) -> None:
        self._answer = answer

    def decide(self, game: Game, pending: Pending) -> Any:
        face = next(one for one in game.decisions if one.pending is pending)
        return face.read(self._answer(game, face))


def answer_of(policy: Policy, game: Game, decision: Decision) -> Any:
    """What a policy answers to a decision, as plain data."""
    return decision.name(policy.decide(game, decision.pending))


def play(
    game: Game,
    policies: Policy | Sequence[Policy],
    limit: int = 1_000_000,
    watch: Callable[[Game], object] | None = None,
) -> int:
    """Play until the game is over (or nothing is pending); how many answers were given."""
    answers = 0
    seats = policies if isinstance(policies, Sequence) else [policies] * len(game.table.players)
    while game.pending and answers < limit:
        pending = game.pending[0]
        game.decide(0, seats[pending.decider].decide(game, pending))
        answers += 1
        if watch is not None:
            watch(game)
    return answers


class Random:
    """Any legal answer, each as likely as every other; to act no more is one of them.

    Where constraints tie parts of an answer together (select, divide) the parts are drawn one after
    the other. A set in an action counts once, whatever may be in it, and is drawn then: or whoever
    can lay down any of twenty cards, as often as they like, would never do anything else.
    """

    def __init__(self, seed: int = 0) -> None:
        self._stream = Stream(seed, 0x5EED)

    def decide(self, game: Game, pending: Pending) -> Any:
        if pending.ask is not None:
            return self._ask(pending.ask)
        return self._act(pending.menu)

    def _one(self, options: Sequence[Any]) -> Any:
        return options[self._stream.below(len(options))]

    def _ask(self, ask: DecisionRequest) -> Any:
        if isinstance(ask, ChooseSomeRequest):
            return self._subset(ask.options, ask.least or 0, ask.most or 0)
        if isinstance(ask, SelectRequest):
            return _picks(ask, self._one)
        if isinstance(ask, DivideRequest):
            order = self._stream.shuffled(range(len(ask.options)))
            return _shares(ask, order, self._one)
        if ask.optional and self._stream.below(len(ask.options) + 1) == 0:
            return None
        return self._one(ask.options)

    def _weighed(self, weights: Sequence[int]) -> int:
        """The number of one of the weights, a heavy one more often."""
        totals = list(accumulate(weights))
        return bisect(totals, self._stream.below(totals[-1]))

    def _subset(self, options: Sequence[Any], low: int, high: int) -> tuple[Any, ...]:
        size = low + self._weighed([comb(len(options), n) for n in range(low, high + 1)])
        return tuple(sorted(self._stream.sample(options, size)))

    def _act(self, menu: Menu) -> Any:
        """Guesses are drawn until one is right: each right one is as likely as every other. Where
        hardly any is right, the right ones are counted."""
        menu.state.fuel = FUEL
        plans = [plan for plan in menu.plans if menu.opens(plan)]
        totals = list(accumulate([menu.guesses(plan, (menu.player,)) for plan in plans]))
        for _ in range(TRIES):
            drawn = self._stream.below(totals[-1] + 1 if totals else 1)
            number = bisect(totals, drawn)
            if number == len(plans):
                return None
            plan = plans[number]
            known = menu.guess(plan, drawn - (totals[number - 1] if number else 0))
            args = known and self._arguments(menu, plan, known)
            if args is not None:
                return plan.id, args
        return self._right_one(menu, plans)

    def _right_one(self, menu: Menu, plans: Sequence[Plan]) -> Any:
        weights = [menu.ways(plan, (menu.player,)) for plan in plans]
        for _ in range(TRIES):
            number = self._weighed([*weights, 1])
            if number == len(plans):
                return None
            args = self._arguments(menu, plans[number], (menu.player,))
            if args is not None:
                return plans[number].id, args
        return None

    def _arguments(self, menu: Menu, plan: Plan, known: Args) -> tuple[Any, ...] | None:
        """Arguments at random, after those that are known; None if this attempt led nowhere."""
        for number in range(len(known) - 1, len(plan.single)):
            single = plan.single[number]
            if single and all(plan.single[:number]):
                grown = [(*known, option) for option in menu.candidates(plan, known)]
                known = grown[self._weighed([menu.ways(plan, args) for args in grown])]
                continue
            found = (self._any if single else self._some)(menu, plan, known)
            if found is NOTHING:
                return None
            known = (*known, found)
        return known[1:]

    def _any(self, menu: Menu, plan: Plan, known: Args) -> Any:
        """An option that leads to a complete action, looked for in random order."""
        options = menu.candidates(plan, known)
        if options:
            first = self._one(options)
            if menu.fits(plan, (*known, first)):
                return first
            for option in self._stream.shuffled(options):
                if menu.fits(plan, (*known, option)):
                    return option
        return NOTHING

    def _some(self, menu: Menu, plan: Plan, known: Args) -> Any:
        """A set of options at random, as many as the bounds allow."""
        options = menu.candidates(plan, known)
        low, high = menu.bounds(plan, known)
        if low <= high:
            for _ in range(TRIES):
                chosen = self._subset(options, low, high)
                if menu.fits(plan, (*known, chosen)):
                    return chosen
        return NOTHING


class Advised(Random):
    """The best answer by the rules' own advice; equals are decided by chance."""

    def decide(self, game: Game, pending: Pending) -> Any:
        run, ask = game.run, pending.ask
        about = pending.phase
        try:
            if ask is None:
                return self._best_act(ready_advice(run).actions, pending.menu)
            about = run.bound.program.sites[ask.site].path
            advice = ready_advice(run).decisions.get(about)
            if advice is None:
                return self._ask(ask)
            moment = ask.moment or game.state
            moment.fuel = FUEL
            return self._best(ask, partial(advice, moment, pending.decider))
        except RUNTIME_FAILURES as wrong:
            raise run.bound.as_rules_error(wrong, f"advice {about}") from wrong

    def _ranked(self, options: Iterable[Any], score: Callable[[Any], int]) -> Iterator[Any]:
        """The options from the best to the worst, equals in random order."""
        left = list(options)
        if len(left) == 1:
            yield left[0]
            return
        scores = list(map(score, left))
        while left:
            high = max(scores)
            chosen = scores.index(high)
            if scores.count(high) > 1:
                best = [number for number, value in enumerate(scores) if value == high]
                chosen = self._one(best)
            yield left.pop(chosen)
            del scores[chosen]

    def _top(self, options: Iterable[Any], score: Callable[[Any], int]) -> Any:
        return next(self._ranked(options, score))

    def _best(self, ask: DecisionRequest, score: Callable[[Any], int]) -> Any:
        if isinstance(ask, ChooseSomeRequest):
            return self._liked(ask.options, score, ask.least or 0, ask.most or 0)
        if isinstance(ask, SelectRequest):
            return self._best_picks(ask, list(map(score, ask.options)))
        if isinstance(ask, DivideRequest):
            order = sorted(range(len(ask.options)), key=lambda n: -score(ask.options[n]))
            return _shares(ask, order, max)
        best = self._top(ask.options, score)
        return None if ask.optional and score(best) < 0 else best

    def _best_picks(self, ask: DecisionRequest, scores: Sequence[int]) -> tuple[int, ...]:
        """A select, the best pick first, equals in random order. What cannot be picked with some
        cannot be picked with more of them, so nothing is asked about twice."""
        order = sorted(self._stream.shuffled(range(len(scores))), key=lambda n: -scores[n])
        waiting, chosen = cycle(order), list[int]()
        while not ask.solver.complete(chosen):
            chosen.append(next(n for n in waiting if ask.solver.may_pick(chosen, n)))
        return tuple(sorted(ask.options[number] for number in chosen))

    def _liked(
        self, options: Sequence[Any], score: Callable[[Any], int], low: int, high: int
    ) -> tuple[Any, ...]:
        """The members with a score above 0, the best first, as far as the bounds allow."""
        scores = [(-score(option), option) for option in options]
        liked = sum(1 for value, _ in scores if value < 0)
        scores.sort(key=itemgetter(0))
        return tuple(sorted(option for _, option in scores[: max(low, min(high, liked))]))

    def _best_act(self, advice: Mapping[str, ActAdvice], menu: Menu) -> Any:
        """The action with the best score above 0, its parameters chosen one after the other.

        An action without a chance is not thought of. Chance decides about each by itself, so that
        nobody can tell."""
        state, own = menu.state, self._stream
        ahead = own.fork()
        state.fuel = FUEL
        best: tuple[int, Any] = (0, None)
        for number, plan in enumerate(menu.plans):
            about = advice.get(plan.id)
            if about is None or not menu.opens(plan):
                continue
            whole, parts, chance = about
            if chance is not None and not chance(state, menu.player):
                continue
            self._stream = ahead.branch(number)
            args = self._advised(menu, plan, whole, parts)
            if args is not None:
                score = 1 if whole is None else whole(state, *args)
                if score > best[0]:
                    best = (score, (plan.id, args[1:]))
        self._stream = own
        return best[1]

    def _advised(
        self,
        menu: Menu,
        plan: Plan,
        whole: Function | None,
        parts: Sequence[Function | None],
        known: Args = (),
    ) -> Args | None:
        """The arguments that are advised, the player first, beginning with those that are known;
        None if there are none."""
        known = known or (menu.player,)
        for number in range(len(known) - 1, len(parts)):
            part, single = parts[number], plan.single[number]
            if part is None and number + 1 == len(parts) and single:
                part = whole
            if part is not None:
                found = self._fitting(menu, plan, known, partial(part, menu.state, *known))
            elif whole is not None and single:
                ahead = partial(_ahead, menu, plan, whole, known)
                found = self._fitting(menu, plan, known, ahead)
            else:
                found = (self._any if single else self._some)(menu, plan, known)
            if found is NOTHING:
                return None
            known = (*known, found)
        return known

    def _fitting(self, menu: Menu, plan: Plan, known: Args, score: Callable[[Any], int]) -> Any:
        """The best option, or set of options, that leads to a complete action."""
        options = menu.candidates(plan, known)
        number = len(known) - 1
        if plan.single[number]:
            for option in self._ranked(options, score):
                if plan.sure[number] or menu.fits(plan, (*known, option)):
                    return option
            return NOTHING
        low, high = menu.bounds(plan, known)
        if low > high:
            return NOTHING
        chosen = self._liked(options, score, low, high)
        return chosen if menu.fits(plan, (*known, chosen)) else self._some(menu, plan, known)


def _ahead(menu: Menu, plan: Plan, whole: Function, known: Args, option: Any) -> int:
    """The score of the best completion, looking at a few options of each parameter."""
    args = (*known, option)
    number = len(args) - 1
    if number == len(plan.single):
        score: int = whole(menu.state, *args)
        return score
    if not plan.single[number]:
        return 0
    found = menu.candidates(plan, args)
    few = found if len(found) <= TRIES else (found[0], found[-1])
    return max((_ahead(menu, plan, whole, args, one) for one in few), default=WORST)


def _picks(ask: DecisionRequest, pick: Callable[[Sequence[int]], int]) -> tuple[int, ...]:
    """A select, one pick after the other, until it is complete."""
    chosen: list[int] = []
    while not ask.solver.complete(chosen):
        chosen.append(pick(ask.solver.next_picks(chosen)))
    return tuple(sorted(ask.options[number] for number in chosen))


def _shares(
    ask: DecisionRequest, order: Iterable[int], pick: Callable[[Sequence[int]], int]
) -> dict[int, int]:
    """A divide, one member after the other."""
    given: dict[int, int] = {}
    for number in order:
        given[number] = pick(ask.solver.choices(number, given))
    return {ask.options[number]: given[number] for number in sorted(given)}
