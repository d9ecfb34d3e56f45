"""Many games of one ruleset, each written down as one plain record.

A record tells who played what and how it ended, the measured values of every turn, what each phase
changed, who held what when, what was said and what was decided. Simulations are made of records.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from ziggurat.dsl.packs import Search
from ziggurat.proving.usage import Usage, Vocabulary
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.bots.lookahead import Searching
from ziggurat.runtime.bots.policies import Advised, Policy, Random
from ziggurat.runtime.bots.seat_values import is_seat_choice
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.requests import Pending
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import FUEL, State
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE, Table

POLICIES = ("advised", "random", "mixed", "search", "one_search")
FINISHED, UNFINISHED, FAILED = "finished", "unfinished", "failed"
TROUBLE = (MemoryError, OSError)  # says nothing about rules: elsewhere the game can be played
GameRecord = dict[str, Any]
Row = list[int]


@attrs.frozen
class Trial:
    """One ruleset of a simulation and everything a process needs to play it."""

    stack: str
    packs: tuple[str, ...]
    players: int
    policy: str
    options: tuple[tuple[str, Any], ...]
    limit: int

    def search(self) -> Search:
        return Search.default(self.packs)


def measured(ruleset: ir.Ruleset) -> tuple[str, ...]:
    """The values looked at in every turn: what the turn shows, the parts, and the score."""
    turn = next(iter(ruleset.turns.values()))
    found = [*turn.shows, *turn.parts, *([turn.score] if turn.score else [])]
    return tuple(dict.fromkeys(found))


class Arena:
    """A ruleset laid out for a number of players; many games are played in it, in any threads."""

    def __init__(self, program: Program, side: Trial) -> None:
        self.program = program
        self.side = side
        self.measured = measured(program.ruleset)
        names = [f"player{number + 1}" for number in range(side.players)]
        self.table = Table(program.ruleset, names, dict(side.options))
        self.scheduler = Scheduler(program.bind(self.table))
        self.vocabulary = Vocabulary(program)
        self.sentences = sentences_of(program)

    def play(self, seed: int) -> GameRecord:
        """Play a whole game. What breaks in the rules is part of the record; what is wrong with
        the machine, `TROUBLE`, is raised.
        """
        began = time.perf_counter()
        book = Book(self)
        error = ""
        try:
            outcome = self._play(seed, book)
        except TROUBLE:
            raise
        except Exception as wrong:  # one broken game must not end a long simulation
            outcome, error = FAILED, f"{type(wrong).__name__}: {wrong}"
        return {
            "stack": self.side.stack,
            "seed": seed,
            "outcome": outcome,
            "error": error,
            **book.record(policies(self.side, seed)),
            "seconds": round(time.perf_counter() - began, 3),
        }

    def _play(self, seed: int, book: "Book") -> str:
        game = Game.begin(self.scheduler, seed, watch=book.watch)
        players: dict[str, Policy] = {
            "advised": Advised(seed),
            "random": Random(seed),
            "search": Searching(seed),
        }
        who = [players[name] for name in policies(self.side, seed)]
        try:
            while game.pending and book.answers < self.side.limit:
                pending = game.pending[0]
                answer = who[pending.decider].decide(game, pending)
                book.decided(pending, answer)
                game.decide(0, answer)
        finally:
            book.close(game)
        return UNFINISHED if game.pending else FINISHED


def policies(side: Trial, seed: int) -> list[str]:
    """Who plays how. Mixed: every other seat, and in the next game the seats between. One search:
    one seat against advised ones, in the next game the next."""
    if side.policy == "one_search":
        seats = range(side.players)
        return ["search" if seat == seed % side.players else "advised" for seat in seats]
    if side.policy != "mixed":
        return [side.policy] * side.players
    return ["advised" if (seat + seed) % 2 else "random" for seat in range(side.players)]


class Book:
    """Keeps the books of one game while it is played."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.answers = 0
        self.turn = 0
        self.values: list[list[Row]] = []
        self.changes: Counter[tuple[str, int, int, bool]] = Counter()
        self.held: dict[tuple[int, int], list[int | None]] = {}
        self.events: dict[tuple[int, int, int | None, str], list[int]] = {}
        self.decisions: Counter[tuple[int, str]] = Counter()
        self.usage = Usage(arena.vocabulary)
        self._rows: list[Row] = []
        self._told = 0
        self._players: list[dict[str, Any]] = []
        self._choosers: set[int] = set()
        self._numbered: dict[int, int] = {}

    def decided(self, pending: Pending, answer: Any) -> None:
        """Note an answer that is about to be given."""
        self.answers += 1
        if is_seat_choice(self.arena.scheduler, pending):
            self._choosers.add(pending.decider)
        if pending.ask is not None:
            path = self.arena.program.sites[pending.ask.site].path
        else:
            path = f"{pending.phase}.done" if answer is None else answer[0]
        self.decisions[pending.decider, path] += 1
        self.usage.decided(pending, answer)

    def watch(self, state: State) -> None:
        """Between two phases, note what the last one changed, and the end of a turn."""
        here = self.arena.scheduler.position(state)
        if not here.opening and not here.ended:
            self.turn += 1
        if here.ended:
            self._phase(state, here.ended)
        elif not self._rows:
            self._measure_beginning(state)
        elif not here.coming:
            self._rows = self._measure(state)
        if not here.coming:
            self._end_turn(state)

    def _measure_beginning(self, state: State) -> None:
        """Measure what players have before the first phase, as far as it can be worked out there.

        A value may need what the first phase sets up.
        """
        try:
            self._rows = self._measure(state)
        except RulesError:
            self._rows = []

    def _phase(self, state: State, phase: str) -> None:
        rows = self._measure(state)
        for player, (before, after) in enumerate(zip(self._rows, rows, strict=False)):
            for number, (old, new) in enumerate(zip(before, after, strict=True)):
                if old != new:
                    self.changes[phase, number, player, new > old] += abs(new - old)
        self._rows = rows
        self._holdings(state)

    def _measure(self, state: State) -> list[Row]:
        call, fuel = self.arena.scheduler.call, state.fuel
        rows = []
        for player in self.arena.table.players:
            state.fuel = FUEL
            names = self.arena.measured
            rows.append([call(state, ("value", name), (player,)) for name in names])
        state.fuel = fuel
        return rows

    def _holdings(self, state: State) -> None:
        for player in self.arena.table.players:
            held = state.held[player]
            for thing, bit in self.arena.table.bit.items():
                known = self.held.get((player, thing))
                if held & bit:
                    if known is None:
                        self.held[player, thing] = [self.turn, None]
                    else:
                        known[1] = None
                elif known is not None and known[1] is None:
                    known[1] = self.turn

    def _end_turn(self, state: State) -> None:
        if len(self.values) <= self.turn:
            self.values.append(self._rows)
        self._log(state)

    def _log(self, state: State) -> None:
        """Count the sentences said since the last time, by whom they are about."""
        fresh: list[Sequence[Any]] = []
        link, missing = state.log, state.log_size - self._told
        while link is not None and missing > 0:
            link, events = link
            fresh.extend(events)
            missing -= len(events)
        self._told = state.log_size
        for what, _, about, holes in fresh:
            if what == "say":
                player, thing, amount = self._about(about, holes)
                number = self._numbered.setdefault(about, len(self._numbered))
                sums = self.events.setdefault((self.turn, number, player, thing), [0, 0])
                sums[0] += 1
                sums[1] += amount

    def _about(self, site: int, holes: tuple[Any, ...]) -> tuple[int | None, str, int]:
        """The first player and the first thing a sentence names, and the sum of its numbers."""
        table = self.arena.table
        player, thing, amount = None, "", 0
        text = self.arena.program.sites[site].node.text
        parts = [part for part in text.parts if not isinstance(part, str)]
        for part, value in zip(parts, holes[: text.holes], strict=True):
            name = part.type.name
            if value is None:
                continue
            if name == "int":
                amount += value
            elif name in ("player", "owner"):
                if player is None and value in table.players:
                    player = value
            elif not thing and (name in table.kind_range or name in table.families):
                thing = table.things[table.face[value] if name in table.families else value].id
        return player, thing, amount

    def close(self, game: Game) -> None:
        """Note the last turn, which ends with the game or where play stopped, and the result."""
        state = game.state
        phase = game.position.phase
        if phase:
            self._phase(state, phase)
        self._end_turn(state)
        table = self.arena.table
        slots = [table.attributes[f"{SEAT_ATTRIBUTE}{kind}"] for kind in table.seat_kinds]
        scores, ranks = game.scores(), {} if game.pending else game.ranks()
        for player, name in zip(table.players, table.owner_names, strict=False):
            plays = [state.attrs[one.slot(player)] for one in slots]
            known = [table.things[thing].id for thing in plays if thing is not None]
            self._players.append(
                {
                    "name": name,
                    "plays": "".join(known[:1]),
                    "chose": player in self._choosers,
                    "rank": ranks.get(name),
                    "score": scores.get(name),
                }
            )

    def record(self, names: Sequence[str]) -> GameRecord:
        table, measured = self.arena.table, self.arena.measured
        changes: dict[tuple[str, str, int], list[int]] = {}
        for (phase, number, player, more), amount in self.changes.items():
            changes.setdefault((phase, measured[number], player), [0, 0])[not more] += amount
        return {
            "turns": self.turn,
            "answers": self.answers,
            "players": [
                {**player, "policy": name}
                for player, name in zip(self._players, names, strict=False)
            ],
            "values": self.values,
            "held": [
                [player, table.things[thing].kind, table.things[thing].id, *when]
                for (player, thing), when in sorted(self.held.items())
            ],
            "sentences": [list(self.arena.sentences[site]) for site in self._numbered],
            "events": _sort_events([*key, *sums] for key, sums in self.events.items()),
            "decisions": [[*key, times] for key, times in sorted(self.decisions.items())],
            "choices": self.usage.choices(self.arena.program, table),
            "possible": sorted(self.usage.possible),
            "changes": [[*key, *sums] for key, sums in sorted(changes.items())],
        }


