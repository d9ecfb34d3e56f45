"""Gather the declarations of all files in stack order, then apply what each pack amends.

Within a pack the order of files does not matter: all its declarations are there before its first
amendment is applied, and all earlier packs are complete before it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, did_you_mean
from ziggurat.dsl.linking import amend_fields, amend_steps  # noqa: F401 - they add themselves
from ziggurat.dsl.linking.amend import Amendments
from ziggurat.dsl.linking.cascade import cascade
from ziggurat.dsl.linking.citing import cited_above, cited_around, idle_citations, metas_of
from ziggurat.dsl.linking.conditions import meant_here
from ziggurat.dsl.linking.model import (
    BUILT_IN,
    MUTANT,
    NESTABLE,
    WRITTEN_DOWN,
    Book,
    Decl,
    Item,
    is_meta,
    title_path,
    unquoted,
    written_of,
)
from ziggurat.dsl.linking.open_places import OPEN, answers, leave_open
from ziggurat.dsl.linking.otherwise import EXPECTS, expect_otherwise
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import Declaration, File, Node, Token


def collect(files: Sequence[File], stack: Stack, findings: Findings) -> Book:
    """The declarations of a stack as its last pack leaves them."""
    book = Book()
    by_path = {file.source.path: file for file in files}
    amendments = Amendments(book, stack, findings, make_decl, by_path)
    for _, group in groupby(files, key=lambda file: file.source.pack):
        waiting: list[tuple[int, Item]] = []
        for file in group:
            findings.extend(idle_citations(file))
            for top, condition in meant_here(file, stack, findings):
                if isinstance(top, Declaration):
                    add(book, make_decl(top, file), findings)
                elif top.rule == OPEN:
                    left = make_decl(top.parts[0], file)
                    leave_open(book, left, findings, partial(add, book, left, findings))
                elif top.rule == MUTANT:
                    book.mutants.append(Item(top, file))
                elif top.rule != "cites":
                    waiting.append((len(condition), Item(top, file)))
        # What is for fewer stacks comes after what is for more, so that it wins.
        waiting.sort(key=itemgetter(0))
        for _, item in waiting:
            if item.node.rule != EXPECTS:
                amendments.apply(item)
        for _, item in waiting:
            if item.node.rule == EXPECTS:
                expect_otherwise(book, item, stack, findings)
    amendments.conflicts.report()
    cascade(book, stack)
    _unknown_words(book, findings)
    return book


def make_decl(node: Declaration, file: File, home: Decl | None = None) -> Decl:
    """A declaration with those inside it, which become declarations of their own."""
    metas = metas_of(node)
    decl = Decl(
        word=str(node.word),
        path=_path(node, home),
        node=node,
        file=file,
        title=unquoted(node.title),
        base=Item(node.default, file) if node.default is not None else None,
        items=[],
        metas=[Item(meta, file) for meta in metas],
        home=home,
    )
    if home is None:
        decl.metas += cited_above(metas, node.start, file)
    elif all(meta.rule != "cites" for meta in metas):
        decl.metas += cited_around(home, file)
    for item in node.items or ():
        if isinstance(item, Declaration) and item.word in NESTABLE and decl.word != "scenario":
            decl.children.append(make_decl(item, file, decl))
        elif isinstance(item, Node) and item.rule == "alike" and decl.word == "scenario":
            decl.items += [Item(one, file) for one in _each_of(item)]
        elif not is_meta(item):
            decl.items.append(Item(item, file))
    return decl


def _each_of(node: Node) -> Iterator[Declaration]:
    """The declarations of `area a, b { … }`, which are alike but for their names."""
    word, *names, block = node.parts
    for name in names:
        yield Declaration(
            word, (name,), None, None, (), None, None, (), block.parts, node.start, node.end
        )


def _path(node: Declaration, home: Decl | None) -> str:
    if node.word == "scenario" and node.title:
        return title_path(node.title[1:-1])
    if node.word in WRITTEN_DOWN:
        return f"{written_of(node)}.{node.id}"
    return f"{home.path}.{node.id}" if home else node.id


def add(book: Book, decl: Decl, findings: Findings) -> None:
    """Enter a declaration and its children, unless there is one of that name."""
    if decl.word == "scenario":
        book.scenarios.append(decl)
        return
    if decl.word == "advice":
        # Several packs may advise on the same decision; their scores add up.
        whole = book.pages.setdefault("advice", {}).setdefault(decl.path, decl)
        if whole is not decl:
            whole.items += decl.items
        return
    if not decl.node.path:
        message = f"This {decl.word} has no id, only a title."
        advice = f'Give it one before the title: `{decl.word} some_name "…"`.'
        findings.add(Diagnostic("Z312", message, decl.name_span, advice))
        return
    if len(decl.node.path) > 1 and decl.word != "phrase":
        message = f"A {decl.word} is declared under a name of one word, not `{decl.node.id}`."
        advice = f"Write it inside the block of `{decl.node.path[0]}`, under its last word."
        findings.add(Diagnostic("Z312", message, decl.name_span, advice))
        return
    first = book.of(decl.word).get(decl.path)
    if first is not None:
        if not answers(book, decl, findings):
            findings.add(_twice(first, decl))
        return
    book.put(decl)
    for child in decl.children:
        add(book, child, findings)


def _twice(first: Decl, second: Decl) -> Diagnostic:
    message = f"There is already a declaration of `{second.spoken}`."
    if first.pack == second.pack:
        advice = "Rename one of the two, or take one away."
    else:
        advice = (
            f"To change it write `amend {second.spoken} {{ … }}`,"
            f" to write it anew `replace {second.spoken} {{ … }}`."
        )
    note = Note("The first one is here.", first.name_span)
    return Diagnostic("Z401", message, second.name_span, advice, (note,))


# Words that begin a change instead of a declaration; with a slip in them they look like a kind.
CHANGING = ("amend", "remove", "rename", "replace")


def _unknown_words(book: Book, findings: Findings) -> None:
    """Declarations of a kind nobody declared are reported once each and then forgotten."""
    kinds = book.of("kind")
    known = (*BUILT_IN, *kinds)
    for word in [word for word in book.pages if word not in BUILT_IN and word not in kinds]:
        for decl in book.pages.pop(word).values():
            if decl.home is None:
                findings.add(unknown_kind(decl.node.word, decl.file, known))


def unknown_kind(word: Token, file: File, known: Iterable[str]) -> Diagnostic:
    advice = did_you_mean(word, (*known, *CHANGING)) or (
        f"Declare it with `kind {word} {{ … }}`, or correct the word."
    )
    return Diagnostic("Z202", f"There is no kind called `{word}`.", file.span(word), advice)
