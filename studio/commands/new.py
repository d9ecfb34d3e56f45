"""`ziggurat new`: a pack that checks, tests and plays at once."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat import Pack, Ruleset, Search, find_packs, load, render_human, resolve_stack
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.new.answers import Answers, asked, at_a_terminal, confirmed, filled, plain_text
from ziggurat.studio.new.games import GAME, ON_SQUARES, squares
from ziggurat.studio.new.making import make
from ziggurat.studio.new.templates import SHAPES, Template, game_template, kinds, template
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.real_paths import RealPaths
from ziggurat.studio.ruleset import whole
from ziggurat.studio.sharing.names import name_problem

NOTHING = "nothing"
GAMES = 24  # of the short simulation that is offered


def new(
    kind: Annotated[str, Parameter(name="KIND")] = "",
    name: Annotated[str, Parameter(name="NAME")] = "",
    /,
    *,
    on: str = "",
    title: str = "",
    to: Path | None = None,
    rows: str = "",
    yes: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    packs: PackFolders = (),
    **answers: str,
) -> int:
    """Make a pack from a template: one that checks, tests and plays at once.

    A person at a terminal is asked for what is not said here; otherwise what a template proposes
    is taken. What else a template asks is an option, too: `--cost 120`.

    Parameters
    ----------
    kind
        `game` for a game of your own, `variant` for a variant of any game, or one of the
        templates of the stack.
    name
        The id of the pack and of what it brings: small letters, digits and underscores.
    on
        The stack it builds on, such as `west` or `west+expert`.
    title
        The title that people see. Default: the name, written out.
    to
        The folder to make. Default: one in this folder with the name of the pack.
    rows
        For `new game`: a board of squares, row by row: a dot is a square, a space a gap, and a
        slash ends a row, as in "..../.. ./....".
    yes
        Ask nothing and take the proposals.
    """
    asking = at_a_terminal() and not yes
    search = search_path(packs)
    on = on or ("" if kind == GAME else _stack(search, asking))
    if kind == GAME or on == NOTHING:
        _game(name, title, to, rows, search, asking, packs, {"on": on, **answers})
        return OK
    if rows:
        raise UsageError("only `new game` has `--rows`.")
    built_on = _packs_of(on, search)
    kind = kind or _kind(built_on, asking)
    pattern = template(kind, built_on)
    if pattern.refused:
        raise UsageError(f"`{on}` has no place for that: {pattern.refused}")
    id_ = _id(name, asking, search)
    folder = _new_folder(to or Path(id_))
    ruleset = whole(load(on, search, game=False), on, RealPaths((on,), search))
    _check_unused(kind, id_, ruleset)
    known = _known(pattern, id_, _title(title, id_, asking), on, built_on, ruleset)
    known = Answers(ruleset, search, answers, asking).to(pattern, known)
    known["why"] = filled(pattern.why, known, kind)
    _tell(make(pattern, known, folder, search), pattern, known, to or Path(id_), packs)
    _offer_simulation(pattern, known, to or Path(id_), packs, asking)
    return OK


def _check_unused(kind: str, name: str, ruleset: Ruleset) -> None:
    """Raise `UsageError` if the stack has a thing of this kind and name."""
    if name in ruleset.things.get(kind, {}):
        raise UsageError(
            f"`{ruleset.stack}` has a {kind.replace('_', ' ')} `{name}` already; take another name."
        )


def _game(
    name: str,
    title: str,
    to: Path | None,
    rows: str,
    search: Search,
    asking: bool,
    packs: PackFolders,
    others: dict[str, str],
) -> None:
    """Make a game that builds on nothing, with a board of squares if there are rows of them."""
    unknown = [name for name, value in others.items() if value not in ("", NOTHING)]
    if unknown:
        reason = "it builds on nothing" if unknown[0] == "on" else "it asks for no such thing"
        raise UsageError(f"`new game` has no `--{unknown[0]}`: {reason}.")
    board = squares(rows) if rows else {}
    id_ = _id(name, asking, search)
    folder = _new_folder(to or Path(id_))
    pattern = game_template(ON_SQUARES if rows else GAME)
    known = {"id": id_, "title": _title(title, id_, asking), "on": "", **board}
    _tell(make(pattern, known, folder, search), pattern, known, to or Path(id_), packs)


def _new_folder(place: Path) -> Path:
    """Return the absolute path of a folder that can be made. Raise `UsageError` otherwise."""
    folder = place.absolute()
    if folder.exists():
        raise UsageError(f"`{place}` exists already. Choose another place with `--to FOLDER`.")
    if not folder.parent.is_dir():
        raise UsageError(f"`{place}` cannot be made: there is no folder `{folder.parent}`.")
    return folder


def _stack(search: Search, asking: bool) -> str:
    packs = find_packs(search).values()
    games = [pack.id for pack in packs if not pack.incomplete and not pack.language]
    if not asking:
        raise UsageError(
            f"say what it builds on, as in `--on {games[0] if games else 'GAME'}`, or make a game"
            " of your own with `ziggurat new game NAME`."
        )
    prompt = f"What does it build on? (`{NOTHING}` makes a game of your own)"
    return asked(prompt, "", lambda text: plain_text(text, "a stack"), [*games, NOTHING])


def _packs_of(on: str, search: Search) -> Sequence[Pack]:
    stack, findings = resolve_stack(on, search, game=False)
    wrong = [one for one in findings if one.is_error]
    if stack is None or wrong:
        render_human(wrong, console())
        raise UsageError(f"nothing can be built on `{on}`.")
    return stack.packs


def _kind(packs: Sequence[Pack], asking: bool) -> str:
    known = kinds(packs)
    if not asking:
        raise UsageError(f"say what to make: {', '.join(known)}.")
    return asked("What is it to be?", "variant", lambda text: template(text, packs).kind, known)


def _id(name: str, asking: bool, search: Search) -> str:
    def check(text: str) -> str:
        if not SHAPES["id"].fullmatch(text):
            words = re.findall(r"[a-z0-9]+", text.lower())
            near = "_".join(words).lstrip("0123456789_")
            advice = f" Perhaps `{near}`?" if near else ""
            raise UsageError(
                f"`{text}` cannot be the name of a pack: small letters, digits and underscores,"
                f" beginning with a letter.{advice}"
            )
        if problem := name_problem(text):
            raise UsageError(f"`{text}` cannot be the name of a pack: it {problem}.")
        if text in find_packs(search):
            raise UsageError(f"there is a pack `{text}` already; take another name.")
        return text

    if name or not asking:
        return check(name)
    return asked("What is its name, in small letters?", "", check)


def _title(title: str, id_: str, asking: bool) -> str:
    written = id_.replace("_", " ").capitalize()
    if title or not asking:
        return plain_text(title or written, "a title")
    return asked("What do people call it?", written, lambda text: plain_text(text, "a title"))


def _known(
    pattern: Template,
    id_: str,
    title: str,
    on: str,
    packs: Sequence[Pack],
    ruleset: Ruleset,
) -> dict[str, str]:
    """Return what every template may speak of."""
    written = pattern.extends or [pack.id for pack in packs if pack.id in _elements(on, packs)]
    numbers = ruleset.players or (2,)
    number = min(numbers)
    return {
        "id": id_,
        "title": title,
        "on": "+".join(written),
        "extends": ", ".join(f'"{one}"' for one in written),
        "players": ", ".join(f"p{n}" for n in range(1, number + 1)),
        "number": str(number),
        "sizes": f"{{{', '.join(map(str, numbers))}}}",
        "games": str(GAMES),
        "what": filled(pattern.title, {"title": title, "id": id_}, pattern.kind),
    }


def _elements(on: str, packs: Sequence[Pack]) -> set[str]:
    """Return the ids of the packs that a stack names, without those that they bring in."""
    ids = {pack.id for pack in packs}
    folders = {Path(pack.path).resolve(): pack.id for pack in packs}
    named = (part.strip() for part in on.split("+"))
    return {part if part in ids else folders.get(Path(part).resolve(), part) for part in named}


def _tell(
    files: Sequence[str], pattern: Template, known: dict[str, str], place: Path, packs: PackFolders
) -> None:
    out = console()
    name = _shown(place)
    on = f" on {known['on']}" if known["on"] else ""
    out.print(f"Made {known['title']} ({pattern.kind.replace('_', ' ')}){on}:", markup=False)
    for file in files:
        out.print(f"  {name}/{file}", markup=False, soft_wrap=True)
    if why := known.get("why"):
        out.print(why, markup=False, highlight=False)
    out.print("Try it:")
    for words in (*pattern.commands, *filter(None, [pattern.measure])):
        told = " ".join(_command(words, pattern, known, name, packs))
        out.print(f"  ziggurat {told}", markup=False, soft_wrap=True)


def _shown(place: Path) -> str:
    """Return a place as a command names it."""
    return str(place) if place.is_absolute() else f"./{place.as_posix()}"


def _command(
    words: str, pattern: Template, known: dict[str, str], name: str, packs: PackFolders
) -> list[str]:
    """Return the words of a command of a template, quoted for a shell."""
    told = filled(words, {**known, "place": shlex.quote(name)}, pattern.kind)
    more = [text for folder in packs for text in ("--packs", shlex.quote(str(folder)))]
    return [*told.split(" "), *more]


def _offer_simulation(
    pattern: Template, known: dict[str, str], place: Path, packs: PackFolders, asking: bool
) -> None:
    """Offer a person a short simulation of the new pack, and run it."""
    if not (asking and pattern.measure):
        return
    question = f"Play {GAMES} games with bots now, to see how fair it is?"
    if confirmed(question, default=False):
        from ziggurat.studio.cli import main

        words = _command(pattern.measure, pattern, known, _shown(place), packs)
        main(shlex.split(" ".join(words)))
