"""`ziggurat diff`: what two rulesets tell differently, and what they do differently."""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal, TextIO

import attrs
from cyclopts import Parameter
from cyclopts.types import NonNegativeInt
from rich.text import Text

from ziggurat import Difference, Ruleset, Search, did_you_mean, load, section_names
from ziggurat import diff as difference_of
from ziggurat.studio.console import FOUND, OK, UsageError, console
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.revisions import at_revision, split_revision
from ziggurat.studio.ruleset import whole

GAMES = 3
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]


def diff(
    old: Annotated[str, Parameter(name="A")],
    new: Annotated[str, Parameter(name="B")],
    /,
    *,
    only: str = "",
    stat: Flag = False,
    exit_code: Flag = False,
    behaviour: Flag = False,
    games: NonNegativeInt | None = None,
    format: Literal["terminal", "markdown", "html", "json"] = "terminal",
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    packs: PackFolders = (),
) -> int:
    """Show what two rulesets tell differently, rule by rule and in words.

    Only what rules mean counts: layout, comments, citations and wording do not. Exit code 0, or 2
    when one of them cannot be read; with --exit-code 1 when there are differences.

    Parameters
    ----------
    old
        A stack (`west+expert`), the folder of a pack, or either at a git revision (`west@HEAD~3`).
    new
        What to compare it with.
    only
        Sections to show, as in `phases,values`.
    stat
        Show numbers only.
    exit_code
        Say by the exit code whether there are differences.
    behaviour
        Run both instead: every scenario both can run, and games with the same answers for as long
        as they are legal on both sides. Shows what ends differently, and the clause at which the
        runs part.
    games
        With --behaviour, how many games (3 unless told otherwise).
    format
        For a terminal, as Markdown, as one HTML page, or as JSON.
    output
        Write to a file instead.
    """
    search = search_path(packs)
    a, b = _ruleset(old, search), _ruleset(new, search)
    if stat and format != "terminal":
        raise UsageError(f"--stat does not go together with --format {format}.")
    if behaviour:
        if only or format == "html":
            option = "only" if only else "format html"
            raise UsageError(f"--behaviour does not go together with --{option}.")
        return _behaviour((old, a), (new, b), GAMES if games is None else games, format, stat,
                          exit_code, output)  # fmt: skip
    if games is not None:
        raise UsageError("--games needs --behaviour.")
    found = attrs.evolve(difference_of(a, b), old=old, new=new)
    if only:
        found = found.only(_sections(only, a, b))
    _to(output, lambda stream: _write(found, format, stat, not only, stream))
    return FOUND if exit_code and found else OK


def _behaviour(
    old: tuple[str, Ruleset], new: tuple[str, Ruleset], games: int, format: str, stat: bool,
    exit_code: bool, output: Path | None,
) -> int:  # fmt: skip
    """Run both, and show where they part."""
    from ziggurat import compare
    from ziggurat.studio import behaviour_report as report

    with console(sys.stderr).status("Running both …") as status:
        found = compare(
            old[1], new[1], games, _players(old[1], new[1]), lambda what: status.update(Text(what))
        )
    found = attrs.evolve(found, old=old[0], new=new[0])

    def write(stream: TextIO | None) -> None:
        out = console(stream)
        if format == "json":
            out.file.write(report.to_json(found) + "\n")
        elif format == "markdown":
            out.file.write(report.markdown(found))
        else:
            report.show(found, out, stat)

    _to(output, write)
    return FOUND if exit_code and found else OK


def _players(*sides: Ruleset) -> list[int]:
    """The numbers of players that suit both sides."""
    said = [set(side.players) for side in sides if side.players]
    return sorted(set.intersection(*said)) if said else [2]


def _ruleset(text: str, search: Search) -> Ruleset:
    """The ruleset of one side."""
    stack, revision = split_revision(text)
    with TemporaryDirectory(prefix="ziggurat-") as folder:
        if revision:
            stack, search = at_revision(stack, revision, search, Path(folder))
        return whole(load(stack, _beside(stack, search)), text)


def _beside(stack: str, search: Search) -> Search:
    """What a pack named by its folder builds on is first looked for beside it."""
    named = (Path(element.strip()).expanduser() for element in stack.split("+") if "/" in element)
    places = dict.fromkeys(folder.parent for folder in named if folder.is_dir())
    return Search((*places, *search.folders))


def _sections(only: str, a: Ruleset, b: Ruleset) -> set[str]:
    known = section_names(a, b)
    asked = {name.strip() for name in only.split(",") if name.strip()}
    for name in sorted(asked - set(known)):
        advice = did_you_mean(name, known) or f"There are: {', '.join(known)}."
        raise UsageError(f"there is no section `{name}`. {advice}")
    return asked


def _to(output: Path | None, write: Callable[[TextIO | None], None]) -> None:
    """Write to a file, or to the standard output."""
    if output is None:
        write(None)
        return
    try:
        with output.open("w", encoding="utf-8") as stream:
            write(stream)
    except OSError as error:
        raise UsageError(f"`{output}` cannot be written: {error.strerror}.") from error


def _write(
    found: Difference, format: str, stat: bool, brief: bool, stream: TextIO | None = None
) -> None:
    out = console(stream)
    if format == "json":
        from ziggurat.studio.diff_json import to_json

        out.file.write(to_json(found) + "\n")
    elif format == "html":
        from ziggurat.studio.diff_html import html

        out.file.write(html(found))
    elif format == "markdown":
        from ziggurat.studio.diff_markdown import markdown

        out.file.write(markdown(found))
    else:
        from ziggurat.studio.diff_terminal import show, show_stat

        if stat:
            show_stat(found, out)
        else:
            show(found, out, brief)
