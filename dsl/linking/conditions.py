"""What is written for some stacks only: the parts of a file below a line such as `for west`, and
declarations and expectations that say so themselves.

A pack that serves several others has a part for each of them. Its manifest must name them, or
nobody would know which of the two comes first. Where a pack says one thing in general and another
for fewer stacks, the narrower one wins where it applies.
"""

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Span, did_you_mean
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import Declaration, File, Node, Token

ONLY_FOR, ONLY_WITHOUT, WITHOUT = "only_for", "only_without", "without"


@attrs.frozen
class Condition:
    """Which stacks something is for: those with all packs `within` and with none of `without`."""

    within: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def holds(self, ids: Container[str]) -> bool:
        """Return whether a stack of these packs is meant."""
        is_within = all(pack in ids for pack in self.within)
        return is_within and not any(pack in ids for pack in self.without)

    def is_narrower(self, other: "Condition") -> bool:
        """Whether it is for fewer stacks than another one, all of which that one is for, too."""
        return self != other and self.within >= other.within and self.without >= other.without

    def __len__(self) -> int:
        return len(self.within) + len(self.without)

    def both(self, other: "Condition") -> "Condition":
        """Return the condition that this one and another one hold."""
        return Condition(self.within | other.within, self.without | other.without)

    @property
    def line(self) -> str:
        """The line of a file that says it of all below."""
        within = f"for {', '.join(sorted(self.within))}" if self.within else ""
        without = f"without {', '.join(sorted(self.without))}" if self.without else ""
        return " ".join(part for part in (within, without) if part)


ALWAYS = Condition()


def stated(heads: Iterable[Node]) -> tuple[Condition, list[Token], list[Node]]:
    """The condition in the heads of a declaration or an expectation (`for west`, `in west`,
    `without expert`), the packs it names, and the heads that are none."""
    within: list[Token] = []
    without: list[Token] = []
    others: list[Node] = []
    excluding = False
    for head in heads:
        if head.rule == "head_for" and len(head.parts[0].parts) == 1:
            within += head.parts[0].parts
        elif head.rule == "head_in":
            within.append(head.parts[0])
        elif head.rule == "head_word" and excluding:
            without.append(head.parts[0])
        elif head.rule == "head_word" and head.parts[0] == WITHOUT:
            excluding = True
        else:
            others.append(head)
    condition = Condition(frozenset(map(str, within)), frozenset(map(str, without)))
    return condition, [*within, *without], others


def meant_here(
    file: File, stack: Stack, findings: Findings
) -> Iterator[tuple[Declaration | Node, Condition]]:
    """What a file says in this stack, and for which stacks: a `for` or `without` line holds for all
    below it, down to the next. A rule may say so itself."""
    here = ALWAYS
    for top in file.tops:
        condition = _of_line(top)
        if condition is not None and isinstance(top, Node):
            here = condition
            for name in (name for packs in top.parts if packs for name in packs.parts):
                _check_named(file, stack, name, name in condition.within, findings)
        elif here.holds(stack.ids) and _is_meant(top, file, stack, findings):
            yield top, here


def condition_at(file: File, position: int) -> Condition:
    """Which stacks a place in a file is for."""
    lines = [(top.start, found) for top in file.tops if (found := _of_line(top)) is not None]
    before = bisect_right(lines, position, key=lambda line: line[0])
    return lines[before - 1][1] if before else ALWAYS


def is_for_some(top: Declaration | Node) -> bool:
    """Whether a line says that what is below it is for some stacks only."""
    return _of_line(top) is not None


def _of_line(top: Declaration | Node) -> Condition | None:
    if not isinstance(top, Node) or top.rule not in (ONLY_FOR, ONLY_WITHOUT):
        return None
    named = [frozenset(map(str, packs.parts)) if packs else frozenset[str]() for packs in top.parts]
    return Condition(*named) if top.rule == ONLY_FOR else Condition(without=named[0])


def _is_meant(top: Declaration | Node, file: File, stack: Stack, findings: Findings) -> bool:
    if not isinstance(top, Declaration) or top.word != "rule":
        return True
    condition, names, others = stated(top.heads)
    for name in names:
        _check_named(file, stack, name, name in condition.within, findings)
    for head in others:
        message = "This has no meaning in the head of a rule."
        advice = "A rule may be `for` some packs and `without` others."
        findings.add(Diagnostic("Z222", message, file.span(head), advice))
    return condition.holds(stack.ids)


def _check_named(
    file: File, stack: Stack, name: Token, is_within: bool, findings: Findings
) -> None:
    """Check that there is such a pack, and that an order is stated if what follows is for it."""
    span = file.span(name)
    problem = unknown_pack(stack, name, span)
    if problem is None and is_within:
        problem = _out_of_order(file, stack, name, span)
    if problem is not None:
        findings.add(problem)


def unknown_pack(stack: Stack, name: str, span: Span) -> Diagnostic | None:
    """A pack that is meant and that nobody has."""
    if name in stack.ids or stack.may_know(name):
        return None
    near = did_you_mean(name, (*stack.ids, *stack.known()))
    advice = near or "Correct the name; `ziggurat packs` lists those there are."
    message = f"There is no pack called `{name}`."
    return Diagnostic("Z033", message, span, advice, severity="warning")


def _out_of_order(file: File, stack: Stack, name: str, span: Span) -> Diagnostic | None:
    pack = stack.pack(file.source.pack)
    named = {need.id for need in (*pack.extends, *pack.requires, *pack.optional)}
    if name in named or (name in stack.ids and stack.builds_on(pack.id, name)):
        return None
    message = f"`{pack.id}` has a part for `{name}`, but does not say that it comes after it."
    advice = f"Name `{name}` among the `optional` packs of its `pack.toml`."
    return Diagnostic("Z034", message, span, advice)
