"""The command line: what it prints, where, and the exit code it ends with."""

import importlib
import json
import os
import pkgutil
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

import ziggurat
from ziggurat.dsl.codes import all_codes
from ziggurat.dsl.diagnostics import Diagnostic, Severity, Source
from ziggurat.dsl.packs import Search, resolve_stack
from ziggurat.studio import commands
from ziggurat.studio.cli import main
from ziggurat.studio.commands import COMMANDS
from ziggurat.studio.console import console

PACK = 'id = "tiny"\ntitle = "Tiny [bold]"\nversion = "1.2"\nplayers = "2-4"\n'


@pytest.fixture(autouse=True)
def loaded_before() -> None:
    """A command that is loaded while something is replaced would keep the replacement for good."""
    for one in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
        importlib.import_module(one.name)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packs with one pack, which is also the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ZIGGURAT_PACKS", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "pack.toml").write_text(PACK)
    (folder / "a.rules").write_text("value rate: int = 2\n")
    return tmp_path


@attrs.frozen
class Loaded:
    ruleset: object
    diagnostics: list[Diagnostic]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Diagnostic]:
    """Replaces linking: what is put into this list is what `check` finds in a good stack."""
    found: list[Diagnostic] = []

    def load(text: str, search: Search) -> Loaded:
        stack, diagnostics = resolve_stack(text, search)
        return Loaded(stack, [*diagnostics, *found])

    monkeypatch.setattr(ziggurat, "load", load, raising=False)
    return found


def finding(severity: Severity = "error") -> Diagnostic:
    source = Source("tiny/a.rules", "value rate: int = 2\n", "tiny")
    return Diagnostic("Z201", "No such name.", source.span(6, 10), severity=severity)


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def test_clean(tiny: Path, found: list[Diagnostic], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "tiny", "--packs", tiny) == 0
    assert run("check", "./tiny") == 0
    assert capsys.readouterr().out == "tiny: clean\n./tiny: clean\n"


def test_a_single_file(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "tiny/a.rules") == 0
    assert capsys.readouterr().out == "tiny/a.rules: clean\n"
    (tiny / "tiny/a.rules").write_bytes(b"\xff")
    assert run("check", "tiny/a.rules") == 1
    assert "error[Z003]" in capsys.readouterr().out


def test_findings(tiny: Path, found: list[Diagnostic], capsys: pytest.CaptureFixture[str]) -> None:
    found.append(finding())
    assert run("check", "./tiny") == 1
    assert capsys.readouterr().out == (
        "error[Z201]: No such name.\n"
        " --> tiny/a.rules:1:7\n"
        "  |\n"
        "1 | value rate: int = 2\n"
        "  |       ^^^^\n"
        "\n"
        "./tiny: 1 error\n"
    )


def test_warnings_count_only_when_strict(tiny: Path, found: list[Diagnostic]) -> None:
    found.append(finding("warning"))
    assert run("check", "./tiny") == 0
    assert run("check", "./tiny", "--strict") == 1


def test_several_targets_show_a_shared_finding_once(
    tiny: Path, found: list[Diagnostic], capsys: pytest.CaptureFixture[str]
) -> None:
    found.append(finding())
    assert run("check", "./tiny", "tiny", "--packs", tiny) == 1
    out = capsys.readouterr().out
    assert out.count("Z201") == 1
    assert out.endswith("2 rulesets: 1 error\n")


def test_json(tiny: Path, found: list[Diagnostic], capsys: pytest.CaptureFixture[str]) -> None:
    found.append(finding())
    assert run("check", "./tiny", "--format", "json") == 1
    shape: Any = json.loads(capsys.readouterr().out)
    assert shape["findings"][0]["location"]["path"] == "tiny/a.rules"


