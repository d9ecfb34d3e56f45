"""All tables of a server: made, found again, woken when somebody comes, and told of what changes.

A table sleeps on the disk until somebody shows a key of it. What takes the processor or the disk
runs in threads, so that the loop is always free to listen; programs think in processes of
their own.
"""

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import attrs

from ziggurat import (
    BadCatalogue,
    BadSave,
    Header,
    InternalError,
    Program,
    RulesError,
    Save,
    SaveInUse,
    Search,
    load_program,
    lock_save,
    new_save,
    search_for,
    start,
)
from ziggurat.studio.language import spoken
from ziggurat.studio.saved import BEGUN, NOW, NoProgram, RulesChoice
from ziggurat.studio.web import memory
from ziggurat.studio.web.about import PERSON, About, BadTable
from ziggurat.studio.web.aides import Aides, Died
from ziggurat.studio.web.limits import Limits
from ziggurat.studio.web.listing import TableLine, describe_table
from ziggurat.studio.web.metrics import Metrics
from ziggurat.studio.web.opening import HOLDER, TableSaves, TableStuck, Ways
from ziggurat.studio.web.refusals import NO_TABLE, Refusal
from ziggurat.studio.web.table import Table, disk_text, failure_text
from ziggurat.studio.web.wishes import Wish

log = logging.getLogger("ziggurat.web")
ID_LENGTH = 12
TABLE_ID = re.compile(rf"[a-z0-9]{{{ID_LENGTH}}}")
DEATHS = 3  # of processes over one position
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that are taken for others
FULL_HOUSE = "There are too many tables here; `ziggurat tables` can archive and delete some."
FAILING = "The rules of this table cannot go on."
T = TypeVar("T")


