"""What went wrong while rules ran: whose mistake it is, in which rule, on which line."""

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler.program import Bound
from ziggurat.runtime.kernel.arithmetic import CannotCompute
from ziggurat.runtime.kernel.errors import OF_RULES, BudgetExceeded, InternalError, RulesError


def as_rules_error(bound: Bound, wrong: Exception, rule: str) -> RulesError | InternalError:
    """What generated code raised, with the rule and its line. What no rule can bring about is a
    mistake of the compiler, and is never told as a mistake of the rules."""
    if isinstance(wrong, BudgetExceeded):
        site = bound.program.sites[wrong.site]
        return RulesError(wrong.message, site.at, site.rule)
    at = _place(bound, wrong, rule)
    if isinstance(wrong, RulesError):
        return RulesError(
            wrong.message, at if wrong.at == ir.NOWHERE else wrong.at, wrong.rule or rule
        )
    if isinstance(wrong, CannotCompute):
        return RulesError(str(wrong), at, rule)
    for kind, message in OF_RULES.items():
        if isinstance(wrong, kind):
            return RulesError(message, at, rule)
    return InternalError(wrong, at, rule)


def _place(bound: Bound, wrong: Exception, rule: str) -> ir.At:
    """The rules line that generated code was at, or where its phase is written."""
    rules = bound.program.ruleset
    phase = rules.phases.get(rule) or rules.turns.get(rule)
    found = phase.at if phase is not None else ir.NOWHERE
    trace = wrong.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("T") is bound.counts:
            line = trace.tb_lineno
            found = ir.At(trace.tb_frame.f_code.co_filename, line, 1, line, 1)
        trace = trace.tb_next
    return found
