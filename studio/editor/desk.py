"""The stacks that are open in an editor, each loaded once and again after every change.

Loading runs in a thread of its own, so that completion need not wait for it. A change while it runs
makes it out of date: it stops at the next declaration, and begins anew when nobody has typed for a
moment.
"""

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs

from ziggurat import (
    MANIFEST,
    LoadResult,
    Names,
    OutOfDate,
    Ruleset,
    Search,
    Source,
    Workspace,
    is_pack,
    load_pack,
    parse_source,
)
from ziggurat.studio.editor.settings import Settings, pack_folder, search_for, stack_for

PAUSE = 0.02  # seconds without a keystroke before a stack is loaded
MOST_STACKS = 3


class Bench:
    """One stack that stays loaded. `version` counts its changes, `loaded` is the one that the
    result is of."""

    def __init__(self, stack: str, search: Search) -> None:
        self.workspace = Workspace(stack, search)
        self.version = 1
        self.loaded = 0
        self.result: LoadResult | None = None
        self.ruleset: Ruleset | None = None  # the last one without errors
        self.known: set[Path] = set()
        self._waiting: asyncio.Task[None] | None = None

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
        for pack, folder in self.workspace.folders.items():
            real = Path(folder).absolute()
            if path.is_relative_to(real):
                return f"{pack}/{path.relative_to(real).as_posix()}"
        return ""

    def changed(self) -> None:
        self.version += 1

    def load(self) -> bool:
        """Load what is there now; whether it was still wanted at the end."""
        version = self.version
        try:
            result = self.workspace.load(lambda: self.version == version, game=False)
        except OutOfDate:
            return False
        first, self.result, self.loaded = self.result is None, result, version
        self.ruleset = result.ruleset or self.ruleset
        if first:
            gc.collect()
            gc.freeze()  # what is kept from load to load need not be looked through again
        return True


@attrs.define(eq=False)
class Document:
    """An open text, its file, and the stack it is checked in; a file outside of packs has none."""

    uri: str
    path: Path
    source: Source
    bench: Bench | None = None
    version: int | None = None


class Desk:
    """All open documents and their stacks. `publish` is told whenever a stack was loaded."""

    def __init__(self, publish: Callable[[Bench], None]) -> None:
        self.settings = Settings()
        self.documents: dict[str, Document] = {}
        self._publish = publish
        self._benches: dict[tuple[str, tuple[Path, ...]], Bench] = {}
        self._loader = ThreadPoolExecutor(1, "loading")
        self._tasks: dict[Bench, asyncio.Task[None]] = {}

    # ---- what the editor does ---------------------------------------------------------------

    def show(self, uri: str, path: Path, text: str, version: int | None = None) -> Document:
        """A document is open, with this text."""
        document = self.documents.get(uri)
        if document is None or (document.bench is None and pack_folder(path) is not None):
            bench = self._bench(path, text)
            name, pack = _named(path, bench)
            document = Document(uri, path, Source(name, text, pack), bench)
            self.documents[uri] = document
        document.version = version
        bench = document.bench
        document.source = Source(document.source.path, text, document.source.pack)
        if bench is not None:
            self._tell(bench, document, text)
            self.check(bench)
        return document

    def close(self, uri: str) -> Document | None:
        """A document is closed: what is on the disk counts again."""
        document = self.documents.pop(uri, None)
        if document is not None and document.bench is not None:
            self._tell(document.bench, document, None)
            self.check(document.bench)
        return document

    def on_disk(self) -> None:
        """Files have changed on the disk."""
        for bench in self._benches.values():
            bench.changed()
            self.check(bench)

    def configure(self, settings: Settings) -> None:
        """Other settings: every document may belong to another stack now."""
        if settings == self.settings:
            return
        self.settings = settings
        self._benches.clear()
        for document in list(self.documents.values()):
            text = document.source.text
            document.bench = self._bench(document.path, text)
            name, pack = _named(document.path, document.bench)
            document.source = Source(name, text, pack)
            self.show(document.uri, document.path, text, document.version)

    def _tell(self, bench: Bench, document: Document, text: str | None) -> None:
        if document.path.name == MANIFEST:
            bench.workspace.edit_manifest(str(document.path.parent), text)
        elif text is None:
            bench.workspace.close(document.source.path)
        else:
            bench.workspace.edit(document.source.path, text)
        bench.changed()

    # ---- stacks -----------------------------------------------------------------------------

    @property
    def benches(self) -> list[Bench]:
        return list(self._benches.values())

    def _bench(self, path: Path, text: str) -> Bench | None:
        folder = pack_folder(path)
        if folder is None:
            return None
        search = search_for(folder, self.settings)
        if path.name == MANIFEST:
            search = search.showing(folder, text)
        stack = stack_for(folder, self.settings, search)
        key = (stack, search.folders)
        bench = self._benches.pop(key, None) or Bench(stack, search)
        self._benches[key] = bench  # the one used last is the last to go
        used = {document.bench for document in self.documents.values()}
        idle = [one for one, other in self._benches.items() if other not in used]
        for old in idle[:-MOST_STACKS]:
            del self._benches[old]
        return bench

    def check(self, bench: Bench) -> None:
        """Load a stack as soon as nobody types."""
        task = self._tasks.get(bench)
        if task is None or task.done():
            self._tasks[bench] = asyncio.get_running_loop().create_task(self._keep_loading(bench))

    async def _keep_loading(self, bench: Bench) -> None:
        loop = asyncio.get_running_loop()
        while bench.loaded != bench.version:
            version = bench.version
            if bench.result is not None:
                await asyncio.sleep(PAUSE)
            if bench.version != version:
                continue
            if await loop.run_in_executor(self._loader, bench.load):
                self._publish(bench)

    async def up_to_date(self, bench: Bench) -> Names | None:
        """The names of a stack as it is now."""
        self.check(bench)
        task = self._tasks[bench]
        await asyncio.shield(task)
        return bench.names


def _named(path: Path, bench: Bench | None) -> tuple[str, str]:
    """The name that findings give a file, and its pack."""
    folder = pack_folder(path)
    if bench is None or folder is None or not is_pack(folder):
        return path.name, ""
    pack = load_pack(folder).id
    return f"{pack}/{path.relative_to(folder).as_posix()}", pack


def syntax_findings(document: Document) -> LoadResult:
    """What is wrong with a file that belongs to no pack: its syntax is all that can be checked."""
    if document.path.name == MANIFEST:
        return LoadResult(None, ())
    return LoadResult(None, tuple(parse_source(document.source)[1]))
