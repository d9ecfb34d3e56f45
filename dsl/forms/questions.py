"""What rulebooks leave open, and what they only say in other words. None of it changes a game.

A `question` has the readings it can be given: each with its words and what brings it about, options
set to values or a pack, or why nobody has built it. A `clarification` tells what each book says
about something that is played alike.
"""

from collections.abc import Iterator

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.settings import set_options
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import no_more
from ziggurat.dsl.linking.model import Decl, Item, inner, title_path, unquoted
from ziggurat.dsl.linking.removals import may_not_know, unless_removed
from ziggurat.dsl.linking.statements import no_step
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.runtime.kernel.forms.questions import Clarification, Question, Reading, Says

no_step("A reading", "reading", "reading_not_built")


no_step("What a book says", "says")


no_step("A list of scenarios", "shown_by")


_SHARED = ("says", "shown_by")


_READINGS = ("reading", "reading_not_built")


def questions(world: World) -> dict[str, Question]:
    found = {}
    for path, decl in world.book.of("question").items():
        cx, says, shown = _shared(world, decl, (*_SHARED, *_READINGS))
        readings = [one for item in decl.items if (one := _reading(cx, decl, item)) is not None]
        cx.enter(decl.file)
        found[path] = Question(
            path, decl.title, says, tuple(readings), shown,
            meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
        )  # fmt: skip
    return found


def clarifications(world: World) -> dict[str, Clarification]:
    found = {}
    for path, decl in world.book.of("clarification").items():
        cx, says, shown = _shared(world, decl, _SHARED)
        if not says:
            message = f"`{decl.spoken}` does not tell what any book says."
            advice = 'Add a line such as `W "6.4" says "…"` for each of them.'
            world.report("Z705", message, decl.name_span, advice)
        found[path] = Clarification(
            path, decl.title, says, shown, meta(world, decl.metas, decl.pack), at=cx.at(decl.node)
        )
    return found


def _shared(
    world: World, decl: Decl, rules: tuple[str, ...]
) -> tuple[Context, tuple[Says, ...], tuple[str, ...]]:
    cx = Context(world, decl, decl.spoken)
    no_more(cx, decl, [item for item in decl.items if rule_of(item) not in rules])
    says = tuple(_says(cx, item) for item in decl.items if rule_of(item) == "says")
    shown = tuple(
        title for item in decl.items if rule_of(item) == "shown_by" for title in _shown(world, item)
    )
    cx.enter(decl.file)
    return cx, says, shown


def rule_of(item: Item) -> str:
    return str(getattr(item.node, "rule", ""))


def _says(cx: Context, item: Item) -> Says:
    source, place, text = item.node.parts
    cx.enter(item.file)
    if source not in cx.world.sources:
        cx.world.unknown_source(source, item.pack, item.file.span(source))
    return Says(str(source), unquoted(place), unquoted(text), at=cx.at(item.node))


def _shown(world: World, item: Item) -> Iterator[str]:
    """The titles of scenarios that there are, in this stack or another, or that were removed."""
    for token in item.node.parts:
        title = unquoted(token)
        path = title_path(title)
        removal = world.book.gone.get(("scenario", path))
        if any(one.path == path for one in world.book.scenarios):
            world.notes.mentions.add(item.file.span(inner(token)), "scenario", path)
            yield title
        elif removal is None or not may_not_know(world.stack, item.pack, removal):
            near = did_you_mean(title, [one.title for one in world.book.scenarios])
            advice = near or "Correct the title, or take it away."
            message = "There is no scenario with this title."
            world.report("Z701", message, item.file.span(inner(token)), advice)


def _reading(cx: Context, decl: Decl, item: Item) -> Reading | None:
    """A reading; one whose option was removed goes with it."""
    rule = rule_of(item)
    if rule not in _READINGS:
        return None
    cx.enter(item.file)
    text, *rest = item.node.parts
    words, at = unquoted(text), cx.at(item.node)
    if rule == "reading_not_built":
        return Reading(words, not_built=unquoted(rest[0]), at=at)
    pack, block = rest
    if block is None or (pack is not None and pack not in cx.world.pack_order):
        return Reading(words, str(pack or ""), at=at)

    def make() -> Reading:
        return Reading(words, str(pack or ""), tuple(set_options(cx, block)), at=at)

    told = f"A reading of `{decl.spoken}` goes, too."
    return unless_removed(cx.world, "reading", told, item.span, make)


@declares(Question)
def _print_question(page: Declarations, one: Question, depth: int) -> list[Line]:
    return _print(page, "question", one, [_reading_line(page, each) for each in one.readings])


@declares(Clarification)
def _print_clarification(page: Declarations, one: Clarification, depth: int) -> list[Line]:
    return _print(page, "clarification", one, [])


def _print(
    page: Declarations, word: str, one: Question | Clarification, readings: list[Line]
) -> list[Line]:
    says = [
        Line(1, f"{each.source} {quoted(each.place)} says {quoted(each.text)}", each.at)
        for each in one.says
    ]
    titles = ", ".join(map(quoted, one.shown))
    shown = [Line(1, f"shown by {titles}")] if titles else []
    return page.block(f"{word} {one.id} {quoted(one.title)}", one, [*says, *readings, *shown], 0)


def _reading_line(page: Declarations, one: Reading) -> Line:
    text = f"reading {quoted(one.text)}"
    if one.not_built:
        return Line(1, f"{text} not built because {quoted(one.not_built)}", one.at)
    text += f" in {one.pack}" if one.pack else ""
    set_ = "  ".join(
        f"{id_}: {page.data(value, page.ruleset.options[id_].type)}" for id_, value in one.options
    )
    return Line(1, f"{text} {{ {set_} }}" if set_ else text, one.at)
