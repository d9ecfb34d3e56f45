"""Plots as inline SVG, coloured by the page's style sheet so that they follow light and dark."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape

import attrs

from ziggurat.studio.simulation.statistics import Estimate

Point = tuple[float, float]
Scale = Callable[[float], float]
WIDTH = 720
SMALL = 0.005  # what a player and turn gains or loses less than this is not shown


@attrs.frozen
class Line:
    """A line of a chart: its points, how it looks, and optionally a band around it."""

    name: str
    look: str
    points: Sequence[Point]
    band: Sequence[tuple[float, float, float]] = ()


def number(value: float, percent: bool = False) -> str:
    """A number as people write it: no more digits than it deserves."""
    if math.isnan(value):
        return "–"
    if percent:
        told = f"{100 * value:.0f}"
        near = {"0": "<1", "100": ">99"} if 0 < value < 1 else {}
        return f"{near.get(told, told)} %"
    size = abs(value)
    digits = 0 if size >= 100 or value == round(value) else 1 if size >= 10 else 2
    text = f"{value:,.{digits}f}".replace(",", " ")
    return text.replace("-", "−")


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers that cover a range."""
    span = high - low
    if not span > 0:
        return [low]
    raw = span / about
    power = 10 ** math.floor(math.log10(raw))
    step = min((m * power for m in (1, 2, 5, 10)), key=lambda s: abs(s - raw))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [n * step for n in range(first, last + 1)]


