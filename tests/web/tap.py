"""A wire between one browser window and the server: it keeps all that comes in, and can be cut."""

import asyncio
import contextlib
import threading
from typing import Any
from urllib.parse import urlsplit


class Tap:
    """Listens on a port of its own and passes everything on."""

    def __init__(self, home: str) -> None:
        self._to = urlsplit(home)
        self.received: list[bytearray] = []  # a connection each: what comes at once is not mixed
        self._open = True
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(60)
        self.home = f"http://127.0.0.1:{self.port}"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._connected, "127.0.0.1", 0)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        waiting = asyncio.all_tasks(self._loop)
        for task in waiting:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
        server.close()
        self._loop.close()

    async def _connected(self, inside: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        if not self._open:
            out.close()
            return
        reader, writer = await asyncio.open_connection(self._to.hostname, self._to.port)
        self._writers |= {out, writer}
        came = bytearray()
        self.received.append(came)
        with contextlib.suppress(asyncio.CancelledError):  # at the end
            await asyncio.gather(self._pass(inside, writer), self._pass(reader, out, came))
        self._writers -= {out, writer}

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        kept: bytearray | None = None,
    ) -> None:
        try:
            while data := await reader.read(65536):
                if kept is not None:
                    kept += data
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    def _do(self, what: Any) -> None:
        done = threading.Event()

        def run() -> None:
            what()
            done.set()

        self._loop.call_soon_threadsafe(run)
        assert done.wait(60)

    def cut(self) -> None:
        """Nothing goes through any more."""

        def close() -> None:
            self._open = False
            for writer in self._writers:
                writer.transport.abort()

        self._do(close)

    def mend(self) -> None:
        """Everything goes through again."""
        self._open = True

    def close(self) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)

    @property
    def text(self) -> str:
        """All that came in, as text."""
        return "\n".join(bytes(one).decode("utf-8", "replace") for one in tuple(self.received))
