"""The script of a scenario: what its players decide and do, and what they must not be able to do.

Answers are used when their decision comes, in the order written. What a player does, that they are
done, and what they cannot do are one sequence for each player; where all act freely, what somebody
cannot do waits for everything written before it. Whatever is not scripted takes the first option,
and an act without a script is done.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ziggurat.dsl import ir
from ziggurat.proving.explain import explain_action
from ziggurat.proving.reference import Evaluator
from ziggurat.runtime.actions import Actions, Menu
from ziggurat.runtime.decisions import Decision
from ziggurat.runtime.errors import Refused
from ziggurat.runtime.game import Game
from ziggurat.runtime.program import Bound
from ziggurat.runtime.state import State
from ziggurat.runtime.step_decisions import Ask

Entry = ir.Scripted | ir.Cannot

NOT_ITS_TURN = "It is not its turn."


class Mismatch(Exception):  # noqa: N818 - a finding about the rules, not about us
    """Something went otherwise than the scenario says: what was expected, what happened, and in
    which state, if the game has not got there yet."""

    def __init__(self, expected: str, actual: str, at: ir.At, state: State | None = None) -> None:
        super().__init__(f"{expected}: {actual}")
        self.expected = expected
        self.actual = actual
        self.at = at
        self.state = state


class Script:
    """What is still to be said and done. `tell` puts expressions in words, `freely` knows whether
    all act freely in the stage a state is in."""

    def __init__(
        self,
        run: Evaluator,
        tell: Callable[[ir.Expr], str],
        actions: Actions,
        freely: Callable[[State], bool],
    ) -> None:
        self.run = run
        self.actions = actions
        self.tell = tell
        self.freely = freely
        self.entries: list[Entry] = []

    def answer(self, game: Game) -> None:
        """Answer one of the pending decisions: the one whose entry was written first."""
        faces = game.decisions
        for entry in self.entries:
            if isinstance(entry, ir.Cannot):
                continue
            for index, face in enumerate(faces):
                if face.decider == entry.player and self._meant(entry, face):
                    self.entries.remove(entry)
                    game.decide(index, self._checked(game.state, entry, face))
                    return
        game.decide(0, first_option(faces[0]))

    def _meant(self, entry: ir.Scripted, face: Decision) -> bool:
        """Whether an entry is about this decision and its turn has come."""
        if entry.kind == "chooses":
            return face.kind != "act" and entry.path in ("", face.path)
        if face.kind != "act" or entry is not self._front(entry.player):
            return False
        return entry.kind == "done" or self._phase(entry.path) == face.pending.phase

    def _front(self, player: str) -> Entry | None:
        """The next act of a player, or what they are next refused."""
        acts = (entry for entry in self.entries if entry.player == player and _is_act(entry))
        return next(acts, None)

    def _phase(self, action: str) -> str:
        return self.run.ruleset.actions[action].phase

    def _checked(self, state: State, entry: ir.Scripted, face: Decision) -> Any:
        """The answer of an entry in the table's numbers; a refused one is a mismatch."""
        inner: Any = None
        if entry.kind == "does":
            inner = (entry.path, self.arguments(state, entry.path, entry.args))
        elif entry.kind == "chooses" and entry.answer is not None:
            given = self.run.evaluate(state, entry.answer, {})
            inner = self._shaped(given, entry.answer.type, face.pending.ask)
        try:
            face.check_inner(inner)
        except Refused as refused:
            actual = f"this was refused: {refused.reason}"
            raise Mismatch(self.as_written(entry), actual, entry.at) from None
        return inner

    def arguments(self, state: State, action: str, args: Iterable[ir.Expr]) -> tuple[Any, ...]:
        """The arguments of an action in the table's numbers."""
        params = self.run.ruleset.actions[action].params
        found = [self.run.evaluate(state, arg, {}) for arg in args]
        return tuple(
            value if param.single or value is None else tuple(value)
            for param, value in zip(params, found, strict=True)
        )

    def _shaped(self, given: Any, type_: ir.Type, ask: Ask | None) -> Any:
        """One answer or several, as the decision wants; a card may be named by its face."""
        assert ask is not None
        if ask.kind == "divide":
            return given
        several = ask.kind in ("choose_some", "select")
        members = list(given) if type_.name in ("set", "list", "range") else [given]
        kind = (type_.item or type_).name
        family = next((f.faces for f in self.run.ruleset.cards.values() if kind in f.faces), None)
        if family is not None and not all(member in ask.options for member in members):
            members = self._cards(members, ask)
        return tuple(sorted(members)) if several else int_or_thing(members)

    def _cards(self, faces: list[int], ask: Ask) -> list[int]:
        found: list[int] = []
        for face in faces:
            cards = (c for c in ask.options if self.run.table.face[c] == face and c not in found)
            found.append(next(cards, -1))
        return found

    # ---- refusals

    def watch(self, state: State, phase: str, player: int) -> None:
        """A player comes to act: what they must be refused at this point is refused."""
        name = self.run.table.owner_names[player]
        while isinstance(entry := self._front(name), ir.Cannot):
            early = self.freely(state) and any(
                _is_act(other) and not isinstance(other, ir.Cannot)
                for other in self.entries[: self.entries.index(entry)]
            )
            if early or self._phase(entry.action) != phase:
                return
            self.entries.remove(entry)
            self.refuse(state, entry)

    def idle(self, state: State, player: int) -> None:
        """A player who has nothing left to do is done without being asked."""
        entry = self._front(self.run.table.owner_names[player])
        if isinstance(entry, ir.Scripted) and entry.kind == "done" and not self.freely(state):
            self.entries.remove(entry)

    def refuse(self, state: State, entry: ir.Cannot, turn: bool = True) -> None:
        """The action must be against its own rules now, or else out of turn; raises Mismatch."""
        reasons = list(self._reasons(state, entry))
        if not reasons and (turn or not entry.reason):
            actual = "this is allowed" if turn else f"only one thing forbids it: {NOT_ITS_TURN}"
            raise Mismatch(self.as_written(entry), actual, entry.at, state)
        if not turn:
            reasons.append(NOT_ITS_TURN)
        if not any(entry.reason.casefold() in reason.casefold() for reason in reasons):
            expected = f'{self.as_written(entry)} "{entry.reason}"'
            raise Mismatch(expected, f"the reason is: {reasons[0]}", entry.at, state)

    def _reasons(self, state: State, entry: ir.Cannot) -> Iterator[str]:
        """Why the rules of an action forbid it; the whole story only if a reason is asked for."""
        args = self.arguments(state, entry.action, entry.args)
        player = self.run.table.owner_ids[entry.player]
        try:
            phase = self._phase(entry.action)
            self.actions.refuse(state, phase, player, entry.action, args)
        except Refused as refused:
            yield refused.reason
            told = entry.reason and explain_action(
                self.run.table, state, entry.action, player, args
            )
            if told:
                yield told.reason

    # ---- words

    def as_written(self, entry: Entry) -> str:
        """An entry as it was written."""
        if isinstance(entry, ir.Scripted) and entry.kind == "done":
            return f"{entry.player} is done"
        args = ", ".join(self.tell(arg) for arg in entry.args)
        if isinstance(entry, ir.Cannot):
            return f"{entry.player} cannot {entry.action}({args})"
        if entry.kind == "does":
            return f"{entry.player} does {entry.path}({args})"
        about = f" for {entry.path}" if entry.path else ""
        answer = "none" if entry.answer is None else self.tell(entry.answer)
        return f"{entry.player} chooses {answer}{about}"


