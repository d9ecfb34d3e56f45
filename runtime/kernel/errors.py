"""What can go wrong while rules run. Each says which rule, and where it is written."""

from ziggurat.runtime.kernel.arithmetic import BY_ZERO, TOO_LARGE
from ziggurat.runtime.kernel.nodes import NO_META, NOWHERE, At, Meta


class RulesError(Exception):
    """A rule asked for something impossible: a field of none, an absurd number, no end in sight."""

    def __init__(self, message: str, at: At = NOWHERE, rule: str = "") -> None:
        self.message = message
        self.at = at
        self.rule = rule
        where = f"{at.file}:{at.line}: " if at.file else ""
        who = f" (in {rule})" if rule else ""
        super().__init__(f"{where}{message}{who}")


TOO_LONG = "This rule did not come to an end within its budget."


TOO_MUCH = "This rule makes the game grow without end: there is no room left to remember more."


class BudgetExceeded(Exception):  # noqa: N818 - the name the rest of the runtime knows it by
    """Raised inside generated code with the number of the site; the game names the rule."""

    def __init__(self, site: int, message: str = TOO_LONG) -> None:
        self.site = site
        self.message = message
        super().__init__(site)


class InternalError(Exception):
    """Generated code failed in a way no rule can make it fail, so the compiler is to blame.

    It names the rule and its place all the same: that is where to look for the mistake.
    """

    def __init__(self, wrong: BaseException, at: At = NOWHERE, rule: str = "") -> None:
        self.wrong = wrong
        self.at = at
        self.rule = rule
        where = f" at {at.file}:{at.line}" if at.file else ""
        reason = " ".join(f"{type(wrong).__name__}: {wrong}".split())[:200]
        super().__init__(
            f"This is a mistake in Ziggurat, not in the rules. It happened in {rule or 'a game'}"
            f"{where} ({reason}). Please report it with these words."
        )


# What generated code can raise. `failures.as_rules_error` tells what rules can bring about (with
# the sentences below) from what only a mistake of the compiler can.
RUNTIME_FAILURES = (
    BudgetExceeded, RulesError, MemoryError, ArithmeticError, AssertionError, AttributeError,
    LookupError, NameError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
OF_RULES: dict[type[Exception], str] = {
    ZeroDivisionError: BY_ZERO,
    OverflowError: TOO_LARGE,
    MemoryError: "This rule needs more memory than there is.",
    RecursionError: "These rules call one another too often.",
}


class Refused(ValueError):  # noqa: N818 - what happened, not a mistake of the program
    """An answer that is not allowed. `reason` says why; the game has not changed."""

    def __init__(self, reason: str, at: At = NOWHERE, meta: Meta = NO_META) -> None:
        self.reason = reason
        self.at = at
        self.meta = meta
        super().__init__(reason)
