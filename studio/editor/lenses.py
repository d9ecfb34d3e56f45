"""What stands above declarations: run this scenario, who changes this value; and what comes of
asking for it."""

from collections.abc import Iterator

from lsprotocol import types as lsp

from ziggurat import (
    NamedDeclaration,
    Names,
    Program,
    Result,
    Ruleset,
    Runner,
    changes_of,
    check_mutant,
    compile_ruleset,
    ir,
    mutants,
    sample,
)
from ziggurat.studio.editor.desk import Bench
from ziggurat.studio.editor.navigation import amended
from ziggurat.studio.editor.places import span_range

RUN, MUTANTS, SHOW, EXPLAIN = (
    "ziggurat.runScenario", "ziggurat.tryMutants", "ziggurat.showPlaces",
    "ziggurat.explainScenario",
)  # fmt: skip
MOST_MUTANTS = 40


class Trials:
    """Scenarios that were run from an editor, and what came of it, for one state of the rules."""

    def __init__(self) -> None:
        self._program: Program | None = None
        self._runner: Runner | None = None
        self.told: dict[str, str] = {}

    def runner(self, ruleset: Ruleset) -> Runner:
        """Compiled from the last program, so only what changed is compiled again."""
        if self._program is None or self._program.ruleset is not ruleset:
            self._program = compile_ruleset(ruleset, earlier=self._program)
            self._runner = Runner(self._program)
            self.told.clear()
        assert self._runner is not None
        return self._runner

    def run(self, ruleset: Ruleset, id_: str) -> list[Result]:
        """A scenario, with all its cases."""
        runner = self.runner(ruleset)
        results = [runner.run(one) for one in cases(ruleset, id_)]
        failed = [one for one in results if not one.passed]
        self.told[id_] = f"{len(failed)} of {len(results)} failed" if failed else "passed"
        return results

    def survivors(self, ruleset: Ruleset, id_: str) -> tuple[list[str], int]:
        """The small mistakes in what a scenario runs that it does not notice, and how many were
        tried."""
        runner = self.runner(ruleset)
        assert self._program is not None
        chosen = cases(ruleset, id_)
        counted = [runner.count(one) for one in chosen]
        ran = {path for result in counted if result.passed for path in result.counts}
        reached = [one for one in mutants(ruleset) if one.clause in ran]
        tried = sample(reached, MOST_MUTANTS, 1)
        alive = [
            f"{one.clause}: {one.what}" for one in tried
            if not check_mutant(self._program, one, chosen).noticed_by
        ]  # fmt: skip
        one = "mutant survives" if len(alive) == 1 else "mutants survive"
        self.told[f"{id_} mutants"] = f"{len(alive)} {one}"
        return alive, len(tried)


def cases(ruleset: Ruleset, id_: str) -> list[ir.Scenario]:
    """A scenario; of a table of cases, each."""
    return [one for one in ruleset.scenarios if one.id == id_ or one.id.rpartition(".")[0] == id_]


def lenses(
    bench: Bench, names: Names, trials: Trials, file: str, uri: str
) -> Iterator[lsp.CodeLens]:
    """All of a file."""
    for one in names.declarations(file):
        where = span_range(one.name)
        if one.word == "scenario":
            yield from _of_scenario(one, where, trials, uri)
        elif one.word in ("value", "procedure", "phase"):
            number = len(changes_of(names, one.word, one.path))
            if number:
                yield lsp.CodeLens(where, _changed(bench, names, one, number, uri))


def _of_scenario(
    one: NamedDeclaration, where: lsp.Range, trials: Trials, uri: str
) -> Iterator[lsp.CodeLens]:
    told = trials.told.get(one.path)
    alive = trials.told.get(f"{one.path} mutants", "try mutants")
    for title, command, which in (
        (f"run ({told})" if told else "run", RUN, one.path),
        ("explain", EXPLAIN, one.title),
        (alive, MUTANTS, one.path),
    ):
        yield lsp.CodeLens(where, lsp.Command(title, command, arguments=[uri, which]))


def _changed(
    bench: Bench, names: Names, one: NamedDeclaration, number: int, uri: str
) -> lsp.Command:
    places = [place for place in names.at(one.name.source.path, one.name.start)
              if place.meaning == (one.word, one.path)]  # fmt: skip
    clauses = "clause" if number == 1 else "clauses"
    title = f"changed by {number} {clauses}"
    locations = amended(bench, names, places[:1])
    start = span_range(one.name).start
    return lsp.Command(title, SHOW, arguments=[uri, start, locations])
