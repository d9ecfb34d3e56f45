"""What the games show, in words: what is beyond chance comes first, then what is open and why.

The terminal and the page say the same.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

import attrs

from ziggurat.studio.simulation import pages
from ziggurat.studio.simulation.judging import SHARE, Gap, Report, Section
from ziggurat.studio.simulation.plots import number
from ziggurat.studio.simulation.results import (
    contenders,
    contested_groups,
    even_chance,
    player_title,
    policy_chance,
    policy_notes,
    rivals,
)
from ziggurat.studio.simulation.statistics import (
    POWER,
    Estimate,
    fewest_pairs,
    pairs_needed,
    power,
    smallest_effect,
)
from ziggurat.studio.simulation.summary import Summary

LISTED = 12  # differences that are listed; the others are marked in the tables
WHOLE_FIGURES = 7  # of the main figures, those of the whole game
PER_PLAYER = ("wins", "points")  # the main figures of each player


@attrs.frozen
class Effect:
    """The change a designer wants to notice; without `points` it is a tenth of the average."""

    wins: float = 0.1
    points: float | None = None


def paragraphs(report: Report, effect: Effect) -> Iterator[list[str]]:
    """Yield what can be said, a headline and its lines at a time."""
    yield from _differences(report) if report.comparing else _against_chance(report)
    yield from ([line] for side in report.sides for line in missing(side))
    yield from ([line] for line in open_questions(report))
    if report.comparing:
        limits = [*_powers(report, effect), *_correlation(report)]
        if limits:
            yield [f"What {_counted(report.pairs.number, 'pair')} can show:", *limits]
    yield from ([line] for side in report.sides for line in _level(side))


def missing(side: Summary) -> Iterator[str]:
    """Say how many games are missing from the figures."""
    reasons = []
    if side.unfinished:
        reasons.append(f"{side.unfinished} did not come to an end")
    if side.failed:
        reasons.append(f"{side.failed} broke")
    if reasons:
        yield (
            f"{side.stack}: {side.games - side.finished} of {side.games} games are missing"
            f" from all figures but values over time ({', '.join(reasons)})."
        )


def open_questions(report: Report) -> Iterator[str]:
    """Say what nothing can be said about, and why."""
    for side in report.sides:
        if not side.finished:
            yield (
                f"{side.stack}: no game came to its end, so there is nothing to say about who wins,"
                " points, and lengths."
            )
            continue
        if side.finished == 1:
            yield (
                f"{side.stack}: one game says what can happen, not how often. Play more"
                " (`--games`)."
            )
        if not side.has_score:
            yield f"{side.stack}: the rules name no `score`, so there is nothing to say of points."
        if not side.has_winners:
            yield f"{side.stack}: {_why_nobody_wins(side)}"
    if report.comparing and not report.pairs.number and all(side.finished for side in report.sides):
        yield "No seed came to an end with both rulesets, so there are no differences."


def _why_nobody_wins(side: Summary) -> str:
    if not side.rules.turn.ranking:
        return "the rules name no `ranking`, so nobody wins."
    if not side.seats.wins:
        return "with one player there is nobody to win against."
    return (
        "everybody shared first place in all games, so there is nothing to say about who wins. See"
        " whether the `ranking` of the turn compares what you mean."
    )


def _level(side: Summary) -> Iterator[str]:
    if side.level and side.has_winners:
        part = number(side.level / side.finished, True)
        yield (
            f"{side.stack}: {part} of the games ended level, with several in first place. Each of k"
            " who share it has 1/k of the victory."
        )


# ---- one ruleset


def _against_chance(report: Report) -> Iterator[list[str]]:
    (side,) = report.sides
    games = side.finished
    if not side.has_winners or games < 2:
        return
    unlike = list(unlike_chance(report))
    if unlike:
        yield ["More than chance:", *unlike]
    else:
        chances = sorted({fair for _, _, fair in _winners(report)})
        even = " to ".join(number(fair, True) for fair in (chances[:1] + chances[1:][-1:]))
        yield [
            f"{games} games do not show that anybody wins more or less often than by an even chance"
            f" ({even})."
        ]
    if len(report.keys("policy_wins")) > 1:
        yield ["By policy:", *policy_notes(report)]


def unlike_chance(report: Report) -> Iterator[str]:
    """Yield a sentence for everybody who wins more or less often than by an even chance."""
    for name, estimate, fair in _winners(report):
        if estimate.low <= fair <= estimate.high:
            continue
        more = "more" if estimate.low > fair else "less"
        yield (
            f"{name} won {more} often: {number(estimate.mean, True)}"
            f" ({number(estimate.low, True)} to {number(estimate.high, True)} in"
            f" {estimate.number} games), where an even chance is {number(fair, True)}."
        )


def _winners(report: Report) -> Iterator[tuple[str, Estimate, float]]:
    """Yield everybody who could win: how often they did, and what an even chance would be."""
    among = rivals(report)
    policies = report.keys("policy_wins")
    for policy in policies if len(policies) > 1 else ():
        (estimate,) = report.estimates("policy_wins", policy, SHARE, among)
        yield f"{policy} players", estimate, policy_chance(report, policy)
    for group in contested_groups(report):
        for key in contenders(report, group):
            (estimate,) = report.estimates(f"{group}.wins", key, SHARE, among)
            yield player_title(report, key), estimate, even_chance(report, group, key)


# ---- two rulesets


def _differences(report: Report) -> Iterator[list[str]]:
    pairs = report.pairs.number
    for main, what in ((True, "main figures"), (False, "other figures (exploration)")):
        family = report.family(main=main)
        if not family or not pairs:
            continue
        beyond = sorted(
            (gap for gap in family if report.is_beyond_chance(gap)), key=lambda gap: gap.change.p
        )
        if beyond:
            lines = [difference_words(gap) for gap in beyond[:LISTED]]
            if len(beyond) > LISTED:
                lines.append(f"… and {len(beyond) - LISTED} more, marked in the tables")
            yield [f"Beyond chance: {len(beyond)} of {len(family)} {what}.", *lines]
        elif pairs < fewest_pairs(len(family)):
            yield [
                f"{_counted(pairs, 'pair')} of games {'are' if pairs > 1 else 'is'} too few: no"
                f" difference of {len(family)} {what} could be beyond chance, however large. It"
                f" takes at least {fewest_pairs(len(family))} pairs."
            ]
        else:
            yield [
                f"Beyond chance: none of {len(family)} {what}. That does not prove that nothing"
                f" differs, only that {pairs} pairs of games do not show it."
            ]
        if main and pairs >= fewest_pairs(len(family)):
            yield from ([line] for line in _unclear(report))


def _unclear(report: Report) -> Iterator[str]:
    """Say how much players may gain or lose of whom nothing is shown."""
    figures = [(f"sides.{n}", key) for key in contenders(report, "sides") for n in PER_PLAYER]
    gaps = [report.gaps[figure] for figure in figures if figure in report.gaps]
    unclear = [gap for gap in gaps if not report.is_beyond_chance(gap)]
    wins, points = (
        max((gap.change.reach for gap in unclear if gap.percent == percent), default=0.0)
        for percent in (True, False)
    )
    limits = [f"{100 * wins:.0f} percentage points of wins"] if wins else []
    limits += [f"{number(points)} points"] if points else []
    if limits:
        nothing = "No other gain or loss" if len(unclear) < len(gaps) else "No gain or loss"
        yield (
            f"{nothing} of a player is shown. All the same, a player may gain or lose up to"
            f" {' and '.join(limits)}."
        )


def difference_words(gap: Gap) -> str:
    """Say what changed, which way, by how much, and between which limits."""
    old, new = number(gap.before.mean, gap.percent), number(gap.after.mean, gap.percent)
    change, limits = pages.change_words(gap.change, gap.percent)
    way = "up" if gap.change.mean > 0 else "down"
    unit = " percentage points" if gap.percent else ""
    return f"{gap.label} {way} from {old} to {new}: {change}{unit} ({limits})"


def _powers(report: Report, effect: Effect) -> Iterator[str]:
    """Say how many pairs the effects take that a designer cares about, by the spread of these."""
    family = max(len(report.family(main=True)), 1)
    for name, sort, size in _effects(report, effect):
        spread = _spread(report, name)
        if not spread:
            continue
        deviation, played = spread
        needed = math.ceil(pairs_needed(size, deviation, family) * report.pairs.number / played)
        chance = power(size, deviation, round(played), family)
        least = smallest_effect(deviation, round(played), family)
        pairs = report.pairs.number
        yield (
            f"{sort}: it takes about {needed} pairs to notice it in {number(POWER, True)} of all"
            f" runs. {_counted(pairs, 'pair')} {'notice' if pairs > 1 else 'notices'} it in"
            f" {number(chance, True)}{_noticed(name, least)}."
        )


def _noticed(name: str, least: float) -> str:
    """Say which change would be noticed, if any."""
    if (name == "wins" and least >= 1) or math.isinf(least):
        return ""
    size = f"{100 * least:.0f} percentage points" if name == "wins" else f"{number(least)} points"
    return f", and a change by {size} in {number(POWER, True)}"


def _effects(report: Report, effect: Effect) -> Iterator[tuple[str, str, float]]:
    if report.has_winners:
        yield "wins", _wins_words(effect), effect.wins
    known = [e.mean for e in report.estimates("whole", "Average score") if e.number]
    size = effect.points if effect.points is not None else abs(known[0]) / 10 if known else 0.0
    if size:
        yield "points", f"Points of a player that change by {number(size)}", size


def _correlation(report: Report) -> Iterator[str]:
    """Say how much alike the points of a player are in games with the same seed."""
    known = []
    for key in contenders(report, "sides"):
        value = report.pairs.correlation(key)
        if not math.isnan(value):
            known.append(value)
    if known:
        middle = math.fsum(known) / len(known)
        yield (
            f"The correlation of a player's points in games with the same seed is {middle:.2f}"
            " (near 0, pairs show no more than independent games would)."
        ).replace("-", "−")


def _wins_words(effect: Effect) -> str:
    return f"A share of wins that changes by {100 * effect.wins:.3g} percentage points"


def _spread(report: Report, name: str) -> tuple[float, float] | None:
    """Return by how much differences of contenders spread, and in how many pairs one is played."""
    spreads = []
    for key in contenders(report, "sides"):
        gaps = report.pairs.gaps(f"sides.{name}", key)
        if gaps.number > 1:
            spreads.append(gaps)
    if not spreads:
        return None
    variance = math.fsum(spread.deviation**2 for spread in spreads) / len(spreads)
    return math.sqrt(variance), math.fsum(spread.number for spread in spreads) / len(spreads)


def plan(players: int, pairs: int, effect: Effect) -> str:
    """Say, before anything is played, how many pairs it takes to notice a change of wins."""
    if players < 2:
        return "With one player there are no wins to compare."
    family = WHOLE_FIGURES + len(PER_PLAYER) * players
    even = 1 / players
    after = min(even + effect.wins, 1.0)
    deviation = math.sqrt(even * (1 - even) + after * (1 - after))
    size = after - even
    needed = pairs_needed(size, deviation, family)
    chance = power(size, deviation, pairs, family)
    change = _wins_words(attrs.evolve(effect, wins=size))
    return (
        f"{change} ({number(even, True)} to {number(after, True)}) takes about"
        f" {needed} pairs to be noticed in {number(POWER, True)} of all runs;"
        f" {_counted(pairs, 'pair')}"
        f" {'notice' if pairs > 1 else 'notices'} it in {number(chance, True)}."
    )


def _counted(times: int, noun: str) -> str:
    return f"{times} {noun}{'' if times == 1 else 's'}"


# ---- the page


def section(report: Report, effect: Effect) -> Section:
    """Return the section that stands on top of the page."""
    cards = [pages.card(_paragraph(lines)) for lines in paragraphs(report, effect) if lines]
    note = "What these games show, and what they leave open."
    return pages.section("conclusions", "What the games show", note, *cards)


def _paragraph(lines: Sequence[str]) -> str:
    head, *rest = lines
    if not rest:
        return f"<p>{escape(head)}</p>"
    return f"<p>{escape(head)}</p><ul>{_items(rest)}</ul>"


def _items(lines: Iterable[str]) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in lines)
