"""Rulesets that somebody looks into: loaded once, and again when one of their files has changed."""

import os
import threading
from collections import OrderedDict
from functools import cached_property

from ziggurat import (
    MANIFEST,
    Diagnostic,
    LoadResult,
    Program,
    Ruleset,
    Search,
    Workspace,
    compile_ruleset,
)
from ziggurat.studio.web import memory
from ziggurat.studio.web.refusals import Refusal

KEPT = 4
Stamp = tuple[tuple[str, int, int], ...]


class Desk:
    """One ruleset as its files were when it was read."""

    def __init__(self, workspace: Workspace, result: LoadResult, stamp: Stamp) -> None:
        self.workspace, self.result, self.stamp = workspace, result, stamp

    @property
    def findings(self) -> list[Diagnostic]:
        """What is wrong with it."""
        return list(self.result.diagnostics)

    @property
    def ruleset(self) -> Ruleset:
        """Its rules. Raises `Refusal` if it has mistakes."""
        if self.result.ruleset is None:
            stack = self.workspace.stack_text
            raise Refusal(409, f"`{stack}` has mistakes; the page of findings tells which.")
        return self.result.ruleset

    @cached_property
    def program(self) -> Program:
        """Its rules as they are played."""
        return compile_ruleset(self.ruleset)


class Desks:
    """The rulesets that were looked into last. One thread at a time works on them."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.lock = threading.RLock()
        self._desks: OrderedDict[str, Desk] = OrderedDict()

    def desk(self, stack: str) -> Desk:
        """A ruleset as its files are now."""
        with self.lock:
            kept = self._desks.get(stack)
            if kept is None or kept.stamp != stamp(kept.workspace):
                kept = self._load(stack, kept)
            self._desks[stack] = kept
            self._desks.move_to_end(stack)
            while len(self._desks) > KEPT:
                self._desks.popitem(last=False)
            return kept

    def _load(self, stack: str, kept: Desk | None) -> Desk:
        workspace = kept.workspace if kept is not None else Workspace(stack, self.search)
        before = stamp(workspace)
        result = workspace.load(game=False)
        memory.loaded()
        return Desk(workspace, result, before if kept is not None else stamp(workspace))


def stamp(workspace: Workspace) -> Stamp:
    """When the files of a stack were written, and how long they are."""
    found = []
    for folder in workspace.folders.values():
        for place, _, names in os.walk(folder):
            for name in names:
                if name.endswith(".rules") or name == MANIFEST:
                    path = os.path.join(place, name)  # noqa: PTH118 - walked as text
                    try:
                        seen = os.stat(path)  # noqa: PTH116
                    except OSError:
                        continue
                    found.append((path, seen.st_mtime_ns, seen.st_size))
    return tuple(sorted(found))
