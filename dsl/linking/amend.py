"""Amendments: how a later pack changes what earlier ones declared.

Everything happens on collected declarations, before names mean anything, so that whatever comes
out is checked like any other text. Who changed which clause is remembered: two packs that change
the same one, though neither builds on the other, are told so with both places.
"""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, Span, did_you_mean
from ziggurat.dsl.linking.amendment_conflicts import Conflicts
from ziggurat.dsl.linking.bodies import find_labels, insert_beside, rename_label, replace_label
from ziggurat.dsl.linking.model import BUILT_IN, NESTABLE, Alias, Book, Decl, Item, elsewhere
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import Declaration, Node, Token

_FIELDS = frozenset({"field", "field_shape"})
_RELATIVE = frozenset({"field_plus", "field_minus"})
_REFERENCES = {
    "ref_modify": "modify", "ref_allow": "allow", "ref_forbid": "forbid", "ref_before": "before",
    "ref_after": "after", "ref_instead": "instead",
}  # fmt: skip
_SINGLE = {"ref_needs": "needs", "ref_prefer": "prefer"}
# What stands after `=` in a declaration has these names in amendments.
_BASES = (("value", "base"), ("mark", "shows"))
_SPOKEN = {"instead": "instead of"}

MakeDecl = Callable[..., Decl]


