"""A pack as one file: a zip with a list of what is in it, the same bytes on every machine.

Files are stored, not packed, since programs pack differently; order, dates and permissions are
fixed, and texts have one way to end a line. An archive of a stranger is read into memory within
bounds and refused as a whole when anything about it is odd; nothing is ever unpacked by its names.
"""

import hashlib
import io
import json
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ziggurat import MANIFEST
from ziggurat.studio.console import UsageError
from ziggurat.studio.sharing.names import TEXTS, belongs, clash, name_problem

LIST = "ziggurat.json"
FORMAT = 1
DATE = (1980, 1, 1, 0, 0, 0)
MOST_FILES = 2_500
MOST_FOLDER_ENTRIES = 100_000
MOST_BYTES = 8_000_000
MOST_TOGETHER = 40_000_000
MOST_DIRECTORY = 1_000_000
_END = struct.Struct("<4s4H2LH")
_END_64 = b"PK\x06\x07"
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _UTF_8 = 0x1, 0x800
# All that reading a broken zip raises.
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, ValueError, NotImplementedError, RuntimeError,
    EOFError, LookupError, OSError,
)  # fmt: skip

Files = dict[str, bytes]


def collected(folder: Path) -> tuple[Files, list[str]]:
    """The files of a pack that are shared, and the names of those that stay at home."""
    files: Files = {}
    left_out: list[str] = []
    for number, path in enumerate(sorted(folder.rglob("*"))):
        name = path.relative_to(folder).as_posix()
        if number > MOST_FOLDER_ENTRIES:
            raise UsageError(f"`{folder}` has more than {MOST_FOLDER_ENTRIES:,} files.")
        if path.is_dir() and not path.is_symlink():
            continue
        if path.is_symlink() or not path.is_file():
            raise UsageError(f"`{name}` is a link or no ordinary file; put the file in its place.")
        if belongs(name):
            files[name] = _read(path, name)
        else:
            left_out.append(name)
    check(files)
    return files, [name for name in left_out if not name.startswith(".")]


def _read(path: Path, name: str) -> bytes:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    is_text = path.suffix in TEXTS or not path.suffix
    return data.replace(b"\r\n", b"\n") if is_text else data


def check(files: Mapping[str, bytes]) -> None:
    """Refuse what cannot be a shared pack, whoever made it."""
    if MANIFEST not in files:
        raise UsageError(f"there is no `{MANIFEST}`: this is no pack.")
    if len(files) > MOST_FILES:
        raise UsageError(f"a pack has at most {MOST_FILES:,} files; this has {len(files):,}.")
    for name, data in files.items():
        problem = name_problem(name) or ("" if belongs(name) else "does not belong in a pack")
        if len(data) > MOST_BYTES:
            problem = f"is larger than {MOST_BYTES:,} bytes"
        if problem:
            raise UsageError(f"the file `{_shown(name)}` {problem}.")
    if sum(map(len, files.values())) > MOST_TOGETHER:
        raise UsageError(f"all files together are larger than {MOST_TOGETHER:,} bytes.")
    if both := clash(files):
        raise UsageError(f"`{both[0]}` and `{both[1]}` are one name on some systems.")


def packed(files: Mapping[str, bytes]) -> bytes:
    """The one file for these."""
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    head = json.dumps({"format": FORMAT, "files": listed}, indent=1, ensure_ascii=True) + "\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [(LIST, head.encode()), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, data)
    return out.getvalue()


def unpacked(path: Path) -> Files:
    """What is in the file of a pack, all of it looked at; raises `UsageError`."""
    name = path.name
    if not path.is_file():
        raise UsageError(f"`{path}` is neither the file nor the folder of a pack.")
    with path.open("rb") as file:
        data = file.read(MOST_TOGETHER + MOST_DIRECTORY + 1)
    try:
        _look_at_end(data)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = _entries(archive)
    except _BROKEN as wrong:
        raise UsageError(f"`{name}` is no whole file of a pack: {_reason(wrong)}.") from wrong
    except UsageError as wrong:
        raise UsageError(f"`{name}` is refused: {wrong}") from wrong
    return files


def _look_at_end(data: bytes) -> None:
    """What the end of a zip says about its size, before anything else of it is looked at."""
    if len(data) > MOST_TOGETHER + MOST_DIRECTORY:
        raise UsageError(f"it is larger than {MOST_TOGETHER:,} bytes.")
    end = data[-_END.size :]
    if len(end) < _END.size or end[:4] != b"PK\x05\x06":
        raise zipfile.BadZipFile("it is cut off, or something else")
    _, _, _, _, number, size, _, comment = _END.unpack(end)
    if data[-_END.size - 20 : -_END.size].startswith(_END_64) or number == 0xFFFF:
        raise UsageError("it is larger than a pack can be.")
    if size > MOST_DIRECTORY or comment:
        raise UsageError("what it says about its files is longer than it is for any pack.")
    if number > MOST_FILES + 1:
        raise UsageError(
            f"it says that it has {number:,} files; a pack has at most {MOST_FILES:,}."
        )


def _entries(archive: zipfile.ZipFile) -> Files:
    infos = archive.infolist()
    if len(infos) > MOST_FILES + 1:
        raise UsageError(f"it has {len(infos):,} files; a pack has at most {MOST_FILES:,}.")
    if sum(info.file_size for info in infos) > MOST_TOGETHER:
        raise UsageError(f"unpacked it is larger than {MOST_TOGETHER:,} bytes.")
    files: Files = {}
    for info in infos:
        _look_at(info)
        if info.filename in files:
            raise UsageError(f"`{_shown(info.filename)}` is in it twice.")
        with archive.open(info) as file:
            files[info.filename] = file.read(MOST_BYTES + 1)
    listed = _listed(files.pop(LIST, b""))
    check(files)
    if listed != {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}:
        raise UsageError(f"its files are not those that `{LIST}` lists; something was changed.")
    return files


def _look_at(info: zipfile.ZipInfo) -> None:
    """An entry by what is said about it, before its content is read."""
    mode = info.external_attr >> 16
    name = info.orig_filename
    problem = ""
    if name != LIST:
        problem = name_problem(name) or ("" if belongs(name) else "does not belong in a pack")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG) or info.is_dir():
        problem = problem or "is a link or no ordinary file"
    elif info.flag_bits & _ENCRYPTED or info.compress_type not in _PLAIN:
        problem = problem or "is packed in a way that is not usual"
    elif not name.isascii() and not info.flag_bits & _UTF_8:
        problem = problem or "has a name that is not in UTF-8"
    elif info.file_size > MOST_BYTES:
        problem = problem or f"is larger than {MOST_BYTES:,} bytes"
    if problem or name != info.filename:
        raise UsageError(f"the file `{_shown(name)}` {problem or 'has an odd name'}.")


def _listed(data: bytes) -> dict[str, Any]:
    if not data:
        raise UsageError(
            f"it has no `{LIST}`, so `ziggurat pack` did not make it. Unpack it yourself, and"
            " install the folder with the `pack.toml`."
        )
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("files"), dict):
        raise UsageError(f"its `{LIST}` cannot be read.")
    if said.get("format") != FORMAT:
        raise UsageError("it was made by another version of Ziggurat; get that version.")
    return dict(said["files"])


def _shown(name: str) -> str:
    """A name as it can be printed, and not too long."""
    text = name.encode("unicode_escape").decode("ascii")
    return text if len(text) <= 80 else f"{text[:77]}…"


def _reason(wrong: BaseException) -> str:
    return " ".join(str(wrong).split())[:120].rstrip(".").lower() or "it cannot be read"
