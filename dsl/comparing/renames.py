"""Which names changed while what they name did not.

Something that vanished and something of the same sort that appeared are one and the same when
they say the same. If that is next to nothing (a bare number, an empty block), they must also be
spoken of in the same places. If it is much, it need not be all the same, as long as no other pair
is as near.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

import attrs

from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.steps import take_out_steps
from ziggurat.dsl.comparing.subjects import Subject
from ziggurat.runtime.kernel import Body, Procedure, Ruleset

_WORD = re.compile(r"[A-Za-z_][\w.]*|\d+")
# How much two declarations must say alike to be one under two names.
NEAR = 0.75
SPEAKING = 3
ROUNDS = 3

Key = tuple[str, str]


@attrs.frozen(eq=False)
class _Candidate:
    """Something only one side knows: its lines with its own name blanked, and who speaks of it."""

    subject: Subject
    lines: tuple[str, ...]
    distinct: frozenset[str]

    @property
    def speaks(self) -> bool:
        """Return whether its lines alone identify it: a block, or more than a number."""
        if len(self.lines) > 1:
            return True
        return len(_WORD.findall("".join(self.lines).partition(" = ")[2])) >= SPEAKING


def find_renames(old: Reading, new: Reading) -> dict[Key, str]:
    """New ids by old (sort, id); the readings may be used to compare from then on."""
    renames: dict[Key, str] = {}
    for _ in range(ROUNDS):
        old.rename(renames)
        more = dict(_one_round(old, new))
        if not more:
            break
        renames |= more
        renames |= _inner(renames, old, new)
    renames |= _renamed_steps(old, new, renames)
    old.rename(renames)
    return renames


def _one_round(old: Reading, new: Reading) -> Iterator[tuple[Key, str]]:
    gone = [one for one in old.subjects.values() if old.key(one) not in new.subjects]
    taken = {old.key(one) for one in old.subjects.values()}
    come = [one for one in new.subjects.values() if one.key not in taken]
    sorts = sorted({one.sort for one in gone} & {one.sort for one in come})
    for sort in sorts:
        a = [_candidate(old, one) for one in gone if one.sort == sort]
        b = [_candidate(new, one) for one in come if one.sort == sort]
        for x, y in _matched(a, b, old, new):
            if _homes_agree(x.subject, y.subject, old):
                yield x.subject.key, y.subject.id


def _homes_agree(x: Subject, y: Subject, old: Reading) -> bool:
    """What stands in a thing can only be what stands in the same thing on the other side."""
    if x.home is None or y.home is None:
        return x.home is y.home
    return (x.home[0], old.renames.get(x.home, x.home[1])) == y.home


def _candidate(side: Reading, subject: Subject) -> _Candidate:
    own = re.compile(rf"(?<![\w.]){re.escape(subject.id)}(?!\w)")
    lines = tuple(own.sub("@", line.text) for line in side.meaning(subject))
    return _Candidate(subject, lines, frozenset(lines))


def _matched(
    a: list[_Candidate], b: list[_Candidate], old: Reading, new: Reading
) -> Iterator[tuple[_Candidate, _Candidate]]:
    done: set[Key] = set()
    for x, y in _alike(a, b, old, new):
        done |= {("old", x.subject.id), ("new", y.subject.id)}
        yield x, y
    yield from _near(
        [x for x in a if ("old", x.subject.id) not in done],
        [y for y in b if ("new", y.subject.id) not in done],
    )


def _alike(
    a: list[_Candidate], b: list[_Candidate], old: Reading, new: Reading
) -> Iterator[tuple[_Candidate, _Candidate]]:
    """Pairs that say exactly the same; as many on one side as on the other go pair by pair."""
    groups: dict[tuple[str, ...], tuple[list[_Candidate], list[_Candidate]]] = defaultdict(
        lambda: ([], [])
    )
    for x in a:
        groups[x.lines][0].append(x)
    for y in b:
        groups[y.lines][1].append(y)
    for left, right in groups.values():
        if not left or not right:
            continue
        if left[0].speaks and len(left) == len(right):
            yield from zip(left, right, strict=True)
            continue
        uses_a = [_uses(old, x.subject) for x in left]
        uses_b = [_uses(new, y.subject) for y in right]
        for x, mine in zip(left, uses_a, strict=True):
            if mine and uses_a.count(mine) == uses_b.count(mine) == 1:
                yield x, right[uses_b.index(mine)]


def _uses(side: Reading, subject: Subject) -> frozenset[tuple[Key, str]]:
    """Everything that speaks of something, with the words around its name."""
    own = re.compile(rf"(?<![\w.]){re.escape(subject.id)}(?![\w])")
    return frozenset(
        (side.key(other), own.sub("@", line.text))
        for other in side.subjects.values()
        if other is not subject
        for line in side.meaning(other)
        if subject.id in line.text and own.search(line.text)
    )


def _near(a: list[_Candidate], b: list[_Candidate]) -> Iterator[tuple[_Candidate, _Candidate]]:
    """Pairs that say nearly the same, each the one best match of the other."""
    scores = {
        (i, j): score
        for i, x in enumerate(a)
        for j, y in enumerate(b)
        if (score := _likeness(x, y)) >= NEAR
    }
    for (i, j), score in scores.items():
        rivals = [s for (k, m), s in scores.items() if (k == i) != (m == j)]
        if all(rival < score for rival in rivals):
            yield a[i], b[j]


def _likeness(x: _Candidate, y: _Candidate) -> float:
    """The share of lines two declarations have in common; the first line counts like any other."""
    if not (x.speaks and y.speaks) or min(len(x.lines), len(y.lines)) < 4:
        return 0.0
    return 2 * len(x.distinct & y.distinct) / (len(x.distinct) + len(y.distinct))


def _inner(renames: dict[Key, str], old: Reading, new: Reading) -> dict[Key, str]:
    """What stands in a renamed thing is renamed with it."""
    found: dict[Key, str] = {}
    for subject in old.subjects.values():
        home = subject.home
        if home is None or home not in renames:
            continue
        renamed = renames[home] + subject.id[subject.id.index(".") :]
        if (subject.sort, renamed) in new.subjects:
            found[subject.key] = renamed
    return found


# ---- labelled steps -----------------------------------------------------------------------------


def _renamed_steps(old: Reading, new: Reading, renames: dict[Key, str]) -> dict[Key, str]:
    """Labels that changed while their step did not, in blocks both sides have."""
    old.rename(renames)
    found: dict[Key, str] = {}
    known = _blocks(new.ruleset)
    for (sort, id_, name), body in _blocks(old.ruleset).items():
        other = known.get((sort, renames.get((sort, id_), id_), name))
        if other is None:
            continue
        mine, theirs = take_out_steps(body)[1], take_out_steps(other)[1]
        labels = {step.label for step in mine} & {step.label for step in theirs}
        gone = [step for step in mine if step.label not in labels]
        come = [step for step in theirs if step.label not in labels]
        for step in gone:
            told = old.common.body(step.body)
            fitting = [one for one in come if new.common.body(one.body) == told]
            if len(fitting) == 1 and sum(old.common.body(s.body) == told for s in gone) == 1:
                found["step", step.path] = fitting[0].label
    return found


def _blocks(ruleset: Ruleset) -> dict[tuple[str, str, str], Body]:
    """Every block that may have labelled steps, by whose it is."""
    whole: dict[tuple[str, str, str], Body] = {}
    page: dict[str, Procedure] = ruleset.procedures
    whole |= {("procedure", one.id, ""): one.body for one in page.values()}
    whole |= {("action", one.id, ""): one.body for one in ruleset.actions.values()}
    for things in ruleset.things.values():
        for thing in things.values():
            whole |= {(thing.kind, thing.id, body.name): body.body for body in thing.bodies}
    return whole
