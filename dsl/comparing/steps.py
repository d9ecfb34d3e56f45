"""Labelled steps are compared for themselves: a block without them, and each of them."""

from typing import Any

import attrs

from ziggurat.runtime.kernel import Body, Step, Stmt
from ziggurat.runtime.kernel.description import blocks_of


def take_out_steps(body: Body) -> tuple[Body, list[Step]]:
    """The block with every labelled step emptied, and all the steps, the outer ones first."""
    steps: list[Step] = []
    return tuple(_emptied(stmt, steps) for stmt in body), steps


def _emptied(stmt: Stmt, steps: list[Step]) -> Stmt:
    if isinstance(stmt, Step):
        steps.append(stmt)
        steps.extend(take_out_steps(stmt.body)[1])
        return attrs.evolve(stmt, body=())
    blocks: Any = {}
    for name in blocks_of(type(stmt)):
        blocks[name] = tuple(_emptied(inner, steps) for inner in getattr(stmt, name))
    return attrs.evolve(stmt, **blocks) if blocks else stmt
