"""A declaration as a stack leaves it, line by line, and where each line comes from."""

from collections.abc import Iterator
from typing import Any

from ziggurat.dsl.declared import Declared, declarations, declaring_words
from ziggurat.dsl.forms.clauses import contribution_text, trigger_lines
from ziggurat.dsl.forms.stages import stage_lines
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.index import RULE
from ziggurat.dsl.printing.layout import Line, lay_out
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel import (
    NOWHERE,
    Amendment,
    At,
    Contribution,
    OpenPlace,
    Procedure,
    Ruleset,
    Stage,
    Thing,
    Trigger,
    Value,
)
from ziggurat.runtime.kernel.walking import walk

Part = tuple[str, Any, Any]
Row = tuple[str, str]  # a line, and where it comes from


def resolved(ruleset: Ruleset, path: str) -> list[list[Row]]:
    """Everything of a name as it is after linking: whole declarations, or else parts of some
    (labelled steps, decisions, stages, clauses). Nothing if nothing has that name."""
    page = Declarations(ruleset, Printer(Lexicon.of(ruleset)))
    found = [list(_lines(page, one)) for one in _found(ruleset, path)]
    return found or [_part_lines(page, *part) for part in _parts(ruleset, path)]


def resolvable(ruleset: Ruleset) -> list[str]:
    """Every name that `resolved` knows."""
    known = [one.id for one in _everything(ruleset)]
    return [*known, *(name for name, *_ in _all_parts(ruleset))]


def removed(ruleset: Ruleset, path: str) -> Amendment | None:
    """What took away whatever had that name; a word may stand before it."""
    word, _, rest = path.partition(" ")
    for one in reversed(ruleset.amendments):
        if path in one.gone or (rest in one.gone and (word == one.word or rest != one.id)):
            return one
    return None


def _everything(ruleset: Ruleset) -> list[Declared]:
    everything = (one for word in declaring_words(ruleset) for one in declarations(ruleset, word))
    return [one for one in everything if not _is_default(one)]


def _is_default(one: Declared) -> bool:
    """An open place that nobody answers is told by its default."""
    return isinstance(one.node, OpenPlace) and not one.node.answer


def _found(ruleset: Ruleset, path: str) -> list[Declared]:
    """Everything of that name; a word before it, with a blank or a dot, narrows it down."""
    everything = _everything(ruleset)
    found = [one for one in everything if path in (one.id, f"{one.word} {one.id}")]
    return found or [one for one in everything if path == f"{one.word}.{one.id}"]


# ---- parts of declarations --------------------------------------------------------------------


def _all_parts(ruleset: Ruleset) -> Iterator[Part]:
    """Everything inside declarations that has a path: steps, decisions, stages and clauses."""
    for value in ruleset.values.values():
        for clause in value.contributions:
            yield clause.path, clause, value
    homes = (*ruleset.procedures.values(), *ruleset.phases.values(), *ruleset.actions.values())
    things = (one for page in ruleset.things.values() for one in page.values())
    for home in (*homes, *things):
        for node in walk(home):
            if hasattr(node, "path"):
                yield node.path, node, home


def _parts(ruleset: Ruleset, path: str) -> list[Part]:
    """The parts of that path; a word may stand before it, a clause may lack its number."""
    word, _, rest = path.partition(" ")
    named = {path, rest} if word in ("step", "clause", *declaring_words(ruleset)) else {path}
    return [
        part
        for part in _all_parts(ruleset)
        if part[0] in named or part[0].rpartition(" / ")[0] in named
    ]


def _part_lines(page: Declarations, path: str, node: Any, home: Any) -> list[Row]:
    if isinstance(node, Contribution):
        text = contribution_text(page.printer, home, node) + page.meta_inline(node.meta)
        return [(text, f"{path}, written in {_written_in(node.at)}")]
    if isinstance(node, Trigger):
        lines = trigger_lines(page.printer, home.id, getattr(home, "params", ()), node)
    elif isinstance(node, Stage):
        lines = stage_lines(page.printer, node)
    else:
        lines = page.printer.block((node,))
    first, *rest = lay_out(lines).split("\n")
    return [(first, f"{path}, written in {_written_in(node.at)}"), *((one, "") for one in rest)]


# ---- whole declarations -----------------------------------------------------------------------


def _lines(page: Declarations, one: Declared) -> Iterator[Row]:
    lines = page.rule(one.node) if one.word == RULE else page.lines(one.node)
    waiting = iter(lines)
    for row in lay_out(lines).split("\n"):
        origin = "" if row.strip() == "}" else _origin(next(waiting), one)
        yield row, origin
    if isinstance(one.node, Value):
        yield from _changes(page, one.node)
    if isinstance(one.node, Thing):
        yield from _watched(page, one.node)
    if isinstance(one.node, Procedure):
        for trigger in one.node.triggers:
            head = trigger_lines(page.printer, one.id, one.node.params, trigger, 1)[0].text
            yield (f"  {head} … }}", f"by {trigger.thing}, {_written_in(trigger.at)}")


def _watched(page: Declarations, thing: Thing) -> Iterator[Row]:
    """What others do before, after and instead of the blocks of a thing."""
    params = {body.name: body.params for body in page.ruleset.kinds[thing.kind].bodies}
    for body in thing.bodies:
        for trigger in body.triggers:
            name = f"{thing.id}.{body.name}"
            head = trigger_lines(page.printer, name, params[body.name], trigger, 1)[0].text
            yield (f"  {head} … }}", f"by {trigger.thing}, {_written_in(trigger.at)}")


def _changes(page: Declarations, value: Value) -> Iterator[Row]:
    if value.base.at.file not in ("", value.at.file):
        yield ("  the base", f"set by {_written_in(value.base.at)}")
    for clause in value.contributions:
        text = contribution_text(page.printer, value, clause)
        yield (f"  {text}", f"by {clause.thing}, {_written_in(clause.at)}")


def _origin(line: Line, one: Declared) -> str:
    """Where a line was written; the steps of a body only if somebody else wrote them."""
    if line.at == NOWHERE:
        return ""
    if line.depth == 0:
        return f"declared in {_written_in(line.at)}"
    field_or_clause = line.depth == 1 and one.word not in ("procedure", "phase", "action")
    amended = line.at.file != one.at.file
    return f"set by {_written_in(line.at)}" if field_or_clause or amended else ""


def _written_in(at: At) -> str:
    return f"{at.file}:{at.line}"
