"""`ziggurat resolve`: a declaration as the stack leaves it, and where each part came from."""

from collections.abc import Callable, Iterator

from rich.text import Text

from dsl.diagnostics import did_you_mean
from dsl.ir import NOWHERE, Procedure, Ruleset, Value
from dsl.telling import Lexicon, Line, Teller, contribution_text, lay_out, trigger_lines
from dsl.telling.declarations import Declarations
from studio.console import FOUND, OK, UsageError, console
from studio.options import PackFolders
from studio.ruleset import Declared, declarations, loaded, spoken, words

Tell = Callable[[Declarations, Declared], list[Line]]


def resolve(stack: str, path: str, /, *, packs: PackFolders = ()) -> int:
    """Show a declaration after linking, and which pack set each part of it.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    path
        What to show: `military`, `famine.damage`, or with its word: `phase movement`.
    """
    ruleset = loaded(stack, packs)
    if ruleset is None:
        return FOUND
    tell = Declarations(ruleset, Teller(Lexicon.of(ruleset)))
    out = console()
    for number, one in enumerate(_found(ruleset, path)):
        if number:
            out.print()
        for line in _lines(tell, one):
            out.print(line, soft_wrap=True)
    return OK


def _found(ruleset: Ruleset, path: str) -> list[Declared]:
    """Everything of that name; a word before it, with a blank or a dot, narrows it down."""
    everything = [one for word in words(ruleset) for one in declarations(ruleset, word)]
    found = [one for one in everything if path in (one.id, f"{one.word} {one.id}")]
    found = found or [one for one in everything if path == f"{one.word}.{one.id}"]
    if not found:
        advice = did_you_mean(path, [one.id for one in everything])
        raise UsageError(f"nothing in `{ruleset.stack}` is called `{path}`. {advice or ''}".strip())
    return found


def _lines(tell: Declarations, one: Declared) -> Iterator[Text]:
    told = _TELL[one.word](tell, one) if one.word in _TELL else tell.thing(one.node)
    waiting = iter(told)
    for row in lay_out(told).split("\n"):
        origin = "" if row.strip() == "}" else _origin(next(waiting), one)
        yield _row(row, origin)
    if isinstance(one.node, Value):
        yield from _changes(tell, one.node)
    if isinstance(one.node, Procedure):
        for trigger in one.node.triggers:
            head = trigger_lines(tell.teller, one.id, one.node.params, trigger, 1)[0].text
            yield _row(f"  {head} … }}", f"by {trigger.thing}, {spoken(trigger.at)}")


def _changes(tell: Declarations, value: Value) -> Iterator[Text]:
    if value.base.at.file not in ("", value.at.file):
        yield _row("  the base", f"set by {spoken(value.base.at)}")
    for clause in value.contributions:
        text = contribution_text(tell.teller, value, clause)
        yield _row(f"  {text}", f"by {clause.thing}, {spoken(clause.at)}")


def _origin(line: Line, one: Declared) -> str:
    """Where a line was written; the steps of a body only if somebody else wrote them."""
    if line.at == NOWHERE:
        return ""
    if line.depth == 0:
        return f"declared in {spoken(line.at)}"
    field_or_clause = line.depth == 1 and one.word not in ("procedure", "phase", "action")
    amended = line.at.file != one.at.file
    return f"set by {spoken(line.at)}" if field_or_clause or amended else ""


def _row(text: str, origin: str) -> Text:
    row = Text(text)
    return row.append(f"   # {origin}", "dim") if origin else row


_TELL: dict[str, Tell] = {
    "kind": lambda tell, one: tell.kind(one.node),
    "piece": lambda tell, one: tell.piece(one.node),
    "place": lambda tell, one: tell.place(one.node),
    "cards": lambda tell, one: tell.cards(one.node),
    "neutral": lambda tell, one: tell.neutral(one.node),
    "attribute": lambda tell, one: tell.attribute(one.node),
    "option": lambda tell, one: tell.option(one.node),
    "value": lambda tell, one: tell.value(one.node),
    "order": lambda tell, one: tell.order(one.node),
    "procedure": lambda tell, one: tell.procedure(one.node),
    "phase": lambda tell, one: tell.phase(one.node),
    "action": lambda tell, one: tell.action(one.node),
    "turn": lambda tell, one: tell.turn(one.node),
    "scenario": lambda tell, one: [Line(0, f'scenario "{one.title}"', one.at)],
}
