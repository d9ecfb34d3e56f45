"""Cards and the piles they lie in."""

import attrs

from ziggurat.runtime.kernel.description import CHANCE, form, the_pile
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression, operation
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.nodes import Expr, Stmt, Type
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form(reads=lambda one: (the_pile(one.place),))
@attrs.frozen
class PileRef(Expr):
    """A place for cards: hand(p), draw_pile(s), or one of the table (key None)."""

    place: str
    key: Expr | None
    type: Type


@form(writes=lambda one: (the_pile(one.pile.place), the_pile()))
@attrs.frozen
class Put(Stmt):
    """Cards (one, or a set or list when `many`) go to a pile. how: in (at the bottom), top,
    under."""

    cards: Expr
    many: bool
    pile: PileRef
    how: str


@form(writes=lambda one: (the_pile(one.pile.place), CHANCE))
@attrs.frozen
class Shuffle(Stmt):
    pile: PileRef


@expression(PileRef)
def _pile(run: Evaluator, state: State, expr: PileRef, env: Env) -> tuple[int, ...]:
    index = pile(run, state, expr, env)
    return () if index is None else state.piles[index]


def pile(run: Evaluator, state: State, ref: PileRef, env: Env) -> int | None:
    """The index of a pile; None for one of none."""
    key = None if ref.key is None else run.evaluate(state, ref.key, env)
    missing = ref.key is not None and key is None
    return None if missing else run.table.pile(ref.place, key)


@operation("cards")
def _cards(run: Evaluator, state: State, expr: Op, env: Env) -> tuple[int, ...]:
    """A pile as it is: looking through it is what a seat that may only count it must not do."""
    found: tuple[int, ...] = run.operands(state, expr, env)[0]
    return found


@operation("top")
def _top(run: Evaluator, state: State, expr: Op, env: Env) -> int | None:
    (cards,) = run.operands(state, expr, env)
    return cards[0] if cards else None


@operation("face")
def _face(run: Evaluator, state: State, expr: Op, env: Env) -> int | None:
    """The face of a card if it is of that kind, else none."""
    card, kind = run.operands(state, expr, env)
    if card is None:
        return None
    thing = run.table.face[card] if expr.args[0].type.name in run.table.families else card
    return thing if run.table.kind_of[thing] == kind else None


@operation("is_kind")
def _is_kind(run: Evaluator, state: State, expr: Op, env: Env) -> bool:
    return _face(run, state, expr, env) is not None


@statement(Put)
def _put(run: Steps, state: State, node: Put, env: Locals) -> None:
    cards = run.given(state, node.cards, env)
    target = pile(run, state, node.pile, env)
    if target is not None:
        state.put(cards if node.many else (cards,), target, node.how)


@statement(Shuffle)
def _shuffle(run: Steps, state: State, node: Shuffle, env: Locals) -> None:
    target = pile(run, state, node.pile, env)
    if target is not None:
        state.shuffle(target)
