"""`ziggurat`: the front door. Every ending is deliberate: an exit code and a message for people."""

import os
import sys
from collections.abc import Iterable, Sequence
from contextvars import copy_context
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Literal

from cyclopts import App, CycloptsError, UnusedCliTokensError
from cyclopts.completion.install import create_install_completion_command

from ziggurat import __version__
from ziggurat.studio.commands import COMMANDS
from ziggurat.studio.console import (
    BROKEN_PIPE,
    FOUND,
    INTERNAL,
    INTERRUPTED,
    OK,
    USAGE,
    UsageError,
    complain,
    console,
    is_broken_pipe,
)

Shell = Literal["zsh", "bash", "fish", "powershell"]
DEBUG = "ZIGGURAT_DEBUG"
HELP = "`ziggurat COMMAND --help` says what a command takes."


def build(arguments: Sequence[str]) -> App:
    """The application with all its commands, none of them imported yet.

    The line of a command stands in for its own help on the first page only, so that the first page
    imports nothing and `ziggurat COMMAND --help` shows all there is to say.
    """
    first_page = not any(argument in COMMANDS for argument in arguments)
    app = App(
        name="ziggurat",
        help="Board game rules as data: check them, read them, play them.",
        version=f"ziggurat {__version__}",
        console=console(),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    for name, (place, line) in COMMANDS.items():
        app.command(place, name=name, **({"help": line} if first_page else {}))
    app.command(
        create_install_completion_command(partial(_install_completion, app), add_to_startup=True),
        name="--install-completion",
        help="Install completion for your shell.",
    )
    return app


# What makes a shell go on after a folder instead of beginning the next word.
_WITHOUT_SPACE = {
    "bash": ("\ncomplete -F ", "\ncomplete -o filenames -F "),
    "zsh": (
        "(( ${#_cyc_vals} )) && compadd ",
        "local -a _cyc_end; [[ -n ${(M)_cyc_vals:#*/} ]] && _cyc_end=(-S '')\n"
        '    (( ${#_cyc_vals} )) && compadd "${_cyc_end[@]}" ',
    ),
}


def _install_completion(
    app: App, *, shell: Shell, output: Path | None, add_to_startup: bool
) -> Path:
    """Write the script of a shell where the shell finds it, so that it goes on after folders."""
    settings = os.environ.get("XDG_CONFIG_HOME")
    if shell == "fish" and output is None and settings:
        output = Path(settings, "fish", "completions", "ziggurat.fish")
    path = app.install_completion(shell=shell, output=output, add_to_startup=add_to_startup)
    if shell in _WITHOUT_SPACE:
        script = path.read_text(encoding="utf-8")
        path.write_text(script.replace(*_WITHOUT_SPACE[shell]), encoding="utf-8")
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code. What it settles for itself, such as the
    language, is settled for nobody else."""
    return copy_context().run(_main, arguments)


def _main(arguments: Sequence[str] | None) -> int:
    _print_anything()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        result = build(given)(given, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("interrupted.")
        return INTERRUPTED
    except UnusedCliTokensError as error:
        complain(f"too many words: {_listed(error.unused_tokens or ())}. {HELP}")
        return USAGE
    except (CycloptsError, UsageError) as error:
        complain(str(error))
        return USAGE
    except OSError as error:
        if is_broken_pipe(error):
            _silence()
            return BROKEN_PIPE
        complain(f"{_listed(filter(None, [error.filename])) or 'a file'}: {error.strerror}.")
        return USAGE
    except Exception as error:
        return _internal(error)
    return result if isinstance(result, int) else OK


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _internal(error: Exception) -> int:
    """Say what nobody expected, or that the rules of a pack cannot be carried out."""
    from ziggurat import InternalError, RulesError

    if isinstance(error, RulesError):
        complain(f"the rules cannot go on: {error}")
        return FOUND
    if os.environ.get(DEBUG):
        raise error
    if isinstance(error, InternalError):
        complain(f"{error} {DEBUG}=1 shows more.")
        return INTERNAL
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    complain(
        f"something went wrong inside Ziggurat ({reason}). This is a mistake of the program, not"
        f" yours; {DEBUG}=1 shows where."
    )
    return INTERNAL


def _print_anything() -> None:
    """A letter the terminal cannot show becomes a question mark, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _silence() -> None:
    """Nobody reads any more: keep Python from complaining about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
