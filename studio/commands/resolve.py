"""`ziggurat resolve`: a declaration as the stack leaves it, and where each part came from."""

from rich.cells import cell_len
from rich.text import Text

from ziggurat import did_you_mean, removed, resolvable, resolved, where
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.options import PackFolders
from ziggurat.studio.ruleset import loaded


def resolve(stack: str, path: str, /, *, packs: PackFolders = ()) -> int:
    """Show a declaration after linking, and which pack set each part of it, or who removed it.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    path
        What to show: a name, a path such as `thing.name`, or with its word: `phase movement`;
        also a labelled step or a decision (`take_over.taken`), or a clause
        (`military / modify movement_order.late`).
    """
    ruleset = loaded(stack, packs)
    out = console()
    shown = resolved(ruleset, path)
    gone = None if shown else removed(ruleset, path)
    if gone is not None:
        told = f"`{path}` is gone: {gone.pack} {gone.does} `{gone.spoken}`"
        out.print(f"{told} ({where(gone.at)}).", markup=False, soft_wrap=True)
        return OK
    if not shown:
        advice = did_you_mean(path, resolvable(ruleset))
        raise UsageError(f"nothing in `{ruleset.stack}` is called `{path}`. {advice or ''}".strip())
    for number, lines in enumerate(shown):
        if number:
            out.print()
        for text, origin in lines:
            out.print(_row(text, origin, out.width), soft_wrap=True)
    return OK


def _row(text: str, origin: str, width: int) -> Text:
    """A line and its origin behind it, or below it where there is no room."""
    row = Text(text)
    if not origin:
        return row
    indent = len(text) - len(text.lstrip())
    fits = cell_len(f"{text}   # {origin}") <= width
    return row.append(f"   # {origin}" if fits else f"\n{' ' * indent}  # {origin}", "dim")
