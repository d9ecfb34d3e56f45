"""Another name for something, in all files of a stack that speak of it, once it is known to be
safe.

The changed texts are linked before anybody sees them: if that gives a finding that was not there,
the name is not changed, and the finding says why.
"""

from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types as lsp

from ziggurat import LoadResult, NamePlace, Names, Span, is_built_in, load_pack
from ziggurat.studio.editor.desk import Bench
from ziggurat.studio.editor.navigation import CannotRenameError, renamable, renamed
from ziggurat.studio.editor.places import span_range, uri_of


def renaming(
    bench: Bench, names: Names, places: list[NamePlace], new: str, here: Path
) -> lsp.WorkspaceEdit:
    """The changes, or why there are none."""
    found = renamed(bench, names, places, new)
    old = renamable(names, places).span.text
    _refuse_foreign(bench, found, old, new, here)
    sources = [edits[0][0].source for edits in found.values()]
    texts = {
        source.path: _changed(source.text, edits)
        for source, edits in zip(sources, found.values(), strict=True)
    }
    _refuse_harm(bench.result, bench.workspace.with_texts(texts), old, new)
    changes = {
        uri_of(path): [lsp.TextEdit(span_range(span), text) for span, text in edits]
        for path, edits in found.items()
    }
    return lsp.WorkspaceEdit(changes=changes)


def _changed(text: str, edits: list[tuple[Span, str]]) -> str:
    for span, new in sorted(edits, key=lambda one: one[0].start, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text


def _refuse_foreign(
    bench: Bench, found: Mapping[Path, list[tuple[Span, str]]], old: str, new: str, here: Path
) -> None:
    """Packs that came with Ziggurat are not for a pack of somebody's own to rewrite."""
    built_in = {
        pack: is_built_in(load_pack(Path(folder)))
        for pack, folder in bench.workspace.folders.items()
    }
    mine = bench.file_of(here).partition("/")[0]
    if built_in.get(mine, False):
        return
    for edits in found.values():
        pack = edits[0][0].source.pack
        if built_in.get(pack, False):
            raise CannotRenameError(
                f"`{old}` is a name of `{pack}`, which came with Ziggurat. Your pack can give it"
                f" another one with a line `rename … {old} to {new}`."
            )


def _refuse_harm(before: LoadResult | None, after: LoadResult, old: str, new: str) -> None:
    def told(result: LoadResult | None) -> set[tuple[str, str]]:
        diagnostics = result.diagnostics if result is not None else ()
        return {(one.code, one.message.replace(f"`{new}`", f"`{old}`")) for one in diagnostics}

    known = told(before)
    for finding in after.diagnostics:
        if (finding.code, finding.message.replace(f"`{new}`", f"`{old}`")) not in known:
            where = f" ({finding.span})" if finding.span else ""
            raise CannotRenameError(f"`{old}` cannot become `{new}`: {finding.message}{where}")
