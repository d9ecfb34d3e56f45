"""What a scenario says about the course of its last run: who was asked in which order, what was
said, and who sees what where it has come to."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.base import At, Expr, at_field
from ziggurat.dsl.forms.description import form
from ziggurat.dsl.forms.scripts import player
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import linked
from ziggurat.dsl.linking.model import unquoted
from ziggurat.dsl.linking.statements import no_step


@form()
@attrs.frozen
class Asked:
    """Who was asked for a decision, or to act in a phase, in this order and nobody else."""

    path: str
    players: tuple[str, ...]
    at: At = at_field()


@form()
@attrs.frozen
class Said:
    """Sentences that were told in this order, others in between; of each a part is enough."""

    texts: tuple[str, ...]
    at: At = at_field()


@form()
@attrs.frozen
class Sees:
    """What a player can know, and what they cannot."""

    player: str
    shown: Expr | None
    hidden: Expr | None
    at: At = at_field()


no_step("A list of sentences", "said")


def _asked(cx: Context, node: Any) -> Asked | None:
    *players, path = node.parts
    names = tuple(player(cx, one) for one in players)
    name = ".".join(path.parts)
    known = (*cx.world.decisions, *cx.world.phases)
    if name not in cx.world.decisions and name not in cx.world.phases:
        cx.error("Z604", f"There is no decision called `{name}`.", path, did_you_mean(name, known))
        return None
    return Asked(name, names, at=cx.at(node))


def _said(cx: Context, node: Any) -> Said:
    return Said(tuple(unquoted(text) for text in node.parts), at=cx.at(node))


def _sees(cx: Context, node: Any) -> Sees:
    who, shown, hidden = node.parts
    unseen = linked(cx, hidden) if hidden is not None else None
    return Sees(player(cx, who), linked(cx, shown), unseen, at=cx.at(node))


def _does_not_see(cx: Context, node: Any) -> Sees:
    who, hidden = node.parts
    return Sees(player(cx, who), None, linked(cx, hidden), at=cx.at(node))


ONLOOKERS: dict[str, Any] = {
    "asked": _asked,
    "said": _said,
    "sees": _sees,
    "does_not_see": _does_not_see,
}
