"""What amendments do to steps, decisions, stages, parameters and the sequence of phases."""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl.linking.amend import Amendments, part
from ziggurat.dsl.linking.amend_fields import (
    field_name,
    remove_field,
    remove_reading,
    remove_reference,
    remove_single,
)
from ziggurat.dsl.linking.amendment_conflicts import Change
from ziggurat.dsl.linking.bodies import (
    Match,
    decision_name,
    decisions,
    edited,
    is_decision,
    is_step,
    labels,
    renamed,
)
from ziggurat.dsl.linking.model import (
    Decl,
    Item,
    elsewhere,
    inner,
    parameters,
    with_parameters,
)
from ziggurat.dsl.syntax import Declaration, Node, Token

STAGE_RULES = frozenset({"once", "each", "at_once", "act", "while_stage", "perform"})


@part("remove_clause")
def _remove_clause(made: Amendments, decl: Decl, item: Item) -> None:
    reference: Node = item.node.parts[0]
    _REMOVING.get(reference.rule, remove_reference)(made, decl, item, reference)


# ---- labelled steps and decisions -------------------------------------------------------------


def _replace(
    made: Amendments, decl: Decl, item: Item, name: Token, noun: str, new: Node | None
) -> None:
    """Put another node, or none, in the place of a step or a decision."""
    known = labels(decl.items) if noun == "step" else decisions(decl.items)
    match: Match = (is_step if noun == "step" else is_decision)(str(name))
    change = Change(f"the {noun} `{name}`", item.file.span(name))
    if name not in known:
        if not made.conflicts.was_changed(decl, change, removing=new is None):
            made.missing(decl, item, name, noun, known)
        return
    made.conflicts.note(decl, change)
    made.unsaid(decl, change.span, [known[str(name)]])
    decl.items = edited(decl.items, match, lambda _: [new] if new else [])