class Hall:
    """The tables in a folder."""

    def __init__(
        self,
        folder: Path,
        search: Search,
        limits: Limits,
        thinkers: int | None = None,
        ids: str = "",
    ) -> None:
        self.folder, self.search, self.limits = folder, search, limits
        self.language = spoken()
        self._ids = ids  # the letters with which the ids of its tables begin
        self._about: dict[str, About] = {}
        self._awake: dict[str, Table] = {}
        self._waking: dict[str, asyncio.Lock] = {}
        self._bells: dict[str, set[asyncio.Event]] = {}
        self._programs: dict[tuple[str, Search], Program] = {}
        self._saves = TableSaves(folder, search, self._find_program)
        self._stuck: dict[str, Ways] = {}  # tables that wait for their host to choose
        self._stirred: set[str] = set()  # tables at which programs may have to play
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._pools: list[ThreadPoolExecutor] = []
        self._people = self.threads(4, "people")
        self._work = self.threads(2, "work")
        self._checking = self.threads(1, "checking")
        self._asking = 0
        self._used: dict[str, float] = {}  # when somebody last came to a table that is awake
        self._tending: asyncio.Task[None] | None = None
        self.metrics = Metrics()
        self.waiting = 0  # requests of people for which no thread is free yet
        self._bots = Aides(search, limits, thinkers)
        # who knows why, and is in nobody's way
        self._scholar = Aides(search, limits, 1)
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
        begin = time.perf_counter()
        self.waiting += 1

        def begun() -> T:
            self.waiting -= 1
            self.metrics.queueing.add(time.perf_counter() - begin)
            return what(*args)

        return await asyncio.get_running_loop().run_in_executor(self._people, begun)

    async def work(self, what: Callable[..., T], *args: Any) -> T:
        """Do something that may wait until people have been served."""
        return await asyncio.get_running_loop().run_in_executor(self._work, what, *args)

    # ---- tables

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the tables there are."""
        return tuple(self._about)

    @property
    def count(self) -> int:
        """How many tables there are."""
        return len(self._about)

    async def check(self, tables: Iterable[str]) -> tuple[int, dict[str, str]]:
        """Load tables that were not ended, and return how many do load and why others do not.

        Whoever comes meanwhile is served.
        """
        loop = asyncio.get_running_loop()
        number, reasons = 0, {}
        for id_ in tables:
            about = self._about.get(id_)
            if about is None or about.ended:
                continue
            reason = ""
            if id_ not in self._awake:
                reason = await loop.run_in_executor(self._checking, self._check, id_, about)
            if reason:
                reasons[id_] = reason
            else:
                number += 1
        return number, reasons

    def _check(self, id_: str, about: About) -> str:
        """Return why a table does not load, or nothing."""
        try:
            self._saves.look(id_, about)
        except BadSave as error:
            self._stuck[id_] = Ways.of(error)
            return self._stuck[id_].text
        except (RulesError, InternalError):
            return FAILING
        return ""

    def about(self, id_: str) -> About:
        """What is known of a table without waking it. Raises `Refusal`."""
        found = self._about.get(id_)
        if found is None:
            raise Refusal(404, NO_TABLE)
        return found

    async def table(self, id_: str) -> Table:
        """A table, awake. Raises `Refusal`."""
        about = self.about(id_)
        self._use(id_)
        table = self._awake.get(id_)
        if table is not None and not table.lost:
            self._awake[id_] = self._awake.pop(id_)  # those that nobody has come to sleep first
            return table
        if id_ in self._stuck:
            raise TableStuck(self._stuck[id_])
        async with self._waking.setdefault(id_, asyncio.Lock()):
            about = self.about(id_)  # it may have been put away meanwhile
            table = self._awake.get(id_)
            if table is None or table.lost:
                if table is not None:
                    await self.work(table.close)
                await self._make_room()
                table = await self.work(self._load, id_, about)
                self._forget(id_)
                self._awake[id_] = table
                log.info("table %s: awake", id_)
                self.changed(table)
        return table

    @property
    def awake_count(self) -> int:
        """Return how many tables are in memory."""
        return len(self._awake)

    @property
    def processes(self) -> dict[str, list[int]]:
        """Return the processes of the server by what they do."""
        return {"programs": self._bots.pids, "questions": self._scholar.pids}

    def is_awake(self, id_: str) -> bool:
        """Return whether a table is in memory."""
        return id_ in self._awake

    # ---- tables that nobody plays at sleep

    def _use(self, id_: str) -> None:
        """Note that somebody has come to a table."""
        self._used[id_] = time.monotonic()
        if self._tending is None:
            self._tending = asyncio.get_running_loop().create_task(self._tend())

    async def _tend(self) -> None:
        """Let tables sleep whose games are over, or to which nobody has come for long."""
        limits = self.limits
        pause = min(limits.finished, limits.idle) / 2
        while True:
            await asyncio.sleep(pause)
            slept = [id_ for id_ in list(self._awake) if await self._sleep_if_idle(id_)]
            for id_ in [id_ for id_ in self._used if id_ not in self._about]:
                del self._used[id_]
            if slept:
                await self.work(memory.give_back)

    async def _sleep_if_idle(self, id_: str) -> bool:
        async with self._waking.setdefault(id_, asyncio.Lock()):
            table = self._awake.get(id_)
            if table is None or id_ in self._playing or table.lost:
                return False
            still = time.monotonic() - self._used.get(id_, 0.0)
            is_finished = table.state in ("over", "ended")
            if still < (self.limits.finished if is_finished else self.limits.idle):
                return False
            await self._put_to_sleep(id_)
            return True

    async def _put_to_sleep(self, id_: str) -> None:
        """Take a table out of memory. Its lock is held."""
        table = self._awake.pop(id_)
        self._forget(id_)
        await self.work(self._close, table)
        log.info("table %s: asleep", id_)

    def _close(self, table: Table) -> None:
        is_over = table.state == "over"
        table.close()
        if is_over != table.about.over and not table.about.ended:
            table.about.over = is_over
            with contextlib.suppress(OSError):  # lists show it as asleep then
                table.about.write(self._file(table.id))

    async def _make_room(self) -> None:
        """Let tables sleep that nobody looks at, if there are too many awake. Raise `Refusal`."""
        while len(self._awake) >= self.limits.awake:
            id_ = next(filter(self._may_sleep, self._awake), None)
            if id_ is None:
                raise Refusal(429, "Too many tables are played here at once.")
            async with self._waking.setdefault(id_, asyncio.Lock()):
                if id_ in self._awake:
                    await self._put_to_sleep(id_)

    def _may_sleep(self, id_: str) -> bool:
        """Return whether nobody looks at a table that is awake, or comes to it just now."""
        waking = self._waking.get(id_)
        return not self._bells.get(id_) and (waking is None or not waking.locked())

    def _load(self, id_: str, about: About) -> Table:
        was_anyway = about.anyway
        try:
            opened = self._saves.open(id_, about)
            if was_anyway:
                about.write(self._file(id_))
        except BadSave as error:
            log.warning("table %s does not load: %s", id_, error)
            if isinstance(error.__cause__, SaveInUse):
                text = f"This table is played elsewhere ({error.__cause__})."
                raise Refusal(409, text) from error
            cause = error.__cause__
            if isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError):
                raise Refusal(503, f"This table cannot be opened: {cause.strerror}.") from error
            self._stuck[id_] = Ways.of(error)
            raise TableStuck(self._stuck[id_]) from error
        except (RulesError, InternalError) as error:
            log.warning("table %s: its rules cannot go on", id_)
            raise Refusal(409, FAILING) from error
        except OSError as error:
            raise Refusal(503, disk_text(error)) from error
        for line in opened.told:
            log.info("table %s: %s", id_, line)
        return Table(id_, opened.save, about, self._file(id_))

    def save_path(self, id_: str) -> Path:
        """Return the save in which a table goes on. Raise `Refusal`."""
        return self._saves.path(id_, self.about(id_))

    def _file(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    async def reload(self, id_: str) -> None:
        """Load the packs of a table again and go on with them.

        Raise `Refusal`, which says at which answer they part; then everything is as it was.
        """
        table = await self.table(id_)
        await self.work(table.reload, lambda: self._reloaded(table))
        self._forget(id_)
        self.changed(table)

    def try_again(self, id_: str) -> None:
        """Let a table that did not load be loaded anew, with its packs as they are now."""
        if self._stuck.pop(id_, None) is not None:
            self._programs.clear()

    def _reloaded(self, table: Table) -> Save:
        stack = table.save.header.stack
        for key in [key for key in list(self._programs) if key[0] == stack]:
            self._programs.pop(key, None)
        try:
            return self._saves.open_now(table.id, table.about)
        except RulesChoice as choice:
            fit = choice.fit
            parted = "they cannot be loaded"
            if fit is not None:
                parted = f"answer {fit.fitting + 1} does not hold by the rules found now"
            raise Refusal(409, f"The table goes on as it was: {parted}.") from choice
        except BadSave as error:
            raise Refusal(409, f"The table goes on as it was: {Ways.of(error).text}") from error
        except (RulesError, InternalError) as error:
            text = "The table goes on as it was: the rules found now fail."
            raise Refusal(409, text) from error
        except OSError as error:
            raise Refusal(503, disk_text(error)) from error

    async def settle(self, id_: str, way: str) -> None:
        """Let a table that does not load go on in one of its ways. Raise `Refusal`."""
        about = self.about(id_)
        async with self._waking.setdefault(id_, asyncio.Lock()):
            ways = self._stuck.get(id_)
            if ways is None:
                raise Refusal(409, "This table goes on as it is; there is nothing to choose.")
            if not ((way == BEGUN and ways.begun) or (way == NOW and ways.now is not None)):
                raise Refusal(400, "This table cannot go on in that way.")
            self._about[id_] = await self.work(self._settle, id_, about, ways, way)
            del self._stuck[id_]

    def _settle(self, id_: str, about: About, ways: Ways, way: str) -> About:
        """Return a table as its host has chosen, when that is on the disk."""
        about = attrs.evolve(about, as_begun=way == BEGUN, anyway=False)
        try:
            if way == BEGUN:
                self._saves.look(id_, about)
            else:
                answers = None if ways.now == ways.answers else ways.now
                self._saves.open_now(id_, about, answers).close()
            about.write(self._file(id_))
        except BadSave as error:
            raise Refusal(409, Ways.of(error).text) from error
        except (RulesError, InternalError) as error:
            raise Refusal(409, FAILING) from error
        except OSError as error:
            raise Refusal(503, disk_text(error)) from error
        return about

    async def archive(self, id_: str) -> None:
        """Put a table away with its save; its links are void. Raise `Refusal`."""
        await self._remove(id_, lambda about: self._saves.archive(id_, about))
        log.info("table %s: archived", id_)

    async def delete(self, id_: str) -> None:
        """Remove a table and its save; its links are void. Raise `Refusal`."""
        await self._remove(id_, lambda _: self._saves.delete(id_))
        log.info("table %s: deleted", id_)

    async def _remove(self, id_: str, remove: Callable[[About], object]) -> None:
        async with self._waking.setdefault(id_, asyncio.Lock()):
            about = self.about(id_)
            table = self._awake.pop(id_, None)
            if table is not None:
                self._forget(id_)
                await self.work(table.close)
            try:
                await self.work(remove, about)
            except OSError as error:
                raise Refusal(503, disk_text(error)) from error
            finally:
                if not self._file(id_).exists():
                    self._drop(id_)

    def _drop(self, id_: str) -> None:
        """Forget a table that is no longer in the folder; whoever looks at it hears so."""
        self._about.pop(id_, None)
        self._stuck.pop(id_, None)
        for bell in self._bells.get(id_, ()):
            bell.set()

    async def list_tables(self) -> list[TableLine]:
        """Return what lists show of all tables."""
        await self._find_removed()
        return await self.work(self._describe_all)

    def _describe_all(self) -> list[TableLine]:
        found = []
        for id_, about in list(self._about.items()):
            table = self._awake.get(id_)
            state = table.state if table is not None else "stuck" if id_ in self._stuck else ""
            path = self._saves.path(id_, about)
            found.append(describe_table(self.folder, id_, about, path, state))
        return found

    async def _find_removed(self) -> None:
        """Forget tables whose files somebody has removed by hand."""
        gone = await self.work(lambda: [id_ for id_ in self.ids if not self._file(id_).exists()])
        for id_ in gone:
            async with self._waking.setdefault(id_, asyncio.Lock()):
                table = self._awake.pop(id_, None)
                if table is not None:
                    self._forget(id_)
                    await self.work(table.close)
                self._drop(id_)

    # ---- rules

    def _find_program(self, header: Header, search: Search) -> Program:
        """Return the compiled rules of a save. Raise `NoProgram`."""
        try:
            return self.program(header.stack, search_for(header, search))
        except BadSave as error:
            raise NoProgram(str(error)) from error
        except Refusal as refusal:
            raise NoProgram(refusal.text) from refusal

    def program(self, stack: str, search: Search | None = None) -> Program:
        """The compiled rules of a stack. Raises `Refusal`."""
        search = search or self.search
        found = self._programs.get((stack, search))
        if found is not None:
            return found
        try:
            found, _ = load_program(stack, search, language=self.language)
        except BadCatalogue as wrong:
            raise Refusal(409, str(wrong)) from wrong
        if found is None:
            raise Refusal(409, f"`{stack}` has mistakes; `ziggurat check {stack}` tells which.")
        if not found.ruleset.turns:
            raise Refusal(409, f"`{stack}` is no game of its own.")
        self._programs[stack, search] = found
        while len(self._programs) > self.limits.programs:
            self._programs.pop(next(iter(self._programs)), None)
        memory.loaded()
        return found

    async def make(self, wish: Wish) -> tuple[Table, dict[str, str]]:
        """A new table as wished, and its keys by role. Raises `Refusal`."""
        if self.count >= self.limits.tables:
            await self._find_removed()
        if self.count >= self.limits.tables:
            raise Refusal(429, FULL_HOUSE)
        await self._make_room()
        table, keys = await self.work(self._make, wish)
        self._about[table.id] = table.about
        self._awake[table.id] = table
        self._use(table.id)
        log.info("table %s: made (%s, %d players)", table.id, wish.stack, len(table.about.by))
        self.changed(table)
        return table, keys

    def _make(self, wish: Wish) -> tuple[Table, dict[str, str]]:
        rest = (secrets.choice(LETTERS) for _ in range(ID_LENGTH - len(self._ids)))
        id_ = f"{self._ids}{''.join(rest)}"
        seed = wish.seed if wish.seed is not None else secrets.randbits(62)
        program = self.program(wish.stack)
        try:
            game = start(program, seats=wish.seats, seed=seed, options=wish.options)
            people = [seat for seat, who in wish.by.items() if who == PERSON]
            lock = lock_save(self.folder / f"{id_}.zig", HOLDER)
            kept = self._saves.keep(program.ruleset)
            save = new_save(game, lock.path, wish.options, people, self.search, kept=kept)
            save.lock = lock
            about, keys = wish.about()
            about.write(self._file(id_))
        except (ValueError, LookupError, TypeError) as wrong:
            raise Refusal(400, "These seats and options do not fit the rules.") from wrong
        except (RulesError, InternalError) as wrong:
            raise Refusal(409, failure_text(wrong)) from wrong
        except OSError as wrong:
            raise Refusal(503, disk_text(wrong)) from wrong
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
            self._used[table.id] = time.monotonic()
            if await self.work(table.answer_all, base, answers):
                self.metrics.program_answers += len(answers)

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
        for task in (*self._playing.values(), *filter(None, [self._tending])):
            task.cancel()
        await asyncio.gather(self._bots.close(), self._scholar.close())
        for table in self._awake.values():
            table.close()
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
