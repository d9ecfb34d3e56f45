"""The packs of a stack as one piece of data that another machine can play by.

What is played there must not depend on what is installed there: all files of all packs travel, and
a hash says that they arrived as they left.
"""

import hashlib
import shutil
import tempfile
import zlib
from functools import cache
from pathlib import Path

import attrs

from ziggurat import Arena, GameRecord, Search, Trial, __version__, load_program, resolve_stack

MANIFEST = "pack.toml"


class Mismatch(Exception):  # noqa: N818 - what happened
    """A machine has something else than what was sent: a sentence for people."""


@attrs.frozen
class Bundle:
    """A trial with its packs. `files` are names below a folder of packs, and compressed texts."""

    trial: Trial
    version: str
    files: tuple[tuple[str, bytes], ...] = attrs.field(repr=False)
    digest: str

    @classmethod
    def of(cls, trial: Trial) -> "Bundle":
        """Everything a stack is made of, read once."""
        stack, _ = resolve_stack(trial.stack, trial.search())
        if stack is None:
            raise Mismatch(f"`{trial.stack}` cannot be played any more: its packs have changed.")
        files = []
        for pack in stack.packs:
            for name in (MANIFEST, *pack.files):
                data = (Path(pack.path) / name).read_bytes()
                files.append((f"{pack.id}/{name}", zlib.compress(data)))
        return cls(attrs.evolve(trial, packs=()), __version__, tuple(files), digest(files))

    def unpacked(self, folder: Path) -> None:
        """The packs below a folder."""
        for name, data in self.files:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(zlib.decompress(data))


def digest(files: list[tuple[str, bytes]] | tuple[tuple[str, bytes], ...]) -> str:
    """Equal for equal files."""
    found = hashlib.sha256()
    for name, data in files:
        text = zlib.decompress(data)
        found.update(f"{name}\0{len(text)}\0".encode() + text)
    return found.hexdigest()


def play_bundle(bundle: Bundle, seed: int) -> GameRecord:
    """A game by the rules that were sent; runs wherever it is told to."""
    return _arena(bundle).play(seed)


@cache
def _arena(bundle: Bundle) -> Arena:
    """The arena of a bundle, made once in every process from what arrived."""
    if bundle.version != __version__:
        raise Mismatch(f"this machine has Ziggurat {__version__}, not {bundle.version}.")
    if digest(bundle.files) != bundle.digest:
        raise Mismatch("the packs did not arrive as they were sent.")
    folder = Path(tempfile.mkdtemp(prefix="ziggurat-packs-"))
    try:
        bundle.unpacked(folder)
        program, findings = load_program(bundle.trial.stack, Search((folder,)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if program is None:
        raise Mismatch(f"`{bundle.trial.stack}` cannot be played here: {findings[0].message}")
    return Arena(program, bundle.trial)
