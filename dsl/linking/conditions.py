"""What is written for some stacks only: the parts of a file below a line such as `for west`.

A pack that serves several others has a part for each of them. Its manifest must name them, or
nobody would know which of the two comes first.
"""

from collections.abc import Iterator

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Span, did_you_mean
from ziggurat.dsl.packs import Stack
from ziggurat.dsl.syntax import Declaration, File, Node

ONLY_FOR = "only_for"


def meant_here(file: File, stack: Stack, findings: Findings) -> Iterator[Declaration | Node]:
    """What a file says in this stack: a `for` line holds for all below it, down to the next."""
    here = True
    for top in file.tops:
        if isinstance(top, Node) and top.rule == ONLY_FOR:
            here = all(name in stack.ids for name in top.parts)
            for name in top.parts:
                wrong = unknown_pack(stack, name, file.span(name))
                wrong = wrong or _out_of_order(file, stack, name, file.span(name))
                if wrong is not None:
                    findings.add(wrong)
        elif here:
            yield top


def unknown_pack(stack: Stack, name: str, span: Span) -> Diagnostic | None:
    """A pack that is meant and that nobody has."""
    if name in stack.ids or stack.may_know(name):
        return None
    near = did_you_mean(name, (*stack.ids, *stack.known()))
    advice = near or "Correct the name; `ziggurat packs` lists those there are."
    message = f"There is no pack called `{name}`."
    return Diagnostic("Z033", message, span, advice, severity="warning")


def _out_of_order(file: File, stack: Stack, name: str, span: Span) -> Diagnostic | None:
    pack = stack.pack(file.source.pack)
    named = {need.id for need in (*pack.extends, *pack.requires, *pack.optional)}
    if name in named or (name in stack.ids and stack.builds_on(pack.id, name)):
        return None
    message = f"`{pack.id}` has a part for `{name}`, but does not say that it comes after it."
    advice = f"Name `{name}` among the `optional` packs of its `pack.toml`."
    return Diagnostic("Z034", message, span, advice)
