"""What became of scenarios, in three words and three colours, and asking why some were changed."""

import sys
from collections.abc import Sequence
from pathlib import Path

import attrs
from rich.console import Console

from ziggurat import (
    BROKEN,
    CHANGED,
    KEPT,
    Acceptance,
    Accepted,
    Judge,
    Judgement,
    Runner,
    Worse,
    ending,
    ir,
    judge_of,
)
from ziggurat.studio.console import UsageError
from ziggurat.studio.options import search_path
from ziggurat.studio.ruleset import loaded

COLOURS = {KEPT: "green", CHANGED: "yellow", BROKEN: "bold red"}
ON_PURPOSE = "changed on purpose"


def report(out: Console, judged: Sequence[Judgement]) -> bool:
    """Tell what is not kept, and how many are; whether nobody needs to look at any."""
    for one in judged:
        _tell(out, one)
    purpose = sum(one.word == CHANGED and one.is_fine for one in judged)
    numbers = {
        KEPT: (sum(one.word == KEPT for one in judged), COLOURS[KEPT]),
        ON_PURPOSE: (purpose, COLOURS[CHANGED]),
        CHANGED: (sum(one.word == CHANGED for one in judged) - purpose, COLOURS[CHANGED]),
        BROKEN: (sum(one.word == BROKEN for one in judged), COLOURS[BROKEN]),
    }
    shown = [(f"{n} {word}", style) for word, (n, style) in numbers.items() if n]
    for number, (text, style) in enumerate(shown):
        last = number == len(shown) - 1
        out.print(text, style=style, markup=False, end="")
        out.print("." if last else ", ", end="\n" if last else "")
    if numbers[CHANGED][0]:
        told = "The pack does not say that they change on purpose; `--accept` writes why."
        out.print(told, markup=False)
    return all(one.is_fine for one in judged)


def _tell(out: Console, one: Judgement) -> None:
    if one.word == KEPT:
        return
    title = one.result.scenario.title
    if one.is_fine:
        out.print(f"{ON_PURPOSE}  {title}", style=COLOURS[CHANGED], markup=False, soft_wrap=True)
        out.print(f"  by {one.pack}, because {one.reason}", markup=False, soft_wrap=True)
        return
    head = f"{one.word.upper()}  {title}"
    out.print(head, style=COLOURS[one.word], markup=False, soft_wrap=True)
    for blame in one.blamed:
        what = blame.clauses or ("something it declares anew or takes away (`ziggurat diff`)",)
        out.print(f"  by {blame.pack}: {what[0]}", markup=False, soft_wrap=True)
        for clause in what[1:]:
            out.print(f"  {'':{len(blame.pack) + 4}} {clause}", markup=False, soft_wrap=True)
    if one.rivals:
        out.print(f"  {_combined(one)}", markup=False, soft_wrap=True)
    for line in str(one.result.failure).splitlines():
        out.print(f"  {line}", markup=False, soft_wrap=True)
    out.print()


def _combined(one: Judgement) -> str:
    """How to state an outcome that packs change together without knowing each other."""
    *others, last = one.rivals
    line = f'expects scenario "{one.result.scenario.whole}" in {" in ".join(others)} otherwise …'
    return (
        f"{' and '.join(one.rivals)} expect different outcomes. State the combined one in {last}"
        f" (`{line}`), or in a pack that extends them."
    )


def accept_changes(
    out: Console, judge: Judge, judged: Sequence[Judgement], folders: tuple[Path, ...]
) -> bool:
    """Show what the uppermost pack changed, ask why, write the answers, and run those again."""
    changed = [one for one in judged if one.word == CHANGED and not one.is_fine]
    top = judge.packs[-1]
    own = [one for one in changed if top in (blame.pack for blame in one.blamed)]
    for pack in dict.fromkeys(one.pack for one in changed if one not in own):
        out.print(f"What {pack} changed is for {pack} to say.", markup=False)
    if not own:
        return False
    if not sys.stdin.isatty():
        raise UsageError("`--accept` asks for reasons, which takes a terminal: nothing is written.")
    stack = judge.runner.ruleset.stack
    search = search_path(folders)
    acceptance = Acceptance(stack, search)
    lines = _ask(out, judge, own, acceptance)
    if not lines:
        out.print("Nothing is written.")
        return False
    try:
        path = acceptance.write(lines)
    except (OSError, Worse) as error:
        raise UsageError(f"nothing is written: {error}.") from None
    out.print(f"Written to {path}.\n", markup=False, soft_wrap=True)
    titles = {one.scenario.title for one in lines}
    again = judge_of(Runner(loaded(stack, folders)), search)
    scenarios = [one for one in again.runner.ruleset.scenarios if one.title in titles]
    fine = report(out, [again.judge(one) for one in scenarios])
    return fine and all(one.is_fine or one.result.scenario.title in titles for one in judged)


def _by_hand(scenario: ir.Scenario) -> str:
    """What to do about one of several cases whose script does not fit."""
    told = f'Take the whole table away (`remove scenario "{scenario.whole}"`) and write another.'
    return f"  Its script does not fit any more. {told}"


def _ask(
    out: Console, judge: Judge, changed: Sequence[Judgement], acceptance: Acceptance
) -> list[Accepted]:
    """What is to be written; no answer is nothing."""
    lines: list[Accepted] = []
    for number, one in enumerate(changed, 1):
        scenario = one.result.scenario
        title = f"\n{number} of {len(changed)}: {scenario.title}"
        out.print(title, style="bold", markup=False, soft_wrap=True)
        now = ending(judge.runner.played, scenario)
        if now is None:
            out.print(_by_hand(scenario), markup=False, soft_wrap=True)
            continue
        if not now.changed:
            out.print("  Its script does not fit any more; with a reason it is removed.")
        for before, after in now.changed:
            out.print(f"  was  {before}\n  is   {after}", markup=False, soft_wrap=True)
        for clause in one.clauses:
            out.print(f"  by   {clause}", markup=False, soft_wrap=True)
        line = acceptance.accepted(scenario, now, "")
        if line is None:
            told = "It ends differently in each stack that the pack declares; write it by hand."
            out.print(f"  {told}", markup=False, soft_wrap=True)
            continue
        if len(line.condition):
            out.print(f"  only {line.condition.line}", markup=False, soft_wrap=True)
        out.print("Why? (nothing: leave it as it is) ", end="")
        try:
            reason = input().strip()
        except EOFError:
            break
        if reason:
            lines.append(attrs.evolve(line, reason=reason))
    return lines
