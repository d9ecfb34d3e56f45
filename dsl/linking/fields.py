"""Fields of declarations: types, the items of a block told apart, unknown ones refused."""

from collections.abc import Iterable, Mapping
from typing import Any

from ziggurat.dsl.diagnostics import Note, did_you_mean, nearest
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.data import BROKEN, entries
from ziggurat.dsl.linking.model import Decl, Item, signed
from ziggurat.dsl.linking.types import SCALARS, list_of, map_of, of_kind, optional, set_of
from ziggurat.dsl.syntax import Declaration, Node
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, INT, Type

ENTRY_RULES = frozenset({"entry_is", "entry_plus", "entry_minus"})
FIELD_RULES = frozenset({"field", "field_shape", "field_plus", "field_minus"}) | ENTRY_RULES


def read_type(cx: Context, node: Any) -> Type:
    """A type as written after a colon."""
    rule = node.rule
    if rule in ("type_name", "name"):
        return named_type(cx, node.parts[0])
    if rule == "type_maybe":
        return optional(named_type(cx, node.parts[0]))
    if rule == "or_" and node.parts[0].rule == "name" and node.parts[1].rule == "none":
        return optional(named_type(cx, node.parts[0].parts[0]))
    if rule == "type_set":
        return set_of(read_type(cx, node.parts[0]))
    if rule == "type_list":
        return list_of(read_type(cx, node.parts[0]))
    if rule == "type_map":
        return map_of(named_type(cx, node.parts[0]), read_type(cx, node.parts[1]))
    cx.error(
        "Z203", "This is no type.", node, "Write for example `int`, `player` or `set of area`."
    )
    return ERROR_TYPE


def named_type(cx: Context, token: Any) -> Type:
    name = str(token)
    world = cx.world
    if name in SCALARS or name in world.kinds or name in world.families:
        if name not in SCALARS:
            cx.mention("cards" if name in world.families else "kind", name, token)
        return of_kind(name)
    if name in world.book.of("cards"):
        cx.mention("cards", name, token)
        return of_kind(name)
    advice = did_you_mean(name, world.type_names()) or (
        "Types are int, bool, text, range, player, owner, and the packs' kinds and card families."
    )
    cx.error("Z203", f"There is no type called `{name}`.", token, advice)
    return ERROR_TYPE


def field_type(cx: Context, name: str, item: Item, whole: str) -> Type:
    """The type of a field that a kind or a bundle declares."""
    node, file = item
    cx.enter(file)
    if node.rule not in ("field", "field_shape"):
        message = f"A field of {whole} is declared with a type."
        cx.error("Z310", message, node, f"Write `{name}: int`.")
        return ERROR_TYPE
    written = node.parts[1]
    if node.rule == "field" and len(written.parts) > 1:
        cx.error("Z203", "This is no type.", written, "A field has one type.")
        return ERROR_TYPE
    return read_type(cx, written.parts[0] if node.rule == "field" else written)


def params(cx: Context, decl: Decl) -> tuple[Param, ...]:
    """The parameters of a value, order or procedure; `(a, b: player)` gives both the same type."""
    found: list[Param] = []
    type_: Type | None = None
    for node in reversed(decl.node.params or ()):
        if node.rule == "param_typed":
            type_ = read_type(cx, node.parts[1])
        elif node.rule != "param":
            message = "Here a parameter has a name and a type; only actions look for options."
            cx.error("Z312", message, node, f"Write `{node.parts[0]}: player`, or another type.")
            type_ = ERROR_TYPE
        if type_ is None:
            message = f"The parameter `{node.parts[0]}` has no type."
            cx.error("Z308", message, node, f"Write `{node.parts[0]}: player`, or another type.")
            type_ = ERROR_TYPE
        if any(param.name == node.parts[0] for param in found):
            cx.error("Z214", f"Two parameters are called `{node.parts[0]}`.", node.parts[0])
        found.append(Param(str(node.parts[0]), type_))
    return tuple(reversed(found))


def split_fields(cx: Context, decl: Decl) -> tuple[dict[str, list[Item]], list[Item]]:
    """The fields of a declaration by name, and everything else; one given twice is a finding."""
    fields: dict[str, list[Item]] = {}
    rest: list[Item] = []
    for item in decl.items:
        node = item.node
        if not isinstance(node, Node) or node.rule not in FIELD_RULES:
            rest.append(item)
            continue
        name = str(node.parts[0])
        _refuse_secret(cx, decl, item)
        before = fields.setdefault(name, [])
        if before and node.rule in ("field", "field_shape"):
            note = Note("The first one is here.", before[0].file.span(before[0].node.parts[0]))
            message = f"`{name}` is given twice."
            span = item.file.span(node.parts[0])
            cx.world.report("Z305", message, span, "Take one of them away.", (note,))
        else:
            before.append(item)
    return fields, rest


def _refuse_secret(cx: Context, decl: Decl, item: Item) -> None:
    """Only what a bundle has can be secret field by field."""
    secret = item.node.parts[3] if item.node.rule in ("field", "field_shape") else None
    if secret is not None and decl.word != "bundle":
        message = f"`secret` has no meaning at a field of {_article(decl.word)}."
        cx.world.report("Z222", message, item.file.span(secret), "Take the word away.")


