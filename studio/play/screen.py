"""What a seat sees: the heading, its decision with the options, its hand, everybody's standing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from textwrap import wrap

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from ziggurat import Decision, Game, Standing, member_type
from ziggurat.studio.language import tr
from ziggurat.studio.narrator import Narrator, cell
from ziggurat.studio.play.answers import Answers
from ziggurat.studio.play.board import Board, hanging, indented, word
from ziggurat.studio.play.choices import Talk, amount, span
from ziggurat.studio.play.naming import Names, action_usage, question_text, source
from ziggurat.studio.play.picking import FILL, shares
from ziggurat.studio.play.terms import on_the_table
from ziggurat.studio.play.unfinished import attribute_text, bundle_parts

GLUE = "\u00a0"


class Screen:
    """One moment of a game as the seat that decides may see it."""

    def __init__(self, game: Game, decision: Decision, talk: Talk) -> None:
        self.game, self.decision, self.talk = game, decision, talk
        self.seat = decision.decider
        self.names = Names(game.seen_by(self.seat))

    @cached_property
    def board(self) -> Board:
        return Board(self.game, self.seat, self.names)

    @cached_property
    def answers(self) -> Answers:
        return Answers(self.game, self.decision, self.board, self.talk)

    @property
    def name(self) -> str:
        return self.names.owner(self.seat)

    @cached_property
    def place(self) -> tuple[str, str, str]:
        """Turn, phase and seat: where a heading is due when it changes."""
        number = self.game.turn_number
        turn = tr("Turn {n}").format(n=number) if number else ""
        return turn, self.phase, self.name

    @property
    def phase(self) -> str:
        """The title of the phase that is played."""
        phase = self.game.ruleset.phases.get(self.game.position.phase)
        return (phase.title or phase.id) if phase else ""

    def heading(self) -> RenderableType:
        return Rule(" · ".join(filter(None, self.place)), align="left", style="bold")

    def standing(self, legend: bool) -> RenderableType:
        """The seat's own numbers, as the turn shows them, and its places."""
        told = self._numbers(self.seat)
        parts: list[RenderableType] = []
        if told:
            parts.append(Text(_unbroken(self.name, told, self.talk.width)))
        about = self._about()
        if self.decision.kind == "act" and about & set(self.board.place_kinds):
            places = self.board.mine(self.talk.width, legend)
            parts += [places] if places else []
        if about & self.game.ruleset.cards.keys():
            parts += self._piles()
        return Group(*parts)

    def _numbers(self, player: str) -> list[str]:
        """What the turn shows of a player."""
        turn = next(iter(self.game.ruleset.turns.values()))
        title = Narrator(self.game).title
        shown = filter(None, (*turn.shows, turn.score))
        known = Standing(self.game, self.seat)
        return [f"{title(value)} {cell(known.value(value, player))}" for value in shown]

    def _about(self) -> set[str]:
        """What the decision is about: the types of its options, or of what its actions take."""
        if self.decision.kind != "act":
            return {self.decision.item.name}
        rules = self.game.ruleset.actions
        params = (param for id_ in self.decision.actions() for param in rules[id_].params)
        return {member_type(param).name for param in params}

    # ---- the decision

    def prompt(self) -> str:
        """The question with everybody called by what they play."""
        return question_text(self.names.moment, self.decision)

    def question(self, brief: bool = False) -> None:
        """The decision with its options; `brief` when the same was asked just now."""
        talk, decision = self.talk, self.decision
        cites = ", ".join(f"{cite.source} {cite.place}" for cite in decision.meta.cites)
        cites = f"[{cites}]" if cites else ""
        head = Text(self.prompt(), style="bold")
        for more in filter(None, (self._how(), cites)):
            head.append(f"  {more}", "not bold dim")
        if decision.kind != "act":
            talk.show(head)
            choices = self.answers.choices()
            if decision.kind == "divide":
                shares(self.answers, choices, {})
            elif decision.item.name != "int":
                only = decision.next_picks() if decision.kind == "select" else ()
                self.answers.offer(choices, decision.item, only)
            return
        self._figures()
        if not brief:
            talk.show(head, *map(Text, self._actions()))
        else:
            names = [one.label for one in self.answers.choices()]
            told = tr("{names}, or {end}").format(names=", ".join(names), end=decision.end)
            talk.show(Text(told, style="dim"))

    def _figures(self) -> None:
        """What the phase shows of the seat, and what everybody has on the table."""
        told = [figure.text for figure in self.board.shown.figures]
        if told:
            self.talk.show(Text(f"  {' · '.join(told)}"))
        for side in on_the_table(self.game, self.seat):
            self.talk.show(indented(side.text))

    def _how(self) -> str:
        """How this kind of decision is answered."""
        decision = self.decision
        if decision.kind == "act":
            return tr("(a number or a command)")
        if decision.several:
            wanted = amount(decision.least or 0, decision.most or 0)
            told = tr("(choose {wanted}, such as `1 3`)")
            if not decision.least:
                told = tr("(choose {wanted}, such as `1 3`, or `none`)")
            return told.format(wanted=wanted)
        if decision.kind == "select":
            return tr("(one after the other)")
        if decision.kind == "divide":
            told = tr("({total} in all, such as `1 2, 3 1, {fill}`)")
            return told.format(total=decision.total, fill=FILL)
        if decision.item.name == "int":
            return f"({span([one for one in decision.options() if one is not None])})"
        return tr("(or `none`)") if decision.optional else ""

    def _actions(self) -> Iterator[str]:
        rules = self.game.ruleset.actions
        rows = [(action_usage(rules[id_]), rules[id_].title) for id_ in self.decision.actions()]
        size = max(len(usage) for usage, _ in [*rows, ("", "")])
        for number, (usage, title) in enumerate(rows, 1):
            yield from hanging(f"  {number:>2}  {usage:<{size}}  ", title, self.talk.width)
        end = f"   0  {self.decision.end:<{size}}  "
        yield from hanging(end, tr("nothing more here"), self.talk.width)

    def reminder(self) -> str:
        """What to type, in a few words."""
        return f"{self.name}> "

    # ---- what only the seat knows, and what everybody does

    def hand(self) -> RenderableType:
        """The secret piles of the seat, what it holds, and its pieces off the board."""
        lines = [*self._piles(), *self._held(self.seat)]
        for place in self.game.places:
            pieces = self.board.own(place)
            if pieces:
                lines.append(self._line(self._place_title(place), pieces))
        return (
            Group(*lines) if lines else Text(tr("You have nothing but what stands on the board."))
        )

    def _piles(self) -> list[Text]:
        """The cards only the seat sees; which piles have none is told only if all have none."""
        moment = self.names.moment
        lines: list[Text] = []
        none: list[Text] = []
        for place in self.game.ruleset.places.values():
            if not place.cards or place.seen != "secret" or place.of not in ("player", "owner"):
                continue
            faces = (self.names.thing(moment.face(c)) for c in moment.pile(place.id, self.seat))
            count = Counter(faces).items()
            cards = ", ".join(f"{n} {label}" if n > 1 else label for label, n in count)
            told = lines if cards else none
            told.append(self._line(self._place_title(place.id), cards or tr("empty")))
        return lines or none

    def _held(self, player: str) -> list[Text]:
        held = [thing.title for thing in self.names.moment.holdings(player)]
        return [self._line(tr("Held"), ", ".join(held))] if held else []

    def _place_title(self, place: str) -> str:
        rule = self.game.ruleset.places.get(place)
        return (rule.title if rule else "") or word(place).capitalize()

    def _line(self, title: str, told: str) -> Text:
        return Text.assemble((f"{title}: ", "bold"), told)

    def score(self) -> RenderableType:
        return Narrator(self.game).standings(self.seat)

    def about(self, owner: str) -> RenderableType:
        """What everybody may know of a player: what they hold, and what the rules note of them."""
        lines = [Text(f"{self.names.owner(owner)}: {' · '.join(self._numbers(owner))}")]
        lines += self._held(owner)
        rules = self.game.ruleset
        told = []
        for rule in rules.attributes.values():
            if rule.of not in ("player", "owner") or rule.id.rpartition(".")[0] in rules.bundles:
                continue
            said = attribute_text(self.names.moment, rule, owner, self.seat)
            parts = bundle_parts(self.names.moment, rule.id, owner, self.seat)
            if said:
                told.append(f"{said} ({', '.join(parts)})" if parts else said)
        return Group(*lines, *([self._line(tr("Noted"), " · ".join(told))] if told else []))

    # ---- reasons

    def why(self) -> RenderableType:
        """The rule behind the decision."""
        decision = self.decision
        title = self.prompt()
        lines = [source(decision.meta, decision.at, decision.path)]
        phase = self.game.ruleset.phases.get(decision.phase)
        if phase is not None and decision.kind != "act":
            said = tr("in the phase {phase}: ").format(phase=phase.title or phase.id)
            lines.append(said + source(phase.meta, phase.at, phase.id))
        return Group(Text(title, style="bold"), *map(indented, lines))

    def why_action(self, id_: str) -> RenderableType:
        rule = self.game.ruleset.actions[id_]
        lines = [source(rule.meta, rule.at, id_)]
        for need in rule.needs:
            if need.reason:
                told = f"{need.reason}  {source(need.meta, need.at)}"
                lines.append(tr("or else: {reason}").format(reason=told))
        return Group(Text(rule.title or id_, style="bold"), *map(indented, lines))


def _unbroken(name: str, told: Sequence[str], width: int) -> str:
    """Numbers with their names in lines that never part the two."""
    glued = " · ".join(one.replace(" ", GLUE) for one in told)
    return "\n".join(wrap(f"{name}: {glued}", width)).replace(GLUE, " ")
