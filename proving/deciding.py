"""A hash of what decides a game: the code of the language, the interpreter and the bots, and rules.

It is taken from syntax trees, so comments, layout and docstrings do not count, and it is the same
under every version of Python.
"""

import ast
import hashlib
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ziggurat import dsl, runtime
from ziggurat.dsl.files import cache_folder, replace_file
from ziggurat.dsl.linking.hashing import playing_hash
from ziggurat.runtime.kernel import Ruleset

FOLDER = "engines"
WRITING = ("arena.py", "usage.py")  # modules of this package that play games and record them
UNCOUNTED = {"version.py"}  # a new number alone changes no game
# Fields of syntax trees that say nothing, or that only some versions of Python have.
UNSAID = {"ctx", "kind", "type_comment", "type_ignores", "type_params"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def deciding_hash(ruleset: Ruleset) -> str:
    """Return a hash that is equal where the same bots play every game the same way."""
    text = f"{engine_hash()} {playing_hash(ruleset)}"
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def engine_hash() -> str:
    """Return the hash of the code that decides games, whatever the rules are."""
    sources = [(path.suffix, path.read_bytes()) for path in _paths()]
    bytes_hash = hashlib.sha256(b"\0".join(data for _, data in sources)).hexdigest()
    entry = cache_folder() / FOLDER / bytes_hash
    with suppress(OSError, ValueError):
        known = entry.read_text("ascii")
        if len(known) == len(bytes_hash):
            return known
    found = hash_sources(sources)
    with suppress(OSError):  # it takes a second to work it out again
        entry.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(entry, found.encode("ascii"))
    return found


def hash_sources(sources: Iterable[tuple[str, bytes]]) -> str:
    """Return a hash of source files, each given by its suffix and content."""
    digest = hashlib.sha256()
    for suffix, data in sources:
        text = repr(_plain(ast.parse(data))) if suffix == ".py" else data.decode()
        digest.update(f"{len(text)}\0{text}".encode())
    return digest.hexdigest()


def _paths() -> list[Path]:
    """Return the files that decide games, in the same order everywhere."""
    language, machine, own = (
        Path(dsl.__file__).parent,
        Path(runtime.__file__).parent,
        Path(__file__),
    )
    modules = [
        path
        for folder in (language, machine)
        for path in sorted(folder.rglob("*.py"), key=Path.as_posix)
        if path.name not in UNCOUNTED
    ]
    return [*modules, language / "grammar.lark", *(own.with_name(name) for name in WRITING)]


def _plain(node: Any) -> Any:
    """Return a syntax tree as tuples, without what says nothing."""
    if isinstance(node, list):
        return [_plain(member) for member in node]
    if not isinstance(node, ast.AST):
        return node
    fields = dict(ast.iter_fields(node))
    if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        fields["body"] = node.body[1:]
    if isinstance(node, ast.JoinedStr):  # Python 3.12 adds empty texts
        fields["values"] = [value for value in node.values if not _is_empty_text(value)]
    said = [
        (name, _plain(value))
        for name, value in fields.items()
        if name not in UNSAID and value is not None and value != []
    ]
    return (type(node).__name__, *said)


def _is_empty_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == ""
