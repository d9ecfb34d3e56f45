"""All tables of a server: made, found again, woken when somebody comes, and told of what changes.

A table sleeps on the disk until somebody shows a key of it. What takes the processor or the disk
runs in threads, so that the loop is always free to listen; programs think in processes of
their own.
"""

import asyncio
import contextlib
import gc
import logging
import re
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from ziggurat import (
    BadCatalogue,
    BadSave,
    Header,
    InternalError,
    Program,
    RulesError,
    Save,
    Search,
    load_program,
    load_save,
    new_save,
    search_for,
    start,
)
from ziggurat.studio.language import spoken
from ziggurat.studio.web.about import PERSON, About, BadTable
from ziggurat.studio.web.aides import Aides, Died
from ziggurat.studio.web.limits import Limits
from ziggurat.studio.web.refusals import NO_TABLE, Refusal
from ziggurat.studio.web.table import NO_DISK, Table
from ziggurat.studio.web.wishes import Wish

log = logging.getLogger("ziggurat.web")
TABLE_ID = re.compile(r"[a-z0-9]{12}")
DEATHS = 3  # of processes over one position
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that are taken for others
T = TypeVar("T")


def _nothing(*_: object) -> None:
    """Whoever watches every answer has none of them skipped."""


class Hall:
    """The tables in a folder."""

    def __init__(
        self, folder: Path, search: Search, limits: Limits, thinkers: int | None = None
    ) -> None:
        self.folder, self.search, self.limits = folder, search, limits
        self.language = spoken()
        self._about: dict[str, About] = {}
        self._awake: dict[str, Table] = {}
        self._waking: dict[str, asyncio.Lock] = {}
        self._bells: dict[str, set[asyncio.Event]] = {}
        self._programs: dict[str, Program] = {}
        self._stirred: set[str] = set()  # tables at which programs may have to play
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._pools: list[ThreadPoolExecutor] = []
        self._people = self.threads(4, "people")
        self._work = self.threads(2, "work")
        self._asking = 0
        self._bots = Aides(search, limits.thinking, thinkers)
        # who knows why, and is in nobody's way
        self._scholar = Aides(search, limits.thinking, 1)
        self.troubles = self._find()

    def _find(self) -> list[str]:
        """Look for tables on the disk; what to tell about those that cannot be read."""
        told = []
        for path in sorted(self.folder.glob("*.json")):
            if TABLE_ID.fullmatch(path.stem):
                try:
                    self._about[path.stem] = About.read(path)
                except BadTable as bad:
                    told.append(str(bad))
        return told

    # ---- threads

    def threads(self, number: int, name: str) -> ThreadPoolExecutor:
        """Threads that end with the hall."""
        self._pools.append(ThreadPoolExecutor(number, name))
        return self._pools[-1]

    async def run(self, what: Callable[..., T], *args: Any) -> T:
        """Do something for a person, away from the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._people, what, *args)

    async def work(self, what: Callable[..., T], *args: Any) -> T:
        """Do something that may wait until people have been served."""
        return await asyncio.get_running_loop().run_in_executor(self._work, what, *args)

    # ---- tables

    @property
    def count(self) -> int:
        """How many tables there are."""
        return len(self._about)

    @property
    def playing(self) -> int:
        """How many have not been ended."""
        return sum(not about.ended for about in self._about.values())

    def about(self, id_: str) -> About:
        """What is known of a table without waking it. Raises `Refusal`."""
        found = self._about.get(id_)
        if found is None:
            raise Refusal(404, NO_TABLE)
        return found

    async def table(self, id_: str) -> Table:
        """A table, awake. Raises `Refusal`."""
        about = self.about(id_)
        table = self._awake.get(id_)
        if table is not None and not table.lost:
            return table
        async with self._waking.setdefault(id_, asyncio.Lock()):
            table = self._awake.get(id_)
            if table is None or table.lost:
                await self._make_room()
                table = await self.work(self._load, id_, about)
                self._forget(id_)
                self._awake[id_] = table
                self.changed(table)
        return table

    async def _make_room(self) -> None:
        """Let tables sleep that nobody looks at, if there are too many awake."""
        for id_ in list(self._awake):
            if len(self._awake) < self.limits.awake:
                return
            if not self._bells.get(id_):
                self._forget(id_)
                await self.work(self._awake.pop(id_).close)
        if len(self._awake) >= self.limits.awake:
            raise Refusal(429, "Too many tables are played here at once.")

    def _load(self, id_: str, about: About) -> Table:
        try:
            path, anyway = self._save(id_), about.anyway
            save, told = load_save(path, self._of_header, anyway=anyway, search=self.search)
        except BadSave as bad:
            log.warning("table %s cannot be read: %s", id_, bad)
            raise Refusal(409, "The save of this table cannot be read.") from bad
        except (RulesError, InternalError) as wrong:
            log.warning("table %s: its rules cannot go on", id_)
            raise Refusal(409, "The rules of this table cannot go on.") from wrong
        for line in told:
            log.info("table %s: %s", id_, line)
        return Table(id_, save, about, self._file(id_))

    def _save(self, id_: str) -> Path:
        return self.folder / f"{id_}.zig"

    def _file(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    async def reload(self, id_: str) -> None:
        """Load the packs of a table again and go on with them. Raises `Refusal`, which says at
        which answer they part, and then everything is as it was."""
        about = self.about(id_)
        table = self._awake.get(id_)
        if table is None:  # perhaps it does not wake because its packs are others now
            await self.work(self._reloaded, id_)
            about.anyway = True
            table = await self.table(id_)
        await self.work(table.reload, lambda: self._reloaded(id_))
        self._forget(id_)
        self.changed(table)

    def _reloaded(self, id_: str) -> Save:
        def rules(header: Header) -> Program:
            self._programs.pop(header.stack, None)
            return self._of_header(header)

        try:
            path = self._save(id_)
            return load_save(path, rules, anyway=True, search=self.search, watch=_nothing)[0]
        except BadSave as bad:
            answer = re.match(r"Answer (\d+)", str(bad))
            parted = f"answer {answer[1]} does not hold" if answer else "its answers do not hold"
            text = f"The table goes on as it was: {parted} by the rules found now."
            raise Refusal(409, text) from bad
        except (RulesError, InternalError) as wrong:
            raise Refusal(409, "The table goes on as it was: the rules found now fail.") from wrong

    # ---- rules

    def _of_header(self, header: Header) -> Program:
        return self.program(header.stack, search_for(header, self.search))

    def program(self, stack: str, search: Search | None = None) -> Program:
        """The compiled rules of a stack. Raises `Refusal`."""
        found = self._programs.get(stack)
        if found is not None:
            return found
        try:
            found, _ = load_program(stack, search or self.search, language=self.language)
        except BadCatalogue as wrong:
            raise Refusal(409, str(wrong)) from wrong
        if found is None:
            raise Refusal(409, f"`{stack}` has mistakes; `ziggurat check {stack}` tells which.")
        if not found.ruleset.turns:
            raise Refusal(409, f"`{stack}` is no game of its own.")
        self._programs[stack] = found
        while len(self._programs) > self.limits.programs:
            self._programs.pop(next(iter(self._programs)), None)
        gc.freeze()  # what is kept as long as the server runs need not be looked through again
        return found

    async def make(self, wish: Wish) -> tuple[Table, dict[str, str]]:
        """A new table as wished, and its keys by role. Raises `Refusal`."""
        if self.count >= self.limits.tables:
            raise Refusal(429, "There are too many tables here; ended ones can be deleted.")
        await self._make_room()
        table, keys = await self.work(self._make, wish)
        self._about[table.id] = table.about
        self._awake[table.id] = table
        self.changed(table)
        return table, keys

    def _make(self, wish: Wish) -> tuple[Table, dict[str, str]]:
        id_ = "".join(secrets.choice(LETTERS) for _ in range(12))
        seed = wish.seed if wish.seed is not None else secrets.randbits(62)
        program = self.program(wish.stack)
        try:
            game = start(program, seats=wish.seats, seed=seed, options=wish.options)
            people = [seat for seat, who in wish.by.items() if who == PERSON]
            save = new_save(game, self._save(id_), wish.options, people, self.search)
            about, keys = wish.about()
            about.write(self._file(id_))
        except (ValueError, LookupError, TypeError) as wrong:
            raise Refusal(400, "These seats and options do not fit the rules.") from wrong
        except (RulesError, InternalError) as wrong:
            raise Refusal(409, "The rules of this game cannot begin.") from wrong
        except OSError as wrong:
            raise Refusal(503, NO_DISK) from wrong
        return Table(id_, save, about, self._file(id_)), keys

    # ---- who listens

    @contextlib.contextmanager
    def listening(self, id_: str) -> Iterator[asyncio.Event]:
        """A bell that rings whenever something at a table may have changed."""
        bell = asyncio.Event()
        bells = self._bells.setdefault(id_, set())
        bells.add(bell)
        try:
            yield bell
        finally:
            bells.discard(bell)
            if not bells:
                self._bells.pop(id_, None)

    def changed(self, table: Table) -> None:
        """Something happened at a table: tell those who listen, and let programs play."""
        for bell in self._bells.get(table.id, ()):
            bell.set()
        self._stirred.add(table.id)
        if table.id not in self._playing:
            task = asyncio.get_running_loop().create_task(self._play(table.id))
            self._playing[table.id] = task

    def is_busy(self, table: Table) -> bool:
        """Whether programs play at a table now."""
        return table.id in self._playing

    def _forget(self, id_: str) -> None:
        self._bots.forget(id_)
        self._scholar.forget(id_)

    # ---- programs

    async def _play(self, id_: str) -> None:
        """Let programs play at a table until a person is to decide."""
        try:
            while id_ in self._stirred:
                self._stirred.discard(id_)
                deaths = 0
                while table := self._awake.get(id_):
                    wanted = await self.work(table.thinking)
                    if wanted is None:
                        break
                    try:
                        await self._think(table, *wanted)
                    except Died:
                        deaths += 1
                        if deaths == DEATHS:
                            await self.work(table.stop, "The programs die over this position.")
                    for bell in self._bells.get(id_, ()):
                        bell.set()
        finally:
            del self._playing[id_]

    async def _think(self, table: Table, base: int, last: str) -> None:
        by = {seat: who for seat, who in table.about.by.items() if who != PERSON}
        told = await self._bots.ask(table, base, {"do": "think", "by": by, "last": last})
        if "failed" in told:
            log.warning("table %s: programs cannot go on (%s)", table.id, told["failed"])
            text = f"The programs cannot go on: {told['failed']}."
            await self.work(table.stop_at, base, text)
        else:
            answers = [(seat, answer) for seat, answer in told["answers"]]
            await self.work(table.answer_all, base, answers)

    async def ask(self, table: Table, question: dict[str, Any]) -> dict[str, Any]:
        """A question about the game of a table, told as its seat may know it. Raises `Refusal`."""
        if self._asking >= self.limits.asking:
            raise Refusal(429, "Too many questions at once; wait a little.")
        self._asking += 1
        try:
            told = await self._scholar.ask(table, len(table.save.records), question)
        except Died as died:
            raise Refusal(409, "That cannot be told.") from died
        finally:
            self._asking -= 1
        if "failed" in told:
            raise Refusal(409, "That cannot be told.")
        if "refused" in told:
            raise Refusal(409, told["refused"])
        found: dict[str, Any] = told["told"]
        return found

    async def close(self) -> None:
        """Everything is on the disk already; let go of files and processes."""
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(self._bots.close(), self._scholar.close())
        for table in self._awake.values():
            table.close()
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
