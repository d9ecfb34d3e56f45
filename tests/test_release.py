"""Release files, as users get them: an sdist, the wheel built from it, and a fresh environment."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SDIST = CONFIG["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
PACKAGES = ["dsl", "runtime", "proving", "studio"]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, with links to its packages in a folder that somebody left behind."""
    copy = tmp_path_factory.mktemp("release") / "checkout"
    copy.mkdir()
    for name in {*SDIST, ".gitignore", "LICENSE", "README.md", "pyproject.toml"}:
        source = ROOT / name
        if source.is_file():
            shutil.copy(source, copy / name)
        elif name != "tests":  # they are large, and no part of a wheel
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    copy.joinpath("tests").mkdir()
    copy.joinpath("tests", "test_nothing.py").write_text("")
    leftover = copy / ".links" / "ziggurat"
    leftover.mkdir(parents=True)
    for name in PACKAGES:
        leftover.joinpath(name).symlink_to(copy / name, target_is_directory=True)
    return copy


@pytest.fixture(scope="module")
def installed(checkout: Path) -> Path:
    """The scripts of an environment into which the wheel of the sdist was installed.

    The dependencies come from the environment of the tests, by paths that do not run its `.pth`
    files, so the checkout is not importable.
    """
    pytest.importorskip("hatchling", reason="`pip install hatchling` to build the release here")
    built, environment = checkout.with_name("built"), checkout.with_name("environment")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built)]
    _run([*build, str(checkout)], checkout.parent)
    (wheel,) = built.glob("*.whl")
    has_pip = importlib.util.find_spec("pip") is not None  # environments of uv have none
    venv.create(environment, symlinks=os.name != "nt", with_pip=not has_pip)
    scheme = sysconfig.get_preferred_scheme("prefix")
    places = {"base": str(environment), "platbase": str(environment)}
    site = Path(sysconfig.get_path("purelib", scheme, places))
    folder = Path(sysconfig.get_path("scripts", scheme, places))
    pip = [sys.executable, "-m", "pip", "--python", str(environment)]
    install = [*(pip if has_pip else [str(folder / "python"), "-m", "pip"]), "install"]
    others = {path.name for path in site.iterdir()}
    _run([*install, "--no-deps", "--no-index", str(wheel)], checkout.parent)
    names = {path.name for path in site.iterdir() if not path.name.endswith(".dist-info")}
    assert names - others == {"ziggurat"}
    dependencies = [re.split(r"[<>=]", text)[0] for text in CONFIG["project"]["dependencies"]]
    folders = {str(metadata.distribution(name).locate_file("")) for name in dependencies}
    site.joinpath("dependencies.pth").write_text("\n".join(folders), encoding="utf-8")
    shutil.rmtree(checkout)
    return folder


@pytest.mark.parametrize(
    "command",
    ["demo --option last_turn=1 --brief", "check west", "packs", "book west -o book"],
)
def test_release_runs_without_checkout(installed: Path, command: str, tmp_path: Path) -> None:
    cache = installed.parent / "cache"
    done = _run([str(installed / "ziggurat"), *command.split()], tmp_path, str(cache))
    assert done.strip()


def test_release_imports_its_own_files(installed: Path, tmp_path: Path) -> None:
    code = "import ziggurat.studio.cli as cli; print(cli.__file__)"
    file = _run([str(installed / "python"), "-c", code], tmp_path).strip()
    assert Path(file).is_relative_to(installed.parent)


# A command that needs the extra, run beside the packs `race` and `mine`.
EXTRAS = {
    "tables": "simulate race --games 2 --jobs 1 --parts 1",
    "translate": "translate mine de",
    "cluster": "simulate race --games 2 --cluster local:1",
    "editor": "lsp",
    "docs": "docs -o site --no-open",
}
LARGEST = 70_000_000  # bytes of a default installation


def fresh_environment(folder: Path, wheel: Path, extra: str) -> Path:
    """Install the wheel with an extra as a user would, and return the folder of scripts."""
    venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    scheme = sysconfig.get_preferred_scheme("prefix")
    scripts = Path(sysconfig.get_path("scripts", scheme, {"base": str(folder)}))
    requirement = f"{wheel}[{extra}]" if extra else str(wheel)
    _run([str(scripts / "python"), "-m", "pip", "install", "--quiet", requirement], folder)
    return scripts


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of the checkout and the wheel built from it."""
    built = tmp_path_factory.mktemp("files")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built)]
    _run([*build, str(ROOT)], ROOT)
    return built


@pytest.mark.slow
def test_metadata_is_accepted_by_twine(files: Path) -> None:
    names = [str(file) for file in files.iterdir() if file.suffix in (".whl", ".gz")]
    assert len(names) == 2
    printed = _run([sys.executable, "-m", "twine", "check", "--strict", *names], files)
    assert printed.count("PASSED") == 2


@pytest.mark.slow
def test_default_installation_is_light(files: Path, tmp_path: Path) -> None:
    (wheel,) = files.glob("*.whl")
    scripts = fresh_environment(tmp_path / "environment", wheel, "")
    (site,) = (tmp_path / "environment").rglob("site-packages")
    own = [path for path in site.rglob("*") if path.relative_to(site).parts[0] not in
           ("pip", "setuptools", "_distutils_hack")]  # fmt: skip
    size = sum(path.stat().st_size for path in own if path.is_file())
    assert size <= LARGEST, f"{size:,} bytes"
    _run([str(scripts / "ziggurat"), "demo", "--option", "last_turn=1", "--brief"], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("extra", CONFIG["project"]["optional-dependencies"].keys() - {"dev"})
def test_extra_brings_its_feature(files: Path, tmp_path: Path, extra: str) -> None:
    (wheel,) = files.glob("*.whl")
    scripts = fresh_environment(tmp_path / "environment", wheel, extra)
    shutil.copytree(ROOT / "tests" / "packs" / "race", tmp_path / "race")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "pack.toml").write_text('id = "mine"\ntitle = "Mine"\nversion = "1"\n')
    (mine / "mine.rules").write_text('kind good "Goods" { }\n')
    _run([str(scripts / "ziggurat"), *EXTRAS[extra].split()], tmp_path)


def _run(command: list[str], folder: Path, cache: str = "") -> str:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=env | ({"ZIGGURAT_CACHE": cache} if cache else {}),
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
