"""Where things are kept between runs, replacing a file in one move, and locking one.

What the cache holds is trusted, so it is only used where nobody but this user can have written.
"""

import os
import stat
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import IO

import platformdirs


def cache_folder() -> Path:
    """Where what can be worked out again is kept; `ZIGGURAT_CACHE` names another place."""
    named = os.environ.get("ZIGGURAT_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("ziggurat", appauthor=False))


def read_cached(path: Path) -> bytes | None:
    """Return what a file of the cache holds; None if it cannot be read or cannot be trusted."""
    try:
        if not _is_trusted(path.parent):
            return None
        with open(path, "rb", opener=_open_no_link) as file:
            if hasattr(os, "geteuid") and _is_open_to_others(os.fstat(file.fileno())):
                _refuse_cache(f"others can have written {path}")
                return None
            return file.read()
    except OSError:
        return None


def write_cached(path: Path, data: bytes) -> bool:
    """Put a file into the cache. Return False if its folder cannot be written or trusted."""
    try:
        _make_private(path.parent)
        if not _is_trusted(path.parent):
            return False
        replace_file(path, data)
    except OSError:
        return False
    return True


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _make_private(folder: Path) -> None:
    """Make a folder, and those around it that are missing, for this user alone."""
    if not folder.exists():
        _make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _is_trusted(folder: Path) -> bool:
    """Return whether nobody else can put files into `folder`; say once why it is not used."""
    reason = _reason_for_distrust(folder)
    if reason:
        _refuse_cache(reason)
    return not reason


def _reason_for_distrust(folder: Path) -> str:
    """Return who else can put files into a folder, or another one in its place.

    Links are looked at as well as what they lead to. Where there are no owners to ask for, as on
    Windows, a folder must lie in the user's own. Raises OSError, as if it does not exist.
    """
    if not hasattr(os, "geteuid"):
        home = Path.home().resolve()
        return "" if folder.resolve().is_relative_to(home) else f"{folder} is not below {home}"
    for lowest in (folder.absolute(), folder.resolve(strict=True)):
        for place in (lowest, *lowest.parents):
            status = place.lstat()
            if status.st_uid not in _own_users():
                return f"{place} belongs to somebody else"
            keeps_owners = place != lowest and status.st_mode & stat.S_ISVTX
            if not keeps_owners and _is_open_to_others(status):
                return f"others can write into {place}"
    return ""


def _is_open_to_others(status: os.stat_result) -> bool:
    """Return whether somebody else owns a file or folder, or can write to it."""
    if status.st_uid not in _own_users():
        return True
    if stat.S_ISLNK(status.st_mode):  # anybody may seem to write to a link, but only its owner can
        return False
    by_group = status.st_mode & stat.S_IWGRP and not _is_private_group(status.st_gid)
    return bool(status.st_mode & stat.S_IWOTH or by_group)


def _own_users() -> tuple[int, int]:
    """Return the ids of this user and of the administrator, who can write anywhere."""
    return os.geteuid(), 0


@cache
def _is_private_group(gid: int) -> bool:
    """Return whether this user is the only member of a group, as on many systems by default."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return (group.gr_gid, group.gr_name) == (user.pw_gid, user.pw_name) and not group.gr_mem


@cache
def _refuse_cache(reason: str) -> None:
    """Say on standard error, once and not from every worker, that the cache is not used."""
    import logging
    import multiprocessing

    if multiprocessing.parent_process() is None:
        logging.getLogger("ziggurat").warning(
            "The cache is not used: %s. ZIGGURAT_CACHE can name a folder that only you can write.",
            reason,
        )


def library_folder() -> Path:
    """Where packs are put that somebody installs; `ZIGGURAT_LIBRARY` names another place."""
    return _data_folder() / "packs"


def kept_rules_folder() -> Path:
    """Return where the rules are kept that saved games began with, beside installed packs."""
    return _data_folder() / "rules"


def _data_folder() -> Path:
    named = os.environ.get("ZIGGURAT_LIBRARY")
    return Path(named or platformdirs.user_data_dir("ziggurat", appauthor=False)).expanduser()


def replace_file(path: Path, data: bytes, durable: bool = False) -> None:
    """Give a file other bytes, or make it; whoever reads it meanwhile gets all or nothing.

    A link goes on being one, and a file keeps its permissions. What is `durable` is on the disk
    when this returns. Raises OSError, which names this file; nothing is left behind then.
    """
    try:
        _replace_file(path.resolve(), data, durable)
    except OSError as error:  # which may name a temporary file, or none
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace_file(target: Path, data: bytes, durable: bool) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if target.exists():
            Path(name).chmod(target.stat().st_mode & 0o7777)
        _move(Path(name), target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _move(file: Path, target: Path) -> None:
    """Put a file in the place of another one, as soon as no other program holds that.

    On Windows, virus scanners and programs that synchronise folders open files for a moment.
    """
    for wait in WAITS:
        try:
            file.replace(target)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    file.replace(target)


WAITS = (0.01, 0.05, 0.2, 0.5)  # seconds before each further attempt
LOCKED_BYTE = 1 << 30  # on Windows a locked byte cannot be read: this one is behind all text


def lock_file(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed or this process ends. Return False if another has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
