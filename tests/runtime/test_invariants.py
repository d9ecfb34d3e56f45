"""Random play in every ruleset that ships keeps every law, wherever in a game it begins."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from tests.runtime.hidden import disguised, known
from tests.runtime.laws import Laws
from tests.runtime.shipped import BOTS, STACKS, arrive, journey, load, program, seats, twin, walked
from tests.sampling import sampled, slow
from ziggurat.runtime.bots.policies import Random
from ziggurat.runtime.game.decisions import Decision
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import Refused

SEEDS = st.integers(0, 2**32)
NONSENSE: tuple[Any, ...] = (
    None, "", "nonsense", 0, -1, 10**30, 1.0, float("nan"), True, b"x", object(), [], [[]], {},
    [None], {"action": None}, {"action": "nonsense", "args": []}, {"args": 3}, {"": 10**30},
    ["nonsense", 1],
)  # fmt: skip


def shown(game: Game) -> list[Any]:
    """What is asked. A decision's id begins with the number of answers that are remembered."""
    return [
        (face.id.partition("/")[2], face.kind, face.prompt, face.least, face.most, face.options())
        for face in game.decisions
    ]


def asked(game: Game) -> list[Any]:
    """Whom the game waits for, and where."""
    return [
        (pending.decider, pending.phase, pending.ask and (pending.ask.site, pending.ask.kind))
        for pending in game.pending
    ]


def wrong_answers(face: Decision, legal: Any) -> list[Any]:
    """Answers that look much like legal ones: too many, too few, twice, to something else."""
    options = face.options()
    found = [*NONSENSE, options, options * 2, [*options, "nonsense"], legal, [legal], {"": legal}]
    if isinstance(legal, list):
        found += [legal[:-1], legal * 2, [*legal, None], dict.fromkeys(map(str, legal), 1)]
    if isinstance(legal, dict):
        found += [{**legal, "": 1}, dict(list(legal.items())[1:]), list(legal)]
        found += [{k: [v] for k, v in legal.items()}, dict.fromkeys(legal)]
        args = legal.get("args")
        if isinstance(args, list):
            found += [{**legal, "args": args[:n]} for n in range(len(args))]
            found += [
                {**legal, "args": [*args[:n], wrong, *args[n + 1 :]]}
                for n in range(len(args))
                for wrong in NONSENSE
            ]
    return found


