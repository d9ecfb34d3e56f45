"""Optional dependencies: the packages that only some commands need."""

from pathlib import Path

from ziggurat.studio.console import UsageError

_CHECKOUT = Path(__file__).parents[1]


def missing_extra(command: str, extra: str) -> UsageError:
    """Return the error to raise if `command` cannot import the packages of `extra`."""
    return UsageError(
        f"`{command}` needs packages that are not installed. Add them with:"
        f" {install_command(extra)}"
    )


def install_command(extra: str) -> str:
    """Return the command that adds an extra to a checkout or to an installed release."""
    if (_CHECKOUT / "pyproject.toml").exists():
        return f'pip install -e "{_CHECKOUT}[{extra}]"'
    return f'pip install "ziggurat-rules[{extra}]"'
