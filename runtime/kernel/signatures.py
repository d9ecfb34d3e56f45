"""What a program and its parts are known by, whether compiled or walked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from ziggurat.runtime.kernel.nodes import At, Meta
from ziggurat.runtime.kernel.walking import free

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.forms.actions import Action
    from ziggurat.runtime.kernel.forms.requirements import Requirement
    from ziggurat.runtime.kernel.ruleset import Ruleset

Spec = tuple[Any, ...]
Function = Callable[..., Any]


@attrs.frozen
class Site:
    """A place in the rules that the running game must be able to name: a decision, a sentence of
    the log, a loop with a budget. `node` is the statement; `rule` the path of its declaration."""

    node: Any
    rule: str
    path: str
    at: At
    meta: Meta


def need_level(action: Action, need: Requirement) -> int:
    """How many parameters must be known before a requirement can be looked at."""
    names = [param.name for param in action.params]
    used = free(need.condition)
    return max((index + 1 for index, name in enumerate(names) if name in used), default=0)


def advice_params(ruleset: Ruleset, target: str) -> list[str]:
    """What advice may speak of: `it` and `p`, or the parameters up to the one it is about."""
    action = ruleset.actions.get(target)
    if action is not None:
        return ["p", *[param.name for param in action.params if param.name != "p"]]
    head, _, last = target.rpartition(".")
    action = ruleset.actions.get(head)
    names = [param.name for param in action.params] if action is not None else []
    if last in names:
        return ["p", *[name for name in names[: names.index(last) + 1] if name != "p"]]
    return ["p", "it"]
