"""Who changed what: two packs that change the same clause must be in an order.

Neither may be silently ignored, and which file is read last is an accident. So unless one of the
two packs says that it builds on the other, both places are shown and nothing is decided.
"""

from typing import NamedTuple

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, Span
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import Node


class Change(NamedTuple):
    """One change of a clause; relative ones (`cost +10`) add up and never clash."""

    clause: str
    span: Span
    relative: bool


class Conflicts:
    """Every change so far by declaration and clause; no clause means the whole declaration."""

    def __init__(self, stack: Stack, findings: Findings) -> None:
        self.stack = stack
        self.findings = findings
        self.changed: dict[tuple[str, str], list[Change]] = {}

    def changes_removed(self, item: Item, spoken: str, path: Node, removal: Span) -> None:
        """A change of what is no longer there: its removal and the change must be put in order."""
        earlier, later = removal.source.pack, item.pack
        span = item.file.span(path)
        note = Note("It is removed here.", removal)
        if earlier == later or self.stack.builds_on(later, earlier):
            message = f"`{spoken}` is gone, so it cannot be changed."
            advice: str | None = "Take this change away."
            self.findings.add(Diagnostic("Z402", message, span, advice, (note,)))
            return
        message = (
            f"`{earlier}` removes `{spoken}` and `{later}` changes it,"
            " and neither of them builds on the other."
        )
        advice = "Take one of the two packs out of the stack, or one of the changes away."
        self.findings.add(Diagnostic("Z404", message, span, advice, (note,)))

    def note(self, decl: Decl, clause: str, span: Span, relative: bool = False) -> None:
        """Remember a change, and refuse it when an unrelated pack made one to the same clause.

        A change of the whole declaration is one of all its clauses.
        """
        made = self.changed.setdefault((decl.word, decl.path), [])
        for before in made:
            touches = before.clause == clause or not before.clause or not clause
            clashes = touches and not (relative and before.relative)
            if clashes and self.check_order(decl, clause or before.clause, before.span, span):
                break
        made.append(Change(clause, span, relative))

    def check_order(self, decl: Decl, clause: str, before: Span, span: Span) -> bool:
        """Whether two changes exclude each other; if so, that has been said."""
        earlier, later = before.source.pack, span.source.pack
        what = f"{clause} of `{decl.spoken}`" if clause else f"`{decl.spoken}`"
        if earlier == later:
            message = f"This pack changes {what} twice."
            advice = "Keep one of the two."
        elif self.stack.builds_on(later, earlier):
            return False
        else:
            message = (
                f"`{earlier}` and `{later}` both change {what},"
                " and neither of them builds on the other."
            )
            advice = (
                f"Decide which one counts: name `{earlier}` in the `optional` list of `{later}`,"
                " or take one change away."
            )
        note = Note("The other change is here.", before)
        self.findings.add(Diagnostic("Z404", message, span, advice, (note,)))
        return True

    def clashes(self, decl: Decl, clause: str, before: Span, span: Span) -> bool:
        """As `check_order`, but one pack may take a clause away and write it anew."""
        same_pack = before.source.pack == span.source.pack
        return not same_pack and self.check_order(decl, clause, before, span)

    def added(self, decl: Decl, clause: str, span: Span) -> None:
        """A new clause stays, but not when an unrelated pack took all of its sort away."""
        for before in self.changed.get((decl.word, decl.path), ()):
            if before.clause == clause and self.clashes(decl, clause, before.span, span):
                return

    def was_changed(self, decl: Decl, clause: str, span: Span) -> bool:
        """Whether something is missing because another pack took it away, which has been said."""
        made = self.changed.get((decl.word, decl.path), ())
        return any(
            self.check_order(decl, clause, before.span, span)
            for before in made
            if before.clause == clause
        )
