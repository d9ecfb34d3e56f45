"""What two rulesets do differently, for people and for programs."""

import json
from collections.abc import Iterator, Sequence

import attrs
from rich.console import Console
from rich.text import Text

from ziggurat import Behaviour, Divergence, FirstDifference, Outcome, Seen

VERSION = 1
SHOWN = 4  # of what is seen of one parting
GAMES = 2  # examples of one cause


def summary(found: Behaviour) -> list[str]:
    """The numbers, in one sentence for scenarios and one for games."""
    lines = [
        f"{found.ran} scenarios run on both sides; {len(found.outcomes) or 'none'} end differently."
    ]
    if found.games:
        lines.append(
            f"{found.games} games with the same answers; {len(found.parted) or 'none'} part."
        )
    if found.exchanged:
        owners = " and then of ".join(found.boards)
        lines.append(f"Both are run with the data of {owners}: {', '.join(found.exchanged)}.")
        lines += [f"Not possible is {found.missing}."] if found.missing else []
    elif found.missing:
        lines.append(f"Each is run on its own board ({found.missing}).")
    return lines


def show(found: Behaviour, out: Console, brief: bool) -> None:
    """In the terminal."""
    out.print(Text.assemble((found.old, "bold"), " → ", (found.new, "bold")))
    for line in summary(found):
        out.print(Text(line))
    for heading, lines in () if brief else _chapters(found):
        out.print()
        out.rule(Text(heading, "bold"), align="left", characters="─")
        for depth, line in lines:
            for row in Text(line).wrap(out, max(20, out.width - 2 * depth)):
                row.rstrip()
                style = "bold" if depth == 0 else ""
                out.print(Text("  " * depth, style).append(row), soft_wrap=True)


def markdown(found: Behaviour) -> str:
    lines = [f"# {found.old} → {found.new}", "", " ".join(summary(found))]
    for heading, chapter in _chapters(found):
        lines += ["", f"## {heading}", ""]
        lines += [f"{'  ' * depth}- {line}" for depth, line in chapter]
    return "\n".join(lines) + "\n"


def to_json(found: Behaviour) -> str:
    """One object; `docs/diff-json.md` describes every field."""
    shape = {
        "version": VERSION,
        "old": found.old,
        "new": found.new,
        "scenarios": {
            "ran": found.ran,
            "different": [
                {
                    "title": one.scenario.title,
                    "location": {"file": one.scenario.at.file, "line": one.scenario.at.line},
                    "seen": _seen(one.seen),
                    "parting": attrs.asdict(one.parting),
                }
                for one in found.outcomes
            ],
        },
        "games": {
            "played": found.games,
            "together": found.together,
            "boards": list(found.boards),
            "exchanged": list(found.exchanged),
            "missing": found.missing,
            "causes": [{"cause": cause, "games": number} for cause, number in found.causes()],
            "parted": [
                {
                    "seed": one.seed,
                    "players": one.players,
                    "board": one.board,
                    "answers": one.answers,
                    "phase": one.phase,
                    "why": one.why,
                    "seen": _seen(one.seen),
                    "parting": attrs.asdict(one.parting),
                }
                for one in found.parted
            ],
        },
    }
    return json.dumps(shape, ensure_ascii=False, indent=2)


def _seen(seen: Sequence[Seen]) -> list[dict[str, str]]:
    return [{"what": what, "old": old, "new": new} for what, old, new in seen]


Lines = list[tuple[int, str]]


def _chapters(found: Behaviour) -> Iterator[tuple[str, Lines]]:
    if found.outcomes:
        yield "scenarios", [line for one in found.outcomes for line in _outcome(one)]
    if found.parted:
        yield "games", [line for cause, n in found.causes() for line in _cause(found, cause, n)]


def _outcome(one: Outcome) -> Lines:
    at = one.scenario.at
    return [
        (0, one.scenario.title),
        (1, f"{at.file}:{at.line}"),
        (1, _parting(one.parting)),
        *_told(one.seen),
    ]


def _cause(found: Behaviour, cause: str, number: int) -> Lines:
    games = [one for one in found.parted if one.parting.cause == cause]
    lines: Lines = [(0, f"{number} × {cause}"), (1, _parting(games[0].parting))]
    for one in games[:GAMES]:
        lines += [(1, _game(found, one)), *_told(one.seen)]
    return lines


def _game(found: Behaviour, one: Divergence) -> str:
    when = f"after {one.answers} answers" if one.answers else "at the start"
    where = f", in {one.phase}" if one.phase else ""
    board = f" on the board of {one.board}" if found.exchanged else ""
    return f"seed {one.seed}, {one.players} players{board}, {when}{where}: {one.why}"


def _parting(parting: FirstDifference) -> str:
    """The clause to blame, where it stands, and what was run next."""
    places = " → ".join(dict.fromkeys(place for place in parting.places if place))
    told = f"parts at {parting.cause}" + (f" ({places})" if places else "")
    if parting.old == parting.new:
        return told
    return f"{told}; then {parting.old or 'nothing'} → {parting.new or 'nothing'}"


def _told(seen: Sequence[Seen]) -> Lines:
    lines: Lines = [(1, f"{what}: {old} → {new}") for what, old, new in seen[:SHOWN]]
    rest = len(seen) - SHOWN
    return [*lines, (1, f"and {rest} more")] if rest > 0 else lines
