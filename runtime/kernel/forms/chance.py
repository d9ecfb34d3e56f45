"""What chance decides."""

from collections.abc import Sequence
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import AFTER, CHANCE, form
from ziggurat.runtime.kernel.nodes import Expr, Stmt
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form(binds={"name": AFTER}, it=("where",), writes=lambda one: (CHANCE,))
@attrs.frozen
class Pick(Stmt):
    """A draw: quantity None binds one member (none if there is none), otherwise a list of
    members. Scenarios fix it by its `path`, which follows from where it stands."""

    name: str
    quantity: Expr | None
    source: Expr
    where: Expr | None
    path: str = attrs.field(default="", eq=False, kw_only=True)


@statement(Pick)
def _pick(run: Steps, state: State, node: Pick, env: Locals) -> None:
    members = run.members(state, node.source, node.where, None, env)
    number = run.number_of(state, node.quantity, env)
    env[node.name] = pick(state, members, number, node.path)


def pick(state: State, items: Sequence[int], number: int | None, path: str) -> Any:
    """Draw one member (none if there is none), or so many of them, unless a scenario says which."""
    fixed = state.chance(state, path, items, number) if state.chance is not None else None
    if fixed is not None:
        state.draws += 1
        return fixed if number is not None else fixed[0]
    if number is None:
        return items[state.stream().below(len(items))] if items else None
    return tuple(state.stream().sample(items, max(number, 0)))
