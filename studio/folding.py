"""Sentences of the rules made fewer where they repeat themselves.

A rule says its sentence each time it runs. To people "A builds X. A builds Y." is told as "A builds
X and Y.", and what three or more did is told once, with their names behind it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ziggurat import Event
from ziggurat.studio.language import tr

Parts = tuple[str, ...]  # words of the rule at even places, what filled its holes at odd ones

MANY = 3
LINKS = ("and", "or", "with", ",")


def folded(events: Iterable[Event]) -> list[str]:
    """What the events say; sentences of one rule that follow each other are folded."""
    out: list[str] = []
    for _, run in groupby(events, key=lambda event: event.at):
        sentences: list[Parts] = [event.data for event in run]
        ends_open = sentences[0][-1] in (".", "")
        joined = list(_by_start(sentences)) if ends_open else []
        out += joined if 0 < len(joined) < len(sentences) else _by_deed(sentences)
    return out


def _by_start(sentences: Sequence[Parts]) -> Iterator[str]:
    """Sentences that end with what differs: "A builds X, Y and Z." """
    for start, alike in groupby(sentences, key=lambda parts: parts[:1] if parts[0] else parts[:3]):
        *rest, last = ["".join(parts[len(start) : -1]) for parts in alike]
        said = tr("{names} and {last}").format(names=", ".join(rest), last=last) if rest else last
        yield f"{''.join(start)}{said}{sentences[0][-1]}"


def _by_deed(sentences: Sequence[Parts]) -> Iterator[str]:
    """Sentences that begin with who did it: "Stay at home: A, B, C." """
    deeds: dict[Parts, list[str]] = {}
    for parts in sentences:
        names = _names(parts)
        deeds.setdefault(parts[names:], []).append("".join(parts[:names]))
    for deed, doers in deeds.items():
        what = "".join(deed)
        if len(doers) < MANY or not all(doers):
            yield from (doer + what for doer in doers)
        else:
            times = Counter(doers).items()
            often = tr("{name} ({n} times)")
            who = ", ".join(name if n == 1 else often.format(name=name, n=n) for name, n in times)
            what = what.strip().removesuffix(".")
            yield f"{what[0].upper()}{what[1:]}: {who}."


def _names(parts: Parts) -> int:
    """How many parts at the head of a sentence are only names."""
    if parts[0]:
        return 0
    return next(at for at in range(2, len(parts), 2) if parts[at].strip() not in LINKS)
