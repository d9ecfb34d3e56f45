"""Whose decision comes next, and whose answers are taken back together."""

from collections.abc import Collection, Sequence

from ziggurat import REDO, UNDO, Decision, SavedAnswer


def following(
    decisions: Sequence[Decision], people: Collection[str], last: str, sitting: str
) -> Decision:
    """The decision to make now, of those that are pending.

    Where all decide at once, programs go first. Where all act freely, everybody gets a turn: after
    a person each program acts once, then the person again, who so sees what became of an offer.
    `last` answered before, `sitting` is the person at the keyboard.
    """
    first: dict[str, Decision] = {}
    for decision in decisions:
        first.setdefault(decision.decider, decision)
    persons = [seat for seat in first if seat in people]
    person = sitting if sitting in persons else next(iter(persons), "")
    bots = [seat for seat in first if seat not in people]
    if decisions[0].kind != "act" or not person or not bots:
        return first[bots[0] if bots else person]
    if last in people:
        return first[bots[0]]
    later = bots[bots.index(last) + 1 :] if last in bots else []
    return first[later[0] if later else person]


def answered(records: Sequence[SavedAnswer]) -> tuple[list[str], list[str]]:
    """The seats of all answers that stand, and of those taken back (the next to redo last)."""
    done, undone = standing(records)
    return [one.seat for one in done], [one.seat for one in undone]


def standing(records: Sequence[SavedAnswer]) -> tuple[list[SavedAnswer], list[SavedAnswer]]:
    """Return all answers that stand, and those taken back (the next to redo last)."""
    done: list[SavedAnswer] = []
    undone: list[SavedAnswer] = []
    for record in records:
        if record.seat == UNDO:
            for _ in range(record.answer):
                undone.append(done.pop())
        elif record.seat == REDO:
            for _ in range(record.answer):
                done.append(undone.pop())
        else:
            done.append(record)
            undone = []
    return done, undone


def back(done: Sequence[str], people: Collection[str]) -> int:
    """How many answers to take back for the last one of people's own; 0 if there is none."""
    found = (count for count, seat in enumerate(reversed(done), 1) if seat in people)
    return next(found, 0)


def again(undone: Sequence[str], people: Collection[str]) -> int:
    """How many answers to give again: the next of people's own, and what followed it."""
    own = [count for count, seat in enumerate(reversed(undone)) if seat in people]
    return own[1] if len(own) > 1 else len(undone)
