"""What statements do, by the reference evaluator: recursion over the IR, nothing compiled.

Decisions are asked through `runtime.step_decisions`, as compiled steps do, so that a game cannot
tell the two apart (`proving.reference_program`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.arithmetic import a_set
from ziggurat.dsl.forms.base import blank
from ziggurat.proving.reference import COST, Env, Evaluator, lacking
from ziggurat.runtime import step_decisions, support
from ziggurat.runtime.signatures import Site
from ziggurat.runtime.state import State
from ziggurat.runtime.support import REPEAT_BOUND
from ziggurat.runtime.table import Table

Locals = dict[str, Any]
_Decision = ir.Choose | ir.May | ir.Select | ir.Divide


class _Jump(Exception):  # noqa: N818 - a way out, not an error
    """`stop`, `skip` or `leave` on its way to the block or loop it is about."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class Steps(Evaluator):
    """Runs statements on states. `sites` numbers the decisions and sentences."""

    def __init__(self, table: Table, sites: Iterable[Site]) -> None:
        super().__init__(table)
        told = list(enumerate(sites))
        self._sites = {id(site.node): number for number, site in told}
        self._places = {(type(site.node), site.at): number for number, site in told}

    def site(self, node: Any) -> int:
        """The number of a node; one that was changed is known by its place."""
        number = self._sites.get(id(node))
        return self._places.get((type(node), node.at), 0) if number is None else number

    def block(self, state: State, body: ir.Body, env: Locals) -> None:
        """One statement after the other; the locals live as long as the procedure."""
        for node in body:
            self.pay(state, COST, node.at)
            _STATEMENTS[type(node)](self, state, node, env)

    def procedure(self, state: State, body: ir.Body, env: Locals) -> None:
        """A block that `stop` ends."""
        try:
            self.block(state, body, env)
        except _Jump:
            return

    def call(self, state: State, procedure: ir.Procedure, args: Iterable[Any]) -> None:
        """A procedure with what happens before it, after it and instead of it."""
        names = [param.name for param in procedure.params]
        env = dict(zip(names, args, strict=True))

        def due(when: str) -> Iterator[ir.Trigger]:
            for trigger in procedure.triggers:
                if trigger.when == when and self._holds(state, trigger.condition, env):
                    yield trigger

        for trigger in due("before"):
            self.procedure(state, trigger.body, dict(env))
        instead = list(due("instead"))
        body = instead[-1].body if instead else procedure.body
        self.procedure(state, body, dict(env))
        for trigger in due("after"):
            self.procedure(state, trigger.body, dict(env))

    def _holds(self, state: State, condition: ir.Expr | None, env: Env) -> bool:
        return condition is None or bool(self.evaluate(state, condition, env))

    def number_of(self, state: State, quantity: ir.Expr | None, env: Env) -> int | None:
        """How many are meant; None for all, or for no bound."""
        return None if quantity is None else self.given(state, quantity, env)

    def holes(self, state: State, text: ir.Text, env: Env) -> tuple[Any, ...]:
        return tuple(self.evaluate(state, p, env) for p in text.parts if not isinstance(p, str))


def _let(run: Steps, state: State, node: ir.Let, env: Locals) -> None:
    env[node.name] = run.evaluate(state, node.expr, env)


def _assign(run: Steps, state: State, node: ir.Assign, env: Locals) -> None:
    target = node.target
    slots = run.table.attributes[target.attr]
    of = None if target.of is None else run.evaluate(state, target.of, env)
    key = None if node.index is None else run.evaluate(state, node.index, env)
    item = target.type if node.index is None else target.type.item
    assert item is not None
    if (target.of is not None and of is None) or (node.index is not None and key is None):
        return
    old = run.evaluate(state, target, env)
    amount = (run.evaluate if item.maybe else run.given)(state, node.expr, env)
    kept = node.op == "=" or (node.op == "include" and item.name == "list")
    if kept and amount is None and not item.maybe:
        return
    if node.index is None:
        new = _changed(old, node.op, amount, target.type)
    else:
        new = {**old, key: _changed(old.get(key, blank(item)), node.op, amount, item)}
    if slots.keys is None:
        state.attrs[slots.slot(of)] = state.keep(old, new, run.site(node))
    else:
        missing = blank(target.type.item or target.type)
        for key in slots.keys:
            at = slots.slot(of, key)
            state.attrs[at] = state.keep(state.attrs[at], new.get(key, missing), run.site(node))


