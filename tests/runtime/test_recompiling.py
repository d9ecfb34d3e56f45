"""A program made from an earlier one: the same as one made from nothing, with less work."""

import marshal
import random
from types import CodeType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dsl.edited import EDITS, war_with_a_mod
from tests.sampling import slow
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.relinking import LinkedDeclarations
from ziggurat.dsl.loading import ParsedFiles, load_sources
from ziggurat.runtime.compiler.program import identical
from ziggurat.runtime.kernel import Ruleset
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

GAME = "marches/marches.rules"
ADVICE = "marches/advice.rules"


class Edited:
    """A game whose texts change."""

    def __init__(self) -> None:
        self.stack, self.sources = war_with_a_mod()
        self.kept = (ParsedFiles(), LinkedDeclarations())

    def ruleset(self, **texts: str) -> Ruleset | None:
        now = [
            Source(source.path, texts.get(source.path, source.text), source.pack)
            for source in self.sources
        ]
        return load_sources(now, self.stack, (), *self.kept).ruleset

    def text(self, path: str) -> str:
        return next(source.text for source in self.sources if source.path == path)


def told(code: CodeType) -> Any:
    """Code with its lines; how it is marshalled depends on what else is in memory."""
    constants = tuple(told(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.co_name, code.co_code, constants, code.co_names, tuple(code.co_lines())


def assert_same(found: Program, fresh: Program) -> None:
    assert [told(marshal.loads(one)) for one in found.code] == [
        told(marshal.loads(one)) for one in fresh.code
    ]
    assert identical(found.sites, fresh.sites)
    for part in ("specs", "functions", "numbers", "clauses", "silent", "need_levels"):
        assert getattr(found, part) == getattr(fresh, part), part


def again(found: Program, earlier: Program) -> set[str]:
    """The files that were compiled again."""
    assert found.made is not None
    assert earlier.made is not None
    before = earlier.made.files
    return {home for home, one in found.made.files.items() if one is not before.get(home)}


def compiled(*texts: dict[str, str], trace: bool = False) -> tuple[Program, set[str]]:
    """The game with the last texts, made from the game with the first ones, and what of it was
    compiled again."""
    game = Edited()
    first, ruleset = game.ruleset(**texts[0]), game.ruleset(**texts[-1])
    assert first is not None
    assert ruleset is not None
    earlier = compile_ruleset(first, trace)
    found = compile_ruleset(ruleset, trace, earlier=earlier)
    assert_same(found, compile_ruleset(ruleset, trace))
    return found, again(found, earlier)


def test_only_the_file_that_changed_is_compiled_again() -> None:
    text = Edited().text(GAME)
    assert compiled({})[1] == set()
    for trace in (False, True):
        assert compiled({}, {GAME: f"\n{text}"}, trace=trace)[1] == {GAME}
    longer = text.replace("add 1 to round", 'say "Dusk."\n    add 1 to round', 1)
    assert compiled({}, {GAME: longer})[1] == {GAME}


def test_heads_concern_everything() -> None:
    text = Edited().text(GAME)
    other = text.replace("value hold(h: hex): int", "value hold(h: hex): int or none")
    assert other != text
    assert len(compiled({}, {GAME: other})[1]) > 2


LONG = "".join(f"value w{n + 1}(p: player): int = w{n}(p) + {{0}}{n}{{1}}\n" for n in range(11))


@pytest.mark.parametrize(
    ("one", "other", "user"),
    [
        pytest.param(
            "value foe(p: player): side = north",
            "value foe(p: player): side = p.side",
            "value foes(p: player): int = foe(p).order",
            id="what may be none",
        ),
        pytest.param(
            "value tally(p: player): int = count(h in hexes where any(army of p in h))",
            "value tally(p: player): int = count(h in hexes where h.fought)",
            "procedure tire(h: hex) { set h.fought = yes }",
            id="what is noted",
        ),
        pytest.param(
            "value w0(p: player): int = p.order\n" + LONG.format("1", ""),
            "value w0(p: player): int = p.order\n" + LONG.format("w", "(p)"),
            "value w12(p: player): int = w11(p)",
            id="what is charged",
        ),
    ],
)
def test_facts_about_the_whole_concern_everything(one: str, other: str, user: str) -> None:
    """Nothing but the inside of a rule changes, and the code of another one with it."""
    rules, advice = Edited().text(GAME), f"{Edited().text(ADVICE)}{user}\n"
    texts = [{GAME: f"{rules}{inside}\n", ADVICE: advice} for inside in (one, other)]
    assert ADVICE in compiled(*texts)[1]


def test_a_small_value_concerns_whoever_puts_it_in() -> None:
    rules, advice = Edited().text(GAME), Edited().text(ADVICE)
    user = f"{advice}value twice(p: player): int = once(p) + once(p)\n"
    first, other = (f"{rules}value once(p: player): int = p.order {by}\n" for by in ("+ 1", "+ 2"))
    assert compiled({GAME: first, ADVICE: user}, {GAME: other, ADVICE: user})[1] == {GAME, ADVICE}
    moved = first.replace("value once", "\n\nvalue once")
    assert compiled({GAME: first, ADVICE: user}, {GAME: moved, ADVICE: user})[1] == {GAME}
    large = f"{rules}value once(p: player): int = {' + '.join(['p.order'] * 20)}\n"
    assert compiled({GAME: first, ADVICE: user}, {GAME: large, ADVICE: user})[1] == {GAME, ADVICE}


def test_a_clause_concerns_the_value_it_changes() -> None:
    text = Edited().text("mod/mod.rules")
    assert GAME in compiled({}, {"mod/mod.rules": text.replace("by -1 when", "by -2 when")})[1]


@pytest.mark.parametrize("examples", [3, slow(30)])
def test_random_edits(examples: int) -> None:
    run = given(st.integers(0, 2**32))(edit_by_chance)
    settings(max_examples=examples)(run)()


def edit_by_chance(seed: int) -> None:
    """Edit after edit; where one makes no rules, nothing is compiled."""
    game, draw = Edited(), random.Random(seed)
    earlier: Program | None = None
    for _ in range(8):
        source = draw.choice(game.sources)
        ruleset = game.ruleset(**{source.path: draw.choice(EDITS)(source.text, draw)})
        if ruleset is not None:
            found = compile_ruleset(ruleset, earlier=earlier)
            assert_same(found, compile_ruleset(ruleset))
            earlier = found
