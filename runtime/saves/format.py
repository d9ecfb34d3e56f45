"""What a saved game is as text: a header, and a line for each answer.

The header is TOML (format, engine, stack, what its rules mean as a hash, packs with the hashes of
their texts, seats, seed, options).
Every line of the log carries a checksum of itself and all lines before it, so a save that was
edited, spliced or damaged is noticed at the very line. A tail that was cut off in the middle of a
line (the process died while writing) is dropped, since nobody was told that it is safe. From format
3 every so many lines carry a hash of the position as well, so that other rules, or another version
of the program, that come to another position are noticed.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs
import tomli_w

FORMAT = 3
FORMATS = (1, 2, FORMAT)  # that can be read; 1 cannot begin at a scenario, 2 only at one
ANSWERS = "--- answers ---"
POSITION_EVERY = 50  # answers between two hashes of the position
MOST_SEATS = 100
UNDO, REDO = "undo", "redo"
T = TypeVar("T")


class BadSave(Exception):  # noqa: N818 - says what it is
    """A save that cannot be used; the message is one sentence for people. Of a damaged one `sound`
    answers can be read."""

    def __init__(self, text: str, sound: int | None = None) -> None:
        super().__init__(text)
        self.sound = sound


@attrs.frozen
class Header:
    """What a save needs to be played on: the same rules, seats, seed and options.

    `rules` is the hash of what the rules mean (older saves have none). `folders` are where packs
    were found that did not come with Ziggurat: relative to the save if they are below it (older
    saves have absolute ones). `kept` are the hashes of the texts that were kept of each pack, and
    `inside` those texts themselves, where a save was exported. `people` are the seats that people
    play; the other seats are for programs. It means nothing to the game itself. A game that began
    where a `scenario` had come to (`title@step`) has the digest of that `position`.
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
    kept: tuple[tuple[str, str], ...] = ()
    inside: tuple[tuple[str, str], ...] = ()
    format: int = FORMAT
    place: Path | None = attrs.field(default=None, eq=False)  # the folder of the save; not in it

    @property
    def pack_folders(self) -> dict[str, str]:
        """The folders of packs, as they can be opened from here."""
        place = self.place or Path()
        return {id_: os.path.normpath(place / folder) for id_, folder in self.folders}

    def at(self, place: Path, folders: Mapping[str, str]) -> "Header":
        """Return the header of a save in a folder, with the packs that lie below that folder.

        Folders elsewhere on this machine say nothing to others, so they are left out.
        """
        place = place.absolute()
        below = tuple(
            (id_, Path(folder).absolute().relative_to(place).as_posix())
            for id_, folder in folders.items()
            if Path(folder).absolute().is_relative_to(place)
        )
        return attrs.evolve(self, place=place, folders=below)

    def text(self) -> str:
        about = {
            id_: {"folder": folder, "kept": kept, "inside": inside}
            for id_, _, _ in self.packs
            for folder in [dict(self.folders).get(id_, "")]
            for kept in [dict(self.kept).get(id_, "")]
            for inside in [dict(self.inside).get(id_, "")]
        }
        begun = {"scenario": self.scenario, "position": self.position} if self.scenario else {}
        data: dict[str, Any] = {
            "format": self.format,
            "engine": self.engine,
            "stack": self.stack,
            "seed": self.seed,
            **begun,
            **({"rules": self.rules} if self.rules else {}),
            **({"people": list(self.people)} if self.people else {}),
            "options": dict(self.options),
            "seats": [{"name": name, "plays": plays} for name, plays in self.seats],
            "packs": [
                {"id": i, "version": v, "hash": h, **{k: t for k, t in about[i].items() if t}}
                for i, v, h in self.packs
            ],
        }
        return "# A saved game of Ziggurat.\n" + tomli_w.dumps(data)

    @classmethod
    def read(cls, text: str) -> "Header":
        """Read a header. Raises `BadSave`, saying which part of it is missing or makes no sense."""
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadSave("This is not a saved game of Ziggurat.") from error
        if "format" not in data:
            raise BadSave("This is not a saved game of Ziggurat.")
        version = data["format"]
        if type(version) is not int or version not in FORMATS:
            later = type(version) is int and version > FORMAT
            advice = " A later version of Ziggurat wrote it: install that version." if later else ""
            raise BadSave(
                f"This save has format {version!r:.20}; this version of Ziggurat reads formats"
                f" 1 to {FORMAT}.{advice}"
            )
        packs = _read_tables(data, "packs")
        seats = _read_tables(data, "seats")
        if not 0 < len(seats) <= MOST_SEATS:
            raise BadSave(f"The header of this save names {len(seats)} seats.")
        scenario = _read(data, "scenario", str, None if version == 2 else "")
        return cls(
            engine=_read(data, "engine", str),
            stack=_read(data, "stack", str),
            packs=tuple(
                (_read(p, "id", str), _read(p, "version", str), _read(p, "hash", str))
                for p in packs
            ),
            seats=tuple((_read(s, "name", str), _read(s, "plays", str)) for s in seats),
            seed=_read(data, "seed", int),
            options=tuple(_read(data, "options", dict).items()),
            people=_read_texts(data, "people"),
            rules=_read(data, "rules", str, ""),
            folders=tuple((p["id"], _read(p, "folder", str)) for p in packs if "folder" in p),
            scenario=scenario if version > 1 else "",
            position=_read(data, "position", str) if scenario and version > 1 else "",
            kept=tuple((p["id"], _read(p, "kept", str)) for p in packs if "kept" in p),
            inside=tuple((p["id"], _read(p, "inside", str)) for p in packs if "inside" in p),
            format=version,
        )


