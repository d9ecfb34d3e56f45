"""`ziggurat explain Q-32`: what a rulebook leaves open, how it is read here, and what shows it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text
from rich.tree import Tree

from ziggurat import (
    HOLDS,
    Pack,
    ReadingHere,
    Ruleset,
    Runner,
    Search,
    did_you_mean,
    find_packs,
    ir,
    load,
    places,
    read_rules_file,
    readings,
    showing_scenarios,
    where,
)
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.options import search_path
from ziggurat.studio.ruleset import whole

ID = re.compile(r"[A-Z]+(-[A-Za-z0-9]+)+")
Asked = ir.Question | ir.Clarification
_SIGNS = {True: ("✓", "green"), False: ("✗", "red")}


def explain_question(id_: str, stack: str = "", packs: tuple[Path, ...] = ()) -> int:
    """Explain a question or a clarification in a stack; without one, in the packs that tell it."""
    search = search_path(packs)
    named = [whole(load(stack, search, game=False), stack)] if stack else _telling(id_, search)
    for ruleset in named:
        known: dict[str, Asked] = {**ruleset.questions, **ruleset.clarifications}
        if id_ not in known:
            name = ruleset.stack
            advice = did_you_mean(id_, known) or f"`ziggurat list {name} questions` shows all."
            raise UsageError(f"`{name}` has no question {id_}. {advice}")
        console().print(_told(ruleset, known[id_]))
    return OK


def _telling(id_: str, search: Search) -> Iterator[Ruleset]:
    """The packs that declare or change it; those on which another of them builds tell less."""
    found = find_packs(search)
    said = {pack.id for pack in found.values() if _speaks_of(pack, id_)}
    below = {one for id_ in said for one in _built_on(found, id_)}
    if not said:
        raise UsageError(
            f"no pack declares a question {id_}; `ziggurat list STACK questions` shows those there"
            " are."
        )
    yield from (_with(found, found[one], search) for one in sorted(said - below))


def _with(found: dict[str, Pack], pack: Pack, search: Search) -> Ruleset:
    """The pack by itself, or the first game it is for: a variant may need one to make sense."""
    alone = load(pack.id, search, game=False)
    games = [need.id for need in pack.optional if need.id in found and found[need.id].players]
    for game in games if alone.ruleset is None else ():
        ruleset = load(f"{game}+{pack.id}", search).ruleset
        if ruleset is not None:
            return ruleset
    return whole(alone, pack.id)


def _speaks_of(pack: Pack, id_: str) -> bool:
    declared = re.compile(rf"\b(?:question|clarification)\s+{re.escape(id_)}(?![\w-])")
    texts = (read_rules_file(Path(pack.path) / file)[0] for file in pack.files)
    return any(text is not None and declared.search(text.text) for text in texts)


def _built_on(found: dict[str, Pack], id_: str) -> Iterator[str]:
    pack = found.get(id_)
    for need in (*pack.extends, *pack.requires) if pack else ():
        yield need.id
        yield from _built_on(found, need.id)


def _told(ruleset: Ruleset, asked: Asked) -> Tree:
    runner = Runner(ruleset) if ruleset.turns and showing_scenarios(ruleset, asked) else None
    cites = ", ".join(f"{cite.source} {cite.place}" for cite in places(asked))
    head = Text.assemble((asked.id, "bold"), f" in {ruleset.stack}: ", (asked.title, "bold"))
    tree = Tree(head.append(f"  {cites}  {where(asked.at)}".rstrip(), "dim"))
    for says in asked.says:
        place = f"{says.source} {says.place}"
        tree.add(Text.assemble((place, "italic"), f" says: {says.text}"))
    if isinstance(asked, ir.Clarification):
        _add_scenarios(tree, showing_scenarios(ruleset, asked), runner)
        return tree
    for one in readings(ruleset, asked):
        _add_scenarios(tree.add(_reading(one)), one.scenarios, runner)
    return tree


def _reading(one: ReadingHere) -> Text:
    if one.state == HOLDS:
        return Text.assemble(("played", "bold green"), f": {one.text}", (f"  {one.why}", "dim"))
    style = "red" if one.reading.not_built else "yellow"
    return Text.assemble((one.state, style), f": {one.text}", (f"  {one.why}", "dim"))


def _add_scenarios(branch: Tree, scenarios: Sequence[ir.Scenario], runner: Runner | None) -> None:
    """Each scenario, and whether it passes where the stack can be played."""
    for scenario in scenarios:
        sign, style = _SIGNS[runner.run(scenario).passed] if runner else ("·", "dim")
        place = f"  {where(scenario.at)}"
        branch.add(Text.assemble((sign, style), f" {scenario.title}", (place, "dim")))
