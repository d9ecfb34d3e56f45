"""Student's t and the beta distribution: how likely a value is by chance, and which one is."""

import math
from functools import lru_cache

TINY = 1e-300
ENOUGH = 1e-12
ROUNDS = 10_000
HALVINGS = 60


def tail(t: float, freedom: float) -> float:
    """Return the chance of a value at least as far from 0 as `t`, on either side."""
    if math.isinf(t):
        return 0.0
    return beta_below(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(maxsize=4096)
def quantile(outside: float, freedom: float) -> float:
    """Return the value that is exceeded on either side with the chance `outside` in all."""
    if freedom < 1 or outside <= 0:
        return math.inf
    low, high = 0.0, 1.0
    while tail(high, freedom) > outside:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > outside else (low, middle)
    return high


@lru_cache(maxsize=65536)
def beta_quantile(below: float, a: float, b: float) -> float:
    """Return the value below which the beta distribution lies with the chance `below`."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if beta_below(middle, a, b) < below else (low, middle)
    return (low + high) / 2


def beta_below(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front += a * math.log(x) + b * math.log1p(-x)
    return math.exp(front) / a / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Return a continued fraction, worked out from its front (Lentz)."""
    whole, up, down = 1.0, 1.0, 0.0
    for step in range(1, ROUNDS):
        m = step // 2
        if step % 2:
            part = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            part = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        up, down = 1 + part / up or TINY, 1 / (1 + part * down or TINY)
        whole *= up * down
        if abs(up * down - 1) < ENOUGH:
            break
    return whole
