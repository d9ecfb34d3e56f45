"""Changed on purpose: a pack says which scenarios of others end differently with it.

Only which scenario is meant is settled here; what is expected of it is linked with it.
"""

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, did_you_mean
from ziggurat.dsl.linking.model import Book, Decl, Item, title_path, unquoted
from ziggurat.dsl.linking.removals import may_not_know
from ziggurat.dsl.packs import Stack

EXPECTS = "expects"


def expect_otherwise(book: Book, item: Item, stack: Stack, findings: Findings) -> None:
    """Give a line `expects scenario "…" otherwise` to the scenarios of that title."""
    word, title, _, pack, _, _ = item.node.parts
    if word != "scenario":
        message = "Only a scenario can be expected to end otherwise."
        advice = 'Write `expects scenario "…" otherwise because "…" { expect { … } }`.'
        findings.add(Diagnostic("Z310", message, item.file.span(word), advice))
        return
    if pack is not None and pack not in stack.ids:
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
        advice = near or "Correct the title, or take the line away."
        findings.add(Diagnostic("Z402", message, item.file.span(title), advice))
    for decl in meant:
        book.addressed.append((decl, item.file.span(title.parts[0])))
        _give(decl, item, stack, findings)


def _give(decl: Decl, item: Item, stack: Stack, findings: Findings) -> None:
    same = [one for one in decl.otherwise if case_of(one) == case_of(item)]
    before, span = same[-1] if same else None, item.file.span(item.node.parts[1])
    if decl.pack == item.pack:
        message = "This scenario is of the same pack, which need not expect it otherwise."
        note = Note("It is here.", decl.name_span)
        findings.add(Diagnostic("Z609", message, span, "Change the scenario itself.", (note,)))
        return
    if before is not None and not stack.builds_on(item.pack, before.pack):
        note = Note("The other one is here.", before.file.span(before.node.parts[1]))
        twice = before.pack == item.pack
        message = "This pack expects the scenario otherwise twice."
        if not twice:
            packs = f"`{before.pack}` and `{item.pack}`"
            message = f"{packs} expect this scenario otherwise, and neither builds on the other."
        advice = "Keep one of the two."
        findings.add(Diagnostic("Z404", message, span, advice, (note,)))
        return
    decl.otherwise = [one for one in decl.otherwise if one is not before] + [item]


def case_of(item: Item) -> str:
    """The case of a table that a line is about; none if it is about the whole scenario."""
    return unquoted(item.node.parts[2])
