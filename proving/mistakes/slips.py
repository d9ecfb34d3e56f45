"""Slips in numbers, signs and conditions: by one, yes for no, the wrong way round, left out."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.proving.mistakes.sight import Change, Sight
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import described

_BOOL = ir.Type("bool")
_CONDITIONS = ("when", "where", "condition")


def number(node: Any, sight: Sight) -> Iterator[Change]:
    """A number by one; yes for no."""
    match node:
        case ir.Lit(value=bool(old), at=at):
            what = "yes made no" if old else "no made yes"
            yield Change(attrs.evolve(node, value=not old), what, at, "number")
        case ir.Lit(value=int(old), type=ir.Type(name="int"), at=at):
            for other in (old + 1, old - 1):
                yield Change(attrs.evolve(node, value=other), f"{old} made {other}", at, "number")


def sign(node: Any, sight: Sight) -> Iterator[Change]:
    """Another operator or word, as the form itself says, or the opposite of what is added."""
    for name, others in described(node).variants.items():
        old = getattr(node, name)
        if old in others:
            new = attrs.evolve(node, **{name: others[old]})
            yield Change(new, _turned(node, old, others[old], sight), node.at, "sign")
    match node:
        case ir.Contribution(op="by", amount=amount, at=at, path=path):
            if amount is not None and amount.type.name == "int":
                opposite = ir.Op("neg", (amount,), amount.type)
                what = f"a sign turned in {path}"
                yield Change(attrs.evolve(node, amount=opposite), what, at, "sign")


def _turned(node: Any, old: str, new: str, sight: Sight) -> str:
    """A changed sign or word, in words."""
    if isinstance(node, ir.Expr):
        return f"a sign turned in `{sight.tell(node)}`"
    words = {"+": "added", "-": "subtracted"}
    path = getattr(node, "path", "")
    change = f"{words.get(old, old)} made {words.get(new, new)}"
    return f"{change} in {path}" if path else change


def condition(node: Any, sight: Sight) -> Iterator[Change]:
    """A condition left out, or one of several that must hold together."""
    for name in _CONDITIONS:
        whole = getattr(node, name, None)
        if not isinstance(whole, ir.Expr):
            continue
        parts = conjuncts(whole)
        if len(parts) == 1 and not _optional(node, name):
            continue
        for i, part in enumerate(parts):
            rest = _together([*parts[:i], *parts[i + 1 :]])
            if rest is None and isinstance(node, ir.If):
                rest = ir.Lit(True, _BOOL)
            what = f"the condition `{sight.tell(part)}` left out"
            at = part.at if part.at.file else node.at
            yield Change(attrs.evolve(node, **{name: rest}), what, at, "condition")


def _together(parts: list[ir.Expr]) -> ir.Expr | None:
    if not parts:
        return None
    whole = parts[0]
    for part in parts[1:]:
        whole = ir.Op("and", (whole, part), _BOOL)
    return whole


def _optional(node: Any, name: str) -> bool:
    """Whether a node may do without its condition: not a `while`, which would never end, nor a
    requirement, which is left out as a whole."""
    if isinstance(node, ir.Requirement | ir.Repeat | ir.Loop) and name == "condition":
        return False
    return not (isinstance(node, ir.Stage) and node.kind == "while")
