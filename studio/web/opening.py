"""Opening the saves of tables: by the rules that hold for them, or as their host has chosen.

A table goes on by rules that mean what those it began with mean. Where the rules found now mean
something else, or its save is damaged, the host chooses: the rules it began with, if they were
kept; those found now, as far as the answers fit, in a save beside that of before; or the archive.
"""

import logging
from pathlib import Path

import attrs

from ziggurat import (
    BadSave,
    Header,
    Ruleset,
    Save,
    Search,
    free_path,
    lock_save,
    replace_file,
    search_for,
)
from ziggurat.studio.saved import BEGUN, NOW, Find, OpenedSave, RulesChoice, open_save
from ziggurat.studio.sharing.kept import export_save, has_kept, keep_rules
from ziggurat.studio.web.about import About
from ziggurat.studio.web.listing import table_files
from ziggurat.studio.web.refusals import Refusal

HOLDER = "a table of `ziggurat serve`"
ARCHIVE = "archive"
log = logging.getLogger("ziggurat.web")


@attrs.frozen
class Ways:
    """How a table that does not load can go on.

    `begun` says whether the rules it began with were kept; `now` how many of all `answers` fit the
    rules found now, None if it cannot go on by them. How many answers there are is not known of a
    damaged save, of which those before the damage fit.
    """

    text: str
    changes: tuple[str, ...] = ()
    begun: bool = False
    now: int | None = None
    answers: int | None = None

    @classmethod
    def of(cls, error: BadSave) -> "Ways":
        """Return what can be done about a save that does not load."""
        if not isinstance(error, RulesChoice):
            return cls(_first_sentence(error), now=error.sound)
        if error.fit is None:
            return cls(error.reason, begun=error.has_begun)
        return cls(
            f"{error.reason} {error.fit.describe()}",
            tuple(error.changes),
            error.has_begun,
            error.fit.fitting,
            error.fit.answers,
        )


def _first_sentence(error: BadSave) -> str:
    """Return what is wrong with a save, without the commands that are for whoever has its file."""
    return str(error).partition(" `")[0]


class TableStuck(Refusal):
    """A table that does not load until its host has chosen how it goes on."""

    def __init__(self, ways: Ways) -> None:
        super().__init__(409, ways.text)
        self.ways = ways

    @property
    def data(self) -> dict[str, object]:
        """Return the body of the response to the host."""
        ways = attrs.asdict(self.ways)
        del ways["text"]
        return {**super().data, "ways": ways}


class TableSaves:
    """The saves of the tables in a folder."""

    def __init__(self, folder: Path, search: Search, find: Find) -> None:
        self.folder, self.search, self._find = folder, search, find

    def path(self, id_: str, about: About) -> Path:
        """Return the save in which a table goes on."""
        return self.folder / (about.save or f"{id_}.zig")

    def look(self, id_: str, about: About) -> None:
        """Open the save of a table, and let go of it again. Raise `BadSave` if it does not load."""
        rules = NOW if about.anyway else _rules_of(about)
        open_save(self.path(id_, about), self.search, rules=rules, find=self._find)

    def open(self, id_: str, about: About) -> OpenedSave:
        """Open the save of a table to play it. Raise `BadSave`, OSError."""
        path = self.path(id_, about)
        if about.anyway:
            opened = open_save(path, self.search, rules=NOW, find=self._find, holder=HOLDER)
            about.anyway = False
            if opened.save.anyway:
                self._move(id_, about, opened.save)
            return opened
        rules = _rules_of(about)
        opened = open_save(path, self.search, rules=rules, find=self._find, holder=HOLDER)
        if not has_kept(opened.save.header):  # it was begun before rules were kept
            self.keep(opened.save.game.ruleset, opened.save.header)
        return opened

    def open_now(self, id_: str, about: About, answers: int | None = None) -> Save:
        """Open a table by the rules found now, after some or all of its answers.

        It goes on in a save beside that of before if its rules are others, or if it loses answers;
        otherwise the save is not locked. Raise `BadSave`, OSError.
        """
        path = self.path(id_, about)
        save = open_save(path, self.search, answers, rules=NOW, find=self._find).save
        about.as_begun = False
        if save.anyway or answers is not None:
            self._move(id_, about, save)
        return save

    def _move(self, id_: str, about: About, save: Save) -> None:
        path = free_path(self.folder / f"{id_}.zig", len(save.records))
        kept = self.keep(save.game.ruleset, save.header) if save.anyway else None
        save.continue_in(path, kept, lock_save(path, HOLDER))
        about.save = path.name

    def keep(self, ruleset: Ruleset, header: Header | None = None) -> dict[str, str]:
        """Keep the rules of a table, and return the hashes for its save; none if they cannot be."""
        try:
            search = search_for(header, self.search) if header is not None else self.search
            has_scenarios = header is not None and bool(header.scenario)
            return keep_rules(ruleset, search, scenarios=has_scenarios)
        except (OSError, BadSave) as error:
            log.warning("the rules of a table cannot be kept: %s", error)
            return {}

    def archive(self, id_: str, about: About) -> Path:
        """Put a table away, its save with its rules inside, and return where. Raise OSError.

        Nobody may have its save open.
        """
        path = self.path(id_, about)
        folder = self.folder / ARCHIVE
        folder.mkdir(exist_ok=True)
        away = folder / path.name
        try:
            replace_file(away, export_save(path), durable=True)
        except BadSave:  # it is damaged, and put away as it is
            replace_file(away, path.read_bytes(), durable=True)
        about.write(folder / f"{id_}.json")
        (self.folder / f"{id_}.json").unlink()
        path.unlink()
        for left in table_files(self.folder, id_):  # saves of before, and snapshots
            left.replace(folder / left.name)
        return away

    def delete(self, id_: str) -> None:
        """Remove all files of a table, first the one that makes it a table. Raise OSError."""
        (self.folder / f"{id_}.json").unlink(missing_ok=True)
        for path in table_files(self.folder, id_):
            path.unlink(missing_ok=True)


def _rules_of(about: About) -> str:
    return BEGUN if about.as_begun else ""
