"""The texts of packs as far as games are played by them: no scenarios, questions or comments."""

import hashlib
from collections.abc import Iterable

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.parse import parse_source
from ziggurat.dsl.syntax import Declaration, Node

_NOT_PLAYED = frozenset({"scenario", "question", "clarification", "mutant", "expects"})
_AMENDING = frozenset({"amend", "remove_decl", "replace_decl", "open_decl", "rename_decl"})


def keep_playing_text(source: Source) -> str:
    """Return a rules file without what no game needs; everything else stays on its line."""
    file, _ = parse_source(source)
    cuts = [(comment.start_pos, comment.end_pos) for comment in file.comments]
    for top in file.tops:
        if _word(top) in _NOT_PLAYED:
            cuts.append((top.start, top.end))
    parts: list[str] = []
    at = 0
    for start, end in sorted(cuts):
        if start >= at:
            parts += source.text[at:start], "\n" * source.text.count("\n", start, end)
            at = end
    return "".join([*parts, source.text[at:]]).rstrip() + "\n"


def _word(top: Node | Declaration) -> str:
    """Return what is declared or amended, or the rule of the grammar for anything else."""
    if isinstance(top, Declaration):
        return str(top.word)
    if top.rule not in _AMENDING:
        return top.rule
    part = top.parts[0]
    return _word(part) if isinstance(part, Declaration) else str(part)


def hash_texts(manifest: str, sources: Iterable[tuple[str, str]]) -> str:
    """Return the hash of a pack's texts: its manifest, and the names and texts of its files."""
    digest = hashlib.sha256(manifest.encode())
    for path, text in sources:
        digest.update(f"\0{path}\0{text}".encode())
    return digest.hexdigest()
