"""Rulesets for commands: load one or show its findings, and look up words of its declarations."""

from pathlib import Path

from rich.console import Console

from ziggurat import LoadResult, Ruleset, Search, declaring_words, did_you_mean, load, render_human
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.options import search_path
from ziggurat.studio.real_paths import RealPaths


def loaded(stack: str, folders: tuple[Path, ...]) -> Ruleset:
    """The ruleset of a stack. Broken packs are shown, and then there is nothing to work with."""
    search = search_path(folders)
    return whole(load(stack, search), stack, RealPaths((stack,), search))


def whole(
    result: LoadResult, stack: str, paths: RealPaths | None = None, out: Console | None = None
) -> Ruleset:
    """Return the ruleset that was loaded. If there is none, print its findings and raise."""
    if result.ruleset is None:
        paths = paths or RealPaths((stack,), Search.default())
        render_human(result.diagnostics, out or console(), paths.of_source)
        raise cannot_use(stack)
    return result.ruleset


def cannot_use(stack: str) -> UsageError:
    """Return the error that follows the findings of a stack."""
    return UsageError(f"`{stack}` cannot be used before that is mended.")


def word_of(ruleset: Ruleset, written: str) -> str:
    """A word of the language or a kind, in the singular or the plural."""
    known = declaring_words(ruleset)
    plurals = {f"{word}s": word for word in known if word not in ruleset.kinds}
    plurals |= {kind.plural: kind.id for kind in ruleset.kinds.values()}
    if written in known or written in plurals:
        return plurals.get(written, written)
    advice = did_you_mean(written, (*known, *plurals)) or f"There are: {', '.join(known)}."
    raise UsageError(f"nothing is declared as `{written}`. {advice}")
