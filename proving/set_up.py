"""Games that begin where a scenario has come to: its table, its position, and then the turn.

What the scenario runs by itself, a phase or a rule, is finished first; then the turn goes on after
that phase, or a new one begins. A game goes on from decision to decision, so it can begin where one
is asked, before the scenario runs anything (`given`), or at its end, but not inside a step.
"""

from collections.abc import Sequence

import attrs

from ziggurat.dsl.loading import load
from ziggurat.dsl.nearest import did_you_mean
from ziggurat.dsl.packs import Search
from ziggurat.dsl.survey import decision_points
from ziggurat.proving.course import unwatched
from ziggurat.proving.excerpts import GIVEN, Excerpt, NoSuchPlace, Reached, meant_scenario
from ziggurat.proving.explained import ExplainedGame
from ziggurat.proving.questions import TITLE, BadQuestion, check_players, linked, scenario_text
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.bodies import bodies
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.runtime.saves.format import BadSave, Header


class _SetUp(Excerpt):
    """A scenario that is performed up to a decision, on the rules that are played."""

    ran: ir.Run | None = None

    def begin(self, item: ir.Run) -> None:
        self.ran = item
        super().begin(item)

    def _reached(self, *names: str) -> None:
        if self.step in names:
            raise Reached(self.game.state)


def start_at(rules: ir.Ruleset | Program, scenario: str, seed: int = 0) -> Game:
    """A game that begins where a scenario ends, or at a step of it: `title@given` (before it runs
    anything), `title@2` (after two answers) or `title@tax_collection.rate` (when that is asked).
    Raises `BadQuestion`."""
    program = rules if isinstance(rules, Program) else compile_ruleset(rules)
    try:
        place, step = meant_scenario(program.ruleset, scenario)
        play = _SetUp(program, unwatched(place), step, seed)
        play.come_to(place.items)
    except NoSuchPlace as wrong:
        raise BadQuestion(_about_steps(program.ruleset, str(wrong), scenario)) from wrong
    if step == GIVEN:
        for item in [one for one in place.items if isinstance(one, ir.Run)][:1]:
            play.begin(item)
            play.position = play.game.state
    return _going_on(program, play)


def start_from(
    ruleset: ir.Ruleset,
    players: Sequence[str],
    given: Sequence[str] = (),
    phase: str = "",
    seed: int = 0,
    search: Search | None = None,
) -> Game:
    """A game that begins in a position set up by hand, in the words of the rules: `given` are
    statements as in a scenario, one each. It goes on with a `phase` and the rest of the turn, with
    a new turn unless told. Raises `BadQuestion`, with findings where the rules cannot read it."""
    check_players(ruleset, players)
    if phase and phase not in ruleset.phases:
        near = did_you_mean(phase, ruleset.phases) or f"There are {', '.join(ruleset.phases)}."
        raise BadQuestion(f"there is no phase `{phase}`. {near}")
    steps = "\n".join(given)
    lines = [f"given {{\n{steps}\n}}", *([f"run phase {phase}"] if phase else [])]
    linked_rules, _ = linked(ruleset.stack, search, scenario_text(players, lines))
    return start_at(linked_rules, f"{TITLE}@{GIVEN}", seed)


def _about_steps(ruleset: ir.Ruleset, told: str, scenario: str) -> str:
    """A rule that begins is a step for questions, but no game can go on from the middle of it."""
    step = scenario.rpartition("@")[2]
    decisions = {point.path for point in decision_points(ruleset)}
    rules = {one.path for one in bodies(ruleset)}
    if step not in decisions and (step in rules or step.rpartition(".")[0] in rules):
        return f"{told} A game cannot begin where a rule does: say which decision, or `@{GIVEN}`."
    return told


def _going_on(program: Program, play: _SetUp) -> Game:
    run = Scheduler(program.bind(play.bound.table))
    state = play.position.copy()
    state.onlooker = None
    state.chance = None
    title = play.scenario.title
    if state.over:
        raise BadQuestion(f"the game is over where `{title}` has come to.")
    if not run.begin_turn_after(state, _last_phase(play)):
        raise BadQuestion(f"`{program.ruleset.stack}` has no turn to go on with.")
    try:
        game = ExplainedGame(run, state)
    except RulesError as wrong:
        raise BadQuestion(f"the rules cannot go on from `{title}`: {wrong}") from wrong
    if game.decision is None:
        told = "the game ends by itself" if game.over else "nobody has anything to decide"
        raise BadQuestion(f"{told} from where `{title}` has come to.")
    return game


def _last_phase(play: _SetUp) -> str:
    """The phase that was run last; none if it was a rule by itself, or nothing."""
    ran = play.ran
    return (ran.to or ran.phase) if ran is not None and ran.kind == "phase" else ""


def with_scenarios(program: Program, ruleset: ir.Ruleset) -> Program:
    """A compiled program whose ruleset has the scenarios of the same rules."""
    scenarios = ruleset.scenarios
    return attrs.evolve(program, ruleset=attrs.evolve(program.ruleset, scenarios=scenarios))


def begin_again(header: Header, program: Program, search: Search, anyway: bool) -> Game:
    """A saved game where its scenario had come to. Raises `BadSave` if the scenario is not there,
    or does not come to the same position, unless that is taken `anyway`."""
    if not program.ruleset.scenarios:
        ruleset = load(header.stack, search).ruleset
        program = program if ruleset is None else with_scenarios(program, ruleset)
    try:
        game = start_at(program, header.scenario, header.seed)
    except BadQuestion as wrong:
        told = f"This game began at the scenario `{header.scenario}`: {wrong}"
        raise BadSave(told) from wrong
    if game.state.digest() != header.position and not anyway:
        raise BadSave(
            f"This game began at the scenario `{header.scenario}`, which comes to another position"
            " now. `--anyway` goes on from there, as far as its answers fit, in a new file."
        )
    return game
