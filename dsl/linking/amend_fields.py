"""What amendments do to fields, titles, clauses and texts."""

import re
from collections.abc import Iterable
from typing import Any

from ziggurat.dsl.diagnostics import Diagnostic, Note, did_you_mean
from ziggurat.dsl.linking.amend import Amendments, part
from ziggurat.dsl.linking.amendment_conflicts import NUMBER, Change
from ziggurat.dsl.linking.bodies import reworded, same_text, wordings
from ziggurat.dsl.linking.model import (
    Decl,
    Item,
    elsewhere,
    parameters,
    signed,
    unquoted,
    with_parameters,
)
from ziggurat.dsl.syntax import Declaration, Node

_WORD = re.compile(r"\w+")

_WHOLE = frozenset({"field", "field_shape"})
_RELATIVE = frozenset({"field_plus", "field_minus"})
_ENTRIES = frozenset({"entry_is", "entry_plus", "entry_minus"})
_REFERENCES = {
    "ref_modify": "modify", "ref_allow": "allow", "ref_forbid": "forbid", "ref_before": "before",
    "ref_after": "after", "ref_instead": "instead",
}  # fmt: skip
# Said twice they are the same as said once.
_DEMANDS = frozenset({"needs", "should", "should_sometimes", "allow", "forbid"})
_READINGS = frozenset({"reading", "reading_not_built"})
_SINGLE = {"ref_needs": "needs", "ref_should": "should", "ref_prefer": "prefer"}
_SPOKEN = {"instead": "instead of"}
# What stands after `=` in a declaration has these names in amendments.
_BASES = (("value", "base"), ("mark", "shows"))


# ---- fields -----------------------------------------------------------------------------------


@part("field", "field_shape")
def _set_field(made: Amendments, decl: Decl, item: Item) -> None:
    name = str(item.node.parts[0])
    if name == "title" and _is_title(made, decl, item):
        made.conflicts.note(decl, Change("the title", item.span))
        decl.title = unquoted(item.node.parts[1].parts[0].parts[0])
        return
    told = f"makes `{name}` {' '.join(item.file.span(item.node.parts[1]).text.split())}"
    made.conflicts.note(decl, Change(f"`{name}`", item.span, told=told))
    if (decl.word, name) in _BASES:
        whole = item.node.rule == "field"
        made.unsaid(decl, item.span, [decl.base.node] if decl.base else ())
        before = decl.base
        decl.base = Item(item.node.parts[1].parts[0], item.file) if whole else None
        if before and decl.base:
            _check_change(made, decl, item, [before], decl.base.node)
        return
    old = [one for one in decl.items if field_name(one.node) == name]
    _check_change(made, decl, item, old, item.node)
    made.unsaid(decl, item.span, [one.node for one in old])
    decl.items = [one for one in decl.items if one not in old]
    decl.items.append(item)


def _check_change(
    made: Amendments, decl: Decl, item: Item, before: Iterable[Item], node: Node
) -> None:
    """Say so if an amendment says what the declaration itself says."""
    for old in before:
        if old.pack == decl.pack and same_text(old.node, node):
            message = f"This changes nothing: `{decl.spoken}` is already so."
            note = Note("It is said here.", old.span)
            advice = "Take it away, or say what is to be different."
            found = Diagnostic("Z523", message, item.span, advice, (note,), "warning")
            made.findings.add(found)


def _is_title(made: Amendments, decl: Decl, item: Item) -> bool:
    """Whether `title: "…"` is the title of the declaration, not a field of its kind."""
    kind = made.book.of("kind").get(decl.word)
    if kind is not None and any(field_name(one.node) == "title" for one in kind.items):
        return False
    entries = item.node.parts[1].parts
    return item.node.rule == "field" and len(entries) == 1 and entries[0].rule == "text"


@part("field_plus", "field_minus")
def _change_field(made: Amendments, decl: Decl, item: Item) -> None:
    name = str(item.node.parts[0])
    changes = signed(item.node)
    if all(node.rule == "name" for _, node in changes):
        for sign, node in changes:
            member = node.parts[0]
            told = f"{'adds' if sign > 0 else 'takes'} `{member}` {_TO[sign]} `{name}`"
            way = f"{'+' if sign > 0 else '-'}{member}"
            made.conflicts.note(decl, Change(f"`{name}` ({member})", item.span, way, told))
    else:
        written = " ".join(item.span.text.split()).removeprefix(name).strip()
        told = f"changes `{name}` by {written}"
        made.conflicts.note(decl, Change(f"`{name}`", item.span, NUMBER, told))
    if (decl.word, name) in _BASES:
        decl.base = _more(decl, item)
    else:
        decl.items.append(item)


