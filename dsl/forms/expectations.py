"""What a scenario expects, and what a later pack expects of it instead."""

from collections.abc import Iterable
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Note, did_you_mean
from ziggurat.dsl.forms.cases import Row
from ziggurat.dsl.forms.scripts import checks
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.model import Decl, Item, unquoted
from ziggurat.dsl.linking.otherwise import case_of, standing
from ziggurat.dsl.linking.statements import no_step
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.forms.expectations import Expect, Otherwise

no_step("An `expect`", "expect")


def no_unknown_cases(world: World, decl: Decl, cases: Iterable[Row]) -> None:
    """What is said of one case must be said of one that is there."""
    labels = [row.label for row in cases]
    for item in decl.otherwise:
        if case_of(item) not in ("", *labels):
            message = f'The scenario "{decl.title}" has no case of this name.'
            near = did_you_mean(case_of(item), labels)
            span = item.file.span(item.node.parts[2])
            world.warn("Z402", message, span, near or "Correct it, or take the line away.")


def expect(cx: Context, node: Any) -> Expect | None:
    pack, block = node.parts
    if pack is not None and pack not in cx.world.pack_order:
        return None
    return Expect(str(pack or ""), checks(cx, node, block), at=cx.at(node))


def otherwise(cx: Context, decl: Decl, row: Row, items: Iterable[Any]) -> Otherwise | None:
    """What a later pack expects of it, in the words of the scenario; what is said of one case goes
    before what is said of all."""
    told = [
        _told(cx, decl, item, items) for item in standing(decl.otherwise, row.label, cx.world.stack)
    ]
    return attrs.evolve(told[-1], rivals=tuple(told[:-1])) if told else None


def _told(cx: Context, decl: Decl, item: Item, items: Iterable[Any]) -> Otherwise:
    node, file = item
    cx.enter(file)
    _, title, _, _, reason, block = node.parts
    if not unquoted(reason):
        message = "Why this scenario ends differently is not said."
        cx.error("Z608", message, reason, "Write the reason after `because`.")
    read = [_instead(cx, one) for one in block.parts]
    expects = tuple(one for one in read if one is not None)
    written = sum(isinstance(one, Expect) for one in items)
    if not block.parts:
        message = "No other outcome is expected here."
        cx.error("Z609", message, title, "Write `expect { check … }` in the block.")
    elif len(expects) > written:
        message = f"This scenario has {written} `expect` in this stack, and here are more."
        advice = (
            "Each one here takes the place of one there, in order. Say which stacks this is for"
            " (`in PACK`, `without PACK`) if it has more in others."
        )
        note = Note("It is this one.", decl.name_span)
        cx.world.findings.add(
            Diagnostic("Z609", message, file.span(title), advice, (note,), severity="warning")
        )
    return Otherwise(file.source.pack, unquoted(reason), expects, at=cx.at(node))


def _instead(cx: Context, node: Any) -> Expect | None:
    if getattr(node, "rule", "") == "expect":
        return expect(cx, node)
    message = "Only what is expected can be otherwise."
    advice = (
        "Write `expect { check … }`; to change more of a scenario, remove it and write another."
    )
    cx.error("Z310", message, node, advice)
    return None
