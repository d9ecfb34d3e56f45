"""Whole declarations as text, each with everything that stands in it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ziggurat.dsl.forms.clauses import contribution_text
from ziggurat.dsl.printing.index import Home, Index
from ziggurat.dsl.printing.layout import OPEN, Line, quoted
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel.forms.core import Loop, Param
from ziggurat.runtime.kernel.nodes import Body, Cite, Expr, Meta, Type
from ziggurat.runtime.kernel.registry import Registry

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.ruleset import Ruleset

# Whole declarations, at a depth.
DECLARATIONS = Registry[type, list[Line]]()
declares = DECLARATIONS.add


class Declarations:
    """Prints the declarations of one ruleset.

    With `sorting`, sets and maps of fields are printed in the order of their names, which is all
    that comparing may look at.
    """

    def __init__(
        self,
        ruleset: "Ruleset",
        printer: Printer,
        index: Index | None = None,
        sorting: bool = False,
    ) -> None:
        self.ruleset = ruleset
        self.printer = printer
        self.index = index or Index(ruleset)
        self.sorting = sorting
        self._above: tuple[Cite, ...] = ()

    @contextmanager
    def inside(self, one: Any) -> Iterator[None]:
        """What is printed meanwhile stands in the block of a declaration, whose citations hold for
        it and are not told again."""
        outer, self._above = self._above, one.meta.cites
        yield
        self._above = outer

    def lines(self, one: Any, depth: int = 0) -> list[Line]:
        """The lines of one declaration; the first opens its block if it has one."""
        return DECLARATIONS[type(one)](self, one, depth)

    def head(self, word: str, one: Any, depth: int = 0, between: str = "") -> str:
        """How a declaration begins: `value worth(p: player) "Worth"`; with `open` if it is the
        default of what is still open."""
        place = self.ruleset.open_places.get(f"{word} {one.id}")
        still_open = place is not None and not place.answer and self.printer.wording
        return f"{'open ' if still_open else ''}{self.named(word, one, depth, between)}"

    def named(self, word: str, one: Any, depth: int, between: str) -> str:
        return f"{word} {self.short(word, one.id, depth)}{between}{self.title(one.title)}"

    def title(self, title: str) -> str:
        return f" {quoted(title)}" if title and self.printer.wording else ""

    def meta(self, meta: Meta, depth: int) -> list[Line]:
        """Citations and tags as items of a block."""
        if not self.printer.wording:
            return []
        own = meta.cites if meta.cites != self._above else ()
        cites = ", ".join(f"{cite.source} {quoted(cite.place)}" for cite in own)
        lines = [Line(depth, f"cites {cites}")] if cites else []
        return lines + ([Line(depth, f"tags {', '.join(meta.tags)}")] if meta.tags else [])

    def meta_inline(self, meta: Meta) -> str:
        """Citations and tags at the end of a line."""
        return "".join(f"   {line.text}" for line in self.meta(meta, 0))

    def params(self, params: Iterable[Param]) -> str:
        type_ = self.printer.lexicon.type
        return ", ".join(f"{self.printer.local(p.name)}: {type_(p.type)}" for p in params)

    def block(self, head: str, one: Any, inner: list[Line], depth: int) -> list[Line]:
        """A head and what stands in its block; without anything the block is an empty one."""
        meta = getattr(one, "meta", Meta())
        lines = self.meta(meta, depth + 1) + inner
        return [Line(depth, head + (OPEN if lines else " {}"), one.at, meta), *lines]

    def short(self, sort: str, id_: str, depth: int) -> str:
        """The name as it is written where the declaration stands."""
        name = self.printer.lexicon.name(sort, id_)
        return name.rpartition(".")[2] if depth else name

    def body(self, body: Body, depth: int = 0) -> list[Line]:
        return self.printer.block(body, depth)

    def default(self, default: Expr) -> str:
        """What a field or attribute is to begin with; a list is written there like a set."""
        if isinstance(default, Loop) and default.body is None and default.where is None:
            default = default.source
        return self.printer.text(default)

    def data(self, value: Any, type_: Type) -> str:
        """Plain data as a field has it."""
        if type_.name == "map" and type_.key and type_.item:
            key, item = type_.key, type_.item
            pairs = [f"{self.data(k, key)} {self.data(v, item)}" for k, v in value]
            return ", ".join(sorted(pairs) if self.sorting else pairs) or "{}"
        if type_.name in ("set", "list") and type_.item:
            texts = [self.data(one, type_.item) for one in value]
            ordered = sorted(texts) if self.sorting and type_.name == "set" else texts
            return ", ".join(ordered) or "{}"
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if type_.name == "range" and isinstance(value, tuple):
            return f"{value[0]}..{value[1]}"
        if isinstance(value, str):
            return quoted(value) if type_.name == "text" else self.reference(value, type_)
        return str(value)

    def reference(self, value: str, type_: Type) -> str:
        """The name of a thing that data points at as `kind.id`."""
        return self.printer.lexicon.name(type_.name, value.removeprefix(f"{type_.name}."))

    def nested(self, home: Home) -> list[Line]:
        """Values, orders, procedures and actions that stand in a thing."""
        return [line for _, one in home.nested for line in self.lines(one, 1)]

    def brought(self, home: Home, depth: int = 1) -> list[Line]:
        """The clauses and triggers of a thing, rule or phase."""
        lines = [
            Line(
                depth,
                contribution_text(self.printer, value, clause) + self.meta_inline(clause.meta),
                clause.at,
                clause.meta,
            )
            for value, clause in home.clauses
        ]
        for target in home.triggers:
            head, *rest = target.lines(self.printer, depth)
            meta = self.meta_inline(target.trigger.meta)
            lines += [Line(depth, head.text.removesuffix(OPEN) + meta + OPEN, head.at), *rest]
        return lines

    def rule(self, home: Home) -> list[Line]:
        lines = self.nested(home) + self.brought(home)
        name = self.printer.lexicon.name("rule", home.id)
        return [Line(0, f"rule {name}{OPEN}", lines[0].at), *lines]
