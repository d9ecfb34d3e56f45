"""The engine and most commands need few packages, and name the extra that a feature needs."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PACKS = str(Path(__file__).parent / "packs")

COMMAND_LIBRARIES = (
    "babel cyclopts duckdb h11 lark prompt_toolkit pygments rich starlette uvicorn"
    " multiprocessing concurrent"
)
ENGINE = """
    import os
    import threading

    def refuse(*args, **kwargs):
        raise RuntimeError("the light core started a process or a thread")

    os.fork = os.posix_spawn = threading.Thread.start = refuse

    import ziggurat

    broken = ziggurat.load(sys.argv[1])
    findings = ziggurat.render_json(broken.diagnostics)
    assert '"code": "Z201"' in findings, findings

    search = ziggurat.Search.default([sys.argv[2]])
    race, clans = (ziggurat.load(stack, search).ruleset for stack in ("race", "clans"))
    assert ziggurat.diff(race, clans).entries
    assert ziggurat.explain(race, "2 + 2", players=["hare", "snail"], search=search).result == "4"

    program = ziggurat.compile_ruleset(race)
    assert ziggurat.run_scenario(program, race.scenarios[0]).passed

    game = ziggurat.start(program, players=3, seed=1)
    ziggurat.play(game, ziggurat.Advised(1))
    assert game.decision is None

    from ziggurat.studio.map.board import board
    from ziggurat.studio.map.svg import draw

    assert draw(board(race)).startswith("<svg")
"""


def run_without(libraries: str, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program as if some libraries were not installed."""
    missing = f"import sys; sys.modules |= dict.fromkeys({libraries.split()!r})\n"
    text = missing + textwrap.dedent(program)
    command = [sys.executable, "-c", text, *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


def command_without(libraries: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from ziggurat.studio.cli import main; sys.exit(main(sys.argv[1:]))"
    return run_without(libraries, program, *arguments)


def make_pack(folder: Path, rules: str) -> str:
    (folder / "pack.toml").write_text('id = "little"\ntitle = "Little"\nversion = "1"\n')
    (folder / "little.rules").write_text(rules)
    return str(folder)


def test_engine_works_without_command_libraries(tmp_path: Path) -> None:
    broken = make_pack(tmp_path, "value two(): int = 1 + one\n")
    result = run_without(COMMAND_LIBRARIES, ENGINE, broken, PACKS)
    assert result.returncode == 0, result.stderr


def test_simulate_reports_without_duckdb(tmp_path: Path) -> None:
    simulate = ("simulate", f"{PACKS}/race", "--games", "2", "--jobs", "1", "--out", str(tmp_path))
    result = command_without("duckdb", *simulate)
    assert result.returncode == 0, result.stderr
    assert "Tables: none, because DuckDB is not installed." in result.stdout
    assert "tables]" in result.stdout
    assert (tmp_path / "report.html").is_file()
    assert not list(tmp_path.glob("*.parquet"))


def test_tables_in_parts_need_duckdb(tmp_path: Path) -> None:
    simulate = ("simulate", f"{PACKS}/race", "--games", "2", "--out", str(tmp_path / "out"))
    result = command_without("duckdb", *simulate, "--parts", "1")
    assert result.returncode == 2
    assert "`--parts` needs packages that are not installed" in result.stderr
    assert not (tmp_path / "out").exists()


def test_translations_are_used_without_babel() -> None:
    result = command_without("babel", "demo", f"{PACKS}/race", "--players", "2", "--language", "de")
    assert result.returncode == 0, result.stderr
    assert "Endstand" in result.stdout


def test_new_catalogue_needs_babel(tmp_path: Path) -> None:
    pack = make_pack(tmp_path, 'kind good "Goods" { }\n')
    result = command_without("babel", "translate", pack, "de")
    assert result.returncode == 2
    assert "`ziggurat translate` needs packages" in result.stderr
    assert "translate]" in result.stderr
    assert not (tmp_path / "locale").exists()


SMALL_STACK = """
    import threading

    import ziggurat

    def check():
        print([finding.code for finding in ziggurat.load(sys.argv[1]).diagnostics])

    threading.stack_size(256 * 1024)
    thread = threading.Thread(target=check)
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize(
    ("terms", "code"), [(50, ""), (200, "Z319"), (2_000, "Z109"), (100_000, "Z109")]
)
def test_long_sums_end_in_a_finding_on_a_small_stack(tmp_path: Path, terms: int, code: str) -> None:
    pack = make_pack(tmp_path, f"value many(): int = {' + '.join(['1'] * terms)}\n")
    result = run_without("", SMALL_STACK, pack)
    assert result.stdout.strip() == str([code] if code else []), result.stderr
