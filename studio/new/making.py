"""A new pack: filled in, tried beside the place where it goes, and moved there when it is good."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from ziggurat import (
    CHANGED,
    MANIFEST,
    Acceptance,
    Ruleset,
    Runner,
    Search,
    Source,
    ending,
    format_source,
    judge_of,
    load,
    load_pack,
    matching,
    render_human,
)
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.new.answers import filled
from ziggurat.studio.new.templates import Template, is_safe
from ziggurat.studio.thoroughness import progress


def make(template: Template, known: Mapping[str, str], folder: Path, search: Search) -> list[str]:
    """Make the pack in a folder that is not there yet; gives back the names of its files."""
    files = dict(_filled(template, known))
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as place:
        trial = Path(place) / known["id"]
        for name, text in files.items():
            target = trial / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        ruleset = _clean(trial, search)
        if template.because and ruleset:
            because = filled(template.because, known, template.kind)
            own = search.including(str(trial))
            files |= dict.fromkeys(_accepted(ruleset, known["id"], own, because), "")
        trial.rename(folder)
    return sorted(files)


def _filled(template: Template, known: Mapping[str, str]) -> Mapping[str, str]:
    where = f"`{template.kind}`"
    readme = filled(template.readme, known, where).strip()
    known = {**known, "readme": readme}
    out = {}
    for name, text in template.files.items():
        target = filled(name, known, where)
        if not is_safe(target):
            raise UsageError(f"the template of {where} cannot make a file called `{target}`.")
        done = filled(text, known, where)
        out[target] = format_source(Source(target, done)) if target.endswith(".rules") else done
    if MANIFEST not in out:
        raise UsageError(f"the template of {where} makes no `{MANIFEST}`.")
    return out


def _clean(folder: Path, search: Search) -> Ruleset | None:
    """What is made is clean, or it is not made: an id that is taken shows here, for example."""
    game = not load_pack(folder).incomplete
    result = load(str(folder), search, game=game)
    findings = [one for one in result.diagnostics if not one.is_note]
    if findings:
        render_human(findings, console())
        raise UsageError("nothing was made: with these answers the pack would not be clean.")
    return result.ruleset


def _accepted(ruleset: Ruleset, pack: str, search: Search, because: str) -> list[str]:
    """Scenarios of the packs below that end otherwise now, which the new pack says of itself."""
    runner = Runner(ruleset)
    judge = judge_of(runner, search)
    acceptance = Acceptance(ruleset.stack, search)
    scenarios = list(matching(ruleset, ""))
    lines = []
    with progress(console(), "scenarios", len(scenarios)) as step:
        for scenario in scenarios:
            judged = judge.judge(scenario)
            step()
            now = ending(runner.played, scenario) if judged.word == CHANGED else None
            if now is None or judged.is_fine or judged.pack != pack:
                continue
            line = acceptance.accepted(scenario, now, because)
            lines += [line] if line is not None else []
    return [acceptance.write(lines).name] if lines else []
