"""Scenarios of a pack that other packs of a stack contradict, shown before anybody plays."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from ziggurat import Runner, Search, failed_before, ir, load, pack_of, resolve_stack
from ziggurat.studio.options import named_folders, search_path

MOST = 8  # titles that are shown


def is_combination(target: str) -> bool:
    """Return whether a stack names several packs."""
    return "+" in target and not target.endswith(".rules")


def show_clashes(out: Console, target: str, folders: Sequence[Path]) -> None:
    """Say which scenarios of a stack do not pass: those that failed in the last test run, or else
    those that the defaults of other packs contradict."""
    folders = (*named_folders(target), *folders)
    search = search_path(folders)
    ruleset = load(target, search).ruleset
    if ruleset is None:
        return
    failed = failed_before(target, folders)
    titles = [one.title for one in ruleset.scenarios if one.title in failed]
    heading = "Scenarios that failed in the last test run"
    if not titles:
        titles = list(_contradicted(ruleset, target, search))
        heading = "Scenarios that the defaults of another pack contradict"
    if not titles:
        return
    out.print(f"{heading} ({len(titles)}):")
    for title in titles[:MOST]:
        out.print(f"  {title}", markup=False, soft_wrap=True)
    if len(titles) > MOST:
        out.print(f"  and {len(titles) - MOST} more")
    out.print(f"`ziggurat test {target}` says which pack changes them.", markup=False)


def _contradicted(ruleset: ir.Ruleset, target: str, search: Search) -> Iterator[str]:
    """Run the scenarios of the packs that are named, where another pack sets the default of an
    option, and yield the titles of those that fail."""
    setting = {
        one.pack for one in ruleset.amendments if one.word == "option" and one.field == "default"
    }
    stack, _ = resolve_stack(target, search)
    named = set(stack.written) if stack is not None else set()
    runner: Runner | None = None
    for scenario in ruleset.scenarios:
        pack = pack_of(scenario.at)
        if pack in named and setting - {pack}:
            runner = runner or Runner(ruleset)
            if runner.run(scenario).failure is not None:
                yield scenario.title