def _remove_step(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    _replace(made, decl, item, reference.parts[0].parts[0], "step", None)


@part("replace_step")
def _replace_step(made: Amendments, decl: Decl, item: Item) -> None:
    step: Node = item.node.parts[0]
    _replace(made, decl, item, step.parts[0], "step", _as_step(step, item))


@part("replace_decision")
def _replace_decision(made: Amendments, decl: Decl, item: Item) -> None:
    decision: Node = item.node.parts[0]
    name = next(one for one in decision.parts if one == decision_name(decision))
    _replace(made, decl, item, name, "decision", elsewhere(decision, item.file))


@part("rename_step")
def _rename_step(made: Amendments, decl: Decl, item: Item) -> None:
    old, new = item.node.parts
    known = labels(decl.items)
    if old not in known:
        made.missing(decl, item, old, "step", known)
    elif new in known:
        made.taken(decl, item, new, "step")
    else:
        made.conflicts.note(decl, Change(f"the step `{old}`", item.file.span(old)))
        decl.items = edited(decl.items, is_step(str(old)), lambda one: [renamed(one, str(new))])


@part("insert_before", "insert_after")
def _insert(made: Amendments, decl: Decl, item: Item) -> None:
    what, anchor = item.node.parts
    after = item.node.rule == "insert_after"
    if isinstance(what, Token):
        _insert_phase(made, decl, item, anchor, what, after)
        return
    known = labels(decl.items)
    if anchor not in known:
        made.missing(decl, item, anchor, "step", known)
    elif isinstance(what, Declaration):
        message = "Only steps and phases can be inserted at a place."
        made.error("Z310", message, item.file.span(what), "Write the declaration on its own.")
    elif what.parts[0] in known:
        made.taken(decl, item, what.parts[0], "step")
    else:
        new = _as_step(what, item)
        decl.items = edited(
            decl.items,
            is_step(str(anchor)),
            lambda step: [step, new] if after else [new, step],
        )


def _as_step(step: Node, item: Item) -> Node:
    return elsewhere(Node("step", (step,), step.start, step.end), item.file)


# ---- stages of a phase ------------------------------------------------------------------------


def _stage(made: Amendments, decl: Decl, item: Item, number: Token) -> int | None:
    """Where the stage of that number stands among the items, or None after saying there is none."""
    if decl.word != "phase":
        message = f"Only a phase has stages; `{decl.spoken}` has none."
        made.error("Z310", message, item.file.span(number))
        return None
    found = [at for at, one in enumerate(decl.items) if _is_stage(one)]
    if number.isdecimal() and 1 <= int(number) <= len(found):
        return found[int(number) - 1]
    message = f"`{decl.spoken}` has no stage {number}."
    advice = f"It has {len(found)}; they are counted from 1." if found else None
    made.error("Z403", message, item.file.span(number), advice)
    return None


def _is_stage(item: Item) -> bool:
    return getattr(item.node, "rule", "") in STAGE_RULES


def _put_stages(made: Amendments, decl: Decl, item: Item, at: int, width: int, block: Any) -> None:
    """Other stages in the place of some items. Their numbers shift, so only one pack may."""
    change = Change("the stages", item.span, way=f"stages by {item.pack}")
    made.conflicts.note(decl, change)
    old = decl.items[at : at + width]
    new = [Item(one, item.file) for one in block.parts] if block is not None else []
    made.unsaid(decl, item.span, [one.node for one in old])
    decl.items[at : at + width] = new


@part("replace_stage")
def _replace_stage(made: Amendments, decl: Decl, item: Item) -> None:
    number, block = item.node.parts
    _edit_stage(made, decl, item, number, block)


def _remove_stage(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    _edit_stage(made, decl, item, reference.parts[0], None)


def _edit_stage(made: Amendments, decl: Decl, item: Item, number: Token, block: Any) -> None:
    at = _stage(made, decl, item, number)
    if at is not None:
        _put_stages(made, decl, item, at, 1, block)


@part("stage_before", "stage_after")
def _insert_stage(made: Amendments, decl: Decl, item: Item) -> None:
    block, number = item.node.parts
    at = _stage(made, decl, item, number)
    if at is not None:
        _put_stages(made, decl, item, at + (item.node.rule == "stage_after"), 0, block)


# ---- parameters of an action ------------------------------------------------------------------


def _parameter(made: Amendments, decl: Decl, item: Item, name: Token) -> int | None:
    if decl.word != "action":
        message = f"Only the parameters of an action can be changed; `{decl.spoken}` is none."
        made.error("Z310", message, item.file.span(name), "Replace the whole declaration.")
        return None
    known = [str(inner(one).parts[0]) for one in parameters(decl.node)]
    if name in known:
        return known.index(name)
    change = Change(f"the parameter `{name}`", item.file.span(name))
    if not made.conflicts.was_changed(decl, change):
        made.missing(decl, item, name, "parameter", known)
    return None


def _put_parameters(decl: Decl, at: int, width: int, *new: Node) -> None:
    found = list(parameters(decl.node))
    found[at : at + width] = new
    decl.node = with_parameters(decl.node, found)


@part("replace_parameter")
def _replace_parameter(made: Amendments, decl: Decl, item: Item) -> None:
    param: Node = item.node.parts[0]
    name = param.parts[0]
    at = _parameter(made, decl, item, name)
    if at is not None:
        made.conflicts.note(decl, Change(f"the parameter `{name}`", item.file.span(name)))
        made.unsaid(decl, item.span, [parameters(decl.node)[at]])
        _put_parameters(decl, at, 1, elsewhere(param, item.file))


def _remove_parameter(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    name = reference.parts[0]
    at = _parameter(made, decl, item, name)
    if at is not None:
        span = item.file.span(name)
        made.conflicts.note(decl, Change(f"the parameter `{name}`", span))
        made.unsaid(decl, span, [parameters(decl.node)[at]])
        _put_parameters(decl, at, 1)


@part("parameter_before", "parameter_after")
def _insert_parameter(made: Amendments, decl: Decl, item: Item) -> None:
    param, anchor = item.node.parts
    at = _parameter(made, decl, item, anchor)
    if at is None:
        return
    if any(inner(one).parts[0] == param.parts[0] for one in parameters(decl.node)):
        made.taken(decl, item, param.parts[0], "parameter")
        return
    after = item.node.rule == "parameter_after"
    _put_parameters(decl, at + after, 0, elsewhere(param, item.file))


# ---- the sequence of phases -------------------------------------------------------------------

Edit = Callable[[list[Any], int], None]


def _insert_phase(
    made: Amendments, decl: Decl, item: Item, anchor: Token, new: Token, after: bool
) -> None:
    name = Node("name", (new,), new.start_pos, new.end_pos)
    phase = elsewhere(name, item.file)
    _edit_phases(made, decl, item, anchor, lambda parts, at: parts.insert(at + after, phase))


def _remove_phase(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    anchor = reference.parts[0].parts[0]
    if _edit_phases(made, decl, item, anchor, lambda parts, at: parts.pop(at)):
        span = item.file.span(anchor)
        made.conflicts.note(decl, Change(f"the phase `{anchor}`", span))
        made.unsaid(decl, span, [anchor])


def _edit_phases(made: Amendments, decl: Decl, item: Item, anchor: Token, edit: Edit) -> bool:
    """Change the list of phases in which the anchor stands; whether there is one."""
    if decl.word != "turn":
        message = f"Only a turn has a sequence of phases; `{decl.spoken}` has none."
        made.error("Z310", message, item.file.span(anchor), "Write `amend turn main { … }`.")
        return False
    known: list[str] = []
    for index, old in enumerate(decl.items):
        if field_name(old.node) not in ("start", "phases"):
            continue
        entries: Node = old.node.parts[1]
        names = [_phase_name(entry) for entry in entries.parts]
        known += names
        if str(anchor) in names:
            parts = list(entries.parts)
            edit(parts, names.index(str(anchor)))
            entries = Node("entries", tuple(parts), entries.start, entries.end)
            field = (old.node.parts[0], entries, None, None)
            decl.items[index] = Item(Node("field", field, old.node.start, old.node.end), old.file)
            return True
    made.missing(decl, item, anchor, "phase", known)
    return False


def _phase_name(entry: Any) -> str:
    node = inner(entry)
    return str(node.parts[0]) if getattr(node, "rule", "") == "name" else ""


_REMOVING: dict[str, Callable[[Amendments, Decl, Item, Node], None]] = {
    "ref_needs": remove_single,
    "ref_reading": remove_reading,
    "ref_prefer": remove_single,
    "ref_field": remove_field,
    "ref_step": _remove_step,
    "ref_stage": _remove_stage,
    "ref_parameter": _remove_parameter,
    "ref_phase": _remove_phase,
}
