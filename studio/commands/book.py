"""`ziggurat book`: the rulebook and the reference of a ruleset, as pages to read and to print."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat import Comments, Ruleset, load, resolve_stack
from ziggurat.studio.console import OK, UsageError, console, write_file
from ziggurat.studio.options import PackFolders, Stack, search_path
from ziggurat.studio.ruleset import loaded
from ziggurat.studio.titles import title_of

BOOK, REFERENCE = "index.html", "reference.html"


def book(
    stack: Stack,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))] = Path("book"),
    packs: PackFolders = (),
) -> int:
    """Write the rulebook of a ruleset: one page in sentences, and one with every declaration.

    Both need no network and print well. What the packs after the first `+` change is marked.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    output
        The folder to write to.
    """
    from ziggurat.studio.book.book import write
    from ziggurat.studio.book.changes import NOTHING, compare
    from ziggurat.studio.book.html import Page
    from ziggurat.studio.book.reference import reference

    ruleset = loaded(stack, packs)
    search = search_path(packs)
    found = write(ruleset, Comments(stack, search))
    base = _base(stack, packs)
    changes = NOTHING
    if base is not None:
        changes = compare(write(base, Comments(base.stack, search)), found)
    pages = {
        BOOK: Page(found, changes).html(),
        REFERENCE: reference(ruleset, title_of(ruleset), BOOK),
    }
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"`{output}` cannot be written: {error.strerror}.") from error
    for name, text in pages.items():
        write_file(output / name, text)
    told = f"The rulebook of {stack} is in {output / BOOK}, every declaration in {REFERENCE}."
    console().print(told, markup=False, soft_wrap=True)
    return OK


def _base(stack: str, packs: tuple[Path, ...]) -> Ruleset | None:
    """What the book is compared with: the packs before the first `+`, if they are a game."""
    first, plus, _ = stack.partition("+")
    search = search_path(packs)
    if not plus or resolve_stack(first, search, game=False)[0] is None:
        return None
    return load(first, search).ruleset
