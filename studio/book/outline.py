"""What stands in which chapter: phases in the order of the turn, kinds, and each rule with those
that need it."""

from collections.abc import Iterable

from ziggurat import Ruleset, Uses, ir

Name = tuple[str, str]
COMMON = "common"
_RULES = ("value", "order", "procedure")


def of_phase(id_: str) -> str:
    """The id of the chapter of a phase."""
    return f"phase-{id_}"


def of_kind(id_: str) -> str:
    """The id of the chapter of a kind."""
    return f"kind-{id_}"


class Outline:
    """The chapters of a stack by their ids, and what belongs to each."""

    def __init__(self, ruleset: Ruleset, uses: Uses) -> None:
        self.ruleset = ruleset
        self.uses = uses
        self.start = [phase for turn in ruleset.turns.values() for phase in turn.start]
        self.turn = [phase for turn in ruleset.turns.values() for phase in turn.phases]
        self.inside: dict[str, list[str]] = {}
        self._find_inner_phases()
        self.kinds = [kind for kind in ruleset.kinds if ruleset.things.get(kind)]
        self.chapter_of = self._assigned()

    @property
    def phases(self) -> list[str]:
        """The phases with a chapter of their own: before the game, then in each turn."""
        return list(dict.fromkeys((*self.start, *self.turn))) or list(self.ruleset.phases)

    def rules(self, chapter: str, word: str) -> list[str]:
        """The values, orders or procedures of a chapter, as they were written."""
        found = (name for name, home in self.chapter_of.items() if home == chapter)
        ids = [id_ for sort, id_ in found if sort == word]
        return sorted(ids, key=lambda id_: self._node(word, id_).at)

    def actions(self, phase: str) -> list[ir.Action]:
        """What players may do in a phase, whatever they hold."""
        found = [one for one in self.ruleset.actions.values()
                 if one.phase == phase and not self._home(one.id)]  # fmt: skip
        beside = self.ruleset.phases[phase].at.file
        return sorted(found, key=lambda one: one.at.file != beside)

    def lent_actions(self, phase: str) -> list[ir.Action]:
        """What only the holders of a thing may do in a phase."""
        found = self.ruleset.actions.values()
        return [one for one in found if one.phase == phase and self._home(one.id)]

    def _find_inner_phases(self) -> None:
        """Phases that run inside another one are told with the first that has them."""
        own = set(self.phases)
        for phase in self.phases:
            waiting = [phase]
            while waiting:
                for stage in self.ruleset.phases[waiting.pop()].stages:
                    if stage.phase and stage.phase not in own:
                        own.add(stage.phase)
                        self.inside.setdefault(phase, []).append(stage.phase)
                        waiting.append(stage.phase)

    def _home(self, id_: str) -> bool:
        return "." in id_

    def _assigned(self) -> dict[Name, str]:
        reached = {chapter: self.uses.reached(roots) for chapter, roots in self._roots().items()}
        files = self._files()
        found: dict[Name, str] = {}
        for name in dict.fromkeys(one for some in reached.values() for one in some):
            word, id_ = name
            if word in _RULES and not self._home(id_):
                homes = {chapter for chapter, some in reached.items() if name in some}
                beside = files.get(self._node(word, id_).at.file, set())
                found[name] = _only(beside) or _only(homes & beside) or _only(homes) or COMMON
        return found

    def _node(self, word: str, id_: str) -> ir.Value | ir.Order | ir.Procedure:
        ruleset = self.ruleset
        if word == "value":
            return ruleset.values[id_]
        return ruleset.orders[id_] if word == "order" else ruleset.procedures[id_]

    def _roots(self) -> dict[str, list[Name]]:
        """Where reading begins: a phase with what runs inside it, the things of a kind, and what
        the turn itself asks for."""
        roots: dict[str, list[Name]] = {}
        for phase in self.phases:
            roots[of_phase(phase)] = [
                ("phase", one) for one in (phase, *self.inside.get(phase, ()))
            ]
        for kind in self.kinds:
            roots[of_kind(kind)] = [(kind, id_) for id_ in self.ruleset.things[kind]]
        turns = self.ruleset.turns.values()
        asked = [("order", one.ranking) for one in turns] + [("value", one.score) for one in turns]
        asked += [("value", part) for one in turns for part in one.parts]
        roots[COMMON] = [*asked, *(("rule", home) for home in self._rule_homes())]
        return roots

    def _rule_homes(self) -> Iterable[str]:
        return (id_ for word, id_ in self.uses.of if word == "rule")

    def _files(self) -> dict[str, set[str]]:
        """The chapters of a file: those of the phases in it, else of the things with blocks."""
        found: dict[str, set[str]] = {}
        for phase in self.phases:
            for one in (phase, *self.inside.get(phase, ())):
                found.setdefault(self.ruleset.phases[one].at.file, set()).add(of_phase(phase))
        blocks: dict[str, set[str]] = {}
        for kind in self.kinds:
            for thing in self.ruleset.things[kind].values():
                if thing.bodies:
                    blocks.setdefault(thing.at.file, set()).add(of_kind(kind))
        return {**blocks, **found}


def _only(chapters: set[str]) -> str:
    """The one chapter there is, if it is one."""
    return next(iter(chapters)) if len(chapters) == 1 else ""
