"""What changed from one document to the next, for clients that ask for no more than that.

A change of a value is one of
- `[NEW]`: the whole of the new value,
- `{"members": {NAME: CHANGE, …}}`: of an object, what changed of its members; `null` for one that
  is gone, `[NEW]` for one that is new,
- `{"items": [[AT, GONE, [NEW, …]], …]}`: of a list, from its end to its beginning: how many items
  go at a place, and which come there instead.
"""

import json
import threading
from difflib import SequenceMatcher
from typing import Any

from ziggurat.studio.web.text import encoded

MANY = 400  # items that are compared with each other, besides those at both ends that are the same
KEPT = 64


class Changes:
    """Works out changes of texts, and remembers those that others will ask for, too."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], str] = {}
        self._lock = threading.Lock()

    def between(self, before: str, now: str) -> str:
        """Return how one JSON text becomes another, as JSON, by whichever way is shorter."""
        key = before, now
        with self._lock:
            if key not in self._found:
                while len(self._found) >= KEPT:
                    del self._found[next(iter(self._found))]
                edited = encoded(_change(json.loads(before), json.loads(now)))
                self._found[key] = edited if len(edited) < len(now) else f"[{now}]"
            return self._found[key]


def _change(before: Any, now: Any) -> Any:
    if isinstance(before, dict) and isinstance(now, dict):
        return _change_of_members(before, now)
    if isinstance(before, list) and isinstance(now, list):
        return {"items": _splices(before, now)}
    return [now]


def _change_of_members(before: dict[str, Any], now: dict[str, Any]) -> Any:
    left = [name for name in before if name in now]
    if [*left, *(name for name in now if name not in before)] != [*now]:
        return [now]  # in another order
    members: dict[str, Any] = {name: None for name in before if name not in now}
    for name, value in now.items():
        if name not in before:
            members[name] = [value]
        elif before[name] != value:
            members[name] = _change(before[name], value)
    return {"members": members}


def _splices(before: list[Any], now: list[Any]) -> list[Any]:
    old, new = [encoded(one) for one in before], [encoded(one) for one in now]
    first, most = 0, min(len(old), len(new))
    while first < most and old[first] == new[first]:
        first += 1
    last = 0
    while last < most - first and old[-1 - last] == new[-1 - last]:
        last += 1
    middle, instead = old[first : len(old) - last], new[first : len(new) - last]
    if len(middle) > MANY or len(instead) > MANY:
        found = [(0, len(middle), 0, len(instead))]
    else:
        steps = SequenceMatcher(None, middle, instead, autojunk=False).get_opcodes()
        found = [(a, b, c, d) for what, a, b, c, d in steps if what != "equal"]
    return [
        [first + begin, end - begin, now[first + start : first + stop]]
        for begin, end, start, stop in reversed(found)
        if end > begin or stop > start
    ]
