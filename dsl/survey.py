"""What a stack declares, for whoever looks for something: what it takes and is, what its comment
says, and every decision with who makes it."""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

import attrs

from ziggurat.dsl.declared import Declared
from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel import Amendment, At, Choose, Divide, May, Ruleset, Select, Text
from ziggurat.runtime.kernel.walking import walk

_VERBS = {Choose: "choose", May: "may", Select: "select", Divide: "divide"}


@attrs.frozen
class DecisionPoint:
    """A decision that rules ask for. verb: choose, may, select, divide; act for an action, `pick`
    for one of its parameters. `by` is who decides, in the words of the rule."""

    path: str
    verb: str
    by: str
    prompt: str
    at: At


def decision_points(ruleset: Ruleset) -> Iterator[DecisionPoint]:
    """All decisions under the paths that scenarios and advice use, in the order of the ruleset."""
    printer = Printer(Lexicon.of(ruleset))
    rules = (ruleset.things, ruleset.procedures, ruleset.phases, ruleset.actions)
    for node in walk(rules):
        if type(node) in _VERBS:
            prompt = _sentence(printer, node.prompt)
            by = printer.text(node.by)
            yield DecisionPoint(node.path, _VERBS[type(node)], by, prompt, node.at)
    for action in ruleset.actions.values():
        by = f"{action.actor} in {action.phase}"
        yield DecisionPoint(action.id, "act", by, action.title, action.at)
        for param in action.params:
            yield DecisionPoint(f"{action.id}.{param.name}", "pick", by, param.prompt, param.at)


def _sentence(printer: Printer, prompt: Text) -> str:
    return printer.text(prompt)[1:-1] if prompt.parts else ""


def signature(ruleset: Ruleset, one: Declared) -> tuple[str, str]:
    """What a declaration takes (`p: player, a: area`) and what it is (`int`), where it does."""
    write, node = Lexicon.of(ruleset).type, one.node
    params = getattr(node, "params", ())
    takes = ", ".join(f"{each.name}: {write(each.type)}" for each in params)
    type_: Any = getattr(node, "type", None)
    of = getattr(node, "of", "")
    told = write(type_) if type_ is not None else ""
    return takes, f"{told} of {of}".strip() if of else told


class Comments:
    """What stands in the texts of a stack beside its rules, which a ruleset does not keep."""

    def __init__(self, stack_text: str, search: Search) -> None:
        stack, _ = resolve_stack(stack_text, search, game=False)
        sources = read_sources(stack)[0] if stack is not None else []
        self._lines = {source.path: source.lines for source in sources}

    def at(self, at: At) -> str:
        """The first line of the comment right above a place, or else the one behind it."""
        return (self.block(at) or [""])[0]

    def block(self, at: At) -> list[str]:
        """All lines of the comment right above a place, or else the one behind it; lines that only
        divide a file into chapters are none."""
        return comment_at(self._lines.get(at.file, []), at)

    def of_amendments(self, amendments: Sequence[Amendment], spoken: str) -> str:
        """The comment of who amends something, such as `order victory`."""
        return amending_comment(amendments, (spoken,), self.block)


def amending_comment(
    amendments: Sequence[Amendment], spoken: Container[str], comment: Callable[[At], Sequence[str]]
) -> str:
    """Return the comment of the uppermost pack that amends something and says why: of a line, or
    else that above the whole amendment."""
    about = {(one.at.file, one.at.line): one.spoken for one in amendments}
    found: dict[str, str] = {}
    for one in amendments:
        if one.spoken not in spoken:
            continue
        head = one.at.line
        while about.get((one.at.file, head)) == one.spoken:
            head -= 1
        above = attrs.evolve(one.at, line=head) if (one.at.file, head) not in about else one.at
        if told := comment(one.at) or comment(above):
            found.setdefault(one.pack, " ".join(told))
    return list(found.values())[-1] if found else ""


def comment_at(text: Sequence[str], at: At) -> list[str]:
    """The comment at a place of these lines, as `Comments.block` gives it."""
    if not 1 <= at.line <= len(text):
        return []
    above = at.line - 1
    while above > 0 and text[above - 1].lstrip().startswith("#"):
        above -= 1
    told = [line.lstrip().lstrip("#").strip() for line in text[above : at.line - 1]]
    behind = text[at.line - 1].partition("  # ")[2].strip()
    return [line for line in told if line.strip("-= ") and not line.startswith("---")] or (
        [behind] if behind else []
    )