class Amendments:
    """Applies one amendment after the other to a book."""

    def __init__(self, book: Book, stack: Stack, findings: Findings, make_decl: MakeDecl) -> None:
        self.book = book
        self.findings = findings
        self.make_decl = make_decl
        self.conflicts = Conflicts(stack, findings)

    def apply(self, item: Item) -> None:
        _TOPS[item.node.rule](self, item)

    def error(self, code: str, message: str, span: Span, advice: str | None = None) -> None:
        self.findings.add(Diagnostic(code, message, span, advice))

    def target(self, item: Item, word: Token, path: Node) -> Decl | None:
        """The declaration an amendment is about, or None after saying that there is none."""
        name = ".".join(path.parts)
        decl = self.book.find(str(word), name)
        if decl is None:
            page = self.book.of(str(word))
            if not page and word not in BUILT_IN and word not in self.book.of("kind"):
                near = did_you_mean(word, (*BUILT_IN, *self.book.of("kind")))
                self.error("Z202", f"There is no kind called `{word}`.", item.file.span(word), near)
                return None
            removal = self.book.gone.get((str(word), name))
            if removal is not None:
                self.conflicts.changes_removed(item, f"{word} {name}", path, removal)
                return None
            message = f"There is no {word} called `{name}` to change."
            near = did_you_mean(name, page) or "Declare it without `amend`, or correct the name."
            self.error("Z402", message, item.file.span(path), near)
        return decl

    # ---- whole declarations -----------------------------------------------------------------

    def amend(self, item: Item) -> None:
        word, path, block = item.node.parts
        decl = self.target(item, word, path)
        if decl is not None:
            for part in block.parts:
                self.change(decl, Item(part, item.file))

    def replace(self, item: Item) -> None:
        node: Declaration = item.node.parts[0]
        new = self.make_decl(node, item.file)
        path = Node("path", node.path, *_path_bounds(node))
        old = self.target(item, node.word, path)
        if old is None:
            return
        self.conflicts.note(old, "", item.file.span(path))
        for child in old.children:
            self.book.of(child.word).pop(child.path, None)
        self.book.put(new)
        for child in new.children:
            self.book.put(child)

    def remove(self, item: Item) -> None:
        word, path = item.node.parts
        decl = self.target(item, word, path)
        if decl is not None:
            self.conflicts.note(decl, "", item.file.span(path))
            self.book.gone[decl.word, decl.path] = item.file.span(path)
            self.forget(decl)

    def forget(self, decl: Decl) -> None:
        self.book.of(decl.word).pop(decl.path)
        for child in decl.children:
            self.book.of(child.word).pop(child.path, None)
        if decl.home:
            decl.home.children.remove(decl)

    def rename(self, item: Item) -> None:
        word, path, new = item.node.parts
        decl = self.target(item, word, path)
        if decl is None:
            return
        new_path = f"{decl.path.rpartition('.')[0]}.{new}" if "." in decl.path else str(new)
        if new_path in self.book.of(decl.word):
            note = Note("It is here.", self.book.of(decl.word)[new_path].name_span)
            message = f"There is already a {word} called `{new}`."
            span = item.file.span(new)
            self.findings.add(Diagnostic("Z408", message, span, "Choose another name.", (note,)))
            return
        self.conflicts.note(decl, "the name", item.file.span(path))
        self.move(decl, new_path, item)

    def move(self, decl: Decl, new_path: str, item: Item) -> None:
        page = self.book.of(decl.word)
        self.book.aliases[decl.word, decl.path] = Alias(new_path, item)
        old_path = decl.path
        decl.path = new_path
        self.book.pages[decl.word] = {one.path: one for one in page.values()}
        for child in decl.children:
            self.move(child, new_path + child.path.removeprefix(old_path), item)

    # ---- parts of a declaration -------------------------------------------------------------

    def change(self, decl: Decl, item: Item) -> None:
        node = item.node
        if isinstance(node, Declaration):
            self.add_declaration(decl, item)
            return
        handler = _PARTS.get(node.rule)
        if handler is not None:
            handler(self, decl, item)
        elif node.rule in _FIELDS or node.rule in _RELATIVE:
            self.change_field(decl, item)
        elif node.rule in ("cites", "tags"):
            decl.metas.append(item)
        else:
            if what := _clause(node):
                self.conflicts.added(decl, what, item.span)
            decl.items.append(item)

    def add_declaration(self, decl: Decl, item: Item) -> None:
        node: Declaration = item.node
        if node.word not in NESTABLE:
            decl.items.append(item)
            return
        child = self.make_decl(node, item.file, decl)
        first = self.book.of(child.word).get(child.path)
        if first is not None:
            message = f"There is already a declaration of `{child.spoken}`."
            advice = f"To change it write `amend {child.spoken} {{ … }}`."
            note = Note("The first one is here.", first.name_span)
            self.findings.add(Diagnostic("Z401", message, child.name_span, advice, (note,)))
            return
        decl.children.append(child)
        self.book.put(child)

    def change_field(self, decl: Decl, item: Item) -> None:
        name = str(item.node.parts[0])
        relative = item.node.rule in _RELATIVE
        span = item.file.span(item.node)
        self.conflicts.note(decl, f"`{name}`", span, relative)
        if (decl.word, name) in _BASES:
            decl.base = _new_base(decl, item, relative)
            return
        if not relative:
            decl.items = [old for old in decl.items if _field_name(old.node) != name]
        decl.items.append(item)

    def replace_body(self, decl: Decl, item: Item) -> None:
        name = item.node.parts[0]
        self.conflicts.note(decl, f"the block `{name}`", item.file.span(name))
        decl.items = [
            old
            for old in decl.items
            if not (
                isinstance(old.node, Node) and old.node.rule == "body" and old.node.parts[0] == name
            )
        ]
        decl.items.append(item)

    def remove_clause(self, decl: Decl, item: Item) -> None:
        reference: Node = item.node.parts[0]
        rule = reference.rule
        if rule in _REFERENCES:
            self.remove_reference(decl, item, _REFERENCES[rule], ".".join(reference.parts[0].parts))
        elif rule in _SINGLE:
            what = f"`{_SINGLE[rule]}`"
            kept = [old for old in decl.items if _clause(old.node) != what]
            self.removed(decl, item, kept, what, ())
        elif rule == "ref_field":
            name = ".".join(reference.parts[0].parts)
            kept = [old for old in decl.items if _field_name(old.node) != name]
            known = [found for old in decl.items if (found := _field_name(old.node))]
            self.removed(decl, item, kept, f"`{name}`", known, noun="field ")
        elif rule == "ref_step":
            self.edit_label(decl, item, reference.parts[0].parts[0], None)
        else:
            self.edit_phases(decl, item, reference.parts[0].parts[0], None)

    def remove_reference(self, decl: Decl, item: Item, rule: str, name: str) -> None:
        what = f"`{_SPOKEN.get(rule, rule)} {name}`"
        kept = [old for old in decl.items if _clause(old.node) != what]
        known = [_touched(old.node) for old in decl.items if _rule(old.node) == rule]
        self.removed(decl, item, kept, what, known)

    def removed(
        self, decl: Decl, item: Item, kept: list[Item], what: str, known: Any, noun: str = ""
    ) -> None:
        span = item.file.span(item.node.parts[0])
        added = [old for old in decl.items if old not in kept and old.pack != decl.pack]
        if any(self.conflicts.clashes(decl, what, old.span, span) for old in added):
            return
        if len(kept) == len(decl.items):
            if self.conflicts.was_changed(decl, what, span):
                return
            name = what.strip("`").rpartition(" ")[2]
            message = f"`{decl.spoken}` has no {noun}{what} to remove."
            self.error("Z403", message, span, did_you_mean(name, known))
            return
        self.conflicts.note(decl, what, span)
        decl.items = kept

    # ---- labelled steps and the sequence of phases ------------------------------------------

    def no_label(self, decl: Decl, item: Item, name: Token, noun: str, known: Any) -> None:
        message = f"`{decl.spoken}` has no {noun} called `{name}`."
        self.error("Z403", message, item.file.span(name), did_you_mean(name, known))

    def edit_label(self, decl: Decl, item: Item, name: Token, new: Node | None) -> None:
        labels = find_labels(decl.items)
        clause, span = f"the step `{name}`", item.file.span(name)
        if name not in labels:
            if not self.conflicts.was_changed(decl, clause, span):
                self.no_label(decl, item, name, "step", labels)
            return
        self.conflicts.note(decl, clause, span)
        decl.items = replace_label(decl.items, str(name), new)

    def replace_step(self, decl: Decl, item: Item) -> None:
        step: Node = item.node.parts[0]
        new = elsewhere(Node("step", (step,), step.start, step.end), item.file)
        self.edit_label(decl, item, step.parts[0], new)

    def rename_step(self, decl: Decl, item: Item) -> None:
        old, new = item.node.parts
        labels = find_labels(decl.items)
        if old not in labels:
            self.no_label(decl, item, old, "step", labels)
        elif new in labels:
            message = f"`{decl.spoken}` already has a step called `{new}`."
            self.error("Z408", message, item.file.span(new), "Choose another name.")
        else:
            self.conflicts.note(decl, f"the step `{old}`", item.file.span(old))
            decl.items = rename_label(decl.items, str(old), str(new))

    def insert(self, decl: Decl, item: Item) -> None:
        what, anchor = item.node.parts
        if isinstance(what, Token):
            self.edit_phases(decl, item, anchor, what)
            return
        labels = find_labels(decl.items)
        if anchor not in labels:
            self.no_label(decl, item, anchor, "step", labels)
            return
        if isinstance(what, Declaration):
            message = "Only steps and phases can be inserted at a place."
            self.error("Z310", message, item.file.span(what), "Write the declaration on its own.")
            return
        if what.parts[0] in labels:
            message = f"`{decl.spoken}` already has a step called `{what.parts[0]}`."
            self.error("Z408", message, item.file.span(what.parts[0]), "Choose another name.")
            return
        new = elsewhere(Node("step", (what,), what.start, what.end), item.file)
        after = item.node.rule == "insert_after"
        decl.items = insert_beside(decl.items, str(anchor), new, after)

    def edit_phases(self, decl: Decl, item: Item, anchor: Token, new: Token | None) -> None:
        """Insert a phase beside another one, or remove the anchor when there is no new one."""
        if decl.word != "turn":
            message = f"Only a turn has a sequence of phases; `{decl.spoken}` has none."
            self.error("Z310", message, item.file.span(anchor), "Write `amend turn main { … }`.")
            return
        known: list[str] = []
        for index, old in enumerate(decl.items):
            if _field_name(old.node) not in ("start", "phases"):
                continue
            entries: Node = old.node.parts[1]
            names = [_phase_name(entry) for entry in entries.parts]
            known += names
            if str(anchor) not in names:
                continue
            if new is None:
                self.conflicts.note(decl, f"the phase `{anchor}`", item.file.span(anchor))
            parts = list(entries.parts)
            at = names.index(str(anchor))
            if new is None:
                del parts[at]
            else:
                name = Node("name", (new,), *_token_bounds(new))
                after = item.node.rule == "insert_after"
                parts.insert(at + after, elsewhere(name, item.file))
            entries = Node("entries", tuple(parts), entries.start, entries.end)
            changed = Node(
                "field", (old.node.parts[0], entries, None, None), old.node.start, old.node.end
            )
            decl.items[index] = Item(changed, old.file)
            return
        self.no_label(decl, item, anchor, "phase", known)


