"""Games of ten to eighteen advised players end, and the laws hold at every decision."""

import pytest

from tests.content.test_whole_games import ends_properly

GAMES = 200


@pytest.mark.slow
@pytest.mark.parametrize("number", range(GAMES))
def test_two_hundred_games_on_both_boards(number: int) -> None:
    ends_properly("mega", 10 + number % 9, "advised", seed=2000 + number)
