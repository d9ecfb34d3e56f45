"""The script of a scenario: what its players decide and do, and what they must not be able to do.

Answers are used when their decision comes, in the order written. What a player does, that they are
done, and what they cannot do are one sequence for each player; where all act freely, what somebody
cannot do waits for everything written before it. Whatever is not scripted takes the first option,
and an act without a script is done.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ziggurat.proving import phrasing
from ziggurat.proving.answers import candidates, first_option, int_or_thing, members_of
from ziggurat.proving.blame import sides
from ziggurat.proving.refusals import explain_action
from ziggurat.proving.script_words import ANSWERING, Entry, Tell, as_written
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.decisions import Decision
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.actions import Actions, Menu
from ziggurat.runtime.kernel.errors import Refused
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.program import Bound
from ziggurat.runtime.kernel.requests import (
    ChooseSomeRequest,
    DecisionRequest,
    DivideRequest,
    SelectRequest,
)
from ziggurat.runtime.kernel.signatures import Site
from ziggurat.runtime.kernel.state import State

INT = ir.Type("int")
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
        tell: Tell,
        actions: Actions,
        freely: Callable[[State], bool],
        sites: Sequence[Site],
    ) -> None:
        self.run = run
        self.actions = actions
        self.tell = tell
        self.freely = freely
        self.sites = sites
        self.entries: list[Entry] = []
        self.asked: list[tuple[str, str]] = []
        self._own: list[tuple[Site, str, Any]] = []
        self._drawn: dict[int, ir.Scripted] = {}

    def answer(self, game: Game) -> None:
        """Answer one of the pending decisions: the one whose entry was written first."""
        faces = game.decisions
        self._never(faces)
        for entry in self.entries:
            if not isinstance(entry, ir.Scripted):
                continue
            for index, face in enumerate(faces):
                if face.decider == entry.player and self._meant(entry, face):
                    before = self.entries.index(entry)
                    self._limit(game.state, face, before)
                    self._prompted(entry, before)
                    self.entries.remove(entry)
                    self.asked.append((face.decider, face.path))
                    game.decide(index, self._checked(game.state, entry, face))
                    return
        self._limit(game.state, faces[0], len(self.entries))
        self.asked.append((faces[0].decider, faces[0].path))
        game.decide(0, first_option(faces[0]))

    def _limit(self, state: State, face: Decision, before: int) -> None:
        """What was said about a decision before the answer that is given to it now."""
        about = (face.decider, face.path)
        said = [entry for entry in self.entries[:before] if isinstance(entry, ir.Limits)]
        for entry in said:
            if (entry.player, entry.path) == about and entry.kind != "never":
                self.entries.remove(entry)
                self._limited(state, entry, face)

    def _prompted(self, act: ir.Scripted, before: int) -> None:
        """What was said about the prompts of an action that is done now."""
        if act.kind != "does":
            return
        prompts = {
            f"{act.path}.{param.name}": param.prompt
            for param in self.run.ruleset.actions[act.path].params
        }
        for entry in [one for one in self.entries[:before] if isinstance(one, ir.Limits)]:
            if entry.player == act.player and entry.path in prompts:
                self.entries.remove(entry)
                self._asks(entry, prompts[entry.path])

    def _asks(self, entry: ir.Limits, prompt: str) -> None:
        if entry.text not in prompt:
            actual = f"the prompt is: {prompt}"
            raise Mismatch(self.as_written(entry), actual, entry.at)

    def _limited(self, state: State, entry: ir.Limits, face: Decision) -> None:
        ask = face.pending.ask
        moment = (ask and ask.moment) or state
        if entry.kind == "moment":
            self._asks(entry, face.prompt)
        for check in entry.checks:
            if not self.run.evaluate(moment, check, {}):
                actual = ", ".join(sides(self.run, moment, check, self.tell))
                expected = f"{self.as_written(entry)}: {self.tell(check)}"
                raise Mismatch(expected, actual, check.at, moment)
        if entry.answer is None or ask is None:
            return
        given = self.run.evaluate(moment, entry.answer, {})
        if entry.kind == "only":
            self._only(moment, entry, ask, given)
            return
        try:
            face.check_inner(self._shaped(given, entry.answer.type, ask))
        except Refused as refused:
            if entry.text.casefold() not in refused.reason.casefold():
                expected = f'{self.as_written(entry)} "{entry.text}"'
                raise Mismatch(expected, f"the reason is: {refused.reason}", entry.at) from None
            return
        raise Mismatch(self.as_written(entry), "this may be chosen", entry.at, moment)

    def _only(self, moment: State, entry: ir.Limits, ask: DecisionRequest, given: Any) -> None:
        assert entry.answer is not None
        type_ = entry.answer.type
        found = candidates(ask)
        if type_.item is not None and self._is_face(type_.item.name):
            found = [self.run.table.face[card] for card in found]
        if {*found} != {*given}:
            several = ir.Type("set", type_.item or INT)
            words = phrasing.value(self.run.table, dict.fromkeys(found), several)
            actual = f"these may be chosen: {words}"
            raise Mismatch(self.as_written(entry), actual, entry.at, moment)

    def _never(self, faces: Iterable[Decision]) -> None:
        said = [e for e in self.entries if isinstance(e, ir.Limits) and e.kind == "never"]
        for entry in said:
            for face in faces:
                if face.path == entry.path and entry.player in ("", face.decider):
                    actual = f"{face.decider} is asked: {face.prompt}"
                    raise Mismatch(self.as_written(entry), actual, entry.at)

    # ---- chance

    def fixed_draw(
        self, state: State, path: str, members: Sequence[int], number: int | None
    ) -> tuple[int, ...] | None:
        """Return what the script says is drawn at `path`, or None if it says nothing.

        A step that begins anew draws the same again, so an entry stays with its draw.
        """
        known = self._drawn.get(state.draws)
        if known is None or known.path != path:
            fixed = (e for e in self.entries if isinstance(e, ir.Scripted) and e.kind == "chance")
            known = next((entry for entry in fixed if entry.path == path), None)
            if known is None:
                return None
            self.entries.remove(known)
            self._drawn[state.draws] = known
        assert known.answer is not None
        drawn = members_of(self.run.evaluate(state, known.answer, {}))
        type_ = known.answer.type.item or known.answer.type
        by_face = self._is_face(type_.name)
        if by_face:
            drawn = self._cards(drawn, members)
        wanted = 1 if number is None else min(number, len(members))
        if len(drawn) != wanted or not set(drawn) <= set(members):
            shown = [self.run.table.face[card] for card in members] if by_face else members
            words = phrasing.value(self.run.table, dict.fromkeys(shown), ir.Type("set", type_))
            actual = f"{wanted} of these can be drawn: {words}"
            raise Mismatch(self.as_written(known), actual, known.at, state)
        return tuple(drawn)

    # ---- what was never asked

    def ran(self) -> None:
        """A run has ended: what nobody decided in it is as it was told."""
        self.entries = [
            e for e in self.entries if not (isinstance(e, ir.Limits) and e.kind == "never")
        ]

    def settled(self, site: int, by: int | None, answer: Any) -> None:
        """A step answered a decision itself."""
        name = self.run.table.owner_names[by] if by is not None else ""
        self._own.append((self.sites[site], name, answer))

    def nothing_left(self, state: State) -> None:
        """All that was written was asked for, or was right about what answered itself."""
        for entry in list(self.entries):
            own = [
                (site, answer)
                for site, name, answer in self._own
                if name == entry.player and getattr(entry, "path", "") in ("", site.path)
            ]
            if not isinstance(entry, ir.Cannot) and own and entry.answer is not None:
                self._compare(state, entry, own)
                self.entries.remove(entry)
        if self.entries:
            first = self.entries[0]
            is_draw = isinstance(first, ir.Scripted) and first.kind == "chance"
            actual = "this was not drawn" if is_draw else "nobody asked for this"
            raise Mismatch(self.as_written(first), actual, first.at)

    def _compare(self, state: State, entry: ir.Scripted | ir.Limits, own: list[Any]) -> None:
        """An answer to a decision that answered itself is right if it is that answer."""
        assert entry.answer is not None
        type_ = entry.answer.type
        given = members_of(self.run.evaluate(state, entry.answer, {}))
        found = [members_of(answer) for _, answer in own]
        if self._is_face((type_.item or type_).name):
            found = [sorted(self.run.table.face[card] for card in one) for one in found]
        agrees = given in found
        if isinstance(entry, ir.Scripted) and entry.kind == "some":
            number = self.run.given(state, entry.args[0], {})
            agrees = any(len(one) == number and {*one} <= {*given} for one in found)
        refused = isinstance(entry, ir.Limits) and entry.kind == "cannot"
        if agrees is refused:
            site, answer = own[0]
            type_ = ir.Type("bool") if isinstance(site.node, ir.May) else site.node.type
            words = phrasing.value(self.run.table, answer, type_)
            actual = f"there was nothing to choose, this answered itself: {words}"
            raise Mismatch(self.as_written(entry), actual, entry.at)

    def _meant(self, entry: ir.Scripted, face: Decision) -> bool:
        """Whether an entry is about this decision and its turn has come."""
        if entry.kind in ANSWERING:
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
        elif entry.kind in ANSWERING and entry.answer is not None:
            ask = face.pending.ask
            moment = ask.moment if ask is not None and ask.moment is not None else state
            given = self.run.evaluate(moment, entry.answer, {})
            if entry.kind == "some" and ask is not None:
                given = self._first_of(moment, entry, ask, given)
            inner = self._shaped(given, entry.answer.type, ask)
        try:
            face.check_inner(inner)
        except Refused as refused:
            actual = f"this was refused: {refused.reason}"
            raise Mismatch(self.as_written(entry), actual, entry.at) from None
        return inner

    def _first_of(
        self, moment: State, entry: ir.Scripted, ask: DecisionRequest, given: Any
    ) -> list[Any]:
        """So many of those given that are options, in the order of the options."""
        number = self.run.given(moment, entry.args[0], {})
        shown = {option: option for option in ask.options}
        if entry.answer is not None and self._is_face((entry.answer.type.item or INT).name):
            shown = {option: self.run.table.face[option] for option in ask.options}
        return [option for option, face in shown.items() if face in given][:number]

    def arguments(self, state: State, action: str, args: Iterable[ir.Expr]) -> tuple[Any, ...]:
        """The arguments of an action in the table's numbers."""
        params = self.run.ruleset.actions[action].params
        found = [self.run.evaluate(state, arg, {}) for arg in args]
        return tuple(
            value if param.single or value is None else tuple(value)
            for param, value in zip(params, found, strict=True)
        )

    def _shaped(self, given: Any, type_: ir.Type, ask: DecisionRequest | None) -> Any:
        """One answer or several, as the decision wants; a card may be named by its face."""
        assert ask is not None
        if isinstance(ask, DivideRequest):
            return given
        several = isinstance(ask, ChooseSomeRequest | SelectRequest)
        members = list(given) if type_.name in ("set", "list", "range") else [given]
        by_face = self._is_face((type_.item or type_).name)
        if by_face and not all(member in ask.options for member in members):
            members = self._cards(members, ask.options)
        return tuple(sorted(members)) if several else int_or_thing(members)

    def _is_face(self, kind: str) -> bool:
        return any(kind in family.faces for family in self.run.ruleset.cards.values())

    def _cards(self, faces: list[int], options: Iterable[int]) -> list[int]:
        found: list[int] = []
        for face in faces:
            cards = (c for c in options if self.run.table.face[c] == face and c not in found)
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

    def as_written(self, entry: Entry) -> str:
        """An entry as it was written."""
        return as_written(entry, self.tell)


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
    return isinstance(entry, ir.Cannot) or (
        isinstance(entry, ir.Scripted) and entry.kind not in ANSWERING
    )