class WatchedActions(Actions):
    """Tells a script when a player comes to act, whether or not there is anything they can do."""

    def __init__(self, bound: Bound, script: Script) -> None:
        super().__init__(bound)
        self._script = script

    def offer(self, state: State, phase: str, player: int) -> Menu | None:
        self._script.watch(state, phase, player)
        found = super().offer(state, phase, player)
        if found is None:
            self._script.idle(state, player)
        return found


def _is_act(entry: Entry) -> bool:
    return isinstance(entry, ir.Cannot) or entry.kind != "chooses"


def int_or_thing(members: list[Any]) -> Any:
    """The only answer, with yes and no as 1 and 0; None where there is not exactly one."""
    if len(members) != 1:
        return None
    return int(members[0]) if isinstance(members[0], bool) else members[0]


def first_option(face: Decision) -> Any:
    """What is answered without a script: the first option, the least, and to be done."""
    ask = face.pending.ask
    if ask is None:
        return None
    if ask.kind in ("choose", "may"):
        return ask.options[0]
    if ask.kind == "choose_some":
        return tuple(sorted(ask.options[: ask.least]))
    if ask.kind == "select":
        picked: list[int] = []
        while not ask.solver.complete(picked):
            picked.append(ask.solver.next_picks(picked)[0])
        return tuple(sorted(ask.options[number] for number in picked))
    amounts: dict[int, int] = {}
    for number in range(len(ask.options)):
        amounts[number] = ask.solver.choices(number, amounts)[0]
    return {member: amounts[number] for number, member in enumerate(ask.options)}
