"""Which rules come to which: who calls whom, from the turn down to the last value."""

from collections.abc import Iterable, Iterator
from typing import Any

from ziggurat.runtime.kernel import Contribution, OptionRef, Ruleset, Trigger
from ziggurat.runtime.kernel.description import ATTRIBUTES
from ziggurat.runtime.kernel.walking import calls, reads, walk, writes

# A rule: ("phase", id), ("action", id), ("value", id), ("order", id), ("procedure", id),
# ("body", "thing.name"), ("clause", path), ("turn", id); ("option", id) and ("attribute", id) are
# what rules look at.
Node = tuple[str, str]


class Reach:
    """The rules of a ruleset, what each comes to, and which thing or rule brings it.

    Clauses and triggers are rules by themselves: what they touch comes to them, and they to what
    they call. `owners` has the thing (kind, id) that brings a clause or has a block.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.to: dict[Node, set[Node]] = {}
        self.forms: dict[Node, tuple[Any, ...]] = {}
        self.owners: dict[Node, tuple[str, str]] = {}
        self._calls()
        self.from_: dict[Node, set[Node]] = {}
        for node, goals in self.to.items():
            for goal in goals:
                self.from_.setdefault(goal, set()).add(node)

    # ---- asking

    def reached(self) -> set[Node]:
        """Everything a game may come to."""
        found: set[Node] = set()
        waiting = self._roots()
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting += self.to.get(node, ())
        return found

    def phases_before(self, node: Node) -> set[str]:
        """The phases that come to a rule."""
        return {id_ for sort, id_ in self._above(node, False) if sort == "phase"}

    def brought_by(self, node: Node) -> set[tuple[str, str]]:
        """The nearest things and phases from which a rule is come to: (kind, id), ("phase", id)."""
        return self._above(node, True)

    def _above(self, node: Node, things: bool) -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        seen: set[Node] = set()
        waiting = [node]
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if one[0] == "phase":
                found.add(one)
            elif things and one in self.owners:
                found.add(self.owners[one])
            else:
                waiting += self.from_.get(one, ())
        return found

    # ---- finding out

    def _roots(self) -> list[Node]:
        roots: list[Node] = [("turn", id_) for id_ in self.ruleset.turns]
        for attribute in self.ruleset.attributes.values():
            roots += _called(attribute.default)
            roots += [("value", attribute.sees)] if attribute.sees else []
        for cover in self.ruleset.covers.values():
            roots += [("value", id_) for id_ in (cover.sees, cover.top, cover.fits)]
        return roots

    def _calls(self) -> None:
        rules = self.ruleset
        for turn in rules.turns.values():
            phases = [("phase", id_) for id_ in (*turn.start, *turn.phases)]
            values = [
                ("value", id_)
                for id_ in (turn.score, *turn.shows, *turn.parts, turn.outlook)
                if id_
            ]
            orders = [("order", turn.ranking)] if turn.ranking else []
            steps = [("procedure", turn.supposing)] if turn.supposing else []
            self._note(("turn", turn.id), (turn.needs,), [*phases, *values, *orders, *steps])
        for phase in rules.phases.values():
            acts = [("action", a.id) for a in rules.actions.values() if a.phase == phase.id]
            inner = [("phase", stage.phase) for stage in phase.stages if stage.phase]
            node = ("phase", phase.id)
            self._note(node, (phase.stages, phase.needs), [*acts, *inner])
            self._clauses(node, phase.triggers)
        for action in rules.actions.values():
            self._note(("action", action.id), (action,))
            self._own(("action", action.id), action.thing)
        for value in rules.values.values():
            self._note(("value", value.id), (value.base,))
            self._clauses(("value", value.id), value.contributions)
        for order in rules.orders.values():
            self._note(("order", order.id), (), [("value", key) for key in order.keys])
        for procedure in rules.procedures.values():
            self._note(("procedure", procedure.id), (procedure.body,))
            self._clauses(("procedure", procedure.id), procedure.triggers)
        self._bodies()

    def _bodies(self) -> None:
        for kind, page in self.ruleset.things.items():
            for thing in page.values():
                for body in thing.bodies:
                    node = ("body", f"{thing.id}.{body.name}")
                    self._note(node, (body.body,))
                    self.owners[node] = kind, thing.id
                    self._clauses(node, body.triggers)

    def _clauses(self, home: Node, clauses: Iterable[Contribution | Trigger]) -> None:
        for clause in clauses:
            node = ("clause", clause.path)
            self._note(node, (clause,))
            self.to[home].add(node)
            self._own(node, clause.thing)

    def _own(self, node: Node, thing: str) -> None:
        kind, dot, id_ = thing.partition(".")
        if dot and id_ in self.ruleset.things.get(kind, {}):
            self.owners[node] = kind, id_

    def _note(self, node: Node, forms: tuple[Any, ...], more: Iterable[Node] = ()) -> None:
        goals = self.to.setdefault(node, set())
        goals.update(more)
        self.forms[node] = (*self.forms.get(node, ()), *forms)
        for form in forms:
            goals.update(self._goals(form))

    def _goals(self, form: Any) -> Iterator[Node]:
        for call in calls(form):
            if call[0] == "body":
                _, kind, name = call
                for id_ in self.ruleset.things.get(kind, ()):
                    yield "body", f"{id_}.{name}"
            else:
                yield call[0], call[1]
        for touch in reads(form) | writes(form):
            if touch.part == ATTRIBUTES and touch.id:
                yield "attribute", touch.id
        for one in walk(form):
            if isinstance(one, OptionRef):
                yield "option", one.id


def _called(form: Any) -> list[Node]:
    return [(call[0], call[1]) for call in calls(form) if call[0] != "body"]
