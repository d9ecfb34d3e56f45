"""What a saved game is as text: a header, and a line for each answer.

The header is TOML (format, engine, stack, what its rules mean as a hash, packs with the hashes of
their texts and where they were found, seats, seed, options).
Every line of the log carries a checksum of itself and all lines before it, so a save that was
edited, spliced or damaged is noticed at the very line. A tail that was cut off in the middle of a
line (the process died while writing) is dropped, since nobody was told that it is safe.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterator
from typing import Any

import attrs
import tomli_w

from ziggurat.dsl import ir
from ziggurat.dsl.linking.hashing import meaning_hash

FORMAT = 1
FROM_A_SCENARIO = 2  # the format of games that did not begin at the beginning
ANSWERS = "--- answers ---"


class BadSave(Exception):  # noqa: N818 - says what it is
    """A save that cannot be used; the message is one sentence for people."""


@attrs.frozen
class Header:
    """What a save needs to be played on: the same rules, seats, seed and options.

    `rules` is the hash of what the rules mean (older saves have none), `folders` where the packs
    were found that did not come with Ziggurat. `people` are the seats that people play; the other
    seats are for programs. It means nothing to the game itself. A game that began where a
    `scenario` had come to (`title@step`) has the digest of that `position`.
    """

    engine: str
    stack: str
    packs: tuple[tuple[str, str, str], ...]
    seats: tuple[tuple[str, str], ...]
    seed: int
    options: tuple[tuple[str, Any], ...]
    people: tuple[str, ...] = ()
    rules: str = ""
    folders: tuple[tuple[str, str], ...] = ()
    scenario: str = ""
    position: str = ""

    def text(self) -> str:
        where = dict(self.folders)
        begun = {"scenario": self.scenario, "position": self.position} if self.scenario else {}
        data: dict[str, Any] = {
            "format": FROM_A_SCENARIO if begun else FORMAT,
            "engine": self.engine,
            "stack": self.stack,
            "seed": self.seed,
            **begun,
            **({"rules": self.rules} if self.rules else {}),
            **({"people": list(self.people)} if self.people else {}),
            "options": dict(self.options),
            "seats": [{"name": name, "plays": plays} for name, plays in self.seats],
            "packs": [
                {"id": i, "version": v, "hash": h, **({"folder": where[i]} if i in where else {})}
                for i, v, h in self.packs
            ],
        }
        return "# A saved game of Ziggurat.\n" + tomli_w.dumps(data)

    @classmethod
    def read(cls, text: str) -> "Header":
        try:
            data = tomllib.loads(text)
            version = data["format"]
        except (tomllib.TOMLDecodeError, KeyError) as wrong:
            raise BadSave("This is not a saved game of Ziggurat.") from wrong
        if version not in (FORMAT, FROM_A_SCENARIO):
            raise BadSave(
                f"This save has format {version}; this version of Ziggurat reads formats {FORMAT}"
                f" and {FROM_A_SCENARIO}."
            )
        try:
            return cls(
                engine=str(data["engine"]),
                stack=str(data["stack"]),
                packs=tuple((p["id"], p["version"], p["hash"]) for p in data["packs"]),
                seats=tuple((s["name"], s["plays"]) for s in data["seats"]),
                seed=int(data["seed"]),
                options=tuple(data["options"].items()),
                people=tuple(str(name) for name in data.get("people", ())),
                rules=str(data.get("rules", "")),
                folders=tuple((p["id"], str(p["folder"])) for p in data["packs"] if "folder" in p),
                scenario=str(data["scenario"]) if version == FROM_A_SCENARIO else "",
                position=str(data["position"]) if version == FROM_A_SCENARIO else "",
            )
        except (KeyError, TypeError, ValueError) as wrong:
            raise BadSave(f"The header of this save lacks {wrong}.") from wrong


@attrs.frozen
class SavedAnswer:
    """One line of the log: a seat and its answer, or `undo`/`redo` with a number."""

    seat: str
    answer: Any

    def body(self, number: int) -> str:
        return f"{number} {json.dumps([self.seat, self.answer], ensure_ascii=False)}"


def chain(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()[:16]


@attrs.frozen
class Parsed:
    """A save as read: `good` is how many bytes of it hold whole lines."""

    header: Header
    records: tuple[SavedAnswer, ...]
    sums: tuple[str, ...]
    good: int
    cut: bool


def parse(data: bytes) -> Parsed:
    """Read a save's bytes. Raises `BadSave` with one sentence for anything but a cut-off tail."""
    head, mark, rest = data.partition(f"\n{ANSWERS} ".encode())
    if not mark:
        raise BadSave("This is not a saved game of Ziggurat, or it was cut off in its header.")
    try:
        header_text = head.decode()
    except UnicodeDecodeError as wrong:
        raise BadSave("This is not a saved game of Ziggurat.") from wrong
    header = Header.read(header_text)
    first, newline, _ = rest.partition(b"\n")
    total = chain("", header_text)
    if not newline or first.decode(errors="replace") != total:
        raise BadSave("The header of this save was changed or damaged after it was written.")
    at = len(head) + len(mark) + len(first) + 1
    records: list[SavedAnswer] = []
    sums = [total]
    while at < len(data):
        end = data.find(b"\n", at)
        if end < 0:
            return Parsed(header, tuple(records), tuple(sums), at, cut=True)
        records.append(_record(data[at:end], len(records) + 1, sums))
        at = end + 1
    return Parsed(header, tuple(records), tuple(sums), at, cut=False)


