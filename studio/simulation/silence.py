"""What of the rules these bots never used, so that nobody reads a balance into silence."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

import attrs

from ziggurat import GameRecord, all_options, decision_points, unadvised
from ziggurat.studio.simulation import pages
from ziggurat.studio.simulation.plan import Rules

if TYPE_CHECKING:
    from ziggurat.studio.simulation.judging import Report, Section
    from ziggurat.studio.simulation.summary import Summary

SHOWN = 12  # names in a line of the terminal
ACTS = ("act", "pick")


class Used:
    """What the games of one ruleset used, whether they came to their end or not."""

    def __init__(self) -> None:
        self.games = 0
        self.held: Counter[tuple[str, str]] = Counter()  # kind and thing: games
        self.paths: Counter[str] = Counter()  # decisions and actions: games
        self.possible: Counter[str] = Counter()  # actions: games
        self.offered: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.taken: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.said: set[tuple[str, str]] = set()

    def add(self, record: GameRecord) -> None:
        self.games += 1
        self.held.update({(kind, thing) for _, kind, thing, *_ in record["held"]})
        self.paths.update({path for _, path, _ in record["decisions"]})
        self.possible.update(record["possible"])
        for path, option, offered, taken in record["choices"]:
            self.offered[path][option] += offered or 0
            self.taken[path][option] += taken
        self.said.update((rule, sentence) for rule, sentence in record["sentences"])


@attrs.frozen
class Ability:
    """An action that only holders of a thing have."""

    action: str
    title: str
    of: str
    held: int
    used: int


@attrs.frozen
class Silence:
    """Everything that was never used, in words for people, by what it is."""

    rules: Rules
    used: Used

    def unheld(self) -> Iterator[tuple[str, list[str]]]:
        """Kinds of things that are held, and the titles of those that nobody ever held."""
        for kind, rule in self.rules.ruleset.kinds.items():
            things = self.rules.ruleset.things.get(kind, {})
            never = [thing for thing in things if (kind, thing) not in self.used.held]
            if "holdable" in rule.roles and never:
                titles = sorted(self.rules.thing(thing, kind) for thing in never)
                yield f"{self.rules.plural(kind).capitalize()} nobody held", titles

    def abilities(self) -> list[Ability]:
        found = []
        for action in self.rules.ruleset.actions.values():
            kind, _, thing = action.thing.partition(".")
            if thing:
                told = (action.id, action.title or action.id, self.rules.thing(thing, kind))
                held = self.used.held[kind, thing]
                found.append(Ability(*told, held, self.used.paths[action.id]))
        return sorted(found, key=lambda one: (one.of, one.title))

    def undone(self, possible: bool) -> list[str]:
        """Actions that nobody did, though somebody could or because nobody could."""
        names = [
            name
            for name in self.rules.ruleset.actions
            if name not in self.used.paths and (name in self.used.possible) == possible
        ]
        return [f"{self.rules.path(name)} ({name}{self._often(name)})" for name in names]

    def _often(self, action: str) -> str:
        games = self.used.possible[action]
        told = f", possible in {games} of {self.used.games} games" if games else ""
        advised = any(
            advice.target == action or advice.target.startswith(f"{action}.")
            for advice in self.rules.ruleset.advice
        )
        return told if advised else f"{told}, no advice about it"

    def unasked(self) -> list[str]:
        points = decision_points(self.rules.ruleset)
        paths = dict.fromkeys(one.path for one in points if one.verb not in ACTS)
        return [path for path in paths if path not in self.used.paths]

    def untaken(self) -> list[str]:
        """Options of decisions that nobody took: where they were offered, or where it is for the
        actor to name one."""
        found = {
            path: [option for option, times in options.items() if not self.used.taken[path][option]]
            for path, options in self.used.offered.items()
            if path in self.used.paths
        }
        for one in decision_points(self.rules.ruleset):
            known = all_options(self.rules.ruleset, one.path) if one.verb == "pick" else ()
            if one.path.rpartition(".")[0] in self.used.paths:
                found[one.path] = [name for name in known if not self.used.taken[one.path][name]]
        return [f"{path}: {listed(options)}" for path, options in sorted(found.items()) if options]

    def unsaid(self) -> list[str]:
        return [
            f"{self.rules.path(rule)}: {sentence}"
            for rule, sentence in self.rules.sentences
            if (rule, sentence) not in self.used.said
        ]

    def unadvised(self) -> list[str]:
        """Return what packs above the advice have done that no advice reads, pack by pack."""
        return [
            f"{one.word} {one.id} ({one.done} by {one.pack})"
            for one in unadvised(self.rules.ruleset)
        ]

    def parts(self) -> list[tuple[str, list[str]]]:
        """What was never used, by what it is; those of which all was used are left out."""
        found = [
            *self.unheld(),
            ("Actions nobody did, though they could", self.undone(possible=True)),
            ("Actions nobody could do", self.undone(possible=False)),
            ("Options nobody took", self.untaken()),
            ("Decisions nobody was asked", self.unasked()),
            ("Sentences that were never said", self.unsaid()),
            ("Changes that no advice reads, so bots play by older advice", self.unadvised()),
        ]
        return [(title, names) for title, names in found if names]


def listed(options: Sequence[str]) -> str:
    """Names as they are; numbers in their order, rows of them as `3–7`."""
    names = sorted(name for name in options if not name.isdigit())
    spans: list[list[int]] = []
    for number in sorted(int(name) for name in options if name.isdigit()):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join([*names, *(f"{a}" if a == b else f"{a}–{b}" for a, b in spans)])


def silence(side: "Summary") -> Silence:
    return Silence(side.rules, side.used)


def told(side: "Summary") -> Iterator[str]:
    """Lines for the terminal; the report has everything."""
    parts = silence(side).parts()
    if not parts:
        yield "Everything these rules have to hold, to do and to answer was used."
        return
    yield f"Never used in these games of {side.stack}, so they say nothing about it:"
    for title, names in parts:
        more = f" … and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        gap = "; " if any(", " in name for name in names) else ", "
        yield f"  {title} ({len(names)}): {gap.join(names[:SHOWN])}{more}"


def section(report: "Report") -> "Section":
    cards = []
    for side in report.sides:
        found = silence(side)
        head = f"{side.stack}: " if report.comparing else ""
        for title, names in found.parts():
            cards.append(pages.card(_names(names), title=f"{head}{title} ({len(names)})"))
        cards.append(pages.card(_abilities(found.abilities()), title=f"{head}Special abilities"))
    note = (
        "Bots do not try everything. About what they never did, this report says nothing, and a"
        " difference in it is none. A decision nobody was asked never came, or had one answer only."
    )
    return pages.section("silence", "Never used", note, *cards)


def _names(names: Iterable[str]) -> str:
    found = list(names)
    items = "".join(f"<li>{escape(name)}</li>" for name in found)
    if len(found) <= SHOWN:
        return f"<ul>{items}</ul>"
    return f"<details><summary>{len(found)} of them</summary><ul>{items}</ul></details>"


def _abilities(found: Sequence[Ability]) -> str:
    """How often somebody did what only holders of a thing can do."""
    rows = [
        [
            pages.text(one.of),
            pages.text(one.title, one.action),
            pages.count(one.held),
            pages.count(one.used),
            pages.count(one.used / one.held if one.held else float("nan"), percent=True),
        ]
        for one in found
    ]
    headings = ["", "What its holders may do", "#games it was held", "#games it was done", "#share"]
    return pages.table(headings, rows)
