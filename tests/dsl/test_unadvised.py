"""What packs change above the advice, and no advice reads."""

import pytest

from tests.dsl.linked import link_text
from ziggurat.proving.unadvised import unadvised

ADVISED = """value liking(p: player): int = 3
value wish(p: player): int = liking(p) + reach(p)
advice walk { prefer wish(p) }
"""


def told(text: str, base: str = ADVISED) -> list[tuple[str, str, str]]:
    result = link_text(f"{base}#### pack above extends game\n{text}")
    assert result.ruleset is not None, [one.message for one in result.diagnostics]
    return [(one.word, one.id, one.done) for one in unadvised(result.ruleset)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('good gold "Gold" { copies: 3 }', [("good", "gold", "added")]),
        ("amend good iron { copies: 5 }", [("good", "iron", "changed")]),
        ("amend value liking { base: 4 }", []),
        ('skill riding "Riding" {\n cost: 9\n modify liking(holder) by +1\n}', []),
        (
            'skill riding "Riding" { cost: 9 }\nadvice walk { prefer 1 when p holds riding }',
            [],
        ),
        ("option merry: bool = no", [("option", "merry", "added")]),
    ],
)
def test_unread_changes_are_told(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert told(text) == expected


def test_game_without_advice_has_nothing_to_tell() -> None:
    assert told('good gold "Gold" { copies: 3 }', base="value liking(p: player): int = 3\n") == []
