"""The parser: Lark's LALR tables, run over the tokens of a file, building our nodes directly.

Lark's own loop costs three times as much (it makes a tree, then positions, then we would convert
the tree), and it stops at the first mistake. This one keeps just what a mistake needs: where each
open block and each line began (`frames`), so that `dsl.recovery` can put the stacks back to a place
from which reading goes on.

Words are read in context, as by Lark's contextual lexer: a word of the language that cannot stand
where it stands is somebody's name.
"""

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any

from ziggurat.dsl.grammar import END
from ziggurat.dsl.lexer import NEW_LINE, TokenList
from ziggurat.dsl.parser_base import (
    DECLARATIONS,
    DROPS_LINE,
    HOLE,
    SHAPING,
    Parser,
    reserved_kinds,
    soft_kinds,
)
from ziggurat.dsl.syntax import Node, Token
from ziggurat.dsl.tables import Rule, Tables, tables

_KEPT = frozenset(
    {"NAME", "INT", "STRING", "TAG", "COMPARE", "FREELY", "SECRET", "SECRETLY", "QUESTION",
     "CLARIFICATION"}
)  # fmt: skip

Make = Callable[[list[Any], int, int], Any]


class TableParser(Parser):
    """A run of the tables; its height is that of the stack of states."""

    def __init__(
        self,
        tokens: TokenList,
        start: str = "start",
        on_mistake: Callable[[Parser, int], int] | None = None,
        program: "Program | None" = None,
    ) -> None:
        self.program = program or compiled_tables()
        self.end_state = self.program.tables.ends[start]
        self.states = [self.program.tables.starts[start]]
        self.values: list[Any] = []
        self.froms: list[int] = []
        self.tos: list[int] = []
        super().__init__(tokens, on_mistake)

    def run(self) -> Any:
        program = self.program
        actions, gotos, rules = program.tables.actions, program.tables.gotos, program.rules
        passes, shortcuts = program.passes, program.shortcuts
        soft, reserved = program.soft, program.reserved
        states, values, froms, tos = self.states, self.values, self.froms, self.tos
        kinds, starts, ends = self.tokens.kinds, self.tokens.starts, self.tokens.ends
        text = self.tokens.source.text
        read_as_names = self.read_as_names
        before = ""
        at = 0
        while True:
            kind = kinds[at]
            if kind == NEW_LINE and before in DROPS_LINE:
                at += 1
                continue
            state = states[-1]
            act = actions[state].get(kind)
            if act is None and kind in soft:
                if kind in reserved:
                    self.misused[at] = frozenset(actions[state])
                read_as_names.append(at)
                kind = "NAME"
                act = actions[state].get(kind)
            while act is not None and act < 0:
                if act in passes:
                    key = (states[-2], state, kind)
                    found = shortcuts.get(key)
                    if found is None:
                        found = shortcuts[key] = program.shortcut(*key)
                    states[-1], act = found
                    state = found[0]
                    continue
                origin, size, make = rules[~act]
                if size:
                    start, end = froms[-size], tos[-1]
                    if start < 0 or end < 0:
                        start, end = _extent(froms[-size:], tos[-size:])
                    value = make(values[-size:], start, end)
                    del states[-size:], values[-size:], froms[-size:], tos[-size:]
                else:
                    start = end = -1
                    value = make([], -1, -1)
                state = gotos[states[-1]][origin]
                states.append(state)
                values.append(value)
                froms.append(start)
                tos.append(end)
                if kind == END and state == self.end_state:
                    return value
                act = actions[state].get(kind)
            if act is None:
                if kind == END and state == self.end_state:
                    return values[-1]
                if self.on_mistake is None:
                    return None
                at = self.on_mistake(self, at)
                before = ""
                continue
            start, end = starts[at], ends[at]
            states.append(act)
            values.append(Token(kind, text[start:end], start, end) if kind in _KEPT else None)
            froms.append(start)
            tos.append(end)
            if kind in SHAPING:
                self.shape(kind, at)
            before = kind
            at += 1

    # ---- what a mistake needs ---------------------------------------------------------------

    def feed(self, kind: str, leaf: Token | None, at: int) -> None:
        actions, gotos = self.program.tables.actions, self.program.tables.gotos
        while (act := actions[self.states[-1]][kind]) < 0:
            origin, size, make = self.program.rules[~act]
            size = size or 0
            cut = len(self.values) - size
            start, end = _extent(self.froms[cut:], self.tos[cut:])
            value = make(self.values[cut:], start, end)
            self.cut(cut + 1)
            self._push(gotos[self.states[-1]][origin], value, start, end)
        position = self.tokens.starts[at]
        self._push(act, leaf, position, position)
        if kind in SHAPING:
            self.shape(kind, at - 1)

    def _push(self, state: int, value: Any, start: int, end: int) -> None:
        self.states.append(state)
        self.values.append(value)
        self.froms.append(start)
        self.tos.append(end)

    def cut(self, height: int) -> None:
        del self.states[height:], self.values[height - 1 :]
        del self.froms[height - 1 :], self.tos[height - 1 :]

    @property
    def height(self) -> int:
        return len(self.states)

    def in_block(self) -> bool:
        return self.states[-1] in self.program.block_states

    def fits(self, kind: str) -> bool:
        actions, gotos = self.program.tables.actions, self.program.tables.gotos
        rules = self.program.tables.rules
        states = self.states[:]
        while True:
            act = actions[states[-1]].get(kind)
            if act is None or act >= 0:
                return act is not None
            rule = rules[~act]
            if rule.size:
                del states[-rule.size :]
            states.append(gotos[states[-1]][rule.origin])
            if kind == END and states[-1] == self.end_state:
                return True

    def expected(self) -> frozenset[str]:
        row = self.program.tables.actions[self.states[-1]]
        return frozenset(kind for kind in row if self.fits(kind))


