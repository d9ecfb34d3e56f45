"""`ziggurat explain`: a code of findings, a question of the rules, or where a number comes from."""

from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt
from rich.markdown import Markdown

from ziggurat import CODE, all_codes, page
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.options import PackFolders

Several = Parameter(negative=(), consume_multiple=False, show_default=False)


def explain(
    subject: str = "",
    expression: str = "",
    /,
    *,
    players: str = "",
    holding: Annotated[tuple[str, ...], Several] = (),
    given: Annotated[tuple[str, ...], Several] = (),
    state: str = "",
    scenario: str = "",
    depth: NonNegativeInt | None = None,
    anyway: Annotated[bool, Parameter(negative=())] = False,
    as_begun: Annotated[bool, Parameter(negative=())] = False,
    packs: PackFolders = (),
) -> int:
    """Explain a code such as Z201 with a wrong and a right example; without one, list all codes.
    With a stack and an expression, explain where a value comes from, or why an action is refused:
    `ziggurat explain west 'hand_limit(rome)' --holding rome=coinage`. With the id of a question or
    a clarification, tell how it can be read, what is played and what shows it:
    `ziggurat explain west Q-32`.

    Parameters
    ----------
    subject
        The code of a finding, as in `error[Z201]`, the id of a question, or a stack.
    expression
        A value or any expression of the rules language, an action of the first player, or the id of
        a question.
    players
        Who plays, as in `rome,hellas`; otherwise those the question speaks of.
    holding
        What a player holds, as in `rome=coinage`, with all it brings; may be given several times.
    given
        A step that prepares the position, as in `given` of a scenario; may be given several times.
    state
        A saved game to ask about, where it stands now, or after so many answers: `game.zig@40`.
        There `why not build_city in argos` says why an action is not offered, `why not argos` why
        an option is not, and `why 12` why line 12 of the log is there (`ziggurat replay --log`).
    scenario
        The title of a scenario to ask about, where it ends, or at a step, as in `title@given`,
        `title@2` (after two answers), `title@attack_city.battle` (when that rule begins) or
        `title@tax_collection.rate` (when that is asked).
    depth
        How far to tell of the values that went into a value, and into these; as far as a page
        holds unless told.
    anyway
        Ask a saved game by the rules found now, even if they are not those it was begun with.
    as_begun
        Ask a saved game by the rules it was begun with, which were kept.
    """
    if not subject and not expression:
        return _list_codes()
    if CODE.fullmatch(subject.upper()):
        return _explain_code(subject.upper())
    from ziggurat.studio.commands.explain_question import ID, explain_question

    if ID.fullmatch(expression or subject):
        return explain_question(expression or subject, subject if expression else "", packs)
    if not expression:
        raise UsageError(
            f"`{subject}` is not the code of a finding; codes look like Z201. To explain a value,"
            " name a stack and the value."
        )
    from ziggurat.studio.commands.explain_value import Asked, explain_value
    from ziggurat.studio.positions import chosen_rules

    if state and (scenario or holding or given):
        raise UsageError("a saved game stands as it stands: leave out what else is given.")
    named = tuple(name.strip() for name in players.split(",") if name.strip())
    rules = chosen_rules(anyway=anyway, as_begun=as_begun)
    asked = Asked(subject, expression, named, holding, given, state, scenario, packs, rules)
    return explain_value(asked, depth)


def _explain_code(code: str) -> int:
    found = page(code)
    if found is None:
        near = [known for known in all_codes() if known[:2] == code[:2]]
        among = f" Codes near it: {', '.join(near[:12])}." if near else ""
        raise UsageError(f"there is no finding with the code {code}.{among}")
    console().print(Markdown(found.markdown))
    return OK


def _list_codes() -> int:
    out = console()
    for code in all_codes():
        found = page(code)
        out.print(f"{code}  {found.title if found else ''}", markup=False)
    return OK
