"""Whether the rules found now are those of a save, and how far its answers fit them."""

import hashlib
from collections.abc import Iterator

import attrs

from ziggurat.dsl.linking.hashing import MEANING_VERSION, hash_version, meaning_hash
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.saves.format import BadSave, Header


@attrs.frozen
class Fit:
    """How far the answers of a save fit rules.

    `fitting` of all `answers` do, and `reason` says why the next does not. `compared` positions
    were held against those the save notes; `moved` is the first answer that led to another one.
    """

    answers: int
    fitting: int
    reason: str = ""
    compared: int = 0
    moved: int = 0

    @property
    def is_whole(self) -> bool:
        """Return whether every answer fits."""
        return self.fitting == self.answers

    @property
    def is_same(self) -> bool:
        """Return whether every answer fits, and the save shows that nothing else came of them."""
        return self.is_whole and not self.moved and bool(self.compared or not self.answers)

    def describe(self, file: str = "") -> str:
        """Return the sentence for people; `file` is what they call the save in commands."""
        if not self.is_whole:
            advice = f"; `{file}@{self.fitting}` goes on from before it" if file else ""
            return f"Answer {self.fitting + 1} does not fit: {self.reason.rstrip('.')}{advice}."
        fits = f"All {self.answers} answers fit" if self.answers != 1 else "Its only answer fits"
        if not self.answers:
            return "It has no answers yet, so all of them fit."
        if self.moved:
            return f"{fits}, but answer {self.moved} leads to another position."
        if not self.compared:
            return f"{fits}; nothing shows whether the position is the same."
        return f"{fits}, and every position is the same ({self.compared} compared)."


class OtherRules(BadSave):
    """A save that the rules found now, or this version of the program, may play differently.

    `packs` are those that are not as they were, none if it is the program; `fit` says how far the
    answers fit what was found.
    """

    def __init__(self, packs: tuple[str, ...], fit: Fit, file: str) -> None:
        self.packs, self.fit = packs, fit
        listed = ", ".join(packs)
        self.reason = (
            f"The rules found now are not those of this save; they differ in: {listed}."
            if packs
            else "This version of Ziggurat plays this save in another way than the one it is from."
        )
        super().__init__(f"{self.reason} {fit.describe(file)}")


def differing_packs(header: Header, ruleset: ir.Ruleset) -> tuple[str, ...]:
    """Return what to call the packs whose text is not as it was; none if all are."""
    then = {id_: (version, hash_) for id_, version, hash_ in header.packs}
    now = {pack.id: (pack.version, pack.text_hash) for pack in ruleset.packs}
    return () if then == now else tuple(_differences(then, now))


def means_the_same(header: Header, ruleset: ir.Ruleset) -> bool:
    """Return whether a save says that its rules mean what these do.

    Hashes of two versions of the hash cannot be compared.
    """
    return bool(header.rules) and header.rules == meaning_hash(ruleset)


def is_other_version(header: Header) -> bool:
    """Return whether a save has a hash of its rules that cannot be compared with one of today."""
    return hash_version(header.rules) != MEANING_VERSION


def rules_key(ruleset: ir.Ruleset) -> str:
    """Return a hash of the texts of all packs."""
    packs = [(pack.id, pack.version, pack.text_hash) for pack in ruleset.packs]
    return hashlib.sha256(repr(packs).encode()).hexdigest()


def _differences(
    then: dict[str, tuple[str, str]], now: dict[str, tuple[str, str]]
) -> Iterator[str]:
    for id_, (version, hash_) in then.items():
        if id_ not in now:
            yield f"{id_} {version} (missing)"
        elif now[id_][0] != version:
            yield f"{id_} {version} (now {now[id_][0]})"
        elif now[id_][1] != hash_:
            yield f"{id_} {version}"
    yield from (f"{id_} (not in the save)" for id_ in now if id_ not in then)
