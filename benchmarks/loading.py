"""From text to program: against Lark alone, from the cache, and on a pack ten times as large."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import Claim, against, best, seconds, times
from tests.dsl.test_parse_lark import bare_lark, joined
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.runtime.saves.cache import load_program

STACK = "west"
MANIFEST = 'id = "{0}"\ntitle = "{0}"\nversion = "1.0.0"\nplayers = "2-4"\n'
HEAD = """
kind area place plural areas {
  limit: int = 2
  relation near
}
kind skill holdable plural skills { cost: int }
piece chip "chip" { supply: 20  home: bag  states: idle, spent }
place bag of owner
place bank of owner
attribute score of player: int = 0
order ranked(p: player) { points: 0 - p.score }
value result(p: player): int = p.score
phase play "Play" { players p act until done { add 1 to p.score } }
turn main { phases: play   ranking: ranked   score: result }
"""
MODULE = """
area first_{n} "First {n}" {{ near: second_{n} }}
area second_{n} "Second {n}" {{ limit: 3   near: first_{n} }}
attribute mark_{n} of player: int = 0
value worth_{n}(p: player, a: area): int = a.limit * 2 + count(chip of p in a) - count(idle chip of others(p) in a)
value best_{n}(p: player): int = max(worth_{n}(p, a) for a in areas with chip of p where a.limit > {n} mod 3)
value may_go_{n}(p: player, a: area): bool = count(chip of players in a) < a.limit + 4
skill craft_{n} "Craft {n}" {{
  cost: {n} + 1
  modify worth_{n}(holder, a) by +2 when a.limit > 2 or any(chip of holder in a.near)
  allow may_go_{n}(holder, a) when a is first_{n}
  modify best_{n}(holder) to at least 3
}}
procedure settle_{n}(p: player, n: int) {{
  for each a in areas where may_go_{n}(p, a) and worth_{n}(p, a) > n by room_{n}(p) {{
    let free = a.limit - count(chip of p in a)
    if free > 0 {{ place min(free, n) chip of p in a }} else {{ skip }}
    add free to p.mark_{n}
  }}
  choose up to 2 lost_{n} by p from areas with chip of p where it.limit < 3 "Which do you give up?"
  for each a in lost_{n} {{ remove 1 chip of p from a }}
  say "{{p}} settles {{n}} times."
}}
order room_{n}(p: player, a: area) {{ free: count(chip of p in a) - a.limit   worth: 0 - worth_{n}(p, a) }}
action march_{n} "March {n}" in play by p (
    origin from areas with idle chip of p                      "From where?",
    target from origin.near where may_go_{n}(p, it)          "Where to?",
    n      from 1..count(idle chip of p in origin)) {{
  needs p.mark_{n} < 9 and result(p) < 100                   "You are tired."
  move n idle chip of p from origin to target as spent
  settle_{n}(p, n)
}}
advice march_{n} {{ prefer worth_{n}(p, target) - worth_{n}(p, origin) }}
scenario "a march {n}" {{
  players red, blue
  given {{ place 2 chip of red in first_{n} }}
  red does march_{n}(first_{n}, second_{n}, 1)
  run phase play
  expect {{ check count(chip of red on board) > 0 }}
}}
"""
PER_FILE = 200


def texts(stack: str, search: Search) -> Sequence[Source]:
    found, _ = resolve_stack(stack, search)
    assert found is not None
    return read_sources(found)[0]


def cold(stack: str, search: Search) -> None:
    """Parse, check, link and lower, as if for the first time."""
    found, findings = resolve_stack(stack, search)
    assert found is not None
    sources, problems = read_sources(found)
    result = load_sources(sources, found, [*findings, *problems])
    assert result.ruleset is not None, [str(d.message) for d in result.diagnostics[:3]]
    compile_ruleset(result.ruleset)


def generated(folder: Path, name: str, modules: int) -> None:
    """A pack of so many modules, each with some of everything."""
    home = folder / name
    home.mkdir()
    (home / "pack.toml").write_text(MANIFEST.format(name), encoding="utf-8")
    for start in range(0, modules, PER_FILE):
        numbers = range(start, min(start + PER_FILE, modules))
        text = "".join(MODULE.format(n=n) for n in numbers)
        head = HEAD if start == 0 else ""
        (home / f"part_{start}.rules").write_text(head + text, encoding="utf-8")


def loading() -> list[Claim]:
    search = Search.default()
    sources = texts(STACK, search)
    size = sum(len(source.text) for source in sources)
    prepared = [joined(source.text) for source in sources]
    lark = bare_lark()

    def parse() -> None:
        for text in prepared:
            lark.parse(text, start="start")

    ours, theirs = against(lambda: cold(STACK, search), parse, 3)
    with tempfile.TemporaryDirectory() as folder:
        warm = _warm(folder)
        grown = _growth(Path(folder), size)
    return [
        Claim(f"cold load of {STACK} ({size // 1000} kB), against Lark parsing it", seconds(ours),
              seconds(theirs), times(ours / theirs), "≤ 3 ×", ours <= 3 * theirs),
        Claim(f"load of {STACK} from the cache, against a cold one", seconds(warm), seconds(ours),
              times(warm / ours), "≤ 0.10 ×", warm <= ours / 10),
        grown,
    ]  # fmt: skip


def _warm(folder: str) -> float:
    before = os.environ.get("ZIGGURAT_CACHE")
    os.environ["ZIGGURAT_CACHE"] = folder
    try:
        load_program(STACK)
        return best(lambda: load_program(STACK), 5)
    finally:
        if before is None:
            del os.environ["ZIGGURAT_CACHE"]
        else:
            os.environ["ZIGGURAT_CACHE"] = before


def _growth(folder: Path, size: int) -> Claim:
    modules = size // len(MODULE.format(n=10))
    generated(folder, "small", modules)
    generated(folder, "large", 10 * modules)
    search = Search((folder,))
    small = best(lambda: cold("small", search), 2)
    large = best(lambda: cold("large", search), 1)
    growth = large / small / 10
    what = f"cold load of a generated pack, {modules} and {10 * modules} modules"
    good = growth <= 1.2
    return Claim(what, seconds(large), seconds(small), f"10 · {growth:.2f}", "≤ 10 · 1.20", good)
