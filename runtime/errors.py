"""What can go wrong while rules run. Each says which rule, and where it is written."""

from ziggurat.dsl import ir
from ziggurat.dsl.arithmetic import BY_ZERO, CannotCompute


class RulesError(Exception):
    """A rule asked for something impossible: a field of none, an absurd number, no end in sight."""

    def __init__(self, message: str, at: ir.At = ir.NOWHERE, rule: str = "") -> None:
        self.message = message
        self.at = at
        self.rule = rule
        where = f"{at.file}:{at.line}: " if at.file else ""
        who = f" (in {rule})" if rule else ""
        super().__init__(f"{where}{message}{who}")


TOO_LONG = "This rule did not come to an end within its budget."


class BudgetExceeded(Exception):  # noqa: N818 - the name the rest of the runtime knows it by
    """Raised inside generated code with the number of the loop; the game names the rule."""

    def __init__(self, site: int) -> None:
        self.site = site
        super().__init__(site)


# What generated code can raise; `Scheduler.as_rules_error` makes a RulesError of each.
RUNTIME_FAILURES = (
    BudgetExceeded, RulesError, TypeError, KeyError, IndexError, ValueError, ZeroDivisionError,
    OverflowError, MemoryError, UnboundLocalError, NameError, RecursionError, CannotCompute,
)  # fmt: skip


def sentence(wrong: BaseException) -> str:
    """What went wrong, for the author of the rule."""
    if isinstance(wrong, CannotCompute):
        return str(wrong)
    return BY_ZERO if isinstance(wrong, ZeroDivisionError) else f"{wrong}."


class Refused(ValueError):  # noqa: N818 - what happened, not a mistake of the program
    """An answer that is not allowed. `reason` says why; the game has not changed."""

    def __init__(self, reason: str, at: ir.At = ir.NOWHERE, meta: ir.Meta = ir.NO_META) -> None:
        self.reason = reason
        self.at = at
        self.meta = meta
        super().__init__(reason)
