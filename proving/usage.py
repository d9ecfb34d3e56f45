"""Which of the answers that rules have words for a game was offered, and which were taken.

Where to and whom is another question in every game, so places, players and cards are not looked at.
Yes and no, numbers, and the things that packs declare are parts of the rules: what of them is never
taken, nobody has tried.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.decisions import member_type
from ziggurat.runtime.kernel.actions import Menu
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.requests import ChooseSomeRequest, DecisionRequest, Pending
from ziggurat.runtime.kernel.state import FUEL
from ziggurat.runtime.kernel.table import Table

NOTHING = "none"  # an answer that leaves it


def named_in_rules(ruleset: ir.Ruleset, type_: ir.Type) -> bool:
    """Whether rules, and not a position, say which values of a type there are."""
    if type_.name in ("int", "bool"):
        return True
    kind = ruleset.kinds.get(type_.name)
    return kind is not None and "place" not in kind.roles


def type_of_option(node: Any) -> ir.Type:
    """The type of one option of a decision; of a division, none."""
    if isinstance(node, ir.May):
        return ir.Type("bool")
    type_: ir.Type = node.type
    if isinstance(node, ir.Choose):
        return type_ if node.single or type_.item is None else type_.item
    return ir.Type("")


class Vocabulary:
    """The decisions of a program, and the parameters of its actions, whose options rules name."""

    def __init__(self, program: Program) -> None:
        rules = program.ruleset
        self.asked: dict[int, ir.Type] = {}
        for number, site in enumerate(program.sites):
            if isinstance(site.node, ir.Choose | ir.May):
                type_ = type_of_option(site.node)
                if named_in_rules(rules, type_):
                    self.asked[number] = type_
        self.given = {
            action.id: [
                (position, f"{action.id}.{param.name}", type_, param.single)
                for position, param in enumerate(action.params)
                if (type_ := member_type(param)).name != "int" and named_in_rules(rules, type_)
            ]
            for action in rules.actions.values()
        }


class Usage:
    """Keeps count in one game."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._offered: Counter[tuple[int, Any]] = Counter()
        self._taken: Counter[tuple[int, Any]] = Counter()
        self._given: Counter[tuple[str, Any]] = Counter()
        self._types: dict[str, ir.Type] = {}
        self.possible: set[str] = set()

    def decided(self, pending: Pending, answer: Any) -> None:
        """Somebody is about to answer."""
        if pending.ask is not None:
            if pending.ask.site in self._words.asked:
                self._asked(pending.ask, answer)
            return
        self._look(pending.menu)
        if answer is not None:
            self._acted(*answer)

    def _asked(self, ask: DecisionRequest, answer: Any) -> None:
        site = ask.site
        self._offered.update((site, option) for option in ask.options)
        if ask.optional or (isinstance(ask, ChooseSomeRequest) and not ask.least):
            self._offered[site, None] += 1
        several = isinstance(ask, ChooseSomeRequest)
        taken: Sequence[Any] = (answer or (None,)) if several else (answer,)
        self._taken.update((site, option) for option in taken)

    def _acted(self, action: str, args: Sequence[Any]) -> None:
        self.possible.add(action)
        for position, path, type_, single in self._words.given[action]:
            self._types[path] = type_
            given = args[position]
            self._given.update((path, one) for one in ((given,) if single else given))

    def _look(self, menu: Menu) -> None:
        """What can be done here that nobody in this game could do before?"""
        menu.state.fuel = FUEL
        for plan in menu.plans:
            if (
                plan.id not in self.possible
                and menu.opens(plan)
                and menu.completable(plan, (menu.player,))
            ):
                self.possible.add(plan.id)

    def choices(self, program: Program, table: Table) -> list[list[Any]]:
        """Path, option, how often offered (none for parameters), how often taken."""
        sums: Counter[tuple[str, str, bool]] = Counter()
        for counts, taken in ((self._offered, False), (self._taken, True)):
            for (site, option), times in counts.items():
                name = plain(table.name(option, self._words.asked[site]))
                sums[program.sites[site].path, name, taken] += times
        rows: list[list[Any]] = [
            [path, name, times, sums[path, name, True]]
            for (path, name, taken), times in sums.items()
            if not taken
        ]
        for (path, option), times in self._given.items():
            rows.append([path, plain(table.name(option, self._types[path])), None, times])
        return sorted(rows, key=lambda row: row[:2])


def plain(value: Any) -> str:
    """The name of an answer: `yes`, `3`, the id of a thing, `none`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None else str(value)


def all_options(ruleset: ir.Ruleset, path: str) -> tuple[str, ...]:
    """All that may be given for a parameter of an action, by its path; empty if rules name none."""
    head, _, last = path.rpartition(".")
    action = ruleset.actions.get(head)
    for param in action.params if action is not None else ():
        type_ = member_type(param)
        if param.name == last and type_.name != "int" and named_in_rules(ruleset, type_):
            if type_.name == "bool":
                return ("no", "yes")
            return tuple(ruleset.things.get(type_.name, {}))
    return ()
