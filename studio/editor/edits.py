"""Changes of texts as an editor carries them out: with versions, and with the line ends it has."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from lsprotocol import types as lsp

from ziggurat import Span
from ziggurat.studio.editor.desk import Desk
from ziggurat.studio.editor.places import span_range

Changes = Mapping[Path, Iterable[tuple[Span, str]]]


def workspace_edit(desk: Desk, changes: Changes) -> lsp.WorkspaceEdit:
    """Return changes of texts, for the versions of them that the editor showed."""
    edits = {path: _text_edits(desk, path, found) for path, found in changes.items()}
    if not desk.takes_versions:
        return lsp.WorkspaceEdit(changes={desk.uri_of(path): one for path, one in edits.items()})
    return lsp.WorkspaceEdit(
        document_changes=[
            lsp.TextDocumentEdit(_versioned(desk, path), [*found]) for path, found in edits.items()
        ]
    )


def _text_edits(desk: Desk, path: Path, changes: Iterable[tuple[Span, str]]) -> list[lsp.TextEdit]:
    document = desk.document_of(path)
    end = document.line_end if document is not None else "\n"
    return [lsp.TextEdit(span_range(span), new.replace("\n", end)) for span, new in changes]


def _versioned(desk: Desk, path: Path) -> lsp.OptionalVersionedTextDocumentIdentifier:
    document = desk.document_of(path)
    version = document.version if document is not None else None
    return lsp.OptionalVersionedTextDocumentIdentifier(desk.uri_of(path), version)
