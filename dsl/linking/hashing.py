"""The ruleset as text, and its content hash.

`to_json` and `from_json` are inverse to each other. The hash stands for the rules alone: where and
how they were written, by which pack, the scenarios that test them, the advice about them and what
a map looks like do not count. A second one, `meaning_hash`, stands for how games go: it leaves out
wording and data that no rule looks at as well. It is made of the names that the program has for the
parts of rules, so it has a version, which changes when the same text gives another hash.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import attrs
from cattrs import Converter

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import Ruleset
from ziggurat.runtime.kernel.bodies import passages
from ziggurat.runtime.kernel.description import FORMS
from ziggurat.runtime.kernel.nodes import LATER
from ziggurat.runtime.kernel.walking import walk

MEANING_VERSION = 2
_TAG = "is"
_WORDING = frozenset({"title", "plural", "reason", "prompt", "text", "others", "wordings", "meta"})


def to_json(ruleset: Ruleset, places: bool = True) -> str:
    """The whole ruleset as JSON. Without places it says nothing of files, lines and packs."""
    return json.dumps(_converter(places).unstructure(ruleset), ensure_ascii=False)


def from_json(text: str) -> Ruleset:
    """A ruleset from what `to_json` wrote."""
    return _converter(True).structure(json.loads(text), Ruleset)


def content_hash(ruleset: Ruleset) -> str:
    """Equal for equal rules, whatever their layout, comments and packs."""
    return _digest(ruleset, _converter(False), sort_keys=True)


def meaning_hash(ruleset: Ruleset) -> str:
    """Equal where every game goes the same way with the same answers.

    Titles, sentences, citations, and fields that no rule reads (where a map shows a place, in which
    colour) do not count. The order of declarations does: sets are in it. The hash begins with its
    version: those of two versions cannot be compared.
    """
    digest = _digest(
        _only_read(ruleset, fields_read(ruleset)), _converter(False, wording=False), sort_keys=False
    )
    return f"{MEANING_VERSION}:{digest}"


def playing_hash(ruleset: Ruleset) -> str:
    """Return a hash that is equal where bots play every game the same way.

    Besides what `meaning_hash` stands for, advice counts, and the fields it reads.
    """
    advice = [one for node in ruleset.advice for one in walk(node)]
    read = fields_read(ruleset) | {
        (one.owner_kind, one.field) for one in advice if isinstance(one, ir.FieldOf)
    }
    converter = _converter(False, False)
    rules = _digest(_only_read(ruleset, read), converter, False)
    advised = json.dumps(converter.unstructure(ruleset.advice), ensure_ascii=False)
    return hashlib.sha256(f"{rules} {advised}".encode()).hexdigest()


def _only_read(ruleset: Ruleset, read: set[tuple[str, str]]) -> Ruleset:
    """Return the ruleset without the fields of things that are not among those `read`."""
    kinds = {
        id_: attrs.evolve(kind, fields=tuple(f for f in kind.fields if (id_, f.name) in read))
        for id_, kind in ruleset.kinds.items()
    }
    things = {
        kind: {
            id_: attrs.evolve(one, values=tuple(v for v in one.values if (kind, v.field) in read))
            for id_, one in page.items()
        }
        for kind, page in ruleset.things.items()
    }
    return attrs.evolve(ruleset, kinds=kinds, things=things)


def hash_version(meaning: str) -> int:
    """Return the version of a `meaning_hash`; those of before 0.3.0 have none, which is 1."""
    number, sign, _ = meaning.partition(":")
    return int(number) if sign and number.isdecimal() else 1


def fields_read(ruleset: Ruleset) -> set[tuple[str, str]]:
    """The fields that rules look at, and how many of each card there are."""
    nodes = [one.node for one in passages(ruleset)]
    nodes += [attribute.default for attribute in ruleset.attributes.values()]
    found = {
        (one.owner_kind, one.field)
        for node in nodes
        for one in walk(node)
        if isinstance(one, ir.FieldOf)
    }
    return found | {(face, "copies") for family in ruleset.cards.values() for face in family.faces}


def _digest(ruleset: Ruleset, converter: Converter, sort_keys: bool) -> str:
    plain = converter.unstructure(ruleset)
    rules = {key: value for key, value in plain.items() if key not in ir.NO_RULES}
    text = json.dumps(rules, ensure_ascii=False, sort_keys=sort_keys, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _classes() -> dict[str, type]:
    """The classes of the ruleset by name, with their annotations understood."""
    found = {cls.__name__: cls for cls in (*FORMS, ir.Type, ir.Cite, ir.Meta, ir.At)}
    for cls in found.values():
        attrs.resolve_types(cls)
    return found


@cache
def _converter(places: bool, wording: bool = True) -> Converter:
    converter = Converter()
    classes = _classes()
    for cls in classes.values():
        converter.register_unstructure_hook(cls, _writer(converter, cls, places, wording))
        converter.register_structure_hook(cls, _reader(converter, cls))
    converter.register_unstructure_hook(ir.At, lambda at: list(attrs.astuple(at)))
    converter.register_structure_hook(ir.At, lambda value, _: ir.At(*value))
    read = _tagged_reader(converter, classes)
    converter.register_structure_hook_func(_is_union, read)
    converter.register_structure_hook(ir.Expr, read)
    converter.register_structure_hook(ir.Stmt, read)
    converter.register_structure_hook_func(
        lambda type_: type_ is Any, lambda value, _: _frozen(value)
    )
    return converter


def _writer(converter: Converter, cls: Any, places: bool, wording: bool) -> Callable[[Any], Any]:
    """Fields that do not count for equality say where something was written."""
    names = [
        field.name
        for field in attrs.fields(cls)
        if (places or field.eq) and (wording or field.name not in _WORDING)
    ]
    if not places and cls is ir.Meta:
        names.remove("origin")
    tag = cls.__name__
    later = [field.name for field in attrs.fields(cls) if LATER in field.metadata and not places]

    def write(value: Any) -> dict[str, Any]:
        return {_TAG: tag, **{name: converter.unstructure(getattr(value, name)) for name in names}}

    def write_said(value: Any) -> dict[str, Any]:
        silent = [name for name in later if not getattr(value, name)]
        return {key: part for key, part in write(value).items() if key not in silent}

    return write_said if later else write


def _reader(converter: Converter, cls: Any) -> Callable[[Any, Any], Any]:
    types = {field.name: field.type for field in attrs.fields(cls)}

    def read(value: dict[str, Any], _: Any) -> Any:
        return cls(**{n: converter.structure(value[n], types[n]) for n in types if n in value})

    return read


def _is_union(type_: Any) -> bool:
    return get_origin(type_) in (Union, UnionType)


def _tagged_reader(converter: Converter, classes: dict[str, type]) -> Callable[[Any, Any], Any]:
    def read(value: Any, type_: Any) -> Any:
        if isinstance(value, dict) and _TAG in value:
            return converter.structure(value, classes[value[_TAG]])
        if isinstance(value, list) and ir.At in get_args(type_):
            return converter.structure(value, ir.At)
        return value

    return read


def _frozen(value: Any) -> Any:
    """Plain data of a field: JSON knows only lists, the ruleset only tuples."""
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
