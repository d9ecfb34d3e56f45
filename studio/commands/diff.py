"""`ziggurat diff`: what two rulesets tell differently, and what they do differently."""

import os
import sys
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal, TextIO

import attrs
from cyclopts import Parameter
from cyclopts.types import NonNegativeInt
from rich.text import Text

from ziggurat import (
    Arrangement,
    Comments,
    Ruleset,
    Search,
    arrange,
    did_you_mean,
    load,
    render_json,
    section_names,
    side_by_side,
)
from ziggurat import diff as difference_of
from ziggurat.studio.console import FOUND, OK, UsageError, console, write_file, write_text
from ziggurat.studio.options import PackFolders, Stack, search_path
from ziggurat.studio.real_paths import RealPaths
from ziggurat.studio.revisions import at_revision, split_revision
from ziggurat.studio.ruleset import cannot_use, whole

GAMES = 4
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]


def diff(
    *stacks: Annotated[Stack, Parameter(name="STACK")],
    only: str = "",
    stat: Flag = False,
    exit_code: Flag = False,
    behaviour: Flag = False,
    games: NonNegativeInt | None = None,
    format: Literal["terminal", "markdown", "html", "json"] = "terminal",
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    packs: PackFolders = (),
) -> int:
    """Show what two rulesets tell differently, rule by rule and in words; of more than two, what
    each tells otherwise than the first, side by side.

    Only what rules mean counts: layout, comments and citations do not, wording and advice are told
    besides. Exit code 0, or 2 when one of them cannot be read; with --exit-code 1 when there are
    differences.

    Parameters
    ----------
    stacks
        Stacks (`west+expert`), folders of packs, or either at a git revision (`west@HEAD~3`): the
        old one and the new one, or as many as you like.
    only
        Sections to show, as in `phases,values`.
    stat
        Show numbers only.
    exit_code
        Say by the exit code whether there are differences.
    behaviour
        Run both instead: every scenario both can run, and games with the same answers for as long
        as they are legal on both sides, on the board of each if these differ. Shows what ends
        differently, and the clause or the data to blame.
    games
        With --behaviour, how many games (4 unless told otherwise).
    format
        For a terminal, as Markdown, as one HTML page, or as JSON.
    output
        Write to a file instead.
    """
    if len(stacks) < 2:
        raise UsageError("diff needs two stacks or more, as in `ziggurat diff west east`.")
    if stat and format != "terminal":
        raise UsageError(f"--stat does not go together with --format {format}.")
    if behaviour:
        _behaviour_alone(stacks, only, format)
    elif games is not None:
        raise UsageError("--games needs --behaviour.")
    search = search_path(packs)
    sides = [_side(text, search, format, game=behaviour) for text in stacks]
    if behaviour:
        return _behaviour(sides, GAMES if games is None else games, format, stat, exit_code, output)
    sections = _sections(only, [side.rules for side in sides]) if only else set()
    found = [_arranged(sides[0], other, sections) for other in sides[1:]]
    _to(output, lambda stream: _write(found, format, stat, not only, stream))
    return FOUND if exit_code and any(one.difference for one in found) else OK


def _behaviour_alone(stacks: Sequence[str], only: str, format: str) -> None:
    """What cannot be asked together with --behaviour."""
    if only or format == "html":
        option = "only" if only else "format html"
        raise UsageError(f"--behaviour does not go together with --{option}.")
    if len(stacks) > 2:
        raise UsageError("--behaviour compares two stacks; ask for them one pair after the other.")


@attrs.frozen
class _Side:
    """One side of a comparison: as it was asked for, its ruleset, and what stands beside it."""

    text: str
    rules: Ruleset
    comments: Comments


def _arranged(old: _Side, new: _Side, sections: set[str]) -> Arrangement:
    """What one tells otherwise than the other, in order."""
    found = attrs.evolve(difference_of(old.rules, new.rules), old=old.text, new=new.text)
    if sections:
        found = found.only(sections)
    return arrange(found, old.rules, new.rules, (old.comments.block, new.comments.block))


