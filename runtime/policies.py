"""Players that are programs: `random` for testing, `advised` for sensible play.

A policy looks at a game and one of its pending decisions, and answers in the table's numbers.
Policies enumerate lazily: an action is put together parameter by parameter.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from dsl import ir
from runtime.asking import Ask, Pending
from runtime.chance import Stream
from runtime.game import Game
from runtime.lowering.declarations import advice_params
from runtime.scheduler import Scheduler
from runtime.state import State

TRIES = 20


class Policy(Protocol):
    """Anything that can decide."""

    def decide(self, game: Game, pending: Pending) -> Any: ...


def play(
    game: Game,
    policies: Policy | Sequence[Policy],
    limit: int = 1_000_000,
    watch: Callable[[Game], object] | None = None,
) -> int:
    """Play until the game is over (or nothing is pending); how many answers were given."""
    answers = 0
    while game.pending and answers < limit:
        pending = game.pending[0]
        policy = policies[pending.decider] if isinstance(policies, Sequence) else policies
        game.decide(0, policy.decide(game, pending))
        answers += 1
        if watch is not None:
            watch(game)
    return answers


class Random:
    """Any legal answer, each as likely as the others of the same step. Acts end now and then."""

    def __init__(self, seed: int = 0) -> None:
        self._stream = Stream(seed, 0x5EED)

    def decide(self, game: Game, pending: Pending) -> Any:
        if pending.ask is not None:
            return self._ask(pending.ask)
        return self._act(game.run, game.state, pending)

    def _one(self, options: Sequence[Any]) -> Any:
        return options[self._stream.below(len(options))]

    def _ask(self, ask: Ask) -> Any:
        if ask.kind == "choose_some":
            number = self._between(ask.least or 0, ask.most or 0)
            return tuple(sorted(self._stream.sample(ask.options, number)))
        if ask.kind == "select":
            return _picks(ask, self._one)
        if ask.kind == "divide":
            order = self._stream.shuffled(range(len(ask.options)))
            return _shares(ask, order, self._one)
        if ask.optional and self._stream.below(len(ask.options) + 1) == 0:
            return None
        return self._one(ask.options)

    def _between(self, low: int, high: int) -> int:
        return low + self._stream.below(high - low + 1)

    def _act(self, run: Scheduler, state: State, pending: Pending) -> Any:
        possible = [*pending.actions(), None]
        while True:
            action = self._one(possible)
            if action is None:
                return None
            for _ in range(TRIES):
                args = self._arguments(run, state, action, pending.decider)
                if args is not None:
                    return action.id, args
            possible.remove(action)

    def _arguments(
        self, run: Scheduler, state: State, action: ir.Action, player: int
    ) -> tuple[Any, ...] | None:
        """Arguments at random; None if this attempt led nowhere."""
        actions = run.actions
        known: tuple[Any, ...] = (player,)
        for param in action.params:
            options = actions.candidates(state, action, known)
            if param.single:
                found = self._fitting(run, state, action, known, options)
                if not found:
                    return None
                known = (*known, found[0])
                continue
            low, high = actions.bounds(state, action, known)
            if low > high:
                return None
            number = self._between(low, high)
            known = (*known, tuple(sorted(self._stream.sample(options, number))))
            if not actions.fits(state, action, known):
                return None
        return known[1:]

    def _fitting(
        self,
        run: Scheduler,
        state: State,
        action: ir.Action,
        known: tuple[Any, ...],
        options: Sequence[Any],
    ) -> list[Any]:
        """One option that leads to a complete action, looked for in random order."""
        tries = self._one(options) if options else None
        if options and run.actions.fits(state, action, (*known, tries)):
            return [tries]
        for option in self._stream.shuffled(options):
            if run.actions.fits(state, action, (*known, option)):
                return [option]
        return []


class Advised(Random):
    """The best answer by the rules' own advice; equals are decided by chance."""

    def decide(self, game: Game, pending: Pending) -> Any:
        state = game.state
        if pending.ask is not None:
            site = game.run.bound.program.sites[pending.ask.site]
            moment = pending.ask.moment or state
            score = _scorer(game.run, moment, site.path, pending.decider)
            return self._ask(pending.ask) if score is None else self._best(pending.ask, score)
        return self._best_act(game.run, state, pending)

    def _top(self, options: Iterable[Any], score: Callable[[Any], int]) -> Any:
        """One of the options with the highest score."""
        best: list[Any] = []
        high = 0
        for option in options:
            value = score(option)
            if not best or value > high:
                best, high = [option], value
            elif value == high:
                best.append(option)
        return best[0] if len(best) == 1 else self._one(best)

    def _best(self, ask: Ask, score: Callable[[Any], int]) -> Any:
        if ask.kind == "choose_some":
            ranked = sorted(ask.options, key=lambda option: -score(option))
            low, high = ask.least or 0, ask.most or 0
            liked = sum(1 for option in ranked if score(option) > 0)
            return tuple(sorted(ranked[: max(low, min(high, liked))]))
        if ask.kind == "select":
            return _picks(ask, lambda picks: self._top(picks, lambda n: score(ask.options[n])))
        if ask.kind == "divide":
            order = sorted(range(len(ask.options)), key=lambda n: -score(ask.options[n]))
            return _shares(ask, order, max)
        if ask.optional:
            best = self._top(ask.options, score)
            return best if score(best) >= 0 else None
        return self._top(ask.options, score)

    def _best_act(self, run: Scheduler, state: State, pending: Pending) -> Any:
        """The action with the best score above 0, its parameters chosen one after the other."""
        player = pending.decider
        best: tuple[int, Any] = (0, None)
        for action in pending.actions():
            whole = _advice(run, action.id)
            if whole is None and not any(
                _advice(run, f"{action.id}.{p.name}") for p in action.params
            ):
                continue
            args = self._advised(run, state, action, player, whole)
            if args is None:
                continue
            score = 1 if whole is None else run.call(state, whole, (player, *args))
            if score > best[0]:
                best = (score, (action.id, args))
        return best[1]

    def _advised(
        self, run: Scheduler, state: State, action: ir.Action, player: int, whole: Any
    ) -> tuple[Any, ...] | None:
        known: tuple[Any, ...] = (player,)
        for number, param in enumerate(action.params):
            key = _advice(run, f"{action.id}.{param.name}")
            last = number + 1 == len(action.params)
            key = key or (whole if last else None)
            if not param.single:
                chosen = self._some(run, state, action, known, key)
                if chosen is None:
                    return None
                known = (*known, chosen)
                continue
            options = run.actions.options(state, action, known)
            if not options:
                return None
            if key is not None:
                score = partial(_score, run, state, key, known)
                known = (*known, self._top(options, score))
            elif whole is not None:
                known = (*known, self._ahead(run, state, action, known, options, whole))
            else:
                known = (*known, self._one(options))
        return known[1:]

    def _ahead(
        self,
        run: Scheduler,
        state: State,
        action: ir.Action,
        known: tuple[Any, ...],
        options: Sequence[Any],
        whole: Any,
    ) -> Any:
        """The option whose best completion scores highest, looking a few parameters ahead."""

        def best(args: tuple[Any, ...]) -> int:
            if len(args) == len(action.params) + 1:
                score: int = run.call(state, whole, args)
                return score
            if not action.params[len(args) - 1].single:
                return 0
            found = run.actions.candidates(state, action, args)
            few = found if len(found) <= TRIES else (found[0], found[-1])
            return max((best((*args, option)) for option in few), default=-(1 << 30))

        return self._top(options, lambda option: best((*known, option)))

    def _some(
        self, run: Scheduler, state: State, action: ir.Action, known: tuple[Any, ...], key: Any
    ) -> tuple[Any, ...] | None:
        """A set: its liked members as far as the bounds allow, or some at random."""
        options = run.actions.candidates(state, action, known)
        low, high = run.actions.bounds(state, action, known)
        if low > high:
            return None
        for _ in range(TRIES):
            chosen = tuple(sorted(self._stream.sample(options, self._between(low, high))))
            if run.actions.fits(state, action, (*known, chosen)):
                return chosen
        return None


