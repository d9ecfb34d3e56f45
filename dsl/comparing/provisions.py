"""Which differences come from one sentence of a rulebook."""

from collections import Counter
from collections.abc import Sequence

import attrs

from ziggurat.dsl.comparing.reach import Node

# A tag that more differences have stands for a chapter, not for a provision.
MOST = 8


@attrs.frozen
class Link:
    """What a difference shares with others: the tags of its rule, its citations, the rules it is
    (`names`), and the rules that come to it (`users`). What `serves` is there for others only, as
    an option is."""

    tags: frozenset[str]
    cites: frozenset[str]
    names: frozenset[Node]
    users: frozenset[Node]
    serves: bool = False


def joined(links: Sequence[Link]) -> list[list[int]]:
    """The numbers of the differences, those of one sentence together, in the order of the first.

    A tag stands for a sentence; of several tags the one that joins most. Without tags, citations do
    if they are the very same. What has neither, or only serves, goes to those that speak of it.
    """
    group = list(range(len(links)))
    for own in ([one.tags for one in links], [_cited(one) for one in links]):
        _join_marked(own, group)
    _join_helpers(links, group)
    found: dict[int, list[int]] = {}
    for i, home in enumerate(group):
        found.setdefault(home, []).append(i)
    return list(found.values())


def _cited(one: Link) -> frozenset[str]:
    return frozenset() if one.tags or not one.cites else frozenset({"; ".join(sorted(one.cites))})


def _join_marked(marks: Sequence[frozenset[str]], group: list[int]) -> None:
    """Join what shares a mark, each with one group only: chains would join a whole book."""
    left = {i for i, own in enumerate(marks) if own}
    while left:
        numbers = Counter(mark for i in left for mark in marks[i])
        fitting = [(-n, mark) for mark, n in numbers.items() if 1 < n <= MOST]
        if not fitting:
            return
        mark = min(fitting)[1]
        members = sorted(i for i in left if mark in marks[i])
        for i in members:
            group[i] = group[members[0]]
        left.difference_update(members)


def _join_helpers(links: Sequence[Link], group: list[int]) -> None:
    """Unmarked rules go where they are used, if that is one place, or else to what they use; some
    only through others. So do options that share no mark with anything."""
    alone = Counter(group)
    waiting = [
        i
        for i, one in enumerate(links)
        if not (one.tags or one.cites) or (one.serves and alone[group[i]] == 1)
    ]
    anchored = {*group} - {group[i] for i in waiting}
    before = len(waiting) + 1
    while len(waiting) < before:
        before = len(waiting)
        for i in tuple(waiting):
            own = links[i]
            users = {group[j] for j, one in enumerate(links) if one.names & own.users}
            used = {group[j] for j, one in enumerate(links) if one.users & own.names}
            homes = (users & anchored, used & anchored)
            home = next((page for page in homes if len(page) == 1), None)
            if home is not None:
                group[i] = home.pop()
                waiting.remove(i)
