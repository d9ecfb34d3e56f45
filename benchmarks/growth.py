"""Growth of the time that commands and editors need with the size of a pack.

Each subject is a generated pack in two sizes or more, and an action on it. The exponent is that
between the two largest sizes: 1 is proportional growth, 2 is growth with the square.
"""

import math
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import attrs

from benchmarks.measure import Claim, seconds, undisturbed
from ziggurat import (
    Comments,
    Ruleset,
    Runner,
    Search,
    arrange,
    compile_ruleset,
    completions,
    diff,
    format_source,
    judge_of,
    load,
)
from ziggurat.studio.console import console
from ziggurat.studio.diff_terminal import show
from ziggurat.studio.editor.desk import Bench
from ziggurat.studio.editor.drawing import semantic_tokens
from ziggurat.studio.editor.findings import by_file
from ziggurat.studio.editor.lenses import Trials, lenses
from ziggurat.studio.editor.places import uri_of
from ziggurat.studio.map.board import board
from ziggurat.studio.map.svg import draw

MOST_EXPONENT = 1.15
SURE_SECONDS = 0.5  # shorter times say little about growth
REPEATS = 3
STACK_SECONDS, MAP_SECONDS = 6.0, 3.0

_GAME = """
kind skill holdable plural skills { cost: int = 1 }
piece chip "chip" { supply: 20  home: bag }
place bag of owner
attribute score of player: int = 0
order ranked(p: player) { points: 0 - p.score }
value result(p: player): int = p.score
phase play "Play" { players p act until done { add 1 to p.score } }
turn main { phases: play   ranking: ranked   score: result }
"""

Action = Callable[[], Any]


@attrs.frozen
class Subject:
    """Something that grows: `prepare` makes it in one size and returns the action to measure."""

    name: str
    sizes: tuple[int, ...]
    prepare: Callable[[Path, int], Action]
    most_seconds: float = math.inf  # for the largest size
    most_exponent: float = MOST_EXPONENT


@attrs.frozen
class Growth:
    """The CPU seconds that a subject took in each of its sizes."""

    subject: Subject
    times: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """The growth between the two largest sizes, as a power of the size."""
        (small, large), (before, after) = self.subject.sizes[-2:], self.times[-2:]
        return math.log(after / before) / math.log(large / small)

    @property
    def is_good(self) -> bool:
        """Return whether the growth is proportional, or the times too short to tell."""
        subject, last = self.subject, self.times[-1]
        if last > subject.most_seconds:
            return False
        return last < SURE_SECONDS or self.exponent <= subject.most_exponent


def measure(subject: Subject, repeats: int = REPEATS) -> Growth:
    """Time a subject in all its sizes. Each repetition prepares it anew."""
    return Growth(subject, tuple(_time(subject, size, repeats) for size in subject.sizes))


def _time(subject: Subject, size: int, repeats: int) -> float:
    times = []
    for _ in range(repeats):
        with TemporaryDirectory() as folder:
            action = subject.prepare(Path(folder), size)
            with undisturbed():
                start = process_time()
                action()
                times.append(process_time() - start)
    return median(times)


# ---- packs --------------------------------------------------------------------------------------


_PLAYERS = 'players = "2-4"'
_ON_CORE = 'extends = ["core"]\nincomplete = true'


