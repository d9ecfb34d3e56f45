"""`ziggurat play`: a game in the terminal, against programs or with others at one keyboard."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import platformdirs
from cyclopts import Parameter
from cyclopts.types import PositiveInt

from ziggurat import (
    BadQuestion,
    BadSave,
    Header,
    Program,
    Save,
    Search,
    load_save,
    new_save,
    search_for,
    start,
    start_at,
    with_scenarios,
)
from ziggurat import load as load_rules
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.language import Language, speak, tr
from ziggurat.studio.options import PackFolders, RuleOptions, read_options, search_path
from ziggurat.studio.play.house_rules import agreed
from ziggurat.studio.play.reader import Reader, reader
from ziggurat.studio.play.seats import reseated, seated
from ziggurat.studio.play.session import Session
from ziggurat.studio.positions import file_and_answer
from ziggurat.studio.rules import players_of, program, saved_program
from ziggurat.studio.ruleset import title_of, whole


def play(
    stack: str = "",
    /,
    *,
    seats: str = "",
    players: PositiveInt | None = None,
    seed: int | None = None,
    load: Annotated[Path | None, Parameter(show_default=False)] = None,
    scenario: str = "",
    anyway: Annotated[bool, Parameter(negative=())] = False,
    option: RuleOptions = (),
    language: Language = "",
    packs: PackFolders = (),
) -> int:
    """Play in the terminal, against bots or with others at one keyboard.

    Every answer is saved at once; `--load` goes on where a game was left. Without `--option` people
    at a terminal are asked which options of the rules they want.

    Parameters
    ----------
    stack
        The ruleset to play, such as `west` or `west+expert`.
    seats
        Who plays what, as in `rome=me,hellas=me` or `1=me,2=random`; seats nobody names are bots.
        `2=search` is a stronger one: it looks ahead before it answers, and takes its time.
    players
        How many play; as many as the ruleset allows unless told otherwise.
    seed
        The same seed gives the same cards; a new one every time unless told otherwise.
    load
        A saved game to go on with. It remembers where its packs were. `FILE@40` goes on after its
        first 40 answers, in a file of its own.
    scenario
        The title of a scenario to begin at, with its table: where it ends, before it runs
        (`title@given`), after two answers (`title@2`) or where something is asked
        (`title@tax_collection.rate`). What it runs is finished, and the turn goes on after it.
    anyway
        Go on with the rules found now even if they mean something else than they did.
    """
    search = search_path(packs).including(stack)
    speak(language, search)
    if load is not None and option:
        raise UsageError("the options of a saved game are settled; leave `--option` out.")
    if scenario and (load is not None or option or players):
        raise UsageError("a scenario has its own table: leave out what else is settled about it.")
    lines = reader()
    if load is not None:
        save, people, bots = _loaded(stack, search, load, seats, anyway)
    elif scenario:
        save, people, bots = _set_up(stack, search, scenario, seats, seed or 0)
    else:
        save, people, bots = _new(stack, search, players, seats, seed, option, lines)
    search = search_for(save.header, search)
    return Session(save, people, bots, console(), lines, search).run()


def _new(
    stack: str,
    search: Search,
    players: int | None,
    wanted: str,
    seed: int | None,
    option: tuple[str, ...],
    lines: Reader,
) -> tuple[Save, tuple[str, ...], dict[str, str]]:
    if not stack:
        raise UsageError("play what? Name a ruleset, as in `ziggurat play west`, or `--load FILE`.")
    rules = program(stack, search)
    number = players_of([rules], players)
    seating = seated(rules, number, wanted)
    _somebody(seating.people)
    (options,) = read_options(option, [rules]) if option else (agreed(rules, lines, console()),)
    now = datetime.now()
    luck = seed if seed is not None else int(now.timestamp()) % 1_000_000
    game = start(rules, seats=seating.seats, seed=luck, options=options)
    file = _file(f"{rules.ruleset.stack}-{now:%Y-%m-%d-%H%M}")
    save = new_save(game, file, options, seating.people, search)
    told = tr("{title}: {number} players, seed {seed}.")
    title = title_of(rules.ruleset)
    console().print(told.format(title=title, number=number, seed=luck), style="bold")
    return save, seating.people, dict(seating.bots)


def _set_up(
    stack: str, search: Search, scenario: str, wanted: str, seed: int
) -> tuple[Save, tuple[str, ...], dict[str, str]]:
    """A new game that begins where a scenario has come to."""
    if not stack:
        raise UsageError("whose scenario? Name a ruleset, as in `ziggurat play west --scenario …`.")
    rules = with_scenarios(program(stack, search), whole(load_rules(stack, search), stack))
    try:
        game = start_at(rules, scenario, seed)
    except BadQuestion as bad:
        raise UsageError(bad.text) from bad
    people, bots = reseated(game.seats, (), wanted)
    _somebody(people)
    file = _file(f"{rules.ruleset.stack}-scenario-{datetime.now():%Y-%m-%d-%H%M}")
    save = new_save(game, file, {}, people, search, scenario)
    playing = ", ".join(game.seats)
    told = f"{title_of(rules.ruleset)}, from the scenario `{scenario}`: {playing}."
    console().print(told, style="bold", markup=False)
    return save, people, bots


def _loaded(
    stack: str, search: Search, file: Path, wanted: str, anyway: bool
) -> tuple[Save, tuple[str, ...], dict[str, str]]:
    def rules_of(header: Header) -> Program:
        if not stack:
            return saved_program(header, search)
        rules = program(stack, search)
        if rules.ruleset.stack != header.stack:
            raise UsageError(f"`{file}` is a game of `{header.stack}`, not of `{stack}`.")
        return rules

    path, answers = file_and_answer(str(file))
    try:
        save, told = load_save(path, rules_of, answers, anyway=anyway, search=search)
    except BadSave as bad:
        raise UsageError(str(bad)) from bad
    if answers is not None:
        save = _branch(save)
    for line in told:
        console().print(line, style="dim")
    names = [name for name, _ in save.header.seats]
    people, bots = reseated(names, save.header.people, wanted)
    _somebody(people)
    return save, people, bots


def _branch(save: Save) -> Save:
    """The same game in a new file, so that what came later in the old one stays."""
    file = _file(f"{save.path.stem}-at-{len(save.records)}")
    new = Save(file, save.header, save.game, save.begin)
    new.anyway = save.anyway
    new.create()
    for record in save.records:
        new.record(record)
    return new


def _somebody(people: tuple[str, ...]) -> None:
    if not people:
        raise UsageError("nobody would play; `ziggurat demo` shows a game of bots.")


def _file(name: str) -> Path:
    """A new file for a game: among the user's data, or here if that cannot be."""
    folder = Path(platformdirs.user_data_dir("ziggurat", appauthor=False)) / "saves"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path.cwd()
    number = 1
    while (path := folder / f"{name}{f'-{number}' if number > 1 else ''}.zig").exists():
        number += 1
    return path
