"""Findings as an editor shows them: squiggles with what to do, and the places they speak of."""

from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types as lsp

from ziggurat import STACK_NAME, Diagnostic, real_path
from ziggurat.studio.editor.places import span_range

SOURCE = "ziggurat"
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Hint,
}
_TOP = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
_UNUSED = frozenset({"Z513"})  # what an editor may show faded
Locate = Callable[[str], Path | None]
UriOf = Callable[[Path], str]


def by_file(
    findings: Iterable[Diagnostic], locate: Locate, uri_of: UriOf, home: Path
) -> dict[Path, list[lsp.Diagnostic]]:
    """The findings of each file, by its real path. Those about the stack, or about a file that is
    nowhere, stand at the top of `home`."""
    found: dict[Path, list[lsp.Diagnostic]] = {}
    for one in findings:
        file = one.span.source.path if one.span else STACK_NAME
        path = locate(file) if file != STACK_NAME else None
        place = Path(real_path(path or home))
        found.setdefault(place, []).append(shown(one, locate, uri_of, whole=path is None))
    return found


def shown(
    finding: Diagnostic, locate: Locate, uri_of: UriOf, *, whole: bool = False
) -> lsp.Diagnostic:
    """Return one finding as an editor shows it.

    Notes without a place and the suggestion stand below the sentence; the suggestion is in `data`
    too, for the quick fix.
    """
    advice = finding.suggestion or ""
    lines = [finding.message, *(note.message for note in finding.notes if note.span is None)]
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(uri_of(path), span_range(note.span)), note.message
        )
        for note in finding.notes
        if note.span is not None and (path := locate(note.span.source.path)) is not None
    ]
    return lsp.Diagnostic(
        range=_TOP if whole or finding.span is None else span_range(finding.span),
        message="\n".join([*lines, advice] if advice else lines),
        severity=_SEVERITY[finding.severity],
        code=finding.code,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if finding.code in _UNUSED else None,
        related_information=related or None,
        data={"advice": advice} if advice else None,
    )
