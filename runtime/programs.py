"""The one module that chooses between the kernel and the compiler, and that imports the compiler.

The kernel defines what rules mean and plays everything by itself. The compiler makes the same games
fast; where it cannot be imported, the kernel is used instead.
"""

from ziggurat.runtime import solver  # noqa: F401 - gives itself to the kernel
from ziggurat.runtime.kernel.program import Program, walked_program
from ziggurat.runtime.kernel.ruleset import Ruleset

COMPILED, KERNEL = "compiled", "kernel"
INTERPRETERS = (COMPILED, KERNEL)


def make_program(rules: Ruleset | Program, interpreter: str = COMPILED) -> Program:
    """Return a program of `rules` for one of `INTERPRETERS`; a program stays as it is."""
    if interpreter not in INTERPRETERS:
        raise ValueError(f"There is no interpreter '{interpreter}'. Choose compiled or kernel.")
    if isinstance(rules, Program):
        if interpreter == COMPILED:
            return rules
        return walked_program(rules.ruleset, rules.sites)
    return compile_ruleset(rules) if interpreter == COMPILED else walked_program(rules)


def compile_ruleset(
    ruleset: Ruleset,
    trace: bool = False,
    memo: bool = True,
    straight: bool = True,
    earlier: Program | None = None,
) -> Program:
    """Return the compiled program of `ruleset`, or the kernel's where there is no compiler.

    With `trace`, the program counts how often each clause ran. Without `memo`, no values are
    cached, so that a clause runs whenever its value is read. Without `straight`, and with `trace`,
    every value is a function that is called. Parts of an `earlier` program are reused.
    """
    try:
        from ziggurat.runtime.compiler.program import compile_ruleset as compiled
    except ImportError:
        return walked_program(ruleset)
    return compiled(ruleset, trace, memo, straight, earlier)
