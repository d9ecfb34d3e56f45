"""Where things are kept between runs, and replacing a file in one move."""

import os
import tempfile
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """Where what can be worked out again is kept; `ZIGGURAT_CACHE` names another place."""
    named = os.environ.get("ZIGGURAT_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("ziggurat", appauthor=False))


def library_folder() -> Path:
    """Where packs are put that somebody installs; `ZIGGURAT_LIBRARY` names another place."""
    named = os.environ.get("ZIGGURAT_LIBRARY")
    folder = named or platformdirs.user_data_dir("ziggurat", appauthor=False)
    return Path(folder).expanduser() / "packs"


def replace_file(path: Path, data: bytes, durable: bool = False) -> None:
    """Give a file other bytes, or make it; whoever reads it meanwhile gets all or nothing.

    A link goes on being one, and a file keeps its permissions. What is `durable` is on the disk
    when this returns. Raises OSError; nothing is left behind then.
    """
    target = path.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as wrong:  # which names a file that nobody asked for
        raise OSError(wrong.errno, wrong.strerror, str(path)) from wrong
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if target.exists():
            Path(name).chmod(target.stat().st_mode & 0o7777)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
