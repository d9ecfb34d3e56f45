"""The front door of the language: a stack in, a linked ruleset and all findings out."""

from collections.abc import Sequence

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Source
from ziggurat.dsl.linking.link import link
from ziggurat.dsl.linking.relinking import LinkedDeclarations, OutOfDate
from ziggurat.dsl.nearest import limited_effort
from ziggurat.dsl.packs import Search, Stack, read_sources, resolve_stack
from ziggurat.dsl.parse import parse_source
from ziggurat.dsl.syntax import File
from ziggurat.runtime.garbage import pause_garbage_collection
from ziggurat.runtime.kernel import OpenPlace, Ruleset

__all__ = ["LoadResult", "ParsedFiles", "link", "load", "load_below", "load_sources"]

# What the linker may say about sound files when another one cannot be read: mistakes within one
# expression. Everything else could be an echo of what was not read.
_NO_ECHO = frozenset({"Z301", "Z302", "Z306", "Z307", "Z316"})

# Said of an open place that nobody answers, which only a game needs.
_UNANSWERED = "Z410"


@attrs.frozen
class LoadResult:
    """`ruleset` is None when anything is wrong; warnings alone do not count as wrong.

    `open_places` are there whatever is wrong, as far as packs could be linked.
    """

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]
    open_places: tuple[OpenPlace, ...] = ()


class ParsedFiles:
    """Files that were parsed, by their texts, for whoever loads more than once.

    A text that was there before gives the very same `File`; trees are never changed by linking.
    """

    def __init__(self) -> None:
        self._kept: dict[Source, tuple[File, list[Diagnostic]]] = {}
        self.fresh: list[str] = []

    def parse(self, source: Source) -> tuple[File, list[Diagnostic]]:
        if source not in self._kept:
            self._kept[source] = parse_source(source)
            self.fresh.append(source.path)
        return self._kept[source]

    def copy(self) -> "ParsedFiles":
        """Another one that knows the same files."""
        other = ParsedFiles()
        other._kept = dict(self._kept)
        return other

    def forget_others(self, sources: Sequence[Source]) -> None:
        """Keep no more than these."""
        self._kept = {source: self._kept[source] for source in sources}


def load(
    stack_text: str,
    search: Search | None = None,
    parsed: ParsedFiles | None = None,
    game: bool = True,
) -> LoadResult:
    """Load a stack such as `west+expert` from the packs on the search path.

    Unless it must be a `game`, all packs of it may leave something to others.
    """
    search = search or Search.default()
    stack, findings = resolve_stack(stack_text, search, game)
    if stack is None:
        return unresolved(findings)
    sources, problems = read_sources(stack, search.shown)
    return load_sources(sources, stack, [*findings, *problems], parsed, game=game)


def load_below(
    stack_text: str, number: int, search: Search | None = None, parsed: ParsedFiles | None = None
) -> LoadResult:
    """Load the lowest packs of a stack: so many of them."""
    whole, findings = resolve_stack(stack_text, search or Search.default())
    if whole is None:
        return unresolved(findings)
    stack = Stack(whole.packs[:number], whole.ids[:number], whole.known)
    sources, problems = read_sources(stack)
    return load_sources(sources, stack, problems, parsed)


def unresolved(findings: Sequence[Diagnostic]) -> LoadResult:
    """What comes of a stack whose packs are not all there."""
    return LoadResult(None, tuple(Findings(findings)))


def load_sources(
    sources: Sequence[Source],
    stack: Stack,
    before: Sequence[Diagnostic] = (),
    parsed: ParsedFiles | None = None,
    linked: LinkedDeclarations | None = None,
    game: bool = True,
) -> LoadResult:
    """Parse and link texts that are already read; `before` is what was found on the way.

    With `parsed`, what was parsed before is not parsed again; with `linked`, what was linked
    before and would be linked to the same is not linked again.
    """
    parse = parse_source
    if parsed is not None:
        parsed.fresh = []
        parse = parsed.parse
    findings = Findings(before)
    files: list[File] = []
    broken: set[str] = set()
    with pause_garbage_collection():
        for source in sources:
            if linked is not None and not linked.wanted():
                raise OutOfDate
            file, problems = parse(source)
            files.append(file)
            findings.extend(problems)
            if any(problem.is_error for problem in problems):
                broken.add(source.path)
        with limited_effort():
            ruleset, found = link(files, stack, linked)
    meant = (one for one in found if game or one.code != _UNANSWERED)
    findings.extend(one for one in meant if not broken or _is_own(one, broken))
    places = tuple(ruleset.open_places.values())
    return LoadResult(None if findings.has_errors else ruleset, tuple(findings), places)


def _is_own(finding: Diagnostic, broken: set[str]) -> bool:
    """Whether a finding has nothing to do with the files that could not be read."""
    place = finding.span.source.path if finding.span else ""
    return finding.code in _NO_ECHO and place not in broken
