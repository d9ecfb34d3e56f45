"""`ziggurat list`: what a ruleset declares."""

from collections.abc import Iterator

from ziggurat import (
    HOLDS,
    Comments,
    Ruleset,
    Search,
    by_number,
    decision_points,
    declarations,
    declaring_words,
    ir,
    load,
    opening_signature,
    places,
    readings,
    signature,
    where,
)
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.listing import best_first, show_list
from ziggurat.studio.options import PackFolders, possible_values, search_path
from ziggurat.studio.real_paths import RealPaths
from ziggurat.studio.ruleset import loaded, whole, word_of

Row = tuple[str, ...]
OPEN = "open"
DECISIONS = ("decision", "decisions")


def list_(stack: str, kind: str = "", /, *, find: str = "", packs: PackFolders = ()) -> int:
    """List what a ruleset declares: all words with their numbers, or the declarations of one.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    kind
        What to list: `values`, `options`, `phases`, or a kind of the packs; `open` for what packs
        leave open and who answers it, also of packs that are no game yet, such as `core`;
        `questions` for what rulebooks leave open, and how it is read here; `decisions` for all that
        players are asked, under the paths that scenarios and advice use.
    find
        Only what has this in its name, title, phrase, comment, citations or tags; without a kind,
        whatever it is declared as. Whole words come first. In a pipe only the names are printed.
    """
    if kind == OPEN:
        return _show_open(stack, search_path(packs))
    ruleset = loaded(stack, packs)
    if kind in DECISIONS:
        headings, *rows = _decisions(ruleset)
    elif kind:
        word = word_of(ruleset, kind)
        notes = Comments(stack, search_path(packs))
        tell = _questions(ruleset) if word == "question" else _of_word(ruleset, word, notes)
        headings, *rows = tell
    elif find:
        headings, *rows = _everything(ruleset, Comments(stack, search_path(packs)))
    else:
        headings, *rows = _overview(ruleset)
    if find:
        _show_matches(headings, rows, find, stack, ruleset)
    else:
        show_list(console(), *_filled(headings, rows))
    return OK


def _show_matches(
    headings: Row, rows: list[Row], find: str, stack: str, ruleset: Ruleset
) -> None:  # fmt: skip
    """Show the rows in which something stands, the best first; in a pipe only their names."""
    name = headings.index("Name" if "Name" in headings else "Path")
    title = headings.index("Title") if "Title" in headings else name
    phrases = ruleset.phrases
    texts = [
        f"{phrases[row[name]].title} {phrases[row[name]].label}" if row[name] in phrases else ""
        for row in rows
    ]
    matches = best_first(rows, texts, find, (name, title))
    if not matches:
        raise UsageError(f"nothing that is listed of `{stack}` has `{find}` in it.")
    out = console()
    if out.is_terminal:
        show_list(out, *_filled(headings, matches))
    else:
        for match in dict.fromkeys(row[name] for row in matches):
            out.print(match, markup=False, soft_wrap=True)


def _filled(headings: Row, rows: list[Row]) -> tuple[Row, list[Row]]:
    """Without columns in which nothing stands; the first is always there."""
    kept = [i for i, _ in enumerate(headings) if not i or any(row[i] for row in rows) or not rows]
    return tuple(headings[i] for i in kept), [tuple(row[i] for i in kept) for row in rows]


def _overview(ruleset: Ruleset) -> Iterator[Row]:
    yield "Declared as", "Number", "Title"
    for word in declaring_words(ruleset):
        number = sum(1 for _ in declarations(ruleset, word))
        if number:
            title = ruleset.kinds[word].title if word in ruleset.kinds else ""
            yield word, str(number), title


def _of_word(ruleset: Ruleset, word: str, notes: Comments) -> Iterator[Row]:
    settable = word == "option"
    yield "Name", "Value", "Takes", "Is", "Title", "Comment", "From", "Cites", "Tags"
    for one in declarations(ruleset, word):
        origin = one.meta.origin or one.at.file.partition("/")[0]
        takes, is_ = ("", "") if settable else signature(ruleset, one)
        value = possible_values(ruleset.options[one.id]) if settable else ""
        about = one.title, notes.at(one.at)
        yield one.id, value, takes, is_, *about, origin, _cites(one.meta), ", ".join(one.meta.tags)


def _cites(meta: ir.Meta) -> str:
    return ", ".join(f"{cite.source} {cite.place}" for cite in meta.cites)


def _everything(ruleset: Ruleset, notes: Comments) -> Iterator[Row]:
    yield "Declared as", "Name", "Title", "Comment", "Where", "Cites", "Tags"
    for word in declaring_words(ruleset):
        for one in declarations(ruleset, word):
            about = one.title, notes.at(one.at), where(one.at)
            yield word, one.id, *about, _cites(one.meta), ", ".join(one.meta.tags)
    for point in decision_points(ruleset):
        if point.verb != "act":
            yield "decision", point.path, point.prompt, "", where(point.at), "", ""


def _decisions(ruleset: Ruleset) -> Iterator[Row]:
    yield "Path", "Is", "Decided by", "Asks", "Where"
    for point in decision_points(ruleset):
        yield point.path, point.verb, point.by, point.prompt, where(point.at)


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


def _show_open(stack: str, search: Search) -> int:
    """Show what is left open; a stack in which it is not answered yet is no mistake here."""
    result = load(stack, search, game=False)
    if not result.open_places:
        whole(result, stack, RealPaths((stack,), search))
    headings = "Name", "Is", "Meaning", "Default", "Answered by"
    show_list(console(), headings, map(_open_row, result.open_places))
    return OK


def _open_row(place: ir.OpenPlace) -> Row:
    answer = place.answer or ("the default" if place.default else "nobody yet")
    return place.id, opening_signature(place), place.title, place.default, answer
