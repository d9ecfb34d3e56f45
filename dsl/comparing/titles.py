"""What parts of rules are called: the titles that packs give, and words made of names elsewhere."""

from typing import TYPE_CHECKING

from ziggurat.dsl.comparing.parts import Part
from ziggurat.dsl.comparing.subjects import Subject

if TYPE_CHECKING:
    from ziggurat.dsl.comparing.names import Reading

# Parts that are all there is of what they stand in.
_SORTS = ("step", "key", "parameter", "field")
_WHOLE = ("base", "body", "declaration", "default", "signature")


def subject_title(reading: "Reading", subject: Subject) -> str:
    """`The last point of damage`; of what stands in a thing, the thing's title before it."""
    own = subject.title or in_words(subject.id.rpartition(".")[2])
    if subject.sort == "turn":
        own = subject.title or "Turn"
    home = reading.subjects.get(subject.home) if subject.home else None
    return f"{subject_title(reading, home)}: {own}" if home is not None else own


def part_title(reading: "Reading", subject: Subject, part: Part) -> str:
    """`Pottery: cost`; `Engineering: changes “How many tokens take a city”`."""
    whole = subject_title(reading, subject)
    told = _part_words(reading, part)
    return f"{whole}: {told}" if told else whole


def in_words(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").replace(".", " ").strip()


def _part_words(reading: "Reading", part: Part) -> str:
    if part.title:
        return part.title
    sort, id_ = part.target
    if sort and sort != "step":
        word = part.group.removesuffix(id_).strip()
        about = reading.subjects.get((sort, id_))
        named = subject_title(reading, about) if about is not None else in_words(id_)
        return f"{'changes' if word == 'modify' else word} “{named}”"
    last = (part.label or part.group).rpartition(" / ")[2]
    if last in _WHOLE:
        return ""
    if last == "stage":
        return "a stage"
    word, _, name = last.partition(" ")
    phase = reading.subjects.get((word, name))
    if phase is not None:
        return subject_title(reading, phase)
    return in_words(name if word in _SORTS else last)
