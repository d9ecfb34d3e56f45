"""A small game, and one that is broken, for editors to open."""

from pathlib import Path

MANIFEST = """\
id = "isles"
title = "Isles"
version = "1"
players = "2"
[sources]
B = "The book"
"""
RULES = """\
# Two sides on two isles.
kind isle place {
  room: int
  relation bridges
}
kind side seat { rank: int = 1 }
kind craft holdable { cost: int }
kind good card { copies: int }

isle north "North" { room: 3  bridges: south }
isle south "South" { room: 2  bridges: north }
side red "Red" { rank: 1 }
side blue "Blue" { rank: 2 }
good salt "Salt" { copies: 3 }
good wool "Wool" { copies: 3 }
cards goods { faces: good }
place stock of owner
place hand of player secret
piece token { supply: 9  home: stock }

attribute fame of player: int = 0
option last_round "When it ends": int = 3 { choices: 1..9 }
# How many tokens somebody may keep.
value keep(p: player, a: isle): int = a.room  cites B "2" tags R-1
value strength(p: player): int = count(token of p in north)
order by_rank(p: player) { rank: p.rank }

craft masonry "Masonry" {
  cost: 10
  modify keep(holder, a) by +1 when a.room > 2  cites B "3" tags A-1
}

procedure gain(p: player, n: int) {
  add n to p.fame
  place n token of p in north
}

procedure settle(p: player) {
  let free = keep(p, north) - strength(p)
  choose place_to_go by p from isles where it.room > 0 "Where to?"
  gain(p, 1)
  if free > last_round { give masonry to p }
  if free > p.fame { say "{p} has room in {place_to_go}." }
}

phase growth {
  each player p by by_rank {
    settle(p)
  }
  once { end game }
}
turn main { phases: growth  ranking: by_rank  shows: strength }

advice settle.place_to_go { prefer it.room }

scenario "a token grows"  cites B "2" tags R-1 {
  players red, blue
  given { give masonry to red }
  red chooses south for settle.place_to_go
  run settle(red)
  expect { check count(token of red in north) == 1 and keep(red, north) == 4 }
}
scenario "strength is counted" {
  players red, blue
  run gain(blue, 2)
  expect { check strength(blue) == 2 }
}
"""
# What is wrong with it, and what stands in its place.
SLIPS = (
    ("place n token", "place n tokn"),
    ("bridges: north }", "}"),
    ("let free = keep", "let free = kep"),
    ("{ cost: int }", "{ cost: int  weight: int }"),
)


def lay_out(folder: Path, rules: str = RULES, manifest: str = MANIFEST) -> Path:
    """The folder of the pack, with one file of rules."""
    pack = folder / "isles"
    pack.mkdir()
    (pack / "pack.toml").write_text(manifest, encoding="utf-8")
    (pack / "isles.rules").write_text(rules, encoding="utf-8")
    return pack / "isles.rules"


def broken() -> str:
    text = RULES
    for good, bad in SLIPS:
        assert good in text, good
        text = text.replace(good, bad)
    return text
