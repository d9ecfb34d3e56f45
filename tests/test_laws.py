"""The laws of the architecture, as tests: where files are touched, and no game in Python.

Which package may import which is checked by import-linter; the contracts are in `pyproject.toml`.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import lark
import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("dsl", "runtime", "proving", "studio")
OURS = {"dsl", "runtime", "proving", "studio", "content", "tests", "benchmarks", "ziggurat"}
MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
LANGUAGE = [path for path in MODULES if path.relative_to(ROOT).parts[0] == "dsl"]
PAGE = [
    path
    for ending in ("js", "css", "html")
    for path in sorted((ROOT / "studio").rglob(f"*.{ending}"))
]
GAMELESS = [*MODULES, *sorted((ROOT / "src").rglob("*.py")), *PAGE]

# Words of the games: those of the shipped packs, then those of the games in tests/packs. `city` and
# `token` have other meanings too (and tokens are what a lexer makes), so only identifiers that can
# mean nothing else are listed; `advance` only as a noun.
GAME_WORDS = re.compile(
    r"""treasur(?:y|ies) | barbarian | pirate | famine | calamit(?:y|ies) | census
    | commodit(?:y|ies) | city.?sites? | cit(?:y|ies)_support | civiliz | flood.?plains?
    | volcano | \bseas?\b | \bepochs?\b
    | \badvances\b | \b(?:an|the|each|every|of)\ advance\b | ["'`]advance\b | _advance\b
    | \badvance_
    | \bglory\b | \bempires?\b | artefact | religion | \bgovernments?\b | manoeuvre | \bnations?\b
    | cavalry | infantry | tactician | homeland | elephant | \bnukes?\b | latecomer
    | \barm(?:y|ies)\b | terrain | garrison | zones?.of.control | tortoise""",
    re.IGNORECASE | re.VERBOSE,
)

FILE_MODULES = {
    *("os", "pathlib", "io", "shutil", "tempfile", "glob", "fileinput", "mmap", "sqlite3"),
    *("subprocess", "socket", "urllib", "http", "importlib", "pkgutil", "platformdirs"),
}
FILE_CALLS = {"open", "read_text", "write_text", "read_bytes", "write_bytes", "unlink", "iterdir"}
# The loader, the catalogue, and the grammar, which the parser reads as part of the program.
# Only these modules may import the packages of extras.
EXTRAS = {
    "studio/site/build.py": {"mkdocs"},
    "studio/simulation/cluster.py": {"distributed"},
    "studio/simulation/tables.py": {"duckdb"},
    "dsl/translating/languages.py": {"babel"},
}
MAY_TOUCH_FILES = {
    "packs.py": FILE_MODULES | FILE_CALLS,
    "codes.py": {"pathlib", "read_text"},
    "files.py": {"os", "pathlib", "tempfile", "unlink", "platformdirs", "open"},
    "grammar.py": {"pathlib", "read_text"},
    "tables.py": {"pathlib"},  # the cache of parser tables, through `files`
}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return the nodes of a module that a law reads, without its many plain names."""
    read = (ast.Import, ast.ImportFrom, ast.Call, ast.Attribute)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, read)]


def breaches(
    paths: Iterable[Path], broken: Callable[[Path], Iterable[str]]
) -> dict[str, list[str]]:
    """Return how each of these files breaks a law."""
    everywhere = {name(path): [*broken(path)] for path in paths}
    return {file: those for file, those in everywhere.items() if those}


def imports(path: Path) -> Iterator[str]:
    """Yield the room, or the first part of the name, of every module a file imports."""
    for node in nodes(path):
        match node:
            case ast.Import(names=names):
                yield from (_room(alias.name) for alias in names)
            case ast.ImportFrom(module="ziggurat", names=names):
                yield from (alias.name for alias in names if alias.name in OURS)
            case ast.ImportFrom(module=str(module), level=0):
                yield _room(module)
            case ast.Call(
                func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(m))]
            ):
                yield _room(m)


def _room(module: str) -> str:
    return module.removeprefix("ziggurat.").partition(".")[0]


def calls(path: Path) -> Iterator[str]:
    """Yield the last part of the name of everything a file calls."""
    for node in nodes(path):
        match node:
            case ast.Call(func=ast.Name(id=called)) | ast.Call(func=ast.Attribute(attr=called)):
                yield called


def _of_editor(path: Path) -> set[str]:
    """What the extra `editor` brings, for the server, and for the two commands that may lack it."""
    parts = path.relative_to(ROOT).parts
    mine = parts[:2] == ("studio", "editor") or path.name in ("lsp.py", "watch.py")
    return {"pygls", "lsprotocol", "watchfiles"} if mine else set()


