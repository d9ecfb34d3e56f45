"""Parameters in sight, and names that nobody looks at."""

from collections.abc import Iterable

from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.model import Decl
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.nodes import ERROR_TYPE


def in_sight(cx: Context, found: Iterable[Param], decl: Decl | None = None) -> None:
    """Bring parameters into sight; `decl` says where they are written."""
    nodes = decl.node.params or () if decl is not None else ()
    places = {str(node.parts[0]): cx.file.span(node.parts[0]) for node in nodes}
    for param in found:
        cx.define(param.name, param.type, "param", places.get(param.name))


def finish(cx: Context) -> None:
    """Say which names were made and never used; a name that begins with `_` says: on purpose."""
    for name, entry in cx.locals:
        if entry.used or entry.what not in ("let", "choice", "pick") or name.startswith("_"):
            continue
        if entry.type is not ERROR_TYPE:
            message = f"`{name}` is never used."
            advice = f"Take it away, or call it `_{name}` to say that this is meant."
            cx.world.warn("Z513", message, entry.span, advice)


def idle(cx: Context, word: str) -> None:
    """Remember the parameters that a rule itself never looks at; triggers of others still may.

    Those of a value do not count: they are what clauses of other packs may ask about.
    """
    for name, entry in cx.locals:
        if entry.what == "param" and not entry.used and not name.startswith("_") and entry.span:
            cx.world.idle_params.setdefault(f"{word} {cx.path}", {})[name] = entry.span
