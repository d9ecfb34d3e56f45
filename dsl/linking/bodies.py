"""Labelled steps inside bodies: found, replaced, renamed and given neighbours by rewriting syntax.

Only bodies that are amended are rewritten, so nobody pays for this who does not use it.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ziggurat.dsl.linking.model import ELSEWHERE, Item
from ziggurat.dsl.syntax import Node, Token

Labels = dict[str, Node]
Rewrite = Callable[[Node], list[Node]]


def find_labels(items: list[Item]) -> Labels:
    """All labelled steps of a body by label."""
    found: Labels = {}
    for item in items:
        for node in _walk(item.node):
            if node.rule == "step":
                found.setdefault(str(_label(node)), node)
    return found


def replace_label(items: list[Item], label: str, new: Node | None) -> list[Item]:
    """The body with another step in the place of a label, or with none."""
    return _edited(items, label, lambda _: [new] if new else [])


def rename_label(items: list[Item], label: str, name: str) -> list[Item]:
    return _edited(items, label, lambda node: [_renamed(node, name)])


def insert_beside(items: list[Item], label: str, new: Node, after: bool) -> list[Item]:
    return _edited(items, label, lambda node: [node, new] if after else [new, node])


def _label(step: Node) -> Token:
    label: Token = step.parts[0].parts[0]
    return label


def _renamed(step: Node, name: str) -> Node:
    inner: Node = step.parts[0]
    old = _label(step)
    label = Token("NAME", name, old.start_pos, old.end_pos)
    changed = Node(inner.rule, (label, *inner.parts[1:]), inner.start, inner.end)
    return Node("step", (changed,), step.start, step.end)


def _walk(node: Any) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Node):
            yield one
            waiting += one.parts


def _edited(items: list[Item], label: str, rewrite: Rewrite) -> list[Item]:
    out: list[Item] = []
    for item in items:
        if isinstance(item.node, Node):
            out += [Item(node, item.file) for node in _rewritten(item.node, label, rewrite)]
        else:
            out.append(item)
    return out


def _rewritten(node: Node, label: str, rewrite: Rewrite) -> list[Node]:
    """The node, or what takes its place; a step is looked for in all it contains."""
    if node.rule == "step" and _label(node) == label:
        return rewrite(node)
    if node.rule == ELSEWHERE:
        inner, file = node.parts
        return [
            Node(ELSEWHERE, (one, file), one.start, one.end) if one.rule != ELSEWHERE else one
            for one in _rewritten(inner, label, rewrite)
        ]
    if not any(isinstance(part, Node) for part in node.parts):
        return [node]
    parts: list[Any] = []
    for part in node.parts:
        parts += _rewritten(part, label, rewrite) if isinstance(part, Node) else [part]
    return [Node(node.rule, tuple(parts), node.start, node.end)]
