"""States: copies, equality, digests, plain data, and that nothing is created or lost."""

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ziggurat.runtime.kernel.frames import PhaseFrame
from ziggurat.runtime.kernel.randomness import Stream
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table

sys.path.insert(0, str(Path(__file__).parent))
import small

TABLE = Table(small.ruleset(), ["a", "b", "c"])


def total(state: State) -> list[int]:
    rows, width = TABLE.rows["stone"], TABLE.Q
    return [
        sum(state.pieces[rows.total + o * width : rows.total + (o + 1) * width])
        for o in TABLE.owners
    ]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.integers(0, TABLE.Q - 1), st.integers(0, TABLE.Q - 1),
            st.none() | st.integers(-2, 20), st.sampled_from([None, "fresh", "weary"]),
            st.sampled_from([None, "fresh", "weary"]),
        )
    )
)  # fmt: skip
def test_moves_keep_every_piece(moves: list[tuple[int, int, int, int, str, str]]) -> None:
    state = State(TABLE)
    rows = TABLE.rows["stone"]
    for owner, source, target, number, before, after in moves:
        state.move(rows, owner, source, target, number, before, after)
        assert total(state) == [10, 10, 10, 5]
        assert min(state.pieces) >= 0
        for owner_ in TABLE.owners:
            for place in range(TABLE.Q):
                split = [state.count(rows, owner_, place, s) for s in ("fresh", "weary")]
                assert sum(split) == state.count(rows, owner_, place)


def test_pieces_lose_their_state_off_the_board() -> None:
    state = State(TABLE)
    rows, bag = TABLE.rows["stone"], TABLE.place_ids["bag"]
    assert state.move(rows, 0, bag, 1, 4, None, "weary") == 4
    assert state.move(rows, 0, 1, 2, 1) == 1
    assert state.count(rows, 0, 2, "weary") == 1
    state.move(rows, 0, 1, bag, 99)
    assert state.count(rows, 0, bag, "weary") == 0
    assert state.count(rows, 0, bag) == 9


def test_turning_counts_only_what_changes() -> None:
    state = State(TABLE)
    rows, bag = TABLE.rows["stone"], TABLE.place_ids["bag"]
    state.move(rows, 0, bag, 1, 4, None, "weary")
    state.move(rows, 0, bag, 1, 2)
    assert state.turn(rows, 0, 1, None, None, "weary") == 2
    assert state.count(rows, 0, 1, "weary") == 6


@given(st.lists(st.tuples(st.lists(st.integers(0, 4), unique=True), st.integers(0, 4))))
def test_cards_are_somewhere_once(puts: list[tuple[list[int], int]]) -> None:
    state = State(TABLE)
    for cards, pile in puts:
        state.put(cards, pile, "top" if len(cards) % 2 else "in")
    assert sorted(card for pile in state.piles for card in pile) == list(range(5))
    for card in range(5):
        assert card in state.piles[state.whereis[card]]


def test_cards_put_on_top_keep_their_order() -> None:
    state = State(TABLE)
    deck = TABLE.pile("deck")
    state.put((4,), deck)
    state.put((2, 0), deck, "top")
    state.put((None,), deck)
    assert state.piles[deck] == (2, 0, 4)


def test_a_copy_is_equal_and_apart() -> None:
    state = State(TABLE, seed=5)
    other = state.copy()
    assert other == state
    assert other.digest() == state.digest()
    other.attrs[-1] = (1,)
    other.move(TABLE.rows["stone"], 0, TABLE.place_ids["bag"], 1, 1)
    assert other != state
    assert other.digest() != state.digest()
    assert total(state) == total(other)


def test_plain_data_and_back() -> None:
    state = State(TABLE, seed=5)
    state.put((3, 1), TABLE.pile("hand", 2))
    state.attrs[-1] = (0, 2)
    state.answers = ((1, {3: 4}, 0), (2, range(3), None))
    state.frames = (PhaseFrame("walk", 1, ((), 2, None)),)
    state.news.append(("say", None, 1, (2,)))
    state.flush()
    again = State.from_data(TABLE, json.loads(json.dumps(state.to_data())))
    assert again == state
    assert again.digest() == state.digest()
    assert again.events() == state.events()
    assert again.whereis == state.whereis


def test_a_long_log_can_be_pickled() -> None:
    state = State(TABLE, seed=5)
    for number in range(5000):
        state.news.append(("say", None, number, ()))
        state.flush()
    again = pickle.loads(pickle.dumps(state))
    assert again.events() == state.events()
    assert again.position() == state.position()
    assert copy.deepcopy(state, {id(TABLE): TABLE}).log_size == 5000


def test_the_digest_does_not_depend_on_the_process() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import small\n"
        "from ziggurat.runtime.kernel.state import State\n"
        "from ziggurat.runtime.kernel.table import Table\n"
        "s = State(Table(small.ruleset(), ['a', 'b', 'c']), 9); s.shuffle(0); print(s.digest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    here = State(TABLE, 9)
    here.shuffle(0)
    assert found == {here.digest() + "\n"}


def test_chance_is_the_same_for_ever() -> None:
    assert [Stream(1, n).below(1000) for n in range(1, 6)] == [360, 548, 648, 799, 6]
    assert Stream(7, 1).shuffled(range(8)) == [2, 0, 1, 4, 7, 3, 6, 5]


@given(st.integers(0, 2**70), st.integers(0, 1000), st.integers(1, 50))
def test_chance_stays_in_bounds(seed: int, draw: int, bound: int) -> None:
    stream = Stream(seed, draw)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))
    assert sorted(stream.shuffled(range(bound))) == list(range(bound))
