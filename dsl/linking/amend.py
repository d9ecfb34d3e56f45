"""Amendments: how a later pack changes what earlier ones declared.

Everything happens on collected declarations, before names mean anything, so that whatever comes
out is checked like any other text. Who changed which clause is remembered: two packs that change
the same one, though neither builds on the other, are told so with both places.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, Span, did_you_mean
from ziggurat.dsl.linking.amendment_conflicts import Change, Conflicts
from ziggurat.dsl.linking.bodies import decision_name, label, nodes_in, same_text
from ziggurat.dsl.linking.citing import cited_above, metas_of
from ziggurat.dsl.linking.model import (
    BUILT_IN,
    NESTABLE,
    Alias,
    Book,
    Decl,
    Item,
    inner,
    is_meta,
    parameters,
    title_path,
)
from ziggurat.dsl.linking.removals import Removal
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import Declaration, File, Node, Token

MakeDecl = Callable[..., Decl]


class Amendments:
    """Applies one amendment after the other to a book."""

    def __init__(
        self,
        book: Book,
        stack: Stack,
        findings: Findings,
        make_decl: MakeDecl,
        files: Mapping[str, File],
    ) -> None:
        self.book = book
        self.findings = findings
        self.make_decl = make_decl
        self.conflicts = Conflicts(stack, findings, files)

    def apply(self, item: Item) -> None:
        _TOPS[item.node.rule](self, item)

    def error(self, code: str, message: str, span: Span, advice: str | None = None) -> None:
        self.findings.add(Diagnostic(code, message, span, advice))

    def target(self, item: Item, word: Token, path: Node) -> Decl | None:
        """The declaration an amendment is about, or None after saying that there is none."""
        name = _name(path)
        decl = self.book.find(str(word), name)
        if decl is not None:
            self.book.addressed.append((decl, item.file.span(path.parts[-1])))
            return decl
        page = self.book.of(str(word))
        if not page and word not in BUILT_IN and word not in self.book.of("kind"):
            near = did_you_mean(word, (*BUILT_IN, *self.book.of("kind")))
            self.error("Z202", f"There is no kind called `{word}`.", item.file.span(word), near)
            return None
        removal = self.book.gone.get((str(word), name))
        if removal is not None:
            spoken, key = removal.spoken, (str(word), name)
            self.conflicts.changes_removed(item, spoken, key, path, removal)
            return None
        self._unknown(item, word, path, page)
        return None

    def _unknown(self, item: Item, word: Token, path: Node, page: Iterable[str]) -> None:
        if path.rule == "title":
            known = {decl.title: decl for decl in self.book.scenarios}
            message = f"There is no {word} with this title to change."
            near = did_you_mean(path.parts[0][1:-1], known) or "Correct the title."
        else:
            name = ".".join(path.parts)
            message = f"There is no {word} called `{name}` to change."
            declare = "Declare it without `amend`, or correct the name."
            other = declare if item.node.rule == "amend" else "Correct the name."
            near = did_you_mean(name, page) or other
        self.error("Z402", message, item.file.span(path), near)

    # ---- whole declarations -----------------------------------------------------------------

    def amend(self, item: Item) -> None:
        word, path, metas, block = item.node.parts
        decl = self.target(item, word, path)
        if decl is not None:
            decl.metas += cited_above(metas_of(item.node), item.node.start, item.file)
            parts = [*metas.parts, *block.parts]
            for part in sorted(parts, key=is_meta, reverse=True):  # what it cites comes first
                self.change(decl, Item(part, item.file))

    def replace(self, item: Item) -> None:
        node: Declaration = item.node.parts[0]
        new = self.make_decl(node, item.file)
        path = _written_path(node)
        if self._settles_removal(new.word, new.path, item.pack):
            self._enter(new)
            return
        old = self.target(item, node.word, path)
        if old is None:
            return
        span = item.file.span(path)
        self.conflicts.note(old, Change("", span))
        self.book.addressed.append((new, old.name_span))
        removal = Removal(old.spoken, span, "replaces")
        for child in old.children:
            self.book.of(child.word).pop(child.path, None)
        _move_in(new, old)
        self._enter(new)
        self._note("replaces", new, span)
        self._remember(new, removal, parameters(old.node))
        kept = {child.path for child in new.children}
        names = [child.path for child in old.children if child.path not in kept]
        self.book.gone_names.update(dict.fromkeys((*names, *inner_names(old)), removal))
        self.book.unsaid([old.node, *(one.node for one in old.items)], removal)

    def _enter(self, new: Decl) -> None:
        self.book.put(new)
        for child in new.children:
            self.book.put(child)

    def _settles_removal(self, word: str, path: str, pack: str) -> bool:
        """Whether a clash about something that another pack removed is settled by this one."""
        return (word, path) in self.book.gone and self.conflicts.settles((word, path), "", pack)

    def remove(self, item: Item) -> None:
        word, *paths = item.node.parts
        for path in paths:
            if self._settles_removal(str(word), _name(path), item.pack):
                continue
            decl = self.target(item, word, path)
            if decl is not None:
                span = item.file.span(path)
                self.conflicts.note(decl, Change("", span))
                self._note("removes", decl, span)
                self.book.forget(decl, Removal(decl.spoken, span))

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
        self.conflicts.note(decl, Change("the name", item.file.span(path)))
        self._note("changes", decl, item.span)
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
        self._note("changes", decl, item.span, _field(node))
        if isinstance(node, Declaration):
            self.add_declaration(decl, item)
            return
        params = parameters(decl.node)
        handler = PARTS.get(node.rule)
        if handler is not None:
            before = inner_names(decl)
            handler(self, decl, item)
            lost = set(before).difference(inner_names(decl))
            removal = Removal(decl.spoken, item.span, "changes")
            self.book.gone_names.update(dict.fromkeys(sorted(lost), removal))
        elif is_meta(node):
            decl.metas.append(item)
        else:
            decl.items.append(item)
        self._remember(decl, Removal(decl.spoken, item.span, "changes"), params)

    def _remember(self, decl: Decl, change: Removal, params: tuple[Node, ...]) -> None:
        """Note down for those who call a declaration that it changed: its parameters, if they did,
        or else the first that did."""
        now = parameters(decl.node)
        if len(now) == len(params) and all(map(same_text, now, params)):
            self.book.changed.setdefault(decl.id, change)
        else:
            self.book.changed[decl.id] = change

    def _note(self, does: str, decl: Decl, span: Span, field: str = "") -> None:
        self.book.amendments.append((does, decl, span, field))

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

    def unsaid(self, decl: Decl, span: Span, nodes: Iterable[Any]) -> None:
        """Something of a declaration is said no more."""
        self.book.unsaid(nodes, Removal(decl.spoken, span, "changes"))

    def missing(self, decl: Decl, name: str, span: Span, noun: str, known: Any) -> None:
        message = f"`{decl.spoken}` has no {noun} called `{name}`."
        self.error("Z403", message, span, did_you_mean(name, known))

    def taken(self, decl: Decl, item: Item, name: Token, noun: str) -> None:
        message = f"`{decl.spoken}` already has a {noun} called `{name}`."
        self.error("Z408", message, item.file.span(name), "Choose another name.")


_TOPS: dict[str, Callable[[Amendments, Item], None]] = {
    "amend": Amendments.amend,
    "replace_decl": Amendments.replace,
    "remove_decl": Amendments.remove,
    "rename_decl": Amendments.rename,
}
PartHandler = Callable[[Amendments, Decl, Item], None]
# How the parts of an `amend` change a declaration, by the rule of the grammar.
PARTS: dict[str, PartHandler] = {}


def part(*rules: str) -> Callable[[PartHandler], PartHandler]:
    """Register a function for parts of amendments."""

    def register(function: PartHandler) -> PartHandler:
        PARTS.update(dict.fromkeys(rules, function))
        return function

    return register


def inner_names(decl: Decl) -> list[str]:
    """The paths of steps and decisions in a declaration, and of the parameters of an action."""
    found = [f"{decl.path}.{inner(node).parts[0]}" for node in parameters(decl.node)]
    for item in decl.items:
        in_body = isinstance(item.node, Node) and item.node.rule == "body"
        home = f"{decl.path}.{item.node.parts[0]}" if in_body else decl.path
        for node in nodes_in([item]):
            name = str(label(node)) if node.rule == "step" else decision_name(node)
            found += [f"{home}.{name}"] if name else []
    return found


def _field(node: Any) -> str:
    """The field that a part of an amendment sets, changes or takes away."""
    rule = getattr(node, "rule", "")
    if rule.startswith(("field", "entry")):
        return str(node.parts[0])
    is_removal = rule == "remove_clause" and node.parts[0].rule == "ref_field"
    return ".".join(node.parts[0].parts[0].parts) if is_removal else ""


def _name(path: Node) -> str:
    return title_path(path.parts[0][1:-1]) if path.rule == "title" else ".".join(path.parts)


def _written_path(node: Declaration) -> Node:
    if not node.path and node.title:
        title = node.title
        return Node("title", (title,), title.start_pos, title.end_pos)
    first, last = (node.path[0], node.path[-1]) if node.path else (node.word, node.word)
    return Node("path", node.path, first.start_pos, last.end_pos)


def _move_in(new: Decl, old: Decl) -> None:
    """What is replaced inside a thing stays there: it speaks of `this`, and is for its holders."""
    new.home = old.home
    if old.home is not None:
        siblings = old.home.children
        siblings[siblings.index(old)] = new
