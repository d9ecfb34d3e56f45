"""From what people type to an answer: in one line, or step by step where something is missing."""

from typing import Any

from ziggurat import END
from ziggurat.studio.play.acts import Acts, action_choices
from ziggurat.studio.play.choices import ALL, NONE, Question, tokens
from ziggurat.studio.play.naming import Choice, normal
from ziggurat.studio.play.picking import divide, select


class Answers(Question):
    """Reads the answers to one decision."""

    def read(self, line: str) -> Any:
        """The plain answer a line means. Raises `WrongInput` or `Cancelled`."""
        decision = self.decision
        if decision.kind == "act":
            return Acts(self.game, self.decision, self.board, self.talk).read(line)
        choices = self.choices()
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
            return action_choices(self.game, self.decision.actions())
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