def _changed(old: Any, op: str, amount: Any, type_: ir.Type) -> Any:
    """What an attribute becomes. Sets stay sorted, and yes and no are kept as 1 and 0."""
    if op == "=":
        if type_.name == "set" and not type_.maybe:
            return a_set(amount)
        if type_.name == "list" and not type_.maybe:
            return tuple(amount)
        return int(amount) if isinstance(amount, bool) else amount
    if op in ("+", "-"):
        before = 0 if old is None else old
        return before + amount if op == "+" else before - amount
    if op == "exclude":
        return tuple(member for member in old if member != amount)
    grown = (*old, amount)
    return grown if type_.name == "list" else a_set(grown)


def _move(run: Steps, state: State, node: ir.Move, env: Locals) -> None:
    left = run.number_of(state, node.quantity, env)
    owners = run.owners(state, node.units, env)
    sources = run.places(state, node.source, env)
    targets = run.places(state, node.target, env)
    for source in sources if targets else ():
        for owner in owners:
            for piece in node.units.pieces:
                rows, before = run.table.rows[piece], node.units.state
                moved = state.move(rows, owner, source, targets[0], left, before, node.state)
                left = None if left is None else left - moved


def _turn(run: Steps, state: State, node: ir.Turn, env: Locals) -> None:
    left = run.number_of(state, node.quantity, env)
    owners = run.owners(state, node.units, env)
    for place in run.places(state, node.where, env):
        for owner in owners:
            for piece in node.units.pieces:
                rows, before = run.table.rows[piece], node.units.state
                turned = state.turn(rows, owner, place, left, before, node.state)
                left = None if left is None else left - turned


def _put(run: Steps, state: State, node: ir.Put, env: Locals) -> None:
    cards = run.given(state, node.cards, env)
    pile = run.pile(state, node.pile, env)
    if pile is not None:
        state.put(cards if node.many else (cards,), pile, node.how)


def _shuffle(run: Steps, state: State, node: ir.Shuffle, env: Locals) -> None:
    pile = run.pile(state, node.pile, env)
    if pile is not None:
        state.shuffle(pile)


def _pick(run: Steps, state: State, node: ir.Pick, env: Locals) -> None:
    members = run.members(state, node.source, node.where, None, env)
    env[node.name] = support.pick(state, members, run.number_of(state, node.quantity, env))


def _give(run: Steps, state: State, node: ir.Give, env: Locals) -> None:
    thing, player = run.evaluate(state, node.thing, env), run.evaluate(state, node.player, env)
    if thing is not None and player is not None:
        (state.give if node.gain else state.take)(thing, player)


def _for(run: Steps, state: State, node: ir.For, env: Locals) -> None:
    members = run.members(state, node.source, node.where, node.order, env, node.var)
    if node.grouped and node.order is not None:
        key = run.sort_key(state, node.order, env)
        members = support.grouped(members, key)
    for member in members:
        env[node.var] = member
        if not _round(run, state, node.body, env):
            return


def _repeat(run: Steps, state: State, node: ir.Repeat, env: Locals) -> None:
    times = run.number_of(state, node.times, env)
    for _ in range(REPEAT_BOUND if times is None else times):
        run.pay(state, COST, node.at)
        if node.condition is not None and not run.evaluate(state, node.condition, env):
            return
        if not _round(run, state, node.body, env):
            return


def _round(run: Steps, state: State, body: ir.Body, env: Locals) -> bool:
    """One round of a loop; whether there may be another."""
    try:
        run.block(state, body, env)
    except _Jump as jump:
        if jump.how == "stop":
            raise
        return jump.how == "skip"
    return True


def _if(run: Steps, state: State, node: ir.If, env: Locals) -> None:
    run.block(state, node.then if run.evaluate(state, node.condition, env) else node.other, env)


def _jump(run: Steps, state: State, node: ir.Jump, env: Locals) -> None:
    raise _Jump(node.how)


def _step(run: Steps, state: State, node: ir.Step, env: Locals) -> None:
    run.block(state, node.body, env)


