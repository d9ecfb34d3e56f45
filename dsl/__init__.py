"""The rules language: text in, a linked ruleset and findings out.

The linker is imported only when it is asked for: most of what this room offers needs none of it,
and a command that lists packs should be there at once.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ziggurat.dsl.loading import LoadResult, ParsedFiles, link, load, load_sources
    from ziggurat.dsl.workspace import Workspace

__all__ = ["LoadResult", "ParsedFiles", "Workspace", "link", "load", "load_sources"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ziggurat.dsl import loading, workspace

    return getattr(workspace if name == "Workspace" else loading, name)
