"""Boards as pictures: drawn in a process of their own, and kept on the disk as text.

A large board takes more than a second of the processor, and nobody at another table waits for it.
The server hands the process a board and reads a picture. Pictures lie among what can be worked out
again, under a key made of the board and of the program that draws it.
"""

import contextlib
import hashlib
import json
import logging
import os
import pickle
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import NoReturn

import attrs

from ziggurat import __version__, cache_folder, read_cached, write_cached
from ziggurat.studio.map import svg
from ziggurat.studio.map.board import Board
from ziggurat.studio.web.refusals import Refusal
from ziggurat.studio.web.text import encoded

FOLDER = "boards"
KEPT = 40  # pictures of other boards that stay
FAILED = "The board cannot be drawn now; try again in a moment."
log = logging.getLogger("ziggurat.web")


@attrs.frozen
class BoardPicture:
    """A board as SVG, and its size and the middles of its places as JSON."""

    map: str
    middles: str

    @classmethod
    def draw(cls, board: Board) -> "BoardPicture":
        """Draw a board."""
        picture, plan = svg.draw_touchable(board)
        middles = {id_: [round(x, 1), round(y, 1)] for id_, (x, y) in plan.at.items()}
        size = {"width": round(plan.width), "height": round(plan.height)}
        return cls(picture, encoded({**size, "places": middles}))

    @classmethod
    def parse(cls, data: bytes) -> "BoardPicture | None":
        """Read what `text` has written; None if it is something else."""
        try:
            read = json.loads(data)
            return cls(str(read["map"]), str(read["middles"]))
        except (ValueError, LookupError, TypeError):
            return None

    @property
    def text(self) -> str:
        """Return all of it as JSON."""
        return json.dumps(attrs.asdict(self))


class Drawer:
    """Draws boards, one at a time."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._lock = threading.Lock()

    def draw(self, board: Board) -> BoardPicture:
        """Return the picture of a board, from the disk if it lies there. Raise `Refusal`."""
        path = cache_folder() / FOLDER / f"{_key(board)}.json"
        with self._lock:
            kept = read_cached(path)
            picture = BoardPicture.parse(kept) if kept is not None else None
            if picture is None:
                data = self._run(pickle.dumps(board))
                picture = BoardPicture.parse(data)
                if picture is None:
                    raise Refusal(503, FAILED)
                if write_cached(path, data):
                    _remove_oldest(path.parent)
            return picture

    def _run(self, board: bytes) -> bytes:
        try:
            process = subprocess.run(
                [sys.executable, "-m", __name__],
                input=board,
                stdout=subprocess.PIPE,
                timeout=self._timeout,
                start_new_session=True,  # Ctrl-C is for the server
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            log.warning("a board was not drawn: %s", type(error).__name__)
            raise Refusal(503, FAILED) from error
        return process.stdout


def _key(board: Board) -> str:
    return hashlib.sha256(f"{_drawing_version()}\n{board!r}".encode()).hexdigest()


@cache
def _drawing_version() -> str:
    """Return a hash of the sources that decide what a picture looks like."""
    digest = hashlib.sha256(__version__.encode())
    folder = Path(svg.__file__).parent
    for source in (Path(__file__), *sorted(folder.glob("*.py"))):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _remove_oldest(folder: Path) -> None:
    with contextlib.suppress(OSError):
        pictures = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in pictures[:-KEPT]:
            path.unlink(missing_ok=True)


def end_without_server() -> NoReturn:
    """End a process whose server is gone: nobody reads what it has still to write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)


def main() -> None:
    """Draw the board on standard input."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)  # people come first
    try:
        picture = BoardPicture.draw(pickle.load(sys.stdin.buffer))
        sys.stdout.buffer.write(picture.text.encode())
        sys.stdout.buffer.flush()
    except (EOFError, OSError, pickle.UnpicklingError):
        end_without_server()


if __name__ == "__main__":
    main()
