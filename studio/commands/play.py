"""`ziggurat play`: a game in the terminal, against programs or with others at one keyboard."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated

import attrs
import platformdirs
from cyclopts import Parameter
from cyclopts.types import PositiveInt

from ziggurat import (
    BadQuestion,
    BadSave,
    Ruleset,
    Save,
    SaveInUse,
    SaveLock,
    Search,
    lock_save,
    new_save,
    read_header,
    start,
    start_at,
    with_scenarios,
)
from ziggurat import load as load_rules
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.language import speak, tr
from ziggurat.studio.options import (
    Language,
    PackFolders,
    RuleOptions,
    Stack,
    read_options,
    search_path,
)
from ziggurat.studio.play.house_rules import agreed
from ziggurat.studio.play.naming import normal
from ziggurat.studio.play.reader import Reader, reader
from ziggurat.studio.play.seats import reseated, seated
from ziggurat.studio.play.session import Session
from ziggurat.studio.positions import chosen_rules, file_and_answer
from ziggurat.studio.rules import players_of, program
from ziggurat.studio.ruleset import whole
from ziggurat.studio.saved import BEGUN, NOW, OpenedSave, RulesChoice, open_save
from ziggurat.studio.sharing.kept import has_kept, keep_rules
from ziggurat.studio.titles import title_of

HOLDER = "`ziggurat play`"


def play(
    stack: Stack = "",
    /,
    *,
    seats: str = "",
    players: PositiveInt | None = None,
    seed: int | None = None,
    load: Annotated[Path | None, Parameter(show_default=False)] = None,
    scenario: str = "",
    anyway: Annotated[bool, Parameter(negative=())] = False,
    as_begun: Annotated[bool, Parameter(negative=())] = False,
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
        A saved game to go on with. Packs are looked for below its folder, too. `FILE@40` goes on
        after its first 40 answers, in a file of its own.
    scenario
        The title of a scenario to begin at, with its table: where it ends, before it runs
        (`title@given`), after two answers (`title@2`) or where something is asked
        (`title@tax_collection.rate`). What it runs is finished, and the turn goes on after it.
    anyway
        Go on by the rules found now, in a new file, even if the game was begun with others.
    as_begun
        Go on by the rules the game was begun with, which were kept.
    """
    search = search_path(packs).including(stack)
    speak(language, search)
    if load is not None and option:
        raise UsageError("the options of a saved game are settled; leave `--option` out.")
    if scenario and (load is not None or option or players):
        raise UsageError("a scenario has its own table: leave out what else is settled about it.")
    lines, begun = reader(), False
    if load is not None:
        rules = chosen_rules(anyway=anyway, as_begun=as_begun)
        opened, people, bots = _loaded(stack, search, load, seats, rules, lines)
        save, search, begun = opened.save, opened.search, opened.as_begun
    elif scenario:
        save, people, bots = _set_up(stack, search, scenario, seats, seed or 0)
    else:
        save, people, bots = _new(stack, search, players, seats, seed, option, lines)
    lines.remember(save.path)
    return Session(save, people, bots, console(), lines, search, as_begun=begun).run()


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
    lock = _new_file(f"{rules.ruleset.stack}-{now:%Y-%m-%d-%H%M}")
    kept = _keep(rules.ruleset, search)
    save = new_save(game, lock.path, options, seating.people, search, kept=kept)
    save.lock = lock
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
    lock = _new_file(f"{rules.ruleset.stack}-scenario-{datetime.now():%Y-%m-%d-%H%M}")
    kept = _keep(rules.ruleset, search, scenarios=True)
    save = new_save(game, lock.path, {}, people, search, scenario, kept)
    save.lock = lock
    playing = ", ".join(game.seats)
    told = f"{title_of(rules.ruleset)}, from the scenario `{scenario}`: {playing}."
    console().print(told, style="bold", markup=False)
    return save, people, bots


