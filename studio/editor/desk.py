"""The stacks that are open in an editor, each loaded once and again after every change.

Open texts belong to every stack that contains their file, whichever it was opened for. Loading runs
in a thread of its own, so that completion need not wait for it. A change while it runs makes it out
of date: it stops at the next declaration, and begins anew when nobody has typed for a moment.
"""

import asyncio
import gc
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
from lsprotocol import types as lsp

from ziggurat import (
    MANIFEST,
    LoadResult,
    Names,
    OutOfDate,
    Ruleset,
    Search,
    Source,
    Workspace,
    line_end_of,
    load_pack,
    parse_source,
    read_rules_file,
    real_path,
    unify_line_ends,
)
from ziggurat.studio.editor import time_limits
from ziggurat.studio.editor.places import OutsideTextError, edited, uri_of
from ziggurat.studio.editor.settings import Settings, pack_folder, search_for, stack_for
from ziggurat.studio.editor.time_limits import TimeLimit

PAUSE = 0.02  # seconds without a keystroke before a stack is loaded
MOST_STACKS = 3


class Bench:
    """One stack that stays loaded. `version` counts its changes, `loaded` is the one that the
    result is of."""

    def __init__(self, stack: str, search: Search, uri_of: Callable[[Path], str]) -> None:
        self.workspace = Workspace(stack, search)
        self.uri_of = uri_of
        self.version = 1
        self.loaded = 0
        self.result: LoadResult | None = None
        self.ruleset: Ruleset | None = None  # the last one without errors
        self.task: asyncio.Task[None] | None = None  # loads it as long as it is out of date

    @property
    def names(self) -> Names | None:
        return self.workspace.names

    def path_of(self, file: str) -> Path | None:
        """The real file behind the name that findings give it."""
        pack, _, rest = file.partition("/")
        folder = self.workspace.folders.get(pack)
        return Path(folder, rest) if folder is not None and rest else None

    def file_of(self, path: Path) -> str:
        """The name that findings give a real file; empty for one in no pack of the stack."""
        real = Path(real_path(path))
        for pack, folder in self.workspace.folders.items():
            home = Path(folder).resolve()
            if real.is_relative_to(home):
                return f"{pack}/{real.relative_to(home).as_posix()}"
        return ""

    def may_hold(self, path: Path) -> bool:
        """Return whether a file may belong to the stack; until packs are found, any may."""
        return not self.workspace.folders or bool(self.file_of(path))

    def changed(self) -> None:
        self.version += 1

    def load(self) -> None:
        """Load what is there now, unless something changes meanwhile."""
        version = self.version
        try:
            with TimeLimit(time_limits.LOAD_SECONDS):
                result = self.workspace.load(lambda: self.version == version, game=False)
        except OutOfDate:
            return
        except Exception:
            self.loaded = version
            self.workspace.forget_loaded()  # it may be incomplete
            raise
        first, self.result, self.loaded = self.result is None, result, version
        self.ruleset = result.ruleset or self.ruleset
        if first:
            gc.collect()
            gc.freeze()  # what is kept from load to load need not be looked through again


@attrs.define(eq=False)
class Document:
    """An open text, its file, and the stack it is checked in; a file outside of packs has none."""

    uri: str
    path: Path
    text: str  # as the editor has it, with the line ends of the file
    source: Source  # the same text, in which every line ends with `\n`
    bench: Bench | None = None
    version: int | None = None
    is_lost: bool = False  # an edit did not fit, so the editor has another text

    @property
    def line_end(self) -> str:
        return line_end_of(self.text)


