"""A stack that stays loaded while its texts change: what an editor holds.

What is kept from one load to the next, and what is done anew, is said in docs/architecture.md.
"""

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.relinking import LinkedDeclarations
from ziggurat.dsl.loading import LoadResult, ParsedFiles, load_sources, unresolved
from ziggurat.dsl.packs import Search, read_sources, resolve_stack


class Workspace:
    """One stack and the texts that somebody is editing in it.

    Files have the names that findings give them: the id of the pack and the path in it, such as
    `west/phases/taxes.rules`. A file belongs to a pack once it is in its folder.
    """

    def __init__(self, stack_text: str, search: Search | None = None) -> None:
        self.stack_text = stack_text
        self.search = search or Search.default()
        self._edited: dict[str, str] = {}
        self._parsed = ParsedFiles()
        self._linked = LinkedDeclarations()

    def edit(self, path: str, text: str) -> None:
        """From now on a file is what an editor shows, whatever is on the disk."""
        self._edited[path] = text

    def close(self, path: str) -> None:
        """The file on the disk counts again."""
        self._edited.pop(path, None)

    def load(self) -> LoadResult:
        """The ruleset and the findings of the stack as it is now."""
        stack, findings = resolve_stack(self.stack_text, self.search)
        if stack is None:
            return unresolved(findings)
        sources, problems = read_sources(stack)
        current = [self._current(source) for source in sources]
        result = load_sources(current, stack, [*findings, *problems], self._parsed, self._linked)
        self._parsed.forget_others(current)
        return result

    @property
    def parsed(self) -> tuple[str, ...]:
        """The files that the last load had to parse: those whose text was new to it."""
        return tuple(self._parsed.fresh)

    @property
    def linked(self) -> tuple[str, ...]:
        """The declarations whose inside the last load had to link, such as `area thera`; once more
        for those that bring clauses."""
        return tuple(self._linked.fresh)

    def _current(self, source: Source) -> Source:
        text = self._edited.get(source.path, source.text)
        return source if text == source.text else Source(source.path, text, source.pack)