class Program:
    """The tables, made ready to run: a function for each rule, and shortcuts found on the way."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.rules = [(rule.origin, rule.size, _maker(rule)) for rule in tables.rules]
        self.passes = frozenset(~n for n, rule in enumerate(tables.rules) if rule.passes)
        self.shortcuts: dict[tuple[int, int, str], tuple[int, int | None]] = {}
        self.soft = soft_kinds()
        self.reserved = reserved_kinds()
        self.block_states = frozenset(
            state for state, row in enumerate(tables.actions) if "LET" in row
        )

    def after(self, states: list[int], kind: str) -> list[int] | None:
        """The states after one more token, or None if it cannot stand there."""
        actions, gotos = self.tables.actions, self.tables.gotos
        found = states[:]
        while True:
            act = actions[found[-1]].get(kind)
            if act is None:
                return None
            if act >= 0:
                return [*found, act]
            rule = self.tables.rules[~act]
            if rule.size:
                del found[-rule.size :]
            found.append(gotos[found[-1]][rule.origin])

    def shortcut(self, below: int, state: int, kind: str) -> tuple[int, int | None]:
        """Where the steps of precedence lead that `kind` asks for, and what to do there."""
        act = self.tables.actions[state].get(kind)
        while act in self.passes:
            state = self.tables.gotos[below][self.tables.rules[~act].origin]
            act = self.tables.actions[state].get(kind)
        return state, act


@cache
def compiled_tables() -> Program:
    found = tables()
    assert found is not None, "without tables `dsl.parse` takes the other parser"
    return Program(found)


def _extent(froms: list[int], tos: list[int]) -> tuple[int, int]:
    """Where symbols begin and end of which some are empty; -1 when all are."""
    start = end = -1
    for start in froms:
        if start >= 0:
            break
    for end in reversed(tos):
        if end >= 0:
            break
    return start, end


def _maker(rule: Rule) -> Make:
    if rule.is_list:
        return _list_maker(rule)
    if rule.name in DECLARATIONS:
        shape = DECLARATIONS[rule.name]
        pick = itemgetter(*(-1 if step is None else step for step in rule.steps))
        return lambda found, start, end: shape(start, end, *pick([*found, None]))
    if rule.expands and len(rule.steps) == 1 and rule.steps[0] is not None:
        only = rule.steps[0]
        return lambda found, start, end: found[only]
    return _node_maker(rule)


def _node_maker(rule: Rule) -> Make:
    name, steps = rule.name, rule.steps
    gather = _gatherer(rule)
    if name in ("block", "start"):
        return lambda found, start, end: Node(
            name, tuple(part for part in gather(found) if part is not HOLE), start, end
        )
    if any(step is not None and step < 0 for step in steps):
        return lambda found, start, end: Node(name, tuple(gather(found)), start, end)
    if not steps:
        return lambda found, start, end: Node(name, (), start, end)
    if len(steps) == 1 and steps[0] is not None:
        only = steps[0]
        return lambda found, start, end: Node(name, (found[only],), start, end)
    if len(steps) == rule.size and None not in steps:
        return lambda found, start, end: Node(name, tuple(found), start, end)
    pick = itemgetter(*(-1 if step is None else step for step in steps))
    if None not in steps:
        return lambda found, start, end: Node(name, pick(found), start, end)
    if len(steps) == 1:
        return lambda found, start, end: Node(name, (None,), start, end)
    return lambda found, start, end: Node(name, pick([*found, None]), start, end)


def _list_maker(rule: Rule) -> Make:
    gather = _gatherer(rule)
    return lambda found, start, end: gather(found)


def _gatherer(rule: Rule) -> Callable[[list[Any]], list[Any]]:
    """Collect the parts of a rule some of which are lists; the first list is extended in place."""
    first, rest = (rule.steps[0], rule.steps[1:]) if rule.steps else (None, ())
    grows = first is not None and first < 0

    def gather(found: list[Any]) -> list[Any]:
        parts: list[Any] = found[~first] if grows and first is not None else []
        for step in rest if grows else rule.steps:
            if step is None:
                parts.append(None)
            elif step < 0:
                parts += found[~step]
            else:
                parts.append(found[step])
        return parts

    return gather