def _picks(ask: Ask, pick: Callable[[Sequence[int]], int]) -> tuple[int, ...]:
    """A select, one pick after the other, until it is complete."""
    chosen: list[int] = []
    while not ask.solver.complete(chosen):
        chosen.append(pick(ask.solver.next_picks(chosen)))
    return tuple(sorted(ask.options[number] for number in chosen))


def _shares(ask: Ask, order: Iterable[int], pick: Callable[[Sequence[int]], int]) -> dict[int, int]:
    """A divide, one member after the other."""
    given: dict[int, int] = {}
    for number in order:
        given[number] = pick(ask.solver.choices(number, given))
    return {ask.options[number]: given[number] for number in sorted(given)}


def _score(run: Scheduler, state: State, key: Any, known: tuple[Any, ...], option: Any) -> int:
    score: int = run.call(state, key, (*known, option))
    return score


def _advice(run: Scheduler, target: str) -> tuple[Any, ...] | None:
    """The key of the function that scores a target."""
    for number, advice in enumerate(run.rules.advice):
        if advice.target == target:
            return ("advice", number)
    return None


def _scorer(run: Scheduler, state: State, path: str, player: int) -> Callable[[Any], int] | None:
    """What the advice about a decision says of an option; None without advice."""
    keys = [("advice", n) for n, advice in enumerate(run.rules.advice) if advice.target == path]
    if not keys or advice_params(run.rules, path) != ["p", "it"]:
        return None
    return lambda option: sum(run.call(state, key, (player, option)) for key in keys)
