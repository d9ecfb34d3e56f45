"""Questions as a stack answers them: which reading is played, why, and which scenarios show it."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ziggurat.dsl.linking.model import title_path
from ziggurat.runtime.kernel import (
    Cite,
    Clarification,
    Option,
    Question,
    Reading,
    Ruleset,
    Scenario,
)

HOLDS, BY_OPTION, BY_PACK, NOT_BUILT = "holds", "by option", "by pack", "not built"
Setting = tuple[str, Any]
_PARTS = re.compile(r"(\d+)")
_COUNTING = frozenset("123456789")


@attrs.frozen
class ReadingHere:
    """A reading as it stands in a stack. `state`: `holds`, `by option` (at tables that set one),
    `by pack` (with a pack that is not here) or `not built`; `why` says so in words."""

    text: str
    state: str
    why: str
    scenarios: tuple[Scenario, ...]
    reading: Reading


def readings(ruleset: Ruleset, question: Question) -> tuple[ReadingHere, ...]:
    """The readings of a question, in the order in which they were written."""
    played = reading_played(ruleset, question)
    showing = [
        (one, reading_played(ruleset, question, one.options))
        for one in showing_scenarios(ruleset, question)
    ]
    return tuple(
        ReadingHere(
            reading.text,
            _state(ruleset, reading, played),
            reading.not_built or _why(ruleset, reading, played),
            tuple(one for one, shown in showing if shown is reading),
            reading,
        )
        for reading in question.readings
    )


def reading_played(
    ruleset: Ruleset, question: Question, options: Iterable[Setting] = ()
) -> Reading | None:
    """The reading that is played where these options are set, and all others as they are by
    default; None if it cannot be said."""
    found = readings_played(ruleset, question, options)
    return found[0] if len(found) == 1 else None


def readings_played(
    ruleset: Ruleset, question: Question, options: Iterable[Setting] = ()
) -> tuple[Reading, ...]:
    """All readings of which what they ask for is so; there should be one."""
    built = [one for one in question.readings if not one.not_built]
    found = [one for one in built if _asks(one) and _is_met(ruleset, one, dict(options))]
    return tuple(found or (one for one in built if not _asks(one)))


def _asks(reading: Reading) -> bool:
    return bool(reading.options or reading.pack)


def _is_met(ruleset: Ruleset, reading: Reading, options: dict[str, Any]) -> bool:
    there = not reading.pack or any(pack.id == reading.pack for pack in ruleset.packs)
    return there and all(
        options.get(id_, ruleset.options[id_].default) == value for id_, value in reading.options
    )


def showing_scenarios(ruleset: Ruleset, asked: Question | Clarification) -> tuple[Scenario, ...]:
    """The scenarios with its id for a tag, and those it names."""
    named = {title_path(title) for title in asked.shown}
    return tuple(
        one
        for one in ruleset.scenarios
        if asked.id in one.meta.tags or one.id.partition(".")[0] in named
    )


def places(asked: Question | Clarification) -> tuple[Cite, ...]:
    """Where books speak of it."""
    return tuple(dict.fromkeys((*asked.meta.cites, *(one.cite for one in asked.says))))


def by_number(id_: str) -> list[tuple[int, str]]:
    """A key that sorts ids as people do: Q-09, Q-36, Q-36b, Q-100; DF-010, DF-05a, DF-06a."""
    return [(int(part), "") if part[:1] in _COUNTING else (0, part) for part in _PARTS.split(id_)]


def _state(ruleset: Ruleset, reading: Reading, played: Reading | None) -> str:
    if reading.not_built:
        return NOT_BUILT
    if reading is played:
        return HOLDS
    away = reading.pack and not any(pack.id == reading.pack for pack in ruleset.packs)
    return BY_PACK if away else BY_OPTION


def _why(ruleset: Ruleset, reading: Reading, played: Reading | None) -> str:
    by_default = reading is played
    parts = list(_reasons(ruleset, reading, by_default))
    if not parts:
        return "nothing else is chosen" if by_default else "where nothing else is chosen"
    return " and ".join(parts)


def _reasons(ruleset: Ruleset, reading: Reading, by_default: bool) -> Iterator[str]:
    if reading.pack:
        yield f"with the pack {reading.pack}"
    for id_, value in reading.options:
        option = ruleset.options[id_]
        said = f"{id_}: {_told(option, value)}"
        yield f"{said} by default ({option.set_by})" if by_default else f"with {said}"


def _told(option: Option, value: Any) -> str:
    if option.type.name == "bool":
        return "yes" if value else "no"
    return f'"{value}"' if isinstance(value, str) else str(value)
