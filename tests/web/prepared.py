"""Tables that have come to where a test begins: bots play until then, and the save is a table's."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ziggurat import Advised, Decision, Game, Search, Seat, answer_of, load_program, new_save, start
from ziggurat.studio.web.wishes import Wish

MOST = 6000


def prepared(
    folder: Path,
    search: Search,
    stack: str,
    seats: Sequence[str],
    people: Sequence[str],
    until: Callable[[Game, Decision], bool],
    seed: int = 7,
    id_: str = "preparedgame",
) -> dict[str, str]:
    """Put a table into a folder, and give its keys by role. Seats that can be played are played by
    their names, others by whoever the rules choose."""
    program, _ = load_program(stack, search)
    assert program is not None
    known = {thing for kind in program.ruleset.things.values() for thing in kind}
    places = tuple(Seat(name, name if name in known else None) for name in seats)
    game = start(program, seats=places, seed=seed)
    folder.mkdir(parents=True, exist_ok=True)
    save = new_save(game, folder / f"{id_}.zig", {}, people, search)
    policy = Advised(seed)
    for _ in range(MOST):
        decision = next(iter(save.game.decisions), None)
        if decision is None:
            break
        wanted = next((one for one in save.game.decisions if until(save.game, one)), None)
        if wanted is not None:
            break
        save.answer(answer_of(policy, save.game, decision), decision.decider)
    save.close()
    by = {name: "person" if name in people else "bot" for name in seats}
    about, keys = Wish(stack, places, by, {}, {}, seed).about()
    about.write(folder / f"{id_}.json")
    return keys
