"""Straight code: functions that only work something out, rewritten so that they do less.

Values are small and call one another all the time, and a call costs as much as what most of them
do. So what is small is put in where it is called; what stands twice is worked out once, and before
a loop if that does not change it; and loops are statements instead of functions inside functions.

A function is gone through twice: to count how often everything stands there, and to write it.
Nothing is worked out that was not before: what is needed only sometimes stays inside a block.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs

from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.scope import PARTS, Unit

SMALL = 60  # nodes of a value that is put in
ROOM = 1_200  # nodes that are put into one function
DEPTH = 6  # values inside one another
NEST = 14  # Python allows 20 loops inside each other
DEEPEST = 120  # what is nested deeper than that stays as it is
FAILING = ("times", "bounded", "halved")  # what may fail is told by the line it stands on
EFFECTS = ("charge", "spend", "note_short")
LOOPS = ("sum", "len", "any", "all", "next", "max", "min", "tuple", "a_set", "a_list")
_INNER = (ast.ListComp, ast.GeneratorExp, ast.SetComp)


@attrs.frozen(eq=False)
class Small:
    """A value that can be put in where it is called."""

    params: tuple[str, ...]
    body: tuple[ast.stmt, ...]
    size: int

    @classmethod
    def of(cls, made: ast.FunctionDef) -> "Small | None":
        """None for what is large, loops, or may fail."""
        body = tuple(one for one in made.body if not _is_load(one))
        nodes = [node for one in body for node in ast.walk(one)]
        if len(nodes) > SMALL or any(map(_stays, nodes)):
            return None
        return cls(tuple(one.arg for one in made.args.args[1:]), body, len(nodes))


def alike(one: Small | None, other: Small | None) -> bool:
    """Whether both would be put in alike; on which lines they stand does not matter."""
    if one is other or one is None or other is None:
        return one is other
    bodies = ([*map(ast.dump, small.body)] for small in (one, other))
    return one.params == other.params and next(bodies) == next(bodies)


def _stays(node: ast.AST) -> bool:
    match node:
        case ast.Expr() | ast.For() | ast.FunctionDef():
            return True
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), right=by):
            return not (isinstance(by, ast.Constant) and by.value)
        case ast.Name(id=id_):
            return id_ in FAILING
    return isinstance(node, _INNER)


def _is_load(one: ast.stmt) -> bool:
    """An array of the state, loaded at the top of a function."""
    match one:
        case ast.Assign(targets=[ast.Name(id=id_)], value=ast.Attribute()):
            return id_ in PARTS
    return False


@attrs.frozen(eq=False)
class Made:
    """An expression. What has the same key is worth the same; None: nobody can tell."""

    node: ast.expr
    key: int | None


@attrs.define(eq=False)
class Block:
    """Statements being written, the names they bind, and under which name what is known."""

    outer: "Block | None"
    is_loop: bool = False
    out: list[ast.stmt] = attrs.field(factory=list)
    names: set[str] = attrs.field(factory=set)
    known: dict[int, str] = attrs.field(factory=dict)


Env = Mapping[str, Made]  # what names in code that is put in stand for


class TooDeep(Exception):  # noqa: N818 - says what it is
    """Expressions are nested so deep that going through them could take too much of the stack."""


class Straight:
    """One function being written; `counting` is the same one gone through before."""

    def __init__(
        self,
        made: ast.FunctionDef,
        offers: Mapping[str, Small],
        asked: dict[str, Small | None],
        counting: "Straight | None" = None,
    ) -> None:
        self._made = made
        self._offers = offers
        self._asked = asked
        self._counting = counting
        self._keys: dict[Any, int] = {} if counting is None else counting._keys
        self._seen = Counter[int]()
        self._block = Block(None)
        self._own = _stored(made.body)
        self._inside = [made.name]
        self._room = ROOM
        self._closed = self._loops = self._depth = self._names = self._opaque = 0
        self._line = made.lineno

    def run(self) -> list[ast.stmt]:
        """Its statements."""
        env = {one.arg: self._unknown(one.arg) for one in self._made.args.args}
        for one in self._made.body:
            if not _is_load(one):
                self._statement(one, env)
        return self._block.out

    # ---- names, keys, blocks

    def _key(self, *what: Any) -> int | None:
        return None if None in what else self._keys.setdefault(what, len(self._keys))

    def _unknown(self, name: str) -> Made:
        """A name for something that is the same wherever the name can be read."""
        self._opaque += 1
        return Made(py.name(name), self._key("unknown", self._opaque))

    def _fresh(self) -> str:
        self._names += 1
        self._block.names.add(f"c{self._names}")
        return f"c{self._names}"

    def _emit(self, one: ast.stmt) -> None:
        if not hasattr(one, "lineno"):
            one.lineno = one.end_lineno = self._line
            one.col_offset = one.end_col_offset = 0
        self._block.out.append(one)

    def _within(self, make: Callable[[], Any], is_loop: bool = False) -> Block:
        """What is written inside a block of its own."""
        outer = self._block
        self._block = inner = Block(outer, is_loop)
        make()
        self._block = outer
        return inner

    def _bound(self, made: Made) -> Made:
        """Something under a name, unless it is one, or a constant."""
        if py.is_plain(made.node):
            return made
        name = self._fresh()
        self._emit(py.assign(name, made.node))
        if made.key is None:
            return self._unknown(name)
        self._block.known[made.key] = name
        return Made(py.name(name), made.key)

    def _shared(self, made: Made) -> Made:
        """Something that may stand elsewhere, too."""
        if made.key is None or self._closed or py.is_plain(made.node):
            return made
        if self._counting is None:
            self._seen[made.key] += 1
            return made
        block: Block | None = self._block
        while block is not None:
            if made.key in block.known:
                return Made(py.name(block.known[made.key]), made.key)
            block = block.outer
        where = self._before_loops(made.node)
        if where is self._block and self._counting._seen[made.key] < 2:
            return made
        here, self._block = self._block, where
        out = self._bound(made)
        self._block = here
        return out

    def _before_loops(self, node: ast.expr) -> Block:
        """The outermost block where it can be worked out: what a loop does not change, before it.
        There a block waits that runs only if the loop does; beyond that goes what cannot fail."""
        where = self._block
        if not where.is_loop:
            return where
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        while where.is_loop and where.outer is not None and names.isdisjoint(where.names):
            where = where.outer
            if where.outer is None or not names.isdisjoint(where.names) or not _is_safe(node):
                break
            where = where.outer
        return where

    # ---- statements

    def _statement(self, one: ast.stmt, env: Env) -> None:
        if len(self._inside) == 1:
            self._line = getattr(one, "lineno", self._line)
        match one:
            case ast.Assign(targets=[ast.Name(id=id_)], value=value):
                self._emit(py.assign(_target(id_, env), self._node(value, env)))
            case ast.AugAssign(target=ast.Name(id=id_), op=op, value=value):
                target = ast.Name(_target(id_, env), ast.Store())
                self._emit(ast.AugAssign(target, op, self._node(value, env)))
            case ast.If(test=test, body=then, orelse=other):
                condition = self._node(test, env)
                blocks = [self._within(lambda some=some: self._statements(some, env))  # type: ignore[misc]
                          for some in (then, other)]  # fmt: skip
                self._emit(py.when(condition, *[block.out for block in blocks]))
            case ast.Return(value=ast.GeneratorExp() as found):
                self._rounds(found, env, lambda own: self._emit(
                    ast.Expr(ast.Yield(self._node(found.elt, own)))))  # fmt: skip
            case ast.Return(value=ast.expr() as value):
                self._emit(ast.Return(self._node(value, env)))
            case ast.Expr(value=value):
                self._emit(ast.Expr(self._node(value, env)))
            case _:
                raise AssertionError(f"No form is lowered to this step: {ast.dump(one)}")

    def _statements(self, some: Iterable[ast.stmt], env: Env) -> None:
        for one in some:
            self._statement(one, env)

    # ---- expressions

    def _node(self, node: ast.expr, env: Env) -> ast.expr:
        return self._expression(node, env).node

    def _expression(self, node: ast.expr, env: Env) -> Made:
        line = self._line
        self._depth += 1
        if self._depth > DEEPEST:
            raise TooDeep
        if len(self._inside) == 1:
            self._line = getattr(node, "lineno", line)
        made = self._shared(self._worked_out(node, env))
        self._depth -= 1
        if not hasattr(made.node, "lineno"):
            made.node.lineno = made.node.end_lineno = self._line
            made.node.col_offset = made.node.end_col_offset = 0
        self._line = line
        return made

    def _worked_out(self, node: ast.expr, env: Env) -> Made:
        match node:
            case ast.Name(id=id_):
                return self._named(id_, env)
            case ast.Constant(value=value):
                return Made(py.const(value), self._key("constant", repr(value)))
            case ast.Subscript(value=of, slice=index):
                return self._joined("item", (of, index), env, py.item)
            case ast.BinOp(left=left, op=op, right=right):
                return self._joined(type(op), (left, right), env, lambda a, b: ast.BinOp(a, op, b))
            case ast.UnaryOp(op=sign, operand=of):
                return self._joined(type(sign), (of,), env, lambda a: ast.UnaryOp(sign, a))
            case ast.Compare(left=left, ops=[than], comparators=[right]):
                both = (left, right)
                return self._joined(type(than), both, env, lambda a, b: ast.Compare(a, [than], [b]))
            case ast.Tuple(elts=parts):
                return self._joined("tuple", parts, env, lambda *some: py.tuple_of([*some]))
            case ast.Dict(keys=keys, values=values):
                parts = [*[key for key in keys if key is not None], *values]
                size = len(keys)
                make: Any = lambda *some: ast.Dict([*some[:size]], [*some[size:]])  # noqa: E731
                return Made(self._joined("map", parts, env, make).node, None)
            case ast.BoolOp():
                return self._logic(node, env)
            case ast.IfExp():
                return self._conditional(node, env)
            case ast.Call():
                return self._call(node, env)
            case ast.Lambda(args=args, body=body):
                own = {**env, **{one.arg: Made(py.name(one.arg), None) for one in args.args}}
                self._closed += 1
                made = py.function_of([one.arg for one in args.args], self._node(body, own))
                self._closed -= 1
                return Made(made, None)
            case ast.ListComp() if not self._closed and self._loops < NEST:
                return self._loop("", node, env)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self._comprehension(node, env)
        raise AssertionError(f"No form is lowered to this: {ast.dump(node)}")

    def _named(self, id_: str, env: Env) -> Made:
        if id_ in env:
            found = env[id_]
            named = isinstance(found.node, ast.Name)
            return Made(py.name(_target(id_, env)), found.key) if named else found
        if id_ in PARTS:
            return Made(py.attribute("S", PARTS[id_]), self._key("part", id_))
        return Made(py.name(id_), None if id_ in self._own else self._key("global", id_))

    def _joined(
        self, what: Any, parts: Sequence[ast.expr], env: Env, make: Callable[..., ast.expr]
    ) -> Made:
        some = [self._expression(part, env) for part in parts]
        return Made(make(*[one.node for one in some]), self._key(what, *[one.key for one in some]))

    def _logic(self, node: ast.BoolOp, env: Env) -> Made:
        """Each part but the first is only asked for after those before it."""
        outer, (first, *others) = self._block, _flat(node)
        made = self._expression(first, env)
        keys, runs = [made.key], [(outer, [made.node])]
        for other in others:
            self._block = Block(self._block)
            made = self._expression(other, env)
            keys.append(made.key)
            if self._block.out:
                runs.append((self._block, [made.node]))
            else:
                runs[-1][1].append(made.node)
        self._block = outer
        join = py.both if isinstance(node.op, ast.And) else py.either
        if len(runs) == 1:
            return Made(join(runs[0][1]), self._key(type(node.op), *keys))
        name = self._fresh()
        for (block, parts), (inner, _) in zip(runs, [*runs[1:], (None, ())], strict=True):
            self._block = block
            self._emit(py.assign(name, join(parts)))
            if inner is not None:
                test = py.name(name) if join is py.both else py.negated(py.name(name))
                self._emit(py.when(test, inner.out))
        self._block = outer
        return self._result(name, self._key(type(node.op), *keys))

    def _conditional(self, node: ast.IfExp, env: Env) -> Made:
        test, ways = self._expression(node.test, env), list[Made]()
        blocks = [
            self._within(lambda way=way: ways.append(self._expression(way, env)))  # type: ignore[misc]
            for way in (node.body, node.orelse)
        ]
        key = self._key("if", test.key, *[way.key for way in ways])
        if not any(block.out for block in blocks):
            return Made(py.conditional(test.node, *[way.node for way in ways]), key)
        name = self._fresh()
        for block, way in zip(blocks, ways, strict=True):
            block.out.append(py.assign(name, way.node))
        self._emit(py.when(test.node, *[block.out for block in blocks]))
        return self._result(name, key)

    def _result(self, name: str, key: int | None = None) -> Made:
        """What statements have left in a name."""
        if key is None:
            return self._unknown(name)
        self._block.known[key] = name
        return Made(py.name(name), key)

    # ---- calls

    def _call(self, node: ast.Call, env: Env) -> Made:
        match node:
            case _ if self._closed:
                pass
            case ast.Call(func=ast.Lambda(args=params, body=body), args=args):
                names = [one.arg for one in params.args]
                given = [self._bound(self._expression(one, env)) for one in args]
                return self._expression(body, {**env, **dict(zip(names, given, strict=True))})
            case ast.Call(func=ast.Name(id="min" | "max" as which), args=[_, _], keywords=[]):
                return self._extreme(which, node.args, env)
            case ast.Call(func=ast.Name(id=id_), args=[one, *_]):
                keyed = any(named.arg == "key" for named in node.keywords)
                nested = keyed or self._loops == NEST
                if id_ in LOOPS and isinstance(one, _INNER) and not nested:
                    return self._loop(id_, one, env)
                small = self._put_in(id_)
                if small is not None:
                    return self._inlined(id_, small, node.args[1:], env)
        given = [self._expression(one, env) for one in node.args]
        named = {one.arg or "": self._node(one.value, env) for one in node.keywords}
        match node.func:
            case ast.Name(id=id_):
                function = py.name(id_)
                what = None if named or id_ in EFFECTS else id_
            case ast.Attribute(value=of, attr=attr):
                function, what = ast.Attribute(self._node(of, env), attr, ast.Load()), None
            case other:
                function, what = self._node(other, env), None
        made = py.call(function, *[one.node for one in given], **named)
        return Made(made, self._key("call", what, *[one.key for one in given]))

    def _extreme(self, which: str, args: Sequence[ast.expr], env: Env) -> Made:
        """The lesser or greater of two numbers."""
        one, two = (self._expression(arg, env) for arg in args)
        key = self._key(which, one.key, two.key)
        one, two = self._bound(one), self._bound(two)
        test = py.compare(one.node, "<" if which == "min" else ">", two.node)
        return Made(py.conditional(test, one.node, two.node), key)

    def _put_in(self, id_: str) -> Small | None:
        """The value of this name, if it is to be put in here."""
        found = self._asked[id_] = self._offers.get(id_)
        too_deep = len(self._inside) > DEPTH or id_ in self._inside
        return None if found is None or too_deep or found.size > self._room else found

    def _inlined(self, id_: str, small: Small, args: Sequence[ast.expr], env: Env) -> Made:
        given = [self._bound(self._expression(one, env)) for one in args]
        own = dict(zip(small.params, given, strict=True))
        self._room -= small.size
        self._inside.append(id_)
        match small.body:
            case [ast.Return(value=ast.expr() as value)]:
                out = self._expression(value, own)
            case body:
                for name in (RESULT, *sorted(_stored(body))):
                    own[name] = Made(py.name(self._fresh()), None)
                self._statements(_leaving(body), own)
                out = self._unknown(_target(RESULT, own))
        self._inside.pop()
        return out

    # ---- loops

    def _comprehension(self, node: Any, env: Env) -> Made:
        """One that stays as it is, with names put in."""
        own = dict(env)
        clauses = []
        for number, clause in enumerate(node.generators):
            source = self._node(clause.iter, own)
            self._closed += number == 0
            own[clause.target.id] = Made(py.name(clause.target.id), None)
            tests = [self._node(test, own) for test in clause.ifs]
            target = ast.Name(clause.target.id, ast.Store())
            clauses.append(ast.comprehension(target, source, tests, 0))
        made = type(node)(self._node(node.elt, own), clauses)
        self._closed -= 1
        return Made(made, None)

    def _rounds(self, node: Any, env: Env, inside: Callable[[Env], None]) -> None:
        """The loop of a comprehension, with something inside."""
        *before, last = node.generators
        own = dict(env)
        for clause in before:  # named, and worked out once
            own[clause.target.id] = self._bound(self._expression(clause.iter.elts[0], own))
        source = self._expression(last.iter, own)

        def rounds() -> None:
            var = self._fresh()
            own[last.target.id] = self._unknown(var)
            tests = [self._node(test, own) for test in last.ifs]
            if tests:
                self._emit(py.when(tests[0], self._within(lambda: inside(own)).out))
            else:
                inside(own)

        loops: list[Block] = []
        self._loops += 1
        guard = self._within(lambda: loops.append(self._within(rounds, is_loop=True)))
        self._loops -= 1
        if guard.out:
            source = self._bound(source)
        target = ast.Name(_target(last.target.id, own), ast.Store())
        guard.out.append(ast.For(target, source.node, loops[0].out, []))
        if len(guard.out) > 1:
            self._emit(py.when(source.node, guard.out))
        else:
            self._emit(guard.out[0])

    def _loop(self, which: str, inner: Any, env: Env) -> Made:
        """A function of a comprehension as a loop that leaves its result in a name."""
        name, there = self._fresh(), py.const(None)
        read = py.name(name)

        def keep(value: ast.expr) -> ast.stmt:
            return py.assign(name, value)

        def inside(own: Env) -> None:
            if which == "len":
                self._emit(py.augment(py.name(name), "+", py.const(1)))
                return
            each = self._expression(inner.elt, own)
            match which:
                case "sum":
                    self._emit(py.augment(py.name(name), "+", each.node))
                case "any" | "all":
                    test = each.node if which == "any" else py.negated(each.node)
                    self._emit(py.when(test, [keep(py.const(which == "any")), ast.Break()]))
                case "next":
                    self._emit(keep(each.node))
                    self._emit(ast.Break())
                case "max" | "min":
                    value = self._bound(each).node
                    better = py.compare(value, ">" if which == "max" else "<", read)
                    first = py.compare(read, "is", there)
                    self._emit(py.when(py.either([first, better]), [keep(value)]))
                case _:
                    self._emit(ast.Expr(py.method(read, "append", each.node)))

        start: dict[str, ast.expr] = {
            "sum": py.const(0), "len": py.const(0), "any": py.const(False), "all": py.const(True),
            "next": there, "max": there, "min": there,
        }  # fmt: skip
        self._emit(keep(start.get(which, ast.List([], ast.Load()))))
        self._rounds(inner, env, inside)
        if which in ("max", "min"):
            self._emit(py.when(py.compare(read, "is", there), [keep(py.const(0))]))
        if which in start or not which:
            return self._unknown(name)
        return Made(py.call(which, read), None)


RESULT = "the result"  # of what is put in, which is no name in generated code


def _target(id_: str, env: Env) -> str:
    node = env[id_].node if id_ in env else None
    return node.id if isinstance(node, ast.Name) else id_


def _stored(body: Iterable[ast.stmt]) -> set[str]:
    """The names that are assigned to."""
    return {
        node.id
        for one in body
        for node in ast.walk(one)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _flat(node: ast.BoolOp) -> list[ast.expr]:
    """The parts of a condition, and of those inside it that are of the same sort."""
    out: list[ast.expr] = []
    for one in node.values:
        alike = isinstance(one, ast.BoolOp) and type(one.op) is type(node.op)
        out += _flat(one) if isinstance(one, ast.BoolOp) and alike else [one]
    return out


def _is_safe(node: ast.expr) -> bool:
    """Is it cheap, and sure not to fail?"""
    match node:
        case ast.Subscript(value=one, slice=two):
            return isinstance(one, ast.Name) and _is_safe(two)
        case ast.BinOp(left=one, op=ast.Add() | ast.Sub() | ast.BitAnd(), right=two):
            return _is_safe(one) and _is_safe(two)
    return py.is_plain(node) or isinstance(node, ast.Attribute)


def _leaving(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements that return something, as statements that leave it in a name."""
    for number, one in enumerate(body):
        match one:
            case ast.Return(value=ast.expr() as value):
                return [*body[:number], py.assign(RESULT, value)]
            case ast.If(test=test, body=then, orelse=other) if _returns(one):
                rest = body[number + 1 :]
                ways = [_leaving([*way, *rest]) for way in (then, other)]
                return [*body[:number], py.when(test, *ways)]
    raise ValueError("Nothing is returned.")


