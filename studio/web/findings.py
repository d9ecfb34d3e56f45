"""What is wrong with a stack, and which scenarios of one's own packs fail: told while writing."""

from typing import Any

from ziggurat import (
    Diagnostic,
    RulesError,
    Runner,
    find_packs,
    is_built_in,
    pack_of,
    summary,
    where,
)
from ziggurat.studio.web.desks import Desk

Document = dict[str, Any]
MOST_SCENARIOS = 200


def findings(desk: Desk) -> Document:
    """All findings of a stack, and its own scenarios that fail now."""
    found = desk.findings
    return {
        "stack": desk.workspace.stack_text,
        "summary": summary(found),
        "findings": [_finding(one) for one in found],
        "folders": sorted(_own(desk)),
        "tested": _tested(desk) if desk.result.ruleset is not None else None,
    }


def _finding(one: Diagnostic) -> Document:
    span = one.span
    return {
        "code": one.code,
        "severity": one.severity,
        "message": one.message,
        "suggestion": one.suggestion or "",
        "where": str(span) if span is not None else "",
        "line": span.excerpt() if span is not None else "",
        "column": span.column if span is not None else 0,
        "width": max(1, min(span.end, len(span.source.text)) - span.start) if span else 0,
        "notes": [note.message for note in one.notes],
    }


def _own(desk: Desk) -> list[str]:
    """The packs of the stack that did not come with Ziggurat."""
    known = find_packs(desk.workspace.search)
    return [id_ for id_ in desk.workspace.folders if id_ in known and not is_built_in(known[id_])]


def _tested(desk: Desk) -> Document:
    """The scenarios of one's own packs, run."""
    own = set(_own(desk))
    meant = [one for one in desk.ruleset.scenarios if pack_of(one.at) in own]
    failed = []
    for scenario in meant[:MOST_SCENARIOS]:
        try:
            failure = Runner(desk.program).run(scenario).failure
        except RulesError as wrong:
            failed.append({"id": scenario.id, "title": scenario.title, "told": wrong.message})
            continue
        if failure is not None:
            told = f"expected {failure.expected}; {failure.actual}"
            place = where(failure.at)
            failed.append(
                {"id": scenario.id, "title": scenario.title, "told": told, "where": place}
            )
    return {"ran": len(meant[:MOST_SCENARIOS]), "failed": failed}
