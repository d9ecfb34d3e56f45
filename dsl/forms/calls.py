"""Calls: values that are asked, procedures and blocks of things that are run."""

from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean, nearest
from ziggurat.dsl.forms.cards import pile_call
from ziggurat.dsl.forms.flow import let
from ziggurat.dsl.forms.names import local
from ziggurat.dsl.linking.arguments import arguments, look_at
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import FUNCTIONS, expression, linked
from ziggurat.dsl.linking.lookup import dotted_path, procedure_path, value_path
from ziggurat.dsl.linking.statements import name_local, statement
from ziggurat.dsl.linking.types import NOTHING
from ziggurat.dsl.linking.world import Signature
from ziggurat.dsl.printing.printer import POSTFIX, Printed, Printer, prints, prints_line
from ziggurat.runtime.kernel.forms.calls import BodyResult, Do, DoBody, Result, ValueCall
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, Expr, Stmt, Type


@expression("call")
def _link_call(cx: Context, node: Any, wanted: Type | None) -> Expr:
    callee = node.parts[0]
    if callee.rule == "name":
        name = str(callee.parts[0])
        if name in cx.names and cx.names[name].what != "field":
            return cx.wrong("Z204", f"`{name}` is not a value that can be asked.", callee)
        function = FUNCTIONS.get(name)
        if function is not None:
            return function(cx, node, wanted)
        path = value_path(cx, name)
        if path is None and name in cx.world.places:
            return pile_call(cx, node, name)
    elif callee.rule == "attribute":
        dotted = dotted_path(cx, callee)
        path = dotted and value_path(cx, dotted)
        name = dotted or str(callee.parts[1])
    else:
        return cx.wrong("Z204", "Only values can be asked with brackets.", callee)
    if not path:
        return _unknown_value(cx, callee, name, node)
    signature = cx.world.values[path]
    cx.uses(f"value {path}", callee)
    args = arguments(cx, node, signature.params, node.parts[1:], name)
    return ValueCall(path, args, signature.type, at=cx.at(node)) if args is not None else BAD


def _unknown_value(cx: Context, callee: Any, name: str, node: Any) -> Expr:
    world = cx.world
    look_at(cx, node.parts[1:])
    path = procedure_path(cx, name)
    if path is not None and world.procedures[path].type is not NOTHING:
        message = f"`{name}` is a procedure, which is run by a step of its own."
        advice = f"Write `let … = {name}(…)` before, and use that name here."
        return cx.wrong("Z204", message, callee, advice)
    if path is not None:
        advice = "Call it as a step of its own, and ask a value here."
        return cx.wrong("Z204", f"`{name}` is a procedure, which gives no value.", callee, advice)
    near = nearest(name, (*world.values, *FUNCTIONS, *world.places))
    if near:
        advice = f"Did you mean `{near}`?"
    else:
        advice = f"Declare it: `value {name.rpartition('.')[2]}(…): int = …`."
    return cx.wrong("Z204", f"There is no value called `{name}`.", callee, advice)


@statement("let")
def _link_let(cx: Context, node: Any) -> Stmt | None:
    name, value = node.parts
    if value.rule != "call":
        return let(cx, node)
    signature = _giving(cx, value)
    if signature is None:
        return _let_block_give(cx, node) or let(cx, node)
    cx.uses(f"procedure {signature.path}", value)
    args = arguments(cx, value, signature.params, value.parts[1:], signature.decl.id)
    local_name = name_local(cx, name, signature.type)
    if args is None:
        return None
    return Result(local_name, signature.path, args, signature.type, at=cx.at(node))


def _giving(cx: Context, node: Any) -> Signature | None:
    """The procedure that is called here, if it is one that gives something."""
    callee = node.parts[0]
    name = dotted_path(cx, callee) if callee.rule in ("name", "attribute") else None
    if name is None or name in FUNCTIONS or value_path(cx, name) is not None:
        return None
    path = procedure_path(cx, name)
    found = cx.world.procedures[path] if path is not None else None
    return found if found is not None and found.type is not NOTHING else None


