"""A linked ruleset back in words: the canonical text of the rules language.

Diff, documentation and `explain` show rules as their author could have written them. What is told
here means the same when it is linked again, so two texts are equal exactly when two rules are.
"""

from ziggurat.dsl.printing.clauses import (
    contribution_text,
    requirement_text,
    stage_lines,
    trigger_lines,
)
from ziggurat.dsl.printing.expressions import Teller
from ziggurat.dsl.printing.layout import Line, lay_out, quoted
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.dsl.printing.statements import body_lines

__all__ = [
    "Lexicon",
    "Line",
    "Teller",
    "body_lines",
    "contribution_text",
    "lay_out",
    "quoted",
    "requirement_text",
    "stage_lines",
    "trigger_lines",
]
