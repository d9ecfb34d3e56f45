"""A stack that is checked, and its scenarios run, whenever one of its files changes."""

from collections.abc import Callable, Iterable, Iterator

from rich.console import Console

from ziggurat import (
    OutOfDate,
    Program,
    Result,
    Ruleset,
    Runner,
    Search,
    Workspace,
    compile_ruleset,
    ir,
    render_human,
    summary,
)

Wanted = Callable[[], bool]
# What scenarios run, so that their traces tell which of them it concerns. Other tables are data.
_TRACED = ("values", "orders", "procedures", "phases", "actions")
_DATA = ("kinds", "pieces", "places", "cards", "neutrals", "attributes", "options", "turns")


class Watcher:
    """One stack between two changes: what was found, and what each scenario ran the last time."""

    def __init__(self, stack: str, search: Search, out: Console) -> None:
        self.workspace = Workspace(stack, search)
        self.out = out
        self._program: Program | None = None
        self._ran: dict[str, frozenset[str]] = {}
        self._rules: Ruleset | None = None
        self._failed: set[str] = set()
        self._told = ""

    @property
    def folders(self) -> list[str]:
        return list(self.workspace.folders.values())

    def look(self, wanted: Wanted = lambda: True, run: bool = True) -> bool:
        """Check the stack as it is now and run what a change concerns; whether all is well. It ends
        as soon as something has changed again."""
        try:
            result = self.workspace.load(wanted)
        except OutOfDate:
            return False
        wrong = [one for one in result.diagnostics if not one.is_note]
        if wrong:
            render_human(wrong, self.out)
        told = f"{self.workspace.stack_text}: {summary(wrong) if wrong else 'clean'}"
        if told != self._told or self.workspace.parsed:
            self.out.print(told, markup=False, highlight=False)
        self._told = told
        if result.ruleset is None:
            return False
        if self._program is None:  # later ones are made from it, which is much quicker
            self._program = compile_ruleset(result.ruleset)
        changed, others = self._concerned(result.ruleset)
        if run and (changed or others):
            self._run(result.ruleset, changed, others, wanted)
        return not wrong and not self._failed

    def _concerned(self, ruleset: Ruleset) -> tuple[list[ir.Scenario], list[ir.Scenario]]:
        """The scenarios that are written otherwise, and those that run what has changed. The first
        time nothing has."""
        old, self._rules = self._rules, ruleset
        if old is None:
            return [], []
        before = {one.id: one for one in old.scenarios}
        changed = [one for one in ruleset.scenarios if before.get(one.id) != one]
        new = {one.id for one in changed}
        rules = {path for name in _TRACED for path in _differing(old, ruleset, name)}
        data = old.things != ruleset.things or any(_differing(old, ruleset, one) for one in _DATA)
        others = [
            one for one in ruleset.scenarios
            if one.id not in new and (one.id in self._failed or data or self._runs(one, rules))
        ]  # fmt: skip
        return changed, others

    def _runs(self, scenario: ir.Scenario, rules: set[str]) -> bool:
        ran = self._ran.get(scenario.id)
        return bool(rules) and (ran is None or not ran.isdisjoint(rules))

    def _run(
        self,
        ruleset: Ruleset,
        changed: list[ir.Scenario],
        others: list[ir.Scenario],
        wanted: Wanted,
    ) -> None:
        self._program = compile_ruleset(ruleset, earlier=self._program)
        runner = Runner(self._program)
        done = self._tell(map(runner.run, changed), wanted)
        if others and wanted():
            done += self._tell(map(self._traced(runner), others), wanted)
        kept = done - len(self._failed & {one.id for one in (*changed, *others)})
        self.out.print(f"{done} run, {kept} kept.", markup=False, highlight=False)

    def _traced(self, runner: Runner) -> Callable[[ir.Scenario], Result]:
        def run(scenario: ir.Scenario) -> Result:
            result = runner.count(scenario)
            self._ran[scenario.id] = frozenset(_homes(result.counts))
            return result

        return run

    def _tell(self, results: Iterator[Result] | Iterable[Result], wanted: Wanted) -> int:
        done = 0
        for result in results:
            done += 1
            scenario = result.scenario
            self._failed.discard(scenario.id)
            if result.failure is not None:
                self._failed.add(scenario.id)
                text = f"BROKEN  {scenario.title}\n{result.failure}"
                self.out.print(text, markup=False, highlight=False, soft_wrap=True)
            if not wanted():
                break
        return done


def _differing(old: Ruleset, new: Ruleset, table: str) -> list[str]:
    before, after = getattr(old, table), getattr(new, table)
    return [
        path for path in {**before, **after}
        if before.get(path) is not after.get(path) and before.get(path) != after.get(path)
    ]  # fmt: skip


def _homes(clauses: Iterable[str]) -> Iterator[str]:
    """The declarations that clauses stand in or are about: `masonry / modify keep / 1` is about
    `keep`, `attack.battle` stands in `attack`."""
    for clause in clauses:
        home, _, rest = clause.partition(" / ")
        yield from (home, home.partition(".")[0], rest.partition(" / ")[0].rpartition(" ")[2])
