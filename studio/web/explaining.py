"""Why something is as it is, and how everybody stood turn by turn, as far as a seat may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from ziggurat import (
    BadQuestion,
    Clause,
    Explanation,
    Game,
    Happening,
    Reason,
    Search,
    Standing,
    Verdict,
    explain_to,
    refused_to,
    turn_rows,
    why_happened,
)
from ziggurat.studio.web.documents import columns, tracks

Data = dict[str, Any]
LONGEST = 400  # letters of a question
DEEP = 4


def explained(game: Game, seat: str, asked: Mapping[str, Any], search: Search) -> Data:
    """The answer to `why`: `line`, `not` or `value`. Raises `BadQuestion`."""
    line, refused, value = asked.get("line"), asked.get("not"), asked.get("value")
    if isinstance(line, int) and not isinstance(line, bool):
        return _happened(why_happened(game, line, seat))
    for text in (refused, value):
        if isinstance(text, str) and len(text) > LONGEST:
            raise BadQuestion(f"A question has at most {LONGEST} letters.")
    if isinstance(refused, str):
        return _verdict(refused_to(game, seat, refused))
    if isinstance(value, str):
        return _explanation(explain_to(game, seat, value, search), DEEP)
    raise BadQuestion("Why what? A line of the log, an action that is not offered, or a value.")


def _told(
    text: str,
    holds: bool | None = None,
    cites: str = "",
    where: str = "",
    parts: Sequence[Data] = (),
    rule: str = "",
) -> Data:
    source = {"rule": rule, "cites": cites, "where": where}
    return {"text": text, "holds": holds, "source": source, "parts": list(parts)}


def _reasons(reasons: Sequence[Reason]) -> list[Data]:
    return [_told(one.text, one.holds, "", "", _reasons(one.parts)) for one in reasons]


def _explanation(found: Explanation, deep: int) -> Data:
    parts = _reasons(found.why)
    if found.base and not found.why:
        formula = f" = {found.formula}" if found.formula else ""
        parts.append(_told(f"base {found.base}{formula}"))
    parts += [_clause(clause) for clause in found.clauses]
    if deep:
        parts += [_explanation(part, deep - 1) for part in found.parts]
    return _told(f"{found.text} is {found.result}", None, found.cites, found.where, parts)


def _clause(clause: Clause) -> Data:
    text = f"{clause.change} by {clause.source}"
    text += f", makes {clause.after}" if clause.applies else " does not apply"
    if clause.reason:
        text += f": {clause.reason}"
    parts = [_told(one.text, one.holds) for one in clause.conditions]
    return _told(text, clause.applies, clause.cites, clause.where, parts)


def _verdict(found: Verdict) -> Data:
    what, refusal = f"{found.player}: {found.action}", found.refusal
    turn = [_told(found.turn, False)] if found.turn else []
    if refusal is None:
        allowed = "is offered" if found.option else "is allowed by its own rules"
        return _told(f"{what} {allowed}", True, "", "", turn)
    parts = [*turn, *_reasons(refusal.why), *(_explanation(one, DEEP) for one in refusal.parts)]
    text = f"{what} is refused: {refusal.reason}"
    return _told(text, False, refusal.cites, refusal.where, parts, refusal.rule)


def _happened(found: Happening) -> Data:
    """A line of the log: the rules that ran, what decided in them, numbers, and answers."""
    parts = []
    for one in found.ran:
        inside = _reasons(one.why)
        if one.hidden:
            inside.append(_told("something you may not see decided here"))
        parts.append(_told(one.rule, None, one.cites, one.where, inside, one.rule))
    parts += [_explanation(value, DEEP) for value in found.values]
    if found.answers:
        answers = [
            _told(led.text, None, "", "", [_told(since) for since in led.since])
            for led in found.answers
        ]
        parts.append(_told("answers that led to it", None, "", "", answers))
    return _told(found.text, None, found.cites, found.where, parts, found.rule)


def history(game: Game, seat: str) -> Data:
    """How everybody stood at the end of each turn, as the seat could know it then."""
    shown = columns(game.ruleset)
    rows: dict[int, Data] = {}
    for row in turn_rows(game, seat):
        turn = rows.setdefault(row["turn"], {"turn": row["turn"], "values": {}})
        turn["values"][row["seat"]] = [row[one["id"]] for one in shown]
    known = Standing(game, seat)
    found = tracks(game.ruleset, lambda _: known, game.seats)
    return {"columns": shown, "rows": list(rows.values()), "tracks": found}
