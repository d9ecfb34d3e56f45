"""What a seat is asked, as data: the decision with its options, and what may come next while an
answer is put together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ziggurat import Decision, Game, cites, ir, member_type, where
from ziggurat.studio.play.naming import Names, question_text
from ziggurat.studio.play.terms import has_terms, terms
from ziggurat.studio.play.unfinished import unfinished
from ziggurat.studio.web.refusals import NOT_ASKED, Refusal

Data = dict[str, Any]
WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError)
NO_SENSE = "That makes no sense here."


def source_of(meta: ir.Meta, at: ir.At, rule: str) -> Data:
    """Where a rule stands: its path, what it cites, its file and line."""
    return {"rule": rule, "cites": cites(meta), "where": where(at)}


def decision_data(game: Game, decision: Decision, names: Names) -> Data:
    """A decision with everything that can be said at once. Its id comes from the table."""
    data: Data = {
        "path": decision.path,
        "kind": decision.kind,
        "prompt": question_text(names.moment, decision),
        "source": source_of(decision.meta, decision.at, decision.path),
    }
    if decision.kind == "act":
        rules = game.ruleset.actions
        data["actions"] = [
            {**action_data(rules[id_]), "terms": has_terms(game.ruleset, id_)}
            for id_ in decision.actions()
        ]
        data["end"] = decision.end
        data["begun"] = [
            {"text": one.text, "actions": one.actions} for one in unfinished(game, decision)
        ]
        return data
    return data | {
        "item": decision.item.name,
        "several": decision.several,
        "optional": decision.optional,
        "least": decision.least,
        "most": decision.most,
        "total": decision.total,
        "options": options_data(names, decision.options(), decision.item),
    }


def action_data(rule: ir.Action) -> Data:
    """An action and what it takes."""
    return {
        "id": rule.id,
        "title": rule.title or rule.id.rpartition(".")[2].replace("_", " "),
        "source": source_of(rule.meta, rule.at, rule.id),
        "params": [
            {
                "name": param.name,
                "prompt": param.prompt or f"{param.name.replace('_', ' ').capitalize()}?",
                "type": member_type(param).name,
                "single": param.single,
            }
            for param in rule.params
        ],
    }


def options_data(names: Names, values: Iterable[Any], type_: ir.Type) -> list[Data]:
    """Options with their labels, and what of the board or the rules they are."""
    moment = names.moment
    places = set(moment.kinds("place"))
    rules = moment.ruleset
    out = []
    for value in values:
        thing = None
        if value is not None and type_.name in rules.kinds:
            thing = f"{type_.name}.{value}"
        elif value is not None and type_.name in rules.cards:
            face = moment.face(value)
            thing = f"{face.kind}.{face.id}"
        out.append(
            {
                "value": value,
                "label": names.choice(value, type_).label,
                "place": value if type_.name in places else None,
                "thing": thing,
            }
        )
    return out


def next_options(game: Game, decision: Decision, asked: Mapping[str, Any]) -> Data:
    """What may come next in an answer that is being put together. Raises `Refusal`."""
    names = Names(game.seen_by(decision.decider))
    try:
        if decision.kind == "act":
            return _parameter(game, decision, names, asked)
        if decision.kind == "select":
            chosen = list(asked.get("chosen", ()))
            picks = decision.next_picks(chosen)
            complete = decision.check(chosen) is None
            options = options_data(names, picks, decision.item)
            return {"options": options, "complete": complete}
        if decision.kind == "divide":
            return _amounts(decision, names, asked)
    except WRONG as wrong:
        raise Refusal(400, NO_SENSE) from wrong
    raise Refusal(409, "All options of this are known already.")


def _parameter(game: Game, decision: Decision, names: Names, asked: Mapping[str, Any]) -> Data:
    """The next parameter of an action. What was chosen before must have been offered: options for
    something else might tell what is hidden."""
    action, args = asked.get("action"), asked.get("args", [])
    if not isinstance(action, str) or not isinstance(args, list):
        raise Refusal(400, NO_SENSE)
    if action not in decision.actions():
        raise Refusal(409, NOT_ASKED)
    params = game.ruleset.actions[action].params
    if len(args) > len(params):
        raise Refusal(400, NO_SENSE)
    for number, given in enumerate(args):
        if not _offered(decision, action, args[:number], given, params[number].single):
            raise Refusal(409, "That was not among the options.")
    if len(args) == len(params):
        sides = [one.text for one in terms(game, decision, action, args)]
        return {"options": [], "complete": True, "terms": sides}
    param = params[len(args)]
    found = decision.parameter_options(action, args)
    data: Data = {
        "options": options_data(names, found, member_type(param)),
        "single": param.single,
        "complete": False,
    }
    if not param.single:
        data["least"], data["most"] = decision.parameter_bounds(action, args)
    return data


def _offered(
    decision: Decision, action: str, before: Sequence[Any], given: Any, single: bool
) -> bool:
    options = decision.parameter_options(action, before)
    if single:
        return _among(given, options)
    least, most = decision.parameter_bounds(action, before)
    return (
        isinstance(given, list)
        and least <= len(given) <= most
        and all(_among(one, options) for one in given)
    )


def _among(given: Any, options: Sequence[Any]) -> bool:
    """Whether this very value is offered: 1 is not yes."""
    return any(given == one and isinstance(given, bool) == isinstance(one, bool) for one in options)


def _amounts(decision: Decision, names: Names, asked: Mapping[str, Any]) -> Data:
    chosen = shares(asked.get("chosen", []))
    left = decision.next_picks(chosen)
    rows = options_data(names, left, decision.item)
    for row in rows:
        row["amounts"] = list(left[row["value"]])
    return {
        "amounts": rows,
        "complete": decision.check(chosen) is None,
        "left": decision.total - sum(chosen.values()),
    }


def shares(given: Any) -> dict[Any, int]:
    """Amounts by member, from pairs or an object; names in an object are text only."""
    pairs = given.items() if isinstance(given, dict) else given
    out: dict[Any, int] = {}
    for member, number in pairs:
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError("an amount is a number")
        out[member] = number
    return out
