"""Where `none` can turn up, so that only those places pay for looking.

The checker lets `T or none` stand where T is wanted, so the written type alone does not tell: a
local may be bound to a choice among nothing, a field may be read through a player who plays
nothing, a little map may lack an area that a rule names. Parameters are safe: a value or procedure
that is handed none where it wants something is not called at all.
"""

from collections.abc import Container, Iterable

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.nodes import zero
from ziggurat.runtime.kernel.walking import walk


class Nullability:
    """Answers which expressions of one ruleset may be none."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._rules = ruleset
        self._places = {kind.id for kind in ruleset.kinds.values() if "place" in kind.roles}
        self._values: dict[str, bool] = {}

    def may_be(self, node: ir.Expr, lacking: Container[str] = ()) -> bool:
        """May it be none? `lacking` are the locals that may."""
        if node.type.maybe or isinstance(node, ir.Local):
            return node.type.maybe or getattr(node, "name", "") in lacking
        if isinstance(node, ir.Op) and node.op == "if":
            return any(self.may_be(branch, lacking) for branch in node.args[1:])
        if zero(node.type) is not None:
            return False
        match node:
            case ir.ThingRef(kind=kind):
                return kind in self._places
            case ir.FieldOf(of=of):
                through = of.type.name in ("player", "owner") or of.type.name in self._rules.cards
                return through or node.type.name in self._places or self.may_be(of, lacking)
            case ir.AttrOf(of=of):
                known = of is None or not self.may_be(of, lacking)
                return node.type.name in self._places or not known
            case ir.ValueCall(value=value, args=args):
                return self.value(value) or any(
                    self.may_be(arg, lacking) for arg in self.wanted(value, args)
                )
            case ir.Op(op="index" | "nth"):
                return True
            case ir.Op(op="left_of", args=(player,)):
                return self.may_be(player, lacking)
        return False

    def wanted(self, value: str, args: Iterable[ir.Expr]) -> list[ir.Expr]:
        """The arguments of a value that must not be none."""
        params = self._rules.values[value].params
        return [arg for param, arg in zip(params, args, strict=True) if not param.type.maybe]

    def value(self, value: str) -> bool:
        """May it be none, whatever it is asked about?"""
        if value not in self._values:
            rule = self._rules.values[value]
            self._values[value] = False
            parts = (rule.base, *(clause.amount for clause in rule.contributions))
            self._values[value] = any(part and self.may_be(part) for part in parts)
        return self._values[value]

    def locals_of(self, body: ir.Body) -> set[str]:
        """The locals of a block that may be none at some time."""
        lets: list[ir.Let] = []
        lacking: set[str] = set()
        for node in walk(body):
            match node:
                case ir.Let():
                    lets.append(node)
                case ir.Result() | ir.BodyResult() if zero(node.type) is None:
                    lacking.add(node.name)
                case ir.Choose() if node.single:
                    lacking.add(node.name)
        size = -1
        while size != len(lacking):
            size = len(lacking)
            lacking.update(let.name for let in lets if self.may_be(let.expr, lacking))
        return lacking
