"""Catalogues of translations in the format of gettext: `locale/de.po` in a pack."""

import gettext
import re
from collections.abc import Iterable, Mapping, Sequence

import attrs
import polib

from ziggurat.dsl.translating.wordings import HOLE, Wording, reworded, wordings
from ziggurat.runtime.kernel.forms.speech import Agreement, Text
from ziggurat.runtime.kernel.nodes import Expr
from ziggurat.runtime.kernel.ruleset import Ruleset

MOST_FORMS = 6
PLURAL_FORMS = re.compile(r"\s*nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+?)\s*;?\s*", re.ASCII)
LINE = re.compile(r"""\s*(?:\#.*|(?:msg[a-z_]+(?:\[\d\])?\s*)?"(?:[^"\\]|\\.)*"\s*)?""")
TRIED_NUMBERS = range(200)
LINE_WIDTH = 100
HEADER = r"""msgid ""
msgstr ""
"Language: {language}\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: {plural}\n"
"""


class BadCatalogue(Exception):  # noqa: N818 - what it is
    """A catalogue that cannot be read: a sentence for people."""


@attrs.frozen
class Translation:
    """One pack's catalogue for one language."""

    path: str
    language: str
    plural: str  # gettext's expression for the form that a number takes
    forms: int
    entries: Mapping[tuple[str, str], polib.POEntry] = attrs.field(factory=dict, repr=False)

    @property
    def texts(self) -> dict[str, str]:
        """Return the translations by original text, those without a context last."""
        usable = {key: entry for key, entry in self.entries.items() if _is_usable(entry)}
        by_context = sorted(usable.items(), key=lambda item: not item[0][0])
        return {text: entry.msgstr for (_, text), entry in by_context}

    def entry(self, wording: Wording) -> str:
        """Return the translation of a wording, in its own context or in none, or an empty text."""
        for context in (wording.context, ""):
            entry = self.entries.get((context, wording.text))
            if entry is not None and _is_usable(entry):
                return str(entry.msgstr)
        return ""

    def said(self, wording: Wording) -> tuple[Text | str | None, str]:
        """Return a wording in this language, and the reason if its entry cannot be used."""
        entry = self.entry(wording)
        if not entry:
            return None, ""
        if not wording.holes and "{" not in entry:
            return entry, ""
        return _filled(entry, wording, self)


def _is_usable(entry: polib.POEntry) -> bool:
    """Return whether an entry is translated and not marked as doubtful."""
    return bool(entry.msgstr) and not entry.fuzzy


def _filled(entry: str, wording: Wording, translation: Translation) -> tuple[Text | None, str]:
    """A sentence with the holes of the original in places of its own."""
    parts: list[str | Expr] = []
    done = 0
    for hole in HOLE.finditer(entry):
        parts.append(entry[done : hole.start()])
        done = hole.end()
        name, *words = hole[1].split("|")
        of = wording.holes.get(name)
        if of is None:
            known = ", ".join(f"{{{one}}}" for one in wording.holes) or "none"
            return None, f"it has no hole `{{{name}}}`; there are: {known}"
        if words and len(words) != translation.forms:
            return None, f"`{hole[0]}` needs {translation.forms} words, one for each plural form"
        if words and of.type.name != "int":
            return None, f"words cannot agree with `{name}`: it is no number"
        parts.append(Agreement(of, tuple(words), translation.plural) if words else of)
    parts.append(entry[done:])
    return Text(tuple(part for part in parts if part != "")), ""


def read_translation(path: str, data: bytes) -> Translation:
    """Read a catalogue from the bytes of its file. Raise `BadCatalogue` if that is not possible."""
    try:
        lines = data.decode("utf-8").replace("\r\n", "\n").split("\n")
        for number, line in enumerate(lines, 1):  # the parser takes texts that do not end
            if not LINE.fullmatch(line):
                raise BadCatalogue(f"{path}:{number}: this is not a line of a gettext catalogue.")
        # The parser would open a file if the text were its name, which no text with a line is.
        catalogue = polib.pofile("\n".join(("", *lines)))
    except OSError as error:
        line_number = re.search(r"line (\d+)", str(error))
        place = f"{path}:{int(line_number[1]) - 1}" if line_number else path
        raise BadCatalogue(f"{place}: this is not an entry of a gettext catalogue.") from error
    except (ValueError, IndexError, KeyError, AttributeError) as error:
        raise BadCatalogue(f"{path}: this is not a gettext catalogue in UTF-8.") from error
    forms, plural = _plural_forms(path, catalogue.metadata.get("Plural-Forms", ""))
    entries: dict[tuple[str, str], polib.POEntry] = {}
    for entry in catalogue:
        if not entry.obsolete:
            entries.setdefault((entry.msgctxt or "", entry.msgid), entry)
    return Translation(path, catalogue.metadata.get("Language", ""), plural, forms, entries)


