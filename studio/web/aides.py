"""Processes that think for the server: programs that play, and answers to `why`.

Each follows some tables with a copy of their games. It is started when it is first needed, and
again when it dies.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any

from ziggurat import Search
from ziggurat.studio.web.limits import Limits
from ziggurat.studio.web.table import Table

Data = dict[str, Any]
LONGEST = 16 * 1024 * 1024  # bytes of a line
log = logging.getLogger("ziggurat.web")


class Died(Exception):  # noqa: N818 - what happened
    """The process that was asked is gone."""


class Aides:
    """Some processes, and which table each thinks about."""

    def __init__(self, search: Search, limits: Limits, processes: int | None = None) -> None:
        number = processes or max(1, (os.cpu_count() or 2) - 1)
        self._aides = [_Aide(search, limits) for _ in range(number)]
        self._of: dict[str, _Aide] = {}

    @property
    def pids(self) -> list[int]:
        """Return the processes that run."""
        return [one.pid for one in self._aides if one.pid is not None]

    async def ask(self, table: Table, base: int, question: Data) -> Data:
        """What is found out about a table as it is after so many records. Raises `Died`."""
        aide = self._of.get(table.id)
        if aide is None:
            aide = min(self._aides, key=lambda one: len(one.following))
            self._of[table.id] = aide
        return await aide.ask(table, base, question)

    def forget(self, table: str) -> None:
        """A table sleeps, or is read again."""
        aide = self._of.pop(table, None)
        if aide is not None:
            aide.forget(table)

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(aide.close() for aide in self._aides))


class _Aide:
    """One process, and how far it follows which tables."""

    def __init__(self, search: Search, limits: Limits) -> None:
        self._patience, self._resting = limits.thinking, limits.resting
        self.following: dict[str, int] = {}
        self._search = [str(folder) for folder in search.folders]
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._asked: dict[int, asyncio.Future[Data]] = {}
        self._count = 0
        self._closing = False

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def ask(self, table: Table, base: int, question: Data) -> Data:
        async with self._starting:
            if self._process is None:
                await self._start()
        self._count += 1
        answer: asyncio.Future[Data] = asyncio.get_running_loop().create_future()
        self._asked[self._count] = answer
        known = self.following.get(table.id)
        message = {**question, "id": self._count, "table": table.id, "base": base}
        if known is None or known > base:
            message["path"] = str(table.save.path)
            message |= {"search": self._search, "as_begun": table.about.as_begun}
        else:
            records = table.save.records[known:base]
            message["records"] = [(record.seat, record.answer) for record in records]
        self.following[table.id] = base
        self._send(message)
        try:
            return await asyncio.wait_for(answer, self._patience)
        except TimeoutError:
            self._kill()
            raise Died from None

    def _kill(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def forget(self, table: str) -> None:
        if self.following.pop(table, None) is not None:
            self._send({"do": "forget", "table": table})
            if not self.following and not self._closing:
                asyncio.get_running_loop().call_later(self._resting, self._rest, self._count)

    def _rest(self, count: int) -> None:
        """End a process that has had nothing to do since it was asked so often."""
        process = self._process
        is_idle = count == self._count and not self.following and not self._asked
        if process is not None and process.stdin is not None and is_idle:
            process.stdin.close()

    def _send(self, message: Data) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._process.stdin.write(f"{json.dumps(message)}\n".encode())

    async def _start(self) -> None:
        self.following.clear()
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ziggurat.studio.web.thinker"),
            stdin=PIPE,
            stdout=PIPE,
            limit=LONGEST,
            start_new_session=True,  # Ctrl-C is for the server, which says when it is over
        )
        self._reader = asyncio.create_task(self._listen(self._process))

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            async for line in process.stdout:
                told = json.loads(line)
                if "failed" in told:
                    self.following.pop(told["table"], None)
                answer = self._asked.pop(told["id"], None)
                if answer is not None and not answer.done():
                    answer.set_result(told)
        self._process = None
        self.following.clear()
        left, self._asked = self._asked, {}
        if left and not self._closing:
            log.warning("a process that thinks has died; another begins")
        for answer in left.values():
            if not answer.done():
                answer.set_exception(Died())

    async def close(self) -> None:
        self._closing = True
        process, reader = self._process, self._reader
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 2)
        except TimeoutError:
            self._kill()
            await process.wait()
        if reader is not None:
            await reader
