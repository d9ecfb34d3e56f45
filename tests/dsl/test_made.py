"""Packs made by chance: printed and read again, or formatted, they are the same rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dsl.linked import link_text
from tests.dsl.made import Maker
from tests.dsl.test_printing import assert_same_when_told
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.format import format_checked
from ziggurat.dsl.linking.hashing import content_hash, from_json, to_json
from ziggurat.dsl.printing.whole import ruleset_text


def check_made(seed: int) -> None:
    text = Maker(seed).pack()
    result = link_text(text, base="")
    if any(one.code in ("Z510", "Z327") for one in result.diagnostics):
        return  # chance made a requirement that never holds, or divided by 0: rightly refused
    ruleset = result.ruleset
    assert ruleset is not None, (seed, [str(one) for one in result.diagnostics if one.is_error])
    told = ruleset_text(ruleset)
    again = link_text(told, base="").ruleset
    assert_same_when_told(ruleset, told, again)
    assert again is not None
    assert content_hash(again) == content_hash(ruleset)
    assert [kind.needs for kind in again.kinds.values()] == [
        kind.needs for kind in ruleset.kinds.values()
    ]
    assert from_json(to_json(ruleset)) == ruleset
    formatted = format_checked(Source("made.rules", text))
    assert formatted.findings == ()
    relinked = link_text(formatted.text, base="").ruleset
    assert relinked is not None
    assert content_hash(relinked) == content_hash(ruleset)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_made_packs_mean_the_same_when_told(seed: int) -> None:
    check_made(seed)


@pytest.mark.soak
def test_many_made_packs() -> None:
    for seed in range(10_000):
        check_made(seed)
