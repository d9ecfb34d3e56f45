"""A server from its first breath to its last: the folder, the port, the links, and the end."""

import asyncio
import contextlib
import gc
import logging
import shlex
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import attrs
import uvicorn
from starlette.types import ASGIApp

from ziggurat import Search, lock_file
from ziggurat.studio.console import UsageError
from ziggurat.studio.web.app import build
from ziggurat.studio.web.control import announced
from ziggurat.studio.web.guard import is_local
from ziggurat.studio.web.hall import LETTERS, Hall
from ziggurat.studio.web.hosting import made
from ziggurat.studio.web.house_key import FILE, HouseKeys, read_house_key
from ziggurat.studio.web.limits import Limits
from ziggurat.studio.web.reach import Proxies, Reach
from ziggurat.studio.web.wire import wire_of
from ziggurat.studio.web.wishes import Wish

BACKLOG = 256
LONGEST_START = 4  # letters: eight more make an id that nobody guesses
# Whoever answers waits for no document that is being made for somebody else: threads take turns
# more often than Python usually lets them, and all that tables remember is seldom looked through.
SWITCH = 0.001  # seconds
COLLECT = (20_000, 20, 200)
KEPT = 60  # seconds that a connection without a request is kept
PATIENCE = 2  # seconds for open connections when the server ends


@attrs.frozen
class Place:
    """Where a server listens, where its tables are, and games that anybody may look back at."""

    host: str
    port: int
    folder: Path
    reach: Reach = attrs.field(factory=Reach)
    saves: Path | None = None
    house_key: Path | None = None  # its file, if it does not lie in the folder

    ids: str = ""  # with which the ids of its tables begin

    @property
    def needs_key(self) -> bool:
        """Return whether tables are made with the key of the house."""
        return not is_local(self.host) or self.reach.is_public or self.house_key is not None

    @property
    def key_file(self) -> Path:
        """Return where the key of the house lies."""
        return self.house_key or self.folder / FILE


def listen(place: Place) -> socket.socket:
    """A socket that is bound. Raises `UsageError`."""
    if not 0 <= place.port <= 65535:
        raise UsageError(f"a port is a number from 0 to 65535, not {place.port}.")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as wrong:
        raise UsageError(f"`{place.host}` is no address of this machine.") from wrong
    bound = socket.socket(family, kind, proto)
    # On Windows SO_REUSEADDR would let another program take over a port that is in use.
    own = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    bound.setsockopt(socket.SOL_SOCKET, own, 1)
    try:
        bound.bind(address)
        bound.listen(BACKLOG)  # whoever follows a link as soon as it is printed waits a moment
    except OSError as wrong:
        bound.close()
        reason = wrong.strerror or str(wrong)
        raise UsageError(
            f"port {place.port} of {place.host} cannot be used: {reason}. `--port 0` takes a free"
            " one."
        ) from wrong
    return bound


def check_ids(ids: str) -> str:
    """Return the letters with which ids of tables begin. Raise `UsageError`."""
    if len(ids) > LONGEST_START or not set(ids) <= set(LETTERS):
        raise UsageError(
            f"`--ids {ids}`: ids of tables begin with one to {LONGEST_START} of the letters and"
            f" digits {LETTERS}."
        )
    return ids


class FolderInUseError(UsageError):
    """A server uses the folder."""


