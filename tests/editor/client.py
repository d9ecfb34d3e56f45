"""An editor in a few lines: speaks the protocol to the real server process."""

import itertools
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

PATIENCE = 300  # seconds; no test depends on how busy the machine is


Place = tuple[int, int]


class RequestFailedError(Exception):
    pass


class Client:
    """A server and what it said. Documents are changed as a whole or by stretches."""

    def __init__(
        self, root: Path, capabilities: Mapping[str, Any] | None = None, **options: Any
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ziggurat", "lsp"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.errors = bytearray()
        self.findings: dict[str, list[Any]] = {}
        self.messages: list[Any] = []
        self._said = threading.Condition()
        self.versions: dict[str, int] = {}
        self._answers: dict[int, queue.Queue[Any]] = {}
        self._numbers = itertools.count(1)
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()
        snippets = {"completion": {"completionItem": {"snippetSupport": True}}}
        able = {"textDocument": snippets, **(capabilities or {})}
        self.capabilities = self.ask(
            "initialize",
            processId=None,
            rootUri=root.as_uri(),
            capabilities=able,
            initializationOptions=options,
        )["capabilities"]
        self.tell("initialized")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("shutdown")
        self.tell("exit")
        self.process.wait(PATIENCE)

    # ---- what goes to and fro ---------------------------------------------------------------

    def ask(self, method: str, **params: Any) -> Any:
        return self.answer(self.begin(method, **params))

    def begin(self, method: str, **params: Any) -> int:
        """Send a request, whose answer is not waited for."""
        number = next(self._numbers)
        self._answers[number] = queue.Queue()
        self._send({"id": number, "method": method, "params": params or None})
        return number

    def answer(self, number: int) -> Any:
        answer = self._answers[number].get(timeout=PATIENCE)
        del self._answers[number]
        if "error" in answer:
            raise RequestFailedError(answer["error"]["message"])
        return answer.get("result")

    def next_message(self) -> Any:
        """Wait for something that the server says by itself, other than findings."""
        with self._said:
            assert self._said.wait_for(lambda: self.messages, PATIENCE)
        return self.messages[-1]

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            size = 0
            while line.strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                line = stream.readline()
            self._take(json.loads(stream.read(size)))

    def _take(self, message: Any) -> None:
        if "id" in message and "method" not in message:
            self._answers[message["id"]].put(message)
        elif message["method"] == "textDocument/publishDiagnostics":
            params = message["params"]
            self.findings[params["uri"]] = params["diagnostics"]
        else:
            with self._said:
                self.messages.append(message)
                self._said.notify_all()
            if "id" in message:
                self._send({"id": message["id"], "result": None})

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.read1():  # type: ignore[attr-defined]
            self.errors += data

    # ---- documents --------------------------------------------------------------------------

    def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        self.versions[uri] = 1
        shown = path.read_text(encoding="utf-8") if text is None else text
        document = {"uri": uri, "languageId": "rules", "version": 1, "text": shown}
        self.tell("textDocument/didOpen", textDocument=document)
        return uri

    def change(self, uri: str, *changes: Any) -> None:
        """Texts for the whole document, or stretches as `(range, text)`."""
        self.versions[uri] += 1
        content = [
            {"text": one} if isinstance(one, str) else {"range": one[0], "text": one[1]}
            for one in changes
        ]
        document = {"uri": uri, "version": self.versions[uri]}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=content)

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", textDocument={"uri": uri})

    def about(
        self, method: str, uri: str, place: tuple[int, int] | None = None, **more: Any
    ) -> Any:
        """Ask about a document, or a place in it (line and character from 0)."""
        if place is not None:
            more["position"] = {"line": place[0], "character": place[1]}
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri}, **more)

    def do(self, command: str, *arguments: Any) -> Any:
        return self.ask("workspace/executeCommand", command=command, arguments=list(arguments))

    def settled(self, uri: str) -> list[Any]:
        """The findings of a document once the server has looked at it as it is now."""
        self.about("documentSymbol", uri)
        return self.findings.get(uri, [])


def place_of(text: str, words: str, inner: int = 1) -> tuple[int, int]:
    """Line and character of some words; `|` in them marks the place."""
    at = text.index(words.replace("|", ""))
    at += words.index("|") if "|" in words else inner
    return text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)


def whole(text: str) -> dict[str, Any]:
    return {
        "start": {"line": 0, "character": 0},
        "end": {"line": text.count("\n"), "character": len(text.rpartition("\n")[2])},
    }