class Desk:
    """All open documents and their stacks.

    `publish` is called whenever a stack was loaded or is no longer in use, `show` whenever a
    document came to another stack, `lose` whenever the pack of an open document is gone,
    `report_failure` when a stack could not be loaded.
    """

    def __init__(
        self,
        publish: Callable[[Bench], None],
        show: Callable[[Path], None],
        lose: Callable[[Path], None],
        report_failure: Callable[[Bench, Exception], None],
    ) -> None:
        self.settings = Settings()
        self.takes_versions = False  # whether the editor knows changes of versions of texts
        self.documents: dict[str, Document] = {}
        self.texts: dict[str, str] = {}  # of open documents, by `real_path`; every stack reads it
        self._publish = publish
        self._show = show
        self._lose = lose
        self._report_failure = report_failure
        self._uris: dict[str, str] = {}  # by which the editor knows files, by `real_path`
        self._benches: dict[tuple[str, tuple[Path, ...]], Bench] = {}
        self._loader = ThreadPoolExecutor(1, "loading")

    def shut_down(self) -> None:
        """End the thread that loads."""
        self._loader.shutdown(cancel_futures=True)

    # ---- what the editor does ---------------------------------------------------------------

    def open(self, uri: str, path: Path, text: str, version: int | None = None) -> None:
        """A document is open, with this text."""
        document = Document(
            uri, path, text, Source(path.name, unify_line_ends(text)), version=version
        )
        self.documents[uri] = document
        self._uris[real_path(path)] = uri
        self.texts[real_path(path)] = document.source.text
        self._settle([document])
        self._take(document)

    def change(
        self, uri: str, changes: Iterable[lsp.TextDocumentContentChangeEvent], version: int | None
    ) -> None:
        """The text of a document changes. Raise `OutsideTextError` if a change does not fit; then
        the document stays as it is until the editor sends a whole text."""
        document = self.documents.get(uri)
        if document is None:
            return
        text = document.text
        for change in changes:
            if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
                document.is_lost = False
            if document.is_lost:
                return
            try:
                text = edited(text, change)
            except OutsideTextError:
                document.is_lost = True
                raise
        document.text, document.version = text, version
        self._take(document)

    def close(self, uri: str) -> None:
        """A document is closed: what is on the disk counts again."""
        document = self.documents.pop(uri, None)
        if document is None:
            return
        self.texts.pop(real_path(document.path), None)
        if document.path.name == MANIFEST:
            self._settle(self.documents.values())
        self._check_holders(document.path)
        self._show(document.path)
        if document.bench is not None and document.bench not in self.benches:
            self._publish(document.bench)

    def on_disk(self) -> None:
        """Files have changed on the disk."""
        self._settle(self.documents.values())
        for bench in self._benches.values():
            bench.changed()
        for bench in self.benches:
            self.check(bench)

    def configure(self, settings: Settings) -> None:
        """Other settings: every document may belong to another stack now."""
        if settings != self.settings:
            self.settings = settings
            self._settle(self.documents.values())

    def _take(self, document: Document) -> None:
        """Let a text that is new be known to all stacks that contain its file."""
        text = unify_line_ends(document.text)
        document.source = attrs.evolve(document.source, text=text)
        self.texts[real_path(document.path)] = text
        if document.path.name == MANIFEST:
            self._settle(self.documents.values())
        if document.bench is None:
            self._show(document.path)
        self._check_holders(document.path)

    def _check_holders(self, path: Path) -> None:
        for bench in self._benches.values():
            if bench.may_hold(path):
                bench.changed()
        for bench in self.benches:
            self.check(bench)

    def _settle(self, documents: Iterable[Document]) -> None:
        """Find the stacks of documents anew."""
        before = self.benches
        homes: dict[Path, Bench] = {}
        for document in documents:
            folder = pack_folder(document.path)
            if folder is not None and folder not in homes:
                homes[folder] = self._bench(folder)
            bench = homes[folder] if folder is not None else None
            name, pack = _named(document.path, folder, self.texts)
            if (bench, name) != (document.bench, document.source.path):
                if bench is None and document.bench is not None:
                    self._lose(document.path)
                document.bench = bench
                document.source = Source(name, document.source.text, pack)
                self._show(document.path)
        for bench in before:
            if bench not in self.benches:
                self._publish(bench)
        for bench in self.benches:
            self.check(bench)

    # ---- files ------------------------------------------------------------------------------

    def document_of(self, path: Path) -> Document | None:
        """The open document of a file, whatever way it was named."""
        key = real_path(path)
        return next((one for one in self.documents.values() if real_path(one.path) == key), None)

    def uri_of(self, path: Path) -> str:
        """The address by which the editor knows a file."""
        return self._uris.get(real_path(path)) or uri_of(path)

    def text_of(self, path: Path) -> str | None:
        """The text of a file as it is now, open or on the disk."""
        text = self.texts.get(real_path(path))
        if text is None:
            source = read_rules_file(path)[0]
            text = source.text if source is not None else None
        return text

    def pack_folders(self) -> set[Path]:
        """The folders whose files matter: those of all packs of the stacks of open documents."""
        homes = {pack_folder(document.path) for document in self.documents.values()}
        folders = {
            Path(folder) for bench in self.benches for folder in bench.workspace.folders.values()
        }
        return folders | {home for home in homes if home is not None}

    def folders_above(self) -> set[Path]:
        """The folders in which a pack may appear that matters to an open document."""
        above = {folder.parent for folder in self.pack_folders()}
        alone = (one.path for one in self.documents.values() if one.bench is None)
        return above | {parent for path in alone for parent in list(path.parents)[:3]}

    # ---- stacks -----------------------------------------------------------------------------

    @property
    def benches(self) -> list[Bench]:
        """The stacks of open documents."""
        benches = (document.bench for document in self.documents.values())
        return list(dict.fromkeys(bench for bench in benches if bench is not None))

    def _bench(self, folder: Path) -> Bench:
        """The stack in which the pack of a folder is checked."""
        search = search_for(folder, self.settings, self.texts)
        stack = stack_for(folder, self.settings, search)
        key = (stack, search.folders)
        bench = self._benches.pop(key, None) or Bench(stack, search, self.uri_of)
        self._benches[key] = bench  # the one used last is the last to go
        used = self.benches
        idle = [key for key, other in self._benches.items() if other not in used]
        for old in idle[:-MOST_STACKS]:
            del self._benches[old]
        return bench

    def check(self, bench: Bench) -> None:
        """Load a stack as soon as nobody types."""
        if bench.loaded != bench.version and (bench.task is None or bench.task.done()):
            bench.task = asyncio.get_running_loop().create_task(self._keep_loading(bench))

    async def _keep_loading(self, bench: Bench) -> None:
        loop = asyncio.get_running_loop()
        while bench.loaded != bench.version:
            version = bench.version
            if bench.result is not None:
                await asyncio.sleep(PAUSE)
            if bench.version != version:
                continue
            try:
                await loop.run_in_executor(self._loader, bench.load)
            except Exception as error:
                self._report_failure(bench, error)
            else:
                if bench.loaded == bench.version:
                    self._publish(bench)

    async def up_to_date(self, bench: Bench) -> Names | None:
        """The names of a stack as it is now."""
        self.check(bench)
        if bench.task is not None:
            await asyncio.shield(bench.task)
        return bench.names

    async def all_up_to_date(self) -> list[Bench]:
        """The stacks of all open documents, as they are now."""
        benches = self.benches
        for bench in benches:
            await self.up_to_date(bench)
        return benches


def _named(path: Path, folder: Path | None, texts: dict[str, str]) -> tuple[str, str]:
    """The name that findings give a file, and its pack."""
    if folder is None:
        return path.name, ""
    pack = load_pack(folder, shown=texts).id
    return f"{pack}/{path.relative_to(folder).as_posix()}", pack


def syntax_findings(document: Document) -> LoadResult:
    """What is wrong with a file that belongs to no pack: its syntax is all that can be checked."""
    if document.path.name == MANIFEST:
        return LoadResult(None, ())
    return LoadResult(None, tuple(parse_source(document.source)[1]))
