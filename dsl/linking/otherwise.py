"""Changed on purpose: a pack says which scenarios of others end differently with it.

Only which scenario is meant is settled here; what is expected of it is linked with it. Nothing that
is said of scenarios keeps a stack from being loaded: what does not fit is a warning.
"""

from collections.abc import Sequence

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, did_you_mean
from ziggurat.dsl.linking.conditions import Condition, condition_at, stated, unknown_pack
from ziggurat.dsl.linking.model import Book, Decl, Item, title_path, unquoted
from ziggurat.dsl.linking.removals import may_not_know
from ziggurat.dsl.packs import Stack

EXPECTS = "expects"


def expect_otherwise(book: Book, item: Item, stack: Stack, findings: Findings) -> None:
    """Give a line `expects scenario "…" otherwise` to the scenarios of that title."""
    word, title, _, heads, _, _ = item.node.parts
    if word != "scenario":
        message = "Only a scenario can be expected to end otherwise."
        advice = 'Write `expects scenario "…" otherwise because "…" { expect { … } }`.'
        findings.add(Diagnostic("Z310", message, item.file.span(word), advice))
        return
    condition, names, others = stated(heads.parts)
    for head in others:
        advice = "Only `in PACK` and `without PACK` can stand before `otherwise`."
        message = "This has no meaning here."
        findings.add(Diagnostic("Z222", message, item.file.span(head), advice))
    for name in names:
        unknown = unknown_pack(stack, name, item.file.span(name))
        if unknown is not None:
            findings.add(unknown)
    if not condition.holds(stack.ids):
        return
    text = title.parts[0][1:-1]
    path = title_path(text)
    meant = [one for one in book.scenarios if one.path == path]
    removal = book.gone.get(("scenario", path))
    if not meant and removal is not None and may_not_know(stack, item.pack, removal):
        return
    if not meant:
        near = did_you_mean(text, [one.title for one in book.scenarios])
        message = "There is no scenario with this title."
        advice = near or (
            "Correct the title, or take the line away. If the scenario comes with another pack,"
            f' name that pack: `expects scenario "{text}" in PACK otherwise …`.'
        )
        span = item.file.span(title)
        findings.add(Diagnostic("Z402", message, span, advice, severity="warning"))
    for decl in meant:
        book.addressed.append((decl, item.file.span(title.parts[0])))
        _give(decl, item, findings)


def _give(decl: Decl, item: Item, findings: Findings) -> None:
    span = item.file.span(item.node.parts[1])
    if decl.pack == item.pack:
        message = "This scenario is of the same pack, which need not expect it otherwise."
        note = Note("It is here.", decl.name_span)
        findings.add(Diagnostic("Z609", message, span, "Change the scenario itself.", (note,)))
        return
    same = (
        one for one in decl.otherwise if one.pack == item.pack and case_of(one) == case_of(item)
    )
    before = next((one for one in same if condition_of(one) == condition_of(item)), None)
    if before is not None:
        note = Note("The other one is here.", before.file.span(before.node.parts[1]))
        message = "This pack expects the scenario otherwise twice."
        advice = (
            "Keep one of the two, or say which stacks one of them is for: `in PACK`,"
            " `without PACK`."
        )
        findings.add(Diagnostic("Z404", message, span, advice, (note,), severity="warning"))
        return
    decl.otherwise.append(item)


def case_of(item: Item) -> str:
    """The case of a table that a line is about; none if it is about the whole scenario."""
    return unquoted(item.node.parts[2])


def condition_of(item: Item) -> Condition:
    """Which stacks a line is for."""
    return stated(item.node.parts[3].parts)[0].both(condition_at(item.file, item.node.start))


def standing(items: Sequence[Item], case: str, stack: Stack) -> list[Item]:
    """What is expected of one case of a scenario: what no other line outdoes. More than one line if
    packs that do not know each other expect it otherwise."""
    about = [one for one in items if case_of(one) in ("", case)]
    return [one for one in about if not any(_outdoes(other, one, stack) for other in about)]


def _outdoes(one: Item, other: Item, stack: Stack) -> bool:
    """Whether a line holds in the place of another one: it is about a single case, its pack comes
    later on purpose, or it is for fewer stacks."""
    if one is other:
        return False
    mine, theirs = condition_of(one), condition_of(other)
    later = one.pack != other.pack and stack.builds_on(one.pack, other.pack)
    later = later or (other.pack in mine.within and one.pack not in theirs.within)
    earlier = one.pack != other.pack and stack.builds_on(other.pack, one.pack)
    if not (later or earlier or one.pack == other.pack):
        return False
    if bool(case_of(one)) is not bool(case_of(other)):
        return bool(case_of(one))
    return later or (one.pack == other.pack and mine.is_narrower(theirs))
