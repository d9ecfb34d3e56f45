"""How somebody comes to hold a thing with all it brings, as the rules themselves do it.

Rules that let players come by things of a kind have one procedure for it, of a player and a thing,
that gives the one to the other and does what else there is to do. Whoever is to hold a thing in a
position that is made up comes by it the same way.
"""

from collections.abc import Iterable

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.walking import walk


def holdable_kind(ruleset: ir.Ruleset, thing: str) -> str:
    """The kind of a thing that can be held; empty if nothing of that name can be."""
    kinds = (kind.id for kind in ruleset.kinds.values() if "holdable" in kind.roles)
    return next((kind for kind in kinds if thing in ruleset.things[kind]), "")


def coming_by(ruleset: ir.Ruleset, kind: str) -> tuple[ir.Procedure, ...]:
    """The procedures of a player and a thing of a kind that give it to them."""
    return tuple(one for one in ruleset.procedures.values() if _gives(one, kind))


def _gives(procedure: ir.Procedure, kind: str) -> bool:
    types = {param.type.name: param.name for param in procedure.params}
    if len(procedure.params) != 2 or {"player", kind} != {*types}:
        return False
    return any(
        isinstance(step, ir.Give)
        and step.gain
        and _is_local(step.thing, types[kind])
        and _is_local(step.player, types["player"])
        for step in walk(procedure.body)
    )


def _is_local(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Local) and expr.name == name


def holding_steps(
    ruleset: ir.Ruleset, holding: Iterable[tuple[str, str]]
) -> tuple[list[str], list[str]]:
    """The steps that make players hold things, and what is left out by them."""
    steps, left_out = [], []
    for player, thing in holding:
        kind = holdable_kind(ruleset, thing)
        found = coming_by(ruleset, kind) if kind else ()
        if len(found) == 1:
            names = {"player": player, kind: thing}
            args = ", ".join(names[param.type.name] for param in found[0].params)
            steps.append(f"{found[0].id}({args})")
            continue
        steps.append(f"give {thing} to {player}")
        if found:
            listed = ", ".join(one.id for one in found)
            left_out.append(f"{player} holds {thing} and nothing it brings: {listed} all give it.")
    return steps, left_out
