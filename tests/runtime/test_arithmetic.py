"""One arithmetic: what a sum comes to is the same when it is linked, compiled and walked."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.dsl.linked import link_text
from ziggurat.dsl.linking.constants import Data
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.arithmetic import BY_ZERO, OPERATIONS, TOO_LARGE, CannotCompute
from ziggurat.runtime.kernel.errors import OF_RULES, RulesError
from ziggurat.runtime.kernel.program import Bound, walked_program
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.programs import compile_ruleset

NUMBERS = (-(10**9), -7, -2, -1, 0, 1, 2, 3, 7, 10**9, 10**10)
SIGNS = {
    "+": "a + b",
    "-": "a - b",
    "*": "a * b",
    "/": "a / b",
    "/up": "a / b rounded up",
    "mod": "a mod b",
    "min": "min(a, b)",
    "max": "max(a, b)",
}
COLLECTIONS = {
    "the lowest of a set": "one_of({7, 3, 5})",
    "the lowest of a list": "one_of(list(n in {5, 3, 7} by downwards))",
    "the lowest key": "one_of({5: 1, 3: 2})",
    "what two sets share": "size(common({1, 2, 3}, {3, 1, 9}))",
    "union": "size({1, 2} + {2, 3})",
    "difference": "sum(n for n in {1, 2, 3} - {2})",
    "numbers that nobody has": "max(n for n in 3..1) + min(n for n in 3..1)",
}
EXPECTED = dict(zip(COLLECTIONS, [3, 3, 3, 2, 3, 4, 0], strict=True))


@cache
def rules() -> ir.Ruleset:
    lines = [f"value sign_{n}(a: int, b: int): int = {t}" for n, t in enumerate(SIGNS.values())]
    lines += [f"value about_{n}(): int = {text}" for n, text in enumerate(COLLECTIONS.values())]
    lines.append("order downwards(n: int) { most: -n }")
    found = link_text("\n".join(lines))
    assert found.ruleset is not None, found.diagnostics
    return found.ruleset


@cache
def bound(way: str) -> Bound:
    compiler = {"compiled": compile_ruleset, "walked": walked_program}[way]
    return compiler(rules()).bind(Table(rules(), ["reds", "blues"]))


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except RulesError as wrong:
        return wrong.message
    except CannotCompute as wrong:
        return str(wrong)
    except tuple(OF_RULES) as wrong:
        return OF_RULES[type(wrong)]


@pytest.mark.parametrize("way", ["compiled", "walked"])
@pytest.mark.parametrize("op", SIGNS)
def test_numbers(op: str, way: str) -> None:
    program = bound(way)
    function = program["value", f"sign_{list(SIGNS).index(op)}"]
    state = State(program.table)
    for a in NUMBERS:
        for b in NUMBERS:
            assert outcome(function, state, a, b) == outcome(OPERATIONS[op], a, b)


@pytest.mark.parametrize("way", ["compiled", "walked", "linked"])
@pytest.mark.parametrize("case", COLLECTIONS)
def test_collections(case: str, way: str) -> None:
    value = f"about_{list(COLLECTIONS).index(case)}"
    if way == "linked" and "downwards" in COLLECTIONS[case]:
        pytest.skip("orders are not known before the game")
    if way == "linked":
        assert Data({}, {}).read(rules().values[value].base, {}) == EXPECTED[case]
    else:
        program = bound(way)
        assert program["value", value](State(program.table)) == EXPECTED[case]


def test_rounding() -> None:
    down, up, rest = (OPERATIONS[op] for op in ("/", "/up", "mod"))
    assert [down(7, 2), down(-7, 2), down(7, -2)] == [3, -4, -4]
    assert [up(7, 2), up(-7, 2), up(6, 2)] == [4, -3, 3]
    assert [rest(7, 2), rest(-7, 2), rest(7, -2)] == [1, 1, -1]


def test_a_range_is_the_set_of_its_members() -> None:
    same = OPERATIONS["=="]
    assert same(range(1, 4), (1, 2, 3))
    assert same((), range(3, 1))
    assert not same(range(1, 4), (1, 2, 4))
    assert not same((1, 2), range(1, 900000000))
    assert not same(range(1), None)


@pytest.mark.parametrize("op", ["/", "/up", "mod"])
def test_nothing_is_divided_by_0(op: str) -> None:
    with pytest.raises(CannotCompute, match=BY_ZERO):
        OPERATIONS[op](1, 0)


def test_products_have_an_end() -> None:
    with pytest.raises(CannotCompute, match=TOO_LARGE):
        OPERATIONS["*"](2, 1 << 61)
    assert OPERATIONS["*"](2, 1 << 60) == 1 << 61


@pytest.mark.parametrize(
    ("default", "number"), [("7 / 2", 3), ("7 / 2 rounded up", 4), ("-7 mod 4", 1)]
)
def test_a_default_may_be_worked_out(default: str, number: int) -> None:
    """Of a field, an attribute and an option alike."""
    text = f"""amend kind area {{ depth: int = {default} }}
attribute hopes of table: int = {default}
option wishes "Wishes": int = {default}
value deep(a: area): int = a.depth + hopes + wishes"""
    found = link_text(text)
    assert found.ruleset is not None, found.diagnostics
    program = compile_ruleset(found.ruleset).bind(Table(found.ruleset, ["reds", "blues"]))
    assert program["value", "deep"](State(program.table), 0) == 3 * number


def test_a_default_that_an_option_makes_impossible_names_its_place() -> None:
    found = link_text(
        'option parts "Parts": int = 2\nattribute hopes of table: int = 8 / parts\n'
        "value all(): int = hopes"
    )
    assert found.ruleset is not None, found.diagnostics
    assert Table(found.ruleset, ["reds", "blues"]).attr_start[-1] is not None
    with pytest.raises(RulesError, match=r"game\.rules:2: A number is divided by 0\."):
        Table(found.ruleset, ["reds", "blues"], {"parts": 0})
