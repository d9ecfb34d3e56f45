"""Programs of Debian's testing release, unpacked into a folder and started from there.

Nothing is installed: packages come from the mirror that this system uses, and run with their own
libraries.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs

SUITE = "testing"
# Compilers come along with Emacs, which needs only a library of them.
_LEFT_OUT = re.compile(r"binutils.*|.*-dev|gcc-.*-linux-.*|lib(hw)?[atlu]s?ub?san\d+|linux-.*")


class CannotUnpackError(Exception):
    """A program that cannot be had on this machine, and why."""


@attrs.frozen
class Program:
    """A command that starts a program, and the variables that it needs."""

    command: tuple[str, ...]
    environment: dict[str, str]


def unpacked(package: str) -> Path:
    """Return the folder of a package with all it needs. Raise `CannotUnpackError`."""
    root = Path(tempfile.gettempdir(), f"ziggurat-debian-{os.getuid()}-{package}")
    if not (root / "complete").exists():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(mode=0o700)
        _unpack(package, root)
        (root / "complete").touch()
    return root


def started(root: Path, program: str) -> tuple[str, ...]:
    """Return the command that starts a program of a folder with the libraries there."""
    libraries = sorted({str(path.parent) for path in (root / "usr/lib").glob("*/lib*.so*")})
    loader = next(iter((root / "usr/lib").glob("*/ld-linux*.so*")), None)
    if loader is None:
        raise CannotUnpackError(f"`{program}` came without the program that loads its libraries")
    return (str(loader), "--library-path", ":".join(libraries), str(root / "usr/bin" / program))


def _unpack(package: str, root: Path) -> None:
    """Download a package of the newer release with all it needs, and unpack it."""
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            raise CannotUnpackError(f"there is no `{program}` on this system")
    options = _apt_options(root)
    _run("apt-get", *options, "update")
    wanted = _run("apt-get", *options, "--simulate", "install", package)
    needed = re.findall(r"^Inst (\S+)", wanted, re.MULTILINE)
    _run(
        "apt-get", *options, "download", *(one for one in needed if not _LEFT_OUT.fullmatch(one)),
        folder=root / "apt/cache",
    )  # fmt: skip
    for archive in sorted((root / "apt/cache").glob("*.deb")):
        _run("dpkg-deb", "--extract", str(archive), str(root))
    shutil.rmtree(root / "apt")


def _apt_options(root: Path) -> list[str]:
    """Options by which apt sees nothing but the newer release, and keeps its files in a folder."""
    apt = root / "apt"
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (apt / folder).mkdir(parents=True)
    (apt / "status").touch()
    mirror, keys = next(_sources(), ("", ""))
    if not mirror:
        raise CannotUnpackError("apt has no mirror of Debian here")
    signed = f"[signed-by={keys}] " if keys else ""
    (apt / "sources.list").write_text(f"deb {signed}{mirror} {SUITE} main\n", encoding="utf-8")
    settings = {
        "Dir::State": apt / "state", "Dir::State::lists": apt / "state/lists",
        "Dir::State::status": apt / "status", "Dir::Cache": apt / "cache",
        "Dir::Etc::sourcelist": apt / "sources.list", "Dir::Etc::sourceparts": "-",
        "Acquire::Languages": "none", "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "", "Debug::NoLocking": "true",
    }  # fmt: skip
    return ["-qq", *(part for key, value in settings.items() for part in ("-o", f"{key}={value}"))]


def _sources() -> Iterator[tuple[str, str]]:
    """Yield the mirrors of Debian that apt uses, each with the file of its keys."""
    for path in sorted(Path("/etc/apt").glob("sources.list.d/*.sources")):
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
            fields = dict(re.findall(r"^([\w-]+):\s*(.+)$", block, re.MULTILINE))
            for uri in fields.get("URIs", "").split():
                if uri.rstrip("/").endswith("/debian"):
                    yield uri, fields.get("Signed-By", "").strip()
    for path in (Path("/etc/apt/sources.list"), *Path("/etc/apt").glob("sources.list.d/*.list")):
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for uri in re.findall(r"^deb\s+(?:\[.*?\]\s+)?(\S+)", text, re.MULTILINE):
            if uri.rstrip("/").endswith("/debian"):
                yield uri, ""


def _run(*command: str, folder: Path | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        problem = done.stderr.strip().rpartition("\n")[2]
        raise CannotUnpackError(f"`{shlex.join(command[:1])}` failed: {problem}")
    return done.stdout
