"""What benchmarks compare is comparable."""

import pytest

from benchmarks.by_hand import ByHand
from benchmarks.language import TASKS, Task, cases, compare
from benchmarks.positions import recorded


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_phases_by_hand_come_to_the_same_positions(task: Task) -> None:
    game, found = recorded()
    bound = game.run.bound
    some = cases(bound, task, found[task.before])
    assert some
    compare(bound, ByHand(game.table), task, some)
