"""`pack.toml`: what a pack says about itself, read without reading its rules.

Reading is pure: text in, `Pack` and findings out. A pack with mistakes is still a `Pack`, as far as
it could be understood, so that one run shows all of them; its `findings` say what is wrong.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import attrs
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from ziggurat.dsl.diagnostics import Diagnostic, Source, Span, did_you_mean
from ziggurat.dsl.texts import CONTROL
from ziggurat.dsl.tomlspans import entry_span, key_span, toml_mistake

ID = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_BEFORE_RANGE = re.compile(r"(?=[<>=!~])")
PLAYERS = re.compile(r"(\d{1,3})(?:\s*-\s*(\d{1,3}))?")
TEXTS = (
    "id", "title", "edition", "version", "engine", "players", "licence", "notes", "language",
    "stack",
)  # fmt: skip
LISTS = ("extends", "requires", "optional", "conflicts", "authors", "cites")
KEYS = (*TEXTS, *LISTS, "sources", "incomplete")
NEEDED = ("id", "title", "version")
NO_VERSION = Version("0")
ANY_VERSION = SpecifierSet()

# `tomllib` takes time that grows with the square of the parts of a dotted key; a pack needs none.
ABSURD_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*\.[ \t]*){32}"""
)

T = TypeVar("T")


@attrs.frozen
class Need:
    """Another pack, as named in `extends`, `requires`, `optional` or `conflicts`, with the why."""

    id: str
    versions: SpecifierSet
    span: Span
    reason: str = ""

    def admits(self, version: Version) -> bool:
        return self.versions.contains(version, prereleases=True)


@attrs.frozen
class Pack:
    """A pack's own description, the folder it lives in, and the names of its rules files."""

    id: str
    manifest: Source = attrs.field(repr=False)
    path: str = ""
    title: str = ""
    edition: str = ""
    version: Version = NO_VERSION
    engine: SpecifierSet = ANY_VERSION
    extends: tuple[Need, ...] = ()
    requires: tuple[Need, ...] = ()
    optional: tuple[Need, ...] = ()
    conflicts: tuple[Need, ...] = ()
    players: tuple[int, int] | None = None
    sources: dict[str, str] = attrs.field(factory=dict, hash=False)
    cites: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    licence: str = ""
    stack: str = ""  # in which it is checked while somebody edits it
    notes: str = ""
    language: str = ""  # it is a translation into it, for whatever stack has what it names
    incomplete: bool = False
    files: tuple[str, ...] = attrs.field(default=(), repr=False)
    findings: tuple[Diagnostic, ...] = attrs.field(default=(), repr=False)

    def span(self, key: str, entry: str | None = None) -> Span:
        """Where the pack says this, for findings about it."""
        return _where(self.manifest, key, entry)


def parse_manifest(source: Source, folder: str) -> Pack:
    """Read a `pack.toml`; `folder` is the name to go by when it has no usable id."""
    try:
        if ABSURD_KEY.search(source.text):
            raise RecursionError
        table = tomllib.loads(source.text)
        clean = _without_controls(table)
    except (ValueError, RecursionError) as error:
        return Pack(folder, source, findings=(_not_toml(source, error),))
    reader = _Reader(source, clean)
    for key in [key for key, value in clean.items() if value != table.get(key)]:
        message = f"There is a control character in `{key}`, which is no text."
        reader.report("Z004", message, reader.span(key), "Take it out of the file.")
    return reader.pack(folder)


def _without_controls(value: Any) -> Any:
    """Return what TOML has, without the control characters that texts may name (`\\u001b`)."""
    if isinstance(value, str):
        return CONTROL.sub("", value)
    if isinstance(value, list):
        return [_without_controls(one) for one in value]
    if isinstance(value, dict):
        return {_without_controls(key): _without_controls(one) for key, one in value.items()}
    return value


def _not_toml(source: Source, error: Exception) -> Diagnostic:
    reason, span = toml_mistake(source, error)
    return Diagnostic(
        "Z011",
        f"This `pack.toml` cannot be read: {reason}.",
        span,
        'Write one `key = "value"` a line, texts in double quotes, lists in square brackets.',
    )


