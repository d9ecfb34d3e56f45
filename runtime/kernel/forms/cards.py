"""Cards in piles, and their faces."""

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression, operation
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@expression(ir.PileRef)
def _pile(run: Evaluator, state: State, expr: ir.PileRef, env: Env) -> tuple[int, ...]:
    index = pile(run, state, expr, env)
    return () if index is None else state.piles[index]


def pile(run: Evaluator, state: State, ref: ir.PileRef, env: Env) -> int | None:
    """The index of a pile; None for one of none."""
    key = None if ref.key is None else run.evaluate(state, ref.key, env)
    missing = ref.key is not None and key is None
    return None if missing else run.table.pile(ref.place, key)


@operation("cards")
def _cards(run: Evaluator, state: State, expr: ir.Op, env: Env) -> tuple[int, ...]:
    """A pile as it is: looking through it is what a seat that may only count it must not do."""
    found: tuple[int, ...] = run.operands(state, expr, env)[0]
    return found


@operation("top")
def _top(run: Evaluator, state: State, expr: ir.Op, env: Env) -> int | None:
    (cards,) = run.operands(state, expr, env)
    return cards[0] if cards else None


@operation("face")
def _face(run: Evaluator, state: State, expr: ir.Op, env: Env) -> int | None:
    """The face of a card if it is of that kind, else none."""
    card, kind = run.operands(state, expr, env)
    if card is None:
        return None
    thing = run.table.face[card] if expr.args[0].type.name in run.table.families else card
    return thing if run.table.kind_of[thing] == kind else None


@operation("is_kind")
def _is_kind(run: Evaluator, state: State, expr: ir.Op, env: Env) -> bool:
    return _face(run, state, expr, env) is not None


@statement(ir.Put)
def _put(run: Steps, state: State, node: ir.Put, env: Locals) -> None:
    cards = run.given(state, node.cards, env)
    target = pile(run, state, node.pile, env)
    if target is not None:
        state.put(cards if node.many else (cards,), target, node.how)


@statement(ir.Shuffle)
def _shuffle(run: Steps, state: State, node: ir.Shuffle, env: Locals) -> None:
    target = pile(run, state, node.pile, env)
    if target is not None:
        state.shuffle(target)