def _let_block_give(cx: Context, node: Any) -> Stmt | None:
    """`let named = c.company(victim)`, if c is a thing that may have such a block."""
    name, value = node.parts
    callee = value.parts[0]
    if callee.rule != "attribute" or not _may_be_block(cx, callee):
        return None
    called = _thing_body(cx, value, callee, value.parts[1:])
    if called is None:
        return None
    type_ = cx.world.kinds[called.kind].bodies[called.body].type
    if type_ is None:
        message = f"`{called.body}` is a block, which gives no value."
        cx.error("Z204", message, callee, "Call it as a step of its own, and ask a value here.")
        type_ = ERROR_TYPE
    local_name = name_local(cx, name, type_)
    return BodyResult(
        local_name, called.thing, called.kind, called.body, called.args, type_, at=cx.at(node)
    )


def _may_be_block(cx: Context, callee: Any) -> bool:
    """Whether some kind has a block of that name, and nothing else is called so."""
    dotted = dotted_path(cx, callee)
    known = dotted is not None and value_path(cx, dotted) is not None
    name = str(callee.parts[1])
    return not known and any(name in info.bodies for info in cx.world.kinds.values())


@statement("do")
def _link_do(cx: Context, node: Any) -> Stmt | None:
    return call(cx, node.parts[0])


def call(cx: Context, node: Any) -> Do | DoBody | None:
    """A call as a step: a procedure, or a block of a thing."""
    callee, args = node.parts[0], node.parts[1:]
    world = cx.world
    name = dotted_path(cx, callee) if callee.rule in ("name", "attribute") else None
    path = procedure_path(cx, name) if name else None
    if path is not None:
        signature = world.procedures[path]
        cx.uses(f"procedure {path}", callee)
        found = arguments(cx, node, signature.params, args, name or path)
        return Do(path, found, at=cx.at(node)) if found is not None else None
    if callee.rule == "attribute":
        return _thing_body(cx, node, callee, args)
    written = name or "This"
    if name in world.values:
        message, advice = f"`{written}` is a value; asking it does nothing.", "Use it in a step."
    else:
        message = f"There is no procedure called `{written}`."
        declare = f"Declare it: `procedure {written}(…) {{ … }}`."
        advice = did_you_mean(written, world.procedures) or declare
    cx.error("Z206", message, callee, advice)
    return None


def _thing_body(cx: Context, node: Any, callee: Any, args: Any) -> DoBody | None:
    """`c.resolve(victim)`: the block of whatever thing it is; a card stands for its face."""
    whole, name = callee.parts
    entry = cx.names.get(whole.parts[0]) if whole.rule == "name" else None
    thing = local(cx, entry, whole) if entry else linked(cx, whole)
    if thing.type is ERROR_TYPE:
        return None
    world = cx.world
    kinds = [thing.type.name]
    if thing.type.name in world.families:
        kinds = list(world.families[thing.type.name].faces)
    for kind in kinds:
        info = world.kinds.get(kind)
        if info is not None and name in info.bodies:
            cx.uses(f"bodies {kind}.{name}", callee)
            found = arguments(cx, node, info.bodies[name].params, args, str(name))
            if found is None:
                return None
            return DoBody(thing, kind, str(name), found, at=cx.at(node))
    known = [one for kind in kinds if kind in world.kinds for one in world.kinds[kind].bodies]
    say = world.describe(thing.type)
    advice = did_you_mean(name, known)
    cx.error("Z219", f"{say[0].upper()}{say[1:]} has no block `{name}` to run.", name, advice)
    return None


@prints(ValueCall)
def _print_value_call(printer: Printer, expr: ValueCall) -> Printed:
    return f"{printer.lexicon.name('value', expr.value)}({printer.listed(expr.args)})", POSTFIX


@prints_line(Do)
def _print_do(printer: Printer, stmt: Do) -> str:
    return f"{printer.lexicon.name('procedure', stmt.procedure)}({printer.listed(stmt.args)})"


@prints_line(Result)
def _print_result(printer: Printer, stmt: Result) -> str:
    called = printer.lexicon.name("procedure", stmt.procedure)
    return f"let {printer.local(stmt.name)} = {called}({printer.listed(stmt.args)})"


@prints_line(DoBody)
def _print_do_body(printer: Printer, stmt: DoBody) -> str:
    return f"{printer.text(stmt.thing, POSTFIX)}.{stmt.body}({printer.listed(stmt.args)})"


@prints_line(BodyResult)
def _print_body_result(printer: Printer, stmt: BodyResult) -> str:
    called = f"{printer.text(stmt.thing, POSTFIX)}.{stmt.body}({printer.listed(stmt.args)})"
    return f"let {printer.local(stmt.name)} = {called}"