class _Reader:
    """One pass over the keys of a `pack.toml`, gathering findings as it goes."""

    def __init__(self, source: Source, table: dict[str, Any]) -> None:
        self.source = source
        self.table = table
        self.findings: list[Diagnostic] = []

    def pack(self, folder: str) -> Pack:
        self.unknown_keys()
        self.missing_keys()
        written = self.text("id")
        return Pack(
            id=self.checked_id(written) or folder,
            manifest=self.source,
            title=self.text("title"),
            edition=self.text("edition"),
            version=self.parsed("version", Version, NO_VERSION),
            engine=self.parsed("engine", SpecifierSet, ANY_VERSION),
            extends=self.needs("extends"),
            requires=self.needs("requires"),
            optional=self.needs("optional"),
            conflicts=self.conflicts(),
            players=self.players(),
            sources=self.sources(),
            cites=tuple(self.entries("cites")),
            authors=tuple(self.entries("authors")),
            licence=self.text("licence"),
            notes=self.text("notes"),
            language=self.text("language"),
            stack=self.text("stack"),
            incomplete=self.flag("incomplete"),
            findings=tuple(self.findings),
        )

    def report(self, code: str, message: str, span: Span, suggestion: str | None = None) -> None:
        self.findings.append(Diagnostic(code, message, span, suggestion))

    def span(self, key: str, entry: str | None = None) -> Span:
        return _where(self.source, key, entry)

    def unknown_keys(self) -> None:
        for key in self.table:
            if key not in KEYS:
                suggestion = did_you_mean(key, KEYS) or f"A pack may say: {', '.join(KEYS)}."
                message = f"A pack has no key called `{key}`."
                self.report("Z012", message, key_span(self.source, key, part="key"), suggestion)

    def missing_keys(self) -> None:
        for key in NEEDED:
            if key not in self.table:
                example = {"id": "my_pack", "title": "My pack", "version": "1.0.0"}[key]
                message = f"This pack does not say its `{key}`."
                self.report("Z014", message, self.source.span(0, 0), f'Add `{key} = "{example}"`.')

    def checked_id(self, written: str) -> str:
        if written and not ID.fullmatch(written):
            message = f"`{written}` cannot be the id of a pack."
            advice = "Use small letters, digits and underscores, beginning with a letter."
            self.report("Z015", message, self.span("id"), advice)
            return ""
        return written

    def text(self, key: str) -> str:
        value = self.table.get(key, "")
        if isinstance(value, str):
            return value
        message = f"`{key}` must be a text in quotes, but this is {_kind(value)}."
        shown = "…" if isinstance(value, list | dict) else str(value)
        self.report("Z013", message, self.span(key), f'Write `{key} = "{shown}"`.')
        return ""

    def flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if isinstance(value, bool):
            return value
        message = f"`{key}` must be true or false, but this is {_kind(value)}."
        self.report("Z013", message, self.span(key), f"Write `{key} = true`.")
        return False

    def entries(self, key: str) -> Iterator[str]:
        value = self.table.get(key, [])
        if not isinstance(value, list):
            message = f"`{key}` must be a list of texts, but this is {_kind(value)}."
            shown = value if isinstance(value, str) else "…"
            self.report("Z013", message, self.span(key), f'Write `{key} = ["{shown}"]`.')
            return
        for item in value:
            if isinstance(item, str):
                yield item
            else:
                message = f"Each entry of `{key}` must be a text in quotes; this is {_kind(item)}."
                advice = f'Write `{key} = ["…", "…"]`.'
                self.report("Z013", message, entry_span(self.source, key, item), advice)

    def parsed(self, key: str, parse: Callable[[str], T], fallback: T) -> T:
        written = self.text(key)
        try:
            return parse(written) if written else fallback
        except InvalidVersion:
            message = f"`{written}` is not a version."
            self.report("Z017", message, self.span(key), 'Write numbers with dots, as in "1.2.0".')
        except InvalidSpecifier:
            message = f"`{written}` is not a range of versions."
            self.report("Z018", message, self.span(key), 'Write it as in ">=0.1,<2".')
        return fallback

    def needs(self, key: str) -> tuple[Need, ...]:
        found = (self.need(key, entry) for entry in self.entries(key))
        return tuple(need for need in found if need)

    def conflicts(self) -> tuple[Need, ...]:
        """A list as the others, or a table that says of each pack why not."""
        value = self.table.get("conflicts")
        if not isinstance(value, dict):
            return self.needs("conflicts")
        found = []
        for entry, reason in value.items():
            span = key_span(self.source, entry, "conflicts", part="key")
            if not isinstance(reason, str):
                message = (
                    f"The reason for `{entry}` must be a text in quotes; this is {_kind(reason)}."
                )
                self.report("Z013", message, span, f'Write `{entry} = "…"`.')
            elif need := self.need("conflicts", entry, span):
                found.append(attrs.evolve(need, reason=reason))
        return tuple(found)

    def need(self, key: str, entry: str, span: Span | None = None) -> Need | None:
        span = span or self.span(key, entry)
        if "/" in entry or "\\" in entry or ".." in entry:
            message = f"`{key}` names other packs by their id, not by a path such as `{entry}`."
            advice = "Write the id, and say where the pack is with `--packs FOLDER`."
            self.report("Z006", message, span, advice)
            return None
        name = _BEFORE_RANGE.split(entry, maxsplit=1)[0]
        try:
            versions = SpecifierSet(entry.removeprefix(name))
        except InvalidSpecifier:
            versions = None
        if versions is None or not ID.fullmatch(name.strip()):
            message = f"`{entry}` does not name a pack."
            advice = "Write the pack's id, with a range if one matters: `core` or `core>=1,<2`."
            self.report("Z018", message, span, advice)
            return None
        return Need(name.strip(), versions, span)

    def players(self) -> tuple[int, int] | None:
        written = self.text("players").strip()
        if not written:
            return None
        match = PLAYERS.fullmatch(written)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if 1 <= low <= high:
            return low, high
        message = f"`{written}` is not a number of players."
        self.report("Z019", message, self.span("players"), 'Write it as in "5-9" or "4".')
        return None

    def sources(self) -> dict[str, str]:
        value = self.table.get("sources", {})
        if not isinstance(value, dict):
            message = f"`sources` must be a table, but this is {_kind(value)}."
            advice = 'Write `[sources]` on a line, and under it lines such as `W = "Rulebook"`.'
            self.report("Z013", message, self.span("sources"), advice)
            return {}
        for key, title in value.items():
            if not isinstance(title, str):
                message = f"The source `{key}` must be a text in quotes; this is {_kind(title)}."
                advice = f'Write `{key} = "…"`.'
                if key in KEYS:
                    advice = f"Move it up: below `[sources]`, `{key}` is the name of a source."
                self.report("Z013", message, key_span(self.source, key, "sources"), advice)
        return {key: title for key, title in value.items() if isinstance(title, str)}


def _where(source: Source, key: str, entry: str | None) -> Span:
    return key_span(source, key) if entry is None else entry_span(source, key, entry)


def _kind(value: object) -> str:
    """What a TOML value is, in English."""
    names = {bool: "yes or no", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a text" if isinstance(value, str) else "a date or time")
