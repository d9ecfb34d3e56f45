"""What can be done about a finding, as changes of texts: the suggestion, carried out.

A suggestion is a sentence for people. Where it says what to write, what to take away or which names
there are, that is done here; mistakes that need a change elsewhere have a function of their own. A
change that would break the syntax of a file is not offered.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Source, Span
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.named import Names
from ziggurat.dsl.parse import parse_source
from ziggurat.runtime.kernel.nodes import Type

MOST_OFFERED = 6
_QUOTED = re.compile(r"`([^`]+)`")
_LISTING = ("It has ", "Those there are", "They are ", "Its states are", "Roles are", "It may have",
            "It can be of", "There are:")  # fmt: skip
_ASYMMETRIC = re.compile(r"Add `(\w+)` to the `(\w+)` of `(\w+)`")


@attrs.frozen
class Edit:
    """A stretch of a text and what shall stand there."""

    span: Span
    text: str


@attrs.frozen
class Remedy:
    """Something to do about a finding. `sure`: there is hardly anything else to do."""

    title: str
    edits: tuple[Edit, ...]
    sure: bool = False


def remedies(names: Names | None, finding: Diagnostic) -> list[Remedy]:
    """What can be done, the likeliest first; nothing for what only its author can know."""
    if finding.span is None or finding.suggestion is None:
        return []
    found = [*_own(names, finding), *_said(finding.span, finding.message, finding.suggestion)]
    sound = [one for one in found if all(_keeps_syntax(one, edit) for edit in one.edits)]
    return list(dict.fromkeys(sound))[:MOST_OFFERED]


def _said(span: Span, message: str, advice: str) -> Iterator[Remedy]:
    named = _QUOTED.findall(advice)
    if "Did you mean" in advice:
        for number, name in enumerate(named):
            yield _instead(span, message, name, number == 0 and len(named) == 1)
    elif advice.startswith(_LISTING):
        for name in named:
            yield _instead(span, message, name, False)
    elif advice.startswith("Take ") and " away" in advice[:60]:
        yield Remedy(f"Take `{_short(span.text)}` away", (Edit(_whole_line(span), ""),))
    for before, name in re.findall(r"((?:Write|write|call it)) `([^`…]+)`", advice):
        title = f"{before.capitalize()} `{name}`"
        yield Remedy(title, (Edit(span, name),))


def _instead(span: Span, message: str, name: str, sure: bool) -> Remedy:
    """The word that is wrong, which the sentence names, in the stretch the finding points at."""
    text = span.text
    for wrong in (*_QUOTED.findall(message), text):
        at = text.find(wrong)
        if at >= 0:
            place = Span(span.source, span.start + at, span.start + at + len(wrong))
            is_text = place.text.startswith('"') and not name.startswith('"')
            written = f'"{name}"' if is_text else name
            return Remedy(f"Change to `{name}`", (Edit(place, written),), sure)
    return Remedy(f"Change to `{name}`", (Edit(span, name),), sure)


def _whole_line(span: Span) -> Span:
    """The stretch, with its line if nothing else stands on it."""
    source = span.source
    start, end = source.offset(span.line, 1), source.offset(span.end_line + 1, 1)
    rest = source.text[start : span.start] + source.text[span.end : end]
    alone = not rest.strip() and span.end_line < source.line_count
    return Span(source, start, end) if alone else span


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def _keeps_syntax(remedy: Remedy, edit: Edit) -> bool:
    source = edit.span.source
    if not source.path.endswith(".rules"):
        return True
    text = source.text[: edit.span.start] + edit.text + source.text[edit.span.end :]
    _, after = parse_source(Source(source.path, text, source.pack))
    _, before = parse_source(source)
    return len(after) <= len(before)


# ---- mistakes with a remedy of their own --------------------------------------------------------


def _own(names: Names | None, finding: Diagnostic) -> Iterator[Remedy]:
    function = _REMEDIES.get(finding.code)
    if function is not None and names is not None:
        yield from function(names, finding)


def _both_sides(names: Names, finding: Diagnostic) -> Iterator[Remedy]:
    """Add the missing neighbour on the other side."""
    match = _ASYMMETRIC.search(finding.suggestion or "")
    if match is None:
        return
    here, field, there = match.groups()
    for kind in names.world.kinds_of_name.get(there, ()):
        decl = names.find(kind, there)
        edit = _added(decl, field, here) if decl is not None else None
        if edit is not None:
            yield Remedy(f"Add `{here}` to the `{field}` of `{there}`", (edit,), sure=True)


def _added(decl: Decl, field: str, entry: str) -> Edit | None:
    """One more entry of a field, or the field."""
    for node, file in decl.items:
        if getattr(node, "rule", "") == "field" and node.parts[0] == field:
            end = node.parts[1].end
            return Edit(Span(file.source, end, end), f", {entry}")
    return _inserted(decl, f"{field}: {entry}")


def _inserted(decl: Decl, line: str) -> Edit | None:
    """A new line at the end of the block of a declaration."""
    source = decl.file.source
    end = decl.node.end - 1
    if decl.node.items is None or source.text[end : end + 1] != "}":
        return None
    before = source.text[:end].rstrip(" ")
    if before.endswith("\n"):
        return Edit(Span(source, len(before), end), f"  {line}\n")
    gap = "" if before.endswith("{") else " "
    return Edit(Span(source, len(before), end), f"{gap} {line} ")


def _lacking_fields(names: Names, finding: Diagnostic) -> Iterator[Remedy]:
    """Give the fields that are missing, with something to begin with."""
    lacking = re.findall(r"`(\w+): …`", finding.suggestion or "")
    for decl in names.world.book.everything():
        if decl.name_span != finding.span or not lacking:
            continue
        info = names.world.kinds.get(decl.word)
        fields = info.fields if info is not None else {}
        text = "  ".join(f"{one}: {_begin_with(names, fields, one)}" for one in lacking)
        edit = _inserted(decl, text)
        if edit is not None:
            yield Remedy(f"Add {', '.join(f'`{one}`' for one in lacking)}", (edit,))


def _begin_with(names: Names, fields: Any, name: str) -> str:
    field = fields.get(name)
    type_: Type | None = field.type if field is not None else None
    if type_ is None or type_.name == "int":
        return "0"
    plain = {"bool": "no", "text": '""', "range": "0..1", "set": "{}", "list": "[]", "map": "{}"}
    if type_.maybe or type_.name in plain:
        return "none" if type_.maybe else plain[type_.name]
    return next(iter(names.world.things.get(type_.name, ())), "none")


def _missing_scenario(names: Names, finding: Diagnostic) -> Iterator[Remedy]:
    """A scenario to begin with, for a question whose readings none shows."""
    span = finding.span
    assert span is not None
    for word in ("question", "clarification"):
        for path, decl in names.world.book.of(word).items():
            if decl.file.source == span.source and decl.node.start <= span.start <= decl.node.end:
                yield scenario_for(names, decl.file.source, path, decl.title)


def scenario_for(names: Names, source: Source, tag: str, title: str) -> Remedy:
    """The beginning of a scenario about a tag, at the end of a file."""
    seats = list(names.world.things.get(names.world.seat_kind, ()))[:2] or ["red", "blue"]
    end = len(source.text)
    gap = "" if source.text.endswith("\n\n") else "\n" if source.text.endswith("\n") else "\n\n"
    text = (
        f'{gap}scenario "{title or tag}" {{\n  tags {tag}\n  players {", ".join(seats)}\n'
        f"  given {{}}\n  expect {{ check size(players) == {len(seats)} }}\n}}\n"
    )
    return Remedy(f"Add a scenario for {tag}", (Edit(Span(source, end, end), text),))


_REMEDIES: dict[str, Callable[[Names, Diagnostic], Iterator[Remedy]]] = {
    "Z506": _both_sides,
    "Z303": _lacking_fields,
    "Z702": _missing_scenario,
}
