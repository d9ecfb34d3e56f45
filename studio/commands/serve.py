"""`ziggurat serve`: tables in the browser."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from cyclopts import Parameter
from cyclopts.types import PositiveInt

from ziggurat import Search
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.language import speak
from ziggurat.studio.options import (
    Language,
    PackFolders,
    RuleOptions,
    Stack,
    read_options,
    search_path,
)
from ziggurat.studio.play.seats import ME, seated
from ziggurat.studio.rules import players_of, program
from ziggurat.studio.web.about import PERSON
from ziggurat.studio.web.wishes import Wish

LOCAL = "127.0.0.1"
LogLevel = Literal["debug", "info", "warning", "error"]


def serve(
    stack: Stack = "",
    /,
    *,
    players: PositiveInt | None = None,
    seats: str = "",
    option: RuleOptions = (),
    seed: int | None = None,
    host: str = LOCAL,
    port: int = 8000,
    name: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=False)] = (),
    url: Annotated[str, Parameter(show_default=False)] = "",
    proxy: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=False)] = (),
    house_key: Annotated[Path | None, Parameter(show_default=False)] = None,
    ids: Annotated[str, Parameter(show_default=False)] = "",
    limit: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=False)] = (),
    folder: Annotated[Path | None, Parameter(show_default=False)] = None,
    saves: Annotated[Path | None, Parameter(show_default=False)] = None,
    quiet: Annotated[bool, Parameter(negative=())] = False,
    log: LogLevel = "info",
    language: Language = "",
    packs: PackFolders = (),
) -> int:
    """Serve tables to browsers: play together, against bots, and look into the rules.

    Every answer is on the disk before it counts, and a server that is started again goes on with
    the tables it finds. Who may see what is decided here: a browser is sent what its seat may know,
    and nothing else.

    Parameters
    ----------
    stack
        A ruleset to make a table of at once, such as `west`; the links of its seats are printed.
        Without one there is the lobby, where tables are made.
    players
        How many play at that table; as many as the ruleset allows unless told otherwise.
    seats
        Who plays what at it, as in `rome=me,hellas=random`; seats nobody names are bots. Without
        it every seat is for a person.
    seed
        The same seed gives the same cards. Whoever knows it can know what is hidden, so leave it
        out unless you try something.
    host
        The address to listen on. `0.0.0.0` lets others in your network come, too.
    port
        The port to listen on; 0 takes a free one.
    name
        A name under which browsers know this server, if it is not reached by its address.
    url
        The address under which everybody knows this server, as in `https://example.org/games/`,
        if something before it passes requests on.
    proxy
        The address or network of a proxy before this server. Its word is taken for where requests
        come from.
    house_key
        A file with the key of the house, with which tables are made. It is made if there is none;
        without this it lies in the folder of the tables.
    ids
        Letters with which the ids of new tables begin, such as `a`. Several servers behind one
        proxy have different ones, by which it knows where a table is.
    limit
        A limit that differs from the usual one, as in `tables=500`.
    folder
        Where tables are kept; among your data unless told otherwise.
    saves
        A folder of saved games that everybody who comes may look back at, with nothing hidden.
    quiet
        Log warnings only, as `--log warning`.
    log
        What is logged: everything down to single answers (`debug`), tables that are made and put
        away and requests that are refused (`info`), or only what goes wrong.
    """
    from ziggurat.studio.web.limits import Limits
    from ziggurat.studio.web.reach import Proxies, PublicUrl, Reach
    from ziggurat.studio.web.serving import Place, again, check_ids, log_to, serve_tables

    search = search_path(packs).including(stack)
    speak(language, search)
    wish = _wish(stack, search, players, seats, option, seed) if stack else None
    if not stack and (players or seats or option or seed is not None):
        raise UsageError("these settle a table: name its ruleset, as in `ziggurat serve west`.")
    if saves is not None and not saves.is_dir():
        raise UsageError(f"`{saves}` is no folder.")
    reach = Reach(name, PublicUrl.parse(url) if url else None, Proxies.parse(proxy))
    limits = Limits.parse(limit)
    place = Place(host, port, folder or _usual_folder(), reach, saves, house_key, check_ids(ids))
    log_to(sys.stderr, "warning" if quiet else log)
    out = console()

    def tell(line: str) -> None:
        out.print(line, markup=False, soft_wrap=True)
        out.file.flush()

    with suppress(KeyboardInterrupt):
        serve_tables(place, search, wish, tell, limits)
    tell(f"The tables are in {place.folder}. Go on with")
    tell(f"  {again(place, language, packs, limit)}")
    return OK


def _usual_folder() -> Path:
    return Path(platformdirs.user_data_dir("ziggurat", appauthor=False)) / "tables"


def _wish(
    stack: str,
    search: Search,
    players: int | None,
    seats: str,
    option: tuple[str, ...],
    seed: int | None,
) -> Wish:
    """The table that is made at once. Without a word about its seats all are for people."""
    rules = program(stack, search)
    number = players_of([rules], players)
    (options,) = read_options(option, [rules])
    seating = seated(rules, number, seats or ",".join(f"{n + 1}={ME}" for n in range(number)))
    by = {
        seat.name: PERSON if seat.name in seating.people else seating.bots.get(seat.name, "bot")
        for seat in seating.seats
    }
    return Wish(rules.ruleset.stack, seating.seats, by, {}, options, seed)
