"""Packages of npm for tests, installed once into a folder outside of the checkout."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).with_name("clients")


def install(*packages: str) -> dict[str, str]:
    """Return the environment in which Node finds these packages; skip the test if none can be."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("Node and npm are not installed")
    key = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir(), f"ziggurat-node-{os.getuid()}-{key}")
    if not (folder / "complete").exists():
        folder.mkdir(mode=0o700, exist_ok=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *packages]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"npm cannot install {', '.join(packages)}: {done.stderr.strip()[-200:]}")
        (folder / "complete").touch()
    return {**os.environ, "NODE_PATH": str(folder / "node_modules")}


def run(script: str, stdin: str, environment: dict[str, str]) -> str:
    """Return what a script writes."""
    done = subprocess.run(
        ["node", str(SCRIPTS / script)],
        input=stdin, capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