@contextlib.contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Keep the folder of the tables to this server alone. Raise `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("ab")
    except OSError as wrong:
        raise UsageError(f"tables cannot be kept in `{folder}`: {wrong.strerror}.") from wrong
    with lock:
        if not lock_file(lock):
            raise FolderInUseError(
                f"another server keeps its tables in `{folder}`; `--folder` names another."
            )
        yield


def serve_tables(
    place: Place,
    search: Search,
    wish: Wish | None,
    tell: Callable[[str], None],
    limits: Limits | None = None,
) -> None:
    """Serve until somebody ends it. Raises `UsageError` for what cannot be served."""
    limits = limits or Limits()
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(*COLLECT)
    raise_file_limit()
    with contextlib.closing(listen(place)) as bound, owned(place.folder):
        asyncio.run(_serve(place, bound, search, wish, tell, limits))


async def _serve(
    place: Place,
    bound: socket.socket,
    search: Search,
    wish: Wish | None,
    tell: Callable[[str], None],
    limits: Limits,
) -> None:
    key = read_house_key(place.key_file) if place.needs_key else ""
    keys = HouseKeys(key, place.key_file if key else None)
    hall = Hall(place.folder, search, limits, ids=place.ids)
    for line in hall.troubles:
        tell(line)
    earlier = hall.ids
    others = sum(not id_.startswith(place.ids) for id_ in earlier)
    if others:
        tell(
            f"Of the tables here, {others} do not begin with `{place.ids}`: a proxy that goes by"
            " letters does not lead to them."
        )
    home = _home(place, bound.getsockname()[1])
    app = build(hall, limits, place.reach, keys, place.saves)
    server = _Server(config_of(app, limits, place.reach.proxies))
    if wish is not None:
        _print_links(home, made(*await hall.make(wish)), tell)
    tell(f"The lobby: {home}{f'#{key}' if key else ''}")
    tell("Ctrl-C ends the server.")
    checking = asyncio.create_task(_check_tables(hall, earlier, tell)) if earlier else None
    host, port = bound.getsockname()[:2]
    try:
        with announced(place.folder, host, port, keys.local):
            await server.serve(sockets=[bound])
    finally:
        if checking is not None:
            checking.cancel()
        await hall.close()


async def _check_tables(hall: Hall, tables: tuple[str, ...], tell: Callable[[str], None]) -> None:
    """Tell how many of the tables found in the folder go on, and why others wait."""
    number, reasons = await hall.check(tables)
    if number:
        go_on = "1 table goes" if number == 1 else f"{number} tables go"
        tell(f"{go_on} on; links are as they were.")
    for id_, reason in reasons.items():
        tell(f"Table {id_} waits for its host, who chooses in the browser how it goes on. {reason}")


def raise_file_limit() -> None:
    """Let this process open as many files as it may: each connection and each table is one."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def config_of(app: ASGIApp, limits: Limits, proxies: Proxies | None = None) -> uvicorn.Config:
    """Return how the application is served: one protocol, limits everywhere."""
    return uvicorn.Config(
        app,
        http=wire_of(limits, proxies),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=limits.headers,
        timeout_keep_alive=KEPT,
        timeout_graceful_shutdown=PATIENCE,
    )


class _Server(uvicorn.Server):
    """Ends when it is told to, and leaves it to the command what to say then."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def _home(place: Place, port: int) -> str:
    """Return the address that people can open, up to its last slash."""
    if place.reach.url is not None:
        return str(place.reach.url)
    name = f"[{place.host}]" if ":" in place.host else place.host
    if place.reach.names:
        name = place.reach.names[0]
    elif place.host in ("0.0.0.0", "::", ""):
        name = socket.gethostname()
    return f"http://{name}:{port}/"


def _print_links(home: str, table: dict[str, Any], tell: Callable[[str], None]) -> None:
    link = f"{home}t/{table['table']}"
    tell(f"The host:   {link}#{table['host']}")
    for seat in table["seats"]:
        if seat["key"]:
            tell(f"{seat['title']}: {link}#{seat['key']}")
        else:
            tell(f"{seat['title']}: a program")
    tell(f"Onlookers:  {link}#{table['view']}")


def again(place: Place, language: str, packs: Sequence[Path], limits: Sequence[str] = ()) -> str:
    """Return the command that goes on with the same tables."""
    words = ["ziggurat", "serve", "--folder", str(place.folder)]
    if not is_local(place.host):
        words += ["--host", place.host]
    for name in place.reach.names:
        words += ["--name", name]
    if place.reach.url is not None:
        words += ["--url", str(place.reach.url)]
    for network in place.reach.proxies.networks:
        words += ["--proxy", str(network)]
    if place.ids:
        words += ["--ids", place.ids]
    if place.house_key is not None:
        words += ["--house-key", str(place.house_key)]
    for limit in limits:
        words += ["--limit", limit]
    if place.port:
        words += ["--port", str(place.port)]
    if place.saves is not None:
        words += ["--saves", str(place.saves)]
    if language:
        words += ["--language", language]
    for folder in packs:
        words += ["--packs", str(folder)]
    return shlex.join(words)


def log_to(stream: IO[str], level: str) -> None:
    """Write what happens from a level on, one line each, without keys and hidden things."""
    handler = logging.StreamHandler(stream)
    form = "%(asctime)s %(levelname)s %(message)s"
    handler.setFormatter(logging.Formatter(form, "%Y-%m-%dT%H:%M:%S%z"))
    log = logging.getLogger("ziggurat.web")
    log.handlers[:] = [handler]
    log.setLevel(level.upper())
    log.propagate = False
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # it would tell tracebacks
