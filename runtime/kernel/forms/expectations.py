"""What a scenario expects, and what a later pack expects of it instead."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import At, Expr, at_field


@form()
@attrs.frozen
class Expect:
    """`pack` empty: always."""

    pack: str
    checks: tuple[Expr, ...]
    at: At = at_field()


@form()
@attrs.frozen
class Otherwise:
    """What a later pack expects instead, and why: the nth `expect` takes the place of the nth.
    `rivals` is what packs that it does not know expect."""

    pack: str
    reason: str
    expects: tuple[Expect, ...]
    rivals: tuple["Otherwise", ...] = ()
    at: At = at_field()
