"""Clauses: what things and rules do to values, procedures and phases, put into those' own words.

`modify limit(holder, a) by +1` says that the first parameter must hold this thing and calls the
second one `a`. In the ruleset both are called what the value calls them, and the tests stand in
`when`, so that nobody after the linker has to know who wrote what. Printing turns that around
again: `modify kept(holder) by +5`, not `when p holds music`.
"""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import NO_META, At, Body, Expr, Meta, at_field

# The order in which contributions apply; those of equal rank apply as written.
RANK = {"to": 0, "by": 1, "adding": 1, "removing": 1, "extending": 1, "times": 2}
RANK |= {"halving": 3, "at_least": 4, "at_most": 4, "allow": 5, "forbid": 6}


@form(variants={"op": {"allow": "forbid", "forbid": "allow"}})
@attrs.frozen
class Contribution:
    """One clause that changes a value, in the words of the value's own parameters. op: to, by,
    adding, removing, extending, times, halving, at_least, at_most, allow, forbid. `when` includes
    the holder test and the argument tests. `thing` is "kind.id" of the thing that brings it,
    or a rule's id. `path` is stable: `engineering / modify attack_tokens / 1`."""

    path: str
    thing: str
    op: str
    amount: Expr | None
    when: Expr | None
    reason: str = ""
    meta: Meta = NO_META
    at: At = at_field()


@form()
@attrs.frozen
class Trigger:
    """when: before, after, instead; a body in the words of the procedure's own parameters. One that
    was written for the blocks of all things of a kind says so (`of`), and is there for each."""

    path: str
    thing: str
    when: str
    condition: Expr | None
    body: Body
    meta: Meta = NO_META
    of: str = attrs.field(default="", eq=False)
    at: At = at_field()
