"""The sections about details: holdings, sentences of the log, phases, lengths, decisions."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape

from ziggurat.studio.simulation import pages, plots
from ziggurat.studio.simulation.judging import PART, SHARE, Report, Section, last_mean
from ziggurat.studio.simulation.plots import number
from ziggurat.studio.simulation.statistics import Estimate, quantile

FOLDED = 40
FEW = 30  # things that a sentence names are told one by one
NOTHING = ("", "", "")


def holdings(report: Report) -> Section:
    keys = report.keys("first")
    if not keys:
        return NOTHING
    parts = []
    for kind in dict.fromkeys(kind for kind, _ in keys):
        own = [key for key in keys if key[0] == kind]
        own.sort(key=lambda k: -last_mean(report.estimates("held", k, PART)))
        rows = []
        for key in own:
            held = report.estimates("held", key, PART)
            title = report.title("thing", key[1], kind)
            rows.append(
                [
                    pages.text(title),
                    pages.bars([e.mean for e in held], 1.0),
                    *report.cells(f"{title}: held at the end", "held", key, PART, len(own)),
                    *_held_by_winner(report, key, title, len(own)),
                    *_turns(report, "first", key),
                ]
            )
        headings = ["", "held at the end", *report.headings("players")]
        headings += report.headings("winners") if report.has_winners else []
        headings += ["#first turn"] * len(report.sides)
        title = report.title("plural", kind).capitalize()
        never = _never(report, kind)
        parts.append(pages.card(report.legend(), pages.table(headings, rows), never, title=title))
    note = (
        "What players hold at the end: the share of all players, the share of the winners, and the"
        " turn in which it is got (the middle one, and the middle 80 %)."
    )
    return pages.section("holdings", "Holdings", note, *parts)


def _held_by_winner(report: Report, key: tuple[str, str], title: str, among: int) -> list[str]:
    if not report.has_winners:
        return []
    return report.cells(f"{title}: held by the winner", "held_by_winner", key, SHARE, among)


def _never(report: Report, kind: str) -> str:
    """Things of a kind that nobody ever had."""
    known = {thing for side in report.sides for thing in side.rules.ruleset.things.get(kind, {})}
    known -= {thing for of, thing in report.keys("first") if of == kind}
    names = ", ".join(sorted(report.title("thing", thing, kind) for thing in known))
    return f'<p class="note">Never held: {escape(names)}.</p>' if names else ""


def _turns(report: Report, name: str, key: tuple[str, ...]) -> list[str]:
    """The turns something happens in, of every ruleset."""
    cells = []
    for side in report.sides:
        turns = getattr(side, name).get(key)
        if not turns:
            cells.append(pages.count(math.nan))
            continue
        low, middle, high = (quantile(turns, part) for part in (0.1, 0.5, 0.9))
        cells.append(pages.between(Estimate(middle, low, high, sum(turns.values()))))
    return cells


def changes(report: Report) -> Section:
    """Phases by values: where things come from and where they go."""
    side = report.sides[-1]
    names = [name for name in side.rules.measured if name not in side.rules.turn.parts]
    phases = [*side.rules.turn.start, *side.rules.turn.phases]
    phases += [p for p, _, _ in report.keys("changes") if p not in phases]
    among = len(report.keys("changes"))
    rows = []
    for phase in dict.fromkeys(phases):
        cells = [_change(report, phase, name, among) for name in names]
        if any(cells):
            rows.append(
                [pages.text(report.title("phase", phase)), *(c or "<td></td>" for c in cells)]
            )
    if not rows:
        return NOTHING
    headings = ["Phase", *(f"#{side.rules.value(name)}" for name in names)]
    note = (
        "What each phase adds to a value and takes from it, for a player and turn; before the first"
        " turn, for a player."
    )
    if report.comparing:
        note += f" Below in brackets: the difference of {side.stack} where it is beyond chance."
    charts = [
        pages.card(plots.swings(name, _swings(report, phases, name)), title=side.rules.value(name))
        for name in names
    ]
    parts = [report.legend(), f'<div class="pair">{"".join(charts)}</div>']
    parts.append(pages.card(pages.table(headings, rows)))
    return pages.section("changes", "Gains and losses by phase", note, *parts)


def _swings(
    report: Report, phases: Sequence[str], name: str
) -> list[tuple[str, list[tuple[float, float]]]]:
    """What each phase adds to a value and takes from it, in every ruleset."""
    rows = []
    for phase in dict.fromkeys(phases):
        gained, lost = (
            [e.mean if e.number else 0.0 for e in report.estimates("changes", (phase, name, more))]
            for more in (True, False)
        )
        if max(*gained, *lost) >= plots.SMALL:
            pairs = list(zip(gained, lost, strict=True))
            rows.append((report.title("phase", phase), pairs))
    return rows


def _change(report: Report, phase: str, name: str, among: int) -> str:
    lines = []
    for more, sign in ((True, "+"), (False, "−")):
        key = (phase, name, more)
        means = [estimate.mean for estimate in report.estimates("changes", key) if estimate.number]
        if max(means, default=0.0) < plots.SMALL:
            continue
        line = f"{sign}{number(means[-1])}"
        if report.comparing:
            what = f"{report.title('phase', phase)}: {report.title('value', name)}"
            when = "" if report.sides[-1].rules.is_setup(phase) else " in a turn"
            label = f"{what} {'gained' if more else 'lost'} by a player{when}"
            gap = report.gap(label, "changes", key, among=among)
            if report.is_beyond_chance(gap):
                change = gap.change.mean
                line += f" <small>({'+' if change > 0 else ''}{number(change)})</small>"
        lines.append(line)
    return f'<td class="n">{"<br>".join(lines)}</td>' if lines else ""


def sentences(report: Report) -> Section:
    keys = report.keys("said")
    keys.sort(key=lambda k: -last_mean(report.estimates("said", k)))
    if not keys:
        return NOTHING
    rows = []
    for key in keys:
        rule, sentence = key
        sums = any(one.number and (one.least or one.most) for one in report.numbers("amounts", key))
        amounts = (
            report.cells(f"“{sentence}”, sum of its numbers", "amounts", key, among=len(keys))
            if sums
            else [pages.count(math.nan)] * _width(report)
        )
        rows.append(
            [
                pages.text(sentence, report.title("path", rule)),
                *report.cells(f"“{sentence}”, times a game", "said", key, among=len(keys)),
                *amounts,
                f'<td class="spark">{_by_turn(report, key)}</td>',
                *([] if report.comparing else [f"<td><small>{_about(report, key)}</small></td>"]),
            ]
        )
    headings = ["What is said", *report.headings("times a game")]
    headings += [*report.headings("sum of its numbers"), "from turn to turn"]
    note = (
        "The sentences of the log: how often each is said in a game, the sum of the numbers in it,"
        " and when it is said"
    )
    if not report.comparing:
        headings.append("about")
        note += "; then the things it names most"
    table = pages.card(report.legend(), pages.table(headings, rows, FOLDED))
    return pages.section("events", "What happens", f"{note}.", table)


def _by_turn(report: Report, key: tuple[str, str]) -> str:
    """How often a sentence is said in each turn, of all games that came so far."""
    sides = []
    for side in report.sides:
        said = side.said_in[key] if key in side.said_in else Counter[int]()
        reached = {turn: games for turn, games in side.reached.items() if side.often(turn)}
        sides.append([(turn, said.get(turn, 0) / games) for turn, games in sorted(reached.items())])
    return plots.spark("from turn to turn", sides)


def named(report: Report) -> Section:
    """Sentences about one of a few things: which, how often, and when."""
    about: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for key in report.keys("named"):
        about.setdefault(key[:2], []).append(key)
    parts = []
    for sentence, keys in sorted(about.items(), key=lambda item: len(item[1])):
        if not 1 < len(keys) <= FEW:
            continue
        means = {key: [e.mean for e in report.estimates("named", key)] for key in keys}
        keys.sort(key=lambda k: -means[k][-1])
        most = max(max(mean) for mean in means.values())
        rows = [
            [
                pages.text(report.title("thing", key[2])),
                pages.bars(means[key], most),
                *report.cells(
                    f"“{sentence[1]}” about {report.title('thing', key[2])}, times a game",
                    "named",
                    key,
                    among=len(keys),
                ),
                *_turns(report, "named_in", key),
            ]
            for key in keys
        ]
        headings = ["", "", *report.headings("times a game"), *(["#turn"] * len(report.sides))]
        table = pages.table(headings, rows, FEW)
        parts.append(pages.card(report.legend(), table, title=sentence[1]))
    if not parts:
        return NOTHING
    note = (
        "The same sentences, where they are about one of a few things: how often about each, and"
        " in which turn (the middle one, and the middle 80 %)."
    )
    return pages.section("named", "What it is about", note, *parts)


def _width(report: Report) -> int:
    return 3 if report.comparing else 1


def _about(report: Report, key: tuple[str, str]) -> str:
    side = report.sides[-1]
    named = {thing: n.total for (*sentence, thing), n in side.named.items() if key == (*sentence,)}
    if not named:
        return ""
    found = Counter(named)
    games = side.finished or 1
    top = found.most_common(12)
    told = ", ".join(
        f"{escape(report.title('thing', thing))}&nbsp;{number(times / games)}"
        for thing, times in top
    )
    return told + (f", {len(found) - len(top)} more" if len(found) > len(top) else "")


def lengths(report: Report) -> Section:
    chart = plots.histogram("Turns of a game", [side.lengths for side in report.sides])
    note = "How many turns the finished games took."
    if not chart:
        return NOTHING
    return pages.section("length", "Length of games", note, pages.card(report.legend(), chart))


def decisions(report: Report) -> Section:
    keys = report.keys("decisions")
    keys.sort(key=lambda k: -last_mean(report.estimates("decisions", k)))
    most = max((e.mean for k in keys for e in report.estimates("decisions", k)), default=1)
    rows = [
        [
            f"<td>{_decision(report, key)}</td>",
            pages.bars([e.mean for e in report.estimates("decisions", key)], most),
            *report.cells(
                f"{report.title('path', key)} ({key}), times a game",
                "decisions",
                key,
                among=len(keys),
            ),
        ]
        for key in keys
    ]
    if not rows:
        return NOTHING
    headings = ["Decision", "", *report.headings("a game")]
    note = "What players are asked, and how often in a game. `done`: they end their acts."
    table = pages.card(report.legend(), pages.table(headings, rows, 25))
    return pages.section("decisions", "Decisions", note, table)


def _decision(report: Report, path: str) -> str:
    return f"{escape(report.title('path', path))} <em><code>{escape(path)}</code></em>"


SECTIONS: tuple[Callable[[Report], Section], ...] = (
    holdings,
    changes,
    sentences,
    named,
    lengths,
    decisions,
)
