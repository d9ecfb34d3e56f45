"""Changed on purpose: the lines by which a pack says that a scenario ends differently with it.

A scenario is run to its end, whatever its checks say. Each check that does not hold is written anew
as the position has it, the others stay as they are. A pack is played by itself and with packs that
it declares as optional, so a line says for which of these stacks it is, and is written only if no
scenario fails in one of them that did not fail before.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.files import replace_file
from ziggurat.dsl.format import format_source
from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.dsl.linking.conditions import ALWAYS, Condition, is_for_some
from ziggurat.dsl.packs import Search, Stack, read_sources, resolve_stack
from ziggurat.dsl.parse import parse_source
from ziggurat.proving.scenarios import Performance
from ziggurat.proving.trials import Linker, passes, same_scenario
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table

FILE = "changed.scenarios.rules"
_COMPARED = frozenset({"==", "<", "<=", ">", ">="})
_PLAIN = frozenset({"int", "bool", "text"})
_BOOL = ir.Type("bool")


class Worse(Exception):  # noqa: N818 - nothing is broken yet
    """What was to be written would break a stack of the pack."""


@attrs.frozen
class Ending:
    """How a scenario ends now: what is to be written in each `expect` up to the last one that
    changed, and the checks that changed, each before and after. `case` is the row of a table."""

    title: str
    expects: tuple[str, ...]
    changed: tuple[tuple[str, str], ...]
    case: str = ""

    def line(self, reason: str, condition: Condition = ALWAYS) -> str:
        """The lines of a pack; a reason is one line and has no quotation marks. What has no other
        ending is removed."""
        because = " ".join(reason.replace('"', "'").split())
        if not self.expects:
            return f'# {because}\nremove scenario "{self.title}"\n'
        case = f' case "{self.case}"' if self.case else ""
        stacks = "".join(f" in {name}" for name in sorted(condition.within))
        if condition.without:
            stacks += f" without {' '.join(sorted(condition.without))}"
        title = f'expects scenario "{self.title}"{case}{stacks}'
        head = f'{title} otherwise because "{because}" {{'
        text = "\n".join([head, *self.expects, "}", ""])
        return format_source(Source(FILE, text))


@attrs.frozen
class Accepted:
    """An ending that is meant, with the reason and the stacks that it is for."""

    scenario: ir.Scenario
    now: Ending
    reason: str
    condition: Condition = ALWAYS


def ending(program: Program, scenario: ir.Scenario) -> Ending | None:
    """How a scenario ends now; without anything to expect if its script does not fit any more. None
    if that is so for one case of several: no line takes a row out of a table."""
    if not scenario.items:
        return Ending(scenario.title, (), ())
    run = _Onlooker(program, scenario)
    if run.play() is None and run.changed:
        seen, changed = tuple(run.seen[: run.last]), tuple(run.changed)
        return Ending(scenario.whole, seen, changed, scenario.case)
    return None if scenario.case else Ending(scenario.title, (), ())


class Acceptance:
    """Writes what changed on purpose into the uppermost pack of a stack."""

    def __init__(self, stack_text: str, search: Search | None = None) -> None:
        self.search = (search or Search.default()).including(stack_text)
        stack, _ = resolve_stack(stack_text, self.search)
        if stack is None:
            raise FileNotFoundError(stack_text)
        self.stack = stack
        self.pack = stack.packs[-1]
        self.path = Path(self.pack.path) / FILE
        self._linker = Linker()
        self._programs: dict[tuple[tuple[str, ...], str], Program | None] = {}

    @cached_property
    def declared(self) -> dict[frozenset[str], Stack]:
        """The stacks that the pack declares: this one, the pack by itself, and with each pack that
        is optional for it; as far as they are games."""
        others = (need.id for need in self.pack.optional)
        texts = (self.pack.id, *(f"{other}+{self.pack.id}" for other in others))
        resolved = [self.stack, *(resolve_stack(text, self.search)[0] for text in texts)]
        stacks = {frozenset(one.ids): one for one in resolved if one is not None}
        return {ids: one for ids, one in stacks.items() if self._program(one) is not None}

    def accepted(self, scenario: ir.Scenario, now: Ending, reason: str) -> Accepted | None:
        """An ending for as many stacks of the pack as have it; None if no condition tells them from
        the others."""
        here = frozenset(self.stack.ids)
        alike = {ids for ids in self.declared if self._is_alike(ids, scenario, now)}
        needed = frozenset.intersection(here, *self.declared)
        for within in subsets(here - needed):
            others = [ids for ids in self.declared if within <= ids and ids not in alike]
            is_known = scenario.meta.origin in within | needed
            if is_known and not any(ids <= here for ids in others):
                without = frozenset(name for ids in others for name in ids - here)
                return Accepted(scenario, now, reason, Condition(within, without))
        return None

    def _is_alike(self, ids: frozenset[str], scenario: ir.Scenario, now: Ending) -> bool:
        """Whether a scenario ends in a stack as it does here, or is not in it."""
        program = self._program(self.declared[ids])
        mine = same_scenario(program, scenario)
        if program is None or mine is None:
            return True
        if passes(program, mine):
            return False
        other = ending(program, mine)
        return other is not None and other.expects == now.expects

    def write(self, lines: Sequence[Accepted]) -> Path:
        """Add what is accepted to the pack, in one move; gives back the file. Raises OSError, and
        `Worse` if a stack that the pack declares would be worse off than before."""
        text = self._with(lines)
        for stack in self.declared.values():
            self._check(stack, text, lines)
        replace_file(self.path, text.encode())
        return self.path

    def _with(self, lines: Sequence[Accepted]) -> str:
        """The text of the file with these lines: those for all stacks before any line that is for
        some of them only, and what is removed for some below a line that says so."""
        before = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        file, _ = parse_source(Source(FILE, before))
        cut = next((top.start for top in file.tops if is_for_some(top)), len(before))
        general, special = [], []
        for one in lines:
            written = one.now.line(one.reason, one.condition)
            if one.now.expects or not len(one.condition):
                general.append(written)
            else:
                special.append(f"{one.condition.line}\n{written}")
        parts = [before[:cut].rstrip("\n"), *general, before[cut:].rstrip("\n"), *special]
        return "\n".join(f"{part.rstrip()}\n" for part in parts if part)

    def _check(self, stack: Stack, text: str, lines: Sequence[Accepted]) -> None:
        """See to it that a stack loads with the new text and that no scenario newly fails in it."""
        before, after = self._program(stack), self._program(stack, text)
        name = "+".join(stack.written)
        if after is None:
            raise Worse(f"`{name}` could not be loaded any more")
        for one in lines:
            if passes(before, one.scenario) and passes(after, one.scenario) is False:
                raise Worse(f'in `{name}` the scenario "{one.scenario.title}" would fail')

    def _program(self, stack: Stack, text: str = "") -> Program | None:
        """The program of a stack, with another text of the file if there is one."""
        key = (stack.ids, text)
        if key not in self._programs:
            sources, problems = read_sources(stack)
            if text:
                own = Source(f"{self.pack.id}/{FILE}", text, self.pack.id)
                sources = [*(one for one in sources if one.path != own.path), own]
                sources.sort(key=lambda one: stack.ids.index(one.pack))
            is_sound = not any(one.is_error for one in problems)
            self._programs[key] = self._linker.program(stack, sources) if is_sound else None
        return self._programs[key]


def subsets(names: Collection[str]) -> Iterator[frozenset[str]]:
    """All sets of some names, the smaller ones first."""
    for number in range(len(names) + 1):
        yield from map(frozenset, combinations(sorted(names), number))


class _Onlooker(Performance):
    """Goes on where a check does not hold, and notes what does."""

    def __init__(self, program: Program, scenario: ir.Scenario) -> None:
        super().__init__(program, scenario)
        self.seen: list[str] = []
        self.changed: list[tuple[str, str]] = []
        self.last = 0

    def expect(self, item: ir.Expect) -> None:
        state = self.game.state.copy()
        checks = [self._now(state, check) for check in item.checks]
        pack = f" in {item.pack}" if item.pack else ""
        lines = "\n".join(f"check {self.tell(check)}" for check in checks)
        self.seen.append(f"expect{pack} {{\n{lines}\n}}")
        pairs = [pair for pair in zip(item.checks, checks, strict=True) if pair[0] != pair[1]]
        self.changed += [(self.tell(before), self.tell(now)) for before, now in pairs]
        self.last = len(self.seen) if pairs else self.last

    def _now(self, state: State, check: ir.Expr) -> ir.Expr:
        """A check as it is in a position: the same if it holds."""
        if self.steps.evaluate(state, check, {}):
            return check
        parts = [self._part(state, part) for part in conjuncts(check)]
        whole = parts[0]
        for part in parts[1:]:
            whole = ir.Op("and", (whole, part), _BOOL)
        return whole

    def _part(self, state: State, part: ir.Expr) -> ir.Expr:
        if self.steps.evaluate(state, part, {}):
            return part
        if isinstance(part, ir.Op) and part.op in _COMPARED:
            told = [arg for arg in part.args if not isinstance(arg, ir.Lit | ir.ThingRef)]
            for arg in told:
                value = self.steps.evaluate(state, arg, {})
                literal = written(self.steps.table, value, arg.type)
                if literal is not None:
                    return ir.Op("==", (arg, literal), _BOOL)
        if isinstance(part, ir.Op) and part.op == "not":
            return part.args[0]
        return ir.Op("not", (part,), _BOOL)


def written(table: Table, value: Any, type_: ir.Type) -> ir.Expr | None:
    """A value as an author writes it down; None if it has no name."""
    if value is None or type_.name in _PLAIN:
        return ir.Lit(value, type_)
    if type_.name == "set" and type_.item is not None:
        members = [written(table, member, type_.item) for member in value]
        known = tuple(one for one in members if one is not None)
        return ir.Op("set", known, type_) if len(known) == len(members) else None
    name = str(table.name(value, type_))
    if type_.name in ("player", "owner"):
        return ir.OwnerRef(name, type_)
    return ir.ThingRef(type_.name, name, type_) if type_.name in table.ruleset.kinds else None
