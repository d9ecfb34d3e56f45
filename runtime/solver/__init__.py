"""The solver of decisions under constraints: which answers to `select` and `divide` are legal.

Importing it gives it to the kernel, which asks it while a step runs.
"""

from ziggurat.runtime.kernel.requests import SOLVERS
from ziggurat.runtime.solver.solve import solve_divide, solve_select

SOLVERS.add("select")(solve_select)
SOLVERS.add("divide")(solve_divide)

__all__ = ["solve_divide", "solve_select"]
