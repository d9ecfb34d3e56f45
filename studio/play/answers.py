"""From what people type to an answer: in one line, or step by step where something is missing."""

from typing import Any

from ziggurat import END
from ziggurat.studio.play.acts import Acts
from ziggurat.studio.play.choices import ALL, NONE, Question, tokens
from ziggurat.studio.play.naming import Choice, WrongInput, action_choices, normal
from ziggurat.studio.play.picking import divide, select
from ziggurat.studio.play.series import NotOneLine, read_series


class Answers(Question):
    """Reads the answers to one decision."""

    def read(self, line: str) -> list[Any]:
        """Return the plain answers that a line means; more than one if it answers what is asked
        next in the same act, too. Raises `WrongInput` or `Cancelled`."""
        decision = self.decision
        if decision.kind == "act":
            return Acts(self.game, self.decision, self.board, self.talk).read(line)
        try:
            return [self._one_answer(line)]
        except WrongInput as error:
            if len(line.split()) == 1 or decision.kind not in ("choose", "may"):
                raise
            try:
                return [step.answer for step in read_series(self, line)]
            except NotOneLine as found:
                raise found if found.steps else error from None

    def _one_answer(self, line: str) -> Any:
        decision, choices = self.decision, self.choices()
        if decision.kind == "select":
            return select(self, choices, line)
        if decision.kind == "divide":
            return divide(self, choices, line)
        if decision.several:
            low, high = decision.least or 0, decision.most or 0
            return self.several(line, choices, decision.item, low, high)
        if decision.optional and normal(line) in (NONE, "no", "0", *END):
            return None
        real = [one for one in choices if one.value is not None]
        if decision.optional and decision.item.name != "int" and line.strip() == str(len(real) + 1):
            return None  # the number that `none` has in the list
        return self.one(line, real, decision.item).value

    def choices(self) -> list[Choice]:
        """The options of the decision; for an act its actions."""
        if self.decision.kind == "act":
            return action_choices(self.game.ruleset, self.decision.actions())
        return self.names.choices(self.decision.options(), self.decision.item)

    def completions(self, before: str) -> list[str]:
        """What may come next, after the words typed so far."""
        if self.decision.kind == "act":
            acts = Acts(self.game, self.decision, self.board, self.talk)
            return acts.completions(tokens(before))
        several = self.decision.several
        if self.decision.kind in ("choose", "may") and not several and before.strip():
            return []
        more = (ALL, NONE) if several else (NONE,) if self.decision.optional else ()
        return self.offered_words([one for one in self.choices() if one.value is not None], *more)
