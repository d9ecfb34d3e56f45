"""Parts of a pack that are for some stacks only: `for west` between declarations."""

import pytest

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.format import format_source
from ziggurat.dsl.loading import LoadResult, load_sources
from ziggurat.dsl.manifest import parse_manifest
from ziggurat.dsl.packs import Stack
from ziggurat.runtime import kernel as ir

MANIFESTS = {
    "base": 'players = "2-3"\n',
    "west": 'extends = ["base"]\n',
    "east": 'extends = ["base"]\n',
    "short": 'extends = ["base"]\n',
    "few": 'extends = ["base"]\noptional = ["west", "east", "short"]\n',
}
TEXTS = {
    "base": """\
attribute rested of player: int = 0
order rested_most(p: player) { most: -p.rested }
phase rest "Rest" {
  each player p { add table.turn_length to p.rested }
  once { end game }
}
attribute turn_length of table: int = 1
turn main { phases: rest  ranking: rested_most }
""",
    "west": "attribute west_wind of table: int = 1\n",
    "east": "attribute east_wind of table: int = 1\n",
    "short": "",
    "few": """\
amend attribute rested { default: 5 }

for west
amend attribute west_wind { default: 2 }

for east
amend attribute east_wind { default: 3 }
for east, short
amend attribute turn_length { default: 4 }
""",
}


def link(stack: str) -> LoadResult:
    names = ["base", *stack.split("+")]
    packs = [
        parse_manifest(
            Source(
                f"{name}/pack.toml",
                f'id = "{name}"\ntitle = "{name}"\nversion = "1"\n{MANIFESTS[name]}',
                name,
            ),
            name,
        )
        for name in names
    ]
    sources = [Source(f"{name}/a.rules", TEXTS[name], name) for name in names]
    return load_sources(sources, Stack(tuple(packs), tuple(names)))


def defaults(ruleset: ir.Ruleset | None) -> dict[str, object]:
    assert ruleset is not None
    found = {}
    for name, attribute in ruleset.attributes.items():
        assert isinstance(attribute.default, ir.Lit)
        found[name.split(".")[-1]] = attribute.default.value
    return found


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ("west+few", {"rested": 5, "turn_length": 1, "west_wind": 2}),
        ("east+few", {"rested": 5, "turn_length": 1, "east_wind": 3}),
        ("east+short+few", {"rested": 5, "turn_length": 4, "east_wind": 3}),
        ("west+short+few", {"rested": 5, "turn_length": 1, "west_wind": 2}),
    ],
)
def test_a_part_is_read_where_all_its_packs_are(stack: str, expected: dict[str, int]) -> None:
    result = link(stack)
    assert [found for found in result.diagnostics if found.is_error] == []
    assert defaults(result.ruleset) == expected


def test_the_layout_keeps_parts_as_they_are() -> None:
    untidy = TEXTS["few"].replace("for east, short", "for  east,short")
    assert format_source(Source("few/a.rules", untidy)) == TEXTS["few"]
