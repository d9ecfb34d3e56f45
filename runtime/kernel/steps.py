"""What statements do, by the reference evaluator: recursion over the IR, nothing compiled.

Each kind of statement stands in its family (`runtime/kernel/forms`). Decisions are asked through
`runtime.step_decisions`, as compiled steps do, so that a game cannot tell the two apart
(`runtime.kernel.program`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.evaluator import COST, Env, Evaluator
from ziggurat.runtime.kernel.nodes import Body, Expr, blank
from ziggurat.runtime.kernel.registry import Registry
from ziggurat.runtime.kernel.signatures import Site

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.forms.clauses import Trigger
    from ziggurat.runtime.kernel.forms.core import Param
    from ziggurat.runtime.kernel.forms.kinds import ThingBody
    from ziggurat.runtime.kernel.forms.pieces import Move
    from ziggurat.runtime.kernel.forms.procedures import Procedure
    from ziggurat.runtime.kernel.forms.speech import Text
    from ziggurat.runtime.kernel.state import State
    from ziggurat.runtime.kernel.table import Table

Locals = dict[str, Any]
# Functions of the steps, the state, the statement and the locals.
STATEMENTS = Registry[type, None]()
statement = STATEMENTS.add


class BlockExit(Exception):  # noqa: N818 - a way out, not an error
    """`stop`, `skip`, `leave` or `give` on its way to the block or loop it is about."""

    def __init__(self, how: str, result: Any = None) -> None:
        super().__init__(how)
        self.how = how
        self.result = result


class Steps(Evaluator):
    """Runs statements on states. `sites` numbers the decisions and sentences."""

    def __init__(self, table: Table, sites: Iterable[Site]) -> None:
        super().__init__(table)
        told = list(enumerate(sites))
        # Steps (by identity) that must find as many pieces as they say.
        self.exact: Container[int] = ()
        # Who looks on when a rule with a name begins.
        self.watcher: Callable[[State, str], None] | None = None
        self._sites = {id(site.node): number for number, site in told}
        self._places = {(type(site.node), site.at): number for number, site in told}

    def site(self, node: Any) -> int:
        """The number of a node; one that was changed is known by its place."""
        number = self._sites.get(id(node))
        return self._places.get((type(node), node.at), 0) if number is None else number

    def block(self, state: State, body: Body, env: Locals) -> None:
        """One statement after the other; the locals live as long as the procedure."""
        for node in body:
            self.pay(state, COST, node.at)
            STATEMENTS[type(node)](self, state, node, env)

    def procedure(self, state: State, body: Body, env: Locals) -> Any:
        """A block that `stop` ends, or `give` with a result."""
        try:
            self.block(state, body, env)
        except BlockExit as jump:
            return jump.result
        return None

    def call(self, state: State, procedure: Procedure, args: Iterable[Any]) -> Any:
        """A procedure with what happens before it, after it and instead of it; what it gives."""
        result = self.triggered(state, procedure.id, procedure, procedure.params, args)
        return blank(procedure.type) if result is None and procedure.type else result

    def begins(self, state: State, path: str) -> None:
        """A rule with this name begins."""
        if self.watcher is not None:
            self.watcher(state, path)

    def triggered(
        self,
        state: State,
        path: str,
        steps: Procedure | ThingBody,
        params: Iterable[Param],
        args: Iterable[Any],
    ) -> Any:
        """Steps with what happens before, after and instead of them."""
        env = dict(zip([param.name for param in params], args, strict=True))

        def due(when: str) -> Iterator[Trigger]:
            for trigger in steps.triggers:
                if trigger.when == when and self._holds(state, trigger.condition, env):
                    yield trigger

        for trigger in due("before"):
            self.procedure(state, trigger.body, dict(env))
        instead = list(due("instead"))
        if not instead:
            self.begins(state, path)
        body = instead[-1].body if instead else steps.body
        result = self.procedure(state, body, dict(env))
        for trigger in due("after"):
            self.procedure(state, trigger.body, dict(env))
        return result

    def _holds(self, state: State, condition: Expr | None, env: Env) -> bool:
        return condition is None or bool(self.evaluate(state, condition, env))

    def number_of(self, state: State, quantity: Expr | None, env: Env) -> int | None:
        """How many are meant; None for all, or for no bound."""
        return None if quantity is None else self.given(state, quantity, env)

    def short_of(self, node: Move, missing: int) -> None:
        """There were fewer pieces than a step says; rules make do with those there are."""
        if id(node) in self.exact:
            message = f"There are not so many pieces: {missing} are missing."
            raise RulesError(message, node.at)

    def holes(self, state: State, text: Text, env: Env) -> tuple[Any, ...]:
        return tuple(self.evaluate(state, p, env) for p in text.parts if not isinstance(p, str))
