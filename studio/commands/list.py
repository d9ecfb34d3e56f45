"""`ziggurat list`: what a ruleset declares."""

from collections.abc import Iterator

from ziggurat import (
    HOLDS,
    LoadResult,
    Ruleset,
    by_number,
    declarations,
    declaring_words,
    ir,
    load,
    places,
    readings,
)
from ziggurat.studio.console import OK, console
from ziggurat.studio.listing import show_list
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.ruleset import loaded, whole, word_of

Row = tuple[str, ...]
OPEN = "open"


def list_(stack: str, kind: str = "", /, *, packs: PackFolders = ()) -> int:
    """List what a ruleset declares: all words with their numbers, or the declarations of one.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    kind
        What to list: `values`, `options`, `phases`, or a kind of the packs; `open` for what packs
        leave open and who answers it, also of packs that are no game yet, such as `core`;
        `questions` for what rulebooks leave open, and how it is read here.
    """
    if kind == OPEN:
        return _show_open(load(stack, search_path(packs), game=False), stack)
    ruleset = loaded(stack, packs)
    word = word_of(ruleset, kind) if kind else ""
    tell = _questions(ruleset) if word == "question" else _of_word(ruleset, word)
    headings, *rows = tell if word else _overview(ruleset)
    show_list(console(), headings, rows)
    return OK


def _overview(ruleset: Ruleset) -> Iterator[Row]:
    yield "Declared as", "Number", "Title"
    for word in declaring_words(ruleset):
        number = sum(1 for _ in declarations(ruleset, word))
        if number:
            title = ruleset.kinds[word].title if word in ruleset.kinds else ""
            yield word, str(number), title


def _of_word(ruleset: Ruleset, word: str) -> Iterator[Row]:
    settable = word == "option"
    yield "Name", *(["Value"] if settable else []), "Title", "From", "Cites"
    for one in declarations(ruleset, word):
        cites = ", ".join(f"{cite.source} {cite.place}" for cite in one.meta.cites)
        origin = one.meta.origin or one.at.file.partition("/")[0]
        value = [_setting(ruleset.options[one.id])] if settable else []
        yield one.id, *value, one.title, origin, cites


def _questions(ruleset: Ruleset) -> Iterator[Row]:
    """Each question with the reading that is played, and the others."""
    yield "Name", "Question", "Read as", "Or", "From", "Cites"
    for id_ in sorted(ruleset.questions, key=by_number):
        one = ruleset.questions[id_]
        here = readings(ruleset, one)
        played = " ".join(each.text for each in here if each.state == HOLDS)
        others = "; ".join(f"{each.text} ({each.why})" for each in here if each.state != HOLDS)
        cites = ", ".join(f"{cite.source} {cite.place}" for cite in places(one))
        yield one.id, one.title, played, others, one.meta.origin, cites


def _show_open(result: LoadResult, stack: str) -> int:
    """What is left open; a stack in which it is not answered yet is no mistake here."""
    if not result.open_places:
        whole(result, stack)
    headings = "Name", "Is", "Meaning", "Default", "Answered by"
    show_list(console(), headings, map(_open_row, result.open_places))
    return OK


def _open_row(place: ir.OpenPlace) -> Row:
    answer = place.answer or ("the default" if place.default else "nobody yet")
    return place.id, place.signature, place.title, place.default, answer


def _setting(option: ir.Option) -> str:
    """What an option is unless set, and what else it can be: `no or yes`."""
    if option.type.name == "bool":
        return "yes or no" if option.default else "no or yes"
    others = [choice for choice in option.choices if choice != option.default]
    return " or ".join(str(choice) for choice in (option.default, *others))
