"""Paths of what is declared, as named from where one stands."""

from typing import Any

from ziggurat.dsl.diagnostics import Note, did_you_mean
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.mentions import LOCAL, local_path, words_of
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.nodes import Expr


def dotted_path(cx: Context, node: Any) -> str | None:
    """`thing.value` as a path, when its first word is no local name."""
    parts: list[str] = []
    while node.rule == "attribute":
        parts.append(str(node.parts[1]))
        node = node.parts[0]
    if node.rule != "name" or node.parts[0] in cx.names:
        return None
    return ".".join([str(node.parts[0]), *reversed(parts)])


def value_path(cx: Context, name: str) -> str | None:
    """The path of a value as named here: inside a thing the short name is enough."""
    world = cx.world
    if cx.thing is not None:
        inner = f"{cx.thing.id}.{name}"
        if inner in world.values:
            return inner
    if name in world.values:
        return name
    return renamed_path(cx, "value", name, world.values)


def renamed_path(cx: Context, word: str, name: str, known: Any) -> str | None:
    """A path as an earlier pack knew it, if it exists under another name now."""
    if not cx.world.book.aliases:
        return None
    new = cx.world.renamed(word, name, cx.file.source.pack)
    return new if new in known else None


def procedure_path(cx: Context, name: str) -> str | None:
    known = cx.world.procedures
    if cx.thing is not None and f"{cx.thing.id}.{name}" in known:
        return f"{cx.thing.id}.{name}"
    return name if name in known else renamed_path(cx, "procedure", name, known)


def phase_name(cx: Context, token: Any) -> str:
    """A phase by name, or a finding."""
    world = cx.world
    name = str(token)
    if name in world.phases:
        cx.mention("phase", name, token)
        return name
    new = world.renamed("phase", name, cx.file.source.pack)
    if new in world.phases:
        cx.mention("phase", new, token)
        return new
    advice = did_you_mean(name, world.phases)
    cx.error("Z208", f"There is no phase called `{name}`.", token, advice)
    return name


def thing_kinds(cx: Context, name: str) -> list[str]:
    """The kinds that have a thing of this name; a scenario's own things hide the real ones."""
    kinds = cx.world.kinds_of_name.get(name, [])
    if cx.scenario is None or not cx.scenario.things:
        return kinds
    own = cx.scenario.things
    return [k for k in kinds if k not in own] + [k for k, page in own.items() if name in page]


def things_of(cx: Context, kind: str) -> dict[str, Decl]:
    if cx.scenario is not None and kind in cx.scenario.things:
        page: dict[str, Decl] = cx.scenario.things[kind]
        return page
    return cx.world.things.get(kind, {})


def mention_thing(cx: Context, kind: str, name: str, node: Any) -> None:
    """Note that a thing is named; a scenario's own is known by its place."""
    own = cx.scenario.things.get(kind, {}).get(name) if cx.scenario is not None else None
    if own is not None:
        cx.mention(LOCAL, local_path(own.name_span), node)
    else:
        cx.mention(kind, name, node)


def mention_player(cx: Context, node: Any) -> None:
    """Note that a player of a scenario is named: by what they play, or by a name of their own."""
    seat, name = cx.world.seat_kind, str(words_of(node)[-1])
    if seat in thing_kinds(cx, name):
        mention_thing(cx, seat, name, node)
    elif name in cx.scenario.players:
        cx.mention(LOCAL, local_path(cx.scenario.players[name]), node)


def removed_name(cx: Context, node: Any, kind: str, name: str) -> Expr:
    """Say who took away what is still spoken of."""
    span = cx.world.book.gone[kind, name].span
    message = f"There is no {kind.replace('_', ' ')} `{name}` any more."
    advice = "Amend this, too, so that it does without, or remove it."
    cx.error("Z201", message, node, advice, (Note("It is removed here.", span),))
    return BAD


def short_names(world: World, *of: str) -> list[str]:
    """The attributes and bundles of somebody, by the names that stand after a dot."""
    found = [one.id.partition(".")[2] for one in world.attributes.values() if one.of in of]
    return [name for name in found if "." not in name]


def known_names(cx: Context) -> list[str]:
    world = cx.world
    table = short_names(world, "table")
    own = [n for page in cx.scenario.things.values() for n in page] if cx.scenario else []
    players = list(cx.scenario.players) if cx.scenario else []
    return [
        *cx.names, *table, *world.options, *own, *players, *world.kinds_of_name, *world.neutrals,
        *world.all_of, "players", "owners",
    ]  # fmt: skip