def only(
    cx: Context, decl: Decl, fields: Mapping[str, Any], known: Iterable[str], noun: str
) -> None:
    """Report fields that a declaration of this kind does not have."""
    known = tuple(known)
    for name, items in fields.items():
        if name in known:
            continue
        node, file = items[0]
        near = nearest(name, known)
        listed = ", ".join(f"`{one}`" for one in known)
        advice = f"Did you mean `{near}`?" if near else (f"It has {listed}." if known else None)
        cx.world.report("Z304", f"{noun} has no field `{name}`.", file.span(node.parts[0]), advice)


def only_fields(cx: Context, decl: Decl, known: Iterable[str], noun: str) -> dict[str, list[Item]]:
    """The fields of a declaration in which nothing else may stand."""
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    only(cx, decl, fields, known, noun)
    return fields


def no_more(cx: Context, decl: Decl, rest: Iterable[Item]) -> None:
    """Report items that have no meaning in this declaration."""
    for node, file in rest:
        what = "declaration" if isinstance(node, Declaration) else "line"
        message = f"This {what} cannot stand in {_article(decl.word)}."
        cx.world.report("Z310", message, file.span(_head(node)))


def _article(word: str) -> str:
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"


def _head(node: Any) -> Any:
    return node.word if isinstance(node, Declaration) else node


def names_in(cx: Context, items: list[Item]) -> list[tuple[Any, Any]]:
    """The bare names a field lists (`states: ready, spent`), each with its file; amendments add
    some and take some away (`shows +points -cities`)."""
    found: list[tuple[Any, Any]] = []
    for node, file in items:
        if node.rule in ("field_plus", "field_minus"):
            for sign, part in signed(node):
                _change_names(cx, sign, _names((part,), file, cx), str(node.parts[0]), found)
        elif node.rule == "field":
            found += _names(node.parts[1].parts, file, cx)
        else:
            cx.world.report("Z301", "Here must stand names, with commas between.", file.span(node))
    return found


def _names(parts: Iterable[Any], file: Any, cx: Context) -> list[tuple[Any, Any]]:
    found = []
    for part in parts:
        inner, where = part.parts if part.rule == "elsewhere" else (part, file)
        if inner.rule == "name":
            found.append((inner.parts[0], where))
        else:
            cx.world.report("Z301", "Here must stand a name.", where.span(inner))
    return found


def _change_names(
    cx: Context, sign: int, names: list[tuple[Any, Any]], field: str, found: list[tuple[Any, Any]]
) -> None:
    for name, file in names:
        there = [one for one in found if one[0] == name]
        if sign > 0 and not there:
            found.append((name, file))
        elif sign < 0 and there:
            found.remove(there[0])
        else:
            message = f"`{name}` is {'already' if there else 'not'} in `{field}`."
            cx.world.report("Z415", message, file.span(name), "Take this change away.")


def number_in(cx: Context, items: list[Item]) -> int | None:
    total: int | None = None
    for node, file in items:
        cx.enter(file)
        if node.rule == "field":
            value = entries(cx, node.parts[1].parts, INT, node.parts[1])
            total = None if value is BROKEN else value
        elif node.rule in ("field_plus", "field_minus"):
            for sign, part in signed(node):
                value = entries(cx, (part,), INT, part)
                if value is not BROKEN and total is not None:
                    total += sign * value
        else:
            cx.error("Z301", "This must be a number.", node)
    return total


def head_words(decl: Decl) -> list[Any]:
    return [head.parts[0] for head in decl.node.heads if head.rule == "head_word"]


def refuse_heads(
    cx: Context, decl: Decl, allowed: Iterable[str], words: Iterable[str] = ()
) -> None:
    """Report words between the name and the block that this declaration does not know."""
    allowed, words = tuple(allowed), tuple(words)
    for head in decl.node.heads:
        if head.rule == "head_word":
            word = head.parts[0]
            if word not in words:
                advice = did_you_mean(word, words)
                cx.error("Z222", f"`{word}` has no meaning in {_article(decl.word)}.", word, advice)
        elif head.rule not in allowed:
            cx.error("Z222", f"This has no meaning in {_article(decl.word)}.", head)


def missing(cx: Context, decl: Decl, names: list[str]) -> None:
    """Report the fields a declaration ought to have, all in one finding."""
    if names:
        listed = " and ".join(f"`{name}`" for name in names)
        fields = "fields" if len(names) > 1 else "field"
        message = f"`{decl.spoken}` lacks the {fields} {listed}."
        advice = "Add " + ", ".join(f"`{name}: …`" for name in names) + "."
        cx.world.report("Z303", message, decl.name_span, advice)


def declared_type(cx: Context, decl: Decl) -> Type:
    if decl.node.type is None:
        message = f"`{decl.spoken}` does not say its type."
        cx.world.report("Z308", message, decl.name_span, "Write `: int`, or another type.")
        return ERROR_TYPE
    return read_type(cx, decl.node.type)
