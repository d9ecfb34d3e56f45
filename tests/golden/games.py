"""Golden games: complete games as text, written down and played again.

A file has one line for each answer (the path of the decision, who was asked, the answer in names)
and one for each phase of a turn that ended (the turn, the phase, a digest of the position, and the
scores). Answers are given to the game as they stand, no bot is asked. The first line that does not
come true is where play parted.
"""

import gzip
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import attrs

from tests.golden.catalogue import Golden
from tests.golden.digest import Digest
from ziggurat.dsl.packs import Search
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.bots.policies import Advised, Policy, Random
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.requests import Pending
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.saves.cache import load_program

PHASE, END = "=", "."
LIMIT = 40_000
AGAIN = "If that is what the rules should do now: python -m tests.golden.record"


@attrs.frozen
class Divergence(Exception):  # noqa: N818 - says what it is
    """Where a game went another way than its record."""

    golden: Golden
    turn: int
    phase: str
    rule: str
    was: str
    now: str

    def __str__(self) -> str:
        return (
            f"{self.golden.name} parted in turn {self.turn}, phase {self.phase}, at {self.rule}.\n"
            f"  recorded: {self.was}\n  now:      {self.now}"
        )


@cache
def program(stack: str, packs: tuple[str, ...] = ()) -> Program:
    found, findings = load_program(stack, Search.default(packs))
    assert found is not None, [str(finding) for finding in findings]
    return found


def options(golden: Golden, ruleset: ir.Ruleset) -> dict[str, Any]:
    given = dict(golden.options)
    if golden.otherwise:
        flags = [one for one in ruleset.options.values() if one.type.name == "bool"]
        given |= {flag.id: not flag.default for flag in flags}
    return given


class Player:
    """Plays a golden game. `tell` hears of every line as it comes true."""

    def __init__(self, golden: Golden, tell: Callable[[str], object]) -> None:
        self.golden = golden
        self.tell = tell
        rules = program(golden.stack, golden.packs)
        self.sites = rules.sites
        self.turn_order = next(iter(rules.ruleset.turns.values()))
        names = [f"player{number + 1}" for number in range(golden.players)]
        self.table = Table(rules.ruleset, names, options(golden, rules.ruleset))
        self.digest = Digest(self.table)
        self.run = Scheduler(rules.bind(self.table))
        self.turn = 0
        self.phase = ""
        self.game = Game.begin(self.run, golden.seed, watch=self._watch)

    def _watch(self, state: State) -> None:
        here = self.run.position(state)
        if here.ended:
            scores = " ".join(str(score) for score in self._scores(state))
            digest = self.digest.of(state)
            self.tell(f"{PHASE} {self.turn} {here.ended} {digest} {scores}")
        if not here.opening and not here.ended:
            self.turn += 1
        if here.coming:
            self.phase = here.coming

    def _scores(self, state: State) -> Iterator[int]:
        name = self.turn_order.score
        if name:
            for player in self.table.players:
                yield self.run.call(state, ("value", name), (player,))

    def asked(self, pending: Pending) -> str:
        """The path of a decision: of a rule, or for an act, of its phase."""
        return self.sites[pending.ask.site].path if pending.ask else pending.phase

    def type_of(self, pending: Pending) -> ir.Type:
        assert pending.ask is not None
        node = self.sites[pending.ask.site].node
        return ir.Type("bool") if isinstance(node, ir.May) else node.type

    def say(self, pending: Pending, inner: Any) -> str:
        """The line of an answer."""
        name = self.table.name
        if pending.ask is not None:
            plain = name(inner, self.type_of(pending))
        elif inner is None:
            plain = None
        else:
            params = self.run.rules.actions[inner[0]].params
            args = [name(a, p.type) for a, p in zip(inner[1], params, strict=True)]
            plain = [inner[0], args]
        answer = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        return f"{self.asked(pending)} {pending.decider} {answer}"

    def hear(self, pending: Pending, answer: str) -> Any:
        """The answer of a line, in the table's numbers. KeyError if it names nothing here."""
        plain = json.loads(answer)
        if pending.ask is not None:
            return self.table.parse(plain, self.type_of(pending))
        if plain is None:
            return None
        params = self.run.rules.actions[plain[0]].params
        args = [self.table.parse(a, p.type) for a, p in zip(plain[1], params, strict=True)]
        return plain[0], tuple(args)

    def decide(self, pending: Pending, inner: Any) -> None:
        self.tell(self.say(pending, inner))
        self.game.decide(0, inner)

    def end(self) -> None:
        state = self.game.state
        scores = " ".join(str(score) for score in self._scores(state))
        best = self.game.ranking()[0]
        how = "over" if state.over else "unfinished"
        self.tell(f"{END} {self.turn} {how} {best} {self.digest.of(state)} {scores}")


