"""Where names stand and what they mean, noted down while linking for whoever looks a name up.

A mention is a place in a text and what the word there stands for: the word that declares it
(`value`, `area` …) and its path. Fields are `field area.limit`, blocks of things `body
card.resolve`, names that are made on the way `local`, with the place that makes them for a path.
"""

from typing import Any

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.syntax import Token

Mention = tuple[str, int, int, str, str]  # file, start, end, word, path
LOCAL = "local"
FIELD = "field"
BODY = "body"
TAG, SOURCE, PACK = "tag", "source", "pack"
# Their paths begin with what they stand in, which may be written before a dot.
_INSIDE = frozenset({"value", "procedure", "order", "action", "decision", "step"})


class Mentions(dict[Mention, None]):
    """Each place once, whoever reads it: a shared position is read in every scenario."""

    def add(self, span: Span, word: str, path: str) -> None:
        self[span.source.path, span.start, span.end, word, path] = None


def local_path(span: Span) -> str:
    """What a name that was made at a place is known by."""
    return f"{span.source.path}@{span.start}"


def words_of(node: Any) -> list[Token]:
    """The words of a name as written: `a.b` has two, whatever is asked of it."""
    if isinstance(node, Token):
        return [node]
    if node.rule == "attribute":
        return [*words_of(node.parts[0]), node.parts[1]]
    if node.rule == "path":
        return list(node.parts)
    if node.rule in ("name", "call", "index", "target", "order_ref", "type_name"):
        return words_of(node.parts[0])
    return []


def homes(world: Any, word: str, path: str, words: list[Token]) -> list[tuple[Token, str, str]]:
    """What stands before the last word of a path, each with its word and path."""
    if word not in _INSIDE or len(words) < 2:
        return []
    parts = path.split(".")
    found = []
    for back in range(1, min(len(words), len(parts))):
        home = _home(world, ".".join(parts[:-back]))
        if home is not None:
            found.append((words[-1 - back], *home))
    return found


def _home(world: Any, path: str) -> tuple[str, str] | None:
    for kind in world.kinds_of_name.get(path, ()):
        return kind, path
    for word, page in (
        ("procedure", world.procedures), ("phase", world.phases), ("action", world.actions),
        ("order", world.orders), ("rule", world.book.of("rule")),
    ):  # fmt: skip
        if path in page:
            return word, path
    thing, _, body = path.rpartition(".")
    for kind in world.kinds_of_name.get(thing, ()):
        if body in world.kinds[kind].bodies:
            return BODY, f"{kind}.{body}"
    return None
