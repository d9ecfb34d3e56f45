"""Another name for something, in all files that speak of it, once it is known to be safe.

That is asked of every stack of an open document: packs that build on the one with the name speak of
it too. The changed texts are linked before anybody sees them: if that gives a finding that was not
there, the name is not changed, and the finding says why.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from ziggurat import LoadResult, NamePlace, Source, Span, is_built_in, load_pack, real_path
from ziggurat.studio.editor.desk import Bench, Desk
from ziggurat.studio.editor.edits import Changes
from ziggurat.studio.editor.navigation import (
    CannotRenameError,
    places_elsewhere,
    renamable,
    renamed,
)


def renaming(
    desk: Desk, home: Bench, others: Iterable[Bench], places: list[NamePlace], new: str, here: Path
) -> Changes:
    """Return the changes. Raise `CannotRenameError` if there are none."""
    assert home.names is not None
    old = renamable(home.names, places).span.text
    found = {home: renamed(home, home.names, places, new)}
    for other in others:
        if other is home or other.names is None:
            continue
        there = places_elsewhere(home, home.names, places, other)
        if there:
            found[other] = renamed(other, other.names, there, new)
    changes = _merged(found.values())
    _refuse_stale(desk, changes)
    _refuse_foreign(found, changes, old, new, here)
    for bench in found:
        texts = {
            file: _changed(spans)
            for path, spans in changes.items()
            if (file := bench.file_of(path))
        }
        _refuse_harm(bench.result, bench.workspace.with_texts(texts), old, new)
    return changes


def refuse_changed(desk: Desk, paths: Iterable[Path], before: Mapping[str, str]) -> None:
    """Raise `CannotRenameError` if an open text is not what it was when somebody asked."""
    for path in paths:
        if before.get(real_path(path)) != desk.texts.get(real_path(path)):
            raise CannotRenameError(_stale(path))


def _merged(
    found: Iterable[Mapping[Path, list[tuple[Span, str]]]],
) -> dict[Path, list[tuple[Span, str]]]:
    """The changes of all stacks, each of them once."""
    changes: dict[Path, list[tuple[Span, str]]] = {}
    for each in found:
        for path, spans in each.items():
            mine = changes.setdefault(Path(real_path(path)), [])
            if mine and mine[0][0].source.text != spans[0][0].source.text:
                raise CannotRenameError(_stale(path))
            known = {(span.start, span.end) for span, _ in mine}
            mine += [one for one in spans if (one[0].start, one[0].end) not in known]
    return changes


def _changed(edits: list[tuple[Span, str]]) -> str:
    text = edits[0][0].source.text
    for span, new in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text


def _refuse_stale(desk: Desk, changes: Mapping[Path, list[tuple[Span, str]]]) -> None:
    """Refuse to change texts that are not those the stacks were loaded with."""
    for path, edits in changes.items():
        source: Source = edits[0][0].source
        document = desk.document_of(path)
        is_lost = document is not None and document.is_lost
        if is_lost or desk.text_of(path) != source.text:
            raise CannotRenameError(_stale(path))


def _stale(path: Path) -> str:
    return f"`{path.name}` has changed since it was read, so nothing was renamed. Try again."


def _refuse_foreign(
    benches: Iterable[Bench],
    changes: Mapping[Path, list[tuple[Span, str]]],
    old: str,
    new: str,
    here: Path,
) -> None:
    """Packs that came with Ziggurat are not for a pack of somebody's own to rewrite."""
    built_in = {
        pack: is_built_in(load_pack(Path(folder)))
        for bench in benches
        for pack, folder in bench.workspace.folders.items()
    }
    mine = {bench.file_of(here).partition("/")[0] for bench in benches}
    if any(built_in.get(pack, False) for pack in mine):
        return
    for edits in changes.values():
        pack = edits[0][0].source.pack
        if built_in.get(pack, False):
            raise CannotRenameError(
                f"`{old}` is a name of `{pack}`, which came with Ziggurat. Your pack can give it"
                f" another one with a line `rename … {old} to {new}`."
            )


def _refuse_harm(before: LoadResult | None, after: LoadResult, old: str, new: str) -> None:
    def said(result: LoadResult | None) -> set[tuple[str, str]]:
        diagnostics = result.diagnostics if result is not None else ()
        return {(one.code, one.message.replace(f"`{new}`", f"`{old}`")) for one in diagnostics}

    known = said(before)
    for finding in after.diagnostics:
        if (finding.code, finding.message.replace(f"`{new}`", f"`{old}`")) not in known:
            where = f" ({finding.span})" if finding.span else ""
            raise CannotRenameError(f"`{old}` cannot become `{new}`: {finding.message}{where}")