def _decide(run: Steps, state: State, node: _Decision, env: Locals) -> Any:
    """The answer that was recorded, or what `runtime.step_decisions` says."""
    site = run.site(node)
    answer = step_decisions.recorded(state, site)
    if answer is not step_decisions.MISSING:
        return answer
    by = run.evaluate(state, node.by, env)
    holes = run.holes(state, node.prompt, env)
    if isinstance(node, ir.May):
        possible = node.when is None or bool(run.evaluate(state, node.when, env))
        return step_decisions.may(state, site, by, possible, holes)
    if isinstance(node, ir.Divide):
        total = run.given(state, node.total, env)
        members = tuple(run.given(state, node.among, env))
        allowed = [run.given(state, node.allowing, {**env, "it": m}) for m in members]
        return step_decisions.divide(state, site, by, members, holes, total, allowed)
    if isinstance(node, ir.Select):
        options = tuple(run.members(state, node.source, node.where, None, env))
        wishes = tuple(
            tuple(_wish(run, state, wish, options, env) for wish in parts)
            for parts in node.constraints
        )
        return step_decisions.select(state, site, by, options, holes, wishes, node.relax)
    found = run.members(state, node.source, node.where, node.order, env)
    if node.single:
        return step_decisions.choose(state, site, by, found, holes, node.optional, node.always)
    least = run.number_of(state, node.least, env)
    most = run.number_of(state, node.most, env)
    return step_decisions.choose_some(state, site, by, found, holes, least, most, node.always)


def _wish(
    run: Steps, state: State, wish: ir.Wish, options: tuple[Any, ...], env: Env
) -> tuple[Any, ...]:
    parts: list[Any] = [wish.kind]
    if wish.weight is not None:
        parts.append([run.given(state, wish.weight, {**env, "it": m}) for m in options])
    if wish.bound is not None:
        parts.append(run.given(state, wish.bound, env))
    return tuple(parts)


def _ask(run: Steps, state: State, node: _Decision, env: Locals) -> None:
    env[node.name] = _decide(run, state, node, env)


def _may(run: Steps, state: State, node: ir.May, env: Locals) -> None:
    answer = env[node.name or f"may {node.path}"] = _decide(run, state, node, env)
    run.block(state, node.then if answer else node.other, env)


def _say(run: Steps, state: State, node: ir.Say, env: Locals) -> None:
    to = None if node.to is None else run.evaluate(state, node.to, env)
    if node.to is not None and to is None:
        return
    state.say(to, run.site(node), run.holes(state, node.text, env))


def _recall(run: Steps, state: State, node: ir.Recall, env: Locals) -> None:
    player = run.evaluate(state, node.player, env)
    if player is not None:
        state.recall(player)


def _end(run: Steps, state: State, node: ir.EndGame, env: Locals) -> None:
    state.over = True


def _do(run: Steps, state: State, node: ir.Do, env: Locals) -> None:
    args = [run.evaluate(state, arg, env) for arg in node.args]
    procedure = run.ruleset.procedures[node.procedure]
    if not lacking(procedure.params, args):
        run.call(state, procedure, args)


def _do_body(run: Steps, state: State, node: ir.DoBody, env: Locals) -> None:
    thing = run.evaluate(state, node.thing, env)
    if thing is None:
        return
    if node.thing.type.name in run.table.families:
        thing = run.table.face[thing]
    args = [run.evaluate(state, arg, env) for arg in node.args]
    kind = run.ruleset.kinds[node.kind]
    params = next((body.params for body in kind.bodies if body.name == node.body), ())
    names = [param.name for param in params]
    declared = run.table.things[thing]
    if declared.kind == node.kind and not lacking(params, args):
        for body in declared.bodies:
            if body.name == node.body:
                run.procedure(state, body.body, dict(zip(names, args, strict=True)))


_STATEMENTS: dict[type, Callable[[Steps, State, Any, Locals], None]] = {
    ir.Let: _let,
    ir.Assign: _assign,
    ir.Move: _move,
    ir.Turn: _turn,
    ir.Put: _put,
    ir.Shuffle: _shuffle,
    ir.Pick: _pick,
    ir.Give: _give,
    ir.For: _for,
    ir.Repeat: _repeat,
    ir.If: _if,
    ir.Jump: _jump,
    ir.Step: _step,
    ir.Choose: _ask,
    ir.May: _may,
    ir.Select: _ask,
    ir.Divide: _ask,
    ir.Say: _say,
    ir.Recall: _recall,
    ir.EndGame: _end,
    ir.Do: _do,
    ir.DoBody: _do_body,
}
