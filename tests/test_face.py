"""The public face: what `import ziggurat` gives, and that nothing else can be imported."""

import ast
import inspect
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ziggurat

ROOT = Path(__file__).parents[1]
INIT = ROOT / "src" / "ziggurat" / "__init__.py"


def outside(code: str, folder: Path) -> str:
    """What a program prints that runs in another folder and knows `src` alone."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def for_type_checkers() -> dict[str, str]:
    """The names imported for type checkers alone, and where from."""
    tree = ast.parse(INIT.read_text(encoding="utf-8"))
    (block,) = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {
        alias.asname or alias.name: str(node.module).removeprefix("ziggurat.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_type_checkers_see_what_there_is() -> None:
    assert for_type_checkers() == ziggurat._HOME
    assert sorted(ziggurat.__all__) == sorted(ziggurat._HOME)
    assert {*ziggurat.__all__} <= {*dir(ziggurat)}


@pytest.mark.parametrize("name", ziggurat.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    found = getattr(ziggurat, name)
    if inspect.isclass(found) or inspect.isfunction(found):
        assert found.__doc__, name


@pytest.mark.parametrize("name", ziggurat._MODULES)
def test_modules_are_there_in_a_new_process(name: str, tmp_path: Path) -> None:
    """In this process another test may have imported them."""
    outside(f"from ziggurat import {name}", tmp_path)


@pytest.mark.parametrize("name", ["Game", "Moment", "Decision", "Save"])
def test_every_method_says_what_it_does(name: str) -> None:
    members = inspect.getmembers(getattr(ziggurat, name))
    public = {key: one for key, one in members if not key.startswith("_")}
    documented = (property, staticmethod, classmethod)
    silent = [
        key
        for key, one in public.items()
        if (inspect.isroutine(one) or isinstance(one, documented)) and not one.__doc__
    ]
    assert silent == []


def test_what_is_not_there_is_told_as_usual() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ziggurat.nonsense  # noqa: B018
    with pytest.raises(ImportError, match="nonsense"):
        exec("from ziggurat import nonsense")


def test_importing_it_imports_nothing_else(tmp_path: Path) -> None:
    code = "import sys, ziggurat; print([m for m in sys.modules if m.startswith('ziggurat.')])"
    assert outside(code, tmp_path) == "[]"


def test_a_checkout_adds_one_name(tmp_path: Path) -> None:
    """Seen from elsewhere: the rooms are inside, and not beside it."""
    code = (
        "import importlib.util as u, ziggurat\n"
        "print([r for r in ('dsl', 'runtime', 'proving', 'studio', 'content') if u.find_spec(r)])\n"
        "print(ziggurat.start.__name__, ziggurat.load('core').diagnostics is not None)"
    )
    assert outside(code, tmp_path).splitlines() == ["[]", "start True"]


def test_a_wheel_puts_everything_below_one_name() -> None:
    """Every folder that is included has a place inside `ziggurat`, and only folders are."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = config["tool"]["hatch"]["build"]["targets"]["wheel"]
    places = wheel["sources"]
    assert set(wheel["only-include"]) == set(places)
    assert {Path(place).parts[0] for place in places.values()} == {"ziggurat"}
    rooms = {path.parent.name for path in ROOT.glob("*/py.typed")} | {"content", "docs"}
    assert {Path(place).name for place in places.values()} == rooms | {"ziggurat"}
    assert wheel["dev-mode-dirs"] == ["src"]


@pytest.mark.parametrize("name", ["ir", "symbols"])
def test_module_is_found_before_anything_is_imported(name: str) -> None:
    subprocess.run([sys.executable, "-c", f"from ziggurat import {name}"], check=True)
