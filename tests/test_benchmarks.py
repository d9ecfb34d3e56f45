"""What benchmarks compare is comparable."""

import ast

import pytest

from benchmarks import detection
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


def test_mistakes_are_the_same_for_the_same_seed_and_change_what_they_name() -> None:
    mistakes = detection.drawn(20, seed=1)
    assert mistakes == detection.drawn(20, seed=1) != detection.drawn(20, seed=2)
    for mistake in mistakes:
        data = (detection.ROOT / mistake.file).read_bytes()
        assert data[mistake.start : mistake.end].decode() == mistake.old
        assert ast.unparse(ast.parse(mistake.old, mode="eval")) != mistake.new
