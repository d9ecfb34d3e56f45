"""Checks of questions against the whole ruleset: what is played by default, what scenarios show,
and which questions options speak of."""

from collections.abc import Iterator

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.questions import rule_of
from ziggurat.dsl.linking.likely_mistakes import check_pack
from ziggurat.dsl.linking.model import Decl, Item, title_path
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.readings import BY_PACK, NOT_BUILT, readings, readings_played, showing_scenarios
from ziggurat.dsl.syntax import Token
from ziggurat.runtime import kernel as ir


def check_questions(world: World, ruleset: ir.Ruleset) -> None:
    for decl in world.book.of("question").values():
        for node, file in decl.items:
            if rule_of(Item(node, file)) == "reading" and node.parts[1] is not None:
                check_pack(world, node.parts[1], file)
    if world.findings.has_errors:
        return
    for question in ruleset.questions.values():
        _check_default(world, ruleset, question)
    _check_options(world, ruleset)
    if ruleset.turns and not _scenarios_went(world):
        _check_shown(world, ruleset)


def _check_default(world: World, ruleset: ir.Ruleset, question: ir.Question) -> None:
    """Exactly one reading is played when nobody sets an option."""
    decl = world.book.of("question")[question.id]
    played = readings_played(ruleset, question)
    if len(played) == 1 or _written(decl) > len(question.readings):
        return  # one that went with its option is told there
    if played:
        message = f"By default two readings of {question.id} would be played at once."
        advice = "Say for each which options bring it about, so that only one is left."
        world.report("Z704", message, span_of(world, played[1].at), advice)
    else:
        message = f"No reading of {question.id} is played by default."
        advice = 'Add what rules do now, such as `reading "…"`, with the options that lead to it.'
        world.report("Z704", message, decl.name_span, advice)


def _written(decl: Decl) -> int:
    return sum(rule_of(item) in ("reading", "reading_not_built") for item in decl.items)


# ---- scenarios


def _scenarios_went(world: World) -> bool:
    """Whether some scenario was removed, or went with something that was: then a question need not
    be shown any more."""
    gone = any(word == "scenario" for word, _ in world.book.gone)
    return gone or any(loss.what == "scenario" for loss in world.notes.losses)


def _check_shown(world: World, ruleset: ir.Ruleset) -> None:
    """Every reading that can be played is played in a scenario. One for another stack may do so."""
    linked = {one.id.partition(".")[0] for one in ruleset.scenarios}
    others = [decl for decl in world.book.scenarios if decl.path not in linked]
    elsewhere = {name for decl in others for name in (decl.path, *_tags(decl))}
    everything: list[ir.Question | ir.Clarification] = [
        *ruleset.questions.values(), *ruleset.clarifications.values(),
    ]  # fmt: skip
    for asked in everything:
        if elsewhere.isdisjoint({asked.id, *map(title_path, asked.shown)}):
            _check_one(world, ruleset, asked)


def _check_one(world: World, ruleset: ir.Ruleset, asked: ir.Question | ir.Clarification) -> None:
    advice = f'Write one, and tag it with {asked.id}; or name one in a line `shown by "…"`.'
    if isinstance(asked, ir.Question):
        for one in readings(ruleset, asked):
            if not one.scenarios and one.state not in (NOT_BUILT, BY_PACK):
                message = f"No scenario shows this reading of {asked.id}."
                world.warn("Z702", message, span_of(world, one.reading.at), advice)
    elif not showing_scenarios(ruleset, asked):
        span = world.book.of("clarification")[asked.id].name_span
        world.warn("Z702", f"No scenario shows what {asked.id} clarifies.", span, advice)


def _tags(decl: Decl) -> Iterator[Token]:
    for node, _ in decl.metas:
        yield from node.parts if node.rule == "tags" else ()


# ---- options


def _check_options(world: World, ruleset: ir.Ruleset) -> None:
    """What an option is tagged with is declared, if it looks like the questions that are."""
    sorts = {id_.partition("-")[0] for id_ in ruleset.questions}
    for decl in world.book.of("option").values():
        for node, file in decl.metas:
            for tag in node.parts if node.rule == "tags" else ():
                if tag.partition("-")[0] in sorts and tag not in ruleset.questions:
                    message = f"Nobody declares the question {tag} that `{decl.spoken}` answers."
                    advice = did_you_mean(tag, ruleset.questions) or (
                        f'Add `question {tag} "…" {{ … }}` with its readings.'
                    )
                    world.warn("Z703", message, file.span(tag), advice)
