"""Tables of cases: one scenario, named columns, and a row for each time it is run."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import linked
from ziggurat.dsl.linking.model import Decl, Item, elsewhere, unquoted
from ziggurat.dsl.linking.statements import no_step
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.nodes import ERROR_TYPE

no_step("A table of cases", "cases")
no_step("A case", "case", advice="Write it in the block of `cases`.")


@attrs.frozen(eq=False)
class Row:
    """One case: its name, and what each column stands for in it. Without a table there is one row
    with no columns."""

    label: str = ""
    cells: dict[str, Item] = attrs.field(factory=dict)
    columns: tuple[tuple[Any, Span], ...] = ()

    def bring_into_sight(self, cx: Context) -> None:
        """From now on the names of the columns mean the cells of this row."""
        for token, span in self.columns:
            cell = self.cells[str(token)]
            entry = cx.define(str(token), ERROR_TYPE, "case", span)
            entry.cell = elsewhere(cell.node, cell.file)
            linked(cx, entry.cell)

    def unused(self, cx: Context) -> Iterator[tuple[Any, Span]]:
        """The columns that nothing speaks of."""
        return (one for one in self.columns if not cx.names[str(one[0])].used)


def rows(world: World, decl: Decl) -> list[Row]:
    """The cases of a scenario."""
    tables = [item for item in decl.items if getattr(item.node, "rule", "") == "cases"]
    if not tables:
        return [Row()]
    for second in tables[1:]:
        _wrong(world, "A scenario has one table of cases.", second.span, "Join the two.")
    *columns, block = tables[0].node.parts
    file = tables[0].file
    named = tuple((token, file.span(token)) for token in columns)
    found: list[Row] = []
    for node in block.parts:
        if getattr(node, "rule", "") != "case":
            _wrong(world, "Only cases can stand here.", file.span(node), "Write `case 1, 2`.")
            continue
        label, *cells = node.parts
        if len(cells) != len(columns):
            message = f"This table has {len(columns)} columns, and here are {len(cells)} cells."
            _wrong(world, message, file.span(node), "Give each case a cell for each column.")
            continue
        told = unquoted(label.parts[0]) if label is not None else _told(columns, cells, file)
        told = " ".join(told.replace('"', "'").split())
        items = {str(t): Item(cell, file) for t, cell in zip(columns, cells, strict=True)}
        found.append(Row(told, items, named))
    if not block.parts:
        _wrong(world, "This table has no cases.", tables[0].span, "Write lines such as `case 1`.")
    return found


def _told(columns: list[Any], cells: list[Any], file: Any) -> str:
    """A case without a name is known by its cells."""
    pairs = zip(columns, cells, strict=True)
    return ", ".join(f"{column} {file.span(cell).text}" for column, cell in pairs)


def _wrong(world: World, message: str, span: Span, advice: str) -> None:
    world.report("Z611", message, span, advice)


def report_unused(cx: Context, row: Row) -> None:
    """A column that nothing speaks of makes all its cases alike."""
    for token, span in row.unused(cx):
        message = f"Nothing in this scenario speaks of the column `{token}`."
        _wrong(cx.world, message, span, "Use it, or take it away.")
