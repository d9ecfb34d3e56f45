"""`ziggurat demo`: a whole game by bots, told turn by turn."""

from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.types import PositiveInt

from ziggurat import Advised, Game, Searching, play, start
from ziggurat.studio.console import OK, console
from ziggurat.studio.language import speak, tr
from ziggurat.studio.narrator import Narrator
from ziggurat.studio.options import (
    Language,
    PackFolders,
    RuleOptions,
    Stack,
    read_options,
    search_path,
)
from ziggurat.studio.rules import players_of, program
from ziggurat.studio.titles import title_of


def demo(
    stack: Stack = "west",
    *,
    players: PositiveInt | None = None,
    seed: int = 1,
    brief: Annotated[bool, Parameter(negative=())] = False,
    policy: Literal["advised", "search"] = "advised",
    option: RuleOptions = (),
    language: Language = "",
    packs: PackFolders = (),
) -> int:
    """Play a full game with bots and tell it turn by turn.

    Parameters
    ----------
    stack
        The ruleset to play, such as `west` or `west+expert`.
    players
        How many play; as many as the ruleset allows unless told otherwise.
    seed
        The same seed gives the same game.
    brief
        Only the table after each turn, without the story.
    policy
        Who plays: `advised` bots, or those that look ahead, `search`, which takes minutes.
    """
    out = console()
    search = search_path(packs).including(stack)
    speak(language, search)
    rules = program(stack, search)
    number = players_of([rules], players)
    (options,) = read_options(option, [rules])
    title = title_of(rules.ruleset)
    told = tr("{title}: {number} players, seed {seed}.")
    out.print(told.format(title=title, number=number, seed=seed), style="bold")
    game = start(rules, number, seed=seed, options=options)
    narrator = Narrator(game)

    def tell(_: Game) -> None:
        for events in narrator.news():
            for part in narrator.tell_turn(events, brief):
                out.print(part)

    play(game, (Searching if policy == "search" else Advised)(seed), watch=tell)
    out.print(narrator.ending())
    return OK
