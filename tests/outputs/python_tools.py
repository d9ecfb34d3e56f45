"""Packages of PyPI for tests, installed once into a folder outside of the checkout."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest


def installed(*packages: str) -> dict[str, str]:
    """Return the environment in which Python finds these packages; skip the test if none can be."""
    name = "-".join(packages).replace("==", "-")
    folder = Path(tempfile.gettempdir(), f"ziggurat-python-{os.getuid()}-{name}")
    if not (folder / "complete").exists():
        folder.mkdir(mode=0o700, exist_ok=True)
        done = subprocess.run(
            [*_installer(), "--target", str(folder), *packages],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            pytest.skip(f"{', '.join(packages)} cannot be installed: {done.stderr.strip()[-200:]}")
        (folder / "complete").touch()
    return {**os.environ, "PYTHONPATH": str(folder)}


def _installer() -> list[str]:
    uv = shutil.which("uv")
    if uv is not None:
        return [uv, "pip", "install", "--quiet", "--python", sys.executable]
    return [sys.executable, "-m", "pip", "install", "--quiet"]
