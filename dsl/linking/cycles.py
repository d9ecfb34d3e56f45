"""Circles: values that need themselves, and procedures, blocks and phases that call themselves.

Nothing in the language may recurse, so that every rule comes to an end. The linker noted who uses
whom and where; here the circles are found (Tarjan's algorithm, without recursion of its own).
"""

from collections.abc import Iterator

from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.linking.world import World


def check_cycles(world: World) -> None:
    for circle in _circles(world):
        ring = _shortest(world, circle)
        steps = list(zip(ring, [*ring[1:], ring[0]], strict=True))
        names = " → ".join(f"`{_spoken(one)}`" for one in [*ring, ring[0]])
        pure = all(one.startswith(("value ", "order ")) for one in ring)
        code = "Z504" if pure else "Z505"
        verb = "needs itself in order to be worked out" if pure else "ends up calling itself"
        way = f": {names}" if len(ring) > 1 else ""
        message = f"`{_spoken(ring[0])}` {verb}{way}."
        notes = tuple(
            Note(f"`{_spoken(a)}` uses `{_spoken(b)}` here.", world.uses[a][b])
            for a, b in steps[1:]
            if not b.startswith("body ")
        )
        advice = (
            "Take one of these uses away; a rule may not go round in circles."
            if pure
            else "Use `repeat while … at most n times` instead; every rule must come to an end."
        )
        span = world.uses[ring[0]][steps[0][1]]
        world.report(code, message, span, advice, notes)


def _spoken(node: str) -> str:
    """`value points` as `points`; the blocks of all things of a kind by their kind."""
    word, _, name = node.partition(" ")
    return name.partition(".")[2] if word == "body" else name


def _circles(world: World) -> Iterator[list[str]]:
    """Groups of declarations that all reach one another, in order of their first member."""
    uses = world.uses
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    held: set[str] = set()
    for start in list(uses):
        if start in index:
            continue
        work = [(start, iter(uses.get(start, ())))]
        index[start] = low[start] = len(index)
        stack.append(start)
        held.add(start)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    held.add(other)
                    work.append((other, iter(uses.get(other, ()))))
                    break
                if other in held:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    group = _popped(stack, held, node)
                    if len(group) > 1 or node in uses.get(node, ()):
                        yield group


def _popped(stack: list[str], held: set[str], until: str) -> list[str]:
    group: list[str] = []
    while True:
        one = stack.pop()
        held.discard(one)
        group.append(one)
        if one == until:
            return group


def _shortest(world: World, group: list[str]) -> list[str]:
    """The shortest circle through the first member that has a name of its own."""
    inside = set(group)
    named = [one for one in group if not one.startswith(("bodies ", "order "))]
    start = min(named or group)
    ways = [[start]]
    seen = {start}
    while ways:
        way = ways.pop(0)
        for other in world.uses.get(way[-1], ()):
            if other == start:
                return way
            if other in inside and other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return [start]
