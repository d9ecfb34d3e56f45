"""Opening saved games: by the rules found now, or by those a game began with."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

import attrs

from ziggurat import (
    BadCatalogue,
    BadSave,
    Difference,
    Fit,
    Game,
    Header,
    OtherRules,
    Program,
    Ruleset,
    Save,
    SavedAnswer,
    Search,
    diff,
    is_other_version,
    load,
    load_program,
    load_save,
    meaning_hash,
    read_header,
    search_for,
)
from ziggurat.studio.diff_words import SIGNS
from ziggurat.studio.language import spoken
from ziggurat.studio.sharing.kept import explain_missing, unfold

Watch = Callable[[Game, int, SavedAnswer], object]
Find = Callable[[Header, Search], Program]
NOW, BEGUN = "now", "begun"
SHOWN = 8  # differences that are told
WIDTH, BEFORE = 120, 40  # characters of the words of a difference, and of those before it


@attrs.frozen
class OpenedSave:
    """A save, what to tell people of it, and where its packs were found; `as_begun` if it goes on
    by the rules it began with, which were kept."""

    save: Save
    told: list[str]
    search: Search
    as_begun: bool = False


class RulesChoice(BadSave):
    """The rules found now are not those of a save, so somebody has to choose.

    `has_begun` says whether the rules it began with were kept, and `fit` how far the answers fit
    those found now; it is None if these cannot be loaded. `changes` says what differs.
    """

    def __init__(self, error: BadSave, header: Header, search: Search) -> None:
        self.header = header
        self.reason = error.reason if isinstance(error, OtherRules) else str(error)
        self.fit: Fit | None = error.fit if isinstance(error, OtherRules) else None
        missing = explain_missing(header)
        self.has_begun = not missing and _begun_rules(header) is not None
        self.changes = describe_changes(header, search) if self.has_begun and self.fit else []
        if missing and isinstance(error, OtherRules) and error.packs:
            self.changes = [f"{missing} `--packs FOLDER` goes on by packs of that time."]
        elif not missing and not self.has_begun:
            self.changes = ["The rules it began with were kept, but this version cannot load them."]
        super().__init__(str(error))

    def tell(self, file: str) -> str:
        """Return all there is to say to somebody who cannot be asked."""
        return " ".join([str(self), *self.changes, self.advise(file)])

    @property
    def is_same(self) -> bool:
        """Return whether the rules found now demonstrably lead to the same game."""
        return self.fit is not None and self.fit.is_same

    def advise(self, file: str) -> str:
        """Return which options of a command open the save all the same."""
        told = []
        if self.has_begun:
            told.append("`--as-begun` goes on by the rules it began with, which were kept.")
        if self.fit is not None:
            place = "" if self.fit.is_whole else f"{file}@{self.fit.fitting} "
            told.append(f"`{place}--anyway` goes on by those found now, in a new file.")
        return " ".join(told) or "The packs of that time are needed: `--packs`."


def open_save(
    path: Path,
    search: Search,
    to: int | None = None,
    watch: Watch | None = None,
    *,
    rules: str = "",
    find: Find | None = None,
    holder: str = "",
) -> OpenedSave:
    """Open a save by the rules found `now`, or by those it was `begun` with.

    Without a word about the `rules` those found now are taken if they mean the same. Raise
    `RulesChoice` if they do not, and `BadSave` for what cannot be opened in any way. `find` may
    give the program of a header where it is not to be loaded anew. A `holder` keeps others from
    writing the save.
    """
    header = read_header(path)
    find = find or find_program
    if rules == BEGUN:
        begun = unfold(header)
        try:
            program = find(header, begun)
        except NoProgram as error:
            raise BadSave(
                "The rules that were kept for this save cannot be loaded by this version of"
                " Ziggurat. The version that began the game can load them."
            ) from error
        if not is_other_version(header) and meaning_hash(program.ruleset) != header.rules:
            raise BadSave("The rules that were kept for this save are not those it began with.")
        save, told = load_save(
            path, lambda _: program, to, watch, search=begun, trusted=True, holder=holder
        )
        told = [*told, "By the rules it began with, which were kept."]
        return OpenedSave(save, told, begun, as_begun=True)

    def found(header: Header) -> Program:
        return find(header, search)

    try:
        save, told = load_save(
            path, found, to, watch, anyway=rules == NOW, search=search, holder=holder
        )
    except NoProgram as error:
        choice = RulesChoice(error, header, search)
        if rules or not choice.has_begun:
            raise choice from error
        opened = open_save(path, search, to, watch, rules=BEGUN, find=find, holder=holder)
        return attrs.evolve(opened, told=[str(error), *opened.told])
    except OtherRules as error:
        if not _mean_the_same(error, header, search):
            raise RulesChoice(error, header, search) from error
        save, told = load_save(path, found, to, watch, search=search, trusted=True, holder=holder)
    return OpenedSave(save, told, search_for(save.header, search))


def _mean_the_same(error: BadSave, header: Header, search: Search) -> bool:
    """Return whether the rules found now mean what those of a save mean, where its hash is of
    another version: the texts that were kept are hashed again."""
    if not isinstance(error, OtherRules) or not error.packs:
        return False
    if not is_other_version(header):
        return False
    old, new = _begun_rules(header), _ruleset(header, search)
    return old is not None and new is not None and meaning_hash(old) == meaning_hash(new)


def read_save(
    path: Path, search: Search, to: int | None = None, watch: Watch | None = None, rules: str = ""
) -> OpenedSave:
    """Open a save to look at it: by the rules found now if they lead to the same game, or else by
    those it began with if they were kept. Raise `RulesChoice` if neither can be."""
    try:
        return open_save(path, search, to, watch, rules=rules)
    except RulesChoice as choice:
        if rules:
            raise
        by = NOW if choice.is_same else BEGUN if choice.has_begun else ""
        if not by:
            raise
        opened = open_save(path, search, to, watch, rules=by)
        return attrs.evolve(opened, told=[str(choice), *choice.changes, *opened.told])


class NoProgram(BadSave):
    """The rules of a save cannot be loaded."""


def find_program(header: Header, search: Search) -> Program:
    """Return the compiled rules of a save, in the language that is spoken. Raise `NoProgram`."""
    try:
        where = search_for(header, search)
    except BadSave as error:
        raise NoProgram(str(error)) from error
    try:
        program, findings = load_program(header.stack, where, language=spoken())
    except BadCatalogue as error:
        raise NoProgram(str(error)) from error
    if program is None:
        first = next((finding.message for finding in findings if finding.is_error), "")
        raise NoProgram(
            f"The rules of this save, `{header.stack}`, cannot be loaded as they are now: {first}"
            f" `ziggurat check {header.stack}` tells more."
        )
    return program


def describe_changes(header: Header, search: Search) -> list[str]:
    """Return what changed since a save began, in words: `core 0.3.0 → 0.4.0: 3 rules changed`."""
    old, new = _begun_rules(header), _ruleset(header, search)
    if old is None or new is None:
        return []
    difference = diff(old, new)
    versions = {pack.id: pack.version for pack in new.packs}
    counted = _count_by_pack(difference)
    told = []
    for id_, version, _ in header.packs:
        now = versions.get(id_, "gone")
        number = counted[id_]
        if number or now != version:
            rules = f"{number} rules" if number > 1 else "1 rule" if number else "no rule"
            told.append(
                f"{id_} {version if now == version else f'{version} → {now}'}: {rules} changed."
            )
    if not difference.entries:
        told.append("No rule says anything else; what bots look at, or an order, is different.")
    told += [f"  {line}" for line in _first_lines(difference)]
    return told


def _begun_rules(header: Header) -> Ruleset | None:
    """Return the rules a save began with; None if they were not kept or cannot be loaded."""
    try:
        return _ruleset(header, unfold(header))
    except BadSave:
        return None


def _ruleset(header: Header, search: Search) -> Ruleset | None:
    try:
        return load(header.stack, search_for(header, search)).ruleset
    except BadSave:
        return None


def _count_by_pack(difference: Difference) -> Counter[str]:
    sides = [entry.new or entry.old for entry in difference.entries]
    return Counter(side.at.file.partition("/")[0] for side in sides if side is not None)


def _first_lines(difference: Difference) -> Iterator[str]:
    """Yield what differs in the words of the rules, as far as people read."""
    entries = sorted(difference.entries, key=lambda entry: entry.change != "changed")
    for entry in entries[:SHOWN]:
        yield f"{SIGNS[entry.change]} {entry.title or entry.path}"
        if entry.change == "changed":
            yield from (f"    {line}" for hunk in entry.hunks[:1] for line in _show_hunk(*hunk))
    more = len(entries) - SHOWN
    if more > 0:
        yield f"and {more} more"


def _show_hunk(old: str, new: str) -> Iterator[str]:
    """Yield both sides of a difference, from a little before the place where they part."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = max(0, same - BEFORE)
    for side, text in (("was", old), ("now", new)):
        if text:
            short = textwrap.shorten(text[start:], WIDTH, placeholder=" …")
            yield f"{side}: {'… ' if start else ''}{short}"
