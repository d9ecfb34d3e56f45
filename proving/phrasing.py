"""Results, citations and places in the words of the rules: for explanations and failed checks.

Expressions are printed by `dsl.printing`; here is what only a table knows: names of its numbers.
"""

from typing import Any

from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.table import Table


def printer(ruleset: ir.Ruleset) -> Printer:
    """Prints expressions of a ruleset as an author would write them."""
    return Printer(Lexicon.of(ruleset))


def value(table: Table, result: Any, type_: ir.Type) -> str:
    """A result in words: names instead of numbers, `yes` and `no`, `none`, `{a, b}`."""
    if result is None:
        return "none"
    if type_.name in ("set", "list") and type_.item is not None:
        members = ", ".join(value(table, member, type_.item) for member in result)
        return "{" + members + "}" if type_.name == "set" else "[" + members + "]"
    if type_.name == "map" and type_.key is not None and type_.item is not None:
        key, item = type_.key, type_.item
        pairs = (f"{value(table, k, key)}: {value(table, v, item)}" for k, v in result.items())
        return "{" + ", ".join(pairs) + "}"
    if type_.name == "range":
        return f"{result.start}..{result.stop - 1}" if result else "nothing"
    if type_.name == "bool":
        return "yes" if result else "no"
    if type_.name == "pile":
        return "[" + ", ".join(table.card_name(card) for card in result) + "]"
    if type_.name == "text":
        return f'"{result}"'
    return str(table.name(result, type_))


def source(ruleset: ir.Ruleset, thing: str) -> str:
    """The thing or rule that brings a clause: `Pottery (advance)`."""
    kind, _, id_ = thing.partition(".")
    declared = ruleset.things.get(kind, {}).get(id_)
    return f"{declared.title or id_} ({kind})" if declared else thing


def where(at: ir.At) -> str:
    """`pack/file.rules:12`, or nothing for what was never written down."""
    return f"{at.file}:{at.line}" if at.file else ""


def cites(meta: ir.Meta) -> str:
    """The citations and tags of a rule: `W 6.4b, E 6.4b · R-4-03`."""
    places = ", ".join(f"{cite.source} {cite.place}" for cite in meta.cites)
    return " · ".join(filter(None, (places, ", ".join(meta.tags))))


def pack_of(at: ir.At) -> str:
    """The pack that something was written in: the first part of its portable file name."""
    return at.file.partition("/")[0]
