"""The options of the rules, before a game begins and while it runs."""

import re
from collections.abc import Mapping
from typing import Any

from rich.console import Console

from ziggurat import Program, ir
from ziggurat.studio.console import UsageError
from ziggurat.studio.language import tr
from ziggurat.studio.listing import show_list
from ziggurat.studio.options import possible_values, read_options, value_text
from ziggurat.studio.play.naming import normal
from ziggurat.studio.play.reader import Reader

LIST = "options"
SPACED = re.compile(r"\s*=\s*")


def agreed(rules: Program, reader: Reader, out: Console) -> dict[str, Any]:
    """What people at a terminal agree on before they begin: nothing, if they just press Enter."""
    known = rules.ruleset.options
    chosen: dict[str, Any] = {}
    if not (known and reader.terminal):
        return chosen
    first = next(iter(known.values()))
    out.print(
        tr(
            "These rules have {number} options. Enter plays them as they are, `options` lists them,"
            " and `{sample}` sets one."
        ).format(number=len(known), sample=f"{first.id}={value_text(first.default)}"),
        markup=False,
    )
    words = [LIST, *(f"{name}=" for name in known)]
    while line := reader.line(f"{LIST}> ", lambda _: words, "").strip():
        if normal(line) in (LIST, "?"):
            show_options(out, known, chosen)
            continue
        try:
            (found,) = read_options(SPACED.sub("=", line).replace(",", " ").split(), [rules])
        except UsageError as wrong:
            out.print(str(wrong), style="red", markup=False)
            continue
        chosen |= found
        for name in found:
            told = f"{known[name].title or name}: {value_text(found[name])}."
            out.print(told, style="green", markup=False)
    return chosen


def show_options(out: Console, known: Mapping[str, ir.Option], chosen: Mapping[str, Any]) -> None:
    """All options: what each means, what it is in this game, and what it can be."""
    rows = [
        (name, option.title, value_text(chosen.get(name, option.default)), possible_values(option))
        for name, option in known.items()
    ]
    show_list(out, (tr("Name"), tr("Meaning"), tr("Here"), tr("Can be")), rows)
