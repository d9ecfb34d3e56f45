"""What the tables and the report of a simulation call things."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from ziggurat import (
    Program,
    Trial,
    deciding_hash,
    engine_hash,
    ir,
    measured,
    sentences_of,
)


@attrs.frozen(slots=False)
class Rules:
    """A ruleset as the tables and the report need it: what is measured, what it is called, and
    which sentences it has."""

    ruleset: ir.Ruleset
    sentences: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, program: Program) -> "Rules":
        said = dict.fromkeys(sentences_of(program).values())
        return cls(program.ruleset, tuple(said))

    @property
    def turn(self) -> ir.TurnOrder:
        return next(iter(self.ruleset.turns.values()))

    @cached_property
    def measured(self) -> tuple[str, ...]:
        """The values looked at in every turn."""
        return measured(self.ruleset)

    @cached_property
    def identity(self) -> str:
        """The hash of what decides a game, as the journal has it."""
        return deciding_hash(self.ruleset)

    def run(self, side: Trial) -> dict[str, Any]:
        """Return what a game of a simulation depends on, besides its seed.

        `run` is a short hash of all the rest: games of one run that have the same seed are the same
        game.
        """
        defaults = {option.id: option.default for option in self.ruleset.options.values()}
        told = {
            "rules": self.identity,
            "engine": engine_hash(),
            "options": defaults | dict(side.options),
            "players": side.players,
            "policy": side.policy,
            "limit": side.limit,
        }
        text = json.dumps(told, sort_keys=True, default=str)
        return {"run": hashlib.sha256(text.encode()).hexdigest()[:12], **told}

    def is_setup(self, phase: str) -> bool:
        """Return whether a phase is played once, before the first turn."""
        return phase in self.turn.start and phase not in self.turn.phases

    def value(self, name: str) -> str:
        """The title of a value."""
        rule = self.ruleset.values.get(name)
        return (rule.title if rule else "") or _spaced(name)

    def phase(self, name: str) -> str:
        rule = self.ruleset.phases.get(name)
        return (rule.title if rule else "") or _spaced(name)

    def thing(self, id_: str, kind: str = "") -> str:
        """The title of a thing, by its id and, if it is known, its kind."""
        for known, things in self.ruleset.things.items():
            if id_ in things and kind in ("", known):
                return things[id_].title or _spaced(id_)
        return _spaced(id_)

    def plural(self, kind: str) -> str:
        rule = self.ruleset.kinds.get(kind)
        return _spaced(rule.plural if rule else kind)

    def path(self, path: str) -> str:
        """The title of whatever has a path such as `thing.block.name`."""
        first, *rest = [part for part in path.split(".") if not part.isdigit()]
        tables: Sequence[Mapping[str, Any]] = (
            self.ruleset.actions, self.ruleset.phases, self.ruleset.procedures,
        )  # fmt: skip
        for size in range(len(rest) + 1, 0, -1):
            name = ".".join([first, *rest[: size - 1]])
            title = next((t[name].title for t in tables if name in t and t[name].title), "")
            if title:
                return ": ".join([title, *map(_spaced, rest[size - 1 :])])
        return ": ".join([self.thing(first), *map(_spaced, rest)])


def _spaced(name: str) -> str:
    return name.replace("_", " ")
