"""Walking some rules while the others are compiled: the positions and checks of scenarios, and what
a mutant changed."""

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps


class BesideCompiled(Steps):
    """Compiled statements make void what values noted about the parts they change. Walked ones
    change the state by hand, so after each of them nothing that was noted counts any more."""

    def block(self, state: State, body: ir.Body, env: Locals) -> None:
        for node in body:
            super().block(state, (node,), env)
            state.forget()
