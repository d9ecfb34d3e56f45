"""From what people type to an answer: in one line, or step by step where something is missing."""

from typing import Any

from ziggurat.runtime.decisions import END
from ziggurat.studio.play.acts import Acts, action_choices
from ziggurat.studio.play.choices import ALL, NONE, Asking, tokens
from ziggurat.studio.play.naming import Choice, normal
from ziggurat.studio.play.picking import divide, select


class Answers(Asking):
    """Reads the answers to one decision."""

    def read(self, line: str) -> Any:
        """The plain answer a line means. Raises `WrongInput` or `Cancelled`."""
        ask = self.decision.pending.ask
        if ask is None:
            return Acts(self.game, self.decision, self.board, self.talk).read(line)
        choices = self.choices()
        if ask.kind == "select":
            return select(self, choices, line)
        if ask.kind == "divide":
            return divide(self, choices, line)
        if ask.kind == "choose_some":
            low, high = self.decision.least or 0, self.decision.most or 0
            return self.several(line, choices, self.decision.item, low, high)
        if ask.optional and normal(line) in (NONE, "no", "0", *END):
            return None
        real = [one for one in choices if one.value is not None]
        return self.one(line, real, self.decision.item).value

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
        ask = self.decision.pending.ask
        assert ask is not None
        if ask.kind in ("choose", "may") and before.strip():
            return []
        more = (ALL, NONE) if ask.kind == "choose_some" else (NONE,) if ask.optional else ()
        return self.words([one for one in self.choices() if one.value is not None], *more)
