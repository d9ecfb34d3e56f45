"""Games that say why: a refused action is told with the reason of the rule that forbids it.

The machine knows which requirement failed. Which clause of which rule made it fail takes an
explanation, and explanations need the reference evaluator, which the machine does without. Games
that people or programs outside meet are started and loaded here.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from ziggurat.dsl.packs import Search, find_packs, is_built_in
from ziggurat.dsl.version import __version__
from ziggurat.proving.refusals import Refusal, explain_action, forbidden
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.saves import save as saves
from ziggurat.runtime.saves.cache import load_program
from ziggurat.runtime.saves.format import BadSave, Header, SavedAnswer
from ziggurat.runtime.saves.save import Save


class ExplainedGame(Game):
    """A game whose refusals carry the reason of the rule behind them."""

    def reason(self, state: State, action: str, player: int, args: tuple[Any, ...]) -> str:
        found = explain_action(self.table, state, action, player, args)
        return found.reason if found is not None and forbidden(list(found.parts)) else ""


start = ExplainedGame.start


def why_not(
    game: Game, seat: str, action: str, args: Sequence[Any] = (), veil: bool = False
) -> Refusal | None:
    """The first reason why a player may not do this now; None if the action's own rules permit it.

    `args` may stop early: then only as much is looked at as they say. With a `veil` no more is told
    than the player may know: None, too, where the reason is hidden.
    """
    params = game.ruleset.actions[action].params
    given = tuple(game.table.parse(a, p.type) for p, a in zip(params, args, strict=False))
    number = game.table.owner_ids[seat]
    if not veil:
        return explain_action(game.table, game.state, action, number, given)
    try:
        return explain_action(
            game.table, veiled(game.table, game.state, number), action, number, given
        )
    except Unseen:
        return None


def new_save(
    game: Game,
    path: Path,
    options: Mapping[str, Any] | None = None,
    people: Sequence[str] = (),
    search: Search | None = None,
    scenario: str = "",
    kept: Mapping[str, str] | None = None,
) -> Save:
    """Return a save of a game that starts now, with its options; its file is there.

    `people` are the seats that people play. `search` says where the packs were found: those below
    the folder of the save are noted. `kept` are the hashes of their texts where these are kept for
    the save. A game that began where a `scenario` had come to (see
    `start_at`) needs the same words here; its options are those of the scenario. Raises ValueError
    for any other game that does not stand at its beginning: it could not be loaded again.
    """
    if not scenario and not game.at_beginning:
        raise ValueError(
            "Only a game that stands at its beginning, or where a scenario has come to, can be"
            " saved: later answers alone would not lead back to this position."
        )
    header = saves.header_of(game, __version__, options or {})
    if scenario:
        header = attrs.evolve(header, scenario=scenario, position=game.state.digest())
    found = find_packs(search) if search else {}
    folders = {
        id_: found[id_].path
        for id_, _, _ in header.packs
        if id_ in found and not is_built_in(found[id_])
    }
    header = attrs.evolve(header, people=tuple(people), kept=tuple((kept or {}).items()))
    header = header.at(path.parent, folders)
    save = Save(path, header, game, _beginning(search, False))
    save.create()
    return save


def load_save(
    path: Path,
    rules: Callable[[Header], Program] | None = None,
    to: int | None = None,
    watch: Callable[[Game, int, SavedAnswer], object] | None = None,
    anyway: bool = False,
    search: Search | None = None,
    trusted: bool = False,
    holder: str = "",
) -> tuple[Save, list[str]]:
    """Return a saved game at its last answer (or after the first `to`), and what to tell people.

    `rules` gives the program a header asks for; unless told otherwise the packs are looked for
    below the save, where `search` says and among those that came along. Rules that mean something
    else than when the game was begun raise `OtherRules`, which says how far the answers fit, unless
    they are to be taken `anyway`; what is answered then goes into a new file beside the save. With
    `trusted` the caller knows that the rules mean the same. `watch` is told of every answer on the
    way. A `holder`, such as "`ziggurat play`", is going to write the save: it keeps others from
    writing it until it is closed. Raise `BadSave` with one sentence for people.
    """
    found = rules or (lambda header: _found_again(header, search))
    begin = _beginning(search, anyway)
    return saves.load(path, found, to, watch, begin, anyway, trusted, holder=holder)


def _beginning(search: Search | None, anyway: bool) -> saves.Begin:
    """How a saved game begins: at the beginning, or where a scenario had come to."""

    def begin(header: Header, program: Program) -> Game:
        if not header.scenario:
            return saves.start_of(header, program, ExplainedGame)
        from ziggurat.proving.set_up import begin_again  # which makes games of these

        return begin_again(header, program, search_for(header, search), anyway)

    return begin


def search_for(header: Header, search: Search | None = None) -> Search:
    """Where to look for the packs of a save: as told, and then where they were.

    Raises `BadSave` for a pack that is nowhere.
    """
    where = header.pack_folders
    wider = (search or Search.default()).adding(where.values())
    known = find_packs(wider)
    for id_, version, _ in header.packs:
        if id_ not in known:
            was = f", which was in {where[id_]} and is not there now" if id_ in where else ""
            raise BadSave(
                f"This save needs the pack `{id_}` {version}{was}. Say where it is with `--packs`."
            )
    return wider


def _found_again(header: Header, search: Search | None) -> Program:
    program, _ = load_program(header.stack, search_for(header, search))
    if program is None:
        raise BadSave(f"The rules of this save, `{header.stack}`, cannot be loaded.")
    return program
