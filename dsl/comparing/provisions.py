"""Which differences come from one sentence of a rulebook."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

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
    """Join what shares a mark, each with one group only: chains would join a whole book.

    The mark that joins most goes first, and of those that join as many the first by name.
    """
    members: dict[str, set[int]] = defaultdict(set)
    for i, own in enumerate(marks):
        for mark in own:
            members[mark].add(i)
    waiting = [(-len(those), mark) for mark, those in members.items() if _is_joining(those)]
    heapify(waiting)
    while waiting:
        size, mark = heappop(waiting)
        joining = sorted(members[mark])
        if len(joining) != -size:
            continue  # some have gone elsewhere, and it waits once more
        for i in joining:
            group[i] = group[joining[0]]
        for other in {other for i in joining for other in marks[i]}:
            members[other].difference_update(joining)
            if _is_joining(members[other]):
                heappush(waiting, (-len(members[other]), other))


def _is_joining(members: set[int]) -> bool:
    return 1 < len(members) <= MOST


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
    homes = _Homes()
    for one, home in zip(links, group, strict=True):
        if home in anchored:
            homes.add(one, home)
    before = len(waiting) + 1
    while len(waiting) < before:
        before = len(waiting)
        left = []
        for i in waiting:
            only = homes.only_home(links[i])
            if only is None:
                left.append(i)
            else:
                group[i] = only
                homes.add(links[i], only)
        waiting = left


class _Homes:
    """The groups that hold a rule, and those that use it.

    Only whether there is exactly one matters, so at most two are kept.
    """

    def __init__(self) -> None:
        self._holding: dict[Node, set[int]] = defaultdict(set)
        self._using: dict[Node, set[int]] = defaultdict(set)

    def add(self, link: Link, home: int) -> None:
        for homes, nodes in ((self._holding, link.names), (self._using, link.users)):
            for node in nodes:
                if len(homes[node]) < 2:
                    homes[node].add(home)

    def only_home(self, link: Link) -> int | None:
        """Return the group that uses a rule, or else the one it uses, if there is just one."""
        for homes, nodes in ((self._holding, link.users), (self._using, link.names)):
            fitting: set[int] = set()
            for node in nodes:
                fitting |= homes.get(node, set())
                if len(fitting) > 1:
                    break
            if len(fitting) == 1:
                return fitting.pop()
        return None