def _returns(one: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(one))


# ---- names that are read once

_HEADS = {
    ast.Assign: "value", ast.AugAssign: "value", ast.Return: "value", ast.Expr: "value",
    ast.If: "test", ast.For: "iter",
}  # fmt: skip


class _Reads(ast.NodeTransformer):
    """Puts a value in where a name is read, unless that is in a function inside, or read only
    sometimes."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value, self.done = name, value, False

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.name:
            return node
        self.done = True
        return self.value

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        node.values[0] = self.visit(node.values[0])
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self.visit(node.test)
        return node

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, (ast.Lambda, *_INNER)) else super().visit(node)


def _tidied(body: list[ast.stmt]) -> list[ast.stmt]:
    """What is read once, and by the very next statement, needs no name."""
    found = [node for one in body for node in ast.walk(one) if isinstance(node, ast.Name)]
    uses = Counter((node.id, type(node.ctx)) for node in found)

    def block(some: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for one in some:
            head = _HEADS.get(type(one), "")
            while out and head:
                match out[-1]:
                    case ast.Assign(targets=[ast.Name(id=id_)], value=value):
                        reads = _Reads(id_, value)
                        if uses[id_, ast.Load] == uses[id_, ast.Store] == 1:
                            setattr(one, head, reads.visit(getattr(one, head)))
                        if reads.done:
                            out.pop()
                            continue
                break
            if isinstance(one, ast.If | ast.For):
                one.body, one.orelse = block(one.body), block(one.orelse)
            out.append(one)
        return out

    return block(body)


# ---- whole files


def offered(unit: Unit) -> dict[str, Small]:
    """The values of a file that are put in where they are called."""
    found = {
        made.name: Small.of(made)
        for functions in unit.files.values()
        for made in functions
        if made.name in unit.values
    }
    return {name: small for name, small in found.items() if small is not None}


def straightened(
    made: ast.FunctionDef, offers: Mapping[str, Small], asked: dict[str, Small | None]
) -> ast.FunctionDef:
    """A function, rewritten. What it would put in is noted in `asked`."""
    counting = Straight(made, offers, asked)
    try:
        counting.run()
        body = _tidied(Straight(made, offers, asked, counting).run())
    except TooDeep:
        return made
    params = [one.arg for one in made.args.args]
    return ast.copy_location(py.define(made.name, params, body), made)
