"""The front door of the language: a stack in, a linked ruleset and all findings out."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Source
from ziggurat.dsl.ir import Ruleset
from ziggurat.dsl.linking.link import link
from ziggurat.dsl.packs import Search, Stack, read_sources, resolve_stack
from ziggurat.dsl.parse import parse_source
from ziggurat.dsl.syntax import File

__all__ = ["LoadResult", "link", "load", "load_sources"]

# What the linker may say about sound files when another one cannot be read: mistakes within one
# expression. Everything else could be an echo of what was not read.
_NO_ECHO = frozenset({"Z301", "Z302", "Z306", "Z307", "Z316"})


@attrs.frozen
class LoadResult:
    """`ruleset` is None when anything is wrong; warnings alone do not count as wrong."""

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]


def load(stack_text: str, search: Search | None = None) -> LoadResult:
    """Load a stack such as `west+expert` from the packs on the search path."""
    stack, findings = resolve_stack(stack_text, search or Search.default())
    if stack is None:
        return LoadResult(None, tuple(Findings(findings)))
    sources, problems = read_sources(stack)
    return load_sources(sources, stack, [*findings, *problems])


def load_sources(
    sources: Sequence[Source], stack: Stack, before: Sequence[Diagnostic] = ()
) -> LoadResult:
    """Parse and link texts that are already read; `before` is what was found on the way."""
    findings = Findings(before)
    files: list[File] = []
    broken: set[str] = set()
    with _no_collecting():
        for source in sources:
            file, problems = parse_source(source)
            files.append(file)
            findings.extend(problems)
            if any(problem.is_error for problem in problems):
                broken.add(source.path)
        ruleset, found = link(files, stack)
    findings.extend(one for one in found if not broken or _is_own(one, broken))
    return LoadResult(None if findings.has_errors else ruleset, tuple(findings))


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Do without garbage collection for a while.

    Syntax and rulesets are trees; looking for circles in them again and again as they grow takes a
    third of the time, and more than in proportion in large packs.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _is_own(finding: Diagnostic, broken: set[str]) -> bool:
    """Whether a finding has nothing to do with the files that could not be read."""
    place = finding.span.source.path if finding.span else ""
    return finding.code in _NO_ECHO and place not in broken
