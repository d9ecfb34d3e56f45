"""The entries of a script, and how they are written."""

from collections.abc import Callable

from ziggurat.runtime import kernel as ir

Entry = ir.Scripted | ir.Cannot | ir.Limits
Tell = Callable[[ir.Expr], str]
# Kinds of scripted entries that answer a decision; the others are acts.
ANSWERING = ("chooses", "some")
_LIMITS = {"cannot": "cannot choose", "only": "may choose only"}


def as_written(entry: Entry, tell: Tell) -> str:
    """An entry in the words of the scenario."""
    if isinstance(entry, ir.Limits):
        return _limits(entry, tell)
    args = ", ".join(tell(arg) for arg in entry.args)
    if isinstance(entry, ir.Cannot):
        return f"{entry.player} cannot {entry.action}({args})"
    if entry.kind == "done":
        return f"{entry.player} is done"
    if entry.kind == "does":
        return f"{entry.player} does {entry.path}({args})"
    answer = "none" if entry.answer is None else tell(entry.answer)
    if entry.kind == "chance":
        return f"chance chooses {answer} for {entry.path}"
    some = f"some {args} of " if entry.kind == "some" else ""
    about = f" for {entry.path}" if entry.path else ""
    return f"{entry.player} chooses {some}{answer}{about}"


def _limits(entry: ir.Limits, tell: Tell) -> str:
    if entry.kind == "moment":
        prompt = f' "{entry.text}"' if entry.text else ""
        return f"{entry.player} decides {entry.path}{prompt}"
    if entry.answer is not None:
        return f"{entry.player} {_LIMITS[entry.kind]} {tell(entry.answer)} for {entry.path}"
    if not entry.player:
        return f"nobody decides {entry.path}"
    return f"{entry.player} does not decide {entry.path}"