_TO = {1: "to", -1: "from"}


def _more(decl: Decl, item: Item) -> Item | None:
    """The base after `base +1`, which adds to what was there."""
    if decl.base is None:
        return None
    found = elsewhere(decl.base.node, decl.base.file)
    for sign, node in signed(item.node):
        rule = "plus" if sign > 0 else "minus"
        found = Node(rule, (found, node), item.node.start, item.node.end)
    return Item(found, item.file)


@part("entry_is", "entry_plus", "entry_minus")
def _change_entry(made: Amendments, decl: Decl, item: Item) -> None:
    name, key, value = item.node.parts
    clause, written = f"`{name}` ({key})", " ".join(item.file.span(value).text.split())
    if item.node.rule == "entry_is":
        told = f"makes `{name}` for `{key}` {written}"
        made.conflicts.note(decl, Change(clause, item.span, told=told))
    else:
        sign = "+" if item.node.rule == "entry_plus" else "-"
        told = f"changes `{name}` for `{key}` by {sign}{written}"
        made.conflicts.note(decl, Change(clause, item.span, NUMBER, told))
    decl.items.append(item)


@part("body")
def _replace_body(made: Amendments, decl: Decl, item: Item) -> None:
    name = item.node.parts[0]
    span = item.file.span(name)
    made.conflicts.note(decl, Change(f"the block `{name}`", span))
    old = [one for one in decl.items if _rule(one.node) == "body" and one.node.parts[0] == name]
    made.unsaid(decl, span, [one.node for one in old])
    decl.items = [one for one in decl.items if one not in old]
    decl.items.append(item)


# ---- clauses ----------------------------------------------------------------------------------


@part(
    "modify",
    "allow",
    "forbid",
    "before",
    "after",
    "instead",
    "needs",
    "should",
    "should_sometimes",
    "prefer",
)
def _add_clause(made: Amendments, decl: Decl, item: Item) -> None:
    target = item.node.parts[0]
    args = target.parts[1] if _rule(target) == "target" else None
    made.conflicts.added(decl, Change(_with_arguments(_clause(item.node), args, item), item.span))
    if item.node.rule in _DEMANDS:
        _check_change(made, decl, item, decl.items, item.node)
    decl.items.append(item)


