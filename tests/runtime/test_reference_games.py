"""Whole games on compiled and on walked rules: the same decisions, the same positions."""

import random
from functools import cache
from typing import Any

import pytest

from tests.runtime.small import ruleset
from tests.stacks import compiled
from ziggurat.proving.answers import first_option
from ziggurat.runtime.game.decisions import Decision
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.program import Program, walked_program
from ziggurat.runtime.kernel.requests import ChooseOneRequest
from ziggurat.runtime.programs import compile_ruleset


def an_answer(face: Decision, chance: random.Random) -> Any:
    """Some legal answer in the table's numbers."""
    ask = face.pending.ask
    if ask is not None:
        single = isinstance(ask, ChooseOneRequest)
        return chance.choice(list(ask.options)) if single else first_option(face)
    action = chance.choice([*face.actions(), face.end])
    if action == face.end:
        return None
    args: list[Any] = []
    for param in face._run.actions.rules[action].params:
        options = face.parameter_options(action, args)
        if not options:
            return None
        args.append(chance.choice(options) if param.single else options[:1])
    answer = {"action": action, "args": args}
    return None if face.check(answer) else face.read(answer)


def shown(game: Game) -> list[Any]:
    return [
        (face.id, face.kind, face.prompt, face.least, face.most, face.options())
        for face in game.decisions
    ]


def compare(program: Program, seats: int, seed: int, decisions: int) -> int:
    """Play the same game on both; how many decisions it had."""
    walked = walked_program(program.ruleset, program.sites)
    one = start(program, seats, seed=seed)
    two = start(walked, seats, seed=seed)
    chance = random.Random(seed)
    for number in range(decisions):
        assert shown(one) == shown(two)
        assert one.state == two.state
        assert one.state.digest() == two.state.digest()
        if not one.pending:
            return number
        index = chance.randrange(len(one.pending))
        answer = an_answer(one.decisions[index], chance)
        one.decide(index, answer)
        two.decide(index, answer)
    return decisions


@pytest.mark.parametrize("seed", range(8))
def test_a_small_game_to_its_end(seed: int) -> None:
    assert 0 < compare(compile_ruleset(ruleset()), 3, seed, 500) < 500


@cache
def edition(stack: str) -> Program:
    return compiled(stack)


@pytest.mark.slow
@pytest.mark.parametrize("stack", ["west", "east"])
@pytest.mark.parametrize("seed", range(3))
def test_an_edition_for_a_while(stack: str, seed: int) -> None:
    assert compare(edition(stack), 5, seed, 150) > 0
