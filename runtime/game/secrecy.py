"""Which answers are nobody else's business: those that go into secret attributes and nowhere else.

`choose friends ...` followed by `set p.bets = friends`, where `bets` is secret, needs no
`secretly`: the log would tell what the attribute hides. An answer that is used for anything open
besides is no secret; cards are one whatever happens to them (`log.is_secret`).
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import bodies
from ziggurat.runtime.kernel.description import described
from ziggurat.runtime.kernel.walking import walk

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.program import Program

SECRET, OPEN = True, False


@lru_cache(maxsize=8)
def secret_answers(program: "Program") -> frozenset[str]:
    """The paths of secret decisions, and of parameters of actions as `action.parameter`."""
    ruleset = program.ruleset
    flow = _Flow(ruleset)
    found = []
    for one in bodies(ruleset):
        asked = [node for node in walk(one.node) if described(node).asks]
        found += [node.path for node in asked if flow.is_secret(one.node, node)]
    for action in ruleset.actions.values():
        names = [param.name for param in action.params]
        found += [f"{action.id}.{n}" for n in names if set(flow.uses(action.body, n)) == {SECRET}]
    return frozenset(found)


def _speaks_of(name: str, *nodes: Any) -> bool:
    return any(isinstance(n, ir.Local) and n.name == name for n in walk(nodes))


class _Flow:
    """Where the value of a name goes."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._rules = ruleset
        self._following: set[tuple[str, str]] = set()
        self._named: set[tuple[int, str]] = set()

    def is_secret(self, body: ir.Body, node: Any) -> bool:
        uses = {*self.uses(body, node.name)}
        if isinstance(node, ir.May):
            uses |= {*self._effects((*node.then, *node.other))}
        return uses == {SECRET}

    def _secret(self, attribute: str) -> bool:
        rule = self._rules.attributes.get(attribute)  # what a seat plays has no rule
        return rule is not None and rule.secret

    def uses(self, body: ir.Body, name: str) -> Iterator[bool]:
        """Each use of a name in a body: whether it stays secret. A name that is given a new value
        made of its old one adds nothing new."""
        key = (id(body), name)
        if key not in self._named:
            self._named.add(key)
            yield from self._uses(body, name)
            self._named.discard(key)

    def _uses(self, body: ir.Body, name: str) -> Iterator[bool]:
        for node in body:
            match node:
                case ir.Assign(target, index, _, expr) if not _speaks_of(name, target):
                    if _speaks_of(name, index, expr):
                        yield self._secret(target.attr)
                case ir.Begin(of, bundle, given) if not _speaks_of(name, of):
                    for one in given:
                        if _speaks_of(name, one.expr):
                            yield self._secret(f"{bundle}.{one.name}")
                case ir.Let(other, expr):
                    if _speaks_of(name, expr):
                        yield from self.uses(body, other)
                case ir.Do(procedure, args):
                    for number, arg in enumerate(args):
                        if _speaks_of(name, arg):
                            yield from self._passed(procedure, number)
                case ir.Result(other, procedure, args):
                    for number, arg in enumerate(args):
                        if _speaks_of(name, arg):
                            yield from self._passed(procedure, number)
                            yield from self.uses(body, other)
                case ir.GiveBack():
                    pass  # whoever asked for it has a name for it
                case ir.For(var, source, where, order, _, inner):
                    if _speaks_of(name, source, where, order):
                        yield from self.uses(inner, var)
                    yield from self.uses(inner, name)
                case ir.If(condition, then, other):
                    if _speaks_of(name, condition):
                        yield from self._effects((*then, *other))
                    yield from self.uses((*then, *other), name)
                case ir.Step():
                    yield from self.uses(node.body, name)
                case ir.May() if not _speaks_of(name, node.by, node.when, node.prompt):
                    yield from self.uses((*node.then, *node.other), name)
                case _:
                    if _speaks_of(name, node):
                        yield OPEN

    def _passed(self, procedure: str, number: int) -> Iterator[bool]:
        """What becomes of an argument; a procedure that calls itself adds nothing new."""
        rule = self._rules.procedures[procedure]
        key = (procedure, rule.params[number].name)
        if key not in self._following:
            self._following.add(key)
            for body in (rule.body, *(trigger.body for trigger in rule.triggers)):
                yield from self.uses(body, key[1])
            self._following.discard(key)

    def _effects(self, body: Iterable[Any]) -> Iterator[bool]:
        """Whether what happens in a body shows."""
        for node in body:
            secret = isinstance(node, ir.Assign) and self._secret(node.target.attr)
            yield SECRET if secret else OPEN
