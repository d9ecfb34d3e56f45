"""Lays the packages out for type checkers when the project is installed for development.

Type checkers find `ziggurat.dsl` and the other packages only in a folder called `ziggurat`, so an
editable install links them into `src/ziggurat`. The program does not use the links: it finds the
packages where they are (`src/ziggurat/__init__.py`).
"""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("dsl", "runtime", "proving", "studio")


class LinkPackages(BuildHookInterface[Any]):
    """Links the packages when hatchling makes an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            link_packages(Path(self.root))


def link_packages(root: Path) -> None:
    """Link each package into `src/ziggurat`. Only warn where the system has no links."""
    for name in PACKAGES:
        link = root / "src" / "ziggurat" / name
        if link.exists():
            continue
        try:
            if os.path.lexists(link):
                link.unlink()  # the checkout has moved
            _link(link, root / name)
        except OSError as error:
            print(f"Type checkers will not find `{name}`: {error}", file=sys.stderr)


def _link(link: Path, folder: Path) -> None:
    if sys.platform == "win32":
        # Everybody may make junctions, but only administrators and developers other links.
        import _winapi

        _winapi.CreateJunction(str(folder), str(link))
    else:
        link.symlink_to(os.path.relpath(folder, link.parent), target_is_directory=True)
