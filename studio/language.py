"""The language people are spoken to in: that of `--language`, or of their system, or English.

Rules are translated by catalogues of packs (`locale/de.po`), the words of the commands by those in
`studio/locale`. What is not translated is said in English.
"""

import locale
import os
import sys
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat import BadCatalogue, Search, find_packs, language_of, read_translation
from ziggurat.studio.console import UsageError

ENGLISH = "en"
WORDS = Path(__file__).parent / "locale"
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)

Language = Annotated[
    str,
    Parameter(
        name="--language",
        help="The language to be spoken to in, such as `de`; that of your system, if there is a"
        " translation, unless told otherwise.",
        show_default=False,
    ),
]


def spoken() -> str:
    """The code of the language for whoever loads rules; empty for the one they are written in."""
    code = _spoken.get()
    return "" if code == ENGLISH else code


def speak(wanted: str, search: Search) -> None:
    """Speak a language for the rest of the command.

    Without a wish the system decides, as far as there are words; a wish nobody can meet is a
    mistake."""
    known = {ENGLISH, *_translated(search)}
    code = _code(wanted) if wanted else _of_system(known)
    if code not in known and code.partition("_")[0] in known:
        code = code.partition("_")[0]
    if code not in known:
        there = ", ".join(sorted(known))
        raise UsageError(
            f"nothing is translated into `{wanted}`; there is {there}. `ziggurat translate` makes"
            " a translation."
        )
    _spoken.set(code)


def _translated(search: Search) -> set[str]:
    packs = find_packs(search).values()
    own = {pack.language for pack in packs if pack.language}
    beside = {file.stem for pack in packs for file in Path(pack.path).glob("locale/*.po")}
    return own | beside | {file.stem for file in WORDS.glob("*.po")}


def _code(wanted: str) -> str:
    try:
        return language_of(wanted)
    except BadCatalogue as wrong:
        raise UsageError(str(wrong)) from wrong


def _of_system(known: set[str]) -> str:
    """The first language of the system that there are words for."""
    named = os.environ.get("LANGUAGE", "").split(":")
    named += [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    named += _of_windows()
    for name in filter(None, named):
        code = (locale.normalize(name).partition(".")[0] or name).partition("@")[0]
        for one in (code, code.partition("_")[0]):
            if one in known:
                return one
        if code:
            break
    return ENGLISH


def _of_windows() -> list[str]:
    """Return the language of Windows, which sets none of these variables."""
    if sys.platform != "win32":
        return []
    import ctypes

    number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
    return [locale.windows_locale.get(number, "")]


@cache
def _words(code: str) -> dict[str, str]:
    file = WORDS / f"{code}.po"
    if not file.is_file():
        return {}
    found = read_translation(file.name, file.read_bytes()).catalogue
    return {str(one.id): str(one.string) for one in found if one.id and one.string}


def tr(text: str) -> str:
    """Words of a command in the language that is spoken."""
    return _words(spoken()).get(text, text)
