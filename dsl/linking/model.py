"""Declarations as collected: syntax that remembers its file, and that amendments may change.

After amendments the parts of one declaration can come from several files, so every item travels
with its own. Inside a body a part from another file is wrapped in a node named `elsewhere`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import attrs

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.linking.removals import Loss, Removal, tokens_of
from ziggurat.dsl.syntax import Declaration, File, Node, Token

# Words that begin a declaration the language itself knows; all others name a kind of a pack.
BUILT_IN = (
    "kind", "piece", "place", "cards", "neutral", "attribute", "bundle", "option", "value",
    "order", "procedure", "phase", "turn", "action", "advice", "rule", "scenario", "given",
    "map", "mark", "question", "clarification", "phrase", "chapter", "cover",
)  # fmt: skip
MUTANT = "mutant"  # the rule of a line about a mutant that changes nothing
NESTABLE = frozenset({"value", "order", "procedure", "action"})
# What is of somebody or of the table: their paths begin with whose they are.
WRITTEN_DOWN = frozenset({"attribute", "bundle"})
ELSEWHERE = "elsewhere"
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


class Item(NamedTuple):
    """A node and the file it was written in."""

    node: Any
    file: File

    @property
    def span(self) -> Span:
        return self.file.span(self.node)

    @property
    def pack(self) -> str:
        return self.file.source.pack


def is_meta(node: Any) -> bool:
    """Whether a part of a block says where its rules stand, or their ids."""
    return getattr(node, "rule", "") in ("cites", "tags")


@attrs.define(eq=False)
class Decl:
    """One declaration with all amendments so far. `home` is the thing or rule it stands in,
    `otherwise` what a later pack expects of a scenario."""

    word: str
    path: str
    node: Declaration
    file: File
    title: str
    base: Item | None
    items: list[Item]
    metas: list[Item]
    home: "Decl | None" = None
    otherwise: list[Item] = attrs.field(factory=list)
    children: "list[Decl]" = attrs.field(factory=list)

    @property
    def pack(self) -> str:
        return self.file.source.pack

    @property
    def id(self) -> str:
        """The last part of the path: the name as used inside the home."""
        return self.path.rpartition(".")[2]

    @property
    def spoken(self) -> str:
        """How messages speak of it: `area thera`."""
        if self.word in WRITTEN_DOWN:
            of, _, name = self.path.partition(".")
            return f"{self.word} {name} of {of}"
        if self.word == "scenario":
            return f'scenario "{self.title}"'
        return f"{self.word} {self.path}"

    @property
    def name_span(self) -> Span:
        """The place of the name, which is what findings about the whole declaration point at."""
        if self.node.path:
            first, last = self.node.path[0], self.node.path[-1]
            return Span(self.file.source, first.start_pos or 0, last.end_pos or 0)
        return self.file.span(self.node.title or self.node.word)


@attrs.define(eq=False)
class Opening:
    """A declaration that other packs are to answer. With a default it holds until one does."""

    decl: Decl
    answer: Decl | None = None
    refused: bool = False

    @property
    def word(self) -> str:
        return self.decl.word

    @property
    def path(self) -> str:
        return (self.answer or self.decl).path

    @property
    def default(self) -> str:
        """The default as written: what stands after `=`, or where the block is."""
        node, file = self.decl.node, self.decl.file
        if node.default is not None:
            return " ".join(file.span(node.default).text.split())
        return f"the block in {file.source.path}" if self._has_block() else ""

    def _has_block(self) -> bool:
        return self.word != "value" and self.decl.node.items is not None

    def holds(self, decl: Decl) -> bool:
        """Whether a declaration says what it is about: the default does, unless there is none."""
        return decl is not self.decl or bool(decl.base or decl.items) or self._has_block()

    def answered_by(self, decl: Decl) -> str:
        """The pack that answers with a declaration; one that amends the default does, too."""
        parts = [item.pack for item in (*([decl.base] if decl.base else []), *decl.items)]
        packs = [decl.pack, *parts] if decl is self.decl else [decl.pack]
        return next((pack for pack in packs if pack != self.decl.pack), "")


@attrs.define(eq=False)
class Alias:
    """An old name that earlier packs may still use after a `rename`."""

    new: str
    item: Item


@attrs.define(eq=False)
class Book:
    """All declarations of a stack by word and path, in link order.

    `gone_names` are the names of what was removed, `unused_names` those that stood in it, so that
    what they mean may have no use now. `losses` is what went along. `changed` are the short names
    of what was amended or replaced, with the change that matters most to those who call it;
    `amendments` is all that was done to declarations, where, and to which of their fields;
    `addressed` is where they are named for that.
    `mutants` are those that are said to change nothing.
    """

    pages: dict[str, dict[str, Decl]] = attrs.field(factory=dict)
    scenarios: list[Decl] = attrs.field(factory=list)
    mutants: list[Item] = attrs.field(factory=list)
    gone: dict[tuple[str, str], Removal] = attrs.field(factory=dict)
    gone_names: dict[str, Removal] = attrs.field(factory=dict)
    unused_names: dict[str, Removal] = attrs.field(factory=dict)
    losses: list[Loss] = attrs.field(factory=list)
    changed: dict[str, Removal] = attrs.field(factory=dict)
    amendments: list[tuple[str, Decl, Span, str]] = attrs.field(factory=list)
    addressed: list[tuple[Decl, Span]] = attrs.field(factory=list)
    aliases: dict[tuple[str, str], Alias] = attrs.field(factory=dict)
    open_places: dict[tuple[str, str], Opening] = attrs.field(factory=dict)

    def of(self, word: str) -> dict[str, Decl]:
        return self.pages.get(word, {})

    def put(self, decl: Decl) -> None:
        if decl.word == "scenario":
            first = [one.path for one in self.scenarios].index(decl.path)
            self.scenarios[first] = decl
            return
        self.pages.setdefault(decl.word, {})[decl.path] = decl

    def forget(self, decl: Decl, removal: Removal) -> None:
        """Take a declaration out, with those inside it."""
        if decl.word == "scenario":
            self.scenarios.remove(decl)
        else:
            self.of(decl.word).pop(decl.path)
        if decl.home:
            decl.home.children.remove(decl)
        names = [decl.path, decl.id] if decl.word in WRITTEN_DOWN else [decl.path]
        for (word, old), alias in self.aliases.items():
            names += [old] if (word, alias.new) == (decl.word, decl.path) else []
        self.gone[decl.word, decl.path] = removal
        self.gone_names.update(dict.fromkeys(names, removal))
        self.unsaid([decl.node, *(item.node for item in decl.items)], removal)
        for child in list(decl.children):
            self.forget(child, removal)

    def unsaid(self, nodes: Iterable[Any], removal: Removal) -> None:
        """What stood in these nodes is said no more."""
        for node in nodes:
            for token in tokens_of(node):
                self.unused_names.setdefault(str(token), removal)

    def find(self, word: str, path: str) -> Decl | None:
        """A declaration by the path an amendment names; what is written down of somebody also by
        its short name."""
        if word == "scenario":
            return next((one for one in self.scenarios if one.path == path), None)
        page = self.of(word)
        found = page.get(path)
        if found is None and word in WRITTEN_DOWN:
            short = [decl for decl in page.values() if decl.id == path]
            return short[0] if len(short) == 1 else None
        return found

    def everything(self) -> Iterator[Decl]:
        for page in self.pages.values():
            yield from page.values()
        yield from self.scenarios


def title_path(title: str) -> str:
    """The path of what is known by its title alone."""
    return _NOT_SLUG.sub("_", title.lower()).strip("_")


def elsewhere(node: Any, file: File) -> Node:
    """A node of another file, made to stand in this one."""
    start, end = bounds(node)
    return Node(ELSEWHERE, (node, file), start, end)


def parameters(node: Declaration) -> tuple[Node, ...]:
    """The parameters of a declaration, wherever its head has them."""
    for head in node.heads:
        if head.rule == "head_by" and head.parts[1] is not None:
            return (*(node.params or ()), *head.parts[1].parts)
    return node.params or ()


def written_of(node: Declaration) -> str:
    """Of what something is, as an attribute is of somebody; of the table unless it says so."""
    for head in node.heads:
        if head.rule == "head_of":
            type_ = head.parts[0]
            return str(type_.parts[0]) if isinstance(type_, Node) and type_.parts else "table"
    return "table"


def with_parameters(node: Declaration, found: Iterable[Node]) -> Declaration:
    """An action with other parameters, which stand after `by`."""
    params = tuple(found)
    heads = tuple(_by(head, params) if head.rule == "head_by" else head for head in node.heads)
    return attrs.evolve(node, params=None, heads=heads)


def _by(head: Node, params: tuple[Node, ...]) -> Node:
    listed = Node("params", params, head.start, head.end)
    return Node("head_by", (head.parts[0], listed), head.start, head.end)


def signed(field: Node) -> list[tuple[int, Node]]:
    """What `land +sidon -tyre` adds (1) and takes away (-1), in the order written."""
    first = 1 if field.rule == "field_plus" else -1
    found: list[tuple[int, Node]] = []
    node = field.parts[1]
    while node.rule in ("plus", "minus"):
        sign = 1 if node.rule == "plus" else -1
        node, last = node.parts
        found.insert(0, (sign, last))
    return [(first, node), *found]


def inner(node: Any) -> Any:
    """A node itself, wherever it was written."""
    return node.parts[0] if isinstance(node, Node) and node.rule == ELSEWHERE else node


def bounds(node: Any) -> tuple[int, int]:
    if isinstance(node, Token):
        return node.start_pos, node.end_pos
    return node.start, node.end


def unquoted(text: Token | Node | None) -> str:
    """A title or reason: one line of text with single blanks, whatever the layout."""
    return " ".join(inner(text)[1:-1].split()) if text else ""
