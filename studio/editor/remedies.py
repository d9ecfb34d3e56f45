"""Code actions: what can be done about the findings at a place, and scenarios for rules."""

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp

from ziggurat import Diagnostic, Edit, NamedDeclaration, Names, Source, remedies, scenario_for
from ziggurat.studio.editor.desk import Bench
from ziggurat.studio.editor.findings import shown
from ziggurat.studio.editor.places import span_range, uri_of

EXPLAIN = "ziggurat.explainFinding"


def actions(
    bench: Bench, names: Names | None, findings: Iterable[Diagnostic]
) -> list[lsp.CodeAction]:
    """For every finding what can be done, and last the page that explains it."""
    found: list[lsp.CodeAction] = []
    for finding in findings:
        about = [shown(finding, bench.path_of)]
        for remedy in remedies(names, finding):
            edit = workspace_edit(bench, remedy.edits)
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
    bench: Bench, names: Names, source: Source, here: Iterable[NamedDeclaration], start: int
) -> list[lsp.CodeAction]:
    """Add a scenario for the tags at a place that no scenario has."""
    wanted = [one for one in here if one.whole.start <= start <= one.whole.end]
    found = []
    for one in wanted:
        for tag in names.untested_tags(one.word, one.path):
            remedy = scenario_for(names, source, tag, one.title)
            edit = workspace_edit(bench, remedy.edits)
            if edit is not None:
                kind = lsp.CodeActionKind.Refactor
                found.append(lsp.CodeAction(remedy.title, kind, edit=edit))
    return found


def workspace_edit(bench: Bench, edits: Sequence[Edit]) -> lsp.WorkspaceEdit | None:
    """Changes of texts, by the addresses of their files."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    for edit in edits:
        path = bench.path_of(edit.span.source.path)
        if path is None:
            return None
        text = lsp.TextEdit(span_range(edit.span), edit.text)
        changes.setdefault(uri_of(path), []).append(text)
    return lsp.WorkspaceEdit(changes=changes)
