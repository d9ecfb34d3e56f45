"""What happened, as one seat may know it: told briefly, or entry by entry."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import attrs
from rich.padding import Padding
from rich.text import Text

from ziggurat import HIDDEN, Event, Game, Moment, ir, member_type, walk
from ziggurat.studio.folding import folded
from ziggurat.studio.play.naming import Names


def happened(game: Game, seat: str) -> int:
    """How many events there were up to what the seat is looking at."""
    return game.seen_by(seat).event_count


def events(game: Game, seat: str, names: Names, since: int = 0) -> list[Event]:
    """Entries of the log for one seat, without what others hide."""
    found = game.seen_by(seat).events(seat, since)
    return [worded(game, names, event) for event in found]


def worded(game: Moment, names: Names, event: Event) -> Event:
    """An action with its arguments in the words of the game instead of ids."""
    if event.what != "act" or not event.data:
        return event
    rule = game.ruleset.actions[event.path]
    pairs = zip(rule.params, event.data, strict=True)
    args = "; ".join(_argument(names, param, arg) for param, arg in pairs)
    return attrs.evolve(
        event, text=f"{names.owner(event.seat or '')}: {rule.title or rule.id} ({args})"
    )


def _argument(names: Names, param: ir.ActionParam, arg: Any) -> str:
    if arg == HIDDEN:
        return HIDDEN
    return names.all([arg] if param.single else arg, member_type(param))


def paragraphs(found: Sequence[Event], seat: str, names: Names) -> Iterator[Padding]:
    """Each phase in which anything happened, in a paragraph: its sentences, or who did what."""
    title = ""
    said: list[Event] = []
    acts: list[Event] = []
    for event, following in pairwise([*found, None, None]):
        if event is None or event.what == "phase":
            words = folded(said)
            shown = [one for one in acts if _is_march(names, one)] if words else acts
            words += _acted(shown, names)
            if words:
                head = Text(f"{title.removesuffix('.')}. " if title else "", style="bold")
                yield Padding(Text.assemble(head, " ".join(words)), (0, 0, 0, 2), expand=False)
            said, acts = [], []
            title = event.text if event is not None else ""
        elif event.what == "act" and event.seat != seat:
            acts.append(event)
        elif event.what == "say" or event.seat != seat:
            sentence = as_sentence(names.moment.ruleset, event, following)
            said += [sentence] if sentence is not None else []


def as_sentence(ruleset: ir.Ruleset, event: Event, following: Event | None) -> Event | None:
    """Return what is said, and choices that the rules leave untold, as sentences.

    Such a choice, of a square say, is made openly in a stage of a phase whose sentences do not name
    it, and nothing is said right after it.
    """
    if event.what == "say":
        return event
    if following is not None and following.what == "say":
        return None
    if event.what != "chose" or event.data == HIDDEN or not _is_untold(ruleset, event.path):
        return None
    name, verb, answer = event.text.partition(" chooses ")
    return attrs.evolve(event, what="say", data=("", name, verb + answer))


def _is_untold(ruleset: ir.Ruleset, path: str) -> bool:
    """Return whether an open decision in a stage of a phase is in no sentence of that stage."""
    phase_id, _, name = path.rpartition(".")
    phase = ruleset.phases.get(phase_id)
    for stage in phase.stages if phase is not None else ():
        nodes = list(walk(stage.body))
        decision = next((node for node in nodes if getattr(node, "path", "") == path), None)
        if decision is not None and not getattr(decision, "secret", False):
            said = [one for node in nodes if isinstance(node, ir.Say) for one in walk(node)]
            return not any(isinstance(one, ir.Local) and one.name == name for one in said)
    return False


def deeds(acts: Sequence[Event], names: Names) -> list[str]:
    """Who did what with what, in their order: `Rome: March (Latium; Etruria; 2), (Umbria; …).`"""
    told: dict[str, dict[str, list[str]]] = {}
    for event in acts:
        name = names.owner(event.seat or "")
        title, bracket, args = event.text.removeprefix(f"{name}: ").partition(" (")
        told.setdefault(name, {}).setdefault(title, []).append(f"{bracket}{args}".strip())
    return [f"{name}: {', '.join(map(_deed, mine, mine.values()))}." for name, mine in told.items()]


def _deed(title: str, args: Sequence[str]) -> str:
    return f"{title} {', '.join(args)}" if any(args) else title


def _is_march(names: Names, event: Event) -> bool:
    """Return whether an action names a place or a player, and says nothing to everybody."""
    rules, moment = names.moment.ruleset, names.moment
    rule = rules.actions[event.path]
    telling = {*moment.kinds("place"), "player"}
    says = any(isinstance(node, ir.Say) and node.to is None for node in walk(rule.body))
    return not says and any(member_type(param).name in telling for param in rule.params)


def _acted(acts: Sequence[Event], names: Names) -> Iterator[str]:
    """Who did what how often, where the rules say nothing about it; with its places."""
    yield from deeds([one for one in acts if _is_march(names, one)], names)
    acts = [one for one in acts if not _is_march(names, one)]
    count: dict[str, dict[str, int]] = {}
    for event in acts:
        name = names.owner(event.seat or "")
        title = event.text.removeprefix(f"{name}: ")
        if event.data:
            title = title.partition(" (")[0]
        mine = count.setdefault(name, {})
        mine[title] = mine.get(title, 0) + 1
    for name, titles in count.items():
        parts = [f"{title} ×{n}" if n > 1 else title for title, n in titles.items()]
        yield f"{name}: {', '.join(parts)}."
