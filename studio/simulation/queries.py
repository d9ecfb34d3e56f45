"""The queries that make tables of packed games.

DuckDB reads the games as `lines.py` packs them: one line of JSON for each, with columns for what
has rows. None of them becomes an object of Python, which would take several times as long.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ziggurat import FINISHED

TEXT, INTEGER, SMALL, YES = "VARCHAR", "INTEGER", "SMALLINT", "BOOLEAN"
GAME = {"run": TEXT, "stack": TEXT, "game": "BIGINT"}
OUTCOME = {"outcome": TEXT, "turns": SMALL, "answers": INTEGER, "seconds": "DOUBLE", "error": TEXT}
# What a run stands for; `options` is JSON.
RUN = {"rules": TEXT, "engine": TEXT, "options": TEXT, "players": SMALL, "policy": TEXT,
       "limit": INTEGER}  # fmt: skip
TABLES: dict[str, dict[str, str]] = {
    "games": {**GAME, **OUTCOME, **RUN},
    "players": {
        **GAME, "seat": SMALL, "name": TEXT, "plays": TEXT, "policy": TEXT, "rank": SMALL,
        "won": YES, "win_share": "DOUBLE", "score": INTEGER,
    },
    "turns": {**GAME, "turn": SMALL, "seat": SMALL},
    "holdings": {
        **GAME, "seat": SMALL, "kind": TEXT, "thing": TEXT, "turn": SMALL, "lost": SMALL,
    },
    "events": {
        **GAME, "turn": SMALL, "rule": TEXT, "sentence": TEXT, "seat": SMALL, "thing": TEXT,
        "times": INTEGER, "amount": INTEGER,
    },
    "decisions": {**GAME, "seat": SMALL, "path": TEXT, "times": INTEGER},
    "choices": {**GAME, "path": TEXT, "option": TEXT, "offered": INTEGER, "taken": INTEGER},
    "changes": {
        **GAME, "phase": TEXT, "value": TEXT, "seat": SMALL, "gained": INTEGER, "lost": INTEGER,
    },
}  # fmt: skip
COLUMNS = "JSON[]"  # of a packed table: each is a list
PACKED = {"holdings": "held"}  # where a record calls a table something else


@attrs.frozen
class Runs:
    """What the rulesets of a simulation stand for, and the values that they measure."""

    runs: Mapping[str, Mapping[str, Any]]
    measured: Mapping[str, Sequence[str]]

    def columns(self, table: str) -> dict[str, str]:
        """Return the columns of a table. Turns have one for every value of any ruleset."""
        if table != "turns":
            return TABLES[table]
        values = (name for names in self.measured.values() for name in names)
        return TABLES["turns"] | dict.fromkeys(values, INTEGER)

    def query(self, table: str, files: str) -> str:
        """Return the query that makes a table of files of packed games."""
        match table:
            case "games":
                cells, games = self._games(), _read(files, **OUTCOME)
            case "players":
                cells, games = _players(), _read_players(files)
            case "turns":
                cells, games = self._turns(), _read_turns(files)
            case "events":
                cells, games = _events(), _read_events(files)
            case _:
                part = PACKED.get(table, table)
                cells, games = _rows(table, part), _read(files, **{part: COLUMNS})
        key = {"run": self._by_stack("run"), "stack": "stack", "game": "seed"}
        columns = (
            f"({cell})::{type_} AS {_quoted(name)}"
            for (name, type_), cell in zip(
                self.columns(table).items(), [*key.values(), *cells], strict=True
            )
        )
        return f"SELECT {', '.join(columns)} FROM {games}"

    def _games(self) -> list[str]:
        outcome = [name for name in OUTCOME if name != "error"]
        return [*outcome, "nullif(error, '')", *(self._by_stack(name) for name in RUN)]

    def _turns(self) -> list[str]:
        names = list(self.columns("turns"))[len(TABLES["turns"]) :]
        return ["turn", "seat", *(self._value(name) for name in names)]

    def _by_stack(self, name: str) -> str:
        """Return what a run has of this name."""
        cases = (
            f"WHEN {literal(stack)} THEN"
            f" {literal(json.dumps(run[name]) if name == 'options' else str(run[name]))}"
            for stack, run in self.runs.items()
        )
        return f"CASE stack {' '.join(cases)} END"

    def _value(self, name: str) -> str:
        cases = (
            f"WHEN {literal(stack)} THEN seat_values[{list(names).index(name) + 1}]"
            for stack, names in self.measured.items()
            if name in names
        )
        return f"CASE stack {' '.join(cases)} END"


def _rows(table: str, part: str) -> list[str]:
    columns = list(TABLES[table].values())[len(GAME) :]
    return [f"unnest({_list(part, place, type_)})" for place, type_ in enumerate(columns, 1)]


def _read_events(files: str) -> str:
    """Return a row for each event; sentences are looked up afterwards, as many share one."""
    types = {"turn": SMALL, "number": "BIGINT", "about": SMALL, "named": TEXT,
             "times": INTEGER, "amount": INTEGER}  # fmt: skip
    columns = (
        f"unnest({_list('events', place, type_)}) AS {name}"
        for place, (name, type_) in enumerate(types.items(), 1)
    )
    games = _read(files, sentences="VARCHAR[][]", events=COLUMNS)
    return f"(SELECT stack, seed, sentences, {', '.join(columns)} FROM {games})"


def _events() -> list[str]:
    said = [f"sentences[number + 1][{part}]" for part in (1, 2)]
    return ["turn", *said, "about", "nullif(named, '')", "times", "amount"]


def _read_players(files: str) -> str:
    """Return players with their ranks, and who of them has won, if the game came to its end.

    Of what is packed, the first column has the names of the others.
    """
    games = _read(files, outcome=TEXT, players=COLUMNS)
    names = f"SELECT *, {_list('players', 1, TEXT)} AS names FROM {games}"
    ranks = f"SELECT *, {_of_players('rank', SMALL)} AS ranks FROM ({names})"
    ended = f"CASE outcome WHEN {literal(FINISHED)} THEN ranks END AS ranks"
    won = "[rank = list_min(ranks) for rank in ranks] AS won"
    return f"(SELECT *, {won} FROM (SELECT * REPLACE ({ended}) FROM ({ranks})))"


def _players() -> list[str]:
    winners = "list_sum([one::INTEGER for one in won])"
    lists = (
        f"range(len({_of_players('name', TEXT)}))",
        _of_players("name", TEXT),
        f"[nullif(played, '') for played in {_of_players('plays', TEXT)}]",
        _of_players("policy", TEXT),
        "ranks",
        "won",
        f"[one::INTEGER / {winners} for one in won]",
        _of_players("score", INTEGER),
    )
    return [f"unnest({cells})" for cells in lists]


def _of_players(name: str, type_: str) -> str:
    return _list("players", f"list_position(names, {literal(name)}) + 1", type_)


def _read_turns(files: str) -> str:
    games = _read(files, values="INTEGER[][][]")
    turns = 'unnest(range(len("values"))) AS turn, unnest("values") AS turn_values'
    seats = "unnest(range(len(turn_values))) AS seat, unnest(turn_values) AS seat_values"
    return f"(SELECT *, {seats} FROM (SELECT *, {turns} FROM {games}))"


def _read(files: str, **parts: str) -> str:
    """Return packed games with some of their parts."""
    columns = {"stack": TEXT, "seed": "BIGINT", **parts}
    read = ", ".join(f"{_quoted(name)}: {literal(type_)}" for name, type_ in columns.items())
    return f"read_json({literal(files)}, format = 'newline_delimited', columns = {{{read}}})"


def _list(part: str, place: int | str, type_: str) -> str:
    """Return a column of a packed table."""
    return f"""from_json({part}[{place}], '["{type_}"]')"""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"