def _read(data: Mapping[str, Any], name: str, kind: type[T], default: T | None = None) -> T:
    """Return a part of a header. Raises `BadSave` if it is missing or of another kind."""
    value = data.get(name, default)
    if value is None:
        raise BadSave(f"The header of this save lacks `{name}`.")
    if type(value) is not kind or (isinstance(value, str) and not value.isprintable()):
        raise BadSave(f"The header of this save has something else than a sensible `{name}`.")
    return value


def _read_tables(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    tables = _read(data, name, list)
    if not all(isinstance(table, dict) for table in tables):
        raise BadSave(f"The header of this save has something else than a sensible `{name}`.")
    return tables


def _read_texts(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    texts = _read(data, name, list, [])
    if not all(isinstance(text, str) and text.isprintable() for text in texts):
        raise BadSave(f"The header of this save has something else than a sensible `{name}`.")
    return tuple(texts)


@attrs.frozen
class SavedAnswer:
    """One line of the log: a seat and its answer, or `undo`/`redo` with a number; and sometimes the
    hash of the `position` it led to."""

    seat: str
    answer: Any
    position: str = attrs.field(default="", eq=False)

    def body(self, number: int) -> str:
        text = f"{number} {json.dumps([self.seat, self.answer], ensure_ascii=False)}"
        return f"{text} ={self.position}" if self.position else text


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


def parse_header(data: bytes) -> tuple[Header, str, int]:
    """Read the header of a save's bytes: itself, its checksum and where the answers begin.

    Raise `BadSave` with one sentence.
    """
    head, mark, rest = data.partition(f"\n{ANSWERS} ".encode())
    if not mark:
        raise BadSave("This is not a saved game of Ziggurat, or it was cut off in its header.")
    try:
        header_text = head.decode()
    except UnicodeDecodeError as error:
        raise BadSave("This is not a saved game of Ziggurat.") from error
    header = Header.read(header_text)
    first, newline, _ = rest.partition(b"\n")
    total = chain("", header_text)
    if not newline or first.decode(errors="replace") != total:
        raise BadSave("The header of this save was changed or damaged after it was written.")
    return header, total, len(head) + len(mark) + len(first) + 1


def parse(data: bytes) -> Parsed:
    """Read a save's bytes. Raise `BadSave` with one sentence for anything but a cut-off tail."""
    header, total, at = parse_header(data)
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
            " sound.",
            sound=number - 1,
        )
    sums.append(expected)
    if text.endswith("]"):
        return _read_answer(text, number)
    text, _, position = text.rpartition(" =")
    return attrs.evolve(_read_answer(text, number), position=position)


def _read_answer(text: str, number: int) -> SavedAnswer:
    """Read a seat and its answer. Raises `BadSave` for anything else, whatever its checksum."""
    try:
        seat, answer = json.loads(text)
        json.dumps(answer, ensure_ascii=False).encode()  # half of a character cannot be shown
    except (ValueError, TypeError, RecursionError) as error:
        raise BadSave(f"Answer {number} of this save is no answer of a seat.") from error
    if not isinstance(seat, str) or not seat.isprintable():
        raise BadSave(f"Answer {number} of this save is no answer of a seat.")
    if seat in (UNDO, REDO) and (type(answer) is not int or answer < 1):
        raise BadSave(f"Answer {number} of this save takes back something else than a number.")
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


def embed_rules(data: bytes, inside: Mapping[str, str]) -> bytes:
    """Return a save with the texts of its packs inside, by their ids."""
    parsed = parse(data)
    text = attrs.evolve(parsed.header, inside=tuple(inside.items())).text()
    total = chain("", text)
    lines = [f"{text}\n{ANSWERS} {total}\n"]
    for number, record in enumerate(parsed.records, 1):
        body = record.body(number)
        total = chain(total, body)
        lines.append(f"{body} {total}\n")
    return "".join(lines).encode()
