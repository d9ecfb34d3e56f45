"""Bundles as rules name them: `p.offer`, which is there or not, and `p.offer.size`, a part of it.

A bundle is kept in attributes: one that says whether it is there, under its own id, and one for
each field. It is no value by itself, so whoever may speak of a whole bundle asks here first.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import linked
from ziggurat.runtime.kernel.nodes import Expr

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.forms.bundles import Bundle


class Named(NamedTuple):
    """A bundle, and whose it is (None: the table's)."""

    bundle: "Bundle"
    of: Expr | None

    @property
    def name(self) -> str:
        return self.bundle.id.partition(".")[2]


def named(cx: Context, node: Any) -> Named | None:
    """The bundle that an expression names, if it names one."""
    if node.rule not in ("name", "attribute"):
        return None
    *whole, name = node.parts
    if not cx.world.bundle_names.get(str(name)):
        return None
    bundles = cx.world.bundles
    if not whole or (whole[0].rule == "name" and _is_table(cx, whole[0])):
        bundle = bundles.get(f"table.{name}")
        if bundle is None or not (whole or name not in cx.names):
            return None
        cx.mention("bundle", bundle.id, node)
        return Named(bundle, None)
    of = linked(cx, whole[0])
    bundle = bundles.get(f"{of.type.name}.{name}")
    if bundle is None and of.type.name == "player":
        bundle = bundles.get(f"owner.{name}")
    if bundle is None:
        return None
    cx.mention("bundle", bundle.id, node)
    return Named(bundle, of)


def _is_table(cx: Context, node: Any) -> bool:
    return node.parts[0] == "table" and "table" not in cx.names


def no_value(cx: Context, found: Named, node: Any) -> Expr:
    """Somebody took a whole bundle for a value."""
    message = f"`{found.name}` is a bundle, which has no value of its own."
    first = found.bundle.fields[0].name if found.bundle.fields else "…"
    advice = f"Read what is in it, `….{first}`, or ask whether it is there: `… is none`."
    return cx.wrong("Z350", message, node, advice)


def no_field(cx: Context, found: Named, name: Any) -> Expr:
    advice = did_you_mean(name, [field.name for field in found.bundle.fields])
    return cx.wrong("Z209", f"The bundle `{found.name}` has no `{name}`.", name, advice)
