"""Which rules call which, and what follows: how much a call may lead to, and who can never ask."""

from collections.abc import Mapping, Sequence
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import passages
from ziggurat.runtime.kernel.signatures import Spec
from ziggurat.runtime.kernel.walking import asks, calls

Calls = dict[Spec, list[Spec]]


def _value_calls(ruleset: ir.Ruleset) -> Calls:
    return {
        ("value", value.id): [call for call in calls(value) if call[0] == "value"]
        for value in ruleset.values.values()
    }


def _step_bodies(ruleset: ir.Ruleset) -> dict[Spec, tuple[Any, ...]]:
    """Procedures with their triggers, and blocks of things, all of a kind together."""
    found: dict[Spec, tuple[Any, ...]] = {}
    for one in passages(ruleset):
        if isinstance(one.home, ir.Procedure):
            key: Spec = ("procedure", one.home.id)
        else:
            continue
        found[key] = (*found.get(key, ()), one.node)
    for kind, page in ruleset.things.items():
        for body in (body for thing in page.values() for body in thing.bodies):
            key = ("body", kind, body.name)
            found[key] = (*found.get(key, ()), body)
    return found


def _step_calls(body: Any) -> list[Spec]:
    """The procedures and blocks of things that a body calls."""
    return [call for call in calls(body) if call[0] in ("procedure", "body")]


def weights(ruleset: ir.Ruleset) -> dict[Spec, int]:
    """How many calls each value, procedure and block of things leads to."""
    steps = {key: _step_calls(body) for key, body in _step_bodies(ruleset).items()}
    return _weigh(_value_calls(ruleset)) | _weigh(steps)


def _weigh(calls: Mapping[Spec, Sequence[Spec]]) -> dict[Spec, int]:
    """How many calls each leads to, at most and without loops. What is called is weighed before
    what calls it, without recursion: a chain may be longer than Python allows."""
    found: dict[Spec, int] = {}
    for start in calls:
        waiting = [start]
        while waiting:
            key = waiting[-1]
            first = [c for c in calls.get(key, ()) if c not in found] if key not in found else []
            found.setdefault(key, 1)
            if first:
                waiting.extend(first)
                continue
            found[key] = min(1 + sum(found[c] for c in calls.get(key, ())), 10**12)
            waiting.pop()
    return found


def silent(ruleset: ir.Ruleset) -> list[Spec]:
    """Steps that can never ask, found by following their calls."""
    bodies = _step_bodies(ruleset)
    called = {key: _step_calls(body) for key, body in bodies.items()}
    loud = {key for key, body in bodies.items() if asks(body)}
    while more := {key for key in called if key not in loud and not loud.isdisjoint(called[key])}:
        loud |= more

    steps: list[tuple[Spec, ir.Body]] = [
        (("action", action.id, "body"), action.body) for action in ruleset.actions.values()
    ]
    for phase in ruleset.phases.values():
        for number, stage in enumerate(phase.stages):
            steps.append((("stage", phase.id, number, "body"), stage.body))
        for number, trigger in enumerate(phase.triggers):
            steps.append((("phase", phase.id, "trigger", number), trigger.body))
    return [key for key, body in steps if not asks(body) and loud.isdisjoint(_step_calls(body))]