def test_what_is_imported_is_installed() -> None:
    """Whoever installs Ziggurat without extras has all that its commands need."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = {re.match(r"[\w-]+", one)[0] for one in wanted["dependencies"]}  # type: ignore[index]
    known = {*sys.stdlib_module_names, *OURS, *(one.replace("-", "_") for one in installed)}

    def missing(path: Path) -> set[str]:
        return set(imports(path)) - known - EXTRAS.get(name(path), set()) - _of_editor(path)

    assert breaches(MODULES, missing) == {}


def matching(path: Path, pattern: re.Pattern[str]) -> list[str]:
    return [f"{n}: {line.strip()}" for n, line in enumerate(lines(path), 1) if pattern.search(line)]


def test_no_game_in_python() -> None:
    assert breaches(GAMELESS, lambda path: matching(path, GAME_WORDS)) == {}


STATIC = [path for path in PAGE if "static" in path.parts]
# Ways for text of a pack to become markup or a program, and addresses of others.
UNSAFE = re.compile(
    r"""innerHTML | outerHTML | insertAdjacentHTML | document\.write | \beval\( | new\ Function
    | \bon\w+=["'] | style=["'] | javascript: | https?://(?!www\.w3\.org/2000/svg)""",
    re.VERBOSE,
)


def test_the_page_shows_text_as_text_and_needs_nobody_else() -> None:
    assert breaches(STATIC, lambda path: matching(path, UNSAFE)) == {}


def test_only_the_loader_touches_files() -> None:
    def touching(path: Path) -> set[str]:
        used = (set(imports(path)) & FILE_MODULES) | (set(calls(path)) & FILE_CALLS)
        return used - MAY_TOUCH_FILES.get(path.name, set())

    assert breaches(LANGUAGE, touching) == {}


# What belongs to the machine: no front end reads it off a game, a moment, a decision or a save.
INSIDES = {
    *("run", "table", "state", "now", "shown", "pending", "inner_value", "decide", "place"),
    *("bound", "frames", "sites", "reason", "check_inner", "snapshot", "restore", "edit", "call"),
}
HOLDERS = {"game", "moment", "decision", "save", "settled"}


def reaches(path: Path) -> Iterator[str]:
    """Yield where a file reads the insides of a game, or something private of any object."""
    for node in nodes(path):
        if not isinstance(node, ast.Attribute):
            continue
        of = node.value
        holder = of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")
        private = node.attr.startswith("_") and not node.attr.startswith("__")
        if (holder in HOLDERS and node.attr in INSIDES) or (private and holder not in OWN):
            yield f"{node.lineno}: {holder}.{node.attr}"


OWN = {"self", "cls"}
FRONT_ENDS = [path for path in MODULES if path.relative_to(ROOT).parts[0] == "studio"]


def test_front_ends_use_the_public_face() -> None:
    assert breaches(FRONT_ENDS, reaches) == {}


# What a phase is doing is the scheduler's own; the parser's machine has frames of another kind.
MAY_READ_FRAMES = {
    f"runtime/kernel/{name}.py" for name in ("state", "scheduler", "stages", "position", "frames")
}
ASKERS = [path for path in MODULES if path not in LANGUAGE] + sorted(ROOT.glob("benchmarks/*.py"))


def test_only_the_scheduler_reads_frames() -> None:
    def reads(path: Path) -> Iterator[str]:
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and node.attr == "frames":
                yield str(node.lineno)

    askers = [path for path in ASKERS if name(path) not in MAY_READ_FRAMES]
    assert breaches(askers, reads) == {}


def test_decision_requests_are_told_apart_by_class() -> None:
    """Their tag is for other programs; one module reads it."""
    pattern = re.compile(r"\bask\.kind\b")
    found = breaches(MODULES, lambda path: matching(path, pattern))
    assert found.keys() == {"runtime/game/decisions.py"}


def into_lark(path: Path) -> Iterator[str]:
    """Yield what a file takes of Lark that Lark does not promise to keep."""
    for node in nodes(path):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name.startswith("lark."))
            case ast.ImportFrom(module="lark", names=names):
                yield from {alias.name for alias in names} - set(lark.__all__)
            case ast.ImportFrom(module=str(module)) if module.startswith("lark."):
                yield module
            case ast.Attribute(value=ast.Name(id="lark"), attr=attr):
                yield from {attr} - {*lark.__all__, "__version__"}
            case ast.Attribute(attr="_parse_table" | "parse_conf" | "parser_state"):
                yield node.attr


def test_one_module_looks_into_lark() -> None:
    assert breaches(MODULES, into_lark).keys() == {"dsl/lark_tables.py"}


def test_no_python_in_the_game() -> None:
    assert [name(path) for path in (ROOT / "content").rglob("*.py*")] == []


def test_people_are_they() -> None:
    """Players, authors and readers are of any kind."""
    texts = [
        path
        for folder in (*ROOMS, "src", "content", "docs", "tests", "benchmarks")
        for ending in ("py", "rules", "md", "js", "html")
        for path in sorted((ROOT / folder).rglob(f"*.{ending}"))
    ]
    one_kind = re.compile(r"\b(?:h[e]|h[i]s|h[i]m|h[i]mself)\b", re.IGNORECASE)
    assert [name(path) for path in texts if one_kind.search(path.read_text(encoding="utf-8"))] == []


def test_no_test_looks_at_the_clock() -> None:
    """A test passes on a busy machine too; effort is counted by `tests.effort`."""
    clock = {"time", "perf_counter", "process_time", "monotonic", "thread_time", "timeit"}
    looking = [path for path in (ROOT / "tests").rglob("*.py") if clock & {*calls(path)}]
    assert [name(path) for path in looking] == []


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_typed(room: str) -> None:
    assert (ROOT / room / "py.typed").is_file()


@pytest.mark.parametrize(
    ("line", "is_game"),
    [
        ("treasury = 3", True),
        ("the census of players", True),
        ("spot.flood_plain", True),
        ('SITE = "city_site"', True),
        ("names of seas", True),
        ("season, research, overseas", False),
        ("a garrison of two armies", True),
        ("army of lexers", True),
        ("the glory of an owner", True),
        ("several empires", True),
        ("imperial, nationality", False),
        ("alarms", False),
        ('kind == "advance"', True),
        ("held_advance", True),
        ("self.advance()", False),
        ("in advance of the parser", False),
        ("token.type", False),
        ("capacity", False),
    ],
)
def test_the_word_list_itself(line: str, is_game: bool) -> None:
    assert bool(GAME_WORDS.search(line)) is is_game
