"""Games on a cluster: one worker, and two."""

from time import perf_counter

from benchmarks.measure import Claim, seconds
from benchmarks.positions import SEED
from ziggurat import Trial
from ziggurat.studio.simulation.cluster import connected, play_all

GAMES = 24  # enough that what every worker does once does not count


def clock(workers: int) -> float:
    """Seconds on the clock for some games, the workers having begun."""
    side = Trial("west", (), 9, "advised", (), 100_000)
    with connected(f"local:{workers}") as client:
        for _ in play_all(client, [(side, SEED - 1 - n) for n in range(2 * workers)]):
            pass
        start = perf_counter()
        for _ in play_all(client, [(side, SEED + n) for n in range(GAMES)]):
            pass
        return perf_counter() - start


def cluster() -> list[Claim]:
    one, two = clock(1), clock(2)
    return [
        Claim(f"{GAMES} games on a cluster, two workers against one (time on the clock)",
              seconds(two), seconds(one), f"1/{one / two:.2f}", "≤ 1/1.8", one / two >= 1.8),
    ]  # fmt: skip
