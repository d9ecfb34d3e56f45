"""Catalogues of translations, as gettext and its tools know them: `locale/de.po` in a pack."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from io import SEEK_END, BytesIO

import attrs
from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

from ziggurat.dsl.forms.base import Expr
from ziggurat.dsl.forms.ruleset import Ruleset
from ziggurat.dsl.forms.speech import Agreement, Text
from ziggurat.dsl.translating.wordings import HOLE, Wording, reworded, wordings

MOST_FORMS = 6
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
    """One language as one pack has it. Entries that translators marked as doubtful do not count."""

    path: str
    catalogue: Catalog = attrs.field(repr=False)

    @cached_property
    def plural(self) -> str:
        return str(self.catalogue.plural_expr)

    @property
    def forms(self) -> int:
        return int(self.catalogue.num_plurals)

    def entry(self, wording: Wording) -> str:
        """How a wording is said: in its own context, or else anywhere; empty if it is not."""
        for context in (wording.context, None):
            found = self.catalogue.get(wording.text, context)
            if found is not None and found.string and not found.fuzzy:
                return str(found.string)
        return ""

    def said(self, wording: Wording) -> tuple[Text | str | None, str]:
        """A wording in this language, and what is wrong with it if it cannot be used."""
        entry = self.entry(wording)
        if not entry:
            return None, ""
        if not wording.holes and "{" not in entry:
            return entry, ""
        return _filled(entry, wording, self)


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
    """A catalogue from the bytes of its file."""
    try:
        catalogue = read_po(BytesIO(data), abort_invalid=True)
    except PoFileError as wrong:
        reason = str(wrong).removesuffix(f" on {wrong.lineno}")  # which counts lines from 0
        raise BadCatalogue(f"{path}:{wrong.lineno + 1}: this cannot be read: {reason}.") from wrong
    except (ValueError, UnknownLocaleError, LookupError) as wrong:
        raise BadCatalogue(f"{path}: this is no catalogue of translations: {wrong}.") from wrong
    if not 1 <= catalogue.num_plurals <= MOST_FORMS:
        raise BadCatalogue(f"{path}: its header says how many plural forms there are: 1 to 6.")
    return Translation(path, catalogue)


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
    """Look every wording up."""
    out = TranslationProgress()
    kept = [one for one in _messages(translation.catalogue) if one.string]
    doubtful = {(one.context, one.id) for one in kept if one.fuzzy}
    for wording in found:
        said, wrong = translation.said(wording)
        if wrong:
            out.faulty.append((wording, wrong))
        elif said is not None:
            out.done += 1
        elif (wording.context, wording.text) in doubtful:
            out.stale.append(wording)
        else:
            out.missing.append(wording)
    return out


def language_of(name: str) -> str:
    """The code of a language that catalogues can be made for; raises `BadCatalogue`."""
    try:
        return str(Locale.parse(name.replace("-", "_")))
    except (ValueError, UnknownLocaleError) as wrong:
        raise BadCatalogue(
            f"`{name}` is no language: write its code, as in `de` or `pt_BR`."
        ) from wrong


def fresh_translation(language: str) -> Translation:
    """A catalogue with nothing in it yet."""
    return Translation("", Catalog(locale=language, domain="rules", charset="utf-8"))


def updated_translation(
    translation: Translation, found: Iterable[Wording], whole: bool
) -> Translation:
    """The catalogue with an entry for each wording. A translation of what was said otherwise before
    is kept with the new words, marked as doubtful. Entries of nobody are kept too, since they may
    serve other rules, unless this is the `whole` of what the catalogue is for."""
    old = translation.catalogue
    new = Catalog(locale=old.locale, charset="utf-8", fuzzy=False)
    wanted = list(found)
    living = {(one.context, one.text) for one in wanted}
    orphans = {
        one.context: one
        for one in _messages(old)
        if (one.context, one.id) not in living and one.string and one.context
    }
    for wording in wanted:
        message = old.get(wording.text, wording.context)
        string, flags, previous = "", set[str](), tuple[str, ...]()
        if message is not None:
            string, flags = str(message.string), set(message.flags) - {"python-format"}
        elif (earlier := orphans.get(wording.context)) is not None:
            string, flags, previous = str(earlier.string), {"fuzzy"}, (str(earlier.id),)
        place = [(wording.at.file, wording.at.line)] if wording.at.file else []
        entry = new.add(
            wording.text, string, place, sorted(flags), context=wording.context,
            previous_id=previous,
        )  # fmt: skip
        entry.flags.discard("python-format")
    if not whole:
        for one in _messages(old):
            if (one.context, one.id) not in living:
                new.add(one.id, one.string, context=one.context, flags=sorted(one.flags))
    return Translation(translation.path, new)


def written_translation(translation: Translation) -> bytes:
    """The catalogue as the text of a file; the same entries always give the same bytes."""
    catalogue = translation.catalogue
    out = BytesIO(HEADER.format(language=catalogue.locale, plural=catalogue.plural_forms).encode())
    out.seek(0, SEEK_END)
    write_po(out, catalogue, width=100, omit_header=True, include_previous=True)
    return out.getvalue()


def _messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def wordings_of(ruleset: Ruleset, pack: str) -> list[Wording]:
    """What one pack of a ruleset says."""
    return [one for one in wordings(ruleset) if one.origin == pack]
