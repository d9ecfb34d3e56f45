"""What the printer must know of the whole ruleset: plurals, groups of pieces, their homes."""

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING

import attrs

from ziggurat.runtime.kernel.nodes import Type

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.ruleset import Ruleset

NO_RENAMES: Mapping[tuple[str, str], str] = {}


@attrs.frozen(eq=False)
class Lexicon:
    """Words that expressions and statements do not carry themselves.

    `renames` maps (sort, id) to the name to use instead; the sort of a thing is its kind, that of
    anything else the word that declares it. Comparing two rulesets is done in the words of one.
    """

    plurals: Mapping[str, str]
    groups: Mapping[tuple[str, ...], str]
    homes: Mapping[str, str]
    renames: Mapping[tuple[str, str], str] = NO_RENAMES
    bundles: Container[str] = ()

    @classmethod
    def of(
        cls, ruleset: "Ruleset", renames: Mapping[tuple[str, str], str] = NO_RENAMES
    ) -> "Lexicon":
        """The lexicon of a ruleset."""
        return cls(
            plurals={kind.id: kind.plural for kind in ruleset.kinds.values()},
            groups={group.members: group.id for group in ruleset.piece_groups.values()},
            homes={piece.id: piece.home for piece in ruleset.pieces.values()},
            renames=renames,
            bundles=ruleset.bundles,
        )

    def name(self, sort: str, id_: str) -> str:
        """How something is called here."""
        return self.renames.get((sort, id_), id_)

    def attribute(self, id_: str) -> str:
        """The short name of an attribute, which is how it is read and set; of a field of a bundle,
        with the name of the bundle."""
        whole, _, field = id_.rpartition(".")
        if whole in self.bundles:
            return f"{self.bundle(whole)}.{field}"
        if id_ in self.bundles:
            return self.bundle(id_)
        return self.name("attribute", id_).partition(".")[2]

    def bundle(self, id_: str) -> str:
        """The short name of a bundle."""
        return self.name("bundle", id_).partition(".")[2]

    def plural(self, kind: str) -> str:
        """Everything of a kind; what the language itself counts is its own plural."""
        renamed = self.renames.get(("kind", kind))
        return renamed or self.plurals.get(kind, kind)

    def pieces(self, members: tuple[str, ...]) -> str:
        """One kind of piece, or the name of the group of these kinds."""
        if len(members) == 1:
            return self.name("piece", members[0])
        group = self.groups.get(members)
        if group is None:
            return "/".join(self.name("piece", member) for member in members)
        return self.name("piece", group)

    def home(self, members: tuple[str, ...]) -> str | None:
        """Where all these pieces are at home; None when that is not one place."""
        homes = {self.homes.get(member) for member in members}
        return homes.pop() if len(homes) == 1 else None

    def type(self, type_: Type) -> str:
        """A type as it is written in a declaration."""
        if type_.name in ("set", "list") and type_.item:
            text = f"{type_.name} of {self.type(type_.item)}"
        elif type_.name == "map" and type_.key and type_.item:
            text = f"{self.type(type_.key)} -> {self.type(type_.item)}"
        else:
            text = self.name("kind", type_.name)
        return f"{text} or none" if type_.maybe else text
