"""Whole games by advised bots, on one core and on two."""

from time import perf_counter, process_time

from benchmarks.measure import Claim, seconds, times, undisturbed
from benchmarks.positions import SEED, compiled_rules, new_game, western
from ziggurat import Trial
from ziggurat.runtime.bots.policies import Advised, play
from ziggurat.runtime.kernel.program import Program
from ziggurat.studio.simulation.workers import play_all

GAMES = 3
TOGETHER = 16  # enough that starting the processes does not count


def timed(players: int, seed: int, rules: Program) -> tuple[float, int, int]:
    """The time of a game, its answers and its turns."""
    game = new_game(players, seed, rules)
    with undisturbed():
        start = process_time()
        answers = play(game, Advised(seed), 100_000)
        spent = process_time() - start
    assert game.over
    return spent, answers, game.attribute("turn")


def average(players: int, stack: str = "west") -> tuple[float, float, float]:
    """Seconds and answers of a game, and seconds of a player's turn."""
    rules = compiled_rules(stack)
    found = [timed(players, SEED + number, rules) for number in range(GAMES)]
    whole = sum(spent for spent, _, _ in found)
    turns = sum(turn for _, _, turn in found) * players
    return whole / GAMES, sum(answers for _, answers, _ in found) / GAMES, whole / turns


def shares(players: int, seed: int, stack: str = "west") -> tuple[float, float]:
    """Where the time of a game goes: into what bots think of, and into what the rules do."""
    game, bot = new_game(players, seed, compiled_rules(stack)), Advised(seed)
    thinking = doing = 0.0
    with undisturbed():
        while game.pending:
            start = process_time()
            answer = bot.decide(game, game.pending[0])
            decided = process_time()
            game.decide(0, answer)
            thinking += decided - start
            doing += process_time() - decided
    return thinking, doing


def jobs(number: int) -> float:
    """Seconds on the clock for some games in so many processes."""
    side = Trial("west", (), 9, "advised", (), 100_000)
    start = perf_counter()
    for _ in play_all([(side, SEED + game) for game in range(TOGETHER)], number):
        pass
    return perf_counter() - start


def games() -> list[Claim]:
    western()
    nine, answers, turn_of_nine = average(9)
    _, _, turn_of_five = average(5)
    growth = turn_of_nine / turn_of_five
    _, _, turn_of_eighteen = average(18, "mega")
    both_boards = turn_of_eighteen / turn_of_nine
    many_thinking, many_doing = shares(18, SEED, "mega")
    thinking, doing = shares(9, SEED)
    pairs = [(jobs(1), jobs(2)) for _ in range(2)]
    one, two = (min(pair[n] for pair in pairs) for n in range(2))
    return [
        Claim(f"nine-player game, {answers:.0f} answers", seconds(nine), "1 s", times(nine),
              "≤ 1 ×", nine <= 1),
        Claim("decisions a second in it, bots' thinking included", f"{answers / nine:,.0f}"),
        Claim("where its time goes: bots' thinking", f"{thinking / (thinking + doing):.0%}"),
        Claim("where its time goes: the rules", f"{doing / (thinking + doing):.0%}"),
        Claim("a player's turn in it", seconds(turn_of_nine), "5 ms", times(turn_of_nine / 0.005),
              "≤ 1 ×", turn_of_nine <= 0.005),
        Claim("a player's turn with nine, against five", seconds(turn_of_nine),
              seconds(turn_of_five), times(growth), "≤ 1.30 ×", growth <= 1.3),
        Claim("a player's turn with eighteen on both boards, against nine",
              seconds(turn_of_eighteen), seconds(turn_of_nine), times(both_boards),
              "≤ 1.30 ×", both_boards <= 1.3),
        Claim("where the time of eighteen goes: bots' thinking",
              f"{many_thinking / (many_thinking + many_doing):.0%}"),
        Claim(f"{TOGETHER} games, two jobs against one (time on the clock)", seconds(two),
              seconds(one), f"1/{one / two:.2f}", "≤ 1/1.8", one / two >= 1.8),
    ]  # fmt: skip
