"""The tables of a folder for commands: through the server that uses it, or else by themselves."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, Protocol

from ziggurat import Header, SaveInUse, Search, lock_save
from ziggurat.studio.console import UsageError
from ziggurat.studio.web.about import About, BadTable
from ziggurat.studio.web.control import RunningServer
from ziggurat.studio.web.hall import TABLE_ID
from ziggurat.studio.web.house_key import FILE, replace_house_key
from ziggurat.studio.web.listing import TableLine, describe_table
from ziggurat.studio.web.opening import TableSaves
from ziggurat.studio.web.serving import FolderInUseError, owned


class Tables(Protocol):
    """What a command can do with tables. All of it raises `UsageError`."""

    def list_tables(self) -> list[TableLine]:
        """Return what lists show of all tables."""
        raise NotImplementedError

    def put_away(self, id_: str, how: str) -> None:
        """Archive or delete a table."""

    def replace_key(self) -> str:
        """Return a new key of the house."""
        raise NotImplementedError


class ServedTables:
    """The tables of a server that runs."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server

    def list_tables(self) -> list[TableLine]:
        """Return what lists show of all tables."""
        return [TableLine.parse(one) for one in self._server.ask("/api/tables")["tables"]]

    def put_away(self, id_: str, how: str) -> None:
        """Archive or delete a table."""
        self._server.ask("/api/house", {"do": how, "table": id_})

    def replace_key(self) -> str:
        """Return a new key of the house."""
        return str(self._server.ask("/api/house", {"do": "key"})["key"])


class SleepingTables:
    """The tables of a folder that no server uses."""

    def __init__(self, folder: Path, key_file: Path, search: Search) -> None:
        self._folder, self._key_file = folder, key_file
        self._saves = TableSaves(folder, search, _load_nothing)

    def _abouts(self) -> Iterator[tuple[str, About]]:
        for path in sorted(self._folder.glob("*.json")):
            if TABLE_ID.fullmatch(path.stem):
                with contextlib.suppress(BadTable):
                    yield path.stem, About.read(path)

    def list_tables(self) -> list[TableLine]:
        """Return what lists show of all tables."""
        return [
            describe_table(self._folder, id_, about, self._saves.path(id_, about))
            for id_, about in self._abouts()
        ]

    def put_away(self, id_: str, how: str) -> None:
        """Archive or delete a table."""
        try:
            about = About.read(self._folder / f"{id_}.json")
            # Somebody may play on without the server.
            lock_save(self._saves.path(id_, about), "`ziggurat tables`").release()
            if how == "archive":
                self._saves.archive(id_, about)
            else:
                self._saves.delete(id_)
        except SaveInUse as error:
            raise UsageError(f"`{id_}` is being played ({error}).") from error
        except OSError as error:
            raise UsageError(f"`{id_}` cannot be put away: {error.strerror}.") from error

    def replace_key(self) -> str:
        """Return a new key of the house."""
        try:
            return replace_house_key(self._key_file)
        except OSError as error:
            raise UsageError(f"`{self._key_file}` cannot be written: {error.strerror}.") from error


@contextlib.contextmanager
def tables_of(folder: Path, house_key: Path | None, search: Search) -> Iterator[Tables]:
    """Yield the tables of a folder, which no other server takes meanwhile. Raise `UsageError`."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(owned(folder))
        except FolderInUseError:
            server = RunningServer.find(folder)
            if server is None:
                raise
            yield ServedTables(server)
            return
        yield SleepingTables(folder, house_key or folder / FILE, search)


def _load_nothing(header: Header, search: Search) -> NoReturn:
    raise AssertionError("nothing is loaded to put a table away")
