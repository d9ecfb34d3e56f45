"""Findings as an editor shows them: squiggles with what to do, and the places they speak of."""

from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types as lsp

from ziggurat import STACK_NAME, Diagnostic
from ziggurat.studio.editor.places import span_range, uri_of

SOURCE = "ziggurat"
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Hint,
}
_TOP = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
_UNUSED = frozenset({"Z513"})  # what an editor may show faded
Locate = Callable[[str], Path | None]


def by_file(
    findings: Iterable[Diagnostic], locate: Locate, home: Path | None
) -> dict[Path, list[lsp.Diagnostic]]:
    """The findings of each file. Those about the stack, or about a file that is nowhere, stand at
    the top of `home`."""
    found: dict[Path, list[lsp.Diagnostic]] = {}
    for one in findings:
        file = one.span.source.path if one.span else STACK_NAME
        path = locate(file) if file != STACK_NAME else None
        place = path or home
        if place is not None:
            found.setdefault(place, []).append(shown(one, locate, whole=path is None))
    return found


def shown(finding: Diagnostic, locate: Locate, whole: bool = False) -> lsp.Diagnostic:
    """One finding; the suggestion stands below the sentence, and in `data` for whoever mends it."""
    advice = finding.suggestion or ""
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(uri_of(path), span_range(note.span)), note.message
        )
        for note in finding.notes
        if note.span is not None and (path := locate(note.span.source.path)) is not None
    ]
    return lsp.Diagnostic(
        range=_TOP if whole or finding.span is None else span_range(finding.span),
        message=f"{finding.message}\n{advice}" if advice else finding.message,
        severity=_SEVERITY[finding.severity],
        code=finding.code,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if finding.code in _UNUSED else None,
        related_information=related or None,
        data={"advice": advice} if advice else None,
    )
