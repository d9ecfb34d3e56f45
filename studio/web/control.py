"""How commands find the server of a folder, and speak with it: over HTTP, with a key of its own.

While a server runs, its address and that key lie in the folder of its tables, for nobody else to
read.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import attrs

from ziggurat import replace_file
from ziggurat.studio.console import UsageError

FILE = ".server.json"
PATIENCE = 60  # seconds


@attrs.frozen
class RunningServer:
    """A server that keeps its tables in a folder."""

    address: str
    key: str

    @classmethod
    def find(cls, folder: Path) -> "RunningServer | None":
        """Return the server that has written down where it is; it may have been killed since."""
        try:
            data = json.loads((folder / FILE).read_bytes())
            return cls(str(data["address"]), str(data["key"]))
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def ask(self, path: str, data: dict[str, Any] | None = None) -> Any:
        """Return the answer to a request. Raise `UsageError`."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        body = None if data is None else json.dumps(data).encode()
        request = Request(f"{self.address}{path}", body, headers)
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as response:
                return json.load(response)
        except HTTPError as error:
            with error:
                told = json.load(error)["error"]
            raise UsageError(f"the server refuses: {told}") from error
        except (URLError, OSError, ValueError) as error:
            raise UsageError(
                f"the server at {self.address} does not answer; try again when it does, or end it."
            ) from error


@contextlib.contextmanager
def announced(folder: Path, host: str, port: int, key: str) -> Iterator[None]:
    """Write down where the server is, as long as it runs."""
    name = f"[{host}]" if ":" in host else host
    address = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(name, name)
    path = folder / FILE
    data = {"address": f"http://{address}:{port}", "key": key}
    with contextlib.suppress(OSError):  # on a full disk; commands then wait for the server's end
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        path.chmod(0o600)
        replace_file(path, json.dumps(data).encode())
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