_TOPS: dict[str, Callable[[Amendments, Item], None]] = {
    "amend": Amendments.amend,
    "replace_decl": Amendments.replace,
    "remove_decl": Amendments.remove,
    "rename_decl": Amendments.rename,
}
_PARTS: dict[str, Callable[[Amendments, Decl, Item], None]] = {
    "body": Amendments.replace_body,
    "remove_clause": Amendments.remove_clause,
    "replace_step": Amendments.replace_step,
    "rename_step": Amendments.rename_step,
    "insert_before": Amendments.insert,
    "insert_after": Amendments.insert,
}


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
    return f"`{rule}`" if rule in _SINGLE.values() else ""


def _field_name(node: Any) -> str:
    if isinstance(node, Node) and (node.rule in _FIELDS or node.rule in _RELATIVE):
        return str(node.parts[0])
    return ""


def _phase_name(entry: Any) -> str:
    node = entry.parts[0] if _rule(entry) == "elsewhere" else entry
    return str(node.parts[0]) if _rule(node) == "name" else ""


def _path_bounds(node: Declaration) -> tuple[int, int]:
    first, last = (node.path[0], node.path[-1]) if node.path else (node.word, node.word)
    return first.start_pos or 0, last.end_pos or 0


def _token_bounds(token: Token) -> tuple[int, int]:
    return token.start_pos or 0, token.end_pos or 0


def _new_base(decl: Decl, item: Item, relative: bool) -> Item | None:
    """The base after `base: 3` or `base +1`; the latter adds to what was there."""
    if not relative:
        return Item(item.node.parts[1].parts[0], item.file) if item.node.rule == "field" else None
    if decl.base is None:
        return None
    rule = "plus" if item.node.rule == "field_plus" else "minus"
    before = elsewhere(decl.base.node, decl.base.file)
    node = Node(rule, (before, item.node.parts[1]), item.node.start, item.node.end)
    return Item(node, item.file)