def remove_reference(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    """`remove modify reach`, or only those with these arguments: `remove modify reach(holder)`."""
    rule = _REFERENCES[reference.rule]
    path, args = reference.parts[0].parts
    name = ".".join(path.parts)
    what = f"`{_SPOKEN.get(rule, rule)} {name}`"
    gone = [one for one in decl.items if _clause(one.node) == what]
    if args is not None:
        gone = [one for one in gone if same_text(one.node.parts[0].parts[1], args)]
    known = [_touched(one.node) for one in decl.items if _rule(one.node) == rule]
    removed(made, decl, item, gone, what, known, clause=_with_arguments(what, args, item))


def _with_arguments(clause: str, args: Node | None, item: Item) -> str:
    """The name of a clause by which one with other arguments is another one."""
    if args is None:
        return clause
    return f"{clause} ({' '.join(item.file.span(args).text.strip('()').split())})"


def remove_single(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    """`remove needs`: all of them, or the one that says so, by its condition or its text."""
    what = f"`{_SINGLE[reference.rule]}`"
    gone = [one for one in decl.items if _clause(one.node) == what]
    if reference.parts[0] is not None:
        gone = [one for one in gone if _is_meant(one.node, reference)]
    removed(made, decl, item, gone, what)


def _is_meant(clause: Node, reference: Node) -> bool:
    said = reference.parts[0]
    if reference.rule in ("ref_needs", "ref_should") and said.rule == "text":
        return unquoted(clause.parts[1]) == unquoted(said.parts[0])
    return all(map(same_text, clause.parts, reference.parts))


def remove_reading(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    """`remove reading "…"`: by its words."""
    said = unquoted(reference.parts[0])
    written = {
        unquoted(one.node.parts[0]): one for one in decl.items if _rule(one.node) in _READINGS
    }
    gone = [written[said]] if said in written else []
    removed(made, decl, item, gone, f'"{said}"', written, noun="reading ")


def remove_field(made: Amendments, decl: Decl, item: Item, reference: Node) -> None:
    name = ".".join(reference.parts[0].parts)
    gone = [one for one in decl.items if field_name(one.node) == name]
    known = [found for one in decl.items if (found := field_name(one.node))]
    removed(made, decl, item, gone, f"`{name}`", known, noun="field ")


def removed(
    made: Amendments, decl: Decl, item: Item, gone: list[Item], what: str, known: Any = (),
    noun: str = "", clause: str = "",
) -> None:  # fmt: skip
    """Take items out of a declaration, or say that there are none or that packs clash."""
    span = item.file.span(item.node.parts[0])
    clause = clause or what
    change = Change(clause, span)
    added = [one for one in gone if one.pack != decl.pack]
    if any(made.conflicts.clashes(decl, Change(clause, one.span), change) for one in added):
        return
    if not gone:
        if made.conflicts.was_changed(decl, change, removing=True):
            return
        name = what.strip('"') if what[0] == '"' else what.strip("`").rpartition(" ")[2]
        message = f"`{decl.spoken}` has no {noun}{what} to remove."
        if _rule(item.node.parts[0]) in _SINGLE and item.node.parts[0].parts[0] is not None:
            message = f"`{decl.spoken}` has no {what} that says this."
        made.error("Z403", message, span, did_you_mean(name, known))
        return
    made.conflicts.note(decl, change)
    made.unsaid(decl, span, [one.node for one in gone])
    decl.items = [one for one in decl.items if one not in gone]


@part("reword")
def _reword(made: Amendments, decl: Decl, item: Item) -> None:
    """Say something in other words: a prompt, a reason, what is announced."""
    old, new = item.node.parts
    wording = unquoted(old)
    changed = [Item(reworded(one.node, wording, new, item.file), one.file) for one in decl.items]
    node = _reworded_parameters(decl, wording, new, item)
    same = all(a.node is b.node for a, b in zip(changed, decl.items, strict=True))
    if same and node is decl.node:
        span = item.file.span(old)
        if not made.conflicts.was_changed(decl, Change(f"the text {old}", span)):
            advice = _wording_there(decl, wording)
            made.error("Z403", f"`{decl.spoken}` says this nowhere.", span, advice)
        return
    made.conflicts.note(decl, Change(f"the text {old}", item.span))
    decl.items, decl.node = changed, node


def _wording_there(decl: Decl, wording: str) -> str | None:
    """Return what to write for a text that is not there: the one with most of its words."""
    texts = [text for one in decl.items for text in wordings(one.node)]
    texts += [text for one in parameters(decl.node) for text in wordings(one)]
    wanted = set(_WORD.findall(wording.casefold()))
    shared = {text: len(wanted & set(_WORD.findall(text.casefold()))) for text in texts}
    if not texts:
        return "There is no text in it."
    nearest = max(texts, key=lambda text: shared[text])
    if len(texts) == 1 or 2 * shared[nearest] >= len(wanted):
        return f'Write `reword "{nearest}" to …`.'
    return None


def _reworded_parameters(decl: Decl, wording: str, new: Any, item: Item) -> Declaration:
    before = parameters(decl.node)
    after = [reworded(one, wording, new, item.file) for one in before]
    same = all(a is b for a, b in zip(before, after, strict=True))
    return decl.node if same else with_parameters(decl.node, after)


def _rule(node: Any) -> str:
    return node.rule if isinstance(node, Node) else ""


def _touched(node: Node) -> str:
    """What a clause such as `modify limit(holder)` is about."""
    return ".".join(node.parts[0].parts[0].parts)


def _clause(node: Any) -> str:
    """How a clause is addressed, with others of its sort about the same thing; or nothing."""
    rule = _rule(node)
    if rule in _REFERENCES.values():
        return f"`{_SPOKEN.get(rule, rule)} {_touched(node)}`"
    word = rule.partition("_")[0]  # `should sometimes` is a `should`
    return f"`{word}`" if word in _SINGLE.values() else ""


def field_name(node: Any) -> str:
    return str(node.parts[0]) if _rule(node) in _WHOLE | _RELATIVE | _ENTRIES else ""
