"""What each pass of the compiler is worth: whole games with and without it, and the time it takes.

A pass stays only if games without it take at least 5 % longer. Every way of compiling plays the
same games in turns, so that all meet the same machine, and medians count.
"""

from statistics import median
from time import process_time

from benchmarks.measure import Claim, seconds, times, undisturbed
from benchmarks.positions import SEED, new_game, western
from ziggurat.runtime.bots.policies import Advised, play
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

PASSES: tuple[str, ...] = ("memo", "straight")
GAMES = ((9, SEED), (7, SEED + 1), (5, SEED + 2))
REPEATS = 5
WORTH = 1.05


def ways() -> dict[str, dict[str, bool]]:
    """All passes on, each of them off, and all of them off if there are several."""
    found = {"": {}, **{name: {name: False} for name in PASSES}}
    return found | ({"all": dict.fromkeys(PASSES, False)} if len(PASSES) > 1 else {})


def compiled(off: dict[str, bool]) -> tuple[Program, float]:
    ruleset = western().ruleset
    with undisturbed():
        start = process_time()
        program = compile_ruleset(ruleset, **off)
        return program, process_time() - start


def played(program: Program, players: int, seed: int) -> tuple[float, int]:
    """The time of a game and the number of its answers."""
    game = new_game(players, seed, program)
    with undisturbed():
        start = process_time()
        answers = play(game, Advised(seed), 100_000)
        spent = process_time() - start
    assert game.over
    return spent, answers


def measured() -> dict[str, tuple[float, float]]:
    """For each way, the time of all games and the time to compile."""
    compiling: dict[str, list[float]] = {name: [] for name in ways()}
    playing: dict[str, list[list[float]]] = {name: [[] for _ in GAMES] for name in ways()}
    for _ in range(REPEATS):
        made = {name: compiled(off) for name, off in ways().items()}
        for name, (_, spent) in made.items():
            compiling[name].append(spent)
        for number, (players, seed) in enumerate(GAMES):
            found = {name: played(program, players, seed) for name, (program, _) in made.items()}
            assert len({answers for _, answers in found.values()}) == 1
            for name, (spent, _) in found.items():
                playing[name][number].append(spent)
    return {
        name: (sum(median(one) for one in playing[name]), median(compiling[name]))
        for name in ways()
    }


def passes() -> list[Claim]:
    found = measured()
    games, compiling = found.pop("")
    claims = [Claim(f"{len(GAMES)} whole games with every pass", seconds(games)),
              Claim("compiling West with every pass", seconds(compiling))]  # fmt: skip
    for name, (slower, quicker) in found.items():
        cost = slower / games
        good = None if name == "all" else cost >= WORTH
        claims += [
            Claim(f"whole games without {name}", seconds(slower), seconds(games), times(cost),
                  "" if good is None else f"≥ {WORTH:.2f} ×", good),
            Claim(f"compiling West without {name}", seconds(quicker), seconds(compiling),
                  times(quicker / compiling)),
        ]  # fmt: skip
    return claims
