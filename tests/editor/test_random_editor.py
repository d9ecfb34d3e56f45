"""Somebody who types anything: the server never fails, and in the end says what `check` says."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import pytest

from tests.editor.client import Client, RequestFailedError
from tests.editor.isles import RULES, lay_out
from tests.sampling import slow

BITS = (
    "{", "}", "(", ")", '"', "\n", " ", ".", ",", ":", "=", "#", "+1", "north", "keep(p, north)",
    "value ", "scenario ", "let x = ", "\n}\n", "modify keep(holder, a) by ", "amend isle north { ",
    "é𐤀", "tags R-1", "choose y by p from isles", "red chooses south for settle.place_to_go\n",
    "\x00", "remove value keep\n",
)  # fmt: skip
ASKED = ("hover", "definition", "implementation", "completion", "signatureHelp", "prepareRename",
         "documentHighlight")  # fmt: skip
ABOUT_ALL = ("semanticTokens/full", "foldingRange", "codeLens", "documentSymbol")


class Typist:
    """Opens two files of a pack and does what chance tells."""

    def __init__(self, folder: Path, client: Client, chance: Random) -> None:
        first = lay_out(folder, RULES)
        second = first.with_name("more.rules")
        second.write_text("value more(p: player): int = 1\n", encoding="utf-8")
        self.client, self.chance = client, chance
        self.texts = {path: [path.read_text(encoding="utf-8")] for path in (first, second)}
        for path in self.texts:
            client.open(path)

    def act(self) -> None:
        path = self.chance.choice(sorted(self.texts))
        does = self.chance.choices(
            (self.insert, self.cut, self.undo, self.save, self.move, self.ask),
            weights=(8, 5, 4, 1, 1, 3),
        )[0]
        does(path)

    def _change(self, path: Path, text: str) -> None:
        self.texts[path].append(text)
        self.client.change(path.as_uri(), text)

    def insert(self, path: Path) -> None:
        text = self.texts[path][-1]
        at = self.chance.randint(0, len(text))
        self._change(path, text[:at] + self.chance.choice(BITS) + text[at:])

    def cut(self, path: Path) -> None:
        text = self.texts[path][-1]
        at = self.chance.randint(0, len(text))
        self._change(path, text[:at] + text[at + self.chance.randint(1, 40) :])

    def undo(self, path: Path) -> None:
        if len(self.texts[path]) > 1:
            self.texts[path].pop()
            self.client.change(path.as_uri(), self.texts[path][-1])

    def save(self, path: Path) -> None:
        path.write_bytes(self.texts[path][-1].encode())
        self.client.tell("textDocument/didSave", textDocument={"uri": path.as_uri()})

    def move(self, path: Path) -> None:
        """The file gets another name, as editors do it: closed, moved, opened."""
        self.save(path)
        new = path.with_name(f"file_{self.chance.randint(0, 99)}.rules")
        if new in self.texts:
            return
        self.client.close(path.as_uri())
        path.rename(new)
        changes = [{"uri": path.as_uri(), "type": 3}, {"uri": new.as_uri(), "type": 1}]
        self.client.tell("workspace/didChangeWatchedFiles", changes=changes)
        self.texts[new] = self.texts.pop(path)
        self.client.open(new, self.texts[new][-1])

    def ask(self, path: Path) -> None:
        uri, text = path.as_uri(), self.texts[path][-1]
        line = self.chance.randint(0, text.count("\n") + 1)
        self.client.about(self.chance.choice(ASKED), uri, (line, self.chance.randint(0, 60)))
        self.client.about(self.chance.choice(ABOUT_ALL), uri)
        try:
            self.client.about("rename", uri, (line, 8), newName="zz_other")
        except RequestFailedError as refused:
            assert str(refused).endswith((".", ")", "`"))  # noqa: PT017 - a sentence for people


def told_by_check(folder: Path) -> list[tuple[str, str, int]]:
    command = [sys.executable, "-m", "ziggurat", "check", "isles", "--packs", str(folder)]
    run = subprocess.run([*command, "--format", "json"], capture_output=True, check=False)
    places = [(one["code"], one["location"]) for one in json.loads(run.stdout)["findings"]]
    return sorted(
        (code, f"isles/{Path(place['path']).name}", place["line"]) for code, place in places
    )


def told_by_server(client: Client, typist: Typist) -> list[tuple[str, str, int]]:
    for path in typist.texts:
        client.settled(path.as_uri())
    return sorted(
        (one["code"], f"isles/{uri.rpartition('/')[2]}", one["range"]["start"]["line"] + 1)
        for uri, findings in client.findings.items()
        for one in findings
    )


def type_at_random(seed: int, edits: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        with Client(folder) as client:
            typist = Typist(folder, client, Random(seed))
            for _ in range(edits):
                typist.act()
            for path in list(typist.texts):
                typist.save(path)
            said = told_by_server(client, typist)
        assert client.errors.decode() == ""
        assert said == told_by_check(folder)


@pytest.mark.parametrize(
    ("seed", "edits"), [(16, 40), *(slow(seed, 40) for seed in range(3, 13)), slow(1, 2_000)]
)
def test_anything_typed_is_survived(seed: int, edits: int) -> None:
    type_at_random(seed, edits)
