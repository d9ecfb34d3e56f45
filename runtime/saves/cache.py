"""Compiled rulesets on disk, so that a stack is linked and compiled only when its texts change.

An entry lives in the user's own cache directory under a key made of the texts of all packs
(`pack.toml` is one of them: it too is part of a ruleset), the versions of language and compiler,
and Python's magic number; it never comes from a pack. It holds the linked ruleset (without its
scenarios, which are more than half of it and which nobody plays) and its program in one pickle
behind a checksum: pickle because it is the fastest way back to IR objects, acceptable because
`dsl.files` reads only what nobody but this user can have written. What is damaged, stale or
unreadable is built anew without a word. Entries are written to a temporary file and renamed, so
two processes may write at once.
"""

import hashlib
import importlib.util
import pickle
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from ziggurat import dsl, runtime
from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.files import cache_folder, read_cached, write_cached
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.packs import Search, read_catalogues, read_sources, resolve_stack
from ziggurat.dsl.stacks import Stack
from ziggurat.dsl.version import __version__
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.garbage import pause_garbage_collection
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

FOLDER = "programs"
KEPT = 40  # entries of other stacks that stay


def directory() -> Path:
    """Where entries are kept."""
    return cache_folder() / FOLDER


@cache
def compiler_version() -> str:
    """A hash of the sources that decide what an entry looks like."""
    room = Path(runtime.__file__).parent
    language = Path(dsl.__file__).parent
    sources = [
        *sorted(room.rglob("*.py")), *sorted(language.rglob("*.py")), language / "grammar.lark",
    ]  # fmt: skip
    digest = hashlib.sha256(__version__.encode() + importlib.util.MAGIC_NUMBER)
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def key(texts: Iterable[tuple[str, str]], trace: bool = False) -> str:
    """The key of a stack: `texts` are the names and contents of all its files, in order."""
    digest = hashlib.sha256(compiler_version().encode() + bytes([trace]))
    for name, text in texts:
        for part in (name, text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def stack_key(
    stack: Stack,
    sources: Iterable[Source],
    trace: bool = False,
    catalogues: Iterable[tuple[str, bytes]] = (),
) -> str:
    """The key of a stack that was found, with the texts of its files and translations."""
    texts = [(one.path, one.text) for one in (*(pack.manifest for pack in stack.packs), *sources)]
    texts += [(path, hashlib.sha256(data).hexdigest()) for path, data in catalogues]
    return key([(stack.name, ""), *texts], trace)


def load_program(
    stack_text: str, search: Search | None = None, trace: bool = False, language: str = ""
) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The program of a stack such as `west+expert`, and what is wrong with it if there is none. It
    speaks another `language` as far as packs are translated. Raises `BadCatalogue`."""
    search = search or Search.default()
    stack, findings = resolve_stack(stack_text, search)
    if stack is None:
        return None, tuple(findings)
    sources, problems = read_sources(stack)
    findings = [*findings, *problems]
    catalogues = read_catalogues(stack, search, language) if language else []
    found: list[Diagnostic] = []

    def build() -> ir.Ruleset | None:
        result = load_sources(sources, stack, findings)
        found.extend(result.diagnostics)
        if result.ruleset is None or not catalogues:
            return result.ruleset
        from ziggurat.dsl.translating.catalogue import read_translation, translated

        return translated(result.ruleset, [read_translation(*one) for one in catalogues])

    if any(finding.is_error for finding in findings):
        build()  # what could not be read is in no key
        return None, tuple(found)
    name = stack_key(stack, sources, trace, catalogues)
    return cached(name, build, trace), tuple(found)


def cached(
    name: str, build: Callable[[], ir.Ruleset | None], trace: bool = False
) -> Program | None:
    """The program under a key, from the cache or built with `build` and kept. None if there is no
    ruleset to build; that is never kept. The program's ruleset has no scenarios."""
    path = directory() / f"{name}.program"
    found = _read(path)
    if found is not None:
        return found
    with pause_garbage_collection():
        ruleset = build()
        if ruleset is None:
            return None
        program = compile_ruleset(attrs.evolve(ruleset, scenarios=()), trace)
        _write(path, program)
    return program


def _read(path: Path) -> Program | None:
    found = read_entry(path)
    return found if isinstance(found, Program) else None


def read_entry(path: Path) -> Any:
    """Return what an entry holds; None if it is missing, damaged or cannot be trusted."""
    data = read_cached(path)
    if data is None:
        return None
    try:
        checksum, body = data[:32], data[32:]
        if hashlib.sha256(body).digest() != checksum:
            return None
        with pause_garbage_collection():
            return pickle.loads(body)
    except Exception:  # whatever a damaged entry does, it is only built anew
        return None


def _write(path: Path, program: Program) -> None:
    write_entry(path, program.without_sources())


def write_entry(path: Path, entry: object) -> None:
    """Keep an entry if that is possible; a full or read-only disk is no reason to fail."""
    try:
        body = pickle.dumps(entry, pickle.HIGHEST_PROTOCOL)
        if write_cached(path, hashlib.sha256(body).digest() + body):
            _tidy(path)
    except (OSError, pickle.PicklingError, RecursionError):
        return


def _tidy(kept: Path) -> None:
    """Of the entries of a sort the latest stay."""
    entries = kept.parent.glob(f"*{kept.suffix}")
    for entry in sorted(entries, key=lambda entry: entry.stat().st_mtime)[:-KEPT]:
        entry.unlink(missing_ok=True)
