"""Packs on disk: finding them, and reading their files safely. The only door to files in `dsl`.

A pack may come from a stranger. So nothing outside its folder is read, links that lead out of it
are refused, sizes and numbers are bounded, and whatever is wrong becomes a finding. Names shown to
people are portable: `west/taxes.rules`, wherever the pack lives.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Note, Source, Span
from ziggurat.dsl.files import library_folder
from ziggurat.dsl.manifest import ID, Need, Pack, parse_manifest
from ziggurat.dsl.stacks import Stack, order_stack
from ziggurat.dsl.texts import about_file, decode, portable

__all__ = [
    "Need",
    "Pack",
    "Search",
    "Stack",
    "catalogue_name",
    "find_packs",
    "is_built_in",
    "is_pack",
    "load_pack",
    "package_folders",
    "read_catalogues",
    "read_rules_file",
    "read_sources",
    "real_path",
    "resolve_stack",
]

MANIFEST = "pack.toml"
MANIFEST_BYTES = 64_000
FILE_BYTES = 1_000_000
CATALOGUE_BYTES = 8_000_000
PACK_FILES = 2_000
PACK_ENTRIES = 100_000
BUILT_IN = Path(__file__).resolve().parent.parent / "content"
BELOW = ("variants", "boards", "translations")
ENVIRONMENT = "ZIGGURAT_PACKS"
ENTRY_POINTS = "ziggurat.packs"
STACK_NAME = "<stack>"
NAMESAKE = "Z035"  # the warning that another pack has the same id


@attrs.frozen
class Search:
    """Folders in which packs are looked for; in the first that has a pack, it is found.

    A folder holds packs as `<id>/pack.toml`, also below `BELOW`, or is one itself.
    """

    folders: tuple[Path, ...] = (BUILT_IN,)
    # The texts of files that an editor has open, by `real_path`; they replace those on the disk.
    shown: Mapping[str, str] = attrs.field(factory=dict, eq=False, repr=False)

    @classmethod
    def default(cls, extra: Iterable[str | Path] = ()) -> "Search":
        """The folders given, then those of `ZIGGURAT_PACKS`, then what is installed by itself or
        with Python packages, then the packs that came along."""
        named = [part for part in os.environ.get(ENVIRONMENT, "").split(os.pathsep) if part]
        library = library_folder()
        installed = [library] if os.path.isdir(library) else []
        first = (Path(folder) for folder in (*extra, *named))
        return cls((*first, *installed, *package_folders(), BUILT_IN))

    def adding(self, folders: Iterable[str | Path]) -> "Search":
        """The same, and these folders, if they are there, before the packs that came along."""
        more = tuple(Path(folder) for folder in folders if os.path.isdir(folder))
        first = tuple(folder for folder in self.folders if folder != BUILT_IN)
        return attrs.evolve(self, folders=(*first, *more, *self.folders[len(first) :]))

    def including(self, stack_text: str) -> "Search":
        """The same, and packs that a stack names by their folder are then found by their id."""
        named = (_folder(span.text) for span in _elements(Source(STACK_NAME, stack_text)))
        folders = (*(Path(folder) for folder in named if folder), *self.folders)
        return attrs.evolve(self, folders=folders)

    def preferring(self, folder: Path) -> "Search":
        """Return a search in which the id of the pack in `folder` leads to this folder."""
        preferred = attrs.evolve(self, folders=(folder, *self.folders))
        pack = find_packs(preferred).get(load_pack(folder, shown=self.shown).id)
        is_alone = pack is None or all(one.code != NAMESAKE for one in pack.findings)
        return self if is_alone else preferred

    def showing(self, texts: Mapping[str, str]) -> "Search":
        """The same, with the texts of files that an editor has open; they may change later."""
        return attrs.evolve(self, shown=texts)


@cache
def package_folders() -> dict[Path, str]:
    """Return the folders with packs that Python packages bring, and the names of those packages.

    An entry point of the group names a package, and perhaps a folder of it: `my_rules`, or
    `my_rules:packs`. A pack is data, so no code of the package may run: only the outermost package
    is looked for, because Python imports a package to look for what is inside.
    """
    from importlib.metadata import entry_points  # which loads 30 modules

    folders: dict[Path, str] = {}
    for point in sorted(
        entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)
    ):
        outermost, *inner = point.value.replace(":", ".").replace(" ", "").split(".")
        try:
            spec = find_spec(outermost)
        except (ImportError, ValueError, AttributeError):
            continue
        for place in (spec and spec.submodule_search_locations) or ():
            folder = Path(place, *inner)
            if folder.is_relative_to(place) and os.path.isdir(folder):
                folders.setdefault(folder, point.dist.name if point.dist else point.name)
    return folders


def find_packs(search: Search) -> dict[str, Pack]:
    """Return every pack on the search path by id; mistakes are in each `Pack.findings`."""
    known: dict[str, Pack] = {}
    for folder in search.folders:
        here: dict[str, Pack] = {}
        for place in _pack_folders(folder):
            pack = load_pack(place, in_search=place != folder, shown=search.shown)
            first = known.get(pack.id) or here.setdefault(pack.id, pack)
            if os.path.realpath(first.path) == os.path.realpath(place):
                continue
            if pack.id in here:
                here[pack.id] = _twice(first, pack, folder)
            elif Path(first.path) in search.folders:
                known[pack.id] = _warn_of_namesake(first, pack)
        known |= here
    return dict(sorted(known.items()))


def load_pack(
    folder: Path, in_search: bool = False, shown: Mapping[str, str] | None = None
) -> Pack:
    """The pack in a folder; one found by search must be named after its folder."""
    name = portable(Path(os.path.abspath(folder)).name)
    source, findings = _read_text(folder, MANIFEST, name, MANIFEST_BYTES)
    text = shown.get(real_path(folder / MANIFEST)) if shown else None
    if text is not None:
        source, findings = Source(f"{name}/{MANIFEST}", text, name), []
    if source is None:
        empty = Source(f"{name}/{MANIFEST}", "", name)
        return Pack(name, empty, str(folder), findings=tuple(findings))
    pack = parse_manifest(source, name)
    if pack.id != name:
        pack = parse_manifest(Source(f"{pack.id}/{MANIFEST}", source.text, pack.id), name)
        findings += [_misnamed(pack, name)] if in_search else []
    files, more = _rules_files(folder, pack.id)
    return attrs.evolve(
        pack, path=str(folder), files=files, findings=(*pack.findings, *findings, *more)
    )


def load_pack_of_folder(folder: Path, search: Search) -> Pack:
    """Return the pack in a folder, with a warning if its id leads to another one in `search`."""
    pack = load_pack(folder, shown=search.shown)
    if not is_pack(folder):
        return pack
    preferred = attrs.evolve(search, folders=(folder, *search.folders))
    return find_packs(preferred).get(pack.id, pack)


def resolve_stack(
    text: str, search: Search, game: bool = True
) -> tuple[Stack | None, list[Diagnostic]]:
    """The packs of a stack such as `west+expert` in linking order, and what is wrong with them.

    An element is the id of a pack, or the folder of one (`./my_pack`). There is a stack whenever
    linking it makes sense: findings may come with it, and then it must not be played. That no pack
    of it is a game is only said where a `game` is wanted.
    """
    source = Source(STACK_NAME, text)
    known = cache(lambda: find_packs(search))
    elements: list[tuple[Span, Pack | None]] = []
    refused: list[Diagnostic] = []
    for span in _elements(source):
        pack, problem = _element(span, search, known)
        refused += [problem] if problem else []
        elements += [] if problem else [(span, pack)]
    stack, findings = order_stack(
        elements, lambda pack_id: _lookup(pack_id, search, known), lambda: tuple(known()), game
    )
    return (None if refused else stack), refused + findings


def read_sources(
    stack: Stack, shown: Mapping[str, str] | None = None
) -> tuple[list[Source], list[Diagnostic]]:
    """Return the text of all rules files in linking order; files that cannot be used are findings.

    `shown` has the texts of files that an editor has open, as in `Search`.
    """
    sources: list[Source] = []
    findings: list[Diagnostic] = []
    for pack in stack.packs:
        folder = os.path.realpath(pack.path) if shown else ""
        for name in pack.files:
            source, problems = _read_text(Path(pack.path), name, pack.id, FILE_BYTES)
            text = shown.get(os.path.join(folder, name)) if shown else None
            if text is not None:
                data = text.encode("utf-8", "replace")
                source, problems = decode(data, f"{pack.id}/{portable(name)}", pack.id)
            sources += [source] if source else []
            findings += problems
    return sources, findings


def real_path(path: Path) -> str:
    """Return the path of a file by which `Search.shown` knows it, through links to its folder."""
    return os.path.join(os.path.realpath(path.parent), path.name)


def read_catalogues(stack: Stack, search: Search, language: str) -> list[tuple[str, bytes]]:
    """The catalogues of a language: those of the packs of a stack, the uppermost first, and those
    of all packs that are translations into it. One that cannot be read is as good as none."""
    speaking = [pack for pack in find_packs(search).values() if pack.language == language]
    found = []
    for pack in (*reversed(stack.packs), *speaking):
        name = catalogue_name(language)
        data, problem = _read_bytes(Path(pack.path) / name, f"{pack.id}/{name}", CATALOGUE_BYTES)
        if not problem:
            found.append((f"{pack.id}/{name}", data))
    return found


def catalogue_name(language: str) -> str:
    """Where in its folder a pack has what it says in another language."""
    return f"locale/{language}.po"


def read_rules_file(path: Path) -> tuple[Source | None, list[Diagnostic]]:
    """One file on its own, named as the author named it."""
    display = portable(path.as_posix())
    data, problem = _read_bytes(path, display, FILE_BYTES)
    return (None, [problem]) if problem else decode(data, display, "")


def is_pack(folder: Path) -> bool:
    """Whether this is the folder of a pack: one with a `pack.toml`."""
    return os.path.isfile(folder / MANIFEST)


def is_built_in(pack: Pack) -> bool:
    """Whether a pack came with Ziggurat."""
    return Path(pack.path).is_relative_to(BUILT_IN)


def _pack_folders(folder: Path) -> Iterator[Path]:
    if is_pack(folder):
        yield folder
    for place in (folder, *(folder / name for name in BELOW)):
        names = sorted(entry.name for entry in _entries(place, PACK_ENTRIES) or ())
        yield from (place / name for name in names if is_pack(place / name))


def _twice(first: Pack, second: Pack, folder: Path) -> Pack:
    message = f"Two packs in one folder of packs are called `{first.id}`."
    places = [
        _id_span(pack, portable(Path(pack.path).relative_to(folder).as_posix()))
        for pack in (first, second)
    ]
    note = Note("The other one is here.", places[1])
    finding = Diagnostic("Z027", message, places[0], "Rename one of them.", (note,))
    return attrs.evolve(first, findings=(*first.findings, finding))


def _warn_of_namesake(pack: Pack, other: Pack) -> Pack:
    """Return `pack`, which was chosen by its folder, with a warning if `other` is in another."""
    folder = portable(pack.path)
    message = f"Two packs are called `{pack.id}`; the one in `{folder}` is used."
    note = Note(f"The other one is in `{portable(other.path)}`.")
    advice = "Give one of them another id, or take one of the folders away."
    finding = Diagnostic(NAMESAKE, message, pack.span("id"), advice, (note,), "warning")
    return attrs.evolve(pack, findings=(*pack.findings, finding))


def _misnamed(pack: Pack, name: str) -> Diagnostic:
    message = f"The pack `{pack.id}` lives in a folder called `{name}`."
    advice = f'Rename the folder to `{pack.id}`, or write `id = "{name}"`.'
    return Diagnostic("Z016", message, _id_span(pack, name), advice)


def _id_span(pack: Pack, folder: str) -> Span:
    """Where a pack says its id, under the name of its folder when that is what matters."""
    source = attrs.evolve(pack.manifest, path=f"{folder}/{MANIFEST}")
    return attrs.evolve(pack.span("id"), source=source)


def _elements(source: Source) -> Iterator[Span]:
    """The parts of a stack; a folder with a plus sign in its name is one part."""
    parts, start = source.text.split("+"), 0
    while parts:
        number = next((n for n in range(len(parts), 1, -1) if _is_path(parts[:n])), 1)
        part = "+".join(parts[:number])
        parts = parts[number:]
        inner = start + len(part) - len(part.lstrip())
        yield source.span(inner, max(inner, start + len(part.rstrip())))
        start += len(part) + 1


def _is_path(parts: list[str]) -> bool:
    """Return whether plus signs belong to the path of a folder."""
    path = "+".join(parts).strip()
    return bool(_folder(path)) and any("/" in part or os.sep in part for part in parts)


def _element(
    span: Span, search: Search, known: Callable[[], dict[str, Pack]]
) -> tuple[Pack | None, Diagnostic | None]:
    name = span.text
    if not name:
        message = "Something is missing in this stack: each `+` stands between two packs."
        return None, Diagnostic("Z028", message, span, "Write it as in `west+expert`.")
    if ID.fullmatch(name):
        pack = _lookup(name, search, known)
        here = pack is None and is_pack(Path(name))
        return (load_pack(Path(name), shown=search.shown) if here else pack), None
    if "+" in name and name != span.source.text:
        message = f"The folder `{name}` has a `+` in its path, which separates packs in a stack."
        advice = "Name the pack by its id, and the folder that it lies in with `--packs FOLDER`."
        return None, Diagnostic("Z007", message, span, advice)
    if folder := _folder(name):
        return load_pack_of_folder(Path(folder), search), None
    if "/" in name or os.sep in name:
        message = f"There is no folder `{name}`."
        return None, Diagnostic("Z007", message, span, "Name a pack, or the folder of one.")
    return None, None


def _folder(element: str) -> str:
    """Return the folder that an element of a stack names by its path, or an empty string."""
    if "\0" in element:  # no path has one, and looking up a home raises an error for it
        return ""
    folder = os.path.expanduser(element)
    return folder if not ID.fullmatch(element) and os.path.isdir(folder) else ""


def _lookup(pack_id: str, search: Search, known: Callable[[], dict[str, Pack]]) -> Pack | None:
    """A pack by its id, without opening all the others when it is where it should be."""
    for folder in search.folders:
        places = [folder / pack_id, *(folder / name / pack_id for name in BELOW)]
        found = [place for place in places if is_pack(place)]
        if is_pack(folder) or len(found) > 1:
            break
        if found:
            return load_pack(found[0], in_search=True, shown=search.shown)
    return known().get(pack_id)


def _rules_files(folder: Path, pack_id: str) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """The names of all rules files below a folder, sorted, with `/` between their parts.

    Names that begin with a dot belong to editors and other tools, not to the pack.
    """
    files: list[str] = []
    findings: list[Diagnostic] = []
    entries = 0
    waiting = [""]
    while waiting and len(files) <= PACK_FILES and entries <= PACK_ENTRIES:
        below = waiting.pop()
        found = _entries(folder / below, PACK_ENTRIES + 1 - entries)
        if found is None:
            message = "This folder cannot be read."
            advice = "Look at the permissions of the folder."
            findings.append(about_file(f"{pack_id}/{portable(below)}", "Z001", message, advice))
            continue
        entries += len(found)
        for entry in found:
            name = f"{below}/{entry.name}" if below else entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(name)
            elif os.path.isdir(entry):
                message = "This is a link to a folder, and links to folders are not followed."
                findings.append(_link(f"{pack_id}/{portable(name)}", message))
            elif name.endswith(".rules"):
                files.append(name)
    if len(files) > PACK_FILES or entries > PACK_ENTRIES:
        return (), [_too_many_files(pack_id)]
    return tuple(sorted(files)), findings


def _entries(folder: Path, limit: int) -> list[os.DirEntry[str]] | None:
    try:
        with os.scandir(folder) as entries:
            return list(islice(entries, limit))
    except (OSError, ValueError):
        return None


def _read_text(
    folder: Path, name: str, pack_id: str, limit: int
) -> tuple[Source | None, list[Diagnostic]]:
    """A file of a pack as text, if it truly lies inside the pack's folder."""
    display = f"{pack_id}/{portable(name)}"
    path = folder / name
    if os.path.islink(path) and not _inside(folder, path):
        return None, [_link(display, f"This is a link that leads out of the pack `{pack_id}`.")]
    data, problem = _read_bytes(path, display, limit)
    return (None, [problem]) if problem else decode(data, display, pack_id)


