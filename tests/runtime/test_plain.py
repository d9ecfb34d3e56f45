"""The plain form of rules: what comes to the same, and what only looks like it."""

from pathlib import Path

import attrs
import pytest

from tests.runtime.walkers import walkers
from ziggurat.dsl.normal_form import Plain

SAME = (
    ("if count(pawn of p on board) >= 0 { add 1 to p.score }", "add 1 to p.score"),
    ("stop if size(areas) < 0\n  add 1 to p.score", "add 1 to p.score"),
    ("place max(0, p.score) pawn of p in hill", "place max(-1, p.score) pawn of p in hill"),
    ("repeat max(0, p.score) times { add 1 to p.score }",
     "repeat max(-2, p.score) times { add 1 to p.score }"),
    ("for each a in areas where a.limit >= 0 { place 1 pawn of p in a }",
     "for each a in areas { place 1 pawn of p in a }"),
    ('for each a in areas { if p.score > 1 { say "{a}" } }\n  add 1 to p.score',
     "add 1 to p.score"),
    ("if always() > 0 { add 1 to p.score } else { add 2 to p.score }", "add 1 to p.score"),
    ("add p.score + never() to p.score", "add p.score - never() to p.score"),
    ("add -never() to p.score", "add never() to p.score"),
    ("divide 2 shares among areas by p allowing -1..2\n  add shares[hill] to p.score",
     "divide 2 shares among areas by p allowing 0..2\n  add shares[hill] to p.score"),
)  # fmt: skip
OTHER = (
    ("if p.score >= 0 { add 1 to p.score }", "add 1 to p.score"),
    ("add max(0, p.score) to p.score", "add max(-1, p.score) to p.score"),
    ("if count(pawn of p on board) >= 1 { add 1 to p.score }", "add 1 to p.score"),
    ("if strength(p) >= 0 { add 1 to p.score }", "add 1 to p.score"),
    ("place max(0, p.score) pawn of p in hill", "place max(1, p.score) pawn of p in hill"),
)
VALUES = "value always(): int = 1\nvalue never(): int = 0\n"


def _forms(folder: Path, one: str, two: str) -> tuple[object, object]:
    text = "".join(
        f"procedure {name}(p: player) {{\n  {body}\n}}\n" for name, body in (("a", one), ("b", two))
    )
    ruleset = walkers(folder, VALUES + text)
    plain = Plain(ruleset)
    bodies = [plain.of(ruleset.procedures[name].body) for name in "ab"]
    return tuple(_nameless(body) for body in bodies)  # type: ignore[return-value]


def _nameless(node: object) -> object:
    """Paths name their procedure, which is not what is compared."""
    if isinstance(node, tuple):
        return tuple(_nameless(one) for one in node)
    return attrs.evolve(node, path="") if hasattr(node, "path") else node  # type: ignore[misc]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_what_comes_to_the_same(tmp_path: Path, one: str, two: str) -> None:
    first, second = _forms(tmp_path, one, two)
    assert first == second


@pytest.mark.parametrize(("one", "two"), OTHER)
def test_what_only_looks_like_it(tmp_path: Path, one: str, two: str) -> None:
    first, second = _forms(tmp_path, one, two)
    assert first != second
