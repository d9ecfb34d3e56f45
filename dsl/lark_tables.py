"""Lark's LALR tables as plain data: the one module that looks into Lark.

Their names and shapes are Lark's own affair and may change with any release of it. So whatever is
not as expected here is no error: there are no tables then, and `dsl.lark_fallback` reads rules.
"""

from typing import Any

from ziggurat.dsl.grammar import END, STARTS, lark_with_positions


def work_out() -> dict[str, Any] | None:
    """The tables, or None where this Lark has none that are understood."""
    try:
        return _tables()
    except Exception:  # whatever a stranger's insides may do
        return None


def _tables() -> dict[str, Any]:
    from lark.parsers.lalr_analysis import Shift

    lark: Any = lark_with_positions()
    table = lark.parser.parser._parse_table
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    order = _reading_order(table, Shift)
    states = [
        {
            str(symbol): order[arg] if act is Shift else ~rules[arg]
            for symbol, (act, arg) in sorted(table.states[state].items())
        }
        for state in order
    ]
    terminals = {terminal.name for terminal in lark.terminals} | {END}
    return {
        "actions": [{s: a for s, a in row.items() if s in terminals} for row in states],
        "gotos": [{s: a for s, a in row.items() if s not in terminals} for row in states],
        "rules": [_recipe(rule) for rule in lark.rules],
        "starts": {start: order[state] for start, state in table.start_states.items()},
        "ends": {start: order[state] for start, state in table.end_states.items()},
        "literals": {
            terminal.pattern.value: terminal.name
            for terminal in lark.terminals
            if terminal.pattern.type == "str"
        },
    }


def _reading_order(table: Any, shift: Any) -> dict[int, int]:
    """New numbers for Lark's states, as they are reached; its own differ from run to run."""
    order: dict[int, int] = {}
    waiting = [table.start_states[start] for start in STARTS]
    for state in waiting:
        if state not in order:
            order[state] = len(order)
            row = sorted(table.states[state].items())
            waiting += [arg for _, (act, arg) in row if act is shift]
    return order


def _recipe(rule: Any) -> list[Any]:
    """Lark's wishes for the shape of the tree, as `dsl.tables.Rule` has them."""
    absent = rule.options.empty_indices or (False,) * len(rule.expansion)
    symbols = iter(enumerate(rule.expansion))
    steps: list[int | None] = []
    for is_absent in absent:
        if is_absent:
            steps.append(None)
            continue
        number, symbol = next(symbols)
        if not (symbol.is_term and symbol.filter_out):
            is_list = not symbol.is_term and symbol.name.startswith("_")
            steps.append(~number if is_list else number)
    origin = str(rule.origin.name)
    name = str(rule.alias or origin)
    expands = bool(rule.options.expand1 and not rule.alias)
    passes = expands and len(rule.expansion) == 1 and steps == [0]
    return [origin, name, len(rule.expansion), steps, expands, passes, origin.startswith("_")]
