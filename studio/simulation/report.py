"""The report: one HTML page that needs nothing else and follows the reader's light or dark."""

from collections.abc import Sequence
from html import escape
from importlib import resources

from ziggurat import Trial
from ziggurat.studio.simulation.conclusions import Effect
from ziggurat.studio.simulation.conclusions import section as conclusions
from ziggurat.studio.simulation.judging import Report, colour
from ziggurat.studio.simulation.sections import every
from ziggurat.studio.titles import title_of

SHOWN = 5  # broken games that are named
SHORT = 12  # characters of a hash


def page(report: Report, sides: Sequence[Trial], command: str, effect: Effect) -> str:
    """Return the whole page of a report whose differences were judged."""
    summaries = report.sides
    room = resources.files("ziggurat.studio.simulation")
    style = room.joinpath("report.css").read_text(encoding="utf-8")
    script = room.joinpath("report.js").read_text(encoding="utf-8")
    title = " → ".join(escape(summary.stack) for summary in summaries)
    sections = [conclusions(report, effect), *every(report)]
    body = '<body class="comparing">' if report.comparing else "<body>"
    links = "".join(f'<li><a href="#{id_}">{escape(name)}</a></li>' for id_, name, _ in sections)
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}: simulation</title>\n<style>\n{style}</style>\n</head>\n{body}",
        f"<header><h1>{title}</h1>{_told(report, sides, command)}</header>",
        f'<nav><ul>{links}<li><a href="#method">How it was made</a></li></ul></nav>',
        "<main>",
        *(text for _, _, text in sections),
        _method(report, sides, command),
        f"</main>\n<script>\n{script}</script>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _told(report: Report, sides: Sequence[Trial], command: str) -> str:
    side = sides[0]
    games = report.sides[0].games
    each = " each" if report.comparing else ""
    names = " → ".join(escape(title_of(summary.rules.ruleset)) for summary in report.sides)
    told = f"{games} games{each}, {side.players} players, policy {side.policy}"
    lines = [f"<p>{names}: {told}.</p>"]
    for summary in report.sides:
        if summary.unfinished:
            number = summary.unfinished
            lines.append(
                f'<p class="warning">{number} of {summary.games} games of'
                f" {escape(summary.stack)} did not end within {side.limit} answers; they count"
                " only for values over time.</p>"
            )
        for seed, error in summary.failures[:SHOWN]:
            lines.append(
                f'<p class="warning">Game {seed} of {escape(summary.stack)} broke:'
                f" {escape(error)}</p>"
            )
        if summary.failed > SHOWN:
            more = summary.failed - SHOWN
            lines.append(f'<p class="warning">{more} more games broke.</p>')
    return "".join(lines)


def _method(report: Report, sides: Sequence[Trial], command: str) -> str:
    rows = []
    for side, summary in zip(sides, report.sides, strict=True):
        packs = ", ".join(f"{p.id} {p.version}" for p in summary.rules.ruleset.packs)
        options = ", ".join(f"{name} = {value}" for name, value in side.options) or "as they are"
        rows.append(
            f"<p>{escape(side.stack)}: {escape(packs)}; rules {summary.rules.identity[:SHORT]};"
            f" options {escape(options)}; {summary.seconds:,.0f} seconds of play.</p>"
        )
    return (
        '<section id="method"><h2>How it was made</h2>'
        f'<p class="note">{escape(_intervals(report))}</p>'
        f'<div class="card"><p><code>{escape(command)}</code></p>{"".join(rows)}</div></section>'
    )


def _intervals(report: Report) -> str:
    told = (
        "Intervals: exact limits for shares of games (Clopper and Pearson); Student’s t over games"
        " for means, with an upper limit for what is counted that lets the variance grow with the"
        " mean; parts of the players with two imagined games at each end (Agresti and Coull)."
        " Those of a column of a table hold together in 95 of 100 cases: each of N is worked out"
        " for 5 % / N (Bonferroni). Where all games say the same, it is said in how many others it"
        " may be otherwise. A game is the unit: players of one game are not independent of each"
        " other. Of k who share first place each has won 1/k; the limits are then wider than they"
        " need be."
    )
    if not report.comparing:
        return told
    told += (
        " A difference is judged by Student’s t over pairs of games (where games say yes or no,"
        " with an imagined pair on each side: Bonett and Price), but never as less likely than that"
        " as many coins fall alike."
    )
    return f"{told} {colour(report)}"
