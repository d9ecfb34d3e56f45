"""Changed on purpose: the lines by which a pack says that a scenario ends differently with it.

A scenario is run to its end, whatever its checks say. Each check that does not hold is written anew
as the position has it, the others stay as they are.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.files import replace_file
from ziggurat.dsl.format import format_source
from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.dsl.packs import Search, resolve_stack
from ziggurat.proving.scenarios import Performance
from ziggurat.runtime.program import Program
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Table

FILE = "changed.scenarios.rules"
_COMPARED = frozenset({"==", "<", "<=", ">", ">="})
_PLAIN = frozenset({"int", "bool", "text"})
_BOOL = ir.Type("bool")


@attrs.frozen
class Ending:
    """How a scenario ends now: what is to be written in each `expect` up to the last one that
    changed, and the checks that changed, each before and after. `case` is the row of a table."""

    title: str
    expects: tuple[str, ...]
    changed: tuple[tuple[str, str], ...]
    case: str = ""

    def line(self, reason: str) -> str:
        """The line of a pack; a reason is one line and has no quotation marks. What has no other
        ending is removed."""
        because = " ".join(reason.replace('"', "'").split())
        if not self.expects:
            return f'# {because}\nremove scenario "{self.title}"\n'
        case = f' case "{self.case}"' if self.case else ""
        head = f'expects scenario "{self.title}"{case} otherwise because "{because}" {{'
        text = "\n".join([head, *self.expects, "}", ""])
        return format_source(Source(FILE, text))


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


def accept(lines: Iterable[str], stack: str, search: Search | None = None) -> Path:
    """Add lines to the uppermost pack of a stack; gives back the file. Raises OSError."""
    found, _ = resolve_stack(stack, search or Search.default())
    if found is None:
        raise FileNotFoundError(stack)
    path = Path(found.packs[-1].path) / FILE
    before = [path.read_text(encoding="utf-8")] if path.exists() else []
    replace_file(path, "\n".join([*before, *lines]).encode())
    return path


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
