"""Loading a stack whose rules are right and some of whose scenarios are not: the others still run.

A scenario with an error in it is left out and told as broken, with what is wrong with it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.loading import LoadResult, ParsedFiles, load_sources, unresolved
from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.dsl.parse import parse_source
from ziggurat.dsl.syntax import Declaration
from ziggurat.proving.changes import BROKEN, Judgement
from ziggurat.proving.scenarios import Failure, Result, is_meant
from ziggurat.runtime import kernel as ir

ROUNDS = 5  # of leaving out; what comes to light after so many is told as it is


def load_tested(
    stack_text: str, search: Search | None = None
) -> tuple[LoadResult, tuple[Judgement, ...]]:
    """A stack without its faulty scenarios, and these. With any other error there is no ruleset."""
    stack, findings = resolve_stack(stack_text, search or Search.default())
    if stack is None:
        return unresolved(findings), ()
    sources, problems = read_sources(stack)
    before, parsed = [*findings, *problems], ParsedFiles()
    first = result = load_sources(sources, stack, before, parsed)
    faulty: list[Judgement] = []
    for _ in range(ROUNDS):
        errors = [one for one in result.diagnostics if one.is_error]
        if result.ruleset is not None:
            return result, tuple(faulty)
        left = _without(sources, errors)
        if left is None:
            break
        sources, found = left
        faulty += found
        result = load_sources(sources, stack, before, parsed)
    return first, ()


def faulty_of(faulty: Iterable[Judgement], pattern: str = "") -> Iterator[Judgement]:
    """Those of the faulty scenarios that a pattern means."""
    return (one for one in faulty if is_meant(one.result.scenario, pattern))


def _without(
    sources: list[Source], errors: list[Diagnostic]
) -> tuple[list[Source], list[Judgement]] | None:
    """The texts without the scenarios that have errors; None if anything else has."""
    wrong: dict[str, dict[tuple[int, int], list[Diagnostic]]] = {}
    titles: dict[tuple[str, int], str] = {}
    by_path = {source.path: source for source in sources}
    for error in errors:
        source = error.span and by_path.get(error.span.source.path)
        if not source or error.span is None:
            return None
        for top in parse_source(source)[0].tops:
            inside = top.start <= error.span.start < top.end
            if isinstance(top, Declaration) and top.word == "scenario" and inside:
                place = wrong.setdefault(source.path, {}).setdefault((top.start, top.end), [])
                place.append(error)
                titles[source.path, top.start] = str(top.title or "").strip('"')
                break
        else:
            return None
    left = [_blanked(source, list(wrong.get(source.path, ()))) for source in sources]
    found = [
        _broken(by_path[path], titles[path, start], start, told)
        for path, places in wrong.items()
        for (start, _), told in places.items()
    ]
    return left, found


def _blanked(source: Source, places: list[tuple[int, int]]) -> Source:
    """A text with nothing where these were; the lines of all others stay what they are."""
    text = source.text
    for start, end in places:
        gone = "".join(one if one == "\n" else " " for one in text[start:end])
        text = f"{text[:start]}{gone}{text[end:]}"
    return Source(source.path, text, source.pack) if places else source


def _broken(source: Source, title: str, start: int, told: list[Diagnostic]) -> Judgement:
    line, column = source.position(start)
    at = ir.At(source.path, line, column, line, column)
    scenario = ir.Scenario(title, title, (), (), (), (), at=at)
    said = dict.fromkeys(f"{one.code} {one.message}" for one in told)
    failure = Failure("the scenario can be read", " ".join(said), at)
    return Judgement(Result(scenario, failure, Counter()), BROKEN)
