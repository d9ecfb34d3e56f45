"""Count the positions in which secrets were held, by stack and seat.

python -m tests.runtime.count_secrets                    every stack that is tested
python -m tests.runtime.count_secrets race --answers 50  some, in games of so many answers

A difference or a secret that shows ends it with the assertion that failed.
"""

import argparse

from tests.runtime.test_secrets import SECRETIVE, hold_games
from ziggurat.runtime.kernel.table import NOBODY


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.runtime.count_secrets")
    parser.add_argument("stacks", nargs="*", default=SECRETIVE)
    parser.add_argument("--answers", type=int, default=400, help="in each game, at most")
    given = parser.parse_args()
    print("stack, seat: positions, of them inside a step, compared with a disguised one")
    for stack in given.stacks:
        tally = hold_games(stack, given.answers)
        for seat in sorted({seat for seat, _ in tally}, key=lambda seat: (seat == NOBODY, seat)):
            tried, inside, compared = (tally[seat, x] for x in ("tried", "inside", "compared"))
            name = "onlooker" if seat == NOBODY else f"seat {seat + 1}"
            print(f"{stack}, {name}: {tried}, {inside}, {compared}", flush=True)


if __name__ == "__main__":
    main()
