"""Who wins: by what is played, by seat, and by policy."""

import math
from collections.abc import Iterable, Sequence
from html import escape

from ziggurat.studio.simulation import pages, plots
from ziggurat.studio.simulation.judging import MEAN, SHARE, Report, Section, last_mean
from ziggurat.studio.simulation.statistics import Numbers
from ziggurat.studio.simulation.summary import Contender


def results(report: Report) -> Section:
    parts = [_by_policy(report)] if len(report.keys("policy_wins")) > 1 else []
    for group in contested_groups(report):
        for policy in dict.fromkeys(key.policy for key in contenders(report, group)):
            parts += _contenders(report, group, policy)
    note = (
        "Who wins, by what the players play. The dashed line is an even chance; an interval that"
        " holds it leaves open whether it is met. The intervals of all columns of wins hold"
        " together. Several who share first place have equal parts of the victory; the limits are"
        " then wider than they need be. Of a side with several seats, the numbers are means of its"
        " seats."
    )
    return pages.section("results", "Who wins", note, *parts)


def _contenders(report: Report, group: str, policy: str) -> list[str]:
    """Return the cards about what is played, or about seats, as one policy plays it."""
    keys = [key for key in contenders(report, group) if key.policy == policy]
    keys.sort(key=lambda k: -last_mean(report.estimates(f"{group}.wins", k, SHARE)))
    names = {key: player_title(report, key) for key in keys}
    rows = [_contender(report, group, key, names[key]) for key in keys]
    headings = ["", "#games"]
    if report.has_winners:
        headings += [*report.headings("wins"), "#even chance"]
        headings += [] if report.comparing else ["#rank"]
    headings += report.headings("points")
    whose = f" of {policy} players" if len(report.keys("policy_wins")) > 1 else ""
    by = " by seat" if group == "seats" else ""
    chances = {round(even_chance(report, group, key), 9) for key in keys}
    fair = next(iter(chances)) if len(chances) == 1 else None
    parts = []
    for name, title, sort in (("wins", "Win rate", SHARE), ("points", "Points at the end", MEAN)):
        if name == "wins" and not report.has_winners:
            continue
        path, among = f"{group}.{name}", rivals(report)
        dots = [(names[key], report.estimates(path, key, sort, among)) for key in keys]
        plot = plots.whiskers(title, dots, sort == SHARE, fair if sort == SHARE else None)
        if any(estimate.number for _, estimates in dots for estimate in estimates):
            parts.append(pages.card(report.legend(), plot, title=f"{title}{by}{whose}"))
    return [*parts, pages.card(pages.table(headings, rows))]


def _contender(report: Report, group: str, key: Contender, name: str) -> list[str]:
    """Return the row of somebody: wins, what an even chance would be, and points."""
    known = "wins" if report.has_winners else "points"
    among, games = rivals(report), report.numbers(f"{group}.{known}", key)[-1].number
    row = [pages.text(name), pages.count(games)]
    if report.has_winners:
        row += report.cells(f"{name}: wins", f"{group}.wins", key, SHARE, among)
        row.append(pages.count(even_chance(report, group, key), percent=True))
        if not report.comparing:
            row += report.cells(f"{name}: rank", f"{group}.ranks", key, among=among)
    return row + report.cells(f"{name}: points", f"{group}.points", key, among=among)


def contested_groups(report: Report) -> list[str]:
    """Return what wins are told by: sides, and seats where those are something else."""
    names = [{key.name for key in report.keys(f"{group}.wins")} for group in ("sides", "seats")]
    return ["sides"] if names[0] == names[1] else ["sides", "seats"]


def contenders(report: Report, group: str) -> list[Contender]:
    """Return those of a group who had rivals of their own policy; all where nobody had any."""
    return report.keys(f"{group}.wins") or report.keys(f"{group}.points")


def rivals(report: Report) -> int:
    """Return how many rows about winning are looked at together."""
    rows = sum(len(contenders(report, group)) for group in contested_groups(report))
    policies = len(report.keys("policy_wins"))
    return rows + (policies if policies > 1 else 0)


def even_chance(report: Report, group: str, key: Contender) -> float:
    """Return how often somebody would win if it did not matter who plays what."""
    return _average(report.numbers(f"{group}.chances", key))


def policy_chance(report: Report, policy: str) -> float:
    """Return how often seats of a policy would win if it did not matter who plays how."""
    return _average(report.numbers("policy_chances", policy))


def _average(numbers: Sequence[Numbers]) -> float:
    games = sum(one.number for one in numbers)
    return math.fsum(one.total for one in numbers) / games if games else math.nan


def _by_policy(report: Report) -> str:
    keys, among = report.keys("policy_wins"), rivals(report)
    rows = [(key, report.estimates("policy_wins", key, SHARE, among)) for key in keys]
    cells = [
        [
            pages.text(key),
            *report.cells(f"{key} players: games won", "policy_wins", key, SHARE, among),
            pages.count(policy_chance(report, key), percent=True),
            *report.cells(f"{key} players: points", "policy_points", key, among=among),
        ]
        for key in keys
    ]
    headings = ["", *report.headings("games won"), "#even chance", *report.headings("points")]
    plot = plots.whiskers("Games won by policy", rows, percent=True)
    notes = [f'<p class="note">{escape(line)}</p>' for line in policy_notes(report)]
    table = pages.table(headings, cells)
    return pages.card(report.legend(), plot, table, *notes, title="By policy")


def policy_notes(report: Report) -> Iterable[str]:
    """Say how far what the policies play can be compared."""
    yield (
        "Sides and seats are compared only among players of the same policy, by who of them ends"
        " ahead of the others."
    )
    for policy in report.keys("policy_wins"):
        for side in report.sides:
            games, sides = side.chose[policy], side.chosen[policy]
            if games:
                what, times = sides.most_common(1)[0]
                title = _title(report, what)
                yield (
                    f"{policy} players chose what they play in {games} of {side.finished}"
                    f" games of {side.stack}, most often {title} ({times} times)."
                )
        if all(key.policy != policy for key in report.keys("sides.wins")):
            yield (
                f"Nothing can be said about what {policy} players play: in no game do two of them"
                " play different things."
            )


def player_title(report: Report, key: Contender) -> str:
    """Return what is played, or the seat, and how where there are several policies."""
    several = len(report.keys("policy_wins")) > 1
    title = _title(report, key.name)
    return f"{title} ({key.policy})" if several else title


def _title(report: Report, name: str) -> str:
    return name.capitalize() if name.startswith("seat ") else report.title("thing", name)