def _inside(folder: Path, path: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _read_bytes(path: Path, display: str, limit: int) -> tuple[bytes, Diagnostic | None]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            advice = (
                "Put a plain file in its place, or give it a name that does not end in `.rules`."
            )
            return b"", about_file(display, "Z001", "This is not an ordinary file.", advice)
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        return b"", _missing(path, display)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "it cannot be opened").lower()
        message = f"This file cannot be read: {reason}."
        return b"", about_file(display, "Z001", message, "Look at the file and its permissions.")
    if len(data) > limit:
        advice = f"Split it into several files; a pack may have up to {PACK_FILES:,}."
        if path.name == MANIFEST:
            advice = "It only says what the pack is; put everything else into files of rules."
        message = f"This file is larger than {limit:,} bytes."
        return b"", about_file(display, "Z002", message, advice)
    return data, None


def _missing(path: Path, display: str) -> Diagnostic:
    if path.name == MANIFEST:
        advice = "Name the folder of a pack, or add a `pack.toml` with id, title and version."
        return about_file(display, "Z010", "This folder has no `pack.toml`.", advice)
    if path.is_symlink():
        message, advice = (
            "This is a link to a file that is not there.",
            "Put the file in its place.",
        )
    else:
        message, advice = (
            "There is no such file.",
            "Look at its name, and at the folder you are in.",
        )
    return about_file(display, "Z007", message, advice)


def _link(display: str, message: str) -> Diagnostic:
    return about_file(display, "Z006", message, "Put the files themselves into the pack.")


def _too_many_files(pack_id: str) -> Diagnostic:
    message = f"The pack `{pack_id}` has more than {PACK_FILES:,} rules files."
    advice = "Name the folder of the pack, not one above it; or put several things in one file."
    return about_file(f"{pack_id}/{MANIFEST}", "Z005", message, advice)
