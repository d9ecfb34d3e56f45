"""What packs leave open, and who answers, while declarations are gathered.

`open value x() "…": int` is there for everybody who asks it. A plain declaration of the same word
and name in another pack takes its place.
"""

from collections.abc import Callable

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note
from ziggurat.dsl.linking.model import Book, Decl, Opening

OPEN = "open_decl"
CAN_BE_OPEN = ("value", "order", "procedure", "phase")


def leave_open(book: Book, decl: Decl, findings: Findings, add: Callable[[], None]) -> None:
    """Enter an open place; `add` enters its declaration, which is the default if it has one."""
    if decl.word not in CAN_BE_OPEN:
        message = f"`{decl.spoken}` cannot be left open."
        advice = "A value, an order, a procedure and a phase can be; leave out `open`."
        findings.add(Diagnostic("Z413", message, decl.name_span, advice))
        return
    if known := book.open_places.get((decl.word, decl.path)):
        note = Note("The first one is here.", known.decl.name_span)
        message = f"`{decl.spoken}` is left open already."
        findings.add(Diagnostic("Z401", message, decl.name_span, "Leave this out.", (note,)))
        return
    earlier = book.of(decl.word).get(decl.path)
    place = book.open_places[decl.word, decl.path] = Opening(decl, earlier)
    if earlier is None:
        add()
    elif earlier.pack == decl.pack:
        _own_answer(place, earlier, findings)


def answers(book: Book, decl: Decl, findings: Findings) -> bool:
    """Whether a declaration is about an open place: then it is the answer, or a finding."""
    place = book.open_places.get((decl.word, decl.path))
    if place is None:
        return False
    first = book.of(decl.word)[decl.path]
    earlier = place.answered_by(first)
    if decl.pack == place.decl.pack:
        _own_answer(place, decl, findings)
    elif earlier:
        findings.add(_second(place, first, decl, earlier))
    else:
        place.answer = decl
        decl.title = decl.title or place.decl.title
        _without_default(book, place)
        book.put(decl)
    return True


def _without_default(book: Book, place: Opening) -> None:
    """Advice that the pack gives about decisions in its default goes with the default."""
    page = book.of("advice")
    for path in [path for path in page if path.startswith(f"{place.decl.path}.")]:
        advice = page[path]
        advice.items = [item for item in advice.items if item.pack != place.decl.pack]
        if not advice.items:
            del page[path]


def _own_answer(place: Opening, answer: Decl, findings: Findings) -> None:
    place.refused = True
    message = f"`{answer.pack}` leaves `{answer.spoken}` open and answers it itself."
    advice = "Write the answer as its default, or leave out `open`."
    note = Note("It is left open here.", place.decl.name_span)
    findings.add(Diagnostic("Z412", message, answer.name_span, advice, (note,)))


def _second(place: Opening, first: Decl, second: Decl, earlier: str) -> Diagnostic:
    message = f"`{second.spoken}` is answered twice, by `{earlier}` and by `{second.pack}`."
    advice = (
        f"Take one of the packs out of the stack; one that builds on `{earlier}` writes"
        f" `replace {second.spoken} …`."
    )
    span = first.name_span
    if first is place.decl:
        span = next(i.span for i in (first.base, *first.items) if i and i.pack == earlier)
    note = Note("The first answer is here.", span)
    return Diagnostic("Z412", message, second.name_span, advice, (note,))
