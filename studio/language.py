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

from ziggurat import Search, find_packs, read_translation
from ziggurat.studio.console import UsageError

ENGLISH = "en"
WORDS = Path(__file__).parent / "locale"
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def spoken() -> str:
    """The code of the language for whoever loads rules; empty for the one they are written in."""
    code = _spoken.get()
    return "" if code == ENGLISH else code


def speak(wanted: str, search: Search) -> None:
    """Speak a language for the rest of the command.

    Without a wish the system decides, as far as there are words; a wish nobody can meet is a
    mistake."""
    known = {ENGLISH, *_translated(search)}
    code = _find_code(wanted, known) if wanted else _of_system(known)
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


def _find_code(wanted: str, known: set[str]) -> str:
    """Return the known language that `wanted` names (`de_AT` names `de`), or `wanted` itself."""
    codes = {code.casefold(): code for code in known}
    name = wanted.replace("-", "_").casefold()
    return codes.get(name) or codes.get(name.partition("_")[0]) or wanted


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
    return read_translation(file.name, file.read_bytes()).texts


def tr(text: str) -> str:
    """Words of a command in the language that is spoken."""
    return _words(spoken()).get(text, text)
