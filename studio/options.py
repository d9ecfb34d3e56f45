"""Options that several commands share, so that they are called and explained alike everywhere."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from dsl.packs import Search
from studio.console import UsageError

PackFolders = Annotated[
    tuple[Path, ...],
    Parameter(
        name="--packs",
        help="A folder with packs, searched before the built-in ones; may be given several times.",
        negative=(),
        consume_multiple=False,
        show_default=False,
    ),
]


def search_path(folders: Sequence[Path]) -> Search:
    """The places to look for packs; a folder that was asked for and is not there is a mistake."""
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"there is no folder `{folder}` to look for packs in.")
    return Search.default(folders)
