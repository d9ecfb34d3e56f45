"""Every block and every expression of a ruleset, each with the path of what it belongs to."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import FORMS, blocks_of, fields_of
from ziggurat.runtime.kernel.forms.values import Value
from ziggurat.runtime.kernel.nodes import NO_META, Expr, Meta
from ziggurat.runtime.kernel.ruleset import Ruleset
from ziggurat.runtime.kernel.walking import calls

# What plays; scenarios and advice only look on.
TABLES = ("things", "values", "procedures", "phases", "actions")


@attrs.frozen
class Passage:
    """A block or an expression: `node` is the field called `field` of `owner`, which has this path
    (`engineering.resolve`, `trade / after deal / 1`) and stands in the declaration `home`."""

    path: str
    node: Any
    field: str
    owner: Any
    home: Any
    meta: Meta

    @property
    def is_block(self) -> bool:
        return isinstance(self.node, tuple)


def passages(ruleset: Ruleset) -> Iterator[Passage]:
    """All rules, in the order of the ruleset."""
    for home in declarations(ruleset):
        yield from passages_of(home)


def passages_of(home: Any) -> Iterator[Passage]:
    """Yield all rules of one declaration."""
    yield from _inside(home, home, getattr(home, "id", ""), NO_META)


def declarations(ruleset: Ruleset) -> Iterator[Any]:
    """Everything that rules stand in, in the order of the ruleset."""
    for table in TABLES:
        yield from _declarations(getattr(ruleset, table))


def bodies(ruleset: Ruleset) -> Iterator[Passage]:
    """All blocks: of procedures, things, stages and actions, and of the triggers of procedures and
    phases."""
    return (one for one in passages(ruleset) if one.is_block)


def _declarations(page: Mapping[str, Any]) -> Iterator[Any]:
    for one in page.values():
        yield from _declarations(one) if isinstance(one, dict) else (one,)


def _inside(owner: Any, home: Any, path: str, meta: Meta) -> Iterator[Passage]:
    meta = _meta(owner, meta)
    for field in fields_of(type(owner)):
        value = getattr(owner, field)
        if isinstance(value, Expr) or field in blocks_of(type(owner)):
            yield Passage(path, value, field, owner, home, meta)
            continue
        for part in value if isinstance(value, tuple) else (value,):
            if type(part) in FORMS:
                yield from _inside(part, home, _path(part, path), meta)


def _path(part: Any, above: str) -> str:
    if own := getattr(part, "path", ""):
        return str(own)
    name = getattr(part, "name", "")
    return f"{above}.{name}" if name else above


def _meta(owner: Any, above: Meta) -> Meta:
    """The citations of something, or of what it stands in unless another thing brings it."""
    own: Meta = getattr(owner, "meta", NO_META)
    return above if own == NO_META and not hasattr(owner, "thing") else own


def values_of(ruleset: Ruleset, *nodes: Any) -> dict[str, Value]:
    """The values and keys of orders that something calls, by itself or through others."""
    found: dict[str, Value] = {}
    waiting = list(nodes)
    while waiting:
        for sort, id_, *_ in calls(waiting.pop()):
            names = ruleset.orders[id_].keys if sort == "order" else (id_,) * (sort == "value")
            fresh = {name: ruleset.values[name] for name in names if name not in found}
            found |= fresh
            waiting += fresh.values()
    return found
