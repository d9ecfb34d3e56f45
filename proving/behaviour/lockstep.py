"""One game on both sides, with the same answers for as long as they are legal."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ziggurat.proving.behaviour.alignment import Alignment
from ziggurat.proving.behaviour.findings import Divergence, FirstDifference, Seen
from ziggurat.proving.behaviour.recorded import recorder_of
from ziggurat.runtime.bots.policies import Policy
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import Refused, RulesError

if TYPE_CHECKING:
    from ziggurat.proving.behaviour.pair import Pair


class Lockstep:
    """One game on both sides, answered by a policy that sees one of them."""

    def __init__(
        self, pair: "Pair", games: list[Game], policy: Policy, leader: int, seed: int
    ) -> None:
        self.pair = pair
        self.games = games
        self.policy = policy
        self.leader = leader
        self.seed = seed
        bounds = [game.run.bound for game in games]
        self.recorders = [recorder_of(bound) for bound in bounds]
        self.aligned = Alignment(games[0].table, games[1].table, pair.renames)
        self.answers = 0
        self.phase = ""
        # The clause that laid a pile in another order, for what comes of it later.
        self.reordered: FirstDifference | None = None

    def play(self, limit: int) -> Divergence | None:
        while True:
            traces = [self.pair.paths(n, r.cut()) for n, r in enumerate(self.recorders)]
            old, new = self.games
            seen = self.aligned.differences(old.state, new.state)
            parting = self.pair.parting(traces[0], traces[1], seen)
            if self.reordered is not None and not self.pair.explains(parting):
                parting = self.reordered
            if seen:
                return self._diverged("The same answers lead to other positions.", seen, parting)
            if self.reordered is None and self.aligned.reordered(old.state, new.state):
                self.reordered = parting
            asked = [_question(game) for game in self.games]
            if asked[0] != asked[1]:
                what = [("asked", asked[0], asked[1])]
                return self._diverged("Other questions are asked.", what, parting)
            if not old.pending:
                return self._compare_rankings()
            if self.answers >= limit:
                return None
            refused = self._answer()
            if refused is not None:
                return refused

    def _answer(self) -> Divergence | None:
        """The leader's answer on both sides; the recorders hear nothing but what follows it."""
        leader, other = self.games[self.leader], self.games[1 - self.leader]
        inner = self.policy.decide(leader, leader.pending[0])
        face = leader.decisions[0]
        plain = self._translated(face.name(inner))
        try:
            theirs = other.decisions[0].read(plain)
        except Refused as refused:
            told = ["may be answered", refused.reason]
            if self.leader:
                told.reverse()
            seen = [(f"{face.path}: {_said(plain)}", told[0], told[1])]
            blame = self._blamed(face.path, plain)
            parting = FirstDifference(blame, self.pair.places(blame))
            return self._diverged("An answer is legal on one side only.", seen, parting)
        self.phase = self.games[0].position.phase
        for recorder in self.recorders:
            recorder.cut()
        failed = [_failure(leader, inner), _failure(other, theirs)]
        self.answers += 1
        if not any(failed):
            return None
        if self.leader:
            failed.reverse()
        traces = [self.pair.paths(n, r.cut()) for n, r in enumerate(self.recorders)]
        what = [("the rules", failed[0] or "go on", failed[1] or "go on")]
        why = "Rules cannot go on."
        return self._diverged(why, what, self.pair.parting(traces[0], traces[1]))

    def _compare_rankings(self) -> Divergence | None:
        """Return the difference of two games that have ended alike but rank players differently."""
        if not all(game.over for game in self.games):
            return None
        ranks = [game.ranks() for game in self.games]
        if ranks[0] == ranks[1]:
            return None
        traces = [self.pair.paths(n, r.cut()) for n, r in enumerate(self.recorders)]
        told = [_first_place(one) for one in ranks]
        what = ("who wins", told[0], told[1])
        if told[0] == told[1]:
            what = ("the final ranking", _in_order(ranks[0]), _in_order(ranks[1]))
        parting = self.pair.parting(traces[0], traces[1], [what])
        return self._diverged("The same position is ranked differently.", [what], parting)

    def _blamed(self, path: str, plain: Any) -> str:
        """The decision, or the action that was taken."""
        return str(plain["action"]) if isinstance(plain, dict) and "action" in plain else path

    def _translated(self, plain: Any) -> Any:
        """An answer in the names of the other side."""
        names = {id_: to for (_, id_), to in self.pair.renames.items()}
        if self.leader:
            names = {to: id_ for id_, to in names.items()}
        return _renamed(plain, names)

    def _diverged(self, why: str, seen: Iterable[Seen], parting: FirstDifference) -> Divergence:
        return Divergence(
            self.seed, len(self.games[0].table.players), self.answers, self.phase, why,
            tuple(seen), parting,
        )  # fmt: skip


def _failure(game: Game, answer: Any) -> str:
    """What is wrong with rules that cannot go on after an answer."""
    try:
        game.decide(0, answer)
    except RulesError as error:
        return str(error)
    return ""


def _first_place(ranks: Mapping[str, int]) -> str:
    """Say who has won, or who share first place."""
    *others, last = [seat for seat, rank in ranks.items() if rank == 1]
    return f"{', '.join(others)} and {last} share first place" if others else last


def _in_order(ranks: Mapping[str, int]) -> str:
    return ", ".join(f"{rank}. {seat}" for seat, rank in ranks.items())


def _question(game: Game) -> str:
    """Who is asked what; the options are looked at when one of them is answered."""
    if game.over:
        return "the game is over"
    return ", ".join(f"{face.decider}: {face.path}" for face in game.decisions) or "nothing"


def _renamed(plain: Any, names: Mapping[str, str]) -> Any:
    if isinstance(plain, str):
        head, mark, copy = plain.partition("#")
        return names.get(head, head) + mark + copy
    if isinstance(plain, list | tuple):
        return [_renamed(one, names) for one in plain]
    if isinstance(plain, dict):
        return {_renamed(k, names): _renamed(v, names) for k, v in plain.items()}
    return plain


def _said(plain: Any) -> str:
    if isinstance(plain, dict) and "action" in plain:
        return f"{plain['action']}({', '.join(_said(arg) for arg in plain['args'])})"
    if isinstance(plain, dict):
        return ", ".join(f"{_said(k)} {_said(v)}" for k, v in plain.items())
    if isinstance(plain, list | tuple):
        return "{" + ", ".join(_said(one) for one in plain) + "}"
    if plain is None or isinstance(plain, bool):
        return {None: "none", True: "yes", False: "no"}[plain]
    return str(plain)
