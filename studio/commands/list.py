"""`ziggurat list`: what a ruleset declares."""

from rich.table import Table

from ziggurat.dsl.ir import Option, Ruleset
from ziggurat.studio.console import OK, console
from ziggurat.studio.options import PackFolders
from ziggurat.studio.ruleset import declarations, loaded, word_of, words


def list_(stack: str, kind: str = "", /, *, packs: PackFolders = ()) -> int:
    """List what a ruleset declares: all words with their numbers, or the declarations of one.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    kind
        What to list: `values`, `options`, `phases`, or a kind of the packs.
    """
    ruleset = loaded(stack, packs)
    console().print(_of_word(ruleset, word_of(ruleset, kind)) if kind else _overview(ruleset))
    return OK


def _overview(ruleset: Ruleset) -> Table:
    table = _table("Declared as", "Number", "Title")
    for word in words(ruleset):
        number = sum(1 for _ in declarations(ruleset, word))
        if number:
            title = ruleset.kinds[word].title if word in ruleset.kinds else ""
            table.add_row(word, str(number), title)
    return table


def _of_word(ruleset: Ruleset, word: str) -> Table:
    settable = word == "option"
    table = _table("Name", *(["Value"] if settable else []), "Title", "From", "Cites")
    for one in declarations(ruleset, word):
        cites = ", ".join(f"{cite.source} {cite.place}" for cite in one.meta.cites)
        origin = one.meta.origin or one.at.file.partition("/")[0]
        value = [_setting(ruleset.options[one.id])] if settable else []
        table.add_row(one.id, *value, one.title, origin, cites)
    return table


def _setting(option: Option) -> str:
    """What an option is unless set, and what else it can be: `no or yes`."""
    if option.type.name == "bool":
        return "yes or no" if option.default else "no or yes"
    others = [choice for choice in option.choices if choice != option.default]
    return " or ".join(str(choice) for choice in (option.default, *others))


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
