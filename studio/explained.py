"""Explanations as people read them: a tree, what decided first, a page unless more is asked for."""

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.text import Text
from rich.tree import Tree

from ziggurat import Clause, Explanation, Reason, Verdict

PAGE = 40
DEPTH = 2


def tell(out: Console, found: Explanation | Verdict, depth: int | None = None) -> None:
    """Print an explanation as deep as told, or as a page holds."""
    for line in found.assumed:
        out.print(f"Note: {line}", style="yellow", markup=False)
    out.print(on_a_page(out, found) if depth is None else _tree(found, depth))


def on_a_page(out: Console, found: Explanation | Verdict) -> RenderableType:
    """An explanation as deep as a page holds; it says so if there is more."""
    for depth in range(DEPTH, -1, -1):
        tree = _tree(found, depth)
        lines = out.render_lines(tree, pad=False)
        if len(lines) <= PAGE:
            break
    else:
        written = "\n".join("".join(one.text for one in line) for line in lines[:PAGE])
        return Text(f"{written.rstrip()}\n… {len(lines) - PAGE} lines more: `--depth 0`")
    if depth < DEPTH and _is_deeper(found, depth):
        tree.add(Text(f"more with `--depth {depth + 1}`", "dim"))
    return tree


def _is_deeper(found: Explanation | Verdict, depth: int) -> bool:
    if isinstance(found, Verdict):
        return found.refusal is not None and bool(found.refusal.parts)
    return bool(found.parts)


def _tree(found: Explanation | Verdict, depth: int) -> Tree:
    return explained(found, depth) if isinstance(found, Explanation) else _judged(found, depth)


def explained(told: Explanation, depth: int = DEPTH, inner: bool = False) -> Tree:
    """A result and where it came from, as a tree; what does not apply is only counted inside."""
    head = Text.assemble((told.text, "bold"), " is ", (told.result, "bold green"))
    tree = Tree(_with_source(head, told.cites, told.where))
    _add_reasons(tree, told.why)
    if told.base and not told.why:
        base = Text(f"base {told.base}")
        tree.add(base.append(f"  = {told.formula}", "dim") if told.formula else base)
    idle = [clause for clause in told.clauses if inner and not clause.applies]
    for clause in told.clauses:
        if clause not in idle:
            _add_clause(tree, clause)
    if idle:
        does = "clause does" if len(idle) == 1 else "clauses do"
        tree.add(Text(f"{len(idle)} {does} not apply", "dim"))
    if depth and told.parts:
        parts = tree.add(Text("made from", "dim")) if told.base or told.why else tree
        for part in told.parts:
            parts.add(explained(part, depth - 1, inner=True))
    return tree


def _add_reasons(tree: Tree, reasons: Sequence[Reason]) -> None:
    for reason in reasons:
        answer = ("yes", "green") if reason.holds else ("no", "red")
        _add_reasons(tree.add(Text.assemble(f"{reason.text}: ", answer)), reason.parts)


def _add_clause(tree: Tree, clause: Clause) -> None:
    if clause.applies:
        text = Text.assemble((clause.change, "bold"), f" by {clause.source}, makes {clause.after}")
    else:
        text = Text(f"{clause.change} by {clause.source} does not apply", "dim")
    if clause.reason:
        text.append(f' "{clause.reason}"')
    branch = tree.add(_with_source(text, clause.cites, clause.where))
    _add_reasons(branch, [Reason(one.text, one.holds) for one in clause.conditions])


def _with_source(text: Text, *source: str) -> Text:
    told = "  ".join(filter(None, source))
    return text.append(f"  {told}", "dim") if told else text


def _judged(found: Verdict, depth: int) -> Tree:
    what, refusal = f"{found.player}: {found.action}", found.refusal
    if refusal is None:
        tree = Tree(Text.assemble((what, "bold"), " is allowed by its own rules"))
        if found.turn:
            tree.add(Text(found.turn, "red"))
        return tree
    head = Text.assemble((what, "bold"), " is refused: ", (refusal.reason, "bold red"))
    tree = Tree(_with_source(head, refusal.cites, refusal.where))
    if found.turn:
        tree.add(Text(found.turn, "red"))
    _add_reasons(tree, refusal.why)
    for part in refusal.parts if depth or not refusal.why else ():
        tree.add(explained(part, max(0, depth - 1)))
    return tree
