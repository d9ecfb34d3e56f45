"""The rules that saved games began with, kept so that the games can go on by them.

Every pack a save names is kept once for all saves: its texts without scenarios and questions, in
one compressed file under its id and the hash of its texts. A save holds the hash of what was kept,
so what somebody changes there later is noticed. Files are read within the bounds of `install`, and
put into the cache as folders when a game goes on by them.
"""

import base64
import binascii
import hashlib
import json
import lzma
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from ziggurat import (
    MANIFEST,
    BadSave,
    Header,
    Ruleset,
    Search,
    Source,
    cache_folder,
    embed_rules,
    hash_texts,
    keep_playing_text,
    kept_rules_folder,
    read_header,
    read_sources,
    replace_file,
    resolve_stack,
)
from ziggurat.studio.console import UsageError
from ziggurat.studio.sharing.archive import MOST_TOGETHER, check

FORMAT = 1
ENDING = ".rules.xz"
HASH_LENGTH = 24  # of the hash of texts, in names of files
MEMORY = 100_000_000
UNFOLDED = "kept"
SLIM, WHOLE = "", "+scenarios"
Texts = dict[str, str]


@attrs.frozen
class KeptPack:
    """A file in the folder of kept rules."""

    path: Path
    size: int

    @property
    def name(self) -> str:
        """What people call it: `west-1f2e3d…`."""
        return self.path.name.removesuffix(ENDING)


def keep_rules(ruleset: Ruleset, search: Search, *, scenarios: bool = False) -> dict[str, str]:
    """Keep the rules of a game that begins, and return the hashes for its save.

    Only games that begin at a scenario need `scenarios`. Raise OSError if nothing can be kept.
    """
    stack, _ = resolve_stack(ruleset.stack, search)
    if stack is None:
        return {}
    sources, _ = read_sources(stack)
    hashes = {pack.id: pack.text_hash for pack in ruleset.packs}
    kept = {}
    for pack in stack.packs:
        own = [source for source in sources if source.pack == pack.id]
        known = hash_texts(pack.manifest.text, [(source.path, source.text) for source in own])
        if hashes.get(pack.id) != known:  # somebody has just changed it
            return {}
        path = _file(pack.id, known, scenarios=scenarios)
        data = _read(path)
        if data is None:
            data = _pack_texts(pack.manifest.text, own, scenarios=scenarios)
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, lzma.compress(data, preset=9), durable=True)
        kept[pack.id] = hashlib.sha256(data).hexdigest()
    return kept


def _pack_texts(manifest: str, sources: list[Source], *, scenarios: bool) -> bytes:
    texts = {MANIFEST: manifest}
    for source in sources:
        name = source.path.partition("/")[2]
        texts[name] = source.text if scenarios else keep_playing_text(source)
    data = {"format": FORMAT, "files": dict(sorted(texts.items()))}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _file(id_: str, text_hash: str, *, scenarios: bool) -> Path:
    sort = WHOLE if scenarios else SLIM
    return kept_rules_folder() / f"{id_}-{text_hash[:HASH_LENGTH]}{sort}{ENDING}"


def _read(path: Path) -> bytes | None:
    """Return what is in a kept file, None if it is not there or damaged."""
    try:
        return _expand(path.read_bytes())
    except (OSError, BadSave):
        return None


def _expand(data: bytes) -> bytes:
    """Expand what was kept, within the bounds of `install`. Raise `BadSave`."""
    try:
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
        expanded = decompressor.decompress(data, max_length=MOST_TOGETHER + 1)
    except lzma.LZMAError as error:
        raise BadSave("The rules that were kept for this save are damaged.") from error
    if len(expanded) > MOST_TOGETHER or not decompressor.eof:
        raise BadSave("The rules that were kept for this save are larger than packs can be.")
    return expanded