def _record(line: bytes, number: int, sums: list[str]) -> SavedAnswer:
    body, _, given = line.decode(errors="replace").rpartition(" ")
    expected = chain(sums[-1], body)
    counted, _, text = body.partition(" ")
    if given != expected or counted != str(number):
        raise BadSave(
            f"Answer {number} of this save was changed or damaged; the {number - 1} before it are"
            f" sound (load them with --to {number - 1})."
        )
    sums.append(expected)
    seat, answer = json.loads(text)
    return SavedAnswer(seat, answer)


def parse_to(data: bytes, to: int | None) -> Parsed:
    """All of a save, or its first `to` answers whatever follows them."""
    if to is None:
        return parse(data)
    _, mark, _ = data.partition(f"\n{ANSWERS} ".encode())
    start_at = data.find(b"\n", data.find(mark) + 1) + 1 if mark else 0
    end = start_at
    for _ in range(to):
        following = data.find(b"\n", end)
        if following < 0:
            break
        end = following + 1
    return parse(data[:end] if end else data)


def check_packs(header: Header, ruleset: ir.Ruleset, anyway: bool = False) -> list[str]:
    """What to tell of packs that are not as they were; refused if the rules mean something else.

    `anyway` takes the rules found now, whatever they mean.
    """
    then = {id_: (version, hash_) for id_, version, hash_ in header.packs}
    now = {pack.id: (pack.version, pack.text_hash) for pack in ruleset.packs}
    if then == now:
        return []
    listed = ", ".join(_differences(then, now))
    if header.rules and header.rules == meaning_hash(ruleset):
        return [f"These packs are not as they were, but their rules mean the same: {listed}."]
    if anyway:
        return [f"The game goes on with other rules than it was begun with: {listed}."]
    raise BadSave(
        f"This save was made with other rules than the ones found now; they differ in: {listed}."
        " `--anyway` goes on with the rules found now, as far as its answers fit them."
    )


def _differences(
    then: dict[str, tuple[str, str]], now: dict[str, tuple[str, str]]
) -> Iterator[str]:
    for id_, (version, hash_) in then.items():
        if id_ not in now:
            yield f"{id_} {version} (missing)"
        elif now[id_][0] != version:
            yield f"{id_} {version} (now {now[id_][0]})"
        elif now[id_][1] != hash_:
            yield f"{id_} {version}"
    yield from (f"{id_} (not in the save)" for id_ in now if id_ not in then)
