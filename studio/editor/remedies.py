"""Code actions: what can be done about the findings at a place, and scenarios for rules."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from lsprotocol import types as lsp

from ziggurat import (
    Diagnostic,
    Edit,
    NamedDeclaration,
    Names,
    Source,
    Span,
    remedies,
    scenario_for,
)
from ziggurat.studio.editor.desk import Bench, Desk
from ziggurat.studio.editor.edits import workspace_edit
from ziggurat.studio.editor.findings import shown

EXPLAIN = "ziggurat.explainFinding"


def actions(
    desk: Desk, bench: Bench, names: Names | None, findings: Iterable[Diagnostic]
) -> list[lsp.CodeAction]:
    """For every finding what can be done, and last the page that explains it."""
    found: list[lsp.CodeAction] = []
    for finding in findings:
        about = [shown(finding, bench.path_of, desk.uri_of)]
        for remedy in remedies(names, finding):
            edit = _edit(desk, bench, remedy.edits)
            if edit is not None:
                kind = lsp.CodeActionKind.QuickFix
                found.append(
                    lsp.CodeAction(remedy.title, kind, about, is_preferred=remedy.sure, edit=edit)
                )
        title = f"Explain {finding.code}"
        command = lsp.Command(title, EXPLAIN, arguments=[finding.code])
        found.append(lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, about, command=command))
    return found


def scenario_action(
    desk: Desk,
    bench: Bench,
    names: Names,
    source: Source,
    here: Iterable[NamedDeclaration],
    start: int,
) -> list[lsp.CodeAction]:
    """Add a scenario for the tags at a place that no scenario has."""
    wanted = [one for one in here if one.whole.start <= start <= one.whole.end]
    found = []
    for one in wanted:
        for tag in names.untested_tags(one.word, one.path):
            remedy = scenario_for(names, source, tag, one.title)
            edit = _edit(desk, bench, remedy.edits)
            if edit is not None:
                kind = lsp.CodeActionKind.Refactor
                found.append(lsp.CodeAction(remedy.title, kind, edit=edit))
    return found


def _edit(desk: Desk, bench: Bench, edits: Sequence[Edit]) -> lsp.WorkspaceEdit | None:
    """Changes of texts; none if one of them is of a file that is not there."""
    changes: dict[Path, list[tuple[Span, str]]] = {}
    for edit in edits:
        path = bench.path_of(edit.span.source.path)
        if path is None:
            return None
        changes.setdefault(path, []).append((edit.span, edit.text))
    return workspace_edit(desk, changes)
