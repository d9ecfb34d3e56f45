"""What somebody has begun and would give up by ending an act: a full cart, a voyage.

The rules say so themselves: a bundle of a player is there, and what follows the end of acting
clears it. Actions that clear it as well, such as paying for the cart, are the other ways to end it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ziggurat import Decision, Game, Moment, Ruleset, ir, walk
from ziggurat.studio.language import tr
from ziggurat.studio.play.board import word

THIS = "{this}"


@attrs.frozen
class Unfinished:
    """A bundle that is there: its title, what is in it, and the actions open now that finish it."""

    title: str
    parts: tuple[str, ...]
    actions: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it in a line."""
        return f"{self.title}: {'; '.join(self.parts)}"


def unfinished(game: Game, decision: Decision) -> list[Unfinished]:
    """Return what the end of an act would give up of its player's."""
    if decision.kind != "act":
        return []
    rules, here = game.ruleset, game.position
    given_up = _cleared_after(rules, here.phase, here.stage)
    if not given_up:
        return []
    moment, seat = game.seen_by(decision.decider), decision.decider
    found = []
    for id_ in given_up:
        parts = bundle_parts(moment, id_, seat, seat)
        if parts:
            actions = (one for one in decision.actions() if id_ in cleared_by(rules, one))
            found.append(Unfinished(bundle_title(rules, id_), parts, tuple(actions)))
    return found


def bundle_title(rules: Ruleset, id_: str) -> str:
    """Return what a bundle is called: `Purchase`."""
    return rules.bundles[id_].title or word(id_.rpartition(".")[2]).capitalize()


def bundle_parts(moment: Moment, id_: str, owner: str, seat: str) -> tuple[str, ...]:
    """Return what a seat sees in a bundle of somebody, field by field; nothing if it is not there,
    or if nothing has been put in it."""
    rules = moment.ruleset
    if id_ not in rules.bundles or not moment.attribute(id_, owner):
        return ()
    by_title: dict[str, list[str]] = {}
    values = {one: moment.attribute(one, owner) for one in rules.bundles[id_].attributes[1:]}
    counted = [
        {key for key, n in one.items() if n} for one in values.values() if isinstance(one, Mapping)
    ]
    for one, value in values.items():
        if isinstance(value, list | set | tuple) and value and set(value) in counted:
            continue  # a map beside it has the same with their numbers
        title, told = _titled(moment, rules.attributes[one], owner, seat)
        if title:
            by_title.setdefault(title, []).append(told)
    return tuple(f"{title} {', '.join(told)}".strip() for title, told in by_title.items())


def attribute_text(moment: Moment, rule: ir.Attribute, owner: str, seat: str) -> str:
    """Return what is written down of somebody, unless it is nothing or hidden from the seat."""
    return " ".join(_titled(moment, rule, owner, seat)).strip()


def _titled(moment: Moment, rule: ir.Attribute, owner: str, seat: str) -> tuple[str, str]:
    """Return the title of an attribute and its value in words; nothing for either if it is nothing
    or hidden from the seat. What is only so or not is its title."""
    value = moment.attribute(rule.id, owner)
    if isinstance(value, Mapping):
        value = {key: one for key, one in value.items() if one}
    if not value or (rule.secret and owner != seat):
        return "", ""
    plain = rule.type.name == "bool"
    told = "" if plain else moment.in_words(value, rule.type)
    return attribute_title(moment.ruleset, rule), told


def attribute_title(rules: Ruleset, rule: ir.Attribute) -> str:
    """Return what an attribute is called in short, whoever's it is."""
    phrase = rules.phrases.get(rule.id)
    if rule.title or phrase is None:
        return rule.title or word(rule.id.rpartition(".")[2])
    return phrase.label or phrase.title.removeprefix(f"{THIS} ").replace(THIS, tr("this player"))


def _cleared_after(rules: Ruleset, phase: str, stage: int | None) -> tuple[str, ...]:
    """Return the bundles of players that the end of acting in a stage clears."""
    if phase not in rules.phases or stage is None:
        return ()
    found = dict.fromkeys(_clears(rules, rules.phases[phase].stages[stage].body))
    return tuple(id_ for id_ in found if rules.bundles[id_].of == "player")


def begun_by(rules: Ruleset, action: str) -> frozenset[str]:
    """Return the bundles of its player that an action begins."""
    nodes = walk(rules.actions[action].body)
    return frozenset(node.bundle for node in nodes if isinstance(node, ir.Begin))


def cleared_by(rules: Ruleset, action: str) -> frozenset[str]:
    """Return the bundles that an action clears."""
    return frozenset(_clears(rules, rules.actions[action].body))


def _clears(rules: Ruleset, body: Any) -> Iterator[str]:
    """Yield the bundles that some steps clear, by themselves or through procedures."""
    waiting, known = [body], set[str]()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, ir.Clear):
                yield node.bundle
            elif isinstance(node, ir.Do | ir.Result) and node.procedure not in known:
                known.add(node.procedure)
                waiting.append(rules.procedures[node.procedure].body)