def _loaded(
    stack: str, search: Search, file: Path, wanted: str, rules: str, lines: Reader
) -> tuple[OpenedSave, tuple[str, ...], dict[str, str]]:
    path, answers = file_and_answer(str(file))
    holder = HOLDER if answers is None else ""
    try:
        header = read_header(path)
        if stack and header.stack != program(stack, search).ruleset.stack:
            raise UsageError(f"`{file}` is a game of `{header.stack}`, not of `{stack}`.")
        opened = _open(path, search, answers, rules, lines, holder)
    except BadSave as bad:
        raise UsageError(str(bad)) from bad
    save = opened.save
    try:
        people, bots = reseated([name for name, _ in header.seats], header.people, wanted)
        _somebody(people)
    except UsageError:
        save.close()
        raise
    if answers is not None or save.anyway:
        kept = None
        if save.anyway:
            is_set_up = bool(header.scenario)
            kept = _keep(save.game.ruleset, opened.search, scenarios=is_set_up)
        lock = _new_file(f"{path.stem}-at-{len(save.records)}")
        save.header = attrs.evolve(save.header, people=people)
        save.continue_in(lock.path, kept, lock)
    if not has_kept(save.header):  # it was begun before rules were kept
        _keep(save.game.ruleset, opened.search, scenarios=bool(header.scenario))
    for line in opened.told:
        console().print(line, style="dim", markup=False)
    return opened, people, bots


def _open(
    path: Path, search: Search, answers: int | None, rules: str, lines: Reader, holder: str
) -> OpenedSave:
    """Open a save to be played on. Where the rules are not those it began with, ask by which."""
    try:
        opened = open_save(path, search, answers, rules=rules, holder=holder)
    except RulesChoice as choice:
        told = [str(choice), *choice.changes]
        if rules or not (lines.terminal or choice.has_begun):
            raise UsageError("\n".join([*told, choice.advise(str(path))])) from choice
        for line in told:
            console().print(line, markup=False)
        if not lines.terminal:
            return open_save(path, search, answers, rules=BEGUN, holder=holder)
        rules = _ask_rules(choice, lines)
        if rules == NOW and choice.fit is not None:
            answers = choice.fit.fitting
        return open_save(path, search, answers, rules=rules, holder=holder)
    if opened.save.anyway and lines.terminal:
        console().print(*opened.told, markup=False)
        try:
            _ask({"yes": "go on in a new file", "no": "leave everything as it is"}, lines)
        except UsageError:
            opened.save.close()
            raise
    return opened


def _ask_rules(choice: RulesChoice, lines: Reader) -> str:
    """Ask by which rules a game goes on. Raise `UsageError` if by none."""
    answers = {}
    if choice.has_begun:
        answers[BEGUN] = "go on by the rules it began with, which were kept"
    if choice.fit is not None:
        until = "" if choice.fit.is_whole else f" from before answer {choice.fit.fitting + 1}"
        answers[NOW] = f"go on by the rules found now,{until} in a new file"
    if not answers:
        raise UsageError(choice.advise(""))
    return _ask({**answers, "no": "leave everything as it is"}, lines)


def _ask(answers: Mapping[str, str], lines: Reader) -> str:
    """Ask for one of some words. Raise `UsageError` if it is no."""
    for word, meaning in answers.items():
        console().print(f"  {word}: {meaning}", markup=False)
    while True:
        try:
            line = normal(lines.line(f"{', '.join(answers)}> ", lambda _: list(answers), ""))
        except (EOFError, KeyboardInterrupt):
            line = "no"
        if line == "no":
            raise UsageError("nothing was changed.")
        if line in answers:
            return line


def _keep(ruleset: Ruleset, search: Search, *, scenarios: bool = False) -> dict[str, str]:
    """Keep the rules of a game that begins, so that it can go on by them after an upgrade."""
    try:
        return keep_rules(ruleset, search, scenarios=scenarios)
    except OSError as error:
        told = f"The rules cannot be kept for later ({error.strerror}); the game is saved without."
        console().print(told, style="dim", markup=False)
        return {}


def _somebody(people: tuple[str, ...]) -> None:
    if not people:
        raise UsageError("nobody would play; `ziggurat demo` shows a game of bots.")


def _new_file(name: str) -> SaveLock:
    """Lock a new file for a game: among the user's data, or here if that cannot be."""
    folder = Path(platformdirs.user_data_dir("ziggurat", appauthor=False)) / "saves"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path.cwd()
    number = 0
    while True:
        number += 1
        path = folder / f"{name}{f'-{number}' if number > 1 else ''}.zig"
        if path.exists():
            continue
        try:
            lock = lock_save(path, HOLDER)
        except SaveInUse:  # by a game that begins at this very moment
            continue
        if not path.exists():
            return lock
        lock.release()
