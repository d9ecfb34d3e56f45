"""How many small mistakes in the Python code the tests notice.

`python -m benchmarks.detection --mistakes 120 --seed 1 tests/dsl` makes mistakes one at a time in a
copy of the checkout and runs these tests with `-x`. A mistake in code that no test runs is not
counted. `--numbers 3,17 -- -m slow` tries some of them again, with other arguments for pytest: the
slow tier on what the normal one misses.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[1]
ROOMS = ("dsl", "runtime", "proving")
SWAPPED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Not: ast.UAdd,
}  # fmt: skip
PATIENCE = 1800  # seconds; tests of a mistake that never ends have noticed it


@attrs.frozen
class Mistake:
    """An expression of a file that becomes another one."""

    file: str
    line: int
    old: str
    new: str
    start: int  # in bytes of the file, as `end`
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old}  →  {self.new}"


def mistakes_in(path: Path) -> Iterator[Mistake]:
    """Yield the mistakes that can be made in a file."""
    text = path.read_text(encoding="utf-8")
    offsets = [0]
    for line in text.encode().splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    for node in _running(ast.parse(text)):
        new = _changed(node)
        if new is not None:
            start = offsets[node.lineno - 1] + node.col_offset
            end = offsets[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            written = text.encode()[start:end].decode(errors="replace")
            if _means(written, node):
                yield Mistake(str(path.relative_to(ROOT)), node.lineno, written, new, start, end)


def _means(written: str, node: ast.expr) -> bool:
    """Return whether a text is an expression; places inside texts with values are not exact."""
    try:
        return ast.dump(ast.parse(f"({written})", mode="eval").body) == ast.dump(node)
    except (SyntaxError, ValueError):
        return False


def _running(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions in bodies of functions, where a mistake is made while tests run."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                yield from (n for n in ast.walk(statement) if isinstance(n, ast.expr))


def _changed(node: ast.expr) -> str | None:
    """Return a small mistake in place of an expression, if there is one."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            other: ast.expr = ast.Compare(node.left, [SWAPPED[type(op)]()], node.comparators)
        case ast.BoolOp(op=op):
            other = ast.BoolOp(SWAPPED[type(op)](), node.values)
        case ast.BinOp(op=ast.Add() | ast.Sub() as op):
            other = ast.BinOp(node.left, SWAPPED[type(op)](), node.right)
        case ast.UnaryOp(op=ast.Not()):
            other = node.operand
        case ast.Constant(value=bool(value)):
            other = ast.Constant(not value)
        case ast.Constant(value=int(value)):
            other = ast.Constant(value + 1)
        case _:
            return None
    return ast.unparse(other)


def drawn(number: int, seed: int) -> list[Mistake]:
    """Return different mistakes, the same for the same seed and code."""
    return random.Random(seed).sample(_every(), number)


@cache
def _every() -> list[Mistake]:
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [mistake for path in files for mistake in mistakes_in(path)]


def copied(folder: Path) -> Path:
    """Copy the checkout, as Git knows it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    return folder


def passes(copy: Path, arguments: Sequence[str]) -> bool:
    env = os.environ | {"PYTHONPATH": str(copy / "src"), "CI": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", *arguments]
    done = subprocess.run(
        command, cwd=copy, env=env, capture_output=True, timeout=PATIENCE, check=False
    )
    return done.returncode == 0


def verdict(mistake: Mistake, copy: Path, arguments: Sequence[str]) -> str:
    """Make a mistake, run tests, and say what they made of it."""
    path, mark = copy / mistake.file, copy / "reached"
    right = path.read_bytes()
    reach = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    wrong = f"(({mistake.new}) if {reach} is None else None)"
    mark.unlink(missing_ok=True)
    path.write_bytes(right[: mistake.start] + wrong.encode() + right[mistake.end :])
    try:
        noticed = not passes(copy, arguments)
    except subprocess.TimeoutExpired:
        noticed = True
    finally:
        path.write_bytes(right)
    if not mark.exists():
        return "not run"
    return "noticed" if noticed else "MISSED"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mistakes", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--numbers", default="", help="try only these, as in 3,17")
    parser.add_argument("tests", nargs="*")
    given = parser.parse_args()
    chosen = {int(number) for number in given.numbers.split(",") if number}
    count: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        if not passes(copy, given.tests):
            sys.exit("These tests fail without a mistake, too.")
        for number, mistake in enumerate(drawn(given.mistakes, given.seed), 1):
            if not chosen or number in chosen:
                told = verdict(mistake, copy, given.tests)
                count[told] = count.get(told, 0) + 1
                print(f"{number:4}  {told:8} {mistake}", flush=True)
    print(count)


if __name__ == "__main__":
    main()