def record(golden: Golden) -> list[str]:
    """The lines of a game, played by its bots."""
    lines: list[str] = []
    player = Player(golden, lines.append)
    bot: Policy = Advised(golden.seed) if golden.policy == "advised" else Random(golden.seed)
    answers = 0
    while player.game.pending and answers < LIMIT:
        pending = player.game.pending[0]
        player.decide(pending, bot.decide(player.game, pending))
        answers += 1
    player.end()
    return lines


def record_again(golden: Golden, old: list[str]) -> list[str]:
    """The lines of a game with the answers it had: what changed are the digests only."""
    lines: list[str] = []
    player = Player(golden, lines.append)
    for line in old:
        if line.startswith((PHASE, END)):
            continue
        pending = player.game.pending[0]
        player.decide(pending, player.hear(pending, line.split(" ", 2)[2]))
    player.end()
    return lines


class Replay:
    """Plays a record again and stops at the first line that does not come true."""

    def __init__(self, golden: Golden, lines: list[str]) -> None:
        self.golden = golden
        self.lines = lines
        self.at = 0
        self.player: Player | None = None
        self.turn, self.phase, self.rule = 0, "", ""

    def part(self, was: str, now: str, rule: str = "") -> Divergence:
        return Divergence(
            self.golden, self.turn, self.phase, rule or self.rule or self.phase, was, now
        )

    def tell(self, line: str) -> None:
        was = self.lines[self.at] if self.at < len(self.lines) else "nothing more"
        if line.startswith(PHASE):
            self.turn, self.phase = int(line.split()[1]), _after(line)
        if line != was:
            raise self.part(was, line, line.split()[0] if line[0] not in (PHASE, END) else "")
        self.at += 1
        if line.startswith(PHASE):
            self.rule = ""

    def run(self) -> None:
        """Raises `Divergence` unless everything happens again as it did."""
        self.player = player = Player(self.golden, self.tell)
        game = player.game
        while self.at < len(self.lines) and not self.lines[self.at].startswith(END):
            line = self.lines[self.at]
            self.turn, self.phase = player.turn, player.phase
            if line.startswith(PHASE) or not game.pending:
                asked = player.asked(game.pending[0]) if game.pending else "the end of the game"
                raise self.part(line, f"{asked} is asked" if game.pending else asked, asked)
            pending = game.pending[0]
            path, decider, answer = line.split(" ", 2)
            asked = player.asked(pending)
            if (path, decider) != (asked, str(pending.decider)):
                raise self.part(line, f"{asked} {pending.decider} is asked", asked)
            self.rule = path
            self._answer(pending, answer, line)
        last = self.lines[self.at] if self.at < len(self.lines) else "nothing more"
        if game.pending and "over" in last.split():
            asked = player.asked(game.pending[0])
            raise self.part(last, f"{asked} is asked", asked)
        player.end()

    def _answer(self, pending: Pending, answer: str, line: str) -> None:
        assert self.player is not None
        try:
            inner = self.player.hear(pending, answer)
            legal = pending.ask is None or pending.ask.allows(inner)
        except (KeyError, TypeError, ValueError) as wrong:
            raise self.part(line, f"the answer names nothing here ({wrong})") from wrong
        if not legal:
            raise self.part(line, "the answer is not legal")
        try:
            self.player.decide(pending, inner)
        except RulesError as wrong:
            raise self.part(line, f"the rules break: {wrong}") from wrong


def _after(line: str) -> str:
    return line.split()[2]


def compare(golden: Golden, old: list[str], new: list[str]) -> Divergence | None:
    """Where two records of a game part, None if they do not."""
    turn, phase = 0, ""
    for number, (was, now) in enumerate(zip([*old, ""], [*new, ""], strict=False)):
        if was != now:
            rest = (line for line in new[number:] if line.startswith((PHASE, END)))
            following = next(rest, f"{END} {turn}")
            turn = int(following.split()[1])
            phase = _after(following) if following.startswith(PHASE) else "the last one"
            rule = now.split()[0] if now and now[0] not in (PHASE, END) else phase
            return Divergence(
                golden, turn, phase, rule, was or "nothing more", now or "nothing more"
            )
    return None


def read(golden: Golden) -> list[str]:
    with gzip.open(golden.path, "rt", encoding="utf-8") as file:
        _, *lines = file.read().splitlines()
    return lines


def write(golden: Golden, lines: list[str]) -> int:
    """Write a record; how many bytes it takes. The same lines always give the same bytes."""
    head = f"# {golden.stack}, {golden.players} players, seed {golden.seed}, {golden.policy}"
    data = gzip.compress("\n".join([head, *lines, ""]).encode(), 9, mtime=0)
    golden.path.parent.mkdir(exist_ok=True)
    golden.path.write_bytes(data)
    return len(data)
