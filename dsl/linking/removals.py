"""What was taken away, who still speaks of it, and what goes along.

A pack may remove what others built on. Whatever only spoke of it goes along: scenarios, advice,
clauses, members of sets, entries of maps. Nobody holds a removed thing and nothing is one, so
conditions about it are settled. All of this is listed in a note at the removal. What needs the
removed thing to make sense is an error that names the sentence.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Note, Span
from ziggurat.dsl.syntax import Declaration, Node, Token

if TYPE_CHECKING:
    from ziggurat.dsl.linking.world import World
    from ziggurat.dsl.packs import Stack

T = TypeVar("T")

# Findings about a name that means nothing: those that a removal can cause.
_UNKNOWN = frozenset(
    {"Z201", "Z202", "Z203", "Z204", "Z205", "Z206", "Z207", "Z208", "Z209", "Z211", "Z212",
     "Z223", "Z604", "Z605", "Z606"}
)  # fmt: skip
# Findings about what nobody uses.
_UNUSED = frozenset(
    {"Z501", "Z502", "Z503", "Z509", "Z511", "Z512", "Z513", "Z514", "Z518", "Z519"}
)


@attrs.frozen
class Removal:
    """Something that a pack took away: `option cheap`, where it says so, and what it does."""

    spoken: str
    span: Span
    verb: str = "removes"

    @property
    def pack(self) -> str:
        return self.span.source.pack


class Loss(NamedTuple):
    """What went with a removal: how it is counted (`scenario`), how it is told, where it stood."""

    removal: Removal
    what: str
    told: str
    span: Span


class Lack(NamedTuple):
    """What a declaration must have and has no longer: a field that named what was removed."""

    removal: Removal
    field: str
    spoken: str
    span: Span


def may_not_know(stack: "Stack", pack: str, removal: Removal) -> bool:
    """Whether a pack may speak of something removed: it neither did it nor builds on who did."""
    return pack != removal.pack and not stack.builds_on(pack, removal.pack)


def removal_of(gone: Mapping[str, Removal], name: str) -> Removal | None:
    """The removal of a name, or of what it stands in."""
    parts = "".join(name.split()).split(".")
    for end in range(len(parts), 0, -1):
        found = gone.get(".".join(parts[:end]))
        if found is not None:
            return found
    return None


def as_removals_show_it(world: "World", finding: Diagnostic) -> Diagnostic | None:
    """A finding that comes of a removal is an error of its own, or none at all."""
    span = finding.span
    if span is None:
        return finding
    if finding.code in _UNKNOWN:
        removal = world.removal_of(span.text, span.source.pack)
        if removal is not None:
            world.notes.spoken_of.append(removal)
            return _needs_removed(removal, span)
    elif finding.code in _UNUSED and finding.severity == "warning":
        gone = world.book.unused_names.get(span.text)
        if gone is not None and may_not_know(world.stack, span.source.pack, gone):
            told = f"`{span.text}` is used no more."
            world.notes.losses.append(Loss(gone, "unused name", told, span))
            return None
    return finding


def unless_removed(
    world: "World", what: str, told: str, span: Span, make: Callable[[], T]
) -> T | None:
    """What is made, or nothing if it speaks of something removed: then it goes along."""
    kept = world.notes
    finding, mention, loss = kept.findings.mark(), len(kept.spoken_of), len(kept.losses)
    lack = len(kept.lacks)
    found = make()
    if len(kept.spoken_of) == mention:
        return found
    removal = kept.spoken_of[mention]
    kept.findings.back_to(finding)
    del kept.spoken_of[mention:], kept.losses[loss:], kept.lacks[lack:]
    kept.losses.append(Loss(removal, what, told, span))
    return None


def lacking_with(world: "World", field: str, spoken: str, span: Span, make: Callable[[], T]) -> T:
    """What is made of a field. One that must name what was removed is told with all others that
    must, in one finding."""
    kept = world.notes
    finding, mention = kept.findings.mark(), len(kept.spoken_of)
    found = make()
    if len(kept.spoken_of) > mention:
        kept.findings.back_to(finding)
        kept.lacks.append(Lack(kept.spoken_of[mention], field, spoken, span))
    return found


def _needs_removed(removal: Removal, span: Span) -> Diagnostic:
    name = " ".join(span.text.split())
    since = f"since `{removal.pack}` {removal.verb} `{removal.spoken}`"
    message = f"This makes no sense without `{name}`, which is gone {since}."
    advice = "Amend this, too, so that it does without, or remove it."
    return Diagnostic("Z409", message, span, advice, (Note("That is here.", removal.span),))


def tokens_of(node: Any) -> Iterator[Token]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Token):
            yield one
        elif isinstance(one, tuple | list):
            waiting += one
        elif isinstance(one, Node):
            waiting += one.parts
        elif isinstance(one, Declaration):
            waiting += [one.params, one.heads, one.type, one.default, one.items]


def quoted_from(span: Span) -> str:
    """A short piece of a text, to be told in a sentence."""
    words = " ".join(span.text.split())
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"


_ORDER = (
    "thing", "place", "attribute", "bundle", "map", "mark", "cover", "action", "scenario", "advice",
    "reading", "clause", "stage", "condition", "member", "reference", "unused name",
)  # fmt: skip
_SHORT = 60
_DOING = {"removes": "Removing", "replaces": "Replacing", "changes": "Changing"}
_MANY = {"advice": "pieces of advice", "unused name": "unused names"}
_ONE = {"advice": "piece of advice"}


def notes(losses: Iterable[Loss]) -> Iterator[Diagnostic]:
    """One note for each removal that took something along, with all of it."""
    by_removal: dict[Removal, dict[Loss, None]] = {}
    for loss in losses:
        by_removal.setdefault(loss.removal, {})[loss] = None
    for removal, lost in by_removal.items():
        counted = [(what, sum(one.what == what for one in lost)) for what in _ORDER]
        listed = [_counted(what, number) for what, number in counted if number]
        message = f"{_DOING[removal.verb]} `{removal.spoken}` takes along {_enumerated(listed)}."
        places = tuple(Note(one.told, one.span) for one in lost)
        yield Diagnostic("Z414", message, removal.span, None, places, severity="note")


def lacking(lacks: Iterable[Lack]) -> Iterator[Diagnostic]:
    """One finding for each removal of what others must name, with all of them."""
    by_removal: dict[Removal, list[Lack]] = {}
    for lack in lacks:
        by_removal.setdefault(lack.removal, []).append(lack)
    for removal, found in by_removal.items():
        gone = f"`{removal.spoken}` is gone since `{removal.pack}` {removal.verb} it"
        first = found[0]
        many = f"{len(found)} fields must name another one"
        message = f"{gone}, and {'1 field must name another one' if not found[1:] else many}."
        advice = (
            f"Say which one: `amend {first.spoken} {{ {first.field}: … }}`, or"
            f" remove it, too: `remove {first.spoken}`."
        )
        places = tuple(Note(f"`{one.field}` of `{one.spoken}`.", one.span) for one in found)
        yield Diagnostic("Z409", message, removal.span, advice, places)


def _counted(what: str, number: int) -> str:
    return f"1 {_ONE.get(what, what)}" if number == 1 else f"{number} {_MANY.get(what, what + 's')}"


def _enumerated(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
