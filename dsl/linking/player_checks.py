"""What a turn needs for every number of players (`needs any(s in setups where …)`), checked for all
numbers that the packs of the stack admit."""

from collections.abc import Sequence

from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.linking.constants import PLAYERS, Data, TooMuch
from ziggurat.dsl.linking.context import BAD
from ziggurat.dsl.linking.kind_checks import only_data
from ziggurat.dsl.linking.removals import Removal
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.players import deciding, players_span
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.arithmetic import CannotCompute
from ziggurat.runtime.kernel.walking import walk

ABOUT_PLAYERS = "What a turn needs for each number of players"


def check_numbers_of_players(world: World, ruleset: ir.Ruleset) -> None:
    """Every number of players has what the turns need for it.

    Where something else is wrong, the data may not be what was written, so nothing is said.
    """
    sets = {*world.kinds, PLAYERS}
    turns = [(turn, need) for turn in ruleset.turns.values() for need in turn.needs]
    for turn, need in turns:
        sound = need.condition is not BAD and only_data(world, need, ABOUT_PLAYERS, sets)
        if sound and not world.findings.has_errors:
            _check(world, ruleset, turn, need)


def _check(world: World, ruleset: ir.Ruleset, turn: ir.TurnOrder, need: ir.Requirement) -> None:
    span = span_of(world, need.at)
    try:
        _check_all(world, ruleset, turn, need)
    except TooMuch:
        message = "This goes through more than can be checked for every number of players."
        world.report("Z517", message, span, "Compare with fewer things or numbers.")
    except CannotCompute as wrong:
        message = f"What `turn {turn.id}` needs cannot be worked out. {wrong}"
        world.report("Z327", message, span, "Correct what it needs.")


def _check_all(world: World, ruleset: ir.Ruleset, turn: ir.TurnOrder, need: ir.Requirement) -> None:
    note = Note(f"`turn {turn.id}` needs it here.", span_of(world, need.at))
    if not ruleset.players and all(pack.incomplete for pack in world.stack.packs):
        return  # parts of games, which leave it to the game that extends them
    if not ruleset.players:
        message = f"No pack says how many may play, so what `turn {turn.id}` needs for each number"
        advice = 'Write a line such as `players = "2-4"` in the `pack.toml` of the game.'
        span = world.stack.packs[-1].span("id")
        world.report("Z031", f"{message} cannot be checked.", span, advice, (note,))
        return
    data = Data(ruleset.kinds, ruleset.things)
    unmet = [number for number in ruleset.players if not data.holds_for(need.condition, number)]
    if not unmet:
        return
    reason = f": {need.reason}" if need.reason else "."
    people = "player" if unmet == [1] else "players"
    message = f"Something is missing for {_listed(unmet)} {people}{reason}"
    pack = deciding(world.stack.packs, world.stack.foundations)[-1]
    met = [number for number in ruleset.players if number not in unmet]
    removal = _removal(world, need, pack.id)
    if removal is None:
        world.report("Z031", message, pack.span("players"), _advice(met), (note,))
        return
    admitted = Note(f"`{pack.id}` admits them.", pack.span("players"))
    where = f" in the `pack.toml` of `{removal.pack}`"
    world.report("Z031", message, removal.span, _advice(met, where), (note, admitted))


def _removal(world: World, need: ir.Requirement, pack: str) -> Removal | None:
    """Where a pack that builds on the one which admits so many takes away what is needed."""
    kinds = [part.of for part in walk(need.condition) if isinstance(part, ir.All)]
    removals = [one for kind in kinds for (word, _), one in world.book.gone.items() if word == kind]
    return next((one for one in removals if world.stack.builds_on(one.pack, pack)), None)


def _listed(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}" if most else last


def _advice(met: Sequence[int], where: str = "") -> str:
    without_gaps = met and met[-1] - met[0] == len(met) - 1
    narrower = f', or write `players = "{players_span(met)}"`{where}' if without_gaps else ""
    return f"Add what is missing{narrower}."
