"""A little pack in the rules language, for tests of what works on linked rules."""

from pathlib import Path

from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.runtime.kernel import Ruleset

MANIFEST = """\
id = "walkers"
title = "Walkers"
version = "1.0"
players = "2-4"

[sources]
B = "The booklet"
"""

RULES = """\
kind area place plural areas {
  limit: int = 1
  relation land
}
kind skill holdable plural skills { cost: int = 1 }
kind nation seat plural nations { rank: int }
kind gift card plural gifts { copies: int }
gift salt "Salt" { copies: 3 }
gift wool "Wool" { copies: 2 }
cards card { faces: gift }
place hand of player secret { cards: card }
nation reds "Reds" { rank: 1 }
nation blues "Blues" { rank: 2 }
area hill "Hill" { limit: 2  land: wood }
area wood "Wood" { limit: 3  land: hill }
piece pawn { supply: 9  home: reserve }
place reserve of owner
attribute score of player: int = 0

value strength(p: player): int = 2 + count(pawn of p on board)    cites B "1" tags R-1
skill lore "Lore" { modify strength(holder) by +3    tags A-lore }
value may_enter(p: player, a: area): bool = yes
skill fear "Fear" {
  forbid may_enter(holder, a) when a is wood "The wood is dark."    tags A-fear
}
order ranks(p: player) {
  score: p.score
  rank: p.rank
}

phase walking "Walking" {
  players p act by ranks until done { add 1 to p.score }
}
action walk "Walk" in walking by p (
    origin from areas with pawn of p,
    target from origin.land where may_enter(p, it) "Where to?") {
  needs p.score < 5    "You are tired."
  move 1 pawn of p from origin to target
}
procedure toll(p: player, n: int) {
  cites B "2"
  tags R-2
  choose pay by p from 0..n    "How much?"
  add pay to p.score
  say "{p} pays {pay}."
}
turn main { phases: walking   ranking: ranks   score: strength }
"""


def walkers(folder: Path, *scenarios: str) -> Ruleset:
    """The pack with these scenarios, linked."""
    pack = folder / "walkers"
    pack.mkdir(exist_ok=True)
    (pack / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (pack / "walkers.rules").write_text(RULES, encoding="utf-8")
    (pack / "walkers.scenarios.rules").write_text("\n".join(scenarios), encoding="utf-8")
    result = load("walkers", Search((folder,)))
    assert result.ruleset is not None, [(d.message, str(d.span)) for d in result.diagnostics]
    return result.ruleset


def scenario(body: str, title: str = "a test") -> str:
    """A scenario of two players; three blanks stand for the end of a line."""
    body = body.replace("   ", "\n")
    return f'scenario "{title}" {{\n  players reds, blues\n{body}\n}}\n'
