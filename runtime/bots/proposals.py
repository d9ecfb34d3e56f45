"""What advice would do, and what it would do next: the answers a search looks at.

Advice scores options one by one. The best answer differs from the next best ones in one place: one
option, one member of a set, one parameter of an action. Those are proposed, the advised one first.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from ziggurat.runtime.bots.advice import ActAdvice, ready_advice
from ziggurat.runtime.bots.policies import Advised, _ahead, _picks, _shares
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.actions import Args, Menu, Plan
from ziggurat.runtime.kernel.errors import RUNTIME_FAILURES
from ziggurat.runtime.kernel.requests import (
    ChooseSomeRequest,
    DecisionRequest,
    DivideRequest,
    Pending,
    SelectRequest,
)
from ziggurat.runtime.kernel.signatures import Function
from ziggurat.runtime.kernel.state import FUEL


class Proposing(Advised):
    """Advised play that can tell its second thoughts: so many options in one place (`width`)."""

    def proposals(self, game: Game, pending: Pending, width: int) -> list[Any]:
        """Answers from the best to the worst by advice; each is legal."""
        run, ask = game.run, pending.ask
        about = pending.phase if ask is None else run.bound.program.sites[ask.site].path
        try:
            if ask is None:
                return self._acts(ready_advice(run).actions, pending.menu, width)
            advice = ready_advice(run).decisions.get(about)
            moment = ask.moment or game.state
            moment.fuel = FUEL
            score = partial(advice, moment, pending.decider) if advice else _indifferent
            return _distinct(self._answers(ask, score, width))
        except RUNTIME_FAILURES as wrong:
            raise run.bound.as_rules_error(wrong, f"advice {about}") from wrong

    # ---- questions

    def _answers(
        self, ask: DecisionRequest, score: Callable[[Any], int], width: int
    ) -> Iterator[Any]:
        if isinstance(ask, ChooseSomeRequest):
            return self._sets(ask, score, width)
        if isinstance(ask, SelectRequest):
            return self._selections(ask, score, width)
        if isinstance(ask, DivideRequest):
            return _divisions(ask, score, width)
        return self._choices(ask, score, width)

    def _choices(
        self, ask: DecisionRequest, score: Callable[[Any], int], width: int
    ) -> Iterator[Any]:
        ranked = list(islice(self._ranked(ask.options, score), width))
        if ask.optional:
            ranked.insert(0 if score(ranked[0]) < 0 else 1, None)
        return iter(ranked)

    def _sets(
        self, ask: DecisionRequest, score: Callable[[Any], int], width: int
    ) -> Iterator[tuple[Any, ...]]:
        """The liked ones; one more, one less, one exchanged."""
        options, low, high = ask.options, ask.least or 0, ask.most or 0
        liked = self._liked(options, score, low, high)
        yield liked
        inside = sorted(liked, key=score)[:width]
        outside = sorted((o for o in options if o not in liked), key=score, reverse=True)[:width]
        if len(liked) < high:
            for more in outside:
                yield tuple(sorted((*liked, more)))
        for less in inside:
            rest = [one for one in liked if one != less]
            if len(liked) > low:
                yield tuple(rest)
            for more in outside[:2]:
                yield tuple(sorted((*rest, more)))

    def _selections(
        self, ask: DecisionRequest, score: Callable[[Any], int], width: int
    ) -> Iterator[Any]:
        """Another one picked first."""

        def liked(number: int) -> int:
            return score(ask.options[number])

        for first in islice(self._ranked(ask.solver.next_picks([]), liked), width):
            yield _picks(ask, partial(self._next_pick, [first], liked))

    def _next_pick(
        self, begun: list[int], score: Callable[[Any], int], picks: Sequence[int]
    ) -> int:
        return begun.pop() if begun else int(self._top(picks, score))

    # ---- actions

    def _acts(self, advice: dict[str, ActAdvice], menu: Menu, width: int) -> list[Any]:
        """Actions with their parameters, and to act no more."""
        menu.state.fuel = FUEL
        found: list[tuple[int, Any]] = [(0, None)]
        for plan in menu.plans:
            about = advice.get(plan.id)
            if about is not None and menu.opens(plan):
                for args in _distinct(self._arguments_of(menu, plan, about, width)):
                    whole = about[0]
                    score = 1 if whole is None else whole(menu.state, *args)
                    found.append((score, (plan.id, args[1:])))
        if len(found) == 1 and not advice:
            drawn = (self._act(menu) for _ in range(width))
            return _distinct([None, *drawn])
        found.sort(key=lambda one: -one[0])
        return _distinct(answer for _, answer in found)

    def _arguments_of(self, menu: Menu, plan: Plan, about: ActAdvice, width: int) -> Iterator[Args]:
        """The advised arguments, then those with another option in one place."""
        whole, parts, _ = about
        best = self._advised(menu, plan, whole, parts)
        if best is None:
            return
        yield best
        for number, single in enumerate(plan.single):
            known = best[: number + 1]
            if not single:
                continue
            options = self._ranked(
                menu.candidates(plan, known), _scoring(menu, plan, whole, parts[number], known)
            )
            fitting = (o for o in options if menu.fits(plan, (*known, o)))
            for option in islice(fitting, width):
                if option != best[number + 1]:
                    args = self._advised(menu, plan, whole, parts, (*known, option))
                    if args is not None:
                        yield args


def _divisions(ask: DecisionRequest, score: Callable[[Any], int], width: int) -> Iterator[Any]:
    """Another one that gets as much as possible."""
    order = sorted(range(len(ask.options)), key=lambda n: -score(ask.options[n]))
    for begin in order[:width]:
        yield _shares(ask, [begin, *(n for n in order if n != begin)], max)


def _scoring(
    menu: Menu, plan: Plan, whole: Function | None, part: Function | None, known: Args
) -> Callable[[Any], int]:
    """What scores the options of the next parameter, as `Advised` does it."""
    if part is None and len(known) == len(plan.single):
        part = whole
    if part is not None:
        return partial(part, menu.state, *known)
    return partial(_ahead, menu, plan, whole, known) if whole is not None else _indifferent


def _indifferent(_: Any) -> int:
    return 0


def _distinct(answers: Iterable[Any]) -> list[Any]:
    out: list[Any] = []
    for answer in answers:
        if answer not in out:
            out.append(answer)
    return out
