"""Labelled steps are compared for themselves: a block without them, and each of them."""

import attrs

from ziggurat.dsl.ir import Body, For, If, May, Repeat, Step, Stmt


def take_out_steps(body: Body) -> tuple[Body, list[Step]]:
    """The block with every labelled step emptied, and all the steps, the outer ones first."""
    steps: list[Step] = []
    return tuple(_emptied(stmt, steps) for stmt in body), steps


def _emptied(stmt: Stmt, steps: list[Step]) -> Stmt:
    match stmt:
        case Step():
            steps.append(stmt)
            take = take_out_steps(stmt.body)[1]
            steps.extend(take)
            return attrs.evolve(stmt, body=())
        case If() | May():
            return attrs.evolve(stmt, then=_all(stmt.then, steps), other=_all(stmt.other, steps))
        case For() | Repeat():
            return attrs.evolve(stmt, body=_all(stmt.body, steps))
    return stmt


def _all(body: Body, steps: list[Step]) -> Body:
    return tuple(_emptied(stmt, steps) for stmt in body)