def _behaviour(
    sides: Sequence[_Side], games: int, format: str, stat: bool, exit_code: bool,
    output: Path | None,
) -> int:  # fmt: skip
    """Run both, and show where they part."""
    from ziggurat import compare
    from ziggurat.studio import behaviour_report as report

    old, new = sides
    with console(sys.stderr).status("Running both …") as status:
        found = compare(
            old.rules, new.rules, games, _players(old.rules, new.rules),
            lambda what: status.update(Text(what)),
        )  # fmt: skip
    found = attrs.evolve(found, old=old.text, new=new.text)

    def write(stream: TextIO | None) -> None:
        out = console(stream)
        if format == "json":
            write_text(report.to_json(found) + "\n", stream)
        elif format == "markdown":
            write_text(report.markdown(found), stream)
        else:
            report.show(found, out, stat)

    _to(output, write)
    return FOUND if exit_code and found else OK


def _players(*sides: Ruleset) -> list[int]:
    """The numbers of players that suit both sides."""
    said = [set(side.players) for side in sides if side.players]
    return sorted(set.intersection(*said)) if said else [2]


def _side(text: str, search: Search, format: str, game: bool) -> _Side:
    """One side; unless games are to be played, a part of a game is enough."""
    stack, revision = split_revision(text)
    with TemporaryDirectory(prefix="ziggurat-") as folder:
        labels = {}
        if revision:
            stack, search = at_revision(stack, revision, search, Path(folder))
            # Each exported folder has a number.
            labels = dict.fromkeys(Path(folder).iterdir(), f"{revision}:")
        search = _beside(stack, search)
        result = load(stack, search, game=game)
        paths = RealPaths((stack,), search, labels)
        if result.ruleset is None and format == "json":
            write_text(f"{render_json(result.diagnostics, paths.of_source)}\n")
            raise cannot_use(text)
        out = console() if format == "terminal" else console(sys.stderr)
        return _Side(text, whole(result, text, paths, out), Comments(stack, search))


def _beside(stack: str, search: Search) -> Search:
    """What a pack named by its folder builds on is first looked for beside it."""
    paths = (element.strip() for element in stack.split("+") if {"/", os.sep} & {*element})
    named = (Path(path).expanduser() for path in paths)
    places = dict.fromkeys(folder.parent for folder in named if folder.is_dir())
    return Search((*places, *search.folders))


def _sections(only: str, rulesets: Sequence[Ruleset]) -> set[str]:
    known = section_names(*rulesets)
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
    told = StringIO()
    write(told)
    write_file(output, told.getvalue())


def _write(
    found: Sequence[Arrangement], format: str, stat: bool, brief: bool, stream: TextIO | None
) -> None:
    """In a format; what is asked of a program or a browser goes to the stream as it is."""
    out = console(stream)
    if format != "terminal":
        write_text(_text(found, format, brief), stream)
    elif len(found) > 1:
        from ziggurat.studio import diff_columns as columns

        told = side_by_side(found)
        columns.show_stat(told, out) if stat else columns.show(told, out, brief)
    else:
        from ziggurat.studio import diff_terminal as terminal

        terminal.show_stat(found[0], out) if stat else terminal.show(found[0], out, brief)


def _text(found: Sequence[Arrangement], format: str, brief: bool) -> str:
    """Two sides, or several columns, for another program."""
    if len(found) > 1:
        from ziggurat.studio import diff_columns_pages as pages

        columns = side_by_side(found)
        if format == "json":
            return pages.to_json(columns) + "\n"
        return pages.html(columns) if format == "html" else pages.markdown(columns, brief)
    if format == "json":
        from ziggurat.studio.diff_json import to_json

        return to_json(found[0]) + "\n"
    if format == "html":
        from ziggurat.studio.diff_html import html

        return html(found[0])
    from ziggurat.studio.diff_markdown import markdown

    return markdown(found[0], brief)
