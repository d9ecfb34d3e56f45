"""Lines of rules and how blocks are laid out on the page."""

from collections.abc import Iterable

import attrs

from ziggurat.runtime.kernel.nodes import NO_META, NOWHERE, At, Meta

INDENT = "  "
OPEN = " {"
# Blocks that go on with the block before them.
_FOLLOWING = ("else", "otherwise")


@attrs.frozen
class Line:
    """One line at a depth. A line that ends with `{` opens a block of deeper lines; closing
    brackets are no lines: they follow from the depths, so that comparing never trips over them."""

    depth: int
    text: str
    at: At = attrs.field(default=NOWHERE, eq=False)
    meta: Meta = attrs.field(default=NO_META, eq=False)

    def deeper(self, by: int = 1) -> "Line":
        return attrs.evolve(self, depth=self.depth + by)


def lay_out(lines: Iterable[Line], margin: int = 0) -> str:
    """Text with indentation and closing brackets; a block whose lines are missing shows `…`."""
    rows: list[str] = []
    open_at: list[int] = []
    waiting = list(lines)
    least = min((line.depth for line in waiting), default=0)
    for i, line in enumerate(waiting):
        depth = line.depth - least + margin
        follows = line.text.split(" ", 1)[0] in _FOLLOWING
        while open_at and open_at[-1] >= depth + (1 if follows else 0):
            rows.append(INDENT * open_at.pop() + "}")
        text = line.text
        if follows and open_at and open_at[-1] == depth:
            open_at.pop()
            text = "} " + text
        if text.endswith(OPEN):
            if i + 1 < len(waiting) and waiting[i + 1].depth > line.depth:
                open_at.append(depth)
            else:
                text += " … }"
        rows.append(INDENT * depth + text)
    rows += [INDENT * depth + "}" for depth in reversed(open_at)]
    return "\n".join(rows)


def quoted(text: str) -> str:
    """A title, prompt or reason as it is written."""
    return f'"{text}"'
