"""Answers that are put together pick by pick: a selection under conditions, a division."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from rich.text import Text

from ziggurat import END
from ziggurat.studio.language import tr
from ziggurat.studio.play.board import numbered
from ziggurat.studio.play.choices import BACK, CANCEL, NO, YES, Cancelled, Question, span
from ziggurat.studio.play.naming import Choice, WrongInput, choice, listed, match, normal, take

FILL = "fill"


def select(question: Question, choices: Sequence[Choice], line: str) -> list[Any]:
    """One after the other from what still leads to a legal answer."""
    decision, talk = question.decision, question.talk
    label = {one.value: one.label for one in choices}
    chosen: list[Any] = []
    said = line.replace(",", " ").split()
    first, mistaken = True, False
    while True:
        picks = decision.next_picks(chosen)
        complete = decision.check(chosen) is None
        if complete and not picks:
            return chosen
        if not complete and len(picks) == 1 and chosen and not said:
            chosen.append(picks[0])
            told = tr("{name} has to come along.").format(name=label[picks[0]])
            talk.show(f"  {told}")
            continue
        if not said:
            if not mistaken:
                so_far = listed([label[value] for value in chosen]) if chosen else tr("nothing")
                hint = f"  ({'`done`, ' if complete else ''}`back`, `cancel`)"
                told = tr("So far: {picked}. ").format(picked=so_far)
                talk.show(Text.assemble(told, (tr("Next?"), "bold"), (hint, "dim")))
                question.offer(choices, decision.item, picks)
            first, mistaken = False, False
            words = [*question.offered_words(choices), BACK, CANCEL, *END[:1]]
            show = partial(question.offer, choices, decision.item, picks)
            said = talk.line("next", words, show).replace(",", " ").split()
        try:
            if normal(said[0]) in END:
                if complete:
                    return chosen
                raise WrongInput(tr("That is not enough yet."), question.source)
            if normal(said[0]) in (BACK, CANCEL):
                if said.pop(0) != BACK or not chosen:
                    raise Cancelled
                chosen.pop()
                continue
            chosen.append(_pick(question, choices, picks, chosen, said))
        except WrongInput as wrong:
            if first and not chosen:
                raise
            talk.wrong(wrong)
            said, mistaken = [], True


def _pick(
    question: Question,
    choices: Sequence[Choice],
    picks: Sequence[Any],
    chosen: Sequence[Any],
    said: list[str],
) -> Any:
    if said[0].isdigit():
        found, used = question.one(said[0], choices, question.decision.item), 1
    else:
        left = [one for one in choices if one.value in picks]
        try:
            found, used = take(said, left)
        except WrongInput:
            found, used = take(said, choices)
    del said[:used]
    if found.value in chosen:
        raise WrongInput(tr("{name} is chosen already.").format(name=found.label))
    if found.value not in picks:
        told = tr("With {name} there is no way to meet the rule.").format(name=found.label)
        raise WrongInput(told, question.source)
    return found.value


def divide(question: Question, choices: Sequence[Choice], line: str) -> dict[Any, int]:
    """Amounts for some of the members; the rest is asked for, or settled where it must be."""
    talk, decision = question.talk, question.decision
    due = decision.total
    label = {one.value: one.label for one in choices}
    given: dict[Any, int] = {}
    first = True
    while True:
        word = normal(line)
        try:
            if word == CANCEL or (word == BACK and not given):
                raise Cancelled
            if word == BACK:
                given.popitem()
            elif word in END:
                told = tr("{rest} are still to be divided.").format(rest=due - sum(given.values()))
                raise WrongInput(told)
            else:
                given = _shares(question, choices, given, line)
            left = decision.next_picks(given)
            if all(len(amounts) == 1 for amounts in left.values()):
                whole = given | {member: amounts[0] for member, amounts in left.items()}
                if FILL not in line.replace(",", " ").casefold().split():
                    return whole
                if _is_meant(question, choices, whole):
                    return whole
                given = {}
            so_far = [f"{label[member]} {n}" for member, n in given.items()]
            told = tr("{part} of {whole}: {picked}. ").format(
                part=sum(given.values()),
                whole=due,
                picked=listed(so_far) if so_far else tr("nothing yet"),
            )
            hint = f"  (`{FILL}`, `back`, `cancel`)"
            talk.show(Text.assemble(told, (tr("The rest?"), "bold"), (hint, "dim")))
            shares(question, choices, given)
        except WrongInput as wrong:
            if first:
                raise
            talk.wrong(wrong)
        first = False
        again = partial(shares, question, choices, given)
        line = talk.line("rest", question.offered_words(choices, BACK, CANCEL, FILL), again)


def _is_meant(question: Question, choices: Sequence[Choice], whole: dict[Any, int]) -> bool:
    """Show what filling comes to, and ask whether that is meant."""

    def ask() -> None:
        told = [f"{one.label} {whole[one.value]}" for one in choices if whole.get(one.value)]
        text = tr("That gives {shares}. Is that meant?").format(shares=", ".join(told))
        question.talk.show(Text.assemble((text, "bold"), (f"  ({tr('`yes` or `no`')})", "dim")))

    ask()
    answers = [choice(True, *YES), choice(False, *NO)]
    while True:
        line = question.talk.line(tr("yes or no"), [YES[0], NO[0]], ask)
        try:
            return bool(match(line, answers, "answer").value)
        except WrongInput as wrong:
            question.talk.wrong(wrong)


def shares(question: Question, choices: Sequence[Choice], given: dict[Any, int]) -> None:
    """The members that have no amount yet, each with the amounts it may have."""
    left = question.decision.next_picks(given)
    rows = [
        (number, f"{question.board.label(one, question.decision.item)}: {_short(left[one.value])}")
        for number, one in enumerate(choices, 1)
        if one.value in left
    ]
    question.talk.show(*(f"  {row}" for row in numbered(rows, question.talk.width)))


def _short(amounts: Sequence[int]) -> str:
    if list(amounts) == list(range(amounts[0], amounts[-1] + 1)) and len(amounts) > 1:
        return f"{amounts[0]}-{amounts[-1]}"
    return ",".join(map(str, amounts))


def _filled(question: Question, choices: Sequence[Choice], given: dict[Any, int]) -> dict[Any, int]:
    """As much as possible for each that has no amount yet, in their order."""
    for one in choices:
        if one.value not in given:
            given = given | {one.value: question.decision.next_picks(given)[one.value][-1]}
    return given


def _shares(
    question: Question, choices: Sequence[Choice], given: dict[Any, int], line: str
) -> dict[Any, int]:
    """`latium 3, rome 2`, or `3 latium`; by number `1 3, 4 2`."""
    new = dict(given)
    for part in filter(None, (part.strip() for part in line.split(","))):
        said = part.split()
        if normal(part) == FILL:
            return _filled(question, choices, new)
        first = len(said) > 1 and said[0].isdigit() and not said[-1].isdigit()
        number, name = (said[0], said[1:]) if first else (said[-1], said[:-1])
        if not number.isdigit() or not name:
            told = tr("`{part}` should be a name and an amount, such as `{sample}`.")
            raise WrongInput(told.format(part=part, sample=_sample(choices)))
        if len(name) == 1 and name[0].isdigit():
            one = question.one(name[0], choices, question.decision.item)
        else:
            one, used = take(name, choices)
            if used < len(name):
                told = tr("`{part}`: put a comma between two names.").format(part=part)
                raise WrongInput(told)
        new.pop(one.value, None)
        possible = question.decision.next_picks(new).get(one.value, ())
        if int(number) not in possible:
            told = tr("{name} can have {possible}, not {number}.").format(
                name=one.label, possible=span(list(possible)), number=number
            )
            raise WrongInput(told, question.source)
        new[one.value] = int(number)
    return new


def _sample(choices: Sequence[Choice]) -> str:
    return f"{choices[0].spellings[0]} 2" if choices else "name 2"
