"""What a scenario says about the course of a run: who was asked in which order, what was said,
which rules ran, what held when one of them began, and who sees what where it has come to."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import At, Expr, at_field


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
    """Sentences that were told in this order, others in between; of each a part is enough. Or, if
    `silent`, sentences none of which was told."""

    texts: tuple[str, ...]
    silent: bool = False
    at: At = at_field()


@form()
@attrs.frozen
class Sees:
    """What a player can know, and what they cannot."""

    player: str
    shown: Expr | None
    hidden: Expr | None
    at: At = at_field()


@form()
@attrs.frozen
class Ran:
    """Rules that ran in this order, others in between; or, if `never`, rules that did not run."""

    paths: tuple[str, ...]
    never: bool
    at: At = at_field()


@form()
@attrs.frozen
class AtRule:
    """What holds in the next run when a rule begins; said again, when it begins again."""

    path: str
    checks: tuple[Expr, ...]
    at: At = at_field()
