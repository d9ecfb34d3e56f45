"""Board game rules as data: load a ruleset, check it, play it, explain and compare it."""

from pathlib import Path

# Installed, the rooms (`dsl`, `runtime`, `proving`, `studio`, `content`) lie in this package. In a
# checkout they are the folders two levels up: found here, they add no other importable name.
_CHECKOUT = Path(__file__).resolve().parents[2]
if (_CHECKOUT / "pyproject.toml").is_file():
    __path__.append(str(_CHECKOUT))