def _write_pack(folder: Path, name: str, text: str, keys: str = _PLAYERS) -> str:
    """Write a pack of one file. Return its id."""
    home = folder / name
    home.mkdir()
    lines = [f'id = "{name}"', f'title = "{name}"', 'version = "1"', keys]
    (home / "pack.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (home / f"{name}.rules").write_text(text, encoding="utf-8")
    return name


def _values(number: int, addend: int = 0) -> str:
    """Values that each have a clause, brought by a skill of their own."""
    return _GAME + "".join(
        f"value worth_{n}(p: player): int = p.score + {n + addend}\n"
        f'skill craft_{n} "Craft {n}" {{ modify worth_{n}(holder) by +{n % 3 + addend + 1} }}\n'
        for n in range(number)
    )


def _clauses(number: int, addend: int = 0) -> str:
    """Clauses that all change one value."""
    return f"{_GAME}value worth(p: player): int = p.score\n" + "".join(
        f'skill craft_{n} "Craft {n}" {{ modify worth(holder) by +{n + addend + 1} }}\n'
        for n in range(number)
    )


def _things(number: int) -> str:
    return _GAME + "".join(
        f'skill craft_{n} "Craft {n}" {{ cost: {n + 1} }}\n' for n in range(number)
    )


def _neighbours(number: int, column: int) -> list[int]:
    """Those of a place on a square grid that is filled row by row."""
    wide = math.ceil(math.sqrt(number))
    beside = [n for n in (column - 1, column + 1) if n // wide == column // wide]
    return [n for n in (*beside, column - wide, column + wide) if 0 <= n < number]


def _areas(number: int, *, has_points: bool) -> str:
    """Areas of core, neighbours as on a grid."""
    wide = math.ceil(math.sqrt(number))
    lines = []
    for n in range(number):
        land = ", ".join(f"plain_{other}" for other in _neighbours(number, n))
        point = f"  x: {n % wide * 40 + n // wide % 3 * 9}  y: {n // wide * 40 + n % 5 * 4}"
        lines.append(
            f'area plain_{n} "Plain {n}" {{ limit: {n % 4 + 1}  land: {land}'
            f"{point if has_points else ''} }}\n"
        )
    return "".join(lines)


def _search(folder: Path) -> Search:
    return Search.default((str(folder),))


def _ruleset(folder: Path, name: str) -> Ruleset:
    result = load(name, _search(folder), game=False)
    assert result.ruleset is not None, [str(one.message) for one in result.diagnostics[:3]]
    return result.ruleset


# ---- actions ------------------------------------------------------------------------------------


def _check(text: Callable[[int], str], folder: Path, size: int) -> Action:
    name = _write_pack(folder, "grown", text(size))
    return lambda: _ruleset(folder, name)


def _format(folder: Path, size: int) -> Action:
    bench = _bench(folder, _values(size))
    assert bench.names is not None
    source = bench.names.source("grown/grown.rules")
    assert source is not None
    return lambda: format_source(source)


def _bench(folder: Path, text: str) -> Bench:
    bench = Bench(_write_pack(folder, "grown", text), _search(folder), uri_of)
    bench.load()
    assert bench.ruleset is not None
    return bench


def _complete(folder: Path, size: int) -> Action:
    bench = _bench(folder, _values(size))
    names, file = bench.names, "grown/grown.rules"
    assert names is not None
    source = names.source(file)
    assert source is not None
    begun = attrs.evolve(source, text=f"{source.text}\nvalue echo(p: player): int = wo")
    return lambda: completions(names, begun, len(begun.text))


def _show_lenses(folder: Path, size: int) -> Action:
    bench = _bench(folder, _values(size))
    names = bench.names
    assert names is not None
    return lambda: list(lenses(bench, names, Trials(), "grown/grown.rules", "file:///grown"))


def _edit(folder: Path, size: int) -> Action:
    """From a keystroke to what the editor shows."""
    text = _things(size)
    bench = _bench(folder, text)
    file = "grown/grown.rules"

    def action() -> None:
        bench.workspace.edit(file, f"{text}value echo(p: player): int = unknown\n")
        bench.changed()
        bench.load()
        assert bench.result is not None
        by_file(bench.result.diagnostics, bench.path_of, uri_of, folder)

    return action


def _colour(folder: Path, size: int) -> Action:
    bench = _bench(folder, _things(size))
    names = bench.names
    assert names is not None
    source = names.source("grown/grown.rules")
    assert source is not None
    return lambda: semantic_tokens(names, source)


def _compare(text: Callable[[int, int], str], folder: Path, size: int) -> Action:
    """Two packs in which every value, or every clause, is another."""
    names = [_write_pack(folder, f"grown_{n}", text(size, n)) for n in (0, 1)]
    return _comparison(folder, names[0], names[1])


def _compare_areas(folder: Path, size: int) -> Action:
    added = _write_pack(folder, "grown", _areas(size, has_points=True), _ON_CORE)
    return _comparison(folder, "core", added)


def _comparison(folder: Path, before: str, after: str) -> Action:
    search = _search(folder)
    old, new = _ruleset(folder, before), _ruleset(folder, after)
    comments = Comments(before, search).block, Comments(after, search).block

    def action() -> None:
        arrangement = arrange(diff(old, new), old, new, comments)
        show(arrangement, console(StringIO()))

    return action


def _draw(folder: Path, size: int, *, has_points: bool = True) -> Action:
    ruleset = _ruleset(
        folder, _write_pack(folder, "grown", _areas(size, has_points=has_points), _ON_CORE)
    )
    return lambda: draw(board(ruleset))


def _test_stack(folder: Path, size: int) -> Action:
    """A stack of packs that each change what a scenario of the lowest expects."""
    scenarios = "".join(
        f'scenario "worth {n}" {{\n  players red, blue\n'
        f"  expect {{ check worth_{n}(red) is {n} }}\n}}\n"
        for n in range(size)
    )
    below = _write_pack(folder, "grown_0", _values(size) + scenarios)
    for n in range(1, size):
        text = f"amend value worth_{n} {{}}\nskill later_{n} {{ modify worth_{n}(player) by +1 }}\n"
        keys = f'{_PLAYERS}\nextends = ["{below}"]'
        below = _write_pack(folder, f"grown_{n}", text, keys)

    def action() -> None:
        ruleset = _ruleset(folder, below)
        judge = judge_of(Runner(compile_ruleset(ruleset)), _search(folder))
        for scenario in ruleset.scenarios:
            judge.judge(scenario)

    return action


SUBJECTS = (
    Subject("check, values", (100, 400, 1600), partial(_check, _values)),
    Subject("check, clauses of one value", (400, 1600, 6400), partial(_check, _clauses)),
    Subject("format, values", (100, 400, 1600), _format),
    Subject("completion, values", (100, 400, 1600), _complete),
    Subject("code lenses, values", (100, 400, 1600), _show_lenses),
    Subject("an edit, things", (200, 800, 3200), _edit),
    Subject("colours, things", (200, 800, 3200), _colour),
    Subject("diff, values", (100, 400, 1600), partial(_compare, _values)),
    Subject("diff, clauses of one value", (400, 1600, 6400), partial(_compare, _clauses)),
    Subject("diff, areas added to core", (200, 800, 3200), _compare_areas),
    Subject("map, areas with points", (50, 200, 800), _draw, MAP_SECONDS),
    Subject("map, areas without points", (50, 200, 800), partial(_draw, has_points=False)),
    # Every pack changes a scenario, which is run upon each of the stacks below.
    Subject("test, a stack of packs", (8, 32, 64), _test_stack, STACK_SECONDS, math.inf),
)


def growth() -> list[Claim]:
    """Measure all subjects."""
    return [_claim(measure(subject)) for subject in SUBJECTS]


def _claim(growth: Growth) -> Claim:
    sizes = " / ".join(f"{size:,}" for size in growth.subject.sizes)
    times = " / ".join(seconds(time) for time in growth.times)
    subject = growth.subject
    bounds = [(f"{subject.most_exponent}", subject.most_exponent)]
    bounds.append((seconds(subject.most_seconds), subject.most_seconds))
    aim = ", ".join(f"≤ {text}" for text, bound in bounds if bound < math.inf)
    what = f"{growth.subject.name}: {sizes}"
    return Claim(what, times, ratio=f"n^{growth.exponent:.2f}", aim=aim, good=growth.is_good)
