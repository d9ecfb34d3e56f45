"""A whole book: its chapters in the order in which people learn a game."""

from ziggurat import Comments, Ruleset, players_text
from ziggurat.studio.book.model import Book, Chapter
from ziggurat.studio.book.things import Things
from ziggurat.studio.titles import title_of


def write(ruleset: Ruleset, comments: Comments) -> Book:
    """The book of a stack."""
    writer = Things(ruleset, comments)
    found: list[Chapter | None] = [writer.sequence_chapter(), writer.equipment_chapter()]
    found += [writer.phase_chapter(id_) for id_ in writer.outline.phases]
    found.append(writer.common_chapter())
    found += writer.kind_chapters()
    found += [writer.map_chapter(), writer.options_chapter(), writer.questions_chapter()]
    players = players_text(ruleset.players) if ruleset.players else ""
    chapters = tuple(chapter for chapter in found if chapter is not None)
    return Book(title_of(ruleset), ruleset.stack, players, ruleset.packs, chapters)
