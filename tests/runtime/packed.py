"""Rules from text, for tests: a pack in a temporary folder, linked and compiled."""

import tempfile
from pathlib import Path

from ziggurat import dsl
from ziggurat.dsl.packs import Search
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

PACK = """id = "tiny"
title = "Tiny"
edition = "1"
version = "1.0.0"
players = "2-6"
authors = ["The Ziggurat developers"]
licence = "MIT"
"""
BASE = """
kind area place plural areas {
  limit: int = 2
  relation near
}
kind skill holdable plural skills { }
area one "One" { near: two }
area two "Two" { near: one, three  limit: 3 }
area three "Three" { near: two }
piece chip "chip" { supply: 12  home: bag  states: up, down }
place bag of owner
place bank of owner
neutral house "the House" { supply: chip 20 }
attribute score of player: int = 0
attribute note of table: int = 0
value result(p: player): int = p.score
order ranked(p: player) { points: 0 - p.score }
"""
TURN = "turn main { start: begin   phases: play   ranking: ranked   score: result }\n"
BEGIN = 'phase begin "Begin" { each player p in players { place 3 chip of p in one } }\n'


def program(text: str, *, turn: bool = True, trace: bool = False) -> Program:
    """The little world of `BASE` with more rules; `play` is the phase of its turn."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "tiny"
        home.mkdir()
        (home / "pack.toml").write_text(PACK)
        (home / "tiny.rules").write_text(BASE + (BEGIN + TURN if turn else "") + text)
        result = dsl.load("tiny", Search((Path(folder),)))
    wrong = [f"{d.code} {d.message} {d.span}" for d in result.diagnostics if d.is_error]
    assert result.ruleset is not None, wrong
    return compile_ruleset(result.ruleset, trace)
