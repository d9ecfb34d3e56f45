"""Games of every ruleset that ships, far into play: where tests of the interpreter begin.

A journey is a game by bots, kept as a save at every so many answers. Coming to the middle of a game
is then reading a file, which is how people come there too.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.stacks import packs, stacks
from ziggurat.dsl.packs import Search
from ziggurat.runtime.bots.policies import Advised, Policy, Random
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.program import Program, walked_program
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.saves import save as saves
from ziggurat.runtime.saves.cache import load_program
from ziggurat.runtime.saves.save import Save

PACKS = Path(__file__).parent.parent / "packs"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
OTHERS = {"race": (2, 6), "marches": (2, 2)}  # of tests/packs, and for how many they are
STACKS = (*sorted({stack for stack, _ in stacks()}), *OTHERS)
STRIDE = 60  # answers between two saves of a journey
BOTS: dict[str, type[Advised] | type[Random]] = {"advised": Advised, "random": Random}


@cache
def program(stack: str) -> Program:
    found, findings = load_program(stack, Search.default([PACKS, EXAMPLES]))
    assert found is not None, [finding.message for finding in findings]
    return found


@cache
def walked(stack: str) -> Program:
    """The same rules for the reference evaluator."""
    compiled = program(stack)
    return walked_program(compiled.ruleset, compiled.sites)


def seats(stack: str) -> tuple[int, ...]:
    """The numbers of players a stack is for: what its last pack says that says something."""
    named = [packs()[part].players for part in reversed(stack.split("+")) if part in packs()]
    low, high = next(filter(None, named), OTHERS.get(stack, (0, 0)))
    return tuple(range(low, high + 1))


def new_save(rules: Program, players: int, seed: int, path: Path) -> Save:
    # Players that answer at random may all die out: then only this ends the game.
    options = {"last_turn": 25} if "last_turn" in rules.ruleset.options else {}
    game = start(rules, players, seed=seed, options=options)
    save = Save(path, saves.header_of(game, "0.1.0", options), game)
    save.create()
    return save


def play_on(save: Save, number: int, bot: Policy) -> None:
    """Let a bot give answers, which are recorded."""
    for _ in range(number):
        if save.game.pending:
            face = save.game.decisions[0]
            save.answer(face.name(bot.decide(save.game, save.game.pending[0])), face.decider)


@cache
def journey(stack: str, players: int, bot: str, stops: int) -> tuple[tuple[bytes, bytes], ...]:
    """A game from its set-up on: at every stop the save and its snapshot."""
    found = []
    with TemporaryDirectory() as folder:
        save = new_save(program(stack), players, players, Path(folder) / "game.zig")
        policy = BOTS[bot](players)
        while save.game.pending and len(found) < stops:
            save.write_snapshot()
            found.append((save.path.read_bytes(), saves.snapshot_path(save.path).read_bytes()))
            play_on(save, STRIDE, policy)
        save.close()
    return tuple(found)


def load(stack: str, path: Path, whole: bool = False) -> Save:
    """A save of a stack; `whole`: every answer is given again, the snapshot is not used."""
    watch = (lambda *_: None) if whole else None
    return saves.load(path, lambda _: program(stack), watch=watch)[0]


def arrive(stack: str, stop: tuple[bytes, bytes], path: Path) -> Save:
    """The game at a stop of a journey, as a save at a path."""
    path.write_bytes(stop[0])
    saves.snapshot_path(path).write_bytes(stop[1])
    return load(stack, path)


def twin(game: Game, rules: Program) -> Game:
    """The same position in a game of its own, by way of plain data."""
    table = game.table
    other = start(
        rules, seats=table.seats, seed=game.state.seed, options=table.options, begin=False
    )
    other.restore(State.from_data(other.table, game.state.to_data()))
    return other
