"""What amendments do to the stages of a phase, by number or by what is in them."""

from typing import Any

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.linking.amend import Amendments, part
from ziggurat.dsl.linking.amendment_conflicts import Change
from ziggurat.dsl.linking.bodies import step_names
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.syntax import Node, Token

_PHASES_IN = frozenset({"perform", "repeat_phase"})
_STAGES = frozenset({"once", "each", "at_once", "act", "while_stage"}) | _PHASES_IN


def _stage(made: Amendments, decl: Decl, item: Item, which: Token | Node) -> int | None:
    """Where the stage with that number, or with that in it, stands among the items, or None after
    saying that there is none or more of them."""
    span = item.file.span(which)
    if decl.word != "phase":
        message = f"Only a phase has stages; `{decl.spoken}` has none."
        made.error("Z310", message, span)
        return None
    stages = [at for at, one in enumerate(decl.items) if _is_stage(one)]
    if isinstance(which, Node):
        return _stage_with(made, decl, stages, ".".join(which.parts), span)
    if which.isdecimal() and 1 <= int(which) <= len(stages):
        return stages[int(which) - 1]
    message = f"`{decl.spoken}` has no stage {which}."
    advice = f"It has {len(stages)}; they are counted from 1." if stages else None
    made.error("Z403", message, span, advice)
    return None


def _stage_with(
    made: Amendments, decl: Decl, stages: list[int], name: str, span: Span
) -> int | None:
    found = [at for at in stages if name in _names_in(decl.items[at])]
    if len(found) == 1:
        return found[0]
    if found:
        numbers = " or ".join(str(stages.index(at) + 1) for at in found)
        message = f"`{name}` is in {len(found)} stages of `{decl.spoken}`."
        made.error("Z403", message, span, f"Say which one by its number: {numbers}.")
    elif not made.conflicts.was_changed(decl, Change(f"the stages ({name})", span)):
        known = [one for at in stages for one in _names_in(decl.items[at])]
        made.missing(decl, name, span, "stage with anything", known)
    return None


def _names_in(stage: Item) -> list[str]:
    """What a stage is known by: the steps in it, and the phase that runs in it."""
    phase = [str(stage.node.parts[0])] if stage.node.rule in _PHASES_IN else []
    return [*phase, *step_names([stage])]


def _is_stage(item: Item) -> bool:
    return getattr(item.node, "rule", "") in _STAGES


def _put_stages(
    made: Amendments, decl: Decl, item: Item, which: Token | Node, where: str, block: Any
) -> None:
    """Other stages before, after or in the place of one. Numbers shift, so whoever counts stages
    must be put in order with everybody else who changes some."""
    at = _stage(made, decl, item, which)
    if at is None:
        return
    clause = "the stages"
    if isinstance(which, Node):
        name = ".".join(which.parts)
        clause += f" ({name})" if where == "at" else f" ({where} {name} by {item.pack})"
    made.conflicts.settles((decl.word, decl.path), clause, item.pack)
    made.conflicts.note(decl, Change(clause, item.span, way=f"stages by {item.pack}"))
    first, last = at + (where == "after"), at + (where != "before")
    new = [Item(one, item.file) for one in block.parts] if block is not None else []
    made.unsaid(decl, item.span, [one.node for one in decl.items[first:last]])
    decl.items[first:last] = new


@part("replace_stage")
def _replace_stage(made: Amendments, decl: Decl, item: Item) -> None:
    which, block = item.node.parts
    _put_stages(made, decl, item, which, "at", block)


def remove_stage(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    _put_stages(made, decl, item, reference.parts[0], "at", None)


@part("stage_before", "stage_after")
def _insert_stage(made: Amendments, decl: Decl, item: Item) -> None:
    block, which = item.node.parts
    where = "after" if item.node.rule == "stage_after" else "before"
    _put_stages(made, decl, item, which, where, block)