def _svg(width: int, height: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, look: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{look}">{escape(text)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, look: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{look}"/>'


def whiskers(
    label: str,
    rows: Sequence[tuple[str, Sequence[Estimate]]],
    percent: bool = False,
    reference: float | None = None,
) -> str:
    """A dot with its interval for every row, and one for each ruleset."""
    sides = max((len(estimates) for _, estimates in rows), default=1)
    step, left, right, top = 14 + 13 * sides, 130, WIDTH - 130, 8
    known = [e for _, estimates in rows for e in estimates if e.number]
    ends = [v for e in known for v in (e.low, e.high)] + ([reference] if reference else [])
    if not ends:
        return ""
    low, high = (0.0 if percent else min(ends)), max(ends)
    margin = (high - low) * 0.04 or 1
    low, high = (0.0 if percent else low - margin), min(high + margin, 1.0 if percent else math.inf)

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    bottom = top + step * len(rows)
    parts = []
    for tick in ticks(low, high):
        parts.append(_rule(x(tick), top, x(tick), bottom, "grid"))
        parts.append(_text(x(tick), bottom + 16, number(tick, percent), "tick middle"))
    if reference is not None:
        parts.append(_rule(x(reference), top, x(reference), bottom, "reference"))
    for place, (name, estimates) in enumerate(rows):
        middle = top + step * (place + 0.5)
        parts.append(_text(left - 12, middle + 4, name, "end"))
        for side, one in enumerate(estimates):
            if not one.number:
                continue
            y = middle + (side - (len(estimates) - 1) / 2) * 13
            told = f"{number(one.mean, percent)}"
            between = f"{number(one.low, percent)} to {number(one.high, percent)}"
            hover = f"{name}: {told}, between {between} ({one.number} games)"
            parts.append(f'<g class="side{side}"><title>{escape(hover)}</title>')
            parts.append(_rule(x(one.low), y, x(one.high), y, "whisker"))
            parts.append(f'<circle cx="{x(one.mean):.1f}" cy="{y:.1f}" r="4.5"/></g>')
            parts.append(_text(right + 14, y + 4, told, "value"))
            parts.append(_text(right + 58, y + 4, _span(one, percent), "tick"))
    return _svg(WIDTH, bottom + 24, label, parts)


def _span(one: Estimate, percent: bool) -> str:
    if percent:
        return f"{100 * one.low:.0f}–{100 * one.high:.0f}"
    return f"{number(one.low)} – {number(one.high)}"


def lines(
    label: str, series: Sequence[Line], width: int = WIDTH, height: int = 260, across: str = "turn"
) -> str:
    """Lines over turns, with bands behind them."""
    points = [p for line in series for p in line.points]
    if not points:
        return ""
    tops = [p[1] for p in points] + [b[2] for line in series for b in line.band]
    lows = [p[1] for p in points] + [b[1] for line in series for b in line.band]
    low, high = min(0.0, *lows), max(*tops, 1.0) * 1.04
    first, last = min(p[0] for p in points), max(p[0] for p in points)
    left, right, top, bottom = 38, width - 10, 8, height - 26

    def x(value: float) -> float:
        return left + (value - first) / (last - first or 1) * (right - left)

    def y(value: float) -> float:
        return bottom - (value - low) / (high - low or 1) * (bottom - top)

    parts = _frame(x, y, (low, high), (first, last), (left, right, bottom), across)
    for line in series:
        if line.band:
            upper = " ".join(f"{x(t):.1f},{y(h):.1f}" for t, _, h in line.band)
            lower = " ".join(f"{x(t):.1f},{y(w):.1f}" for t, w, _ in reversed(line.band))
            parts.append(f'<polygon class="band {line.look}" points="{upper} {lower}"/>')
    for line in series:
        path = " ".join(f"{x(t):.1f},{y(v):.1f}" for t, v in line.points)
        parts.append(f'<polyline class="line {line.look}" points="{path}"/>')
        for t, v in line.points:
            hover = escape(f"{line.name}, {across} {t:.0f}: {number(v)}")
            parts.append(
                f'<circle class="spot {line.look}" cx="{x(t):.1f}" cy="{y(v):.1f}" r="2.6">'
                f"<title>{hover}</title></circle>"
            )
    return _svg(width, height, label, parts)


def _frame(
    x: Scale, y: Scale, up: Point, along: Point, box: tuple[int, int, int], across: str
) -> list[str]:
    left, right, bottom = box
    parts = []
    for tick in ticks(*up, about=4):
        parts.append(_rule(left, y(tick), right, y(tick), "grid"))
        parts.append(_text(left - 6, y(tick) + 4, number(tick), "tick end"))
    for tick in ticks(*along, about=6):
        if tick == round(tick) and x(tick) < right - 52:
            parts.append(_text(x(tick), bottom + 16, number(tick), "tick middle"))
    parts.append(_text(right, bottom + 16, f"{across} →", "tick end"))
    return parts


def areas(label: str, layers: Sequence[Line], height: int = 260) -> str:
    """Lines on top of each other: what a total is made of."""
    if not layers or not layers[0].points:
        return ""
    turns = [t for t, _ in layers[0].points]
    sums = [[0.0] * len(turns)]
    for layer in layers:
        sums.append([s + max(v, 0) for s, (_, v) in zip(sums[-1], layer.points, strict=True)])
    high = max(*sums[-1], 1.0) * 1.04
    left, right, top, bottom = 38, WIDTH - 10, 8, height - 26

    def x(value: float) -> float:
        return left + (value - turns[0]) / (turns[-1] - turns[0] or 1) * (right - left)

    def y(value: float) -> float:
        return bottom - value / high * (bottom - top)

    box = (left, right, bottom)
    parts = _frame(x, y, (0.0, high), (turns[0], turns[-1]), box, "turn")
    for place, layer in enumerate(layers):
        under, over = (list(zip(turns, sums[place + n], strict=True)) for n in (0, 1))
        upper = " ".join(f"{x(t):.1f},{y(v):.1f}" for t, v in over)
        lower = " ".join(f"{x(t):.1f},{y(v):.1f}" for t, v in reversed(under))
        parts.append(
            f'<polygon class="area {layer.look}" points="{upper} {lower}">'
            f"<title>{escape(layer.name)}</title></polygon>"
        )
    return _svg(WIDTH, height, label, parts)


def spark(label: str, sides: Sequence[Sequence[Point]], width: int = 150, height: int = 34) -> str:
    """A line without a frame for each ruleset, small enough to stand in a table."""
    points = [point for side in sides for point in side]
    if not points:
        return ""
    last, high = max(t for t, _ in points) or 1, max(v for _, v in points) or 1
    parts = [_rule(0, height - 2, width, height - 2, "grid")]
    for side, line in enumerate(sides):
        path = " ".join(
            f"{t / last * (width - 4) + 2:.1f},{height - 3 - v / high * (height - 7):.1f}"
            for t, v in line
        )
        parts.append(f'<polyline class="line side{side}" points="{path}"/>')
    return _svg(width, height, label, parts)


def swings(label: str, rows: Sequence[tuple[str, Sequence[Point]]], width: int = 320) -> str:
    """What is gained to the right and what is lost to the left, a bar for each ruleset."""
    most = max((v for _, sides in rows for pair in sides for v in pair), default=0)
    if not most:
        return ""
    lost = max(loss for _, sides in rows for _, loss in sides)
    gained = max(gain for _, sides in rows for gain, _ in sides)
    left, right, bar = 128, width - 8, 11
    step = 8 + (bar + 1) * len(rows[0][1])
    room = 34  # for the numbers beside the bars
    scale = (right - left - room * (bool(lost) + bool(gained))) / (lost + gained)
    zero = left + (room if lost else 0) + lost * scale
    parts = [_rule(zero, 0, zero, step * len(rows), "reference")]
    for place, (name, sides) in enumerate(rows):
        parts.append(_text(left - 8, step * (place + 0.5) + 4, name, "tick end"))
        for side, (gain, loss) in enumerate(sides):
            y = step * place + 4 + side * (bar + 1)
            for value, sign in ((gain, 1), (loss, -1)):
                if value < SMALL:
                    continue
                x = zero if sign > 0 else zero - value * scale
                hover = escape(f"{name}: {number(sign * value)}")
                parts.append(
                    f'<rect class="side{side}" x="{x:.1f}" y="{y:.1f}" rx="2" height="{bar}"'
                    f' width="{max(value * scale, 1):.1f}"><title>{hover}</title></rect>'
                )
                end = zero + sign * (value * scale + 4)
                look = "tick" if sign > 0 else "tick end"
                parts.append(_text(end, y + bar - 1, number(sign * value), look))
    return _svg(width, step * len(rows) + 2, label, parts)


def histogram(label: str, sides: Sequence[Counter[int]], height: int = 220) -> str:
    """How often each whole number came; several rulesets stand beside each other."""
    values = [value for side in sides for value in side]
    if not values:
        return ""
    first, last = min(values), max(values)
    high = max(max(side.values(), default=0) / (sum(side.values()) or 1) for side in sides)
    left, right, top, bottom = 38, WIDTH - 10, 8, height - 26
    slot = min((right - left) / (last - first + 1), 60)
    bar = slot * 0.8 / len(sides)
    parts = []

    def y(value: float) -> float:
        return bottom - value / (high or 1) * (bottom - top)

    for tick in ticks(0, high, 4):
        parts.append(_rule(left, y(tick), right, y(tick), "grid"))
        parts.append(_text(left - 6, y(tick) + 4, number(tick, True), "tick end"))
    every = max(1, math.ceil((last - first + 1) / 24))
    for value in range(first, last + 1):
        at = left + (value - first + 0.1) * slot
        for side, counts in enumerate(sides):
            part = counts[value] / (sum(counts.values()) or 1)
            if part:
                parts.append(
                    f'<rect class="side{side}" x="{at + side * bar:.1f}" y="{y(part):.1f}"'
                    f' width="{bar - 1:.1f}" height="{bottom - y(part):.1f}" rx="2"><title>'
                    f"{value}: {number(part, True)} ({counts[value]})</title></rect>"
                )
        if (value - first) % every == 0:
            parts.append(_text(at + slot * 0.4, bottom + 16, str(value), "tick middle"))
    return _svg(WIDTH, height, label, parts)
