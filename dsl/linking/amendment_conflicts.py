"""Who changed what: two packs that change the same clause must be in an order.

Neither may be silently ignored, and which file is read last is an accident. So unless one of the
two packs says that it builds on the other, both places are shown and nothing is decided. A third
pack that builds on both and says what is to hold settles it; nobody else may.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, Span
from ziggurat.dsl.linking.conditions import Condition, condition_at
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.removals import Removal
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import File, Node

Key = tuple[str, str]
NUMBER = "number"
_ORDER = "and neither of them builds on the other"


class Change(NamedTuple):
    """One change of a clause. Those with the same `way` add up and never clash: `cost +10` and
    `cost -3`, or the same member added twice. `told` says what it does to a field."""

    clause: str
    span: Span
    way: str = ""
    told: str = ""


class Clash(NamedTuple):
    key: Key
    clause: str
    packs: tuple[str, str]
    finding: Diagnostic


class Conflicts:
    """Every change so far by declaration and clause; no clause means the whole declaration."""

    def __init__(self, stack: Stack, findings: Findings, files: Mapping[str, File]) -> None:
        self.stack = stack
        self.files = files
        self.findings = findings
        self.changed: dict[Key, list[Change]] = {}
        self.clashes_found: list[Clash] = []

    def report(self) -> None:
        """Say what nobody has settled."""
        self.findings.extend(clash.finding for clash in self.clashes_found)

    def changes_removed(self, item: Item, spoken: str, key: Key, path: Node, gone: Removal) -> None:
        """A change of what is no longer there: its removal and the change must be put in order."""
        earlier, later = gone.pack, item.pack
        span = item.file.span(path)
        note = Note("It is removed here.", gone.span)
        if earlier == later or self.stack.builds_on(later, earlier):
            message = f"`{spoken}` is gone, so it cannot be changed."
            advice: str | None = "Take this change away."
            self.findings.add(Diagnostic("Z402", message, span, advice, (note,)))
            return
        message = f"`{earlier}` removes `{spoken}` and `{later}` changes it, {_ORDER}."
        advice = "Take one of the two packs out of the stack, or one of the changes away."
        self._clash(key, "", earlier, later, Diagnostic("Z404", message, span, advice, (note,)))

    def _clash(self, key: Key, clause: str, one: str, two: str, finding: Diagnostic) -> None:
        self.clashes_found.append(Clash(key, clause, (one, two), finding))

    def settles(self, key: Key, clause: str, pack: str, way: str = "") -> bool:
        """Forget the clashes about a clause that a pack which builds on both sides decides."""
        settled = [
            clash
            for clash in self.clashes_found
            if not way and clash.key == key and (not clause or clash.clause == clause)
            if all(self.stack.builds_on(pack, side) for side in clash.packs)
        ]
        self.clashes_found = [clash for clash in self.clashes_found if clash not in settled]
        return bool(settled)

    def note(self, decl: Decl, change: Change) -> None:
        """Remember a change, and refuse it when an unrelated pack made one to the same clause.

        A change of the whole declaration is one of all its clauses.
        """
        key = (decl.word, decl.path)
        self.settles(key, change.clause, change.span.source.pack, change.way)
        made = self.changed.setdefault(key, [])
        for before in made:
            clashes = _touch(before.clause, change.clause) and not _add_up(before, change)
            if clashes and self.check_order(decl, before, change):
                break
        made.append(change)

    def check_order(self, decl: Decl, before: Change, change: Change) -> bool:
        """Whether two changes exclude each other; if so, that has been said."""
        earlier, later = before.span.source.pack, change.span.source.pack
        clause = change.clause or before.clause
        what = f"{clause} of `{decl.spoken}`" if clause else f"`{decl.spoken}`"
        note = Note("The other change is here.", before.span)
        if earlier == later and self._condition(change).is_narrower(self._condition(before)):
            return False
        if earlier == later:
            message = f"This pack changes {what} twice."
            advice = (
                "Keep one of the two, or write one of them for fewer stacks: below a line"
                " `for PACK` or `without PACK`."
            )
            twice = Diagnostic("Z404", message, change.span, advice, (note,))
            self.findings.add(twice)
            return True
        if self.stack.builds_on(later, earlier):
            return False
        message = f"`{earlier}` and `{later}` both change {what}, {_ORDER}."
        advice = (
            f"Decide which one counts: name `{earlier}` in the `optional` list of `{later}`,"
            " take one change away, or let a pack that extends both say what is to hold."
        )
        if before.way != change.way and before.told and change.told:
            message = (
                f"Of `{decl.spoken}`, `{earlier}` {before.told}, but `{later}` {change.told},"
                f" {_ORDER}."
            )
        if bool(before.way) is not bool(change.way) and before.told and change.told:
            last = (
                f"both hold if `{later}` names `{earlier}` in its `optional` list,"
                f" and only what `{earlier}` says"
                if change.way
                else f"only what `{later}` says holds if it names `{earlier}` in its `optional`"
                " list, and both"
            )
            advice = (
                f"Put them in order: {last} the other way round. Or let a pack that extends both"
                " say what is to hold."
            )
        found = Diagnostic("Z404", message, change.span, advice, (note,))
        self._clash((decl.word, decl.path), clause, earlier, later, found)
        return True

    def _condition(self, change: Change) -> Condition:
        return condition_at(self.files[change.span.source.path], change.span.start)

    def clashes(self, decl: Decl, before: Change, change: Change) -> bool:
        """As `check_order`, but one pack may take a clause away and write it anew."""
        same_pack = before.span.source.pack == change.span.source.pack
        return not same_pack and self.check_order(decl, before, change)

    def added(self, decl: Decl, change: Change) -> None:
        """A new clause stays, but not when an unrelated pack took all of its sort away."""
        for before in self.changed.get((decl.word, decl.path), ()):
            if _is_part(change.clause, before.clause) and self.clashes(decl, before, change):
                return

    def was_changed(self, decl: Decl, change: Change, removing: bool = False) -> bool:
        """Whether something is missing because another pack took it away, which has been said or
        is just what this change, removing it, says as well."""
        key = (decl.word, decl.path)
        if removing and self.settles(key, change.clause, change.span.source.pack):
            return True
        made = self.changed.get(key, ())
        return any(
            self.check_order(decl, before, change)
            for before in made
            if _is_part(change.clause, before.clause)
        )


def _is_part(one: str, other: str) -> bool:
    """Whether a clause is another one, or that with some arguments, or a member of it."""
    return one == other or one.startswith(f"{other} (")


def _touch(one: str, other: str) -> bool:
    """Whether two clauses are about the same: a field and a member of it are."""
    return not one or not other or _is_part(one, other) or _is_part(other, one)


def _add_up(one: Change, other: Change) -> bool:
    return bool(one.way) and one.way == other.way
