"""What a game needs to be played: a turn, somebody who decides, and an end."""

from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import described
from ziggurat.runtime.kernel.walking import walk


def check_game(world: World, ruleset: ir.Ruleset) -> None:
    """Warn if a game cannot be played as it stands. Quiet while anything else is wrong."""
    if world.findings.has_errors or not ruleset.phases or not ruleset.players:
        return  # without players it is no game yet
    turn = next(iter(ruleset.turns.values()), None)
    if turn is None:
        if not all(pack.incomplete for pack in world.stack.packs):
            first = next(iter(ruleset.phases.values()))
            advice = f"Write `turn main {{ phases: {first.id} }}`."
            message = "Nothing says in which order the phases are played."
            world.warn("Z036", message, span_of(world, first.at), advice)
        return
    rules = (ruleset.phases, ruleset.actions, ruleset.procedures, ruleset.things)
    at = span_of(world, turn.at)
    if not any(isinstance(node, ir.EndGame) for node in walk(rules)):
        advice = "Write `end game` where it ends, as in `if p.points >= 100 { end game }`."
        world.warn("Z037", "Nothing ends this game.", at, advice)
    if not any(_lets_decide(node) for node in walk(rules)):
        advice = (
            "Let players choose (`choose n by p from 1..6`) or act (`players p act until done`)."
        )
        world.warn("Z038", "Nobody decides anything in this game.", at, advice)


def _lets_decide(node: object) -> bool:
    return described(node).asks or (isinstance(node, ir.Stage) and node.kind == "act")
