"""The script of a scenario: what its players decide and do, and what they must be refused."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import At, Expr, at_field


@form()
@attrs.frozen
class Scripted:
    """An answer in a scenario: kind chooses (answer, decision path or ''), some (the number in
    `args` of those in the answer), does (action, args), done, chance (what a draw comes to)."""

    kind: str
    player: str
    answer: Expr | None
    path: str
    args: tuple[Expr, ...] = ()
    at: At = at_field()


@form()
@attrs.frozen
class Limits:
    """What a scenario says about a decision without making it. kind: cannot (this answer is
    refused), only (these and no others may be chosen), never (it is not asked; without a player,
    of nobody), moment (it comes, the checks hold then, and the text is part of the prompt). A
    moment may also be that of a parameter of an action, or of an act in a phase."""

    kind: str
    player: str
    path: str
    answer: Expr | None = None
    text: str = ""
    checks: tuple[Expr, ...] = ()
    at: At = at_field()


@form()
@attrs.frozen
class Cannot:
    player: str
    action: str
    args: tuple[Expr, ...]
    reason: str
    at: At = at_field()