def test_github_names_files_of_the_working_folder(
    tiny: Path, found: list[Diagnostic], capsys: pytest.CaptureFixture[str]
) -> None:
    (tiny / "tiny").rename(tiny / "elsewhere")
    found.append(finding())
    assert run("check", "./elsewhere", "--format", "github") == 1
    assert capsys.readouterr().out.startswith("::error file=elsewhere/a.rules,line=1,")
    assert run("check", "nothing", "--format", "github") == 2
    assert "::error title=Z020::" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "nothing"],
        ["check", "./nothing"],
        ["check", "nothing.rules"],
        ["check", ""],
        ["check", "tiny+"],
        ["check", "."],
        ["check", "x" * 5000],
        ["check", "tiny", "--packs", "nowhere"],
        ["check", "--format", "xml"],
        ["check", "--unknown"],
        ["chekc"],
        ["explain", "Z999"],
        ["explain", "no such thing"],
    ],
)
def test_requests_that_make_no_sense_end_with_two(
    tiny: Path,
    found: list[Diagnostic],
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert out or err.startswith("ziggurat: ")


def test_without_a_target_the_pack_here_is_checked(
    tiny: Path,
    found: list[Diagnostic],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tiny / "tiny")
    assert run("check") == 0
    assert capsys.readouterr().out == ".: clean\n"


def test_a_command_is_spelt_out_when_misspelt(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("chekc") == 2
    assert 'Did you mean "check"?' in capsys.readouterr().err


def test_explain_shows_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "z012") == 0
    out = capsys.readouterr().out
    assert "Unknown key in pack.toml" in out
    assert 'extends = ["west"]' in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_explain_lists_all_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in lines] == list(all_codes())


def test_packs_lists_what_is_found(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("packs", "--packs", tiny) == 0
    out = capsys.readouterr().out
    assert "tiny" in out
    assert "[bold]" in out
    assert "2-4" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command, "--help") == 0
    assert f"ziggurat {command}" in capsys.readouterr().out


def test_the_first_page_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    out = capsys.readouterr().out
    assert all(command in out and line in out for command, (_, line) in COMMANDS.items())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_and_options(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    script = tmp_path / "script"
    assert run("--install-completion", "--shell", shell, "--output", script) == 0
    text = script.read_text(encoding="utf-8")
    assert all(word in text for word in (*COMMANDS, "format", "github", "strict"))


BASH = """source ./script
complete() { COMP_WORDS=(ziggurat "$@"); COMP_CWORD=$#; COMPREPLY=(); _ziggurat
  echo "${COMPREPLY[*]}"; }
complete check we; complete simulate west+ex; complete check ti; complete test ./ti
builtin complete -p ziggurat
"""


@pytest.mark.posix
@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_completion_knows_stacks_and_folders(tiny: Path) -> None:
    assert run("--install-completion", "--shell", "bash", "--output", tiny / "script") == 0
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", BASH], cwd=tiny, env={**os.environ, "PATH": path},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    packs, stacks, folder, inside, settings = (line.split() for line in done.stdout.splitlines())
    assert {"west", "west_board"} <= {*packs}
    assert stacks == ["west+expansion_project", "west+expert"]
    assert (folder, inside) == (["tiny/"], ["./tiny/"])
    assert "filenames" in settings


def test_completion_for_fish_lies_where_settings_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run("--install-completion", "--shell", "fish") == 0
    assert (tmp_path / "fish" / "completions" / "ziggurat.fish").is_file()


def test_the_version_says_of_what(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"ziggurat {ziggurat.__version__}\n"


def test_an_interrupt_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(text: str, search: Search) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ziggurat, "load", interrupt, raising=False)
    assert run("check", "west") == 130
    assert capsys.readouterr() == ("", "ziggurat: interrupted.\n")


def test_our_own_mistakes_are_admitted_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(text: str, search: Search) -> None:
        raise ZeroDivisionError("a [bold] message")

    monkeypatch.setattr(ziggurat, "load", fail, raising=False)
    monkeypatch.delenv("ZIGGURAT_DEBUG", raising=False)
    assert run("check", "west") == 70
    assert "ZeroDivisionError: a [bold] message" in capsys.readouterr().err
    monkeypatch.setenv("ZIGGURAT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("check", "west")


COMMAND = [sys.executable, "-m", "ziggurat"]


def test_a_reader_that_leaves_early_is_no_error() -> None:
    process = subprocess.Popen(
        [*COMMAND, "explain"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait() in (128 + signal.SIGPIPE, 0)


def test_a_poor_terminal_gets_plain_letters() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    done = subprocess.run(
        [*COMMAND, "explain", "Z003"], capture_output=True, text=True, env=environment, check=True
    )
    assert "Caf? rules" in done.stdout


def test_no_color_means_none(tiny: Path) -> None:
    environment = os.environ | {"NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    done = subprocess.run(
        [*COMMAND, "explain", "Z012"], capture_output=True, text=True, env=environment, check=True
    )
    assert "\x1b" not in done.stdout


def test_a_place_on_line_100_is_no_picture(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("tiny/game.rules:100:7: Here.")
    assert capsys.readouterr().out == "tiny/game.rules:100:7: Here.\n"