class Play(RuleBasedStateMachine):
    """A game that is always also a save; every answer goes to the disk."""

    stack = ""
    stops = 1

    @initialize(players=SEEDS, bot=st.sampled_from(sorted(BOTS)), stop=SEEDS)
    def begin(self, players: int, bot: str, stop: int) -> None:
        numbers = seats(self.stack)
        found = journey(self.stack, numbers[players % len(numbers)], bot, self.stops)
        self.folder = TemporaryDirectory()
        path = Path(self.folder.name) / "game.zig"
        self.save = arrive(self.stack, found[stop % len(found)], path)
        self.laws = Laws(self.game.table)

    @property
    def game(self) -> Game:
        return self.save.game

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.save.close()
            self.folder.cleanup()

    def legal(self, seed: int) -> tuple[int, Any]:
        """One of the pending decisions, and a legal answer in the table's numbers."""
        index = seed % len(self.game.pending)
        return index, Random(seed).decide(self.game, self.game.pending[index])

    # ---- what may happen

    @precondition(lambda self: self.game.pending)
    @rule(chances=st.lists(SEEDS, min_size=1, max_size=12))
    def answer(self, chances: Sequence[int]) -> None:
        for seed in chances:
            if not self.game.pending:
                return
            index, inner = self.legal(seed)
            face = self.game.decisions[index]
            assert face.options()
            said = face.name(inner)
            assert face.read(said) == inner
            self.save.answer(said, face.decider)
            self.laws.hold(self.game)

    @precondition(lambda self: self.game.pending)
    @rule(seed=SEEDS)
    def answer_on_both(self, seed: int) -> None:
        other = twin(self.game, walked(self.stack))
        assert shown(other) == shown(self.game)
        index, inner = self.legal(seed)
        face = self.game.decisions[index]
        other.decide(index, inner)
        self.save.answer(face.name(inner), face.decider)
        assert other.state.digest() == self.game.state.digest()
        assert [event.text for event in other.log] == [event.text for event in self.game.log]
        assert shown(other) == shown(self.game)

    @precondition(lambda self: self.game.pending)
    @rule(seed=SEEDS)
    def refuse(self, seed: int) -> None:
        before, records = self.game.state.digest(), len(self.save.records)
        index, inner = self.legal(seed)
        face = self.game.decisions[index]
        for wrong in wrong_answers(face, face.name(inner)):
            reason = face.check(wrong)
            if reason is None:  # then it says the same as something that is offered
                self.equivalent(index, wrong)
                continue
            with pytest.raises(Refused) as caught:
                self.save.answer(wrong, face.decider)
            assert caught.value.reason == reason
        deciders = {face.decider for face in self.game.decisions}
        for seat in {"nobody", *self.game.table.owner_names} - deciders:
            with pytest.raises(Refused):
                self.save.answer(face.name(inner), seat)
        assert self.game.state.digest() == before
        assert len(self.save.records) == records

    def equivalent(self, index: int, answer: Any) -> None:
        """An unusual way to say something legal leads where the usual way leads."""
        face = self.game.decisions[index]
        usual = face.name(face.read(answer))
        found = []
        for one in (answer, usual):
            other = self.game.copy()
            other.decide(index, other.decisions[index].read(one))
            found.append(other.state.digest())
        assert found[0] == found[1]

    @rule(number=st.integers(1, 40))
    def undo_and_redo(self, number: int) -> None:
        before = self.game.state.digest()
        number = min(number, self.game.answered)
        assert self.save.undo(number) == number
        assert self.save.redo(number) == number
        assert self.game.state.digest() == before

    @rule(number=st.integers(1, 10))
    def undo(self, number: int) -> None:
        self.save.undo(min(number, self.game.answered))

    @rule()
    def snapshot_and_restore(self) -> None:
        kept, before = self.game.snapshot(), self.game.state.digest()
        other = self.game.copy()
        if other.pending:
            other.decide(*self.legal(1))
        other.restore(kept)
        assert other.state.digest() == before == self.game.state.digest()
        again = twin(self.game, program(self.stack))
        assert again.state.digest() == before
        assert shown(again) == shown(other)

    @rule(snapshot=st.booleans())
    def save_and_load(self, snapshot: bool) -> None:
        if snapshot:
            self.save.write_snapshot()
        other = load(self.stack, self.save.path)
        assert other.game.state.digest() == self.game.state.digest()
        assert [e.text for e in other.game.log] == [e.text for e in self.game.log]
        self.save.close()
        self.save = other

    @rule(seat=SEEDS, seed=SEEDS)
    def look(self, seat: int, seed: int) -> None:
        """Nobody can tell two positions apart that differ in what is hidden from them.

        Whom the game waits for is for all to see; where other cards leave somebody no choice, so
        that they are not asked, the positions differ in that.
        """
        position = self.game.position
        if self.stack.startswith("seven_ages") and position.doing and position.phase in TURNED_UP:
            return
        number = seat % len(self.game.table.players)
        other = disguised(self.game, number, seed)
        if asked(other) == asked(self.game):
            assert known(other, number) == known(self.game, number)

    @invariant()
    def the_laws(self) -> None:
        if hasattr(self, "save"):
            self.laws.hold(self.game)


# Phases of seven_ages in which the kit, which exchanges cards, cannot tell what is known of them: a
# step tells what cards laid face down are worth, and answers given in it fit no other cards.
TURNED_UP = ("trading", "starting_empires")


def machine(stack: str, stops: int) -> type[Play]:
    return type("Play", (Play,), {"stack": stack, "stops": stops})


def walk(stack: str, stops: int, examples: int, steps: int) -> None:
    run(
        machine(stack, stops),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            phases=(Phase.generate, Phase.shrink) if steps < 20 else (Phase.generate,),
            print_blob=True,
        ),
    )


@pytest.mark.parametrize("stack", [slow(name) if "+" in name else name for name in STACKS])
def test_random_play(stack: str) -> None:
    walk(stack, stops=12, examples=2, steps=12)


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_random_play_for_long(stack: str) -> None:
    walk(stack, stops=40, examples=30, steps=40)


@pytest.mark.parametrize("stack", sampled(STACKS, 4))
def test_a_whole_game_replays(stack: str, tmp_path: Path) -> None:
    stop = journey(stack, seats(stack)[0], "advised", 12)[-1]
    save = arrive(stack, stop, tmp_path / "game.zig")
    again = load(stack, save.path, whole=True)
    assert again.game.state.digest() == save.game.state.digest()
    assert again.game.answered == len(save.records)
