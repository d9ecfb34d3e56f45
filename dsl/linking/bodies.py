"""Parts inside bodies (labelled steps, decisions): found and rewritten in the syntax.

Only bodies that are amended are rewritten, so nobody pays for this who does not use it.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ziggurat.dsl.linking.model import ELSEWHERE, Item, elsewhere
from ziggurat.dsl.syntax import File, Node, Token

Rewrite = Callable[[Node], list[Node]]
Match = Callable[[Node], bool]

# Where the name of a decision stands among its parts.
_NAMED = {"choose": 1, "may": 1, "select": 0, "divide": 1}
# The same of all steps that give something a name.
_GIVING = {**_NAMED, "let": 0, "pick": 1}
# What stands in quotes there is data or a reference, no wording.
_NO_WORDING = frozenset({"text", "cites", "cite"})


def labels(items: list[Item]) -> dict[str, Node]:
    """All labelled steps of a body by label."""
    return _named(items, _labelled)


def decisions(items: list[Item]) -> dict[str, Node]:
    """All decisions of a body by name."""
    return _named(items, decision_name)


def decision_name(node: Node) -> str:
    at = _NAMED.get(node.rule)
    return "" if at is None else str(node.parts[at])


def step_names(items: list[Item]) -> list[str]:
    """All names by which steps can be addressed."""
    found = (name for node in nodes_in(items) for name_of in _ADDRESSES if (name := name_of(node)))
    return list(dict.fromkeys(found))


def steps_called(items: list[Item], name: str) -> list[Node]:
    """The steps that a name means: those with this label; without any, those that give something
    this name; without any, those that call a procedure of this name."""
    nodes = list(nodes_in(items))
    for name_of in _ADDRESSES:
        if found := [node for node in nodes if name_of(node) == name]:
            return found
    return []


def is_node(one: Node) -> Match:
    return lambda node: node is one


def is_decision(name: str) -> Match:
    return lambda node: decision_name(node) == name


def _labelled(node: Node) -> str:
    return str(label(node)) if node.rule == "step" else ""


def _given_name(node: Node) -> str:
    at = _GIVING.get(node.rule)
    return "" if at is None else str(node.parts[at])


def _called(node: Node) -> str:
    """The procedure, or the block of a thing, that a step calls."""
    call = node.parts[-1] if node.rule in ("do", "let") else None
    if not isinstance(call, Node) or call.rule != "call":
        return ""
    words: list[str] = []
    one = call.parts[0]
    while one.rule == "attribute":
        words.insert(0, str(one.parts[1]))
        one = one.parts[0]
    return ".".join([str(one.parts[0]), *words]) if one.rule == "name" else ""


_ADDRESSES = (_labelled, _given_name, _called)


def label(step: Node) -> Token:
    found: Token = step.parts[0].parts[0]
    return found


def renamed(step: Node, name: str) -> Node:
    """A labelled step under another label."""
    inner: Node = step.parts[0]
    old = label(step)
    new = Token("NAME", name, old.start_pos, old.end_pos)
    changed = Node(inner.rule, (new, *inner.parts[1:]), inner.start, inner.end)
    return Node("step", (changed,), step.start, step.end)


def nodes_in(items: list[Item]) -> Iterator[Node]:
    waiting: list[Any] = [item.node for item in items]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Node):
            yield one
            waiting += one.parts


def edited(items: list[Item], match: Match, rewrite: Rewrite) -> list[Item]:
    """The items with other nodes in the place of those that match."""
    out: list[Item] = []
    for item in items:
        if isinstance(item.node, Node):
            out += [Item(node, item.file) for node in _rewritten(item.node, match, rewrite)]
        else:
            out.append(item)
    return out


def reworded(node: Any, old: str, new: Token, file: File) -> Any:
    """A node in which a text is another one, written in that file; the very node if it is not in
    it."""
    if isinstance(node, Token):
        same = node.type == "STRING" and _plain(node) == old
        return elsewhere(new, file) if same else node
    if not isinstance(node, Node) or node.rule in _NO_WORDING:
        return node
    parts = tuple(reworded(part, old, new, file) for part in node.parts)
    if all(a is b for a, b in zip(parts, node.parts, strict=True)):
        return node
    return Node(node.rule, parts, node.start, node.end)


def wordings(node: Any) -> Iterator[str]:
    """Yield the texts in a node that `reworded` would find."""
    if isinstance(node, Token) and node.type == "STRING":
        yield _plain(node)
    elif isinstance(node, Node) and node.rule not in _NO_WORDING:
        for part in node.parts:
            yield from wordings(part)


def same_text(one: Any, other: Any) -> bool:
    """Whether two pieces of syntax say the same, whatever their layout."""
    if isinstance(one, Node) and isinstance(other, Node):
        return (
            one.rule == other.rule
            and len(one.parts) == len(other.parts)
            and all(map(same_text, one.parts, other.parts))
        )
    return type(one) is type(other) and one == other


def _plain(text: str) -> str:
    return " ".join(text[1:-1].split())


def _named(items: list[Item], name_of: Callable[[Node], str]) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for node in nodes_in(items):
        if name := name_of(node):
            found.setdefault(name, node)
    return found


def _rewritten(node: Node, match: Match, rewrite: Rewrite) -> list[Node]:
    """The node, or what takes its place; a match is looked for in all it contains."""
    if match(node):
        return rewrite(node)
    if node.rule == ELSEWHERE:
        inner, file = node.parts
        if not isinstance(inner, Node):
            return [node]
        return [
            Node(ELSEWHERE, (one, file), one.start, one.end) if one.rule != ELSEWHERE else one
            for one in _rewritten(inner, match, rewrite)
        ]
    if not any(isinstance(part, Node) for part in node.parts):
        return [node]
    parts: list[Any] = []
    for part in node.parts:
        parts += _rewritten(part, match, rewrite) if isinstance(part, Node) else [part]
    return [Node(node.rule, tuple(parts), node.start, node.end)]