def _sort_events(events: Iterable[list[Any]]) -> list[list[Any]]:
    """Return events by sentence, seat, thing and turn: like ones together take less space."""

    def place(event: list[Any]) -> tuple[Any, ...]:
        turn, number, player, thing, *_ = event
        return number, -1 if player is None else player, thing, turn

    return sorted(events, key=place)


def sentences_of(program: Program) -> dict[int, tuple[str, str]]:
    """All that rules may say aloud, by its site, as records name it: the rule and the sentence."""
    return {
        number: (site.rule, template(site.node.text))
        for number, site in enumerate(program.sites)
        if isinstance(site.node, ir.Say)
    }


def template(text: ir.Text) -> str:
    """A sentence of the rules with its holes named: `[p] takes over [a].`"""
    out = []
    for part in text.parts:
        match part:
            case str():
                out.append(part)
            case ir.Agreement(wordings=words):
                out.append(words[-1])
            case ir.Local(name=name) | ir.FieldOf(field=name) | ir.ValueCall(value=name):
                out.append(f"[{name.rpartition('.')[2].replace('_', ' ')}]")
            case ir.AttrOf(attr=name):
                out.append(f"[{name.rpartition('.')[2].replace('_', ' ')}]")
            case _:
                out.append("[…]")
    return "".join(out)
