"""The chapters of rules: phases with actions, procedures and terms; what is used throughout."""

from collections.abc import Iterator

import attrs

from ziggurat import Comments, Ruleset, Sentences, Uses, declaration_texts, ir, plain
from ziggurat.studio.book.model import Chapter, Item, Part, from_entry
from ziggurat.studio.book.outline import COMMON, Outline, of_phase

Name = tuple[str, str]


class Writer:
    """Puts what a stack declares into words, item by item."""

    def __init__(self, ruleset: Ruleset, comments: Comments) -> None:
        self.ruleset = ruleset
        self.sentences = Sentences(ruleset)
        self.uses = Uses(ruleset, self.sentences.index)
        self.outline = Outline(ruleset, self.uses)
        self.comments = comments
        self.texts = declaration_texts(ruleset)

    def title(self, id_: str, title: str) -> str:
        """The heading of a chapter: as packs say, or else the title of what it is about."""
        said = self.ruleset.chapters.get(id_)
        return (said.title if said else "") or title or self.sentences.label(id_)

    def said(self, id_: str) -> tuple[str, ...]:
        said = self.ruleset.chapters.get(id_)
        return said.text if said else ()

    def note(self, word: str, id_: str, at: ir.At) -> str:
        """What the pack says beside something: the one that amends it, if it says anything."""
        amended = self.comments.of_amendments(self.ruleset.amendments, f"{word} {id_}")
        return amended or " ".join(self.comments.block(at))

    # ---- items ----------------------------------------------------------------------------------

    def rule(self, word: str, one: ir.Value | ir.Order | ir.Procedure | ir.Action) -> Item:
        """A rule with what others bring to it."""
        entry = self.sentences.entry(word, one)
        own, note = self.texts.get((word, one.id), ""), self.note(word, one.id, one.at)
        item = from_entry(entry, own, note)
        inner: tuple[Item, ...] = ()
        if isinstance(one, ir.Value):
            inner = tuple(self._clause(one, clause) for clause in one.contributions)
        elif isinstance(one, ir.Procedure):
            inner = tuple(self._trigger("procedure", one.id, one.params, each)
                          for each in one.triggers)  # fmt: skip
        elif isinstance(one, ir.Order):
            inner = tuple(
                self._clause(self.ruleset.values[key], clause)
                for key in one.keys
                for clause in self.ruleset.values[key].contributions
            )
        return attrs.evolve(item, items=inner) if inner else item

    def _clause(self, value: ir.Value, clause: ir.Contribution) -> Item:
        text = self.sentences.change(value, clause)
        label = self.brought_by(clause.thing)
        meta = ir.NO_META if label != plain(label) else clause.meta
        return Item(
            "in-change",
            self.sentences.clause_id(value, clause),
            label,
            text,
            at=clause.at,
            meta=meta,
        )

    def brought_by(self, thing: str) -> str:
        """The thing or rule that brings a clause."""
        kind, _, id_ = thing.partition(".")
        found = self.ruleset.things.get(kind, {}).get(id_)
        if found is not None:
            return self.sentences.named(found)
        return self.sentences.label(thing)

    def _trigger(
        self, sort: str, id_: str, params: tuple[ir.Param, ...], trigger: ir.Trigger
    ) -> Item:
        told = self.sentences.trigger(sort, id_, params, trigger)
        label = self.brought_by(trigger.thing)
        return Item("in-reaction", trigger.path, label, told.said, steps=told.inner,
                    at=trigger.at, meta=trigger.meta)  # fmt: skip

    # ---- chapters -------------------------------------------------------------------------------

    def phase_chapter(self, id_: str) -> Chapter:
        phase = self.ruleset.phases[id_]
        parts: list[Part] = []
        for one in (id_, *self.outline.inside.get(id_, ())):
            parts += self._phase_parts(one, one == id_)
        parts += self.rule_parts(of_phase(id_))
        title = self.title(id_, phase.title)
        return Chapter(of_phase(id_), title, self.said(id_), tuple(parts), phase.meta)

    def _phase_parts(self, id_: str, first: bool) -> Iterator[Part]:
        phase = self.ruleset.phases[id_]
        title = "The course of the phase" if first else phase.title or self.sentences.label(id_)
        needs = tuple(self.sentences.need(need) for need in phase.needs)
        triggers = tuple(self._trigger("phase", id_, (), one) for one in phase.triggers)
        course = Item(
            "phase", id_, "", "", "" if first else self.note("phase", id_, phase.at), needs,
            steps=self.sentences.phase(phase), own=self.texts["phase", id_],
            items=triggers, at=phase.at, meta=phase.meta,
        )  # fmt: skip
        yield Part(title, "course", (course,))
        actions = [self.rule("action", one) for one in self.outline.actions(id_)]
        lent = [self._lent(one) for one in self.outline.lent_actions(id_)]
        if actions or lent:
            yield Part("What players may do", "actions", (*actions, *lent))

    def _lent(self, action: ir.Action) -> Item:
        """What a card lets its holder do, which is told there."""
        kind, _, id_ = action.thing.partition(".")
        thing = self.ruleset.things.get(kind, {}).get(id_)
        if thing is None:
            return self.rule("action", action)
        label = action.title or self.sentences.label(action.id)
        return Item("in-lent", action.id, label, self.sentences.named(thing), at=action.at)

    def rule_parts(self, chapter: str) -> list[Part]:
        """The procedures, values and orders of a chapter."""
        ruleset, outline = self.ruleset, self.outline
        procedures = [self.rule("procedure", ruleset.procedures[id_])
                      for id_ in outline.rules(chapter, "procedure")]  # fmt: skip
        orders = [self.rule("order", ruleset.orders[id_])
                  for id_ in outline.rules(chapter, "order")]  # fmt: skip
        values = [self.rule("value", ruleset.values[id_])
                  for id_ in outline.rules(chapter, "value")]  # fmt: skip
        told = [one for one in procedures if one.steps or one.items]
        parts = [Part("In detail", "rules", tuple(told)), Part("Who comes first", "rules",
                 tuple(orders)), Part("Numbers and terms", "terms", tuple(values))]  # fmt: skip
        return [part for part in parts if part.items]

    def common_chapter(self) -> Chapter | None:
        parts = self.rule_parts(COMMON)
        return Chapter(COMMON, "Rules used throughout", (), tuple(parts)) if parts else None

    def sequence_chapter(self) -> Chapter | None:
        """The phases of a turn, each with a line of its own."""
        outline = self.outline
        if not outline.turn:
            return None
        before = tuple(self._line(id_) for id_ in outline.start)
        turn = tuple(self._line(id_) for id_ in outline.turn)
        parts = [Part("Before the first turn", "sequence", before)] if before else []
        parts.append(Part("Each turn", "sequence", turn))
        turns = list(self.ruleset.turns.values())
        parts += [part for one in turns for part in self._victory(one)]
        text = tuple(line for one in turns for line in self.said(one.id))
        title = next((self.title(one.id, "Sequence of play") for one in turns), "")
        return Chapter("sequence", title, text, tuple(parts), turns[0].meta)

    def _line(self, id_: str) -> Item:
        phase = self.ruleset.phases[id_]
        text = next(iter(self.said(id_)), "")
        return Item("in-sequence", id_, self.title(id_, phase.title), text, at=phase.at,
                    meta=phase.meta)  # fmt: skip

    def _victory(self, turn: ir.TurnOrder) -> Iterator[Part]:
        ruleset = self.ruleset
        names = [*turn.parts, turn.score]
        values = [ruleset.values[id_] for id_ in dict.fromkeys(names) if id_ in ruleset.values]
        items = [Item("in-score", one.id, self.sentences.label(one.id, one.title),
                      self.sentences.value(one), at=one.at, meta=one.meta)
                 for one in values]  # fmt: skip
        order = ruleset.orders.get(turn.ranking)
        if order is not None:
            label = self.sentences.label(order.id, order.title)
            keys = self.sentences.entry("order", order).steps
            items.append(
                Item("in-score", order.id, label, steps=keys, at=order.at, meta=order.meta)
            )
        if items:
            yield Part("Who wins", "terms", tuple(items))
