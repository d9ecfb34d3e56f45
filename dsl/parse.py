"""Text to syntax: a tree and findings, never an exception.

The stages: tokens (`dsl.lexer`), matching brackets (`dsl.brackets`), the tree (`dsl.table_parser`),
and after a mistake the way on (`dsl.recovery`) and what to say about it (`dsl.messages`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from ziggurat.dsl.brackets import check_brackets, mend_brackets
from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.grammar import END
from ziggurat.dsl.lexer import NEW_LINE, TokenList, tokenize
from ziggurat.dsl.messages import reserved, too_deep, too_large
from ziggurat.dsl.parser_base import Parser
from ziggurat.dsl.recovery import Recovery
from ziggurat.dsl.syntax import Declaration, File, Node
from ziggurat.dsl.table_parser import TableParser
from ziggurat.dsl.tables import tables

LARGEST = 1_000_000
DEEPEST_TREE = 250
_LONG_ITEM = DEEPEST_TREE // 2


@attrs.frozen(eq=False)
class Reading:
    """A file as read: its tree, and what the formatter must know about its tokens.

    All numbers are numbers of tokens: the pairs of braces that enclose blocks, the line ends that
    separate items, and the words of the language that were read as names.
    """

    file: File
    findings: list[Diagnostic]
    tokens: TokenList
    blocks: list[tuple[int, int]] = attrs.Factory(list)
    line_ends: list[int] = attrs.Factory(list)
    names: list[int] = attrs.Factory(list)


def parse_source(source: Source) -> tuple[File, list[Diagnostic]]:
    """The whole file, as far as it can be read, and everything wrong with its syntax."""
    reading = read(source)
    return reading.file, reading.findings


def parse_expression(text: str) -> Any:
    """One expression on its own: the holes of a sentence, and what `explain` is asked.

    None when it is not an expression; where it goes wrong is of no use inside a sentence.
    """
    tokens = tokenize(Source("", text))
    matching, _ = check_brackets(tokens)
    return _parser(tokens, "expr").run() if matching and not tokens.findings else None


def read(source: Source) -> Reading:
    """As `parse_source`, with what the formatter needs to know besides."""
    if len(source.text) > LARGEST:
        return _nothing(source, too_large(source, LARGEST))
    tokens = tokenize(source)
    findings = list(tokens.findings)
    quiet = [finding.span.start for finding in findings if finding.span]
    matching, deep = check_brackets(tokens)
    if deep:
        return _nothing(source, *findings, deep)
    if not matching:
        tokens, wrong, touched = mend_brackets(source)
        findings += wrong
        quiet += touched
    recovery = Recovery(tokens, quiet)
    parser = _parser(tokens, "start", recovery)
    tops = parser.run().parts
    findings += recovery.findings
    findings += [reserved(tokens, at) for at in recovery.unreported(parser.misused)]
    file = File(source, tops, tuple(tokens.comments))
    if _may_be_deep(tokens) and (node := _deepest(file.tops)) is not None:
        finding = too_deep(file.span(node))
        _dismantle(tops)
        return _nothing(source, *findings, finding)
    findings.sort(key=_place)
    return Reading(file, findings, tokens, parser.blocks, parser.line_ends, parser.read_as_names)


def parser_of(tokens: TokenList, on_mistake: Callable[[Parser, int], int]) -> Parser:
    """A parser of a whole file, for whoever mends mistakes in a way of their own."""
    return _parser(tokens, "start", on_mistake)


def _parser(
    tokens: TokenList, start: str, on_mistake: Callable[[Parser, int], int] | None = None
) -> Parser:
    """A parser that runs Lark's tables, or Lark's own where it has none that are understood."""
    if tables() is not None:
        return TableParser(tokens, start, on_mistake)
    from ziggurat.dsl.lark_fallback import LarkParser

    return LarkParser(tokens, start, on_mistake)


def _nothing(source: Source, *findings: Diagnostic) -> Reading:
    empty = TokenList(source, [END], [0], [0], [], [], [])
    return Reading(File(source, (), ()), list(findings), empty)


def _place(finding: Diagnostic) -> int:
    return finding.span.start if finding.span else 0


def _may_be_deep(tokens: TokenList) -> bool:
    """Whether some item is so long that its tree might be very deep; nearly no file has one."""
    if tokens.kinds.count("ELSE") > _LONG_ITEM:
        return True
    last = 0
    for at, kind in enumerate(tokens.kinds):
        if kind == NEW_LINE:
            if at - last > _LONG_ITEM:
                return True
            last = at
    return len(tokens.kinds) - last > _LONG_ITEM


def _deepest(tops: Iterable[Node | Declaration]) -> Node | Declaration | None:
    """Something nested too deeply for stages that walk the tree, or None; without recursion."""
    waiting: list[tuple[Any, int]] = [(top, 1) for top in tops]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST_TREE:
            found: Node | Declaration = node
            return found
        waiting += [(part, depth + 1) for part in parts_of(node)]
    return None


def _dismantle(tops: Iterable[Node | Declaration]) -> None:
    """Take a tree apart. Freeing it whole would recurse deeper than Python in a browser can."""
    nodes: list[Node | Declaration] = list(tops)
    for node in nodes:  # grows on the way
        nodes += parts_of(node)
        if isinstance(node, Node):
            node.parts = ()


def parts_of(node: Node | Declaration) -> Iterator[Node | Declaration]:
    """The nodes directly below a node, in the order of the text."""
    parts: Iterable[Any] = node.parts if isinstance(node, Node) else _of_declaration(node)
    return (part for part in parts if isinstance(part, (Node, Declaration)))


def _of_declaration(node: Declaration) -> Iterable[Any]:
    between = (*node.heads, node.type, node.default, *node.metas)
    return (*(node.params or ()), *between, *(node.items or ()))
