"""The whole: everything a stack of packs declares."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.actions import Action
from ziggurat.runtime.kernel.forms.advice import Advice
from ziggurat.runtime.kernel.forms.amendments import Amendment
from ziggurat.runtime.kernel.forms.bundles import Bundle, bundle_of
from ziggurat.runtime.kernel.forms.covers import Cover
from ziggurat.runtime.kernel.forms.equipment import CardFamily, Neutral, Piece, PieceGroup, Place
from ziggurat.runtime.kernel.forms.harmless import Harmless
from ziggurat.runtime.kernel.forms.kinds import Kind, Thing
from ziggurat.runtime.kernel.forms.marks import BoardMap, Mark
from ziggurat.runtime.kernel.forms.open_places import OpenPlace
from ziggurat.runtime.kernel.forms.phases import Phase, TurnOrder
from ziggurat.runtime.kernel.forms.procedures import Procedure
from ziggurat.runtime.kernel.forms.questions import Clarification, Question
from ziggurat.runtime.kernel.forms.scenarios import Misfit, Scenario
from ziggurat.runtime.kernel.forms.settings import Attribute, Option
from ziggurat.runtime.kernel.forms.values import Order, Value
from ziggurat.runtime.kernel.forms.wording import Chapter, Phrase
from ziggurat.runtime.kernel.nodes import later_field


@form()
@attrs.frozen
class PackInfo:
    id: str
    title: str
    version: str
    edition: str
    players: str
    sources: tuple[tuple[str, str], ...]
    text_hash: str
    cites: tuple[str, ...] = ()


@form("ruleset")
@attrs.frozen
class Ruleset:
    """A linked stack. Mappings are dicts in link order; treat them as read-only.

    `players` are the numbers of players that its packs admit; nothing if they do not say.
    `misfits` are scenarios that cannot be run any more since a pack changed what they speak of,
    `amendments` all that packs did to declarations, `rule_titles` what rules are called."""

    stack: str
    packs: tuple[PackInfo, ...]
    kinds: dict[str, Kind]
    things: dict[str, dict[str, Thing]]
    pieces: dict[str, Piece]
    piece_groups: dict[str, PieceGroup]
    places: dict[str, Place]
    cards: dict[str, CardFamily]
    neutrals: dict[str, Neutral]
    attributes: dict[str, Attribute]
    options: dict[str, Option]
    values: dict[str, Value]
    orders: dict[str, Order]
    procedures: dict[str, Procedure]
    phases: dict[str, Phase]
    actions: dict[str, Action]
    turns: dict[str, TurnOrder]
    advice: tuple[Advice, ...]
    scenarios: tuple[Scenario, ...]
    bundles: dict[str, Bundle] = attrs.field(factory=dict)
    maps: dict[str, BoardMap] = attrs.field(factory=dict)
    marks: dict[str, Mark] = attrs.field(factory=dict)
    open_places: dict[str, OpenPlace] = attrs.field(factory=dict)
    questions: dict[str, Question] = attrs.field(factory=dict)
    clarifications: dict[str, Clarification] = attrs.field(factory=dict)
    phrases: dict[str, Phrase] = attrs.field(factory=dict)
    chapters: dict[str, Chapter] = attrs.field(factory=dict)
    players: tuple[int, ...] = ()
    harmless: tuple[Harmless, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    amendments: tuple[Amendment, ...] = ()
    rule_titles: dict[str, str] = attrs.field(factory=dict)
    covers: dict[str, Cover] = later_field(attrs.Factory(dict))


def plain_attributes(ruleset: Ruleset) -> dict[str, Attribute]:
    """The attributes that were declared as such; the others keep bundles."""
    found = ruleset.attributes.items()
    return {id_: one for id_, one in found if bundle_of(ruleset.bundles, id_) is None}


# What a ruleset holds besides rules: nothing of it changes a game.
NO_RULES = frozenset(
    {"packs", "scenarios", "harmless", "advice", "maps", "marks", "open_places", "questions",
     "clarifications", "phrases", "chapters", "players", "misfits", "amendments", "rule_titles"}
)  # fmt: skip
