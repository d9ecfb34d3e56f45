"""Rulesets for the tests of the interpreter, compiled once."""

from pathlib import Path

import pytest

from ziggurat import dsl
from ziggurat.dsl.packs import Search
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

PACKS = Path(__file__).parent.parent / "packs"


@pytest.fixture(scope="session")
def race() -> Program:
    """A small game of another family, from its pack."""
    result = dsl.load("race", Search((PACKS,)))
    assert result.ruleset is not None, [d.message for d in result.diagnostics]
    return compile_ruleset(result.ruleset)
