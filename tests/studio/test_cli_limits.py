"""Files nobody should have: each is a finding of the real command line, and at once.

Time is measured as the work of the process, beyond what checking a sound pack takes in the same
run, so that a busy machine does not matter.
"""

import os
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "ziggurat"]
PACK = 'id = "odd"\ntitle = "Odd"\nversion = "1"\n'
SOUND = "value rate: int = 2\n"
SECONDS = 1.0
Make = Callable[[Path], None]


def text(data: str | bytes) -> Make:
    def make(folder: Path) -> None:
        (folder / "a.rules").write_bytes(data if isinstance(data, bytes) else data.encode())

    return make


def too_many(folder: Path) -> None:
    for number in range(2_001):
        (folder / f"{number}.rules").touch()


def link_out(folder: Path) -> None:
    (folder / "a.rules").symlink_to(Path("..", "secret.rules"))


def link_up(folder: Path) -> None:
    (folder / "up").symlink_to("..", target_is_directory=True)


def builds_on(pack: str) -> Make:
    def make(folder: Path) -> None:
        (folder / "pack.toml").write_text(f'{PACK}extends = ["{pack}"]\n')

    return make


ODD: dict[str, tuple[Make, str]] = {
    "10 MB": (text("# a comment\n" * 900_000 + SOUND), "Z002"),
    "just over 1 MB": (text(SOUND * 55_000), "Z002"),
    "binary": (text(random.Random(1).randbytes(900_000)), "Z004"),
    "bad UTF-8": (text(b"value x: int = 1\nvalue y\xff\xfe: int = 2\n"), "Z003"),
    "NUL": (text("value x: int\0 = 1\n" * 50_000), "Z004"),
    "10,000 braces": (text("procedure x() " + "{" * 10_000 + "}" * 10_000), "Z109"),
    "10,000 open braces": (text("procedure x() " + "{ if yes " * 10_000), "Z109"),
    "10,000 brackets": (text("value x: int = " + "(" * 10_000 + "1" + ")" * 10_000), "Z109"),
    "10,000 mistakes of syntax": (text("!!! ?\n" * 10_000), "Z112"),
    "3,000 unknown names": (
        text("".join(f"value v{n}: int = nope\n" for n in range(3_000))),
        "Z201",
    ),
    "2,001 files": (too_many, "Z005"),
    "a link outwards": (link_out, "Z006"),
    "a link upwards": (link_up, "Z006"),
    "a path as a pack": (builds_on("../secret"), "Z006"),
    "an absolute path as a pack": (builds_on("/etc"), "Z006"),
}


def check(folder: Path) -> tuple[int, str, float]:
    """The exit code, what is printed, and the seconds of work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*COMMAND, "check", str(folder)],
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "80"},
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout + done.stderr, work


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> float:
    """What checking a sound pack takes."""
    folder = tmp_path_factory.mktemp("sound") / "odd"
    folder.mkdir()
    (folder / "pack.toml").write_text(PACK)
    (folder / "a.rules").write_text(SOUND)
    code, _, work = check(folder)
    assert code == 0
    return work


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_findings_at_once(name: str, tmp_path: Path, usual: float) -> None:
    (tmp_path / "secret.rules").write_text("secret")
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "pack.toml").write_text(PACK)
    make, code = ODD[name]
    make(folder)
    exit_code, out, work = check(folder)
    assert exit_code == 1
    assert f"error[{code}]: " in out
    assert "secret" not in out.replace("../secret", "")
    assert "Traceback" not in out
    assert out.count("error[") <= 101
    lines = [line for line in out.splitlines()[:-1] if not line.lstrip().startswith("-->")]
    assert max(map(len, lines)) <= 80  # but for paths
    assert work - usual < SECONDS
