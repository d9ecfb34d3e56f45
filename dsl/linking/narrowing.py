"""Tests that give a name to what they find out: `o is player p`, `c is face_kind f`.

The name means `player(o)` or `c.face_kind`, which are none if the test fails, so it is sound
wherever it stands. It is in sight where the test must have succeeded: in what is joined to it by
`and`, in what happens only if it holds, and nowhere else.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.syntax import Token
from ziggurat.runtime.kernel.nodes import Expr

T = TypeVar("T")


@contextmanager
def narrowing(cx: Context) -> Iterator[None]:
    """Names that a condition gives inside are in sight until the end."""
    outer, cx.narrowed = cx.narrowed, []
    yield
    for token, before in reversed(cx.narrowed):
        _warn_if_unused(cx, token)
        cx.forget(token, before)
    cx.narrowed = outer


def _warn_if_unused(cx: Context, token: Token) -> None:
    entry = cx.names[token]
    if not entry.used and not token.startswith("_"):
        message = f"`{token}` is never used."
        cx.world.warn("Z513", message, entry.span, "Take it away; the test stays the same.")


@contextmanager
def apart(cx: Context) -> Iterator[None]:
    """Here the names that a condition gave are out of sight."""
    seen, region = cx.names, cx.narrowed or []
    cx.names, cx.narrowed = dict(seen) if region else seen, None
    for token, before in reversed(region):
        cx.forget(token, before)
    yield
    cx.names, cx.narrowed = seen, region


def narrow(cx: Context, token: Token, meaning: Expr) -> None:
    """Bring what a test found out into sight."""
    if cx.narrowed is None:
        message = f"`{token}` is seen nowhere: what follows does not need the test to succeed."
        advice = (
            "The name is seen after `and`, in the block of an `if` and in what a `where` or `when`"
            " is about."
        )
        cx.error("Z329", message, token, advice)
        return
    before = cx.names.get(token)
    entry = cx.bind(token, meaning.type, "narrowed")
    entry.meaning = meaning
    cx.narrowed.append((token, before))


def found_out(cx: Context, run: Callable[[], T]) -> tuple[list[tuple[str, Expr]], T]:
    """Link steps that speak of results by their names, because steps may change what the results
    are read from. Gives back the names the steps use, what each was when they began, and the
    steps."""
    region, cx.narrowed = cx.narrowed or [], None
    entries = [(cx.names[token], cx.names[token].used) for token, _ in region]
    meanings = [(entry, entry.meaning) for entry, _ in entries]
    for entry, _ in entries:
        entry.meaning, entry.used = None, False
    steps = run()
    used = [(entry.name, meaning) for entry, meaning in meanings if entry.used and meaning]
    for entry, before in entries:
        entry.used |= before
    cx.narrowed = region
    return used, steps
