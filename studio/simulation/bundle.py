"""The packs of a stack as one piece of data that another machine can play by.

What is played there must not depend on what is installed there: all files of all packs travel, and
a hash says that they arrived as they left. Bots and interpreter do not travel; another hash says
that the machine has the same ones.
"""

import hashlib
import shutil
import tempfile
import threading
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import attrs

from ziggurat import (
    TROUBLE,
    Arena,
    GameRecord,
    Search,
    Trial,
    __version__,
    engine_hash,
    load_program,
    resolve_stack,
)
from ziggurat.studio.simulation.lines import pack

MANIFEST = "pack.toml"
KEPT = 8  # arenas of other bundles that stay in a process
_making = threading.Lock()


class Mismatch(Exception):  # noqa: N818 - what happened
    """A machine has something else than what was sent: a sentence for people."""


@attrs.frozen
class Bundle:
    """A trial with its packs. `files` are names below a folder of packs, and compressed texts."""

    trial: Trial
    version: str
    engine: str
    files: tuple[tuple[str, bytes], ...] = attrs.field(repr=False)
    digest: str

    @classmethod
    def of(cls, trial: Trial) -> "Bundle":
        """Everything a stack is made of, read once."""
        stack, _ = resolve_stack(trial.stack, trial.search())
        if stack is None:
            raise Mismatch(f"`{trial.stack}` can no longer be played: its packs have changed.")
        files = []
        for pack_ in stack.packs:
            for name in (MANIFEST, *pack_.files):
                data = (Path(pack_.path) / name).read_bytes()
                files.append((f"{pack_.id}/{name}", zlib.compress(data)))
        plain = attrs.evolve(trial, packs=())
        return cls(plain, __version__, engine_hash(), tuple(files), digest(files))

    @property
    def key(self) -> str:
        """Equal where every game is equal: it holds the whole trial, its rules and the engine."""
        text = repr((self.trial, self.version, self.engine, self.digest))
        return hashlib.sha256(text.encode()).hexdigest()

    def unpacked(self, folder: Path) -> None:
        """The packs below a folder."""
        for name, data in self.files:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(zlib.decompress(data))


@attrs.frozen
class Result:
    """What became of a game on another machine: the packed record, or what is wrong there."""

    key: str
    seed: int
    packed: bytes = b""
    trouble: str = ""


def digest(files: Sequence[tuple[str, bytes]]) -> str:
    """Equal for equal files."""
    found = hashlib.sha256()
    for name, data in files:
        text = zlib.decompress(data)
        found.update(f"{name}\0{len(text)}\0".encode() + text)
    return found.hexdigest()


def receive_bundle(bundle: Bundle) -> Bundle:
    """Return a bundle that arrived, after making all that its games need. Raises `Mismatch`."""
    _arena(bundle)
    return bundle


def play_games(bundle: Bundle, seeds: Sequence[int]) -> list[Result]:
    """Play games by the rules that were sent."""
    return [_result(bundle, seed) for seed in seeds]


def _result(bundle: Bundle, seed: int) -> Result:
    try:
        return Result(bundle.key, seed, pack(play_bundle(bundle, seed)))
    except TROUBLE as error:
        return Result(bundle.key, seed, trouble=f"{type(error).__name__} {error}".strip())


def play_bundle(bundle: Bundle, seed: int) -> GameRecord:
    """Play a game by the rules that were sent."""
    return _arena(bundle).play(seed)


def _arena(bundle: Bundle) -> Arena:
    """Return the arena of a bundle, made once in every process, whichever thread comes first."""
    with _making:
        return _made(bundle)


@lru_cache(KEPT)
def _made(bundle: Bundle) -> Arena:
    if bundle.version != __version__:
        raise Mismatch(f"this machine has Ziggurat {__version__}, not {bundle.version}.")
    if bundle.engine != engine_hash():
        raise Mismatch(
            f"this machine has a Ziggurat {__version__} that plays by other code; install the same"
            " one everywhere."
        )
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
