"""Where on the board a value looks for pieces: nowhere but at places it is asked about?

Every place has a stamp, which is new whenever pieces there change. What a value noted about some
places holds as long as they have the same stamps, whatever happens elsewhere.
"""

from collections.abc import Set
from contextlib import suppress
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.description import fields_of
from ziggurat.dsl.forms.walking import in_sight


class _Far(Exception):  # noqa: N818 - an answer, not an error
    """It looks at other places too."""


class Nearness:
    """Which values of one ruleset look only at places in their parameters, and in which."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._values = ruleset.values
        self._known: dict[str, frozenset[str] | None] = {}

    def of(self, value: str) -> frozenset[str] | None:
        """The parameters whose places a value looks at for pieces, None if it looks elsewhere."""
        if value not in self._known:
            self._known[value] = None
            rule = self._values[value]
            names = {param.name for param in rule.params if not param.type.maybe}
            with suppress(_Far):
                self._known[value] = frozenset(self._look((rule.base, rule.contributions), names))
        return self._known[value]

    def _look(self, node: Any, names: Set[str]) -> set[str]:
        """`names` are the parameters that are in sight."""
        match node:
            case tuple():
                return set().union(*[self._look(one, names) for one in node])
            case ir.Count(units=units, where=ir.Whereabouts(kind="area", expr=place)):
                return {_place(place, names)} | self._look(units.owner, names)
            case ir.Units() | ir.OrderRef():
                raise _Far
            case ir.ValueCall(value=value, args=args):
                return self._called(value, args, names) | self._look(args, names)
        found: set[str] = set()
        for field in fields_of(type(node)) if attrs.has(type(node)) else ():
            found |= self._look(getattr(node, field), names - in_sight(node, field))
        return found

    def _called(self, value: str, args: tuple[ir.Expr, ...], names: Set[str]) -> set[str]:
        places = self.of(value)
        if places is None:
            raise _Far
        given = zip(self._values[value].params, args, strict=True)
        return {_place(arg, names) for param, arg in given if param.name in places}


def _place(node: ir.Expr | None, names: Set[str]) -> str:
    if isinstance(node, ir.Local) and node.name in names:
        return node.name
    raise _Far
