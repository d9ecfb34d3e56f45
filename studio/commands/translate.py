"""`ziggurat translate`: a catalogue of all that a pack says, made and kept true."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from ziggurat import (
    BadCatalogue,
    Pack,
    Ruleset,
    Search,
    Translation,
    TranslationProgress,
    Wording,
    catalogue_name,
    is_built_in,
    is_pack,
    load,
    load_pack,
    read_translation,
    replace_file,
    resolve_stack,
    translation_progress,
    updated_translation,
    where,
    wordings,
    wordings_of,
    written_translation,
)
from ziggurat.studio.console import FOUND, OK, UsageError, console
from ziggurat.studio.extras import missing_extra
from ziggurat.studio.options import PackFolders, Stack, search_path
from ziggurat.studio.real_paths import RealPaths
from ziggurat.studio.ruleset import whole

FEW = 10


def translate(
    stack: Stack,
    language: str,
    /,
    *,
    into: Annotated[Path | None, Parameter(show_default=False)] = None,
    check: Annotated[bool, Parameter(negative=())] = False,
    verbose: Annotated[bool, Parameter(negative=())] = False,
    packs: PackFolders = (),
) -> int:
    """Make or update the catalogue of a translation, and say what it lacks.

    The file is `locale/LANGUAGE.po`, which every editor for gettext catalogues opens. Translations
    that are there are kept; one whose original was changed is marked as doubtful.

    Parameters
    ----------
    stack
        The pack to translate, or the stack with it on top, such as `west+mine`.
    language
        The code of the language, such as `de` or `pt_BR`.
    into
        The folder of a translation pack (its `pack.toml` says `language = "de"`): it gets all that
        the stack says. Without it, the uppermost pack gets what it says itself.
    check
        Only say what is missing, stale or cannot be used; nothing is written.
    verbose
        All of it, not just the first ones.
    """
    search = search_path(packs).including(stack)
    try:
        code = _code(language)
        ruleset = whole(load(stack, search, game=False), stack, RealPaths((stack,), search))
        pack = load_pack(into) if into is not None else _uppermost(stack, ruleset, search)
        _fit(pack, into, code)
        found = list(wordings(ruleset)) if into is not None else wordings_of(ruleset, pack.id)
        file = Path(pack.path) / catalogue_name(code)
        old = _read(file, pack, code)
        new = updated_translation(old, found, whole=into is None)
    except BadCatalogue as wrong:
        raise UsageError(str(wrong)) from wrong
    if not check:
        _write(file, new)
        console().print(f"{file}: {len(found)} texts.", markup=False, soft_wrap=True)
    return _tell(console(), translation_progress(found, new), verbose, check)


def _code(language: str) -> str:
    """Return the code of a language, for which its plural forms must be known as well."""
    try:
        from ziggurat import language_of
    except ImportError as error:
        raise missing_extra("ziggurat translate", "translate") from error
    return language_of(language)


def _uppermost(stack: str, ruleset: Ruleset, search: Search) -> Pack:
    found, _ = resolve_stack(stack, search, game=False)
    assert found is not None
    return next(pack for pack in found.packs if pack.id == ruleset.packs[-1].id)


def _fit(pack: Pack, into: Path | None, code: str) -> None:
    if into is None and is_built_in(pack):
        raise UsageError(
            f"`{pack.id}` came with Ziggurat: make a translation pack of your own with `ziggurat"
            " new translation`, and name its folder with `--into`."
        )
    if into is not None and not is_pack(into):
        raise UsageError(f"`{into}` is not the folder of a pack: it has no `pack.toml`.")
    if into is not None and pack.language != code:
        said = f"`{pack.language}`" if pack.language else "nothing"
        raise UsageError(
            f"`{into}` is no translation into `{code}`: its pack.toml says {said}. Write `language"
            f' = "{code}"` there.'
        )


def _read(file: Path, pack: Pack, code: str) -> Translation:
    if not file.exists():
        from ziggurat import fresh_translation

        return fresh_translation(code)
    return read_translation(f"{pack.id}/{catalogue_name(code)}", file.read_bytes())


def _write(file: Path, translation: Translation) -> None:
    file.parent.mkdir(exist_ok=True)
    replace_file(file, written_translation(translation))


def _tell(out: Console, found: TranslationProgress, verbose: bool, check: bool) -> int:
    """What is done and what is left; with `check` that something is left is a finding."""
    lists = {
        "not translated": [_line(one) for one in found.missing],
        "to be looked at, since the original was changed": [_line(one) for one in found.stale],
        "cannot be used": [f"{_line(one)}: {why}" for one, why in found.faulty],
    }
    for what, lines in lists.items():
        if not lines:
            continue
        out.print(f"{len(lines)} {what}:", style="bold", markup=False)
        shown = lines if verbose else lines[:FEW]
        for line in shown:
            out.print(f"  {line}", markup=False, soft_wrap=True)
        if len(lines) > len(shown):
            out.print(f"  … and {len(lines) - len(shown)} more (--verbose)", markup=False)
    out.print(f"{found.done} translated.", markup=False)
    return FOUND if found.faulty or (check and (found.missing or found.stale)) else OK


def _line(one: Wording) -> str:
    return f"{one.context}: “{one.text}”  {where(one.at)}".rstrip()
