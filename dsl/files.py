"""Replacing a file in one move: the old text is there until the new one is complete."""

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, data: bytes, durable: bool = False) -> None:
    """Give a file other bytes, or make it; whoever reads it meanwhile gets all or nothing.

    A link goes on being one, and a file keeps its permissions. What is `durable` is on the disk
    when this returns. Raises OSError; nothing is left behind then.
    """
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
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