def _plural_forms(path: str, header: str) -> tuple[int, str]:
    """Return the number of plural forms and the expression that selects one."""
    match = PLURAL_FORMS.fullmatch(header)
    forms = int(match[1]) if match and len(match[1]) == 1 else 0
    try:
        if match is None or not 1 <= forms <= MOST_FORMS:
            raise ValueError
        form_of = gettext.c2py(match[2])
        if not all(0 <= form_of(number) < forms for number in TRIED_NUMBERS):
            raise ValueError
    except (ValueError, ArithmeticError) as error:
        raise BadCatalogue(
            f"{path}: its header needs a line `Plural-Forms` with 1 to {MOST_FORMS} forms, such as"
            ' "Plural-Forms: nplurals=2; plural=(n != 1);\\n".'
        ) from error
    return forms, match[2]


def translated(ruleset: Ruleset, translations: Sequence[Translation]) -> Ruleset:
    """The ruleset in another language; what nobody translates stays as it is."""

    def say(wording: Wording) -> Text | str | None:
        found = (translation.said(wording)[0] for translation in translations)
        return next((one for one in found if one is not None), None)

    return reworded(ruleset, say) if translations else ruleset


# ---- for translators


@attrs.define
class TranslationProgress:
    """How far a catalogue is: what it lacks, what belongs to a text that was changed since, and
    what cannot be used, with the reason."""

    done: int = 0
    missing: list[Wording] = attrs.field(factory=list)
    stale: list[Wording] = attrs.field(factory=list)
    faulty: list[tuple[Wording, str]] = attrs.field(factory=list)


def translation_progress(found: Iterable[Wording], translation: Translation) -> TranslationProgress:
    """Return which of the wordings a catalogue translates."""
    out = TranslationProgress()
    doubtful = {key for key, entry in translation.entries.items() if entry.fuzzy and entry.msgstr}
    for wording in found:
        said, reason = translation.said(wording)
        if reason:
            out.faulty.append((wording, reason))
        elif said is not None:
            out.done += 1
        elif (wording.context, wording.text) in doubtful:
            out.stale.append(wording)
        else:
            out.missing.append(wording)
    return out


def updated_translation(
    translation: Translation, found: Iterable[Wording], whole: bool
) -> Translation:
    """Return the catalogue with an entry for each wording.

    If the original of a translation has changed, the translation stays with the new original and
    is marked as doubtful. Entries that belong to no wording stay too, since they may serve other
    rules, unless the wordings are the `whole` of what the catalogue is for.
    """
    old = translation.entries
    wanted = {(wording.context, wording.text): wording for wording in found}
    orphans = {
        context: entry
        for (context, text), entry in old.items()
        if (context, text) not in wanted and entry.msgstr and context
    }
    entries: dict[tuple[str, str], polib.POEntry] = {}
    for key, wording in wanted.items():
        entry = polib.POEntry(msgid=wording.text, msgctxt=wording.context)
        if wording.at.file:
            entry.occurrences = [(wording.at.file, str(wording.at.line))]
        if (existing := old.get(key) or old.get(("", wording.text))) is not None:
            entry.msgstr = existing.msgstr
            entry.flags = [flag for flag in existing.flags if flag != "python-format"]
        elif (earlier := orphans.get(wording.context)) is not None:
            entry.msgstr, entry.flags = earlier.msgstr, ["fuzzy"]
            entry.previous_msgid = earlier.msgid
        entries[key] = entry
    if not whole:
        entries |= {key: entry for key, entry in old.items() if key not in wanted}
    return attrs.evolve(translation, entries=entries)


def written_translation(translation: Translation) -> bytes:
    """Return the text of a catalogue's file. The same entries always give the same bytes."""
    nplurals = f"nplurals={translation.forms}; plural={translation.plural};"
    header = HEADER.format(language=translation.language, plural=nplurals)
    entries = (
        entry.__unicode__(wrapwidth=LINE_WIDTH).rstrip("\n")
        for entry in translation.entries.values()
    )
    return ("\n\n".join((header.rstrip("\n"), *entries)) + "\n").encode()


def wordings_of(ruleset: Ruleset, pack: str) -> list[Wording]:
    """Return the wordings of one pack of a ruleset."""
    return [wording for wording in wordings(ruleset) if wording.origin == pack]