def _read_texts(data: bytes) -> Texts:
    """Return the files of a kept pack. Raise `BadSave` for what cannot be a pack."""
    try:
        said = json.loads(data)
        texts = said["files"]
        if said["format"] != FORMAT:
            raise BadSave("The rules of this save were kept by a later version of Ziggurat.")
        check({name: text.encode() for name, text in texts.items()})
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadSave("The rules that were kept for this save are damaged.") from error
    except UsageError as error:
        raise BadSave(f"The rules that were kept for this save are refused: {error}") from error
    return dict(texts)


def find_kept(header: Header) -> dict[str, bytes]:
    """Return the packs that were kept for a save by their ids, as they are in their files.

    Raise `BadSave` if some are missing, or are not those the save was begun with.
    """
    inside, hashes = dict(header.inside), dict(header.kept)
    kept: dict[str, bytes] = {}
    missing = []
    for id_, version, text_hash in header.packs:
        data = _decode(inside[id_]) if id_ in inside else None
        for scenarios in (bool(header.scenario), True):
            data = data or _read(_file(id_, text_hash, scenarios=scenarios))
        if data is None:
            missing.append(f"`{id_}` {version}")
        elif id_ in hashes and hashlib.sha256(data).hexdigest() != hashes[id_]:
            raise BadSave(
                f"The rules of `{id_}` that were kept for this save were changed since; they are"
                " not used."
            )
        else:
            kept[id_] = data
    if missing:
        listed = ", ".join(missing)
        some = "Only some of the rules" if kept else "None of the rules"
        raise BadSave(f"{some} this save began with were kept; missing: {listed}.")
    return kept


def _decode(text: str) -> bytes:
    try:
        return _expand(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError) as error:
        raise BadSave("The rules inside this save are damaged.") from error


def has_kept(header: Header) -> bool:
    """Return whether all rules of a save were kept, and are as they were."""
    return not explain_missing(header)


def explain_missing(header: Header) -> str:
    """Return why the rules of a save cannot be taken from what was kept, or nothing."""
    try:
        find_kept(header)
    except BadSave as error:
        return str(error)
    return ""


def unfold(header: Header) -> Search:
    """Return where the rules are found that a save began with. Raise `BadSave`."""
    packs = {id_: _read_texts(data) for id_, data in find_kept(header).items()}
    wanted = {
        f"{id_}/{name}": text.encode()
        for id_, texts in packs.items()
        for name, text in texts.items()
    }
    name = hashlib.sha256(repr(sorted(wanted.items())).encode()).hexdigest()[:HASH_LENGTH]
    folder = cache_folder() / UNFOLDED / name
    try:
        if _files_below(folder) != wanted:
            _write_folder(folder, wanted)
    except OSError as error:
        raise BadSave(f"The kept rules cannot be put into {folder}: {error.strerror}.") from error
    return Search((folder,))


def _files_below(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if not path.is_dir())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder beside its place and move it there; another process may do the same."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    place = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        for name, data in files.items():
            target = place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        shutil.rmtree(folder, ignore_errors=True)
        place.replace(folder)
    except OSError:
        shutil.rmtree(place, ignore_errors=True)
        if _files_below(folder) != files:
            raise


def export_save(path: Path) -> bytes:
    """Return a save as others get it: with its rules inside, if they were kept."""
    header, data = read_header(path), path.read_bytes()
    if not has_kept(header):
        return data
    inside = {
        id_: base64.b64encode(lzma.compress(kept, preset=9)).decode()
        for id_, kept in find_kept(header).items()
    }
    return embed_rules(data, inside)


def list_kept() -> list[KeptPack]:
    """Return what is kept, by name."""
    folder = kept_rules_folder()
    found = sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else []
    return [KeptPack(path, path.stat().st_size) for path in found]


def names_of(header: Header) -> Iterator[str]:
    """Yield the names of the kept packs that a save may need."""
    for id_, _, text_hash in header.packs:
        for scenarios in (False, True):
            yield _file(id_, text_hash, scenarios=scenarios).name.removesuffix(ENDING)
