"""Randomness as two integers: a seed and how many draws were made so far.

Every draw makes its own small generator (splitmix64) from both numbers, so a saved game needs no
generator state, a copied game draws the same as the original, and no library's or machine's habits
can change a game.
"""

from collections.abc import Sequence

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
BRANCH = 40  # bits: no branch draws so many numbers that it comes to the next


def mix(value: int) -> int:
    """The finaliser of splitmix64: every bit of the input stirs every bit of the output."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


class Stream:
    """The numbers of one draw."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, draw: int) -> None:
        folded = seed & MASK
        while seed := seed >> 64 if seed >= 0 else 0:
            folded = mix(folded ^ (seed & MASK))
        self._state = mix((mix(folded + GOLDEN & MASK) ^ draw * GOLDEN) & MASK)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1 (the bias of multiply-and-shift is below 2**-50 here)."""
        self._state = (self._state + GOLDEN) & MASK
        return mix(self._state) * bound >> 64

    def fork(self) -> "Stream":
        """A stream that starts anywhere; its branches have nothing to do with those of others."""
        self.below(1)
        return _at(mix(self._state))

    def branch(self, number: int) -> "Stream":
        """The same numbers whatever is drawn from other branches: a place far ahead."""
        return _at(self._state + (number << BRANCH) * GOLDEN & MASK)

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """The items in random order (Fisher-Yates, from the end)."""
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out

    def sample(self, items: Sequence[int], number: int) -> list[int]:
        """Some of the items, in the order they were drawn."""
        out = list(items)
        number = min(number, len(out))
        for at in range(number):
            other = at + self.below(len(out) - at)
            out[at], out[other] = out[other], out[at]
        return out[:number]


def _at(state: int) -> Stream:
    new = Stream.__new__(Stream)
    new._state = state
    return new
