"""What amendments do to steps, decisions, parameters and the sequence of phases."""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.linking.amend import Amendments, part
from ziggurat.dsl.linking.amend_fields import (
    field_name,
    remove_field,
    remove_reading,
    remove_reference,
    remove_single,
)
from ziggurat.dsl.linking.amend_stages import remove_stage
from ziggurat.dsl.linking.amendment_conflicts import Change
from ziggurat.dsl.linking.bodies import (
    decision_name,
    decisions,
    edited,
    is_decision,
    is_node,
    labels,
    renamed,
    step_names,
    steps_called,
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


@part("remove_clause")
def _remove_clause(made: Amendments, decl: Decl, item: Item) -> None:
    reference: Node = item.node.parts[0]
    _REMOVING.get(reference.rule, remove_reference)(made, decl, item, reference)


# ---- steps and decisions ----------------------------------------------------------------------


def _step(made: Amendments, decl: Decl, name: str, span: Span, removing: bool) -> Node | None:
    """The one step that a name means, or None after saying that there is none or more of them."""
    found = steps_called(decl.items, name)
    if len(found) == 1:
        return found[0]
    if found:
        message = f"`{decl.spoken}` has {len(found)} steps that `{name}` could mean."
        advice = "Name another step beside it, or write the whole declaration anew with `replace`."
        made.error("Z403", message, span, advice)
    elif not made.conflicts.was_changed(decl, _step_change(name, span), removing):
        made.missing(decl, name, span, "step", step_names(decl.items))
    return None


def _step_change(name: str, span: Span) -> Change:
    return Change(f"the step `{name}`", span)


def _put_step(made: Amendments, decl: Decl, name: str, span: Span, new: Node | None) -> None:
    """Put another node, or none, in the place of a step."""
    old = _step(made, decl, name, span, removing=new is None)
    if old is not None:
        made.conflicts.note(decl, _step_change(name, span))
        made.unsaid(decl, span, [old])
        decl.items = edited(decl.items, is_node(old), lambda _: [new] if new else [])


def _remove_step(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    path = reference.parts[0]
    _put_step(made, decl, ".".join(path.parts), item.file.span(path), None)


@part("replace_step")
def _replace_step(made: Amendments, decl: Decl, item: Item) -> None:
    step: Node = item.node.parts[0]
    name = step.parts[0]
    _put_step(made, decl, str(name), item.file.span(name), _as_step(step, item))


@part("replace_decision")
def _replace_decision(made: Amendments, decl: Decl, item: Item) -> None:
    decision: Node = item.node.parts[0]
    name = next(one for one in decision.parts if one == decision_name(decision))
    known = decisions(decl.items)
    change = Change(f"the decision `{name}`", item.file.span(name))
    if name not in known:
        if not made.conflicts.was_changed(decl, change):
            made.missing(decl, name, change.span, "decision", known)
        return
    made.conflicts.note(decl, change)
    made.unsaid(decl, change.span, [known[str(name)]])
    new = elsewhere(decision, item.file)
    decl.items = edited(decl.items, is_decision(str(name)), lambda _: [new])


@part("rename_step")
def _rename_step(made: Amendments, decl: Decl, item: Item) -> None:
    old, new = item.node.parts
    known = labels(decl.items)
    if old not in known:
        made.missing(decl, old, item.file.span(old), "labelled step", known)
    elif new in known:
        made.taken(decl, item, new, "step")
    else:
        made.conflicts.note(decl, _step_change(old, item.file.span(old)))
        step = known[str(old)]
        decl.items = edited(decl.items, is_node(step), lambda one: [renamed(one, str(new))])


@part("insert_before", "insert_after")
def _insert(made: Amendments, decl: Decl, item: Item) -> None:
    what, anchor = item.node.parts
    after = item.node.rule == "insert_after"
    if isinstance(what, Token):
        _insert_phase(made, decl, item, anchor.parts[-1], what, after)
    elif isinstance(what, Declaration):
        message = "Only steps and phases can be inserted at a place."
        made.error("Z310", message, item.file.span(what), "Write the declaration on its own.")
    elif what.parts[0] in labels(decl.items):
        made.taken(decl, item, what.parts[0], "step")
    else:
        name, span = ".".join(anchor.parts), item.file.span(anchor)
        old = _step(made, decl, name, span, removing=False)
        if old is not None:
            new = _as_step(what, item)
            both = [old, new] if after else [new, old]
            decl.items = edited(decl.items, is_node(old), lambda _: both)


def _as_step(step: Node, item: Item) -> Node:
    return elsewhere(Node("step", (step,), step.start, step.end), item.file)


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
        made.missing(decl, name, change.span, "parameter", known)
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
    made.missing(decl, anchor, item.file.span(anchor), "phase", known)
    return False


def _phase_name(entry: Any) -> str:
    node = inner(entry)
    return str(node.parts[0]) if getattr(node, "rule", "") == "name" else ""


_REMOVING: dict[str, Callable[[Amendments, Decl, Item, Node], None]] = {
    "ref_needs": remove_single,
    "ref_should": remove_single,
    "ref_reading": remove_reading,
    "ref_prefer": remove_single,
    "ref_field": remove_field,
    "ref_step": _remove_step,
    "ref_stage": remove_stage,
    "ref_parameter": _remove_parameter,
    "ref_phase": _remove_phase,
}
