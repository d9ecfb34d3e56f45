"""A stack that stays loaded while its texts change: what an editor holds.

What is kept from one load to the next, and what is done anew, is said in docs/architecture.md.
"""

from collections.abc import Callable, Mapping

import attrs

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.named import Names
from ziggurat.dsl.linking.relinking import LinkedDeclarations, OutOfDate, always
from ziggurat.dsl.loading import LoadResult, ParsedFiles, load_sources, unresolved
from ziggurat.dsl.packs import Search, read_sources, resolve_stack

__all__ = ["OutOfDate", "Workspace"]


class Workspace:
    """One stack and the texts that somebody is editing in it.

    What an editor has open may also be in the search (`Search.shown`), for several stacks at once.
    Files have the names that findings give them: the id of the pack and the path in it, such as
    `west/phases/taxes.rules`. A file belongs to a pack once it is in its folder.
    """

    def __init__(self, stack_text: str, search: Search | None = None) -> None:
        self.stack_text = stack_text
        self.search = search or Search.default()
        self._edited: dict[str, str] = {}
        self._parsed = ParsedFiles()
        self._linked = LinkedDeclarations()
        self._folders: dict[str, str] = {}

    def edit(self, path: str, text: str) -> None:
        """From now on a file is what an editor shows, whatever is on the disk."""
        self._edited[path] = text

    def close(self, path: str) -> None:
        """The file on the disk counts again."""
        self._edited.pop(path, None)

    def load(self, wanted: Callable[[], bool] = always, game: bool = True) -> LoadResult:
        """The ruleset and the findings of the stack as it is now.

        As soon as it is not `wanted` any more (a text has changed meanwhile), it ends with
        `OutOfDate`, and everything is as it was after the last load.
        """
        self._linked.wanted = wanted
        stack, findings = resolve_stack(self.stack_text, self.search, game)
        if stack is None:
            return unresolved(findings)
        self._folders = {pack.id: pack.path for pack in stack.packs}
        sources, problems = read_sources(stack, self.search.shown)
        current = [self._current(source) for source in sources]
        result = load_sources(current, stack, [*findings, *problems], self._parsed, self._linked)
        self._parsed.forget_others(current)
        return result

    def forget_loaded(self) -> None:
        """Load everything again the next time; names stay as they were after the last load."""
        self._parsed = ParsedFiles()
        self._linked = LinkedDeclarations(names=self._linked.names)

    def with_texts(self, texts: Mapping[str, str]) -> LoadResult:
        """What would come of other texts; the workspace stays as it is."""
        other = Workspace(self.stack_text, self.search)
        other._edited = {**self._edited, **texts}
        other._parsed = self._parsed.copy()
        other._linked = attrs.evolve(self._linked, wanted=always)
        return other.load(game=False)

    @property
    def folders(self) -> dict[str, str]:
        """Where the packs of the stack lie, by their ids, as of the last load."""
        return self._folders

    @property
    def parsed(self) -> tuple[str, ...]:
        """The files that the last load had to parse: those whose text was new to it."""
        return tuple(self._parsed.fresh)

    @property
    def linked(self) -> tuple[str, ...]:
        """The declarations whose inside the last load had to link, such as `area thera`; once more
        for those that bring clauses."""
        return tuple(self._linked.fresh)

    @property
    def names(self) -> Names | None:
        """What every name in the stack means, as of the last load; none before the first."""
        return self._linked.names

    def _current(self, source: Source) -> Source:
        text = self._edited.get(source.path, source.text)
        return source if text == source.text else Source(source.path, text, source.pack)
